"""Yahoo!'s news log R6A (`ydata-fp-td-clicks-v1_0.200905DD[.gz]`, ten days of May 2009): reader and writer.

The data are licensed; config.yaml gives their folder. A line is a visit, separated by spaces,

    timestamp displayed_id click |user 2:v 3:v 4:v 5:v 6:v 1:1.000000 |article_id 2:v ... 6:v 1:1.000000 |article_id ...

so the constant comes last; features are ordered by their index. Invalid lines are skipped and counted by reason.

The reader writes one compact file of records, in one pass and constant memory, from which all policies are simulated.
Nearly every line has the same articles as the line before, byte for byte: a compiled loop reads the user and compares
the rest, and plain Python parses a line only where the articles differ.
"""

import gzip
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np

from dpbandits.environments.logs._events import DIMENSION, Events
from dpbandits.errors import InputError
from dpbandits.files.traces import written_whole
from dpbandits.kernels.compiled import kernel

DAYS = range(1, 11)
SYNTHETIC = "SYNTHETIC.txt"  # marks the folder of a synthetic log
CHUNK = 1 << 22  # bytes read at once
PROGRESS_LINES = 1_000_000  # lines between two progress messages
RECORD = np.dtype(
    [("t", "<i8"), ("pool", "<i4"), ("displayed", "<i2"), ("clicked", "<i2"), ("user", "<f8", (DIMENSION,))]
)


class UnusableLine(Exception):
    """The reason for which a line is skipped."""


def days(folder: str | Path) -> list[Path]:
    """The files of all ten days, packed or not; InputError names the first that is missing."""
    folder, found = Path(folder), []
    if not folder.is_dir():
        raise InputError(f"config/config.yaml: r6a: {folder}: there is no such folder; give the folder of R6A's files")
    for day in DAYS:
        plain = folder / f"ydata-fp-td-clicks-v1_0.200905{day:02d}"
        packed = plain.with_name(plain.name + ".gz")
        if not packed.exists() and not plain.exists():
            raise InputError(f"{packed}: this day of R6A is missing (packed or not); the log has ten, 01 to 10")
        found.append(packed if packed.exists() else plain)
    return found


def source(folder: str | Path) -> str:
    """The name of the log in figures; a synthetic log in Yahoo!'s format is called synthetic."""
    return "synthetic log in R6A's format" if (Path(folder) / SYNTHETIC).exists() else "Yahoo! R6A"


class Reader:
    """The state of reading a log: counts, article numbers, pools, and the articles of the last line."""

    def __init__(self) -> None:
        self.lines = 0
        self.skipped: Counter[str] = Counter()
        self.numbers: dict[tuple, int] = {}  # (id, vector) -> number of the article
        self.pools: dict[tuple[int, ...], int] = {}
        self.segment = np.empty(0, np.uint8)  # the articles of the last line, byte for byte
        self.ids = np.empty(0, np.int64)
        self.pool = -1

    def records(self, file: Path) -> Iterator[np.ndarray]:
        """Read the valid visits of a file, chunk by chunk."""
        rest = b""
        for chunk in _chunks(file):
            buffer = rest + chunk
            at, end = 0, buffer.rfind(b"\n") + 1
            text = np.frombuffer(buffer, np.uint8)
            while at < end:
                room = np.zeros((end - at) // max(len(self.segment), 40) + 1, RECORD)
                values = np.zeros((len(room), DIMENSION))
                out = np.zeros((4, len(room)), np.int64)
                at, seen, used, absent = read_lines(text, at, end, self.segment, self.ids, self.lines, out, values)
                self.lines += seen
                if absent:
                    self.skipped["the displayed article is not in the pool"] += absent
                if used:
                    found = room[:used]
                    found["t"], found["displayed"], found["clicked"] = out[0, :used], out[1, :used], out[2, :used]
                    found["pool"], found["user"] = self.pool, values[:used]
                    yield found
                if at < end and used < len(room):  # a line with other articles than the one before
                    stop = buffer.index(b"\n", at)
                    yield from self.parse_line(buffer[at:stop])
                    at = stop + 1
            rest = buffer[end:]
        if rest:
            yield from self.parse_line(rest)

    def parse_line(self, line: bytes) -> Iterator[np.ndarray]:
        """Parse one line in Python; if it is valid, the compiled loop reads those that follow with equal articles."""
        self.lines += 1
        try:
            displayed, click, user, articles = parse(line)
        except UnusableLine as reason:
            self.skipped[str(reason)] += 1
            return
        numbers = tuple(self.numbers.setdefault(article, len(self.numbers)) for article in articles)
        self.pool = self.pools.setdefault(numbers, len(self.pools))
        self.ids = np.array([article[0] for article in articles], np.int64)
        self.segment = np.frombuffer(line[line.index(b"|", line.index(b"|") + 1) :], np.uint8)
        places = np.flatnonzero(self.ids == displayed)
        if places.size == 0:
            self.skipped["the displayed article is not in the pool"] += 1
            return
        record = np.zeros(1, RECORD)
        record["t"], record["pool"], record["displayed"], record["clicked"] = self.lines, self.pool, places[0], click
        record["user"] = user
        yield record

    def tables(self) -> dict[str, np.ndarray]:
        """Pools as rows of articles' numbers (-1 beyond their ends), vectors as columns, and the number of lines."""
        pools = np.full((len(self.pools), max(map(len, self.pools), default=0)), -1, np.int64)
        for numbers, row in self.pools.items():
            pools[row, : len(numbers)] = numbers
        vectors = np.array([vector for _, vector in self.numbers]).reshape(-1, DIMENSION).T
        return {"pools": pools, "vectors": np.ascontiguousarray(vectors), "lines": np.array(self.lines)}


def read(
    files: Iterable[Path], events: Path, tables: Path, report: Path, log_progress: Callable[[str], None] | None = None
) -> Reader:
    """Read the files in order; write the records, the tables, and a report of skipped lines with reasons."""
    log_progress = log_progress or (lambda text: print(text, file=sys.stderr, flush=True))
    reader, used, reported, shown = Reader(), 0, 0, Counter()
    with written_whole(events) as out:
        for file in files:
            for records in reader.records(Path(file)):
                out.write(records.tobytes())
                used += len(records)
                shown.update(records["pool"].tolist())
                if reader.lines // PROGRESS_LINES > reported:
                    reported = reader.lines // PROGRESS_LINES
                    log_progress(f"{file}: {reader.lines:,} lines read, {reader.lines - used:,} skipped")
        if not used:
            reasons = "; ".join(f"{count} lines: {reason}" for reason, count in reader.skipped.most_common(3))
            raise InputError(
                f"{file}: the log has no valid line ({reasons or 'it is empty'}); check that these are files of R6A"
            )
    with written_whole(tables) as out:
        np.savez(out, **reader.tables())
    sizes = {row: len(numbers) for numbers, row in reader.pools.items()}
    account = {
        "lines": reader.lines,
        "visits": used,
        "articles": len(reader.numbers),
        "equal_vectors": len(reader.numbers) - len({vector for _, vector in reader.numbers}),
        "smallest_pool": min(map(sizes.__getitem__, shown)),
        "largest_pool": max(map(sizes.__getitem__, shown)),
        "kept": round(sum(times / sizes[row] for row, times in shown.items())),  # by any policy, on average
        "skipped": dict(reader.skipped),
    }
    with written_whole(report) as out:
        out.write((json.dumps(account, indent=1, sort_keys=True) + "\n").encode())
    log_progress(
        f"{reader.lines:,} lines read; " + (f"skipped: {dict(reader.skipped)}" if reader.skipped else "none skipped")
    )
    return reader


def parse(line: bytes) -> tuple[int, int, tuple[float, ...], list[tuple[int, tuple[float, ...]]]]:
    """Parse a line: displayed article, click, user's vector, and the articles with their vectors."""
    head, *parts = line.decode("ascii", "replace").split("|")
    words = head.split()
    if len(words) != 3 or not parts or not parts[0].startswith("user"):
        raise UnusableLine("it does not begin with timestamp, article, click and user")
    try:
        displayed, click = int(words[1]), int(words[2])
        if click not in (0, 1):
            raise UnusableLine("its click is neither 0 nor 1")
        user = vector(parts[0].split()[1:], "the user")
        articles = []
        for part in parts[1:]:
            name, *features = part.split() or [""]
            articles.append((int(name), vector(features, f"article {name}")))
    except ValueError:
        raise UnusableLine("it has an invalid number") from None
    if len(articles) < 2:
        raise UnusableLine("its pool has fewer than two articles")
    if len({name for name, _ in articles}) < len(articles):
        raise UnusableLine("duplicate article in its pool")
    return displayed, click, user, articles


def vector(features: list[str], whose: str) -> tuple[float, ...]:
    """Parse `2:v ... 6:v 1:v` into a vector in the order of the indices."""
    if not features:
        raise UnusableLine(f"{whose} has no features")
    found = dict(feature.split(":", 1) for feature in features if ":" in feature)
    if len(features) != DIMENSION or sorted(found) != [str(i) for i in range(1, DIMENSION + 1)]:
        raise UnusableLine("a vector's features are not those from 1 to 6")
    values = tuple(number(found[str(i)]) for i in range(1, DIMENSION + 1))
    if not all(0 <= value <= 1 for value in values):
        raise UnusableLine("a feature is not in [0, 1]")
    return values


def number(text: str) -> float:
    """Parse a number with the same arithmetic as the compiled loop, so that both give the same bits."""
    whole, _, decimals = text.partition(".")
    if (whole + decimals).isdecimal() and len(whole + decimals) <= 15:
        return int(whole + decimals) / 10.0 ** len(decimals)
    return float(text)


@kernel
def read_lines(text, at, end, segment, ids, lines, out, values):
    """Read lines from `at` on, as long as their articles are `segment`.

    Return the end position and the numbers of lines, of valid ones, and of those whose displayed article is not in the
    pool. The rows of `out` are line number, position of the displayed article, and click.
    """
    seen, used, absent = 0, 0, 0
    while used < out.shape[1] and segment.size > 0:
        here, ok = at, True
        displayed, click = np.int64(0), np.int64(0)
        for word in range(3):
            value, digits = np.int64(0), 0
            while here < end and 48 <= text[here] <= 57 and digits < 16:
                value = value * 10 + (text[here] - 48)
                here += 1
                digits += 1
            if digits == 0 or here >= end or text[here] != 32:
                ok = False
                break
            here += 1
            if word == 1:
                displayed = value
            elif word == 2:
                click = value
        if not ok or click > 1 or here + 5 >= end:
            break
        if not (text[here] == 124 and text[here + 1] == 117 and text[here + 2] == 115 and text[here + 3] == 101
                and text[here + 4] == 114 and text[here + 5] == 32):  # fmt: skip
            break
        here += 6
        met, features = 0, 0
        while here + 1 < end and 49 <= text[here] <= 54 and text[here + 1] == 58:
            i = text[here] - 49
            met |= 1 << i
            features += 1
            here += 2
            value, digits, decimals, dot = np.int64(0), 0, 0, False
            while here < end and (48 <= text[here] <= 57 or (text[here] == 46 and not dot)):
                if text[here] == 46:
                    dot = True
                else:
                    value = value * 10 + (text[here] - 48)
                    digits += 1
                    decimals += dot
                here += 1
            scale = 1.0
            for _ in range(decimals):
                scale *= 10.0
            values[used, i] = value / scale
            if digits == 0 or digits > 15 or values[used, i] > 1 or here >= end or text[here] != 32:
                ok = False
                break
            here += 1
            if here < end and text[here] == 124:
                break
        if not ok or met != 63 or features != 6 or here + segment.size >= end or text[here + segment.size] != 10:
            break
        unlike = np.uint8(0)
        for k in range(segment.size):
            unlike |= text[here + k] ^ segment[k]
        if unlike:
            break
        at = here + segment.size + 1
        seen += 1
        place = -1
        for s in range(ids.size):
            if ids[s] == displayed:
                place = s
        if place < 0:
            absent += 1
            continue
        out[0, used], out[1, used], out[2, used] = lines + seen, place, click
        used += 1
    return at, seen, used, absent


def _chunks(file: Path) -> Iterator[bytes]:
    try:
        with gzip.open(file, "rb") if file.suffix == ".gz" else open(file, "rb") as stream:
            while chunk := stream.read(CHUNK):
                yield chunk
    except EOFError:
        raise InputError(f"{file}: truncated gzip file; copy or download this file again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{file}: damaged, or not a gzip file ({error}); copy or download this file again") from None


def write(folder: str | Path, blocks: Iterable[Events], vectors: np.ndarray, horizon: int) -> None:
    """Write a log of `horizon` events as ten packed files in R6A's format; equal logs give equal bytes."""
    with written_whole(Path(folder) / SYNTHETIC) as file:
        file.write(b"These visits are made up: the format is Yahoo!'s, the events are not.\n")
    for day, visits in groupby(_visits(blocks, vectors, horizon), key=itemgetter(0)):
        with written_whole(Path(folder) / f"ydata-fp-td-clicks-v1_0.200905{day:02d}.gz") as file:
            file.write(gzip.compress(b"".join(line for _, line in visits), compresslevel=1, mtime=0))


FIRST_ID, MIDNIGHT = 109_501, 1_241_136_000


def _visits(blocks: Iterable[Events], vectors: np.ndarray, horizon: int) -> Iterator[tuple[int, bytes]]:
    """The day and the line of every event."""
    names = [f"|{FIRST_ID + a} {_features(vectors[:, a])}" for a in range(vectors.shape[1])]
    for events in blocks:
        pools = [" ".join(names[a] for a in row if a >= 0).encode() for row in events.pools]
        for i, t in enumerate(events.t):
            day = 1 + int((t - 1) * len(DAYS) // horizon)
            row = events.pool[i]
            shown = FIRST_ID + events.pools[row, events.displayed[i]]
            when = MIDNIGHT + int((t - 1) * len(DAYS) * 86_400 // horizon)
            head = f"{when} {shown} {events.clicked[i]} |user {_features(events.users[i])} "
            yield day, head.encode() + pools[row] + b"\n"


def _features(vector: np.ndarray) -> str:
    return " ".join(f"{i}:{vector[i - 1]:.6f}" for i in (*range(2, DIMENSION + 1), 1))

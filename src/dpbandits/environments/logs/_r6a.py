"""Reads Yahoo!'s news log R6A (`ydata-fp-td-clicks-v1_0.200905DD[.gz]`, ten days of May 2009).

The data are licensed; config.yaml gives their folder. A line is a visit, separated by spaces,

    timestamp displayed_id click |user 2:v 3:v 4:v 5:v 6:v 1:1.000000 |article_id 2:v ... 6:v 1:1.000000 |article_id ...

so the constant comes last; features are ordered by their index. Invalid lines are skipped and counted by reason.

One pass in constant memory writes compact records, on which all policies are played. The articles of a line are parsed where
their bytes are new: most lines have those of the line before.
"""

import gzip
import json
import struct
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from dpbandits.environments.logs._events import DIMENSION
from dpbandits.errors import InputError
from dpbandits.files import written_whole

SOURCE = "Yahoo! R6A"  # the name of the log in figures
DAYS = range(1, 11)
PROGRESS_LINES = 1_000_000  # lines between two progress messages
FEATURES = [str(i).encode() for i in range(1, DIMENSION + 1)]
RECORD = np.dtype(
    [("t", "<i8"), ("pool", "<i4"), ("displayed", "<i2"), ("clicked", "<i2"), ("user", "<f8", (DIMENSION,))]
)
PACKED = struct.Struct(f"<qihh{DIMENSION}d")  # the bytes of a record


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


class Reader:
    """The articles and pools of the lines so far, and the articles of the last line."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}  # the bytes of an article -> its number
        self.articles: list[tuple[int, tuple[float, ...]]] = []  # (id, vector)
        self.pools: dict[tuple[int, ...], int] = {}
        self.last: bytes | None = None
        self.pool = -1
        self.places: dict[int, int] = {}  # id -> place in the pool

    def record(self, number: int, line: bytes) -> bytes:
        """The record of line `number`; UnusableLine says why there is none."""
        head, found, rest = line.rstrip().partition(b"|user")
        user, _, articles = rest.partition(b"|")
        words = head.split()
        if len(words) != 3 or not found:
            raise UnusableLine("it does not begin with timestamp, article, click and user")
        try:
            displayed, click = int(words[1]), int(words[2])
            if click not in (0, 1):
                raise UnusableLine("its click is neither 0 nor 1")
            values = vector(user, "the user")
            if articles != self.last:
                self.parse_pool(articles)
        except ValueError:
            raise UnusableLine("it has an invalid number") from None
        if displayed not in self.places:
            raise UnusableLine("the displayed article is not in the pool")
        return PACKED.pack(number, self.pool, self.places[displayed], click, *values)

    def parse_pool(self, articles: bytes) -> None:
        """Parse the articles of a line, if they are not those of the line before."""
        texts = articles.split(b"|")
        if len(texts) < 2:
            raise UnusableLine("its pool has fewer than two articles")
        numbers = tuple(self.number_of(text.strip()) for text in texts)
        places = {self.articles[number][0]: place for place, number in enumerate(numbers)}
        if len(places) < len(numbers):
            raise UnusableLine("duplicate article in its pool")
        self.last, self.places = articles, places
        self.pool = self.pools.setdefault(numbers, len(self.pools))

    def number_of(self, article: bytes) -> int:
        """The number of the article with these bytes."""
        if article not in self.numbers:
            name, _, features = article.partition(b" ")
            self.articles.append((int(name), vector(features, f"article {int(name)}")))
            self.numbers[article] = len(self.numbers)
        return self.numbers[article]

    def tables(self) -> dict[str, np.ndarray]:
        """Pools as rows of articles' numbers (-1 beyond their ends), and vectors as columns."""
        pools = np.full((len(self.pools), max(map(len, self.pools))), -1, np.int64)
        for numbers, row in self.pools.items():
            pools[row, : len(numbers)] = numbers
        vectors = np.array([vector for _, vector in self.articles]).T
        return {"pools": pools, "vectors": np.ascontiguousarray(vectors)}


def vector(features: bytes, whose: str) -> tuple[float, ...]:
    """Parse `2:v ... 6:v 1:v` into a vector in the order of the indices."""
    words = features.replace(b":", b" ").split()
    if not words:
        raise UnusableLine(f"{whose} has no features")
    found = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) != 2 * DIMENSION or any([index not in found for index in FEATURES]):
        raise UnusableLine("a vector's features are not those from 1 to 6")
    values = tuple([float(found[index]) for index in FEATURES])
    if not all([0 <= value <= 1 for value in values]):
        raise UnusableLine("a feature is not in [0, 1]")
    return values


def read(
    files: Iterable[Path], events: Path, tables: Path, report: Path, log_progress: Callable[[str], None] | None = None
) -> None:
    """Read the files in order; write the records, the tables, and a report of skipped lines with reasons."""
    log_progress = log_progress or (lambda text: print(text, file=sys.stderr, flush=True))
    reader, lines, skipped, shown = Reader(), 0, Counter(), Counter()
    with written_whole(events) as out:
        for file in files:
            for line in lines_of(Path(file)):
                lines += 1
                try:
                    out.write(reader.record(lines, line))
                    shown[reader.pool] += 1
                except UnusableLine as reason:
                    skipped[str(reason)] += 1
                if lines % PROGRESS_LINES == 0:
                    log_progress(f"{file}: {lines:,} lines read, {skipped.total():,} skipped")
        if not shown:
            reasons = "; ".join(f"{count} lines: {reason}" for reason, count in skipped.most_common(3))
            raise InputError(
                f"{file}: the log has no valid line ({reasons or 'it is empty'}); check that these are files of R6A"
            )
    with written_whole(tables) as out:
        np.savez(out, **reader.tables())
    sizes = {row: len(numbers) for numbers, row in reader.pools.items()}
    account = {
        "lines": lines,
        "visits": shown.total(),
        "articles": len(reader.articles),
        "equal_vectors": len(reader.articles) - len({vector for _, vector in reader.articles}),
        "smallest_pool": min(map(sizes.__getitem__, shown)),
        "largest_pool": max(map(sizes.__getitem__, shown)),
        "kept": round(sum(times / sizes[row] for row, times in shown.items())),  # by any policy, on average
        "skipped": dict(skipped),
    }
    with written_whole(report) as out:
        out.write((json.dumps(account, indent=1, sort_keys=True) + "\n").encode())
    log_progress(f"{lines:,} lines read; " + (f"skipped: {dict(skipped)}" if skipped else "none skipped"))


def lines_of(file: Path) -> Iterator[bytes]:
    """The lines of a file, packed or not; InputError if it is damaged."""
    try:
        with gzip.open(file, "rb") if file.suffix == ".gz" else open(file, "rb") as stream:
            yield from stream
    except EOFError:
        raise InputError(f"{file}: truncated gzip file; copy or download this file again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{file}: damaged, or not a gzip file ({error}); copy or download this file again") from None

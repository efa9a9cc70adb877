"""Read Yahoo!'s news log R6A, ten days of May 2009.

The files are `ydata-fp-td-clicks-v1_0.200905DD[.gz]`. They are licensed, and config.yaml names
their folder. A line is a visit. It has these parts, separated by spaces, and the constant comes
last:

    timestamp displayed_id click
    |user 2:v 3:v 4:v 5:v 6:v 1:1.000000
    |article_id 2:v ... 6:v 1:1.000000 |article_id ...

Vectors are in the order of the features' indices. Invalid lines are skipped and counted by reason.

One pass in constant memory writes compact records, on which all policies are played. The articles
of a line are parsed where their bytes are new: most lines have those of the line before.
"""

import gzip
import json
import struct
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path

import numpy as np

from dpbandits.bandits.events import DIMENSION
from dpbandits.errors import InputError
from dpbandits.files import written_whole

SOURCE = "Yahoo! R6A"  # the name of the log in figures
DAYS = range(1, 11)
PROGRESS_LINES = 1_000_000  # lines between two progress messages
FEATURES = [str(i).encode() for i in range(1, DIMENSION + 1)]
RECORD = np.dtype(
    [
        ("t", "<i8"),
        ("pool", "<i4"),
        ("displayed", "<i2"),
        ("clicked", "<i2"),
        ("user", "<f8", (DIMENSION,)),
    ]
)
PACKED = struct.Struct(f"<qihh{DIMENSION}d")  # the bytes of a record


class UnusableLine(Exception):
    """The reason for which a line is skipped."""


def days(folder: str | Path) -> list[Path]:
    """Return the files of all ten days, packed or not; InputError names the first missing one."""
    folder, files = Path(folder), []
    if not folder.is_dir():
        remedy = "there is no such folder; write the folder of R6A's files"
        raise InputError(f"config/config.yaml: r6a: {folder}: {remedy}")
    for day in DAYS:
        plain = folder / f"ydata-fp-td-clicks-v1_0.200905{day:02d}"
        packed = plain.with_name(plain.name + ".gz")
        if not packed.exists() and not plain.exists():
            says = "this day of R6A is missing (packed or not); the log has ten, 01 to 10"
            raise InputError(f"{packed}: {says}")
        files.append(packed if packed.exists() else plain)
    return files


class Reader:
    """Turns lines into records, and keeps their articles and pools."""

    def __init__(self) -> None:
        self.articles: list[tuple[int, tuple[float, ...]]] = []  # (id, vector)
        self.pools: dict[tuple[int, ...], int] = {}  # the numbers of a pool's articles -> its row
        self.visits: Counter[int] = Counter()  # by pool
        self.pool_of, self.number_of = lru_cache(1)(self.pool_of), cache(self.number_of)

    def record(self, number: int, line: bytes) -> bytes:
        """Return the record of line `number`; UnusableLine says why there is none."""
        head, separator, rest = line.rstrip().partition(b"|user")
        user, _, articles = rest.partition(b"|")
        words = head.split()
        if len(words) != 3 or not separator:
            raise UnusableLine("it does not begin with timestamp, article, click and user")
        try:
            displayed, click = int(words[1]), int(words[2])
            if click not in (0, 1):
                raise UnusableLine("its click is neither 0 nor 1")
            values = vector(user, "the user")
            pool, places = self.pool_of(articles)
        except ValueError:
            raise UnusableLine("it has an invalid number") from None
        if displayed not in places:
            raise UnusableLine("the displayed article is not in the pool")
        self.visits[pool] += 1
        return PACKED.pack(number, pool, places[displayed], click, *values)

    def pool_of(self, articles: bytes) -> tuple[int, dict[int, int]]:
        """Return the row of the pool that these bytes list, and its articles' places by id."""
        texts = articles.split(b"|")
        if len(texts) < 2:
            raise UnusableLine("its pool has fewer than two articles")
        numbers = tuple(self.number_of(text.strip()) for text in texts)
        places = {self.articles[number][0]: place for place, number in enumerate(numbers)}
        if len(places) < len(numbers):
            raise UnusableLine("duplicate article in its pool")
        return self.pools.setdefault(numbers, len(self.pools)), places

    def number_of(self, article: bytes) -> int:
        """Return the number of the article with these bytes."""
        name, _, features = article.partition(b" ")
        self.articles.append((int(name), vector(features, f"article {int(name)}")))
        return len(self.articles) - 1

    def tables(self) -> dict[str, np.ndarray]:
        """Return pools as rows of article numbers (-1 past their ends), and vectors as columns."""
        pools = np.array([*zip_longest(*self.pools, fillvalue=-1)]).T
        vectors = np.array([vector for _, vector in self.articles]).T
        return {"pools": np.ascontiguousarray(pools), "vectors": np.ascontiguousarray(vectors)}


def vector(features: bytes, whose: str) -> tuple[float, ...]:
    """Parse `2:v ... 6:v 1:v` into a vector in the order of the indices."""
    words = features.replace(b":", b" ").split()
    if not words:
        raise UnusableLine(f"{whose} has no features")
    by_index = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) != 2 * DIMENSION or any([index not in by_index for index in FEATURES]):
        raise UnusableLine("a vector's features are not those from 1 to 6")
    values = tuple([float(by_index[index]) for index in FEATURES])
    if not all([0 <= value <= 1 for value in values]):
        raise UnusableLine("a feature is not in [0, 1]")
    return values


def read(files: Iterable[Path], events: Path, tables: Path, report: Path) -> None:
    """Read the files in order; write the records, the tables, and a report of skipped lines."""
    reader, lines, skipped = Reader(), 0, Counter()
    with written_whole(events) as out:
        for file in files:
            for line in lines_of(Path(file)):
                lines += 1
                try:
                    out.write(reader.record(lines, line))
                except UnusableLine as reason:
                    skipped[str(reason)] += 1
                if lines % PROGRESS_LINES == 0:
                    progress = f"{lines:,} lines read, {skipped.total():,} skipped"
                    print(f"{file}: {progress}", file=sys.stderr, flush=True)
        if not reader.visits:
            reasons = "; ".join(
                f"{count} lines: {reason}" for reason, count in skipped.most_common(3)
            )
            says = f"the log has no valid line ({reasons or 'it is empty'})"
            raise InputError(f"{file}: {says}; check that these are files of R6A")
    with written_whole(tables) as out:
        np.savez(out, **reader.tables())
    sizes = {row: len(pool) for pool, row in reader.pools.items() if row in reader.visits}
    kept = sum(reader.visits[row] / size for row, size in sizes.items())
    account = {
        "lines": lines,
        "visits": reader.visits.total(),
        "articles": len(reader.articles),
        "smallest_pool": min(sizes.values()),
        "largest_pool": max(sizes.values()),
        "kept": round(kept),  # by any policy, on average
        "skipped": dict(skipped),
    }
    with written_whole(report) as out:
        out.write((json.dumps(account, indent=1, sort_keys=True) + "\n").encode())
    print(f"{lines:,} lines read; skipped: {dict(skipped) or 'none'}", file=sys.stderr, flush=True)


def lines_of(file: Path) -> Iterator[bytes]:
    """Yield the lines of a file, packed or not; InputError if it is damaged."""
    try:
        with gzip.open(file, "rb") if file.suffix == ".gz" else open(file, "rb") as stream:
            yield from stream
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        says = f"damaged, or not a gzip file ({error})"
        raise InputError(f"{file}: {says}; copy or download this file again") from None

"""Old names of what is in dpbandits.files, until all rooms use frames of pandas: delete it then."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dpbandits.files import read_table
from dpbandits.files import write_table as write  # noqa: F401


class Table(dict[str, np.ndarray]):
    """The columns of a table by name, all of one length. Importing pandas takes longer than reading a summary."""

    def rows(self, chosen: np.ndarray) -> "Table":
        """The rows at these positions, or those where this mask is true."""
        return Table({name: column[chosen] for name, column in self.items()})

    def of(self, policy: str) -> "Table":
        """The rows of a policy's series."""
        return self.rows(self["policy"] == policy)

    def last(self) -> "Table":
        """The last row."""
        return self.rows(slice(-1, None))

    @staticmethod
    def joined(parts: Sequence["Table"]) -> "Table":
        """Concatenate the rows of several tables; the columns are those of any of them, nan where a table lacks one."""
        names = dict.fromkeys(name for part in parts for name in part)
        missing = [np.full(len(part["policy"]), np.nan) for part in parts]
        return Table(
            {
                name: np.concatenate([part.get(name, nan) for part, nan in zip(parts, missing, strict=True)])
                for name in names
            }
        )


def rows(path, columns=(), numbers=(), checksum=True):
    """The rows of a table: texts, and in the columns `numbers` numbers or None."""
    frame = read_table(path, numbers=numbers, columns=columns)
    found = frame.to_dict("records")
    return [row | {name: None if row[name] != row[name] else row[name] for name in numbers} for row in found]


def cells(path, columns=(), checksum=True):
    """The header and the rows of a table, as texts."""
    read_table(path, numbers=(), columns=columns)
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


def read(path: str | Path, texts, whole=(), columns=(), finite=()):
    """The columns of a table; numbers but for `texts`."""
    frame = read_table(path, [name for name in texts if name in header_of(path)], columns=columns)
    return Table({name: frame[name].to_numpy(str if name in texts else None) for name in frame})


def header_of(path):
    return cells(path)[0]

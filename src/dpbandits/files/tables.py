"""The tables: CSV with one way to write a number, and one way to read a table.

A file beside each table holds its SHA-256, which `sha256sum --check` can read, too: only a checksum detects a changed
digit. The tables in reference/ have theirs in SHA256SUMS.
"""

import csv
import hashlib
import io
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.errors import InputError
from dpbandits.files.traces import written_whole

DAMAGED = "truncated or altered: not all of its rows are complete and numeric"


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


def write(path: str | Path, table: Mapping[str, Sequence[Any]]) -> None:
    """Write a table with twelve significant digits, and its checksum; further digits differ between machines.

    `table`: columns by name, a `Table` or a frame of pandas.
    """
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*(map(_cell, table[name]) for name in table), strict=True))
    content = lines.getvalue().encode()
    with written_whole(path) as file:
        file.write(content)
    with written_whole(checksum_of(path)) as file:
        file.write(f"{hashlib.sha256(content).hexdigest()}  {Path(path).name}\n".encode())


def _cell(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return "" if math.isnan(value) else f"{value:.12g}"
    return "" if value is None else str(value)


def checksum_of(path: str | Path) -> Path:
    """The file beside a table that holds its SHA-256."""
    return Path(f"{path}.sha256")


def is_as_written(path: str | Path) -> bool:
    """Whether a table's bytes match its checksum."""
    try:
        recorded = checksum_of(path).read_text(encoding="utf-8")
        return recorded == f"{hashlib.sha256(Path(path).read_bytes()).hexdigest()}  {Path(path).name}\n"
    except (OSError, UnicodeDecodeError):
        return False


def cells(path: str | Path, columns: Collection[str] = (), checksum: bool = True) -> list[list[str]]:
    """The header and the rows of a table, as texts; if the file is damaged, the error says what to do.

    `columns`: those that it must have. `checksum`: whether its SHA-256 is beside it; False for a table in reference/.
    """
    with _refusing(path, checksum):
        text = Path(path).read_text(encoding="utf-8")
        lines = list(csv.reader(io.StringIO(text), strict=True)) or [[]]
        if missing := [name for name in columns if name not in lines[0]]:
            raise ValueError(f"it has no column '{missing[0]}'")
        if checksum and not is_as_written(path):
            raise ValueError(f"altered since it was written: it does not match {checksum_of(path).name}")
        if not text.endswith("\n") or any(len(line) != len(lines[0]) for line in lines):
            raise ValueError(DAMAGED)
    return lines


def rows(
    path: str | Path, columns: Collection[str] = (), numbers: Collection[str] = (), checksum: bool = True
) -> list[dict[str, Any]]:
    """The rows of a table (see `cells`): texts, and in the columns `numbers` numbers or None."""
    header, *lines = cells(path, (*columns, *numbers), checksum)
    found: list[dict[str, Any]] = [dict(zip(header, line, strict=True)) for line in lines]
    with _refusing(path, checksum):
        for row in found:
            row |= {name: _number(row[name]) if row[name] else None for name in numbers}
    return found


def read(
    path: str | Path,
    texts: Collection[str],
    whole: Collection[str],
    columns: Collection[str] = (),
    finite: Collection[str] = (),
) -> Table:
    """The columns of a table (see `cells`), numbers but for `texts`; `whole`: integers; `finite`: those without gaps."""
    header, *lines = cells(path, columns)
    with _refusing(path):
        if not lines:
            raise ValueError(DAMAGED)
        table = Table()
        for name, column in zip(header, zip(*lines, strict=True), strict=True):
            if name in texts:
                table[name] = np.array(column)
            else:
                table[name] = np.array([_number(cell, int if name in whole else float) for cell in column])
        if not all(np.isfinite(table[name]).all() for name in finite if name in table):
            raise ValueError(DAMAGED)
    return table


def _number(cell: str, kind: type = float) -> Any:
    if kind is float and not cell:
        return math.nan
    try:
        if "_" in cell or "nan" in cell:  # which Python accepts; a gap is written as an empty cell
            raise ValueError
        return kind(cell)
    except ValueError:
        raise ValueError(f"{DAMAGED} ('{cell}')") from None


@contextmanager
def _refusing(path: str | Path, checksum: bool = True) -> Iterator[None]:
    """Turn what is wrong with a table into an error that names the file and the remedy."""
    remedy, make = f"delete it (rm '{path}') and run the same command again", "run the workflow to make it"
    if not checksum:
        remedy, make = f"restore it (git checkout '{path}')", "run everything at the paper's scale: make reference"
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such table; {make}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a table ({error}); {remedy}") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}; {remedy}") from None

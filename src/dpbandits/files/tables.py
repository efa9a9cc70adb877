"""The tables: summaries of experiments and verdicts on claims, as CSV with one way to write a number.

A file beside each table holds its SHA-256, which `sha256sum --check` can read, too: only a checksum detects a changed
digit.
"""

import csv
import hashlib
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.errors import InputError
from dpbandits.files.traces import Trace, written_whole
from dpbandits.statistics.estimators import Scale, additional_column, mean, nash_runs, summarise

SUMMARY = ["policy", "t", "runs", "mean", "std", "median_of_means", "gmd_below", "gmd_above", "min", "max"]
OF_PAPER = ["mean_of_paper", "std_of_paper"]
NASH = ["nash_regret", "nash_regret_error"]


class Table(dict[str, np.ndarray]):
    """A summary: its columns by name, all of one length. Importing pandas takes longer than reading a summary."""

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


def summary(
    traces: Iterable[Trace],
    groups: int,
    gmd_scale: Scale,
    columns: Sequence[str] = (),
    quantity: str = "regret",
    order: Sequence[str] | None = None,
    runs_of_paper: int | None = None,
) -> Table:
    """Summarise an experiment: one row for each (policy, t), of the regret or of another `quantity` of the runs.

    `order`: of the series, if not that of the traces. `columns`: additional columns of the design. `runs_of_paper`: the
    paper's number of runs, if some series have more. The columns of the Nash regret come last, if the runs recorded it.
    """
    parts = {}
    for trace in traces:
        for i, name in enumerate(trace.header["series"]):
            runs, environment = trace.values[quantity][i], trace.header["environment"]
            found = summarise(runs, groups, gmd_scale, runs_of_paper) | _nash(trace, i)
            found |= {c: additional_column(c, runs, trace.t, environment.get("means", [])) for c in columns}
            parts[name] = Table({"policy": np.full(len(trace.t), name), "t": trace.t, **found})
    table = Table.joined([parts[name] for name in order or parts])
    return Table({name: table[name] for name in (*SUMMARY, *OF_PAPER, *columns, *NASH) if name in table})


def _nash(trace: Trace, series: int) -> dict[str, np.ndarray]:
    """The Nash regret of a series and its standard error: of all its runs, or the mean if every run has its own."""
    runs = nash_runs(trace.t, trace.values, series)
    if runs is not None:
        return dict(zip(NASH, (runs.curve(), runs.error()), strict=True))
    if "nash_regret" not in trace.values:
        return {}
    values = trace.values["nash_regret"][series]
    return dict(zip(NASH, (mean(values), values.std(axis=0, ddof=1) / math.sqrt(len(values))), strict=True))


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


def refuse_altered(path: str | Path, remedy: str) -> None:
    """Raise InputError for a table whose bytes do not match its checksum."""
    if not is_as_written(path):
        raise InputError(f"{path}: altered since it was written: it does not match {checksum_of(path).name}; {remedy}")


def text_as_written(path: str | Path) -> str:
    """The text of a table whose bytes match its checksum; otherwise the error says what to do."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such table; run the workflow to make it") from None
    except ValueError as error:
        raise InputError(
            f"{path}: not a table ({error}); delete it (rm '{path}') and run the same command again"
        ) from None
    refuse_altered(path, f"delete it (rm '{path}') and run the same command again")
    return text


def read_summary(path: str | Path) -> Table:
    """Read a summary table; if the file is damaged, the error says what to do."""
    remedy = f"delete it (rm '{path}') and run the same command again; nothing is simulated again"
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such summary; run the workflow to make it") from None
    except ValueError as error:
        raise InputError(f"{path}: not a summary table ({error}); {remedy}") from None
    names, *rows = csv.reader(text.splitlines()) if text else [[]]
    if names[: len(SUMMARY)] != SUMMARY:
        raise InputError(f"{path}: its columns are not those of a summary; {remedy}")
    refuse_altered(path, remedy)
    try:
        columns = dict(zip(names, zip(*rows, strict=True), strict=True))
        table = Table({name: _column(name, cells) for name, cells in columns.items()})
        complete = text.endswith("\n") and all(np.isfinite(table[n]).all() for n in (*SUMMARY[1:], *NASH) if n in table)
    except ValueError:
        complete = False
    if not complete:
        raise InputError(f"{path}: truncated or altered: not all of its rows are complete and numeric; {remedy}")
    return table


def _column(name: str, cells: Sequence[str]) -> np.ndarray:
    if name == "policy":
        return np.array(cells)
    if any("_" in cell for cell in cells):  # which Python accepts as a separator of thousands
        raise ValueError(f"{name}: not a number")
    if name in ("t", "runs"):
        return np.array([int(cell) for cell in cells])
    return np.array([float(cell or "nan") for cell in cells])

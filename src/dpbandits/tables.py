"""The tables: summaries of experiments and verdicts on claims, as CSV with one way to write a number.

Beside a table stands its SHA-256, in a file that `sha256sum --check` reads, too: a flipped digit is as good a number as
the right one, and only a checksum tells them apart.
"""

import hashlib
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from dpbandits.errors import InputError
from dpbandits.estimators import Scale, further, mean, nash_runs, summarise
from dpbandits.traces import Trace, written_whole

SUMMARY = ["policy", "t", "runs", "mean", "std", "median_of_means", "gmd_below", "gmd_above", "min", "max"]
NASH = ["nash_regret", "nash_regret_error"]


def summary(
    traces: Iterable[Trace],
    groups: int,
    gmd_scale: Scale,
    columns: Sequence[str] = (),
    quantity: str = "regret",
    order: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One row for each (policy, t) of an experiment; of its regret, or of another `quantity` of the runs.

    `order`: of the series, if not that of the traces. `columns`: those that it wants beyond the usual ones. The Nash regret stands at the end where the runs have it.
    """
    parts = {}
    for trace in traces:
        for i, name in enumerate(trace.header["series"]):
            runs, environment = trace.values[quantity][i], trace.header["environment"]
            found = summarise(runs, groups, gmd_scale) | _nash(trace, i)
            found |= {c: further(c, runs, trace.t, environment.get("means", [])) for c in columns}
            parts[name] = pd.DataFrame({"policy": name, "t": trace.t, **found})
    table = pd.concat([parts[name] for name in order or parts], ignore_index=True)
    return table[[*SUMMARY, *columns, *(name for name in NASH if name in table)]]


def _nash(trace: Trace, series: int) -> dict[str, np.ndarray]:
    """The Nash regret of a series and its standard error: of all its runs, or the mean where each run has one."""
    runs = nash_runs(trace.t, trace.values, series)
    if runs is not None:
        return dict(zip(NASH, (runs.curve(), runs.error()), strict=True))
    if "nash_regret" not in trace.values:
        return {}
    values = trace.values["nash_regret"][series]
    return dict(zip(NASH, (mean(values), values.std(axis=0, ddof=1) / math.sqrt(len(values))), strict=True))


def write(path: str | Path, table: pd.DataFrame) -> None:
    """Twelve significant digits: more would show the last bits, in which two machines may differ."""
    content = table.to_csv(index=False, float_format="%.12g", lineterminator="\n").encode()
    with written_whole(path) as file:
        file.write(content)
    with written_whole(checksum_of(path)) as file:
        file.write(f"{hashlib.sha256(content).hexdigest()}  {Path(path).name}\n".encode())


def checksum_of(path: str | Path) -> Path:
    """The file beside a table that holds its SHA-256."""
    return Path(f"{path}.sha256")


def is_as_written(path: str | Path) -> bool:
    """Whether a table's bytes are those that were written."""
    try:
        noted = checksum_of(path).read_text(encoding="utf-8")
        return noted == f"{hashlib.sha256(Path(path).read_bytes()).hexdigest()}  {Path(path).name}\n"
    except (OSError, UnicodeDecodeError):
        return False


def read_summary(path: str | Path) -> pd.DataFrame:
    """A summary table, or which file is damaged and what to do."""
    remedy = f"delete it (rm '{path}') and run the same command again; nothing is simulated anew"
    try:
        text = Path(path).read_text(encoding="utf-8")
        table = pd.read_csv(io.StringIO(text), dtype={"policy": str})
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such summary; run the workflow to make it") from None
    except ValueError as error:
        raise InputError(f"{path}: not a summary table ({error}); {remedy}") from None
    if list(table.columns[: len(SUMMARY)]) != SUMMARY:
        raise InputError(f"{path}: its columns are not those of a summary; {remedy}")
    numbers = table[[*SUMMARY[1:], *(name for name in NASH if name in table)]]
    if not is_as_written(path):
        raise InputError(f"{path}: altered since it was written: it does not fit {checksum_of(path).name}; {remedy}")
    whole = text.endswith("\n") and all(map(pd.api.types.is_numeric_dtype, numbers.dtypes))
    if not whole or not np.isfinite(numbers.to_numpy(float)).all():
        raise InputError(f"{path}: truncated or altered: it holds something else than whole rows of numbers; {remedy}")
    return table

"""Summaries: the statistics of an experiment's runs, one row for each series and checkpoint."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpbandits.files import Entry, Trace, read_chunks, reading
from dpbandits.statistics.estimators import locked_in, summarise
from dpbandits.statistics.nash import NASH, nash_runs
from dpbandits.tables import read_table

# `policy` is the id of a series.
SUMMARY = [
    "policy",
    "t",
    "runs",
    "mean",
    "std",
    "median_of_means",
    "gmd_below",
    "gmd_above",
    "min",
    "max",
]
OF_PAPER = ["mean_of_paper", "std_of_paper"]


def table(traces: Sequence[Entry], order: Sequence[str], **design: Any) -> pd.DataFrame:
    """The summary of an experiment from the files of its runs (see `summary_of`)."""
    return summary_of((read_chunks(files, spec) for spec, files in traces), order=order, **design)


def summary_of(
    traces: Iterable[Trace],
    groups: int,
    columns: Sequence[str] = (),
    quantity: str = "regret",
    order: Sequence[str] | None = None,
    runs_of_paper: int | None = None,
) -> pd.DataFrame:
    """Summarise an experiment: one row for each (policy, t), of the regret or of another `quantity` of the runs.

    `order`: of the series, if not that of the traces. `columns`: additional columns of the design. `runs_of_paper`: the
    paper's number of runs, if some series have more. The columns of the Nash regret come last, if the runs recorded it.
    """
    parts = {}
    for trace in traces:
        for name, values in trace.by_series():
            runs = values[quantity]
            found = summarise(runs, groups, runs_of_paper) | _nash(trace.t, values, groups)
            if "median" in columns:
                found["median"] = np.median(runs, axis=0)
            if "locked_in" in columns:
                second, best = np.sort(trace.header["bandit"]["means"])[-2:]
                found["locked_in"] = locked_in(runs, trace.t, best - second)
            parts[name] = pd.DataFrame({"policy": name, "t": trace.t, **found})
    joined = pd.concat([parts[name] for name in order or parts], ignore_index=True)
    return joined[[name for name in (*SUMMARY, *OF_PAPER, *columns, *NASH) if name in joined]]


def _nash(t: np.ndarray, values: Mapping[str, np.ndarray], groups: int) -> dict[str, np.ndarray]:
    """The columns of the Nash regret of a series, to which all runs contribute; or, if every run is a sweep with its own, of the mean
    of these."""
    if (runs := nash_runs(t, values)) is not None:
        return runs.columns(groups)
    if "nash_regret" not in values:
        return {}
    each = values["nash_regret"]
    found, error = summarise(each, groups), each.std(axis=0, ddof=1) / math.sqrt(len(each))
    of = found["mean"], error, found["median_of_means"], found["gmd_below"], found["gmd_above"]
    return dict(zip(NASH, of, strict=True))


def read_summary(path: str | Path) -> pd.DataFrame:
    """Read a summary, in which all policies have the same rounds; if the file is damaged, the error says what to do."""
    with reading(path, "table"):
        table = read_table(path, ["policy"], columns=SUMMARY)
        if table["policy"].value_counts().nunique() != 1 or not np.isfinite(table[SUMMARY[1:]]).all(
            axis=None
        ):
            raise ValueError("a row or a number is missing")
    return table

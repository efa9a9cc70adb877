"""Summaries: the statistics of an experiment's runs, one row for each series and checkpoint."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpbandits.bandits.nash_regret import NashRuns, applied, nash_runs
from dpbandits.files import Entry, Trace, read_chunks, reading
from dpbandits.statistics.estimators import locked_in, summarise
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
NASH = [
    "nash_regret",
    "nash_regret_error",
    "nash_median_of_means",
    "nash_gmd_below",
    "nash_gmd_above",
]


def table(traces: Mapping[str, Sequence[Entry]], **options: Any) -> pd.DataFrame:
    """Summarise the files of an experiment's traces. The options are those of `summary_of`."""
    (entries,) = traces.values()
    return summary_of((read_chunks(chunks, header) for header, chunks in entries), **options)


def summary_of(
    traces: Iterable[Trace],
    groups: int,
    columns: Sequence[str] = (),
    quantity: str = "regret",
    order: Sequence[str] | None = None,
    runs_of_paper: int | None = None,
) -> pd.DataFrame:
    """Summarise an experiment: one row for each (policy, t).

    Parameters
    ----------
    traces : iterable of Trace
        The runs.
    groups : int
        The largest number of groups for the median of means.
    columns : sequence of str
        Additional columns of the design.
    quantity : str, default "regret"
        The quantity of the runs that is summarised.
    order : sequence of str, optional
        The order of the series, if not that of the traces.
    runs_of_paper : int, optional
        The paper's number of runs, if some series have more.

    Returns
    -------
    DataFrame
        The columns of the Nash regret come last, if the runs recorded what it needs.
    """
    parts = {}
    for trace in traces:
        for name, values in trace.by_series():
            runs = values[quantity]
            part = summarise(runs, groups, runs_of_paper) | _nash(trace.t, values, groups)
            if "median" in columns:
                part["median"] = np.median(runs, axis=0)
            if "locked_in" in columns:
                second, best = np.sort(trace.header["bandit"]["means"])[-2:]
                part["locked_in"] = locked_in(runs, trace.t, best - second)
            parts[name] = pd.DataFrame({"policy": name, "t": trace.t, **part})
    joined = pd.concat([parts[name] for name in order or parts], ignore_index=True)
    return joined[[name for name in (*SUMMARY, *OF_PAPER, *columns, *NASH) if name in joined]]


def _nash(t: np.ndarray, values: Mapping[str, np.ndarray], groups: int) -> dict[str, np.ndarray]:
    """The columns of the Nash regret: of all runs together, or the mean over sweeps."""
    if (runs := nash_runs(t, values)) is not None:
        return nash_columns(runs, groups)
    if "nash_regret" not in values:
        return {}
    sweeps = values["nash_regret"]
    of = summarise(sweeps, groups)
    error = sweeps.std(axis=0, ddof=1) / math.sqrt(len(sweeps))
    columns = of["mean"], error, of["median_of_means"], of["gmd_below"], of["gmd_above"]
    return dict(zip(NASH, columns, strict=True))


def nash_columns(runs: NashRuns, groups: int) -> dict[str, np.ndarray]:
    """Return the Nash regret of all runs, and its spread.

    The standard error is that of the mean of the shares, propagated through the exponential. The
    median of means is that of the shares, and so are Gini's mean differences: a run with a larger
    share has the lower regret.
    """
    of = summarise(runs.shares, groups)
    centre = of["median_of_means"]
    error = applied(math.exp, of["mean"]) * runs.shares.std(axis=0, ddof=1) / np.sqrt(of["runs"])
    middle, lowest, highest = (
        applied(math.exp, each)
        for each in (centre, centre - of["gmd_below"], centre + of["gmd_above"])
    )
    median = runs.best - middle
    columns = runs.regret(of["mean"]), error, median, highest - middle, middle - lowest
    return dict(zip(NASH, columns, strict=True))


def read_summary(path: str | Path) -> pd.DataFrame:
    """Read a summary, in which all policies have the same rounds.

    If the file is damaged, the error says what to do.
    """
    with reading(path, "table"):
        table = read_table(path, ["policy"], columns=SUMMARY)
        is_complete = table["policy"].value_counts().nunique() == 1
        if not is_complete or not np.isfinite(table[SUMMARY[1:]]).all(axis=None):
            raise ValueError("a row or a number is missing")
    return table

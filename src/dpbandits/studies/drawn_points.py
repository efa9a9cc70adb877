"""Curves that a paper's authors drew: reference/published/<paper>/<figure>.csv.

A row is a point that was read from a figure. It has the policy and its epsilon as the authors name
them, the coordinates in the units of the axes, and the series of our panel that the point belongs
to, or the policy if the panel draws one line for all its series. Curves that we do not reproduce,
such as bounds and the edges of bands, name no series.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpbandits.errors import InputError, check_known, in_one_line
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Panel, Study
from dpbandits.tables import read_table

COLUMNS = ["policy", "epsilon", "x", "y", "series"]
ID_IN_SVG = "published"  # of a panel's circles
EARLIEST = 0.01  # of the horizon: before it a pixel of the picture spans too many rounds
Curves = Mapping[str, np.ndarray]  # of a panel: line -> x and y of its drawn points


class Distance(NamedTuple):
    """The relative distance of our line from a drawn curve, and the curve's end.

    If the authors drew one run, the rest describes the ends of our `runs`; otherwise it is nan.
    """

    paper: str
    figure: str
    series: str
    points: int
    median: float
    largest: float
    end: float
    runs: float
    mean: float
    std: float
    min: float
    max: float


def files(study: Study, folder: str | Path = "reference/published") -> dict[str, str]:
    """Panel -> the file of the curves that its authors drew, if our games are as long as theirs.

    Shorter games cannot be compared: policies know T, and finals are those at T.
    """
    return {
        file.stem: str(file)
        for file in sorted(Path(folder, study.id).glob("*.csv"))
        if not study.experiments[check(file, study).experiment].design.horizon_of_paper
    }


def check(path: Path, study: Study) -> Panel:
    """The panel whose points a file has.

    Raises InputError if we have no such panel, if a point is on no line of it, or if a curve has no
    distance from ours.
    """
    # The paper's own panels, as far as each is a figure by itself.
    known = {
        f.id: f.panels[0]
        for f in study.figures.values()
        if [panel.drawn_as for panel in f.panels] == [f.id]
    }
    check_known(str(path), f"panel of {study.id}", [path.stem], known)
    panel = known[path.stem]
    experiment, curves = study.experiments[panel.experiment], read(path)
    check_known(str(path), "line of the panel", curves, line_of(panel, experiment).values())
    for name, (x, y) in curves.items():
        compared = y[_compared(panel, experiment, x)]
        if not (compared.size and np.isfinite(compared).all() and compared.all()):
            says = "it needs points (over time from 1% of the horizon on), none with y = 0"
            raise InputError(f"{path}: series {name}: {says}")
    return panel


def _compared(panel: Panel, experiment: Experiment, x: np.ndarray) -> np.ndarray:
    """Which of the points of a drawn curve are compared."""
    horizon = experiment.design.horizon_of_paper or experiment.design.horizon
    return x >= (-math.inf if panel.along else EARLIEST * horizon)


def read(path: str | Path) -> Curves:
    """The published points of our series; raises InputError where one is not a number."""
    with in_one_line(str(path)):
        points = read_table(path, COLUMNS).astype({"x": float, "y": float})
    ours = points[points["series"] != ""].groupby("series", sort=False)
    return {name: curve.sort_values(["x", "y"])[["x", "y"]].to_numpy().T for name, curve in ours}


def line_of(panel: Panel, experiment: Experiment) -> dict[str, str]:
    """Series -> its line in the panel; along a parameter the line of its policy."""
    return {id: experiment.series[id].policy if panel.along else id for id in panel.series}


def lines(panel: Panel, experiment: Experiment, summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of a panel's lines, with the name `line` and `x`, the round.

    Along a parameter these are the rows at T, and x is the value of the parameter.
    """
    rows = summary[summary["policy"].isin(panel.series)]
    rows = rows.assign(x=rows["t"], line=rows["policy"].map(line_of(panel, experiment)))
    if not panel.along:
        return rows
    rows = rows.groupby("policy").tail(1)
    x = [experiment.series[id].parameters[panel.along] for id in rows["policy"]]
    return rows.assign(x=x).sort_values("x", kind="stable")


def table(
    panels: Sequence[tuple[Panel, Experiment]],
    summaries: Sequence[str | Path],
    published: Sequence[str | Path],
) -> pd.DataFrame:
    """The distances of our curves from the drawn ones, by panel."""
    rows = []
    for (panel, experiment), summary, points in zip(panels, summaries, published, strict=True):
        rows += distances(panel, experiment, read_summary(summary), read(points))
    return pd.DataFrame(rows, columns=Distance._fields)


def distances(
    panel: Panel,
    experiment: Experiment,
    summary: pd.DataFrame,
    curves: Curves,
    of_paper: str = "",
) -> list[Distance]:
    """How far our curves are from the drawn ones.

    Ours have the paper's own statistic, whatever the panel draws: over all our runs, or with
    `of_paper` ("_of_paper") over the paper's number of runs. They are interpolated linearly.
    """
    rows, ours = [], lines(panel, experiment, summary)
    statistic = experiment.design.judged + of_paper
    for name, (x, y) in curves.items():
        line = ours[ours["line"] == name]
        compared = _compared(panel, experiment, x)
        away = np.abs(np.interp(x[compared], line["x"], line[statistic]) / y[compared] - 1)
        names = experiment.paper, panel.drawn_as, name
        distance = len(away), float(np.median(away)), float(away.max()), float(y[-1])
        at_end = [math.nan] * 5
        if experiment.design.runs_of_paper == 1:
            at_end = line.iloc[(line["x"] - x[-1]).abs().argmin()][list(Distance._fields[-5:])]
        rows.append(Distance(*names, *distance, *at_end))
    return rows

"""The curves that a paper's authors drew, as points read from their figures: reference/published/<paper>/<figure>.csv.

A row is a point: the policy and its epsilon as the authors name them, the coordinates in the units of the axes, and the
series of our panel that it belongs to, or the policy where the panel draws one line for all its series. Curves that no series
of ours reproduces, such as bounds and the edges of bands, name none.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpbandits.errors import InputError, nearest
from dpbandits.files import read_table
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies.study import Experiment, Panel, Paper

COLUMNS = ["policy", "epsilon", "x", "y", "series"]
DISTANCES = ["paper", "figure", "series", "points", "median", "largest"]
EARLIEST = (
    0.01  # of the game: earlier points are left out of a distance, since a pixel of the picture is too long there
)


@dataclass(frozen=True)
class Curve:
    """The drawn points of one of our series, or of a policy where `along` makes a line of its series."""

    x: np.ndarray
    y: np.ndarray


Row = tuple[str, str, str, int, float, float]  # see DISTANCES
Curves = Mapping[str, Curve]  # of a panel: series, or policy -> its drawn points


def panels(paper: Paper) -> dict[str, Panel]:
    """The paper's own panels, as far as each is a figure by itself: those that may have drawn curves."""
    return {f.id: f.panels[0] for f in paper.figures.values() if [panel.drawn_as for panel in f.panels] == [f.id]}


def checked(path: str | Path, paper: Paper) -> Curves:
    """The drawn curves of the panel after which the file is called; an error names the line that does not fit."""
    known, figure = panels(paper), Path(path).stem
    if figure not in known:
        raise InputError(f"{path}: {paper.file} has no panel '{figure}'; {nearest(figure, known)}")
    panel = known[figure]
    return read(path, names_of_lines(panel, paper.experiments[panel.experiment]))


def read(path: str | Path, known: Collection[str] | None = None) -> Curves:
    """The drawn curves in a file; `known`: the lines that our panel has, if they are to be compared with these."""
    found: dict[str, list[tuple[float, float]]] = {}
    for line, row in enumerate(read_table(path, COLUMNS).to_dict("records"), start=2):
        try:
            point = float(row["x"]), float(row["y"])
        except ValueError:
            raise InputError(
                f"{path}, line {line}: x and y should be numbers, not '{row['x']}', '{row['y']}'"
            ) from None
        if row["series"]:
            if known is not None and row["series"] not in known:
                says = f"our figure draws no '{row['series']}'; {nearest(row['series'], known)}"
                raise InputError(f"{path}, line {line}: series: {says}")
            found.setdefault(row["series"], []).append(point)
    return {name: Curve(*np.array(sorted(points)).T) for name, points in found.items()}


def names_of_lines(panel: Panel, experiment: Experiment) -> list[str]:
    """A panel's lines: its series, or the policies where the series of each are the points of one line."""
    if not panel.along:
        return list(panel.series)
    return list(dict.fromkeys(experiment.series[name].policy for name in panel.series))


def is_comparable(experiment: Experiment) -> bool:
    """Whether its games are as long as the paper's: policies are planned for the length, and finals are of the end."""
    return experiment.design.horizon_of_paper is None


def table(compared: Sequence[Mapping[str, Any]]) -> dict[str, list]:
    """The distances of our curves from the drawn ones: of panels with their experiments and the files of both."""
    rows: list[Row] = []
    for each in compared:
        summary, curves = read_summary(each["summary"]), read(each["published"])
        rows += distances(each["panel"], each["experiment"], summary, curves)
    return as_table(rows)


def distances(panel: Panel, experiment: Experiment, summary: pd.DataFrame, curves: Curves) -> list[Row]:
    """How far a panel's lines are from the drawn curves, relative to these: median and largest.

    Our line is interpolated linearly between its points.
    """
    rows = []
    for name, curve in curves.items():
        x, y = _line(name, panel, experiment, summary)
        compared = slice(None) if panel.along else curve.x >= EARLIEST * experiment.design.horizon
        away = np.abs(np.interp(curve.x[compared], x, y) / curve.y[compared] - 1)
        rows.append((experiment.paper, panel.drawn_as, name, len(away), float(np.median(away)), float(away.max())))
    return rows


def as_table(rows: Sequence[Row]) -> dict[str, list]:
    """Distances as columns."""
    return {column: [row[place] for row in rows] for place, column in enumerate(DISTANCES)}


def _line(name: str, panel: Panel, experiment: Experiment, table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """The points of our line: over time, or at the values of the parameter on the x axis."""
    if not panel.along:
        rows = table[table["policy"] == name]
        return rows["t"].to_numpy(), rows[panel.line].to_numpy()
    last = table.groupby("policy")[panel.line].last()
    shown = [experiment.series[id] for id in panel.series]
    ends = [(s.parameters[panel.along], last[s.id]) for s in shown if s.policy == name]
    return tuple(np.array(sorted(ends)).T)

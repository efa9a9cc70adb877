"""A panel with the numbers that it shows: which statistic a line and its band are, and how the footnote says it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpbandits.figures import colours
from dpbandits.statistics.estimators import number_of_groups
from dpbandits.studies.drawn_points import Curves
from dpbandits.studies.experiment import NASH_REGRET, Experiment, Policy
from dpbandits.studies.model import Panel

NAMES = {
    "mean": "mean",
    NASH_REGRET: "Nash regret",
    "locked_in": "share of runs that lose at least a quarter of the gap per round from t/2 to t",
}
# band: deviations, band: errors, and statistic: mean_std.
GINI, ERRORS, DEVIATION = "Gini's mean differences", "two standard errors", "standard deviation"
DRAWN_TOO = {
    "mean": "median_of_means",
    "median_of_means": "mean",
    NASH_REGRET: "nash_median_of_means",
}
DIFFERS = 0.05  # relative difference from a panel's line that its other statistic, in DRAWN_TOO, must reach to be drawn beside it


class Part(NamedTuple):
    """A panel with its experiment, the numbers that it may show, and the points that its authors drew, shown as circles."""

    panel: Panel
    experiment: Experiment
    summary: pd.DataFrame
    estimator: str
    published: Curves

    @property
    def looks(self) -> dict[str, colours.Look]:
        """The look of every series."""
        return colours.of_panel(self.panel, self.experiment)

    def label(self, series: str) -> str:
        """The name of a series in the legend."""
        return self.panel.labels.get(series, self.experiment.series[series].label)

    def in_other_reading(self) -> "Part":
        """The panel with the other reading's series in place of its own."""
        known, mine = self.experiment.series, self.panel.series
        names = {known[id].name for id in mine}
        others = [id for id, series in known.items() if series.name in names and id not in mine]
        return self._replace(panel=replace(self.panel, series=others))

    def policies(self) -> list[Policy]:
        """Those of its series."""
        return [
            self.experiment.policies[self.experiment.series[id].policy] for id in self.panel.series
        ]

    def name(self, column: str) -> str:
        """A statistic in words; of medians of means, of how many groups; of one or two it is the mean."""
        if "median_of_means" not in column:
            return NAMES[column]
        groups = {
            number_of_groups(policy.runs, self.experiment.design.groups)
            for policy in self.policies()
        }
        return "mean" if max(groups) <= 2 else f"median of means of {_range(groups)} groups"

    @property
    def statistics(self) -> tuple[str, str]:
        """The column of the summary that its lines show, and what its bands are; "" if it has none."""
        design, line = self.experiment.design, self.panel.line
        if self.panel.column:
            return line, ""
        if self.estimator == "default" or design.statistic == "median_of_means":
            return line, ERRORS if design.band == "errors" else GINI
        if line == NASH_REGRET:
            return line, ERRORS
        return "mean", DEVIATION if design.statistic == "mean_std" else ""

    @property
    def rows(self) -> pd.DataFrame:
        """The summary with columns `centre`, the line, and `lower` and `upper`, the edges of its band, nan if there is none."""
        (line, band), rows = self.statistics, self.summary
        nash = "nash_" if line == NASH_REGRET else ""
        of_paper = "_of_paper" if self.estimator == "paper" and f"{line}_of_paper" in rows else ""
        centre = rows[line + of_paper]
        below = above = np.nan
        if band == GINI:  # of the runs below the median of means, and of those above it
            below, above = rows[f"{nash}gmd_below"], rows[f"{nash}gmd_above"]
        elif band == ERRORS:
            below = above = 2 * (
                rows["nash_regret_error"] if nash else rows["std"] / np.sqrt(rows["runs"])
            )
        elif band == DEVIATION:
            below = above = rows[f"std{of_paper}"]
        return rows.assign(centre=centre, lower=centre - below, upper=centre + above)

    def further_statistics(self, rows: pd.DataFrame) -> dict[str, str]:
        """The columns to draw beside the line of these rows, with the footnote's words for them: the median of means beside the mean,
        or the other way round, where they differ in the last nine tenths of the rounds; and the median, if the summary has it.
        """
        found, line = {}, self.panel.line
        other = DRAWN_TOO.get(line)
        if self.estimator == "default" and other:
            late = rows.loc[rows["t"] >= rows["t"].max() / 10, [line, other]]
            if (abs(late[line] - late[other]) >= DIFFERS * abs(late).max(axis=1) + 1e-9).any():
                found[other] = f"dash-dot-dotted: {self.name(other)}, where {DIFFERS:.0%} away"
        if "median" in rows and not self.panel.column and not self.panel.along:
            found["median"] = "dotted: median"
        return found


def footnote(
    parts: Sequence[Part], reading: str, words: tuple[str, str], further: Iterable[str]
) -> str:
    """Runs and statistics in a line; log, reading and what else is drawn (`further`) in another. `words`: for a value and its error."""
    lines, bands = zip(*(part.statistics for part in parts), strict=True)
    lines = [part.name(line) for part, line in zip(parts, lines, strict=True)]
    shown = dict(zip(words, (_once(lines), _once(bands)), strict=True))
    first = [
        _runs(parts),
        *(f"{word}: {' or '.join(names)}" for word, names in shown.items() if names),
    ]
    second = [*(_source(part.experiment) for part in parts), reading, *further]
    return f"{'; '.join(first)}\n{'; '.join(_once(second))}".strip()


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, words)))


def _runs(parts: Iterable[Part]) -> str:
    """The number of runs of the series: "20 to 1000 runs" if not all have the same; "10 sweeps of 50 games"."""
    counts: dict[
        int, set[int]
    ] = {}  # by the number of games in a run, if a run is a sweep of several
    for part in parts:
        most = part.experiment.design.runs_of_paper if part.estimator == "paper" else None
        runs = counts.setdefault(part.experiment.environment.get("trials", 0), set())
        runs.update(min(policy.runs, most or policy.runs) for policy in part.policies())
    kinds = {games: f"sweeps of {games} games" if games else "runs" for games in counts}
    return " or ".join(f"{_range(runs)} {kinds[games]}" for games, runs in counts.items())


def _range(found: set[int]) -> str:
    return f"{min(found)} to {max(found)}" if len(found) > 1 else str(*found)


def _source(experiment: Experiment) -> str:
    """The name of a log; of a recorded one, that all runs share it."""
    name = experiment.environment.get("source", "")
    return f"{name} (the same log in all runs)" if "tables" in experiment.environment else name

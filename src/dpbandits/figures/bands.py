"""A panel with its numbers: the statistics of line and band, and the footnote about them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpbandits.audit.accounts import label_of
from dpbandits.figures import colours
from dpbandits.statistics.estimators import number_of_groups
from dpbandits.studies.drawn_points import Curves
from dpbandits.studies.experiment import NASH_REGRET, Experiment, Policy
from dpbandits.studies.model import RECONSTRUCTED, Panel

NAMES = {
    "mean": "mean",
    NASH_REGRET: "Nash regret",
    "locked_in": "share of runs that lose at least a quarter of the gap per round from t/2 to t",
}
GINI, ERRORS, RANGE = "Gini's mean differences", "two standard errors", "range of the runs"
BANDS = {"deviations": GINI, "errors": ERRORS, "range": RANGE}
DEVIATION = "standard deviation"  # of statistic: mean_std
OTHER_STATISTIC = {
    "mean": "median_of_means",
    "median_of_means": "mean",
    NASH_REGRET: "nash_median_of_means",
}
# Relative difference from a panel's line at which its other statistic is drawn beside it.
DIFFERS = 0.05


class Part(NamedTuple):
    """A panel with its experiment, the numbers to show, and the authors' points for its circles."""

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
        return self.panel.label(series, self.experiment)

    def in_other_reading(self) -> "Part":
        """The panel with the series of the other reading in place of its own."""
        all_series, own = self.experiment.series, self.panel.series
        names = {all_series[id].name for id in own}
        other = [id for id, one in all_series.items() if one.name in names and id not in own]
        return self._replace(panel=replace(self.panel, series=other))

    def policies(self) -> list[Policy]:
        """The policies of its series."""
        return [
            self.experiment.policies[self.experiment.series[id].policy] for id in self.panel.series
        ]

    def name(self, column: str) -> str:
        """A statistic in words. A median of means of one or two groups is the mean."""
        if "median_of_means" not in column:
            return NAMES[column]
        groups = {
            number_of_groups(policy.runs, self.experiment.design.groups)
            for policy in self.policies()
        }
        return "mean" if max(groups) <= 2 else f"median of means of {_range(groups)} groups"

    @property
    def statistics(self) -> tuple[str, str]:
        """The column of the summary that the lines show, and the kind of band, "" for none."""
        design, line = self.experiment.design, self.panel.line
        if self.panel.column:
            return line, ""
        if self.estimator == "default" or design.statistic == "median_of_means":
            return line, BANDS[design.band]
        if line == NASH_REGRET:
            return line, ERRORS
        return "mean", DEVIATION if design.statistic == "mean_std" else ""

    @property
    def runs_of_paper(self) -> int | None:
        """The paper's number of runs, if the lines are means over so many of our runs."""
        is_drawn = self.estimator == "paper" and self.statistics[0] == "mean"
        return self.experiment.design.runs_of_paper if is_drawn else None

    @property
    def of_paper(self) -> str:
        """The end of the names of the summary's columns over the paper's number of runs."""
        return "_of_paper" if self.runs_of_paper else ""

    @property
    def rows(self) -> pd.DataFrame:
        """The summary with columns for the line (`centre`) and its band (`lower`, `upper`).

        The edges are nan if there is no band.
        """
        (line, band), rows = self.statistics, self.summary
        nash = "nash_" if line == NASH_REGRET else ""
        centre = rows[line + self.of_paper]
        below = above = np.nan
        if band == GINI:  # of the runs below the median of means, and of those above it
            below, above = rows[f"{nash}gmd_below"], rows[f"{nash}gmd_above"]
        elif band == ERRORS:
            below = above = 2 * (
                rows["nash_regret_error"] if nash else rows["std"] / np.sqrt(rows["runs"])
            )
        elif band == DEVIATION:
            below = above = rows[f"std{self.of_paper}"]
        elif band == RANGE:
            below, above = centre - rows["min"], rows["max"] - centre
        return rows.assign(centre=centre, lower=centre - below, upper=centre + above)

    def further_statistics(self, rows: pd.DataFrame) -> dict[str, str]:
        """The columns to draw beside the line of these rows -> the footnote's words for them.

        The median of means is drawn beside the mean, and the other way round, where they differ in
        the last nine tenths of the rounds. The median is drawn if the summary has it. Of the
        paper's statistic, nothing is drawn beside the line.
        """
        further, line = {}, self.panel.line
        if self.estimator == "paper":
            return further
        if other := OTHER_STATISTIC.get(line):
            late = rows.loc[rows["t"] >= rows["t"].max() / 10, [line, other]]
            if (abs(late[line] - late[other]) >= DIFFERS * abs(late).max(axis=1) + 1e-9).any():
                further[other] = f"dash-dot-dotted: {self.name(other)}, {DIFFERS:.0%} or more apart"
        if "median" in rows and not self.panel.column and not self.panel.along:
            further["median"] = "dotted: median"
        return further


def footnote(
    parts: Sequence[Part], reading: str, words: tuple[str, str], further: Iterable[str]
) -> str:
    """The footnote: runs and statistics in one line; log, reading and `further` in another.

    `words`: the words for a value and for its error.
    """
    lines, bands = zip(*(part.statistics for part in parts), strict=True)
    lines = [part.name(line) for part, line in zip(parts, lines, strict=True)]
    statistics = dict(zip(words, (_once(lines), _once(bands)), strict=True))
    first = [
        _runs(parts),
        *(f"{word}: {' or '.join(names)}" for word, names in statistics.items() if names),
    ]
    labels = " ".join(part.label(series) for part in parts for series in part.panel.series)
    ours = [f"{RECONSTRUCTED} our reconstruction"] if RECONSTRUCTED in labels else []
    texts = [part.experiment.reconstructed for part in parts]
    ours += [f"our reconstruction: {text}" for text in texts if text]
    if exceeded := _once(name for part in parts for name in _exceeded(part)):
        ours.append(f"the ledger adds up to more than the promise: {', '.join(exceeded)}")
    second = [*(_source(part.experiment) for part in parts), reading, *ours, *further]
    return f"{'; '.join(first)}\n{'; '.join(_once(second))}".strip()


def _exceeded(part: Part) -> Iterator[str]:
    """The labels, without epsilon, of the series that no ledger proves to keep their promise."""
    for id in part.panel.series:
        account = part.experiment.account(id)
        if account and not account.kept():
            yield label_of(part.experiment.series[id])


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, words)))


def _runs(parts: Iterable[Part]) -> str:
    """The numbers of runs in words: "20 to 1000 runs", or "10 sweeps of 50 games"."""
    # By the number of games in a run, if a run is a sweep of several games.
    counts: dict[int, set[int]] = {}
    for part in parts:
        runs = counts.setdefault(part.experiment.environment.get("trials", 0), set())
        drawn = part.runs_of_paper
        runs.update(min(policy.runs, drawn or policy.runs) for policy in part.policies())
    kinds = {games: f"sweeps of {games} games" if games else "runs" for games in counts}
    return " or ".join(f"{_range(runs)} {kinds[games]}" for games, runs in counts.items())


def _range(numbers: set[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}" if len(numbers) > 1 else str(*numbers)


def _source(experiment: Experiment) -> str:
    """The name of a log; of a recorded one, that all runs share it."""
    name = experiment.environment.get("source", "")
    return f"{name} (the same log in all runs)" if "tables" in experiment.environment else name

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
    "median_of_means": "median of means",
    NASH_REGRET: "Nash regret",
    "locked_in": "share of runs that lose at least a quarter of the gap per round from t/2 to t",
}
GINI, ERRORS, RANGE = "Gini's mean differences", "two standard errors", "range of the runs"
BANDS = {"deviations": GINI, "errors": ERRORS, "range": RANGE}
DEVIATION = "standard deviation"  # of statistic: mean_std
# Relative difference from which the paper's own statistic is drawn beside the line.
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

    @property
    def draws_own(self) -> bool:
        """Whether the lines show the paper's own statistic alone."""
        return self.estimator == "paper" and not self.panel.column

    @property
    def runs_of_paper(self) -> int | None:
        """The paper's number of runs, if the lines are means over so many of our runs."""
        design = self.experiment.design
        return design.runs_of_paper if self.draws_own and design.judged == "mean" else None

    @property
    def of_paper(self) -> str:
        """The end of the names of the summary's columns over the paper's number of runs."""
        return "_of_paper" if self.runs_of_paper else ""

    @property
    def nash(self) -> str:
        """The beginning of the names of the summary's columns of a Nash regret."""
        return "nash_" if self.experiment.design.judged == NASH_REGRET else ""

    @property
    def line(self) -> str:
        """The column of the summary that the lines show."""
        own = self.experiment.design.judged + self.of_paper
        return own if self.draws_own else self.panel.column or f"{self.nash}median_of_means"

    @property
    def band(self) -> str:
        """What the bands show, "" for no band."""
        design = self.experiment.design
        if self.panel.column:
            return ""
        if not self.draws_own or design.judged == "median_of_means":
            return BANDS[design.band]
        return ERRORS if self.nash else DEVIATION if design.statistic == "mean_std" else ""

    @property
    def groups(self) -> dict[int, set[int]]:
        """The numbers of groups of medians of means -> the numbers of runs that have so many.

        A median of two means is the mean, so one group stands for two.
        """
        result: dict[int, set[int]] = {}
        for policy in self.policies():
            groups = number_of_groups(policy.runs, self.experiment.design.groups)
            result.setdefault(groups if groups > 2 else 1, set()).add(policy.runs)
        return result

    @property
    def words(self) -> str:
        """The statistic of the lines in words."""
        if "median_of_means" not in self.line:
            return NAMES[self.line.removesuffix("_of_paper")]
        medians = self.groups.keys() - {1}
        words = [f"median of means of {_range(medians)} groups"] if medians else []
        if means := self.groups.get(1):
            words.append(f"mean of {_range(means)} runs")
        return f"{NAMES[NASH_REGRET]}, " * bool(self.nash) + " or ".join(words)

    @property
    def other(self) -> str:
        """The paper's own statistic, if the lines show another one."""
        own = self.experiment.design.judged
        is_own = (
            self.draws_own or self.panel.column or own == self.line or self.groups.keys() == {1}
        )
        return "" if is_own else own

    @property
    def draws_median(self) -> bool:
        """Whether the median is drawn beside curves over time, if the summary has it."""
        return not (self.estimator == "paper" or self.panel.column or self.panel.along)

    @property
    def rows(self) -> pd.DataFrame:
        """The summary with columns for the line (`centre`) and its band (`lower`, `upper`).

        The edges are nan if there is no band.
        """
        rows, band, nash = self.summary, self.band, self.nash
        centre = rows[self.line]
        below = above = np.nan
        if band == GINI:  # of the runs below the median of means, and of those above it
            below, above = rows[f"{nash}gmd_below"], rows[f"{nash}gmd_above"]
        elif band == ERRORS:
            error = rows["nash_regret_error"] if nash else rows["std"] / np.sqrt(rows["runs"])
            below = above = 2 * error
        elif band == DEVIATION:
            below = above = rows[f"std{self.of_paper}"]
        elif band == RANGE:
            below, above = centre - rows["min"], rows["max"] - centre
        return rows.assign(centre=centre, lower=centre - below, upper=centre + above)

    def with_other(self, rows: pd.DataFrame, by: str) -> pd.DataFrame:
        """The rows with a column `beside`: the paper's own statistic, where it is drawn, else nan.

        It is drawn beside a line (one value in the column `by`) that is far from it at any round of
        the last nine tenths.
        """
        if not self.other:
            return rows.assign(beside=np.nan)
        own, centre = rows[self.other], rows["centre"]
        far = abs(own - centre) >= DIFFERS * np.maximum(abs(own), abs(centre)) + 1e-9
        far &= rows["t"] >= rows["t"].max() / 10
        return rows.assign(beside=own.where(far.groupby(rows[by]).transform("any")))

    def words_beside(self, word: str, rows: pd.DataFrame) -> list[str]:
        """The footnote's words for what is drawn beside these rows, if anything is."""
        is_drawn = rows["beside"].notna().any()
        return [f"{word}: {NAMES[self.other]}, {DIFFERS:.0%} or more away"] if is_drawn else []


def footnote(
    parts: Sequence[Part], reading: str, words: tuple[str, str, str], further: Iterable[str]
) -> str:
    """The footnote: runs and statistics in one line; log, reading and `further` in another.

    `words`: the words for a value, for its error, and for a value of the paper's own statistic.
    """
    statistics = [part.words for part in parts], [part.band for part in parts]
    shown = zip(words, map(_once, statistics), strict=False)
    first = [_runs(parts), *(f"{word}: {' or '.join(names)}" for word, names in shown if names)]
    labels = " ".join(part.label(series) for part in parts for series in part.panel.series)
    ours = [f"{RECONSTRUCTED} our reconstruction"] if RECONSTRUCTED in labels else []
    texts = [part.experiment.reconstructed for part in parts]
    ours += [f"our reconstruction: {text}" for text in texts if text]
    if exceeded := _once(name for part in parts for name in _exceeded(part)):
        ours.append(f"the ledger adds up to more than the promise: {', '.join(exceeded)}")
    judged = [
        f"checks judge the {NAMES[part.other]}"
        for part in parts
        if part.panel.judged and part.other
    ]
    second = [*(_source(part.experiment) for part in parts), reading, *ours, *judged, *further]
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

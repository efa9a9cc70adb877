"""A panel with its numbers: the statistics of line and band, and the footnote about them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpbandits.audit.accounts import label_of
from dpbandits.audit.findings import NOT_PRIVATE
from dpbandits.figures import colours
from dpbandits.statistics.estimators import number_of_groups
from dpbandits.studies.drawn_points import Curves
from dpbandits.studies.experiment import NASH_REGRET, Experiment, Policy
from dpbandits.studies.model import RECONSTRUCTED, Panel
from dpbandits.tables import range_of

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
EXCEEDED = "the ledger adds up to more than the promise"
# What a footnote says of a panel, and what it adds in brackets, which may be "".
Remark = tuple[str, str]


class Statistic(NamedTuple):
    """What a panel shows: columns of the summary, and the band in words ("": no band)."""

    line: str
    band: str = ""
    beside: str = ""  # the paper's own statistic, if the lines show another one
    of_paper: str = ""  # the end of the names of columns over the paper's number of runs


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
    def nash(self) -> str:
        """The beginning of the names of the summary's columns of a Nash regret."""
        return "nash_" if self.experiment.design.judged == NASH_REGRET else ""

    @property
    def shown(self) -> Statistic:
        """The project's aggregation, the paper's own statistic alone, or the panel's column."""
        design = self.experiment.design
        own, band, line = design.judged, BANDS[design.band], f"{self.nash}median_of_means"
        if self.panel.column:
            return Statistic(self.panel.column)
        if self.estimator != "paper":
            return Statistic(
                line, band, "" if own == line or _groups([self]).keys() == {1} else own
            )
        if own == line:
            return Statistic(line, band)
        if self.nash:
            return Statistic(own, ERRORS)
        of_paper = "_of_paper" if design.runs_of_paper else ""
        band = DEVIATION if design.statistic == "mean_std" else ""
        return Statistic(own + of_paper, band, of_paper=of_paper)

    def words(self, groups: dict[int, set[int]]) -> str:
        """The statistic of the lines in words; `groups`: those of all panels."""
        line, medians, means = self.shown.line, groups.keys() - {1}, groups.get(1)
        if "median_of_means" not in line:
            return NAMES[line.removesuffix("_of_paper")]
        words = [f"median of means of {range_of(medians)} groups"] * bool(medians)
        words += [f"mean of {range_of(means)} runs" if medians else "mean"] if means else []
        return f"{NAMES[NASH_REGRET]}, " * bool(self.nash) + " or ".join(words)

    def with_band(self, rows: pd.DataFrame, by: str) -> pd.DataFrame:
        """The rows with columns for the line (`centre`), its band, and what is drawn `beside` it.

        The edges `lower` and `upper` are nan if there is no band. The paper's own statistic is
        drawn beside a line (one value in the column `by`) that is far from it at any round of the
        last nine tenths, and is nan elsewhere.
        """
        shown, nash = self.shown, self.nash
        centre = rows[shown.line]
        below = above = own = np.nan
        if shown.band == GINI:  # of the runs below the median of means, and of those above it
            below, above = rows[f"{nash}gmd_below"], rows[f"{nash}gmd_above"]
        elif shown.band == ERRORS:
            error = rows["nash_regret_error"] if nash else rows["std"] / np.sqrt(rows["runs"])
            below = above = 2 * error
        elif shown.band == DEVIATION:
            below = above = rows[f"std{shown.of_paper}"]
        elif shown.band == RANGE:
            below, above = centre - rows["min"], rows["max"] - centre
        if shown.beside:
            own = rows[shown.beside]
            far = abs(own - centre) >= DIFFERS * np.maximum(abs(own), abs(centre)) + 1e-9
            far &= rows["t"] >= rows["t"].max() / 10
            own = own.where(far.groupby(rows[by]).transform("any"))
        return band(rows, centre, below, above).assign(beside=own)

    def remarks_beside(self, word: str, rows: pd.DataFrame) -> list[Remark]:
        """The footnote's remark on what is drawn beside these rows, if anything is."""
        if rows["beside"].isna().all():
            return []
        return [(f"{word}: {NAMES[self.shown.beside]}, {DIFFERS:.0%} or more away", "")]


def band(rows: pd.DataFrame, centre: Any, below: Any, above: Any) -> pd.DataFrame:
    """The rows with a line, the edges of its band, and nothing beside it."""
    return rows.assign(centre=centre, lower=centre - below, upper=centre + above, beside=np.nan)


def footnote(
    parts: Sequence[Part], reading: str, words: tuple[str, str, str], further: Iterable[Remark]
) -> str:
    """The footnote: runs and statistics in one line; log, reading and `further` in another.

    Remarks of several panels are one, with what is in the brackets of each.

    `words`: the words for a value, for its error, and for a value of the paper's own statistic.
    """
    groups = _groups(parts)
    statistics = [part.words(groups) for part in parts], [part.shown.band for part in parts]
    shown = zip(words, map(_once, statistics), strict=False)
    first = [_runs(parts), *(f"{word}: {' or '.join(names)}" for word, names in shown if names)]
    labels = " ".join(part.label(series) for part in parts for series in part.panel.series)
    ours = [f"{RECONSTRUCTED} our reconstruction"] if RECONSTRUCTED in labels else []
    texts = [part.experiment.reconstructed for part in parts]
    ours += [f"our reconstruction: {text}" for text in texts if text]
    judged = [(part.shown.beside, part.panel.judged) for part in parts]
    ours += [f"checks judge the {NAMES[own]}" for own, is_judged in judged if own and is_judged]
    remarks = [*(_source(part.experiment) for part in parts)]
    remarks += [(text, "") for text in (reading, *ours)]
    remarks += [remark for part in parts for remark in _exceeded(part)]
    in_brackets: dict[str, list[str]] = {}
    for text, detail in [*remarks, *further]:
        in_brackets.setdefault(text, []).append(detail)
    second = [
        f"{text} ({'; '.join(_once(details))})" if any(details) else text
        for text, details in in_brackets.items()
        if text
    ]
    return f"{'; '.join(first)}\n{'; '.join(second)}".strip()


def _exceeded(part: Part) -> Iterator[Remark]:
    """The labels, without epsilon, of the series that no ledger proves to keep their promise."""
    for id in part.panel.series:
        account = part.experiment.account(id)
        if account and not account.kept():
            series = part.experiment.series[id]
            label = label_of(replace(series, label=part.panel.labels.get(id, series.label)))
            says = NOT_PRIVATE if math.isinf(account.spent) else EXCEEDED
            if says not in label:
                yield says, label


def _groups(parts: Iterable[Part]) -> dict[int, set[int]]:
    """The numbers of groups of medians of means -> the numbers of runs that have so many.

    A median of two means is the mean, so one group stands for two.
    """
    result: dict[int, set[int]] = {}
    for part in parts:
        for policy in part.policies():
            groups = number_of_groups(policy.runs, part.experiment.design.groups)
            result.setdefault(groups if groups > 2 else 1, set()).add(policy.runs)
    return result


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, words)))


def _runs(parts: Iterable[Part]) -> str:
    """The numbers of runs in words: "20 to 1000 runs", or "10 sweeps of 50 games"."""
    # By the number of games in a run, if a run is a sweep of several games.
    counts: dict[int, set[int]] = {}
    for part in parts:
        runs = counts.setdefault(part.experiment.environment.get("trials", 0), set())
        most = part.experiment.design.runs_of_paper if part.shown.of_paper else math.inf
        runs.update(min(policy.runs, most) for policy in part.policies())
    kinds = {games: f"sweeps of {games} games" if games else "runs" for games in counts}
    return " or ".join(
        f"{range_of(runs, '{:,}'.format)} {kinds[games]}" for games, runs in counts.items()
    )


def _source(experiment: Experiment) -> Remark:
    """The name of a log; of a recorded one, that all runs share it."""
    is_recorded = "tables" in experiment.environment
    return experiment.environment.get("source", ""), "the same log in all runs" * is_recorded

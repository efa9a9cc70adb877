"""A panel with the numbers that it shows: which statistic a line and its band are, and how the footnote says it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpbandits.figures import colours
from dpbandits.studies.experiment import NASH_REGRET, Experiment
from dpbandits.studies.model import Figure, Panel
from dpbandits.studies.published import Curves

Experiments = Mapping[str, Experiment]

NAMES = {
    "mean": "mean",
    "median_of_means": "median of means",
    "nash_median_of_means": "median of means",
    NASH_REGRET: "Nash regret",
    "locked_in": "share of runs that lose at least a quarter of the gap per round from t/2 to t",
}
# band: deviations, band: errors, and statistic: mean_std.
GINI, ERRORS, DEVIATION = "Gini's mean differences", "two standard errors", "standard deviation"
DRAWN_TOO = {"mean": "median_of_means", "median_of_means": "mean", NASH_REGRET: "nash_median_of_means"}
DIFFERS = 0.05  # the relative difference from which on the statistic in DRAWN_TOO is drawn beside the line


class Part(NamedTuple):
    """A panel with what is drawn in it; `rows`: of the summary, with the line and the band that the panel shows."""

    panel: Panel
    experiment: Experiment
    rows: pd.DataFrame
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
        return self._replace(panel=self.panel.model_copy(update={"series": others}))


def with_band(rows: pd.DataFrame, panel: Panel, experiment: Experiment, estimator: str) -> pd.DataFrame:
    """The rows with columns `centre`, the line, and `lower` and `upper`, the sides of the band around it, nan if there is none."""
    line, band = statistics_of(panel, experiment, estimator)
    nash = "nash_" if line == NASH_REGRET else ""
    of_paper = "_of_paper" if estimator == "paper" and f"{line}_of_paper" in rows else ""
    centre = rows[line + of_paper]
    below = above = np.nan
    if band == GINI:  # of the runs below the median of means, and of those above it
        below, above = rows[f"{nash}gmd_below"], rows[f"{nash}gmd_above"]
    elif band == ERRORS:
        below = above = 2 * (rows["nash_regret_error"] if nash else rows["std"] / np.sqrt(rows["runs"]))
    elif band == DEVIATION:
        below = above = rows[f"std{of_paper}"]
    return rows.assign(centre=centre, lower=centre - below, upper=centre + above)


def statistics_of(panel: Panel, experiment: Experiment, estimator: str) -> tuple[str, str]:
    """The column of the summary that a panel's lines show, and what its bands are; "" if it has none."""
    design = experiment.design
    if panel.column:
        return panel.column, ""
    if estimator == "default" or design.statistic == "median_of_means":
        return panel.line, ERRORS if design.band == "errors" else GINI
    if panel.line == NASH_REGRET:
        return NASH_REGRET, ERRORS
    return "mean", DEVIATION if design.statistic == "mean_std" else ""


def further_statistics(rows: pd.DataFrame, panel: Panel, estimator: str) -> dict[str, str]:
    """The columns to draw beside a line, with the words of the footnote for them.

    The median of means beside the mean, or the other way round, where they differ by DIFFERS somewhere in the last nine tenths of
    the rounds; and the median, if the summary has it.
    """
    found, other = {}, DRAWN_TOO.get(panel.line)
    if estimator == "default" and other:
        late = rows.loc[rows["t"] >= rows["t"].max() / 10, [panel.line, other]]
        if (abs(late[panel.line] - late[other]) >= DIFFERS * abs(late).max(axis=1) + 1e-9).any():
            found[other] = f"dash-dot-dotted: {NAMES[other]}, where {DIFFERS:.0%} away"
    if "median" in rows and not panel.column and not panel.along:
        found["median"] = "dotted: median"
    return found


def footnote(
    figure: Figure,
    experiments: Experiments,
    estimator: str,
    words: tuple[str, str],
    further: Iterable[str],
) -> str:
    """Runs and statistics in a line; log, reading and what else is drawn (`further`) in another. `words`: for a value and its error."""
    shown = [(panel, experiments[panel.experiment]) for panel in figure.panels]
    of_panels = [statistics_of(*each, estimator) for each in shown]
    found = [NAMES[line] for line, _ in of_panels], [band for _, band in of_panels]
    statistics = [
        f"{word}: {' or '.join(_once(names))}" for word, names in zip(words, found, strict=True) if any(names)
    ]
    first = "; ".join([_runs(shown, estimator), *statistics])
    second = "; ".join(_once([*(_source(experiment) for _, experiment in shown), figure.reading_name, *further]))
    return f"{first}\n{second}".strip()


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, words)))


def _runs(shown: Iterable[tuple[Panel, Experiment]], estimator: str) -> str:
    """The number of runs of the series: "20 to 1000 runs" if not all have the same; "10 sweeps of 50 games"."""
    counts: dict[int, set[int]] = {}  # by the number of games in a run, if a run is a sweep of several
    for panel, experiment in shown:
        most = experiment.design.runs_of_paper if estimator == "paper" else None
        runs = {experiment.policies[experiment.series[name].policy].runs for name in panel.series}
        counts.setdefault(experiment.environment.get("trials", 0), set()).update(min(n, most or n) for n in runs)
    words = []
    for games, found in counts.items():
        number = f"{min(found)} to {max(found)}" if len(found) > 1 else str(*found)
        words.append(f"{number} sweeps of {games} games" if games else f"{number} runs")
    return " or ".join(words)


def _source(experiment: Experiment) -> str:
    """The name of a log; of a recorded one, that all runs share it."""
    name = experiment.environment.get("source", "")
    return f"{name} (the same log in all runs)" if "folder" in experiment.environment else name

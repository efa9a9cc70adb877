"""What a predicate sees: the runs of one experiment, or of several, and resamples of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dpbandits import simulation
from dpbandits.estimators import NashRuns, mean, median, median_of_means
from dpbandits.papers import Experiment, Series

# The number, and where it was found; and its standard error, from a predicate that knows better than the bootstrap.
Measurement = tuple[float, str] | tuple[float, str, float]
WITHOUT_CHANCE: set[str] = set()


def without_chance(predicate: Callable[..., Measurement]) -> Callable[..., Measurement]:
    """Mark a predicate whose number does not depend on which runs were drawn: it has no standard error."""
    WITHOUT_CHANCE.add(predicate.__name__)
    return predicate


ACROSS: set[str] = set()


def across(predicate: Callable[..., Measurement]) -> Callable[..., Measurement]:
    """Mark a predicate that compares series of different experiments: each of them need not be in all."""
    ACROSS.add(predicate.__name__)
    return predicate


@dataclass(frozen=True)
class Runs:
    """The runs of an experiment, as a predicate sees them: curves of a statistic, over all runs or over a resample."""

    experiment: Experiment
    t: np.ndarray
    values: Mapping[str, np.ndarray | NashRuns]  # series -> (run, checkpoint)
    statistic: str
    chosen: Mapping[str, np.ndarray] = field(default_factory=dict)  # series -> indices of the resampled runs

    @cached_property
    def gaps(self) -> np.ndarray:
        """mu* - mu_a of every arm."""
        return simulation.make_environment(self.experiment.environment).gaps

    @cached_property
    def number_of_arms(self) -> int:
        """K, which a game without gaps has as well."""
        return simulation.make_environment(self.experiment.environment).number_of_arms

    @property
    def figures(self) -> str:
        """What the claims table calls the experiment."""
        return self.experiment.base

    @cached_property
    def means(self) -> np.ndarray:
        """mu_a of every arm."""
        return np.array(self.experiment.environment["means"], dtype=float)

    def finals(self, names: Sequence[str]) -> dict[str, float]:
        """The statistic at T of the series of these names, and of every series of the policies of these names."""
        chosen = [s.id for s in self.experiment.series.values() if s.id in names or s.policy in names]
        return {series: float(self.curve(series)[-1]) for series in chosen}

    def of(self, series: str) -> np.ndarray | NashRuns:
        """The runs of a series."""
        runs = self.values[series]
        return runs[self.chosen[series]] if series in self.chosen else runs

    def curve(self, series: str) -> np.ndarray:
        """The claim's statistic of a series at every checkpoint."""
        runs = self.of(series)
        if isinstance(runs, NashRuns):
            return runs.curve()
        if self.statistic == "median_of_means":
            return median_of_means(runs, self.experiment.design.groups)
        return median(runs) if self.statistic == "median" else mean(runs)

    def known(self, series: str) -> Series:
        """What the series is."""
        return self.experiment.series[series]

    def resampled(self, rng: np.random.Generator) -> "Runs":
        """As many runs, drawn with replacement, for every series on its own."""
        chosen = {name: rng.integers(0, len(runs), len(runs)) for name, runs in self.values.items()}
        return Runs(self.experiment, self.t, self.values, self.statistic, chosen)


@dataclass(frozen=True)
class Together:
    """The runs of several experiments, for a claim that compares them."""

    parts: tuple[Runs, ...]

    @property
    def experiment(self) -> Experiment:
        """The first of them, whose reading is that of all."""
        return self.parts[0].experiment

    @property
    def figures(self) -> str:
        """What the claims table calls the experiments."""
        return " ".join(part.figures for part in self.parts)

    def resampled(self, rng: np.random.Generator) -> "Together":
        """Every experiment on its own."""
        return Together(tuple(part.resampled(rng) for part in self.parts))


class TooShort(Exception):
    """The run ended before the rounds that a claim speaks of (at scales below the paper's)."""


def window(runs: Runs, since: int, until: float = 1.0) -> np.ndarray:
    """The checkpoints from round `since` to the fraction `until` of the horizon."""
    window = (runs.t >= since) & (runs.t <= until * runs.t[-1])
    if not window.any():
        raise TooShort(f"it speaks of rounds from t = {since} on, and this scale ends at t = {runs.t[-1]}")
    return window

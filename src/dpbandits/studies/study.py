"""The expanded form of a study's file: plain frozen dataclasses, for figures, verdicts, accounts and the page.

A paper is reproduced in up to two readings. A reading is a property of a series: `dp-ucb` of the published reading and
`dp-ucb.corrected` play in one experiment, beside series that both readings share. Figures and tests select.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpbandits.studies import model
from dpbandits.studies.sentence import Sentence, Test

PUBLISHED, CORRECTED = "published", "corrected"
NASH_REGRET = "nash_regret"


@dataclass(frozen=True)
class Series:
    """One curve: an algorithm with all its parameters; its random numbers follow from its name."""

    name: str  # the same in both readings
    label: str
    algorithm: str
    parameters: Mapping[str, Any]
    policy: str
    variant: int  # position in the policy's sweep; 0 where there is none
    regret: Mapping[str, Any] = field(default_factory=dict)  # how it is counted (`Environment.curves`)
    reading: str = ""  # the only one that it belongs to, if there is one

    @property
    def id(self) -> str:
        """Its name within the experiment, where the corrected reading may have another series of this name."""
        return f"{self.name}.{CORRECTED}" if self.reading == CORRECTED else self.name


@dataclass(frozen=True)
class Policy:
    """One series, or several for a sweep or for two readings, simulated in one job."""

    id: str
    series: tuple[Series, ...]
    runs: int
    reconstructed: tuple[str, ...] = ()  # the readings in which it is our reconstruction
    audit_games: int = 0  # that measure its privacy where its ledger is above its promise, if not the usual number


@dataclass(frozen=True)
class Design:
    """Horizon, number of runs, checkpoints, and how the runs are summarised."""

    horizon: int
    runs: int
    groups: int
    block: int
    checkpoints: tuple[int, ...]
    statistic: str
    runs_of_paper: int | None = None  # the paper's number of runs, if some policies have more
    band: str = "deviations"
    columns: tuple[str, ...] = ()  # additional columns of the summary
    quantity: str = "regret"  # recorded in every run: summarised, drawn and judged by default
    horizon_of_paper: int | None = None  # if this scale's games are shorter
    judged: str = "mean"  # the statistic that tests judge, unless they name another


@dataclass(frozen=True)
class Experiment:
    """An environment, the policies that play it, and the design: the series of both readings, or of one (`in_reading`)."""

    id: str
    paper: str
    environment: Mapping[str, Any]
    policies: tuple[Policy, ...]
    design: Design
    stream: str = ""  # another experiment, whose random numbers it has; its own if empty
    environment_name: str = ""  # in the file; "" if the environment is written within the experiment
    reconstructed: str = ""  # what in it is ours and may decide a sentence
    reading: str = ""  # if it has the series of one reading of two only

    @property
    def instance(self) -> str:
        """The experiment whose random numbers this one has: run i has the same arms in both."""
        return self.stream or self.id

    @property
    def readings(self) -> tuple[str, ...]:
        """The readings whose series it has; one without a name if both readings share all of them."""
        if self.reading:
            return (self.reading,)
        return (PUBLISHED, CORRECTED) if any(series.reading for series in self.series.values()) else ("",)

    def in_reading(self, reading: str) -> "Experiment":
        """The experiment with the series of one reading; itself if both readings share all series."""
        if self.readings == ("",):
            return self
        policies = (replace(p, series=tuple(s for s in p.series if s.reading in ("", reading))) for p in self.policies)
        return replace(self, policies=tuple(policies), reading=reading)

    @property
    def by_reading(self) -> "tuple[Experiment, ...]":
        """The experiment in each of its readings, the published one first."""
        return tuple(self.in_reading(reading) for reading in self.readings)

    @property
    def series(self) -> dict[str, Series]:
        """All series by id, in the order of the legend."""
        return {series.id: series for policy in self.policies for series in policy.series}

    @property
    def by_name(self) -> dict[str, Series]:
        """The series of a reading by name."""
        return {series.name: series for series in self.series.values()}

    def policy(self, policy: str) -> Policy:
        """The policy of that id."""
        return next(p for p in self.policies if p.id == policy)

    def spec(self, policy: str, seed: int) -> dict[str, Any]:
        """Everything that a simulation of a policy depends on, as plain data."""
        simulated = self.policy(policy)
        return {
            "paper": self.paper,
            "experiment": self.id,
            "stream": self.instance,
            "policy": simulated.id,
            "environment": dict(self.environment),
            "horizon": self.design.horizon,
            "checkpoints": list(self.design.checkpoints),
            "series": {
                s.id: {
                    "name": s.name,
                    "algorithm": s.algorithm,
                    "parameters": dict(s.parameters),
                    "regret": dict(s.regret),
                }
                for s in simulated.series
            },
            "seed": seed,
        }


@dataclass(frozen=True)
class Panel:
    """One pair of axes: which series of which experiment, and how the axes look."""

    title: str
    experiment: str
    series: tuple[str, ...]  # their ids
    x: Mapping[str, Any]
    y: Mapping[str, Any]
    along: str = ""  # the parameter on the x axis, for final regrets of a sweep; "" for regret against time
    overlay: Mapping[str, str] = field(default_factory=dict)  # label -> a theorem's bound, drawn as a thin line
    column: str = ""  # of the summary, drawn in place of the regret
    line: str = "median_of_means"  # the column of the summary that its lines show
    drawn_as: str = ""  # the paper's own panel that it reproduces, whose drawn points it may show
    group: str = ""  # of points: their name below the axis
    baseline: float = 0.0  # of points: a value to compare with, drawn as a line; 0: none
    regimes: str = ""  # one of theory.bounds.REGIMES: where on the x axis a bound changes its form
    legend: str = ""  # its corner, in this panel; "": where there is room, or below all panels of a grid
    labels: Mapping[str, str] = field(default_factory=dict)  # series -> its label here, if not the series' own


@dataclass(frozen=True)
class Figure:
    """A file under figures/: its kind, its panels, and its reading ("" where there is only one)."""

    name: str  # the same in both readings
    kind: str
    reading: str
    reading_name: str  # the reading's name in the footnote
    title: str
    caption: str
    columns: int
    panels: tuple[Panel, ...]

    @property
    def id(self) -> str:
        """The name of its file, which the corrected reading ends with."""
        return f"{self.name}.{CORRECTED}" if self.reading == CORRECTED else self.name

    @property
    def experiments(self) -> list[str]:
        """The experiments whose summaries the figure draws."""
        return list(dict.fromkeys(panel.experiment for panel in self.panels))


@dataclass(frozen=True)
class Member:
    """A policy of an arena: how figures name it, and what it knows."""

    label: str
    private: bool  # whether it takes epsilon
    guest: bool = False
    knows_horizon: bool = False  # whether it plays otherwise in a longer game, before this is longer
    series: Series | None = None  # the first of them, by whose algorithm its colour is chosen; None if it plays nowhere


@dataclass(frozen=True)
class Arena:
    """What a study scores: who plays which experiments, at which epsilons."""

    epsilons: tuple[float, ...]
    instances: Mapping[str, str]  # the scored experiments -> their labels
    yardstick: str  # the policy that gives the unit where no lower bound holds
    members: Mapping[str, Member]
    left_out: Mapping[tuple[str, str], str]  # (policy, instance) -> why


@dataclass(frozen=True)
class Paper:
    """A study, expanded for one scale: a paper, or an arena."""

    id: str
    file: str
    written: model.Paper  # for its title, authors and other texts
    experiments: Mapping[str, Experiment]
    figures: Mapping[str, Figure]
    sentences: Mapping[str, Sentence]
    guests: tuple[str, ...] = ()  # the policies of config/config.yaml that play here
    arena: Arena | None = None  # what is scored, if anything

    @property
    def tests(self) -> dict[str, Test]:
        """The tests of all sentences."""
        return {id: test for sentence in self.sentences.values() for id, test in sentence.tests.items()}

    def experiments_of(self, names: Iterable[str]) -> list[str]:
        """The experiments of these ids, and those that the figures of these ids draw."""
        found: dict[str, None] = {}
        for name in names:
            drawn = self.figures[name].experiments if name in self.figures else []
            found |= dict.fromkeys([name] if name in self.experiments else drawn)
        return list(found)

    @property
    def judged_in(self) -> tuple[str, ...]:
        """The readings in which its sentences are judged: both, or "both" where it has only one."""
        has_two = any(len(experiment.readings) > 1 for experiment in self.experiments.values())
        return (PUBLISHED, CORRECTED) if has_two else ("both",)

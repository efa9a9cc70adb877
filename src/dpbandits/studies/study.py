"""The expanded form of a study: the models of its file, with what is computed from them for one scale.

A paper is reproduced in up to two readings. A reading is a property of a series: `dp-ucb` of the published reading and
`dp-ucb.corrected` play in one experiment, beside series that both readings share. Figures and tests choose one reading.
What is the same in both has the reading "" here, and `both` in tables.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dpbandits.studies import model
from dpbandits.studies.sentence import Sentence, Test

PUBLISHED, CORRECTED = "published", "corrected"
NASH_REGRET = "nash_regret"
PLAYED = ("name", "algorithm", "parameters", "regret")  # what the runs of a series depend on


def id_in(reading: str, name: str) -> str:
    """The id, in a reading, of what has the same name in both."""
    return f"{name}.{CORRECTED}" if reading == CORRECTED else name


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
        return id_in(self.reading, self.name)

    def line(self, along: str) -> str:
        """The line that it is, or along a parameter the one that it is a point of."""
        return self.policy if along else self.id


@dataclass(frozen=True)
class Policy:
    """One series, or several for a sweep or for two readings, simulated in the same jobs."""

    id: str
    series: tuple[Series, ...]
    runs: int
    reconstructed: tuple[str, ...] = ()  # the readings in which it is our reconstruction
    audit_games: int = 0  # games of its audit if its ledger exceeds its promise; 0: as usual
    guest: bool = False  # whether it is one of your own
    label: str = ""  # of all its series together
    swept: str = ""  # the parameter that its sweep varies, if it has one
    knows_horizon: bool = False  # whether its first t rounds depend on the horizon


class Design(model.Design):
    """A whole design: that of the paper with the changes of an experiment and of the scale."""

    horizon_of_paper: int = None
    """The paper's horizon, where this scale's is shorter."""

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The rounds after which a run is recorded."""
        return self.checkpoints.rounds(self.horizon)

    @property
    def recorded(self) -> str:
        """What is recorded in every run: the Nash regret is one number for all of them, made of their regrets."""
        return "regret" if self.quantity == NASH_REGRET else self.quantity

    @property
    def judged(self) -> str:
        """The statistic that tests judge, unless they name another."""
        return NASH_REGRET if self.quantity == NASH_REGRET else self.statistic.removesuffix("_std")


@dataclass(frozen=True)
class Experiment:
    """An environment, the policies that play it, and the design: the series of both readings, or of one (`in_reading`)."""

    id: str
    paper: str  # the id of its study, also of an arena
    environment: Mapping[str, Any]
    policies: tuple[Policy, ...]
    design: Design
    stream: str = ""  # another experiment, whose random numbers it has; its own if empty
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
        """The series by name; of two readings (see `in_reading`) the corrected one."""
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
            "checkpoints": list(self.design.rounds),
            "series": {series.id: {key: getattr(series, key) for key in PLAYED} for series in simulated.series},
            "seed": seed,
        }


class Panel(model.Panel):
    """A panel in one reading: the ids of its series, its whole axes, and texts with the values of parameters."""

    line: str = "median_of_means"
    """The column of the summary that its lines show."""
    drawn_as: str = ""
    """The paper's own panel that it reproduces, whose drawn points it may show."""


class Figure(model.Figure):
    """A file under figures/, in one reading."""

    name: str
    """The same in both readings."""
    reading: str = ""
    """Empty where there is only one."""
    reading_name: str = ""
    """In the footnote."""
    panels: list[Panel]

    @property
    def id(self) -> str:
        """The name of its file, which the corrected reading ends with."""
        return id_in(self.reading, self.name)

    @property
    def experiments(self) -> list[str]:
        """The experiments whose summaries the figure draws."""
        return list(dict.fromkeys(panel.experiment for panel in self.panels))


@dataclass(frozen=True)
class Arena:
    """What a study scores: who plays which experiments, at which epsilons."""

    epsilons: tuple[float, ...]
    instances: Mapping[str, str]  # the scored experiments -> their labels
    yardstick: str  # the policy whose mean regret is the unit of scores
    members: Mapping[str, Policy]  # all that play


@dataclass(frozen=True)
class Study:
    """A paper or an arena, expanded for one scale."""

    id: str
    file: str
    written: model.Study  # of its `Source`
    experiments: Mapping[str, Experiment]
    figures: Mapping[str, Figure]
    arena: Arena | None = None  # what is scored, if anything

    @property
    def guests(self) -> tuple[str, ...]:
        """The policies of config/config.yaml that play here."""
        return tuple(dict.fromkeys(p.id for e in self.experiments.values() for p in e.policies if p.guest))

    @property
    def sentences(self) -> dict[str, Sentence]:
        """All that the paper says about its experiments."""
        return self.written.sentences

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
        """The readings in which its sentences are judged: published and corrected, or "both" where it has only one."""
        has_two = any(len(experiment.readings) > 1 for experiment in self.experiments.values())
        return (PUBLISHED, CORRECTED) if has_two else ("both",)

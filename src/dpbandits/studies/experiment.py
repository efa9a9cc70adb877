"""Experiments and the policies that play them, at one scale; `entries` explains the files' keys.

A paper is reproduced in up to two readings. A reading is a property of a series: `dp-ucb` of the
published reading and `dp-ucb.corrected` play in one experiment, beside series that both readings
share. Figures and checks choose one reading. What is the same in both has the reading "" here, and
`both` in tables.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self, TypeVar

from dpbandits import bandits, policy
from dpbandits.bandit import Bandit
from dpbandits.policies import POLICIES
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.promises import calibrate_epsilon
from dpbandits.simulation import Checkpoints, Simulation
from dpbandits.studies.entries import Reading
from dpbandits.studies.strict_yaml import Keys

PUBLISHED, CORRECTED = "published", "corrected"
NASH_REGRET = "nash_regret"
Expanded = TypeVar("Expanded")


def id_in(reading: str, name: str) -> str:
    """The id, in a reading, of what has the same name in both."""
    return f"{name}.{CORRECTED}" if reading == CORRECTED else name


def is_of_the_paper(id: str) -> bool:
    """Whether an id is that of one of the paper's own figures, such as fig2a; s-... is ours."""
    return not id.startswith("s-")


def of_entry(kind: type[Expanded], entry: Keys, **further: Any) -> Expanded:
    """A dataclass with the keys that an entry of a file has, and `further` ones."""
    known = {each.name for each in fields(kind)} & entry.typed.keys()
    return kind(**{key: getattr(entry, key) for key in known} | further)


@dataclass(frozen=True)
class Design:
    """Horizon, number of runs, and how they are summarised."""

    horizon: int
    runs: int
    groups: int
    block: int
    checkpoints: Checkpoints
    runs_of_paper: int | None = None
    band: str = "deviations"
    statistic: str = "mean"
    columns: Sequence[str] = ()
    quantity: str = "regret"
    horizon_of_paper: int | None = None  # where this scale's is shorter

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The rounds after which a run is recorded."""
        return self.checkpoints.rounds(self.horizon)

    @property
    def judged(self) -> str:
        """The statistic that checks judge."""
        return NASH_REGRET if self.quantity == NASH_REGRET else self.statistic.removesuffix("_std")


@dataclass(frozen=True)
class Series:
    """One curve: an algorithm with all its parameters; its random numbers follow from its name."""

    name: str  # the same in both readings
    label: str
    algorithm: str
    parameters: Mapping[str, Any]
    policy: str
    variant: int  # position in the policy's sweep; 0 where there is none
    regret: Mapping[str, Any] = field(default_factory=dict)  # arguments of `Bandit.curves`
    reading: str = ""  # the only one that it belongs to, if there is one
    calibrated_for: tuple[int, int] = ()  # in an arena: the horizon and the number of arms
    refuted: bool = False  # whether a replay contradicts its promise, so that labels say so
    look: tuple[str, str] | None = None  # a guest's colour and marker, known to drawings only

    @property
    def id(self) -> str:
        """Its name within the experiment, where another reading may have a series of this name."""
        return id_in(self.reading, self.name)

    @cached_property
    def as_written(self) -> policy.Policy:
        """The policy with the file's parameters. InputError if it cannot be imported or made."""
        return POLICIES.make(self.algorithm, self.parameters, "parameters")

    @cached_property
    def as_policy(self) -> policy.Policy:
        """The policy that plays it; in an arena it spends what it promises.

        To calibrate all series of an arena takes a second, which only its own jobs spend.
        """
        if not self.calibrated_for or "epsilon" not in self.parameters:
            return self.as_written
        epsilon = calibrate_epsilon(self.as_written, *self.calibrated_for)
        return replace(self.as_written, epsilon=epsilon)


@dataclass(frozen=True)
class Policy:
    """A policy in an experiment."""

    id: str
    label: str = ""
    series: Sequence[Series] = ()  # several for a sweep or two readings; they share their jobs
    runs: int = 0
    swept: str = ""  # the parameter that its sweep varies, if it has one
    guest: bool = False  # whether it is one of the user's own
    knows_horizon: bool = False
    reconstructed: Sequence[Reading] = ()
    source: str = ""  # what it rests on


@dataclass(frozen=True)
class Experiment:
    """An environment, the policies that play it, and the design.

    It has the series of both readings, or of one (`in_reading`)."""

    id: str
    environment: Mapping[str, Any]
    policies: Mapping[str, Policy]
    design: Design | None = None
    paper: str = ""  # the id of its study, also of an arena
    parameters: Mapping[str, Any] = field(default_factory=dict)
    stream: str = ""
    reconstructed: str = ""
    reading: str = ""  # if it has the series of one reading of two only

    @property
    def instance(self) -> str:
        """The experiment whose random numbers this one has: run i has the same arms in both."""
        return self.stream or self.id

    def in_reading(self, reading: str) -> Self:
        """The experiment with the series of one reading; itself if both readings share all."""
        if self.reading or not any(series.reading for series in self.series.values()):
            return self
        result = {
            id: [s for s in policy.series if s.reading in ("", reading)]
            for id, policy in self.policies.items()
        }
        return replace(self.with_series(result), reading=reading)

    @cached_property
    def by_reading(self) -> tuple[Self, ...]:
        """The experiment in each of its readings, the published one first; itself if both agree."""
        published, corrected = map(self.in_reading, (PUBLISHED, CORRECTED))
        return (self,) if published is corrected else (published, corrected)

    def with_series(self, series: Mapping[str, Iterable[Series]]) -> Self:
        """The experiment with these series of its policies."""
        result = {id: replace(p, series=tuple(series[id])) for id, p in self.policies.items()}
        return replace(self, policies=result)

    def refuting(self, mechanisms: Collection[str]) -> Self:
        """The experiment whose series of these mechanisms are marked as refuted."""
        result = {
            id: [replace(s, refuted=s.as_policy.mechanism in mechanisms) for s in policy.series]
            for id, policy in self.policies.items()
        }
        return self.with_series(result) if mechanisms else self

    @cached_property
    def series(self) -> dict[str, Series]:
        """All series by id, in the order of the legend."""
        return {series.id: series for policy in self.policies.values() for series in policy.series}

    @cached_property
    def by_name(self) -> dict[str, Series]:
        """The series by name; of two readings (see `in_reading`) the corrected one."""
        return {series.name: series for series in self.series.values()}

    @cached_property
    def bandit(self) -> Bandit:
        """What is played."""
        return bandits.make(self.environment)

    def account(self, series: str, horizon: int = 0) -> Account | None:
        """The promise of a series (its id) and what it spends.

        Without a horizon this is in the game of a run that spends most of its promise.
        """
        policy, K = self.series[series].as_policy, self.bandit.number_of_arms
        games = [horizon]
        if not horizon:
            games = self.bandit.games(self.design.horizon, self.design.rounds)
        accounts = [policy.account(T, K) for T in games]
        return max(accounts, key=lambda each: each.ratio if each else 0.0)

    def simulation(self, policies: Sequence[str], seed: int, name: str = "") -> Simulation:
        """The simulation of some policies; its traces have this name, or the first policy's."""
        series = [each for policy in policies for each in self.policies[policy].series]
        return Simulation(
            bandit=self.bandit,
            policies={each.id: each.as_policy for each in series},
            horizon=self.design.horizon,
            checkpoints=self.design.rounds,
            seed=seed,
            paper=self.paper,
            experiment=self.id,
            instance=self.instance,
            name=name or policies[0],
            names={each.id: each.name for each in series if each.name != each.id},
            regret={each.id: each.regret for each in series if each.regret},
        )

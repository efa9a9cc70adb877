"""Experiments and the policies that play them, at one scale: keys of files, and what follows.

A paper is reproduced in up to two readings. A reading is a field of a series: `dp-ucb` of the
published reading and `dp-ucb.corrected` play in one experiment, beside series that both readings
share. Figures and checks choose one reading. What is the same in both has the reading "" here, and
`both` in tables.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from annotated_types import MinLen
from pydantic import AfterValidator, WithJsonSchema

from dpbandits import bandits, policy
from dpbandits.bandit import Bandit
from dpbandits.parameters import Natural, Several
from dpbandits.policies import POLICIES
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.promises import calibrate_epsilon
from dpbandits.simulation import Checkpoints, Simulation
from dpbandits.studies.things import (
    CORRECTED,
    PUBLISHED,
    Environment,
    Form,
    InReadings,
    Made,
    Names,
    Reading,
    Scalar,
    Sweep,
    Thing,
    some_of,
)

NASH_REGRET = "nash_regret"
Recorded = Annotated[some_of(Checkpoints), AfterValidator(lambda keys: Checkpoints(**keys))]
# An editor completes the shipped ones. A module of the user's own has any name.
MODULES = {"anyOf": [{"enum": [*POLICIES.known]}, {"type": "string", "pattern": r"^[\w.]+$"}]}
Algorithm = Annotated[str, WithJsonSchema(MODULES)]
Parameters = dict[str, Scalar]  # `plan.validation` compares them with the algorithm's signature


def id_in(reading: str, name: str) -> str:
    """The id, in a reading, of what has the same name in both."""
    return f"{name}.{CORRECTED}" if reading == CORRECTED else name


@dataclass(frozen=True)
class Design(Thing):
    """Horizon, number of runs, and how they are summarised."""

    horizon: Several
    """Rounds of a game."""
    runs: Several
    """Games of each policy."""
    groups: Natural
    """For the median of means, the largest number of groups. There are as many as cut the runs of a
    policy into equal groups of more than six, so that the bound of tossou2017's Proposition 4.1 is
    below one sigma. Footnotes of figures say how many."""
    block: Natural
    """Runs in one simulate job."""
    checkpoints: Annotated[Checkpoints, Form(Recorded)]
    """The rounds after which a run is recorded."""
    runs_of_paper: Natural | None = None
    """The paper's number of runs, if ours is larger; `estimator: paper` takes the first ones. If it
    is 1, footnotes say where the run that the authors drew lies among ours."""
    band: Literal["deviations", "errors", "range"] = "deviations"
    """Around curves: Gini's mean difference of the runs below the median of means, and of those
    above it (deviations), two standard errors (errors), or all runs (range)."""
    statistic: Literal["mean", "mean_std", "median_of_means"] = "mean"
    """The paper's own statistic, which checks judge. The line of a figure is the median of means;
    the paper's own statistic is drawn beside it where it is 5% or more away."""
    columns: Sequence[Literal["median", "locked_in"]] = ()
    """Further columns of the summary; a median is drawn."""
    quantity: Literal["regret", "nash_regret", "ctr_ratio"] = "regret"
    """What is summarised, drawn and judged. nash_regret is one number for all runs; a summary has
    it beside the regret."""
    horizon_of_paper: Made[int | None] = None  # where this scale's is shorter

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The rounds after which a run is recorded."""
        return self.checkpoints.rounds(self.horizon)

    @property
    def judged(self) -> str:
        """The statistic that checks judge."""
        return NASH_REGRET if self.quantity == NASH_REGRET else self.statistic.removesuffix("_std")


SomeOfDesign = some_of(Design)


@dataclass(frozen=True)
class Series:
    """One curve: an algorithm with all its parameters; its random numbers follow from its name."""

    name: str  # the same in both readings
    label: str
    algorithm: str
    parameters: Mapping[str, Any]
    policy: str
    regret: Mapping[str, Any] = field(default_factory=dict)  # arguments of `Bandit.curves`
    reading: str = ""  # the only one that it belongs to, if there is one
    calibrated_for: tuple[int, ...] = ()  # as the experiment
    refuted: bool = False  # whether a replay contradicts its promise, so that labels say so
    look: tuple[str, str] | None = None  # a guest's colour and marker, known to drawings only

    @property
    def id(self) -> str:
        """Its name within the experiment, where another reading may have a series of this name."""
        return id_in(self.reading, self.name)

    @cached_property
    def as_written(self) -> policy.Policy:
        """The object of the algorithm's class, with the file's parameters as its fields.

        InputError if it cannot be imported or made.
        """
        return POLICIES.make(self.algorithm, self.parameters, "parameters")

    @cached_property
    def as_policy(self) -> policy.Policy:
        """The policy that plays it; in an arena it spends what it promises.

        `simulation.Simulation.run` has the bandit call its `play`, which gives the parameters to a
        kernel.

        To calibrate all series of an arena takes a second, which only its own jobs spend.
        """
        if not self.calibrated_for or "epsilon" not in self.parameters:
            return self.as_written
        epsilon = calibrate_epsilon(self.as_written, *self.calibrated_for)
        return replace(self.as_written, epsilon=epsilon)


@dataclass(frozen=True)
class Policy(Thing):
    """An algorithm with its parameters. What differs between the readings, or is in one of them
    only, is a mapping: {alpha: {published: 2.4, corrected: 3.1}}.

    In an experiment it has its series, and the values of that experiment.
    """

    needs: ClassVar = ("label", "algorithm")
    id: Made[str] = ""
    label: str = ""
    """In legends; {epsilon:g} is the value of the parameter epsilon."""
    algorithm: Algorithm | dict[Reading, Algorithm] = ""
    """A module of dpbandits.policies, or one of your own: my_ucb, my_package.my_ucb."""
    takes: list[str] | None = None
    """The parameters of the experiment that this policy receives. A guest takes those that its
    algorithm has no default for, if the key is absent."""
    parameters: InReadings = field(default_factory=dict)
    """The policy's own parameters."""
    runs: Several | None = None
    """Its number of runs at the paper's scale, if not the design's; smaller scales have no more."""
    more_runs: dict[str, Several] = field(default_factory=dict)
    """Experiment -> the number of runs there, where a few runs decide the mean."""
    regret: InReadings = field(default_factory=dict)
    """How its regret is counted, where the authors did not count all rounds against the best arm:
    {against: 1}, or {leaving_out: one_round_per_doubling}; keyword parameters of the environment's
    `curves`."""
    sweep: Annotated[Sweep | None, Form(str | Sweep)] = None
    """The name of one of the study's sweeps, or a parameter with its values, each a series. Further
    parameters change with it: {epsilon: [0.1, 1], c: [0, 6]} has c = 0 at epsilon = 0.1 and c = 6
    at epsilon = 1."""
    knows_horizon: bool | None = None
    """Whether its first t rounds depend on the horizon; if not, they are a shorter game. A guest
    knows it unless it says no, all others only if they say so."""
    reconstructed: Sequence[Reading] = ()
    """The readings in which it is our reconstruction: chosen so that most claims hold, or from
    drawn points alone. A claim that fails only through it is undecided there; one that holds only
    through it is marked."""
    source: Literal["", "authors' code", "authors' text", "a summary", "memory", "a textbook"] = ""
    """What a policy of an arena rests on; a textbook also for plain baselines of our own."""
    guest: Made[bool] = False  # whether it is one of the user's own
    series: Made[Sequence[Series]] = ()  # several for a sweep or two readings; they share jobs

    @property
    def swept(self) -> str:
        """The parameter that its sweep varies, "" without one."""
        return next(iter(self.sweep or ()), "")

    def changed(self, change: Callable[[Series], Series | None]) -> Self:
        """The policy with each of its series changed, and without those that become None."""
        return replace(self, series=tuple(filter(None, map(change, self.series))))


@dataclass(frozen=True)
class Experiment(Thing):
    """An environment, the policies that play it, and the design.

    It has the series of both readings, or of one (`in_reading`)."""

    needs: ClassVar = ("policies",)
    id: Made[str] = ""
    environment: Annotated[Mapping[str, Any], Form(str | Environment)] = field(default_factory=dict)
    """The name of one of the study's environments, or one: {kind: bernoulli, means: [0.9, 0.6]}."""
    policies: Annotated[
        Mapping[str, Policy],
        Form(Names | Annotated[dict[str, Parameters], MinLen(1)] | Literal["all"]),
    ] = field(default_factory=dict)
    """Ids of policies, a mapping from these to parameters that only this experiment changes, or
    all."""
    design: Annotated[Design | None, Form(SomeOfDesign)] = None
    """What differs from the study's design."""
    paper: Made[str] = ""  # the id of its study, also of an arena
    parameters: Parameters = field(default_factory=dict)
    """Parameters for the policies that take them."""
    stream: str = ""
    """Another experiment, whose environment and random numbers it has: run i has the same arms in
    both. In an arena it is a shorter or longer game of that experiment."""
    regret: InReadings = field(default_factory=dict)
    """How the regret of all policies is counted here; a policy's own `regret` adds to it."""
    runs: Several | None = None
    """The most runs of a policy that has a number of runs of its own."""
    smoke: SomeOfDesign = field(default_factory=dict)
    """What differs from the design at the smoke scale."""
    reconstructed: str = ""
    """What in it is ours and may decide: an instance, a log, a horizon. A claim about experiments
    that fails only here is undecided; one that holds only here is marked."""
    calibrated_for: Made[tuple[int, ...]] = ()  # in an arena: the horizon and the number of arms
    reading: Made[str] = ""  # if it has the series of one reading of two only

    @property
    def instance(self) -> str:
        """The experiment whose random numbers this one has: run i has the same arms in both."""
        return self.stream or self.id

    def in_reading(self, reading: str) -> Self:
        """The experiment with the series of one reading; itself if both readings share all."""
        if self.reading or not any(series.reading for series in self.series.values()):
            return self
        shared = self._changed(lambda each: each if each.reading in ("", reading) else None)
        return replace(shared, reading=reading)

    @cached_property
    def by_reading(self) -> tuple[Self, ...]:
        """The experiment in each of its readings, the published one first; itself if both agree."""
        published, corrected = map(self.in_reading, (PUBLISHED, CORRECTED))
        return (self,) if published is corrected else (published, corrected)

    def refuting(self, mechanisms: Collection[str]) -> Self:
        """The experiment whose series of these mechanisms are marked as refuted."""
        if not mechanisms:
            return self
        return self._changed(lambda s: replace(s, refuted=s.as_policy.mechanism in mechanisms))

    def _changed(self, change: Callable[[Series], Series | None]) -> Self:
        """The experiment with the policies that `Policy.changed` makes."""
        policies = {id: each.changed(change) for id, each in self.policies.items()}
        return replace(self, policies=policies)

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

    @property
    def modules(self) -> list[str]:
        """The modules of its policies and of its bandit."""
        played = {POLICIES.module_of(each.algorithm) for each in self.series.values()}
        return sorted({*played, bandits.BANDITS.module_of(self.environment["kind"])})

    def account(self, series: str) -> Account | None:
        """The promise of a series (its id), in the game of a run that spends most of it."""
        policy = self.series[series].as_policy
        return self.bandit.account(policy, self.design.horizon, self.design.rounds)

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

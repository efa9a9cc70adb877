"""Experiments and the policies that play them: what a study's YAML file may say of them, and what the code then uses.

These are the same models: `expansion` completes what is written for one scale, and fills in the fields marked `Filled`. A paper
is reproduced in up to two readings. A reading is a property of a series: `dp-ucb` of the published reading and
`dp-ucb.corrected` play in one experiment, beside series that both readings share. Figures and checks choose one reading.
What is the same in both has the reading "" here, and `both` in tables.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Le, MinLen
from pydantic import AfterValidator, InstanceOf

from dpbandits.studies.claim import Reading
from dpbandits.studies.strict_yaml import Filled, Names, Parameters, Scalar, Written

PUBLISHED, CORRECTED = "published", "corrected"
NASH_REGRET = "nash_regret"
PLAYED = ("name", "algorithm", "parameters", "regret")  # what the runs of a series depend on
Runs = Annotated[int, Ge(2)]
# A larger number is a typing mistake: 10^30 rounds would have to be counted one by one before they are refused.
Recorded = Annotated[int, Ge(0), Le(10_000)]
InReadings = dict[str, Scalar | dict[Reading, Scalar]]


def id_in(reading: str, name: str) -> str:
    """The id, in a reading, of what has the same name in both."""
    return f"{name}.{CORRECTED}" if reading == CORRECTED else name


def is_of_the_paper(id: str) -> bool:
    """Whether an id is that of one of the paper's own figures, such as fig2a; s-... is a supplementary one of ours."""
    return not id.startswith("s-")


class Checkpoints(Written):
    """The rounds after which a run is recorded; the last round always is."""

    first: Recorded = 0  # number of rounds recorded at the beginning of a run
    log: Recorded = 0  # number of rounds evenly spaced in log t
    linear: Recorded = 0  # number of rounds evenly spaced in t
    least: Annotated[int, Ge(1)] = 1  # no round before this one is recorded
    also: list[Annotated[int, Ge(1)]] = []  # further rounds

    def rounds(self, horizon: int) -> tuple[int, ...]:
        """The rounds of a game of this length."""
        chosen = {horizon, *range(1, self.first + 1), *self.also}
        chosen |= {
            round(math.exp(math.log(horizon) * i / self.log)) for i in range(1, self.log + 1)
        }
        chosen |= {round(horizon * i / self.linear) for i in range(1, self.linear + 1)}
        return tuple(sorted(t for t in chosen if self.least <= t <= horizon))


class Design(Written):
    """Horizon, number of runs, and how they are summarised; keys left out of an experiment's are as in the study's design."""

    horizon: Annotated[int, Ge(2)]
    runs: Runs
    # For the median of means, at most so many: as many as cut the runs of a policy into equal groups of more than six, so that the
    # bound of tossou2017's Proposition 4.1 is below one sigma. Footnotes of figures say how many.
    groups: Annotated[int, Ge(1)]
    block: Annotated[int, Ge(1)]  # runs in one simulate job
    checkpoints: Checkpoints
    runs_of_paper: Runs = (
        None  # the paper's own, if ours are more; `estimator: paper` takes the first ones
    )
    # Around curves: Gini's mean difference of the runs below the median of means, and of those above it, or two standard errors.
    band: Literal["deviations", "errors"] = "deviations"
    # The paper's own statistic: what checks judge, and the line of the panels that they judge.
    # Elsewhere the line is the median of means, or with `band: errors` the mean.
    statistic: Literal["mean", "mean_std", "median_of_means"] = "mean"
    columns: list[Literal["median", "locked_in"]] = []  # more of the summary's; a median is drawn
    # What is summarised, drawn and judged. nash_regret is one number for all runs; a summary has it beside the regret.
    quantity: Literal["regret", "nash_regret", "ctr_ratio"] = "regret"
    horizon_of_paper: Filled[int] = None  # where this scale's is shorter

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
    regret: Mapping[str, Any] = field(
        default_factory=dict
    )  # how it is counted (`Environment.curves`)
    reading: str = ""  # the only one that it belongs to, if there is one

    @property
    def id(self) -> str:
        """Its name within the experiment, where the corrected reading may have another series of this name."""
        return id_in(self.reading, self.name)


class Policy(Written):
    """An algorithm with its parameters: one curve, or with `sweep` one for each value. What differs between the readings, or is
    in one of them only, is a mapping: {alpha: {published: 2.4, corrected: 3.1}}."""

    label: str  # in legends; {epsilon:g} is the value of the parameter epsilon
    algorithm: (
        str | dict[Reading, str]
    )  # a module of dpbandits.algorithms, or one of your own, my_package.my_ucb
    takes: list[str] = []  # the parameters of the experiment that this policy receives
    parameters: InReadings = {}
    runs: Runs = None  # its number of runs at the paper's scale, if not the design's; smaller scales have no more
    more_runs: dict[
        str, Runs
    ] = {}  # experiment -> its number of runs there, where a few runs decide the mean
    # How its regret is counted, where the authors did not count all rounds against the best arm: {against: 1}, or
    # {leaving_out: one_round_per_doubling}; keyword parameters of the environment's `curves`.
    regret: InReadings = {}
    # One parameter and its values, each a series. Further parameters change with it: {epsilon: [0.1, 1], c: [0, 6]} has c = 0
    # at epsilon = 0.1 and c = 6 at epsilon = 1.
    sweep: Annotated[dict[str, Annotated[list[Scalar], MinLen(1)]], MinLen(1)] = None
    knows_horizon: bool = (
        False  # whether its first t rounds depend on the horizon; if not, they are a shorter game
    )
    # The readings in which it is our reconstruction: chosen so that most claims hold, or from drawn points alone. A
    # claim about experiments that fails only through it is untested there.
    reconstructed: list[Reading] = []
    audit_games: Annotated[int, Ge(1000)] = (
        0  # that measure its privacy at the paper's scale, if so many may refute it
    )
    id: Filled[str] = ""
    series: Filled[
        tuple[Series, ...]
    ] = ()  # several for a sweep or for two readings; they share their jobs

    @property
    def guest(self) -> bool:
        """Whether it is one of your own."""
        return isinstance(self, Guest)

    @property
    def swept(self) -> str:
        """The parameter that its sweep varies, if it has one."""
        return next(iter(self.sweep or ()), "")


class Guest(Policy):
    """A policy of your own, in config/config.yaml."""

    algorithm: str
    takes: list[str] = None  # if absent, the parameters that the algorithm has no default for
    knows_horizon: bool = True


def _with_kind(environment: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(kind := environment.get("kind"), str):
        raise ValueError(f"kind: {kind!r} should be the name of a kind of environment")
    return environment


# `kind`, a module of dpbandits.environments or of a package of your own; its parameters; and in an arena's figures a `label`.
Environment = Annotated[dict[str, Any], AfterValidator(_with_kind)]


class Experiment(Written):
    """An environment, the policies that play it, and the design: the series of both readings, or of one (`in_reading`).

    In a file it may have a `matrix` (studies/matrix.py), and then stands for several."""

    environment: Environment  # or the name of one of the study's environments
    parameters: Parameters = {}  # passed to the policies that take them
    design: Design = None
    smoke: Design = None  # at the smoke scale; what is left out is as in `design`
    # Another experiment on the same environment, whose random numbers it has: run i has the same arms in both. In an arena it
    # is a shorter or longer game of that experiment.
    stream: str = ""
    regret: InReadings = {}  # how the regret of all policies is counted here; a policy's own `regret` adds to it
    # Ids of policies, or a mapping from these to parameters that only this experiment changes, or all; then the policies.
    policies: (
        Names | Annotated[dict[str, Parameters | InstanceOf[Policy]], MinLen(1)] | Literal["all"]
    )
    runs: Runs = None  # the most runs of a policy that has a number of runs of its own
    # What in it is ours and may decide: an instance, a log, a horizon. A claim that fails only here is untested.
    reconstructed: str = ""
    id: Filled[str] = ""
    paper: Filled[str] = ""  # the id of its study, also of an arena
    reading: Filled[str] = ""  # if it has the series of one reading of two only

    @property
    def instance(self) -> str:
        """The experiment whose random numbers this one has: run i has the same arms in both."""
        return self.stream or self.id

    def in_reading(self, reading: str) -> Self:
        """The experiment with the series of one reading; itself if both readings share all series."""
        if self.reading or not any(series.reading for series in self.series.values()):
            return self
        found = {
            id: [s for s in policy.series if s.reading in ("", reading)]
            for id, policy in self.policies.items()
        }
        return self.with_series(found).model_copy(update={"reading": reading})

    @property
    def by_reading(self) -> tuple[Self, ...]:
        """The experiment in each of its readings, the published one first; itself alone if both share all series."""
        published, corrected = map(self.in_reading, (PUBLISHED, CORRECTED))
        return (self,) if published is corrected else (published, corrected)

    def with_series(self, series: Mapping[str, Iterable[Series]]) -> Self:
        """The experiment with these series of its policies."""
        found = {
            id: p.model_copy(update={"series": tuple(series[id])})
            for id, p in self.policies.items()
        }
        return self.model_copy(update={"policies": found})

    @property
    def series(self) -> dict[str, Series]:
        """All series by id, in the order of the legend."""
        return {series.id: series for policy in self.policies.values() for series in policy.series}

    @property
    def by_name(self) -> dict[str, Series]:
        """The series by name; of two readings (see `in_reading`) the corrected one."""
        return {series.name: series for series in self.series.values()}

    def spec(self, policy: str, seed: int) -> dict[str, Any]:
        """Everything that a simulation of a policy depends on, as plain data."""
        return {
            "paper": self.paper,
            "experiment": self.id,
            "stream": self.instance,
            "policy": policy,
            "environment": dict(self.environment),
            "horizon": self.design.horizon,
            "checkpoints": list(self.design.rounds),
            "series": {
                s.id: {key: getattr(s, key) for key in PLAYED} for s in self.policies[policy].series
            },
            "seed": seed,
        }

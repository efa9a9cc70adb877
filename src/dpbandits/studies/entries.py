"""Policies and experiments as a person types them in a study's file: each key with its type.

Editors show the docstrings of keys, through config/schema (`schema`). An optional key without a
default here has that of the class of the same name in `experiment` or `model`. An entry with
a `matrix` stands for several (`matrix`).
"""

from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from annotated_types import Ge, Le, MinLen
from pydantic import (
    AfterValidator,
    BeforeValidator,
    StringConstraints,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)

from dpbandits import looks
from dpbandits.parameters import Finite, Natural, Several, Words
from dpbandits.policies import POLICIES
from dpbandits.studies.strict_yaml import EXPANDED, NAME, TYPED, Entry, repeated

Reading = Literal["published", "corrected"]
Scalar = Annotated[int | float | str | bool, Words("a number, a string, true or false")]
# A larger number is a typing mistake: 10^30 rounds would be counted one by one before the refusal.
Recorded = Annotated[int, Ge(0), Le(10_000), Words("an integer from 0 to 10000")]
Parameters = dict[str, Scalar]  # `plan.validation` compares them with the algorithm's signature
InReadings = dict[str, Scalar | dict[Reading, Scalar]]
Slug = Annotated[
    str,
    StringConstraints(pattern=rf"^([a-z0-9]|{NAME})([a-z0-9.-]|{NAME})*$"),
    Words("small letters, digits, dots and hyphens"),
]
Id = Annotated[
    str,
    StringConstraints(pattern=rf"^([A-Za-z]|{NAME})([A-Za-z0-9-]|{NAME})*$"),
    Words("letters, digits and hyphens"),
]
Part = TypeVar("Part")


def _as_typed(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    validate(value)
    return value


def _is_expanded(name: str, info: ValidationInfo) -> str:
    if info.context != TYPED:
        raise ValueError(f"'{name}' is no variable of a matrix here")
    return name


def _as_text(value: Any, info: ValidationInfo) -> Any:
    """The text of a number that a matrix has put here."""
    is_number = info.context == EXPANDED and isinstance(value, int | float)
    return str(value) if is_number else value


def _each_once(names: list[str]) -> list[str]:
    if twice := repeated(names):
        raise ValueError(f"'{twice}' occurs twice; keep one of them")
    return names


def _one_by_one(texts: dict[str, str]) -> dict[str, str]:
    """{"a, b": text} as {a: text, b: text}."""
    pairs = [(key, text) for keys, text in texts.items() for key in keys.split(", ")]
    if twice := repeated(key for key, _ in pairs):
        raise ValueError(f"duplicate key '{twice}'; keep one of them")
    return dict(pairs)


def _with_kind(environment: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(kind := environment.get("kind"), str):
        raise ValueError(f"kind: {kind!r} should be the name of a kind of environment")
    return environment


AS_TYPED = WrapValidator(_as_typed)  # 1 stays 1, and 1.0 stays 1.0
Number = Annotated[Finite, AS_TYPED]
# An editor completes the shipped ones. A module of your own has any name.
Algorithm = Annotated[
    str,
    WithJsonSchema(
        {"anyOf": [{"enum": [*POLICIES.known]}, {"type": "string", "pattern": r"^[\w.{}]+$"}]}
    ),
]
Names = Annotated[list[str], MinLen(1), AfterValidator(_each_once)]
Name = Annotated[
    str,
    StringConstraints(pattern=f"^{NAME}$"),
    Words("a variable of a matrix, such as {name}"),
    AfterValidator(_is_expanded),
]
Text = Annotated[str, BeforeValidator(_as_text)]
Texts = Annotated[dict[str, Text], AfterValidator(_one_by_one)]  # a key may name several: "a, b"
Sweep = Annotated[dict[str, Annotated[list[Scalar], MinLen(1)] | Name], MinLen(1)]
Environment = Annotated[
    dict[str, Any],
    AfterValidator(_with_kind),
    WithJsonSchema({"type": "object", "required": ["kind"]}),
]
_LOOK = [{"enum": [*looks.COLOURS]}, {"enum": [*looks.MARKERS]}]
Look = Annotated[
    tuple[str, str],
    BeforeValidator(looks.valid),
    WithJsonSchema({"type": "array", "prefixItems": _LOOK, "minItems": 2, "maxItems": 2}),
]
# Variable -> its values, or key -> value. A key that is written as 4 is a number in YAML.
Matrix = Annotated[
    dict[
        str,
        Annotated[list[Scalar], MinLen(1)]
        | Annotated[dict[str | int, Scalar | list[Scalar] | Part], MinLen(1)],
    ],
    MinLen(1),
]


class CheckpointsPart(Entry):
    """The rounds after which a run is recorded; the last round always is."""

    first: Recorded = None
    """Number of rounds recorded at the beginning of a run."""
    log: Recorded = None
    """Number of rounds evenly spaced in log t."""
    linear: Recorded = None
    """Number of rounds evenly spaced in t."""
    least: Natural = None
    """No round before this one is recorded."""
    also: list[Natural] = None
    """Further rounds."""


class DesignPart(Entry):
    """Horizon, number of runs, and how they are summarised; other keys are as in the study's."""

    horizon: Several = None
    """Rounds of a game."""
    runs: Several = None
    """Games of each policy."""
    groups: Natural = None
    """For the median of means, the largest number of groups. There are as many as cut the runs of a
    policy into equal groups of more than six, so that the bound of tossou2017's Proposition 4.1 is
    below one sigma. Footnotes of figures say how many."""
    block: Natural = None
    """Runs in one simulate job."""
    checkpoints: CheckpointsPart = None
    """The rounds after which a run is recorded."""
    runs_of_paper: Natural = None
    """The paper's number of runs, if ours is larger; `estimator: paper` takes the first ones. If it
    is 1, footnotes say where the run that the authors drew lies among ours."""
    band: Literal["deviations", "errors", "range"] = None
    """Around curves: Gini's mean difference of the runs below the median of means, and of those
    above it (deviations, the default), two standard errors (errors), or all runs (range)."""
    statistic: Literal["mean", "mean_std", "median_of_means"] = None
    """The paper's own statistic (default: mean): what checks judge, and the line of the panels that
    they judge. Elsewhere the line is the median of means, or with `band: errors` the mean."""
    columns: list[Literal["median", "locked_in"]] = None
    """Further columns of the summary; a median is drawn."""
    quantity: Literal["regret", "nash_regret", "ctr_ratio"] = None
    """What is summarised, drawn and judged (default: regret). nash_regret is one number for all
    runs; a summary has it beside the regret."""


class DesignEntry(DesignPart):
    """The design of all experiments; each may change some of it."""

    needs: ClassVar = ("horizon", "runs", "groups", "block", "checkpoints")


class PolicyPart(Entry):
    """An algorithm with its parameters. What differs between the readings, or is in one of them
    only, is a mapping: {alpha: {published: 2.4, corrected: 3.1}}."""

    label: Text = None
    """In legends; {epsilon:g} is the value of the parameter epsilon."""
    algorithm: Algorithm | dict[Reading, Algorithm] = None
    """A module of dpbandits.policies, or one of your own: my_ucb, my_package.my_ucb."""
    takes: list[str] = []
    """The parameters of the experiment that this policy receives."""
    parameters: InReadings = {}
    """The policy's own parameters."""
    runs: Several = None
    """Its number of runs at the paper's scale, if not the design's; smaller scales have no more."""
    more_runs: dict[str, Several] = {}
    """Experiment -> the number of runs there, where a few runs decide the mean."""
    regret: InReadings = {}
    """How its regret is counted, where the authors did not count all rounds against the best arm:
    {against: 1}, or {leaving_out: one_round_per_doubling}; keyword parameters of the environment's
    `curves`."""
    sweep: str | Sweep = None
    """The name of one of the study's sweeps, or a parameter with its values, each a series. Further
    parameters change with it: {epsilon: [0.1, 1], c: [0, 6]} has c = 0 at epsilon = 0.1 and c = 6
    at epsilon = 1."""
    knows_horizon: bool = None
    """Whether its first t rounds depend on the horizon; if not, they are a shorter game."""
    reconstructed: list[Reading] = None
    """The readings in which it is our reconstruction: chosen so that most claims hold, or from
    drawn points alone. A claim that fails only through it is undecided there; one that holds only
    through it is marked."""
    source: Literal["authors' code", "authors' text", "a summary", "memory", "a textbook"] = None
    """What a policy of an arena rests on; a textbook also for plain baselines of our own."""

    @property
    def swept(self) -> str:
        """The parameter that its sweep varies, "" without one."""
        return next(iter(self.sweep or ()), "")


class PolicyEntry(PolicyPart):
    """A policy: one curve, or with `sweep` one for each value."""

    needs: ClassVar = ("label", "algorithm")
    matrix: Matrix[PolicyPart] = None
    """The policy stands for one of each combination; a plain value sets its parameter."""


class GuestEntry(PolicyPart):
    """A policy of your own, in config/config.yaml."""

    needs: ClassVar = ("label", "algorithm")
    algorithm: Algorithm = None
    takes: list[str] = None
    """If absent, the parameters that the algorithm has no default for."""
    look: Look = None
    """Its colour and its marker in figures: [sky, h]."""
    knows_horizon: bool = True


class ExperimentPart(Entry):
    """An environment, the policies that play it, and the design."""

    environment: str | dict[str, Any] = None
    """The name of one of the study's environments, or one: {kind: bernoulli, means: [0.9, 0.6]}."""
    parameters: Parameters = {}
    """Parameters for the policies that take them."""
    design: DesignPart = None
    """What differs from the study's design."""
    smoke: DesignPart = None
    """What differs at the smoke scale."""
    stream: str = ""
    """Another experiment on the same environment, whose random numbers it has: run i has the same
    arms in both. In an arena it is a shorter or longer game of that experiment."""
    regret: InReadings = {}
    """How the regret of all policies is counted here; a policy's own `regret` adds to it."""
    policies: Names | Annotated[dict[str, Parameters], MinLen(1)] | Literal["all"] = None
    """Ids of policies, a mapping from these to parameters that only this experiment changes, or
    all."""
    runs: Several = None
    """The most runs of a policy that has a number of runs of its own."""
    reconstructed: str = None
    """What in it is ours and may decide: an instance, a log, a horizon. A claim about experiments
    that fails only here is undecided; one that holds only here is marked."""


class ExperimentEntry(ExperimentPart):
    """An experiment."""

    needs: ClassVar = ("environment", "policies")
    matrix: Matrix[ExperimentPart] = None
    """The experiment stands for one of each combination; a plain value sets the parameter of its
    name, and of `environment` the environment."""

    @model_validator(mode="after")
    def _has_a_kind(self) -> Self:
        if isinstance(self.environment, dict) and not self.matrix:
            _with_kind(self.environment)
        return self

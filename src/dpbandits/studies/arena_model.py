"""The permitted content of config/arena.yaml, as pydantic models; its JSON Schema is generated from them."""

from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Len, MinLen
from pydantic import Field, StringConstraints

from dpbandits.studies.model import Checkpoints, Number, Once, Parameters, Slug, Written

Epsilons = Annotated[list[Annotated[Number, Gt(0)]], MinLen(1), Once]
Family = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z ]*$")]


class Game(Written):
    """Horizon, number of runs, and the rounds at which a run is recorded."""

    horizon: Annotated[int, Ge(2)]
    runs: Annotated[int, Ge(2)]
    checkpoints: Checkpoints = Checkpoints()


class SmallerGame(Written):
    """Changes of the game at a smaller scale."""

    horizon: Annotated[int, Ge(2)] = None
    runs: Annotated[int, Ge(2)] = None


class Scale(SmallerGame):
    """A smaller arena: shorter games, fewer runs, fewer instances and epsilons."""

    long: SmallerGame = SmallerGame()
    epsilons: Epsilons = None
    instances: Annotated[list[str], MinLen(1), Once] = None


class Scales(Written):
    """Changes of the design at the smaller scales."""

    draft: Scale
    smoke: Scale


class DrawnArms(Written):
    """Means drawn once, as in sarkar2025."""

    number_of_arms: int
    lowest: Number
    highest: Number
    draw: int


class Instance(Written):
    """Bernoulli arms: their means, or how these are drawn."""

    label: Annotated[str, Field(description="In figures; the instance's own name if absent.")] = ""
    means: Annotated[list[Number], Len(2, 256)] = None
    drawn_arms: DrawnArms = None


class Policy(Written):
    """An algorithm with its parameters; with `takes: [epsilon]` one series for each epsilon."""

    label: str
    family: Annotated[Family, Field(description="What kind of algorithm it is; claims may name all of a family.")]
    algorithm: Annotated[str, Field(description="A module of dpbandits.algorithms.arms.")]
    takes: Annotated[list[Literal["epsilon"]], Once] = []
    parameters: Parameters = {}
    runs: Annotated[int, Ge(2), Field(description="At the paper's scale, if not the design's.")] = None
    long: Annotated[bool, Field(description="Whether it also plays the long game.")] = False
    equal_privacy: Annotated[
        bool,
        Field(
            description="It spends more than it promises: it plays a second time at the epsilon at which it keeps the promise."
        ),
    ] = False


class Claim(Written):
    """A statement of ours about the arena, how it is measured, and the border of the measured number."""

    says: str
    measure: Annotated[dict[str, dict[str, Any]], Len(1, 1)]
    expect: Annotated[dict[Literal["at_most", "at_least", "below", "above"], Number], Len(1, 1)]
    cause: Annotated[str, Field(description="The cause in one sentence; shown where the claim does not hold.")] = ""


class Arena(Written):
    """config/arena.yaml."""

    title: str
    design: Game
    long: Game
    scales: Scales
    epsilons: Epsilons
    instances: Annotated[dict[Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]+$")], Instance], MinLen(1)]
    policies: Annotated[dict[Slug, Policy], MinLen(1)]
    left_out: Annotated[
        dict[str, dict[str, str]],
        Field(description="Policy, instance, and why the policy does not play this instance."),
    ] = {}
    claims: Annotated[dict[Annotated[str, StringConstraints(pattern=r"^R[0-9]+$")], Claim], MinLen(1)]

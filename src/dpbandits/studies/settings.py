"""The settings in config/config.yaml, which explains its keys."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, MinLen

from dpbandits.parameters import Natural, Positive, Seed, Words
from dpbandits.studies.guests import Guest
from dpbandits.studies.things import Slug, Thing

Games = Annotated[int, Ge(1000), Words("an integer of at least 1000")]


@dataclass(frozen=True)
class Effort(Thing):
    """How much is played to measure privacy at one scale."""

    epsilons: Annotated[list[Positive], MinLen(1)]
    """A policy is audited at those in its experiments, or at all if its experiments have none."""
    games: Games
    """On two neighbouring inputs together."""
    reports: Games
    """Of users with either reward together (local privacy)."""


@dataclass(frozen=True)
class Settings(Thing):
    """config/config.yaml."""

    seed: Seed
    scale: Literal["paper", "smoke"]
    estimator: Literal["default", "paper"]
    block: Literal["auto"] | Natural
    formats: Annotated[list[Literal["pdf", "png", "svg"]], MinLen(1)]
    audit: Annotated[dict[Literal["paper", "smoke"], Effort], MinLen(2)]
    published_points: bool | Literal["true", "false"] = True
    r6a: str = ""
    guests: dict[Slug, Guest] = field(default_factory=dict)

"""The settings in config/config.yaml, which explains its keys."""

from typing import Annotated, Literal

from annotated_types import Ge, MinLen

from dpbandits.parameters import Natural, Positive, Seed, Words
from dpbandits.studies.entries import GuestEntry, Slug
from dpbandits.studies.strict_yaml import Keys

GUESTS = "config/config.yaml: guests"  # begins messages about them
Games = Annotated[int, Ge(1000), Words("an integer of at least 1000")]


class Effort(Keys):
    """How much is played to measure privacy at one scale."""

    epsilons: Annotated[list[Positive], MinLen(1)]
    """A policy is audited at those in its experiments, or at all if its experiments have none."""
    games: Games
    """On two neighbouring inputs together."""
    reports: Games
    """Of users with either reward together (local privacy)."""


class Settings(Keys):
    """config/config.yaml."""

    seed: Seed
    scale: Literal["paper", "smoke"]
    estimator: Literal["default", "paper"]
    block: Literal["auto"] | Natural
    formats: Annotated[list[Literal["pdf", "png", "svg"]], MinLen(1)]
    published_points: bool | Literal["true", "false"] = True
    audit: Annotated[dict[Literal["paper", "smoke"], Effort], MinLen(2)]
    r6a: str = ""
    guests: dict[Slug, GuestEntry] = {}

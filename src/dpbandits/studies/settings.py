"""The permitted content of config/config.yaml, which explains its keys, as pydantic models."""

from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, MinLen
from pydantic import FiniteFloat

from dpbandits.studies.strict_yaml import Slug, Written

Games = Annotated[int, Ge(1000)]


class Effort(Written):
    """How much is played to measure privacy at one scale."""

    # Each policy is audited at those that some experiment has; if none has one, at all.
    epsilons: Annotated[list[Annotated[FiniteFloat, Gt(0)]], MinLen(1)]
    games: Games  # on two neighbouring inputs together
    reports: Games  # of users with either reward together (local privacy)


class Settings(Written):
    """config/config.yaml."""

    seed: Annotated[int, Ge(0)]
    scale: Literal["paper", "smoke"]
    estimator: Literal["default", "paper"]
    block: Literal["auto"] | Annotated[int, Ge(1)]
    submit_above: Annotated[int, Ge(0)]
    formats: Annotated[list[Literal["pdf", "png", "svg"]], MinLen(1)]
    published_points: bool | Literal["true", "false"] = True
    audit: Annotated[dict[Literal["paper", "smoke"], Effort], MinLen(2)]
    r6a: str = ""
    guests: dict[Slug, Any] = {}  # experiment.Guest

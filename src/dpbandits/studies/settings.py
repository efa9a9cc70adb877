"""The permitted content of config/config.yaml, as pydantic models."""

from typing import Annotated, Literal

from annotated_types import Ge, Gt, MinLen
from pydantic import FiniteFloat

from dpbandits.studies.strict_yaml import Once, Parameters, Slug, Written


class Guest(Written):
    """A policy of your own."""

    label: str
    """In legends; {epsilon:g} is the value of the parameter epsilon."""
    algorithm: str
    """A module of dpbandits.algorithms, or one of a package of your own, my_package.my_ucb."""
    takes: list[str] = None
    """The parameters of an experiment that it receives; if absent, those that the algorithm has no default for."""
    parameters: Parameters = {}
    """Values of its other parameters, the same in every experiment."""
    knows_horizon: bool = True
    """Whether its first t rounds depend on the horizon; if not, an earlier round of its game is the end of a shorter one."""
    papers: list[str] = None
    """Only in these papers; in all if absent."""


class Effort(Written):
    """How much is played to measure privacy at one scale."""

    epsilons: Annotated[list[Annotated[FiniteFloat, Gt(0)]], MinLen(1), Once]
    """Each policy is audited at those that some experiment has; if none has one, at all."""
    games: Annotated[int, Ge(1000)]
    """Games on two neighbouring inputs together."""
    reports: Annotated[int, Ge(1000)]
    """Reports of users with either reward together (local privacy)."""


class Settings(Written):
    """config/config.yaml."""

    seed: Annotated[int, Ge(0)]
    """Every random number of the runs follows from it."""
    scale: Literal["paper", "smoke"]
    """paper = the papers' horizons and runs; smoke = seconds, for tests."""
    estimator: Literal["default", "paper"]
    """default = as docs/method.md says; paper = each paper's own statistic over its own runs."""
    block: Literal["auto"] | Annotated[int, Ge(1)]
    """Runs in one simulate job; auto = as the paper files say. Results do not depend on it."""
    submit_above: Annotated[int, Ge(0)]
    """On a cluster, simulations that play fewer rounds run where Snakemake runs."""
    formats: Annotated[list[Literal["pdf", "png", "svg"]], MinLen(1), Once]
    """File formats of the figures."""
    published_points: bool | Literal["true", "false"] = True
    """Whether figures of the published reading show what the authors drew, where it is known as numbers, as circles."""
    audit: Annotated[dict[Literal["paper", "smoke"], Effort], MinLen(2)]
    """The games that measure privacy (docs/audit.md), at each scale."""
    r6a: str = ""
    """The folder with the ten files of Yahoo!'s news log R6A; empty if you have none."""
    guests: dict[Slug, Guest] = {}
    """Your own policies, drawn beside ours in every main figure whose parameters they take."""

"""The contract of a measure: what it returns (`Measurement`), what it declares (`@measure`), and when a number decides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Compares = Literal["series", "experiments", "series of experiments", "cells"]
DECIDING_ERRORS = 2.0  # standard errors between a number and the border
TWO_BORDERS = "within"  # the relation of a claim with two borders, `border` and `border_high`


class Measurement(NamedTuple):
    """A measured number."""

    value: float
    evidence: str  # where the number was found, for a reader
    error: float | None = None  # the standard error; if absent, the bootstrap's
    needed: float = DECIDING_ERRORS  # that many decide; more where the error comes from few runs


class NotMeasured(Exception):
    """The games are too short for a claim (at scales below the paper's)."""


@dataclass(frozen=True)
class Measure:
    """A function that measures runs, and what it declares of itself."""

    function: Callable[..., Measurement]
    compares: Compares
    deterministic: bool
    regret: bool


MEASURES: dict[str, Measure] = {}  # name -> measure, from all modules of measures that are imported


def measure(
    *, compares: Compares = "series", deterministic: bool = False, regret: bool = False
) -> Callable[[Callable[..., Measurement]], Callable[..., Measurement]]:
    """Register a function as the measure of its name.

    compares: series of one experiment; the same series in several `experiments` (its first argument is a `Together`);
        `series of experiments`, each of which need not be in all of them; or the `cells` of an arena.
    deterministic: the number does not depend on the runs, so it gets none of them and has no standard error.
    regret: the number is a regret, or a difference of two: at most the largest gap in every round.
    """

    def register(function: Callable[..., Measurement]) -> Callable[..., Measurement]:
        name = function.__name__
        if name in MEASURES:
            modules = f"{MEASURES[name].function.__module__} and {function.__module__}"
            raise ValueError(f"two measures are called '{name}', in {modules}; rename one of them")
        MEASURES[name] = Measure(function, compares, deterministic, regret)
        return function

    return register


def decide(measured: float, error: float, expect: Mapping[str, float], needed: float = DECIDING_ERRORS) -> str:
    """holds, fails, or undecided when the measurement is less than `needed` standard errors from the border."""
    verdicts = []
    for relation, border in expect.items():
        true = {
            "at_most": measured <= border,
            "at_least": measured >= border,
            "below": measured < border,
            "above": measured > border,
        }[relation]
        decided = error == 0 or abs(measured - border) >= needed * error
        verdicts.append(("holds" if true else "fails") if decided else "undecided")
    return next((verdict for verdict in ("fails", "undecided") if verdict in verdicts), "holds")

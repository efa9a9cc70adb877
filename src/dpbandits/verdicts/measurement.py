"""What a measure returns, and when its number decides: at two standard errors or more from the threshold."""

from collections.abc import Mapping
from typing import NamedTuple

from dpbandits.statistics.estimators import DECIDING_ERRORS

TWO_BORDERS = "within"  # the relation of a test with two thresholds, `border` and `border_high`


class Measurement(NamedTuple):
    """A measured number."""

    value: float
    evidence: str  # where the number was found, for a reader
    error: float | None = None  # the standard error; if absent, the bootstrap's
    needed: float = DECIDING_ERRORS  # that many decide; more where the error comes from few runs


class NotMeasured(Exception):
    """The games are too short for a test (at scales below the paper's)."""


def decide(measured: float, error: float, expect: Mapping[str, float], needed: float = DECIDING_ERRORS) -> str:
    """holds, fails, or undecided when the number is less than `needed` standard errors from a threshold."""
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


def border_of(expect: Mapping[str, float]) -> tuple[str, float, float | None]:
    """relation, threshold, and the upper threshold where there are two."""
    if len(expect) == 1:
        ((relation, border),) = expect.items()
        return relation, border, None
    return TWO_BORDERS, expect["at_least"], expect["at_most"]

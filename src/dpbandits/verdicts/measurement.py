"""What a measure returns: a number, its standard error, by the bootstrap unless the measure gives it, and when they decide."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dpbandits.statistics.estimators import DECIDING_ERRORS, students_t
from dpbandits.studies.sentence import RELATIONS
from dpbandits.verdicts.runs import NotMeasured, Runs

RESAMPLES = 200
FEW = 15  # runs: the error of a bootstrap over fewer needs Student's t


class Measurement(NamedTuple):
    """A measured number."""

    value: float
    evidence: str  # where the number was found, for a reader
    error: float | None = None  # the standard error; if absent, the bootstrap's
    needed: float = DECIDING_ERRORS  # that many decide; more where the error comes from few runs


def with_error(
    measure: Callable[[Sequence[Runs]], Measurement], parts: Sequence[Runs], rng: np.random.Generator
) -> Measurement:
    """What is measured on these runs, with the error of the bootstrap over runs unless the measure gives one.

    The bootstrap needs no formula and respects the dependence between the rounds of a run. The error is infinite if the number
    cannot be measured in one of its resamples.
    """
    found = measure(parts)
    if found.error is not None:
        return found
    drawn: list[dict[str, list]] = [{name: [] for name in part.of} for part in parts]
    for _ in range(RESAMPLES):  # as many runs of every series, drawn independently
        for part, samples in zip(parts, drawn, strict=True):
            for name, runs in part.of.items():
                samples[name].append(rng.integers(0, len(runs.values), len(runs.values)).astype(np.int32))
    resamples = [part.resampled(samples) for part, samples in zip(parts, drawn, strict=True)]
    try:
        values = [measure(resample).value for resample in zip(*resamples, strict=True)]
    except NotMeasured as reason:
        return found._replace(evidence=f"{found.evidence}; in a resample of the runs, {reason}", error=math.inf)
    error = float(np.std(values, ddof=1))
    error = error if error > 1e-12 * abs(found.value) else 0.0  # they differ in last bits only
    fewest = min(len(runs.values) for part in parts for runs in part.of.values())
    return found._replace(error=error, needed=_errors_needed(fewest))


def _errors_needed(runs: int) -> float:
    """How many errors of a bootstrap decide; of few runs Student's t, and the bootstrap's error is too small by sqrt((n - 1)/n)."""
    if runs >= FEW:
        return DECIDING_ERRORS
    return students_t(runs - 1) * math.sqrt(runs / (runs - 1)) if runs > 1 else math.inf


def decide(measured: float, error: float, thresholds: Mapping[str, float], needed: float = DECIDING_ERRORS) -> str:
    """holds, fails, or undecided when the number is less than `needed` standard errors from a threshold."""
    verdicts = set()
    for relation, border in thresholds.items():
        decided = error == 0 or abs(measured - border) >= needed * error
        verdicts.add(("holds" if RELATIONS[relation](measured, border) else "fails") if decided else "undecided")
    return next(verdict for verdict in ("fails", "undecided", "holds") if verdict in verdicts)

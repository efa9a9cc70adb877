"""The standard error of a measured number, by the bootstrap over runs.

It needs no formula and respects the dependence between the rounds of a run. A measure that pairs the runs of several series gives
its own error, and what does not depend on the runs (a ledger, a constant) has none.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from dpbandits.statistics.estimators import students_t
from dpbandits.verdicts.measurement import Measurement, NotMeasured
from dpbandits.verdicts.runs import Runs

RESAMPLES = 200
FEW = 15  # runs: the error of a bootstrap over fewer needs Student's t


def with_error(
    measure: Callable[[Sequence[Runs]], Measurement], parts: Sequence[Runs], rng: np.random.Generator
) -> Measurement:
    """What is measured on these runs, with the bootstrap's error unless the measure gives one; inf if a resample shows nothing."""
    found = measure(parts)
    if found.error is not None:
        return found
    fewest = min(part.fewest for part in parts)
    needed = max(found.needed, _errors_of_few(fewest)) if fewest < FEW else found.needed
    drawn = zip(*([part.draw(rng) for part in parts] for _ in range(RESAMPLES)), strict=True)
    samples = [part.resampled(each) for part, each in zip(parts, drawn, strict=True)]
    try:
        values = [measure(these).value for these in zip(*samples, strict=True)]
    except NotMeasured as reason:
        return found._replace(evidence=f"{found.evidence}; in a resample of the runs, {reason}", error=math.inf)
    error = float(np.std(values, ddof=1))
    error = error if error > 1e-12 * abs(found.value) else 0.0  # they differ in last bits only
    return found._replace(error=error, needed=needed)


def _errors_of_few(runs: int) -> float:
    """How many errors of a bootstrap over few runs decide: Student's t, and the bootstrap's error is too small by sqrt((n - 1)/n)."""
    return students_t(runs - 1) * math.sqrt(runs / (runs - 1)) if runs > 1 else math.inf

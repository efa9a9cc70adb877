"""How often the rules for answers err: the table in docs/method.md, "Answers".

    .venv/bin/python benchmarks/error_rates.py [repetitions, 2000 if left out]

The mean of runs of a known law is judged against a threshold, or two means are judged by a third:
are they closer to each other (in logarithms) than the nearer one is to the third? The truth is a
number of true standard errors from the threshold.
"""

import itertools
import math
import sys

import numpy as np

from dpbandits.checks.measurement import RESAMPLES, Measurement, decide

RUNS = (100, 1000)
SHARE, LOSS = 0.01, 100.0  # of the runs that lose more, and how much
MEAN = 1 - SHARE + SHARE * LOSS
# Law -> its mean and its standard deviation.
LAWS = {
    "exponential": (1.0, 1.0),
    "1% lose 100 times as much": (
        MEAN,
        math.sqrt(2 * (1 - SHARE) + SHARE * LOSS**2 - MEAN**2),
    ),
}
DISTANCES = {
    "three errors inside": 3,
    "one error inside": 1,
    "at the threshold": 0,
    "one error outside": -1,
    "three errors outside": -3,
}


def draws(law: str, rng: np.random.Generator, size: int) -> np.ndarray:
    """Runs of a law."""
    if law == "exponential":
        return rng.exponential(size=size)
    return np.where(rng.random(size) < SHARE, LOSS, rng.exponential(size=size))


def rates(
    law: str, runs: int, distance: float, repetitions: int, *, alike: bool = False
) -> tuple[float, float]:
    """The shares of repetitions in which a statement holds and fails.

    It says that a mean is at most a threshold, or that two means are `alike`. The two are ten
    errors from each other.
    """
    rng = np.random.default_rng([1, runs, int(10 * distance) + 100, len(law), alike])
    mean, sd = LAWS[law]
    error, levels, threshold = sd / math.sqrt(runs), np.ones(1), 1.0
    if alike:
        steps = np.array([0, 10, 20 + math.sqrt(6) * distance]) * error / mean
        levels = np.exp(steps)
    else:
        threshold = mean + distance * error

    def measured(means: np.ndarray) -> np.ndarray:
        if alike:
            first, second = np.abs(np.diff(np.log(means), axis=0))
            return np.exp(first - second)
        return means[0]

    verdicts = []
    for _ in range(repetitions):
        policies = [level * draws(law, rng, runs) for level in levels]
        means = [p[rng.integers(0, runs, (RESAMPLES, runs))].mean(axis=1) for p in policies]
        number = measured(np.array([[p.mean()] for p in policies]))[0]
        spread = float(np.std(measured(np.array(means)), ddof=1))
        measurement = Measurement(float(number), "", spread)
        verdicts.append(decide(measurement, {"at_most": threshold}))
    return verdicts.count("holds") / repetitions, verdicts.count("fails") / repetitions


def main(repetitions: int) -> None:
    """Print the table, a row for each distance: the ranges over laws and numbers of runs."""
    print("| the truth is | holds | fails | alike holds | alike fails |")
    print("|---|---:|---:|---:|---:|")
    for name, distance in DISTANCES.items():
        cells = []
        for alike in (False, True):
            shares = [
                rates(law, runs, distance, repetitions, alike=alike)
                for law, runs in itertools.product(LAWS, RUNS)
            ]
            cells += [f"{min(each):.1%} to {max(each):.1%}" for each in zip(*shares, strict=True)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)

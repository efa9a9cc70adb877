"""How often the rule for checks errs: the table in docs/method.md, "Verdicts".

    .venv/bin/python benchmarks/error_rates.py [repetitions, 2000 if left out]

The mean of runs of a known law is judged against a threshold. The distance of the threshold from
the true mean is a number of true standard errors.
"""

import itertools
import math
import sys

import numpy as np

from dpbandits.checks.measurement import RESAMPLES, decide

RUNS = (100, 1000)
LAWS = ("exponential", "1% lose 100 times as much")
DISTANCES = {
    "three errors inside": 3,
    "one inside": 1,
    "at the threshold": 0,
    "one outside": -1,
    "three outside": -3,
}


def draws(law: str, rng: np.random.Generator, size: int) -> tuple[np.ndarray, float, float]:
    """Runs of a law, its mean and its standard deviation."""
    if law == "exponential":
        return rng.exponential(size=size), 1.0, 1.0
    share, loss = 0.01, 100.0
    runs = np.where(rng.random(size) < share, loss, rng.exponential(size=size))
    mean = 1 - share + share * loss
    return runs, mean, math.sqrt(2 * (1 - share) + share * loss**2 - mean**2)


def rates(
    law: str, runs: int, distance: float, repetitions: int, seed: int = 1
) -> tuple[float, float]:
    """The shares of repetitions in which "the mean is at most the threshold" holds and fails."""
    rng, verdicts = np.random.default_rng([seed, runs, int(10 * distance) + 100, len(law)]), []
    for _ in range(repetitions):
        values, mean, sd = draws(law, rng, runs)
        resampled = values[rng.integers(0, runs, (RESAMPLES, runs))].mean(axis=1)
        error = float(np.std(resampled, ddof=1))
        verdicts.append(
            decide(float(values.mean()), error, {"at_most": mean + distance * sd / math.sqrt(runs)})
        )
    return verdicts.count("holds") / repetitions, verdicts.count("fails") / repetitions


def main(repetitions: int) -> None:
    """Print the table, a row for each distance: the ranges over laws and numbers of runs."""
    print("| the truth is | holds | fails |\n| --- | ---: | ---: |")
    for name, distance in DISTANCES.items():
        shares = [
            rates(law, runs, distance, repetitions) for law, runs in itertools.product(LAWS, RUNS)
        ]
        cells = [f"{min(each):.1%} to {max(each):.1%}" for each in zip(*shares, strict=True)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)

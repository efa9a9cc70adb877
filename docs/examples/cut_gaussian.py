"""Arms whose rewards are Gaussian and cut to [0, 1]: a number below 0 counts as 0, one above 1 as 1."""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.bandits.stochastic import Stochastic
from dpbandits.parameters import Mean, Positive


class CutGaussianArms(NamedTuple):
    """`centres` and `sd` are those of the Gaussian distributions, `means` the means after the cut."""

    means: np.ndarray
    centres: np.ndarray
    sd: float

    def reward(self, rng, a):
        return min(max(rng.normal(self.centres[a], self.sd), 0.0), 1.0)

    def rewards(self, rng, a, m):
        total = 0.0
        for _ in range(m):
            total += min(max(rng.normal(self.centres[a], self.sd), 0.0), 1.0)
        return total


def cut_gaussian(*, centres: list[Mean], sd: Positive) -> Stochastic:
    """The environment `{kind: cut_gaussian, centres: [...], sd: ...}` of a paper file; the function has the module's name."""
    means = np.array([mean_after_cut(centre, sd) for centre in centres])
    return Stochastic(CutGaussianArms(means, np.array(centres), sd), shuffled=False)


def mean_after_cut(centre: float, sd: float) -> float:
    """The integral of min(max(x, 0), 1) over the Gaussian distribution."""
    low, high = -centre / sd, (1 - centre) / sd
    inside = centre * (below(high) - below(low)) + sd * (density(low) - density(high))
    return inside + 1 - below(high)


def below(x: float) -> float:
    """The probability that a standard Gaussian is below x."""
    return (1 + math.erf(x / math.sqrt(2))) / 2


def density(x: float) -> float:
    """The density of a standard Gaussian at x."""
    return math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)

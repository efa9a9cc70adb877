"""Arms with Gaussian rewards that are cut to [0, 1]: below 0 they count as 0, above 1 as 1."""

import math
from collections.abc import Sequence

from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.parameters import Mean, Positive


class CutGaussian(ArmsBandit):
    """Arms whose rewards are Gaussian, cut to [0, 1].

    Parameters
    ----------
    centres : sequence of float
        The mean of each arm's Gaussian distribution, before the cut.
    sd : float
        The standard deviation of all of them.
    """

    centres: Sequence[Mean]
    sd: Positive

    def constants(self):
        means = [mean_after_cut(centre, self.sd) for centre in self.centres]
        return {"means": means, "centres": self.centres}

    def reward(self, rng, a):
        return min(max(rng.normal(self.centres[a], self.sd), 0.0), 1.0)


def mean_after_cut(centre: float, sd: float) -> float:
    """Return the integral of min(max(x, 0), 1) over the Gaussian distribution."""
    low, high = -centre / sd, (1 - centre) / sd
    inside = centre * (below(high) - below(low)) + sd * (density(low) - density(high))
    return inside + 1 - below(high)


def below(x: float) -> float:
    """Return the probability that a standard Gaussian is below x."""
    return (1 + math.erf(x / math.sqrt(2))) / 2


def density(x: float) -> float:
    """Return the density of a standard Gaussian at x."""
    return math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)

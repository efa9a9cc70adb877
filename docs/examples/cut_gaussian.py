"""Arms whose rewards are Gaussian and cut to [0, 1]: below 0 they count as 0, above 1 as 1."""

from collections.abc import Sequence
from statistics import NormalDist

from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.parameters import Mean, Positive


class CutGaussian(ArmsBandit):
    """Arms with Gaussian rewards; `centres` and `sd` are those before the cut."""

    centres: Sequence[Mean]
    sd: Positive

    def constants(self):
        """Return the means after the cut, from which the regret is computed."""
        means = [mean_after_cut(NormalDist(centre, self.sd)) for centre in self.centres]
        return {"means": means, "centres": self.centres}

    def reward(self, rng, a):
        """Draw one reward."""
        return min(max(rng.normal(self.centres[a], self.sd), 0.0), 1.0)


def mean_after_cut(law):
    """Return the integral of min(max(x, 0), 1) over a Gaussian distribution."""
    inside = law.mean * (law.cdf(1) - law.cdf(0)) + law.variance * (law.pdf(0) - law.pdf(1))
    return inside + 1 - law.cdf(1)

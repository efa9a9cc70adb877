"""Thompson sampling on totals with Gaussian noise, released after 1, 2, 4, ... pulls of an arm."""

import math

from dpbandits.drivers.posterior import PosteriorPolicy, observe
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import GAUSSIAN, Account, Ledger, rho_of


class GaussianThompson(PosteriorPolicy):
    """Play the arm with the largest theta ~ Beta, which learns from noisy totals."""

    epsilon: Positive
    delta: Probability = 1e-6

    def constants(self, horizon, number_of_arms):
        """Return the noise: all totals that have a reward share the promise."""
        rho = rho_of(self.epsilon, self.delta)
        return {"sd": math.sqrt(horizon.bit_length() / (2 * rho))}

    def learn(self, releases, theta, a, r, n, t):
        """Release the total of an arm after 1, 2, 4, ... pulls."""
        if n[a] & (n[a] - 1) == 0:
            observe(theta, a, releases.gaussian(r[a], self.sd), n[a], t)

    def privacy(self, horizon, number_of_arms):
        """The first reward of an arm is in all of its totals."""
        sd, times = self.constants(horizon, number_of_arms)["sd"], horizon.bit_length()
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=sd, law=GAUSSIAN, times=times)
        return Account(self.epsilon, self.delta, ledger)

"""TS-CF, Thompson sampling on randomised responses: Gajane, Urvoy & Kaufmann (2018), Algorithm 2.

Users report as in `rr_kl_ucb`, by their eq. 2. Arm a has the posterior Beta(successes + 1, failures
+ 1) on the mean g(q_a) of its reports. The policy draws theta_a for every arm, and plays the
largest g^-1(theta_a). Here all arms have the same increasing g, so this is the largest theta_a,
even if no q in [0, 1] belongs to it. The paper clips no theta_a.
"""

import numpy as np

from dpbandits.drivers.posterior import PosteriorPolicy, observe
from dpbandits.parameters import Positive
from dpbandits.privacy.reports import RandomisedResponse


class TSCF(RandomisedResponse, PosteriorPolicy):
    """successes: the sum of an arm's reports. There are no initial pulls."""

    epsilon: Positive

    def state(self, number_of_arms):
        return {"successes": np.zeros(number_of_arms)}

    def learn(self, releases, theta, a, r, n, t):
        self.successes[a] += self.report(releases, r[a])
        r[a] = 0.0  # keep no raw reward
        observe(theta, a, self.successes[a], n[a], t)

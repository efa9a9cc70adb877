"""Thompson sampling whose rewards arrive in batches.

Chapelle & Li (2011), "An empirical evaluation of Thompson sampling", on delayed feedback, whom
Mishra & Thakurta (2015) credit.
"""

import numpy as np

from dpbandits.drivers.posterior import PosteriorPolicy, observe
from dpbandits.parameters import Natural


class DelayedThompson(PosteriorPolicy):
    """Thompson sampling that sees its rewards after every `delay` rounds; 1 is no delay."""

    delay: Natural = 1

    def state(self, number_of_arms):
        """seen: how many rewards of each arm have arrived."""
        return {"seen": np.zeros(number_of_arms, np.int64)}

    def learn(self, releases, theta, a, r, n, t):
        if t % self.delay == 0:
            for b in range(n.size):
                if self.seen[b] < n[b]:
                    self.seen[b] = n[b]
                    observe(theta, b, r[b], n[b], t)

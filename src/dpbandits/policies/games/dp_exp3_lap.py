"""DP-EXP3-Lap: tossou2017, the wrapper DP-Lambda-Lap (section 3.1) around EXP3.

Constants are those of Corollary 3.1. The player observes each gain once, with Laplace noise of
scale 1/epsilon. A noisy gain within b = ln T/epsilon of [0, 1] is rescaled to [0, 1] and given to
EXP3; others, on average at most one in T, are ignored.
"""

import math
from dataclasses import replace

from dpbandits.drivers.exp3_weights import add_gain, choose, fresh_weights
from dpbandits.kernels import step
from dpbandits.parameters import Positive
from dpbandits.policy import GamePolicy
from dpbandits.privacy.ledger import released_once
from dpbandits.theory.exp3_constants import gamma_of, noise_epsilon


class DPEXP3Lap(GamePolicy):
    """EXP3 on noisy gains; the default of epsilon is that of Corollary 3.2."""

    epsilon: Positive | None = None

    def play(self, run):
        """Play one run. gamma is that of EXP3 over T rounds.

        The paper does not adapt it to the gains' new scale 2b + 1.
        """
        T, K = run.horizon, run.K
        epsilon, gamma = noise_epsilon(T, K, self.epsilon), gamma_of(T, K)
        dp_exp3_lap(run, fresh_weights(K), gamma, epsilon, math.log(T) / epsilon)

    def privacy(self, horizon, number_of_arms):
        """Theorem 3.2: each gain is in one release, of sensitivity 1."""
        epsilon = noise_epsilon(horizon, number_of_arms, self.epsilon)
        return replace(released_once(epsilon, horizon), neighbours="one gain")


@step
def dp_exp3_lap(run, weights, gamma, epsilon, b):
    """r: the released gain."""
    for _ in range(run.horizon):
        a, p = choose(run.releases, weights, gamma)
        r = run.releases.laplace(run.play(a)[0], 1 / epsilon)
        if -b <= r <= b + 1:
            add_gain(weights, gamma, a, (r + b) / (2 * b + 1) / p)
        else:
            run.ignore()

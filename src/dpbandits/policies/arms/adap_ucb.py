"""AdaP-UCB: Azize & Basu (2022), Algorithm 1 with the index of their equation 7.

    pull each arm once and release its reward, with Lap(1/epsilon)
    while rounds are left:              an episode, whose first round is t
        A = argmax I_a (`AdaPUCB`)      mu_a is the mean that was released last, and h_a the number of its rewards
        pull A as often as it has been pulled before
        release the mean of these pulls alone, with Lap(1/(epsilon m)) for m of them

The private mean is not clipped to [0, 1]: eq. 7 has no clipping. Two repairs: the paper does not say that the K first rewards
are released with noise, without which they are not private; and it writes 1/2 N_a for the number of rewards in the mean,
where an arm with one pull has one, not half of one.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.episodes import account_of_episodes, episode_rule, play_in_episodes
from dpbandits.parameters import Positive
from dpbandits.random import laplace

privacy = account_of_episodes


def play(rng, arms, horizon, journal, *, epsilon: Positive, alpha: Positive = 3.1):
    """Play one run. The theory asks for alpha > 3; 3.1 is the value in their experiments."""
    play_in_episodes(rng, arms, horizon, journal, AdaPUCB(epsilon, alpha))


@episode_rule
class AdaPUCB(NamedTuple):
    """I_a = mu_a + sqrt(alpha ln t/(2 h_a)) + alpha ln t/(epsilon h_a)."""

    epsilon: float
    alpha: float

    def index_at(self, mu, h, t):
        L = self.alpha * math.log(t)
        return mu + math.sqrt(L / (2 * h)) + L / (self.epsilon * h)

    def release(self, rng, a, mu, h, total, m):
        return total / m + laplace(rng, 1 / (self.epsilon * m)), m

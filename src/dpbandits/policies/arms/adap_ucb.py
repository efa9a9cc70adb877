"""AdaP-UCB: Azize & Basu (2022), Algorithm 1 with the index of their equation 7.

    pull each arm once and release its reward, with Lap(1/epsilon)
    while rounds are left:              an episode, whose first round is t
        A = argmax I_a                  mu_a: the mean released last, of h_a rewards
        pull A as often as it has been pulled before
        release the mean of these pulls alone, with Lap(1/(epsilon m)) for m of them

The private mean is not clipped to [0, 1]: eq. 7 has no clipping. Two repairs: the paper does not
say that the K first rewards are released with noise, without which they are not private. It writes
1/2 N_a for the number of rewards in the mean, where an arm with one pull has one, not half of one.
"""

import math

from dpbandits.drivers.episodes import SumsOfEpisodes
from dpbandits.parameters import Positive


class AdaPUCB(SumsOfEpisodes):
    """I_a = mu_a + sqrt(alpha ln t/(2 h_a)) + alpha ln t/(epsilon h_a)."""

    alpha: Positive = 3.1  # of their experiments; the theory needs alpha > 3

    def index(self, mu, h, t):
        L = self.alpha * math.log(t)
        return mu + math.sqrt(L / (2 * h)) + L / (self.epsilon * h)

    def update(self, releases, a, mu, h, total, m):
        return self.released(releases, total) / m, m

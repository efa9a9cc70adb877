"""AdaP-UCB: Azize & Basu (2022), Algorithm 1 with the index of their eq. 7.

Each episode doubles an arm's pulls and releases the mean of the second half of them, which are h_a rewards
(`_adaptive_episodes`). The private mean is not clipped to [0, 1]: eq. 7 has no clipping.
"""

import math

from dpbandits.algorithms.arms._adaptive_episodes import InitialH, episodes_privacy, first_pulls, frame, play_episode
from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.kernels.compiled import kernel
from dpbandits.parameters import Positive

check = one_pull_of_each
privacy = episodes_privacy
nanoseconds = {"episode": 1000}  # one draw, and one index per arm


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    alpha: Positive = 3.1,  # the value in their experiments
    init_noise: bool = True,
    init_h: InitialH = "one",
):
    """Play one run. The theory asks for alpha > 3."""
    adap_ucb(rng, arms, horizon, journal, frame(epsilon, init_noise, init_h), alpha)


@kernel
def adap_ucb(rng, arms, horizon, journal, frame, alpha):
    """I_a = mu_a + sqrt(alpha ln t/(2 h_a)) + alpha ln t/(epsilon h_a) in the first round of each episode."""
    K = arms.means.size
    means = first_pulls(rng, arms, horizon, journal, frame)
    t = K
    while t < horizon:
        L = alpha * math.log(t + 1)
        a, best = 0, -math.inf
        for b in range(K):
            index = means.mu[b] + math.sqrt(L / (2 * means.h[b])) + L / (frame.epsilon * means.h[b])
            if index > best:
                a, best = b, index
        t = play_episode(rng, arms, horizon, journal, frame, means, t, a)

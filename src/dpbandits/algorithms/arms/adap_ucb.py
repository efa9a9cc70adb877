"""AdaP-UCB: Azize & Basu (2022), Algorithm 1 with the index of their eq. 7.

Each episode doubles an arm's pulls and releases the mean of the second half of them, which are h_a rewards
(`_adaptive_episodes`). The private mean is not clipped to [0, 1]: eq. 7 has no clipping.
"""

import math

from dpbandits.algorithms.arms._adaptive_episodes import (
    InitialH,
    RegretCount,
    episodes_privacy,
    first_pulls,
    frame,
    play_episode,
)
from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.kernels.compiled import kernel
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account


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
    regret_count: RegretCount = "all",
):
    """Play one run. The theory asks for alpha > 3."""
    adap_ucb(rng, arms, horizon, journal, frame(epsilon, init_noise, init_h, regret_count), alpha)


check = one_pull_of_each


def privacy(horizon, number_of_arms, *, epsilon, init_noise=True, **_) -> Account:
    """Every reward is in one released mean."""
    return episodes_privacy(horizon, number_of_arms, epsilon, init_noise)


def nanoseconds(horizon, number_of_arms, **_):
    """Proportional to episodes, not rounds: at most log2 T per arm, each with one draw and one index per arm."""
    return 1000 * number_of_arms * horizon.bit_length()


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

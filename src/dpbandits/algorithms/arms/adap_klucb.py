"""AdaP-KLUCB: Azize & Basu (2022), Algorithm 1 with the index of their eq. 8.

Other readings of eq. 8 are candidates for what the figures show: the private term without alpha (`kl_bonus: one`) and
with epsilon capped in that term but not in the noise (`eps_cap`), which are our reconstruction of Figure 3, and half the
exploration budget (`kl_budget: alpha/2`).
"""

import math
from typing import Literal

from dpbandits.algorithms.arms._adaptive_episodes import InitialH, episodes_privacy, first_pulls, frame, play_episode
from dpbandits.algorithms.arms._bernoulli_kl import above, kl_index
from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.kernels.compiled import kernel
from dpbandits.parameters import Positive
from dpbandits.privacy.releases import SHORT, STREAM, AuditSettings, Setting

check = one_pull_of_each
privacy = episodes_privacy
nanoseconds = {"episode": 1500}  # as AdaP-UCB, but an index is computed by bisection


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    alpha: Positive = 3.1,  # of their experiments
    kl_bonus: Literal["alpha", "one"] = "alpha",
    kl_budget: Literal["alpha", "alpha/2"] = "alpha",
    eps_cap: Positive = math.inf,
    init_noise: bool = True,
    init_h: InitialH = "one",
):
    """Play one run. The theory asks for alpha > 3."""
    bonus = (alpha if kl_bonus == "alpha" else 1.0) / min(epsilon, eps_cap)
    budget = alpha if kl_budget == "alpha" else alpha / 2
    adap_klucb(rng, arms, horizon, journal, frame(epsilon, init_noise, init_h), bonus, budget)


def audited(epsilon, *, alpha=3.1, kl_bonus="alpha", eps_cap=math.inf, **_) -> AuditSettings:
    """Short games, and some in which both indices fall below 1, so that the rewards decide: without rewards or noise arm 0 is
    pulled T/4 times, then arm 1, and reward 3T/8 + 1 is in the mean by which arm 1 is compared with arm 0 at round T/2 + 1.
    If arm 1 pays more, they are compared at round 3T/4 + 1, where its mean has half the noise: what is seen is the noise of arm 0, whose
    last reward is number T/4 + 1. With this gap the private terms of both indices make up for it."""
    T = 64
    while alpha * (1 / epsilon + 0.5) * math.log(T) > T / 8:
        T *= 2
    caught_up = Setting(2, T, ("zeros",), (3 * T // 8 + 1,), told=8, played=16)
    bonus = (alpha if kl_bonus == "alpha" else 1.0) / min(epsilon, eps_cap)
    gap = min(4 * bonus * math.log(3 * T / 4) / T, 1.0)
    at_border = Setting(2, T, ("behind",), (T // 4 + 1,), gap=gap, told=8, played=16)
    return AuditSettings((SHORT, caught_up, at_border), (STREAM,))


@kernel
def adap_klucb(rng, arms, horizon, journal, frame, bonus, budget):
    """I_a = max{q : kl(x_a, q) <= budget ln t/h_a}, x_a = mu_a + bonus ln t/h_a clipped to [0, 1]."""
    K = arms.means.size
    means = first_pulls(rng, arms, horizon, journal, frame)
    t = K
    while t < horizon:
        log_t = math.log(t + 1)
        a, best = 0, -math.inf
        for b in range(K):
            x = min(max(means.mu[b] + bonus * log_t / means.h[b], 0.0), 1.0)
            share = budget * log_t / means.h[b]
            if above(x, share, best):
                index = kl_index(x, share)
                a, best = (b, index) if index > best else (a, best)
        t = play_episode(rng, arms, horizon, journal, frame, means, t, a)

"""DP-KLUCB: Azize, Wu, Honda, Orabona, Ito & Basu (2025), KL-UCB in phases, without forgetting.

    pull each arm once
    while t < T:                       a phase of one arm, whose first round is t + 1
        A = argmax of an index         of the sums released so far
        pull A until it has `growth` times as many pulls as before (cut at T)
        release the sum of these rewards alone, with Lap(1/epsilon)

The estimate of an arm is the sum of all its released sums over its pulls, clipped to [0, 1]: old phases are kept, each with
its noise. The index measures the distance to it by the divergence that also is in the paper's lower bound,

    d_epsilon(x, y) = min over z between x and y of kl(z, y) + epsilon |z - x|,

kl for a large epsilon and epsilon |y - x| for a small one.
"""

import math
from typing import Annotated

import numpy as np
from annotated_types import Gt, Le

from dpbandits.algorithms.arms._bernoulli_kl import kl
from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.environments.arms import note_span, pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger

Growth = Annotated[float, Gt(1), Le(16)]


def play(rng, arms, horizon, journal, *, epsilon: Positive, growth: Growth = 2.0):
    """Play one run."""
    dp_klucb(rng, arms, horizon, journal, epsilon, growth)


check = one_pull_of_each


def privacy(horizon, number_of_arms, *, epsilon, growth=2.0) -> Account:
    """The account of an arm that is pulled in every round: each reward is in one released sum."""
    ledger = Ledger(horizon)
    pulled = 0
    while pulled < horizon:
        m = min(phase_length(pulled, growth), horizon - pulled)
        ledger.release(pulled + 1, pulled + m, sensitivity=1.0, scale=1 / epsilon)
        pulled += m
    return Account(epsilon, 0.0, ledger, releases="sums")


def nanoseconds(horizon, number_of_arms, *, growth=2.0, **_):
    """An index is computed by bisection, once for every arm and phase."""
    return 4000 * number_of_arms**2 * math.log(horizon) / math.log(growth)


@kernel
def dp_klucb(rng, arms, horizon, journal, epsilon, growth):
    """I_a = max{q : n_a d_epsilon(x_a, q) <= ln t}, x_a = s_a/n_a clipped to [0, 1]."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    t = 0
    while t < horizon:
        a, best = t, -1.0
        if t >= K:
            for b in range(K):
                q = index_of(min(max(s[b] / pulls[b], 0.0), 1.0), math.log(t + 1) / pulls[b], epsilon)
                if q > best:
                    a, best = b, q
        t = play_phase(rng, arms, horizon, journal, t, a, s, pulls, epsilon, growth)


@kernel
def play_phase(rng, arms, horizon, journal, t, a, s, pulls, epsilon, growth):
    """Pull arm a to the end of its phase, release the sum of the phase, and return its last round."""
    m = min(phase_length(pulls[a], growth), horizon - t)
    note_span(journal, t, m, pulls, a)
    s[a] += pull_many(rng, arms, a, m) + laplace(rng, 1 / epsilon)
    pulls[a] += m
    return t + m


@kernel
def phase_length(pulls, growth):
    """The number of pulls in the phase of an arm that has been pulled so often."""
    return max(1, math.ceil(growth * pulls) - pulls)


@kernel
def divergence(x, y, epsilon):
    """d_epsilon(x, y) for x <= y. The derivative of kl(z, y) + epsilon z is 0 where the odds of z are e^-epsilon those of y."""
    if x >= y:
        return 0.0
    z = max(x, y * math.exp(-epsilon) / (1 - y + y * math.exp(-epsilon)))
    return kl(z, y) + epsilon * (z - x)


@kernel
def index_of(x, budget, epsilon):
    """The largest q in [x, 1] with d_epsilon(x, q) <= budget, rounded down: 40 bisections."""
    if divergence(x, 1.0, epsilon) <= budget:
        return 1.0
    low, high = x, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if divergence(x, middle, epsilon) <= budget:
            low = middle
        else:
            high = middle
    return low

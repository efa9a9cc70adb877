"""Phases of one arm whose sums are kept, for DP-KLUCB and DP-IMED: Azize, Wu, Honda, Orabona, Ito & Basu, "Optimal
Regret of Bandits under Differential Privacy" (2025). Known from the abstract and a reader's summary, not from the
paper's text.

    pull each arm once
    while t < T:                       a phase of one arm, whose first round is t + 1
        A = the arm that an index chooses
        pull A until it has `growth` times as many pulls as before (cut at T)
        add the sum of these rewards, with Lap(1/epsilon), to s_A

Nothing is forgotten: s_A has the noise of all phases. Both indices compare x_A = s_A/n_A, clipped to [0, 1], with a
mean y by

    d_epsilon(x, y) = min over z between x and y of epsilon |z - x| + kl(z, y).

The theory lets `growth` be any factor above 1. Ours are its default of 2, the first phase of one pull and the rounding.
The choice matters: d_epsilon allows for one Laplace number, which is right in the long run, where the others are
negligible. With many short phases at the start and a small epsilon, a few runs in a hundred have so unlucky a sum of
noises that the best arm is not played again for most of the game (tests/algorithms/arms/test_growing_phases.py computes
how many).
"""

import math
from typing import Annotated

from annotated_types import Gt, Le
from numba.extending import register_jitable

from dpbandits.algorithms.arms._bernoulli_kl import kl, kl_index
from dpbandits.environments.arms import note_span, pull_many
from dpbandits.kernels.compiled import kernel, step
from dpbandits.kernels.sampling import laplace
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.releases import NOISY_MAX, SHORT, STREAM, AuditSettings, Setting

Growth = Annotated[float, Gt(1), Le(16)]


def phases_privacy(horizon, number_of_arms, *, epsilon, growth=2.0) -> Account:
    """The account of an arm that is pulled in every round: each reward is in one released sum."""
    ledger = Ledger(horizon)
    pulled = 0
    while pulled < horizon:
        m = min(phase_length(pulled, growth), horizon - pulled)
        ledger.release(pulled + 1, pulled + m, sensitivity=1.0, scale=1 / epsilon)
        pulled += m
    return Account(epsilon, 0.0, ledger, releases="sums")


def phases_audited(epsilon, *, growth=2.0) -> AuditSettings:
    """Short games, and one in which DP-KLUCB's indices fall below 1, as d_epsilon(0, 1) = epsilon, so that the rewards decide.
    Without rewards or noise arm 0 is pulled n times, then arm 1; if all pay 1, arm 0 is pulled until its noise outweighs that, which
    shows a reward of its last phase. Rewards n + 1 and 2n + 1 are in the phases of arm 0 that end with pull n and 2n."""
    n, last = 1, 1
    while n * epsilon < math.log(2 * n + 1):
        last = phase_length(n, growth)
        n += last
    rewards = n + 1, 2 * n - last + 1, 2 * n + 1
    caught_up = Setting(2, 2 * n + phase_length(n, growth) + 4, ("zeros", "ones"), rewards, told=8, played=32)
    return AuditSettings((NOISY_MAX, SHORT, caught_up), (STREAM,))


def number_of_phases(horizon, number_of_arms, growth):
    """At most, of all arms."""
    return number_of_arms * (1 + math.log(horizon) / math.log(growth))


@register_jitable
def phase_length(pulls, growth):
    """The number of pulls in the phase of an arm that has been pulled so often."""
    return max(1, math.ceil(growth * pulls) - pulls)


@kernel
def play_phase(rng, arms, horizon, journal, t, a, s, n, epsilon, growth):
    """Pull arm a to the end of its phase, release the sum of the phase, and return its last round."""
    m = min(phase_length(n[a], growth), horizon - t)
    note_span(journal, t, m, n, a)
    s[a] += pull_many(rng, arms, a, m) + laplace(rng, 1 / epsilon)
    n[a] += m
    return t + m


@step
def clipped_mean(s, n):
    """s/n in [0, 1]."""
    return min(max(s / n, 0.0), 1.0)


@register_jitable
def divergence(x, y, epsilon):
    """d_epsilon(x, y) for x <= y, else 0. The odds of the best z are e^-epsilon times those of y, if it is above x."""
    if x >= y:
        return 0.0
    if y >= 1:
        return epsilon * (1 - x)
    weight = y * math.exp(-epsilon)
    if x >= weight / (1 - y + weight):
        return kl(x, y)
    return -math.log1p(y * math.expm1(-epsilon)) - epsilon * x


@step
def largest_within(x, budget, epsilon):
    """The largest q in [x, 1] with d_epsilon(x, q) <= budget; the best z is then q e^(total - epsilon)."""
    total = budget + epsilon * x
    if total >= epsilon:
        return 1.0
    q = math.expm1(-total) / math.expm1(-epsilon)
    return q if x < q * math.exp(total - epsilon) else kl_index(x, budget)

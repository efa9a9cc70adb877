"""DP-UCB-INT: Tossou & Dimitrakakis (2016), Algorithm 3, Lemmas 3.1 and B.1, Corollaries 3.1 and 3.2.

An arm's mean is released only when its pull count reaches one of a few update counts W_1 < W_2 < ..., each time with
fresh Laplace noise of scale n^(v/2-1). The input epsilon of the schedule follows from the promised (epsilon', delta').

The t of an arm's confidence term sqrt(2 ln t/n_a) is a matter of reading (`bonus`): the last round in which the pull
count was an update count, the current round, or the first round after the release.
"""

import math
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le, doc
from scipy.special import zeta

from dpbandits.bandits.arms import note_round_robin, note_span, pull_many
from dpbandits.errors import InputError
from dpbandits.kernels import kernel, step
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import Account, Ledger, rho_of
from dpbandits.random import laplace

Exponent = Annotated[float, Gt(1), Le(1.5), doc("a number in (1, 1.5]")]
Schedule = Literal["series_y", "series_x", "simple"]
Bonus = Literal["refresh_at_update", "current_t", "frozen"]
DELTA = 4.5399929762484854e-05  # e^-10, as in the experiments of Tossou & Dimitrakakis (2016)


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    delta: Probability = DELTA,
    v: Exponent = 1.1,
    schedule: Schedule = "series_y",
    bonus: Bonus = "refresh_at_update",
    may_stay_in_round_robin: bool = False,
):
    """Play one run; `epsilon` is the promised epsilon'."""
    updates = update_counts(schedule, input_epsilon(epsilon, delta, v), v, horizon)
    dp_ucb_int(
        rng, arms, horizon, journal, updates, v, bonus == "current_t", bonus == "refresh_at_update"
    )


def check(horizon, number_of_arms, *, epsilon, delta, v, schedule, may_stay_in_round_robin, **_):
    """Raise InputError if the policy would stay in its K W_1 rounds of round robin, unless that is wanted."""
    inside = input_epsilon(epsilon, delta, v)
    if not 0 < inside <= 1:
        remedy = "smaller" if inside > 1 else "larger"
        raise InputError(
            f"epsilon {epsilon:g}: the input epsilon of Corollary 3.2 is {inside:.3g}, and DP-UCB-INT is defined for "
            f"numbers in (0, 1]; write a {remedy} epsilon"
        )
    first = first_update(schedule, inside, v, horizon)
    if number_of_arms * first >= horizon and not may_stay_in_round_robin:
        least = "at least " if first == horizon else ""
        raise InputError(
            f"horizon {horizon} is too short for DP-UCB-INT at epsilon {epsilon:g} with schedule {schedule}: it plays round "
            f"robin for K W_1 = {number_of_arms} x {least}{first} = {number_of_arms * first} rounds; write a longer horizon "
            "or a larger epsilon (or may_stay_in_round_robin: true, if that is what you want to see)"
        )


def privacy(
    horizon, number_of_arms, *, epsilon, delta=DELTA, v=1.1, schedule="series_y", **_
) -> Account:
    """The mean of n rewards has sensitivity 1/n. The first reward of an arm is in all its releases."""
    return _account(horizon, epsilon, delta, v, schedule)


@lru_cache(maxsize=512)  # an arena asks for each number of arms, with thousands of releases
def _account(horizon, epsilon, delta, v, schedule):
    ledger = Ledger()
    for n in update_counts(schedule, input_epsilon(epsilon, delta, v), v, horizon).tolist():
        ledger.book(1, n, sensitivity=1 / n, scale=n ** (v / 2 - 1))
    return Account(epsilon, delta, ledger)


def input_epsilon(epsilon: float, delta: float, v: float) -> float:
    """Corollary 3.2: the input epsilon for which the zeta branch of Corollary 3.1 promises (epsilon', delta')."""
    return rho_of(4 * epsilon, delta) / (8 * float(zeta(v)))


def first_update(schedule: Schedule, input_eps: float, v: float, most: float = math.inf) -> int:
    """W_1, or `most` if it is not smaller. It never exceeds ceil(1/epsilon) for the input epsilon."""
    most = math.ceil(min(1 / input_eps, most))
    if schedule == "simple":
        return most
    powers = np.arange(1, most + 1) ** -(v if schedule == "series_y" else v / 2)
    return min(1 + int(np.searchsorted(np.cumsum(powers) - powers / input_eps, 0.0)), most)


@lru_cache(maxsize=16)
def update_counts(schedule: Schedule, input_eps: float, v: float, limit: int) -> np.ndarray:
    """W_1, W_2, ... up to `limit`. series_x and series_y: Lemma B.1 with exponent v/2 or v; simple: the pseudocode."""
    if schedule == "simple":
        step = min(math.ceil(1 / input_eps), limit + 1)
        return np.arange(step, limit + 1, step, dtype=np.int64)
    return _series(input_eps, v if schedule == "series_y" else v / 2, limit)


@kernel
def _series(input_eps, exponent, limit):
    """W_{n+1} is the smallest y > W_n with sum_{i=W_n+1..y} i^-exponent >= 1/(eps y^exponent)."""
    counts = []
    total = 0.0
    for y in range(1, limit + 1):
        power = y**-exponent
        total += power
        if total >= power / input_eps:
            counts.append(y)
            total = 0.0
    return np.array(counts, dtype=np.int64)


@kernel
def dp_ucb_int(rng, arms, horizon, journal, updates, v, always, refreshes):
    """Play a whole game by x_hat_a = s_a/n_a + Lap(n_a^(v/2-1)) + sqrt(2 ln t/n_a).

    n_a is that of the last release. Without a new release, an arm's confidence term is that of
    the current round if `always`, or, if `refreshes`, while its pull count is an update count.
    The leader is played up to its next update count, or for fewer rounds, in which it surely leads.
    """
    K = arms.means.size
    first = updates[0] if updates.size else horizon
    t = min(K * first, horizon)
    note_round_robin(journal, 0, t, np.zeros(K, np.int64), np.arange(K))
    s, pulls = np.zeros(K), np.full(K, first)
    drawn = np.zeros(K, np.int64)  # the number of rewards in the sum s
    x_hat, private_mean, width = np.zeros(K), np.zeros(K), np.zeros(K)
    following = np.ones(K, np.int64)  # index of the arm's next update count
    # Whether an arm's mean is due for release, and whether its confidence term is that of the current round.
    is_new, grows = np.ones(K, np.bool_), np.full(K, always or refreshes)
    while t < horizon:
        confidence = root_log(t + 1)
        for b in range(K):
            if is_new[b]:
                # Only now: nothing depends on these rewards before.
                s[b] += pull_many(rng, arms, b, pulls[b] - drawn[b])
                drawn[b] = pulls[b]
                private_mean[b] = s[b] / pulls[b] + laplace(rng, pulls[b] ** (v / 2 - 1))
                width[b] = math.sqrt(1 / pulls[b])
            if is_new[b] or grows[b]:
                x_hat[b] = private_mean[b] + confidence * width[b]
            is_new[b] = False
        a = np.argmax(x_hat)
        until_update = updates[following[a]] - pulls[a] if following[a] < updates.size else horizon
        m = min(until_update, horizon - t)
        while m > 1 and not stays_largest(a, t + m, x_hat, private_mean, width, grows):
            m //= 2
        note_span(journal, t, m, pulls, a)
        t += m
        pulls[a] += m
        is_new[a] = following[a] < updates.size and pulls[a] == updates[following[a]]
        grows[a] = always or (refreshes and is_new[a])
        following[a] += is_new[a]


@step
def root_log(t):
    """sqrt(2 ln t)."""
    return math.sqrt(2 * math.log(t))


@step
def stays_largest(a, last, x_hat, private_mean, width, grows):
    """Whether arm a's index is above every rival's until round `last`, where rivals are largest."""
    confidence = root_log(last)
    for b in range(x_hat.size):
        index = private_mean[b] + confidence * width[b] if grows[b] else x_hat[b]
        if b != a and index >= x_hat[a]:
            return False
    return True

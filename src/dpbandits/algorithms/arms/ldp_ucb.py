"""LDP-UCB: Ren, Zhou, Liu & Shroff, "Multi-Armed Bandits with Local Differential Privacy" (2020), LDP-UCB-L.

Every user reports reward + Lap(1/epsilon). Each arm is played once; then, t rounds being over,

    an arm with n_a <= 4 ln(t + 1), if there is one (the first of them), or else
    argmax_a mean_a + sqrt(2 ln(t + 1)/n_a) + sqrt(32 ln(t + 1)/(epsilon^2 n_a))

What Sarkar et al. (2025) ran as their baseline cuts every report to [0, 1] before it is averaged (`reports: clipped`).
That is another algorithm, with a loop of its own: at epsilon = 0.2 the mean report of an arm hardly depends on its mean.
"""

import math
from typing import Literal

import numpy as np

from dpbandits.algorithms.arms._leader import lead
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull
from dpbandits.errors import InputError
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger


def play(rng, arms, horizon, journal, *, epsilon: Positive, reports: Literal["whole", "clipped"] = "whole"):
    """One run."""
    (ldp_ucb_clipped if reports == "clipped" else ldp_ucb)(rng, arms, horizon, journal, epsilon)


def check(horizon, number_of_arms, **_):
    """There must be room for the first pulls."""
    if horizon < number_of_arms:
        raise InputError(
            f"horizon {horizon} is too short: each of {number_of_arms} arms is pulled once first; write at least {number_of_arms}"
        )


def privacy(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """Each reward is reported once; one item stands for all. Cutting a report off comes after the noise and is free."""
    ledger = Ledger(1)
    ledger.release(1, 1, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local")


def nanoseconds(horizon, number_of_arms, *, reports="whole", **_):
    """Clipped reports are so alike that hardly any lead lasts."""
    return (90 if reports == "clipped" else 20) * horizon + 60_000_000


@kernel
def bonus(t, growth):
    """The factor of 1/sqrt(n_a) in the index of round t; growth = sqrt(2) + sqrt(32)/epsilon."""
    return growth * math.sqrt(math.log(t))


@kernel
def first_starved(pulls, t):
    """The first arm that has to be played in round t because it was played too little; -1 if there is none."""
    limit = 4 * math.log(t)
    for a in range(pulls.size):
        if pulls[a] <= limit:
            return a
    return -1


@kernel
def fed_until(pulls):
    """No arm can be starved before this round: with the smallest n, 4 ln(t) < n for t < e^(n/4), less one for rounding."""
    return math.exp(min(pulls.min() / 4, 40.0)) - 1


@kernel
def ldp_ucb(rng, arms, horizon, journal, epsilon):
    """Index and rivals as in `_leader`, in windows as long as leads last; one also ends where an arm could be starved."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    mean, width, slack = np.zeros(K), np.zeros(K), np.zeros(K)
    scale, growth = 1 / epsilon, math.sqrt(2) + math.sqrt(32) / epsilon
    t, fed, length = 0, 0.0, 1
    while t < horizon:
        c, end, rival = 0.0, t + 1, np.inf
        a = t
        if t >= K:
            a = -1
            if t + 1 >= fed:
                a = first_starved(pulls, t + 1)
                fed = fed_until(pulls)
            if a < 0:
                if t + 1 < fed:
                    end = max(t + 1, min(t + length, horizon, math.ceil(fed) - 1))
                c = bonus(t + 1, growth)
                a, rival = lead(mean, width, slack, c, 0.0, bonus(end, growth), 0.0)
        leads = True
        while leads:
            t += 1
            s[a] += pull(rng, arms, a) + rng.laplace(0.0, scale)
            pulls[a] += 1
            note(journal, t, pulls)
            one_over_n = 1.0 / pulls[a]
            mean[a] = s[a] * one_over_n
            width[a] = math.sqrt(one_over_n)
            leads = t < end and mean[a] + c * width[a] > rival
        length = min(2 * length, max(1, t // 64)) if t == end else max(1, length // 2)


@kernel
def ldp_ucb_clipped(rng, arms, horizon, journal, epsilon):
    """As it was run: reports cut to [0, 1]. The lead changes in almost every round, so every index is looked at."""
    K = arms.means.size
    s, pulls, mean, width = np.zeros(K), np.zeros(K, np.int64), np.zeros(K), np.zeros(K)
    fed, scale, growth = 0.0, 1 / epsilon, math.sqrt(2) + math.sqrt(32) / epsilon
    for t in range(1, horizon + 1):
        a = t - 1
        if t > K:
            a = -1
            if t >= fed:
                a = first_starved(pulls, t)
                fed = fed_until(pulls)
            if a < 0:
                c = bonus(t, growth)
                a, best = 0, -np.inf
                for b in range(K):
                    index = mean[b] + c * width[b]
                    if index > best:
                        a, best = b, index
        report = pull(rng, arms, a) + rng.laplace(0.0, scale)
        s[a] += min(max(report, 0.0), 1.0)
        pulls[a] += 1
        note(journal, t, pulls)
        one_over_n = 1.0 / pulls[a]
        mean[a] = s[a] * one_over_n
        width[a] = math.sqrt(one_over_n)

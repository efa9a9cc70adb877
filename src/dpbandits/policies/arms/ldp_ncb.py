"""LDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 5. The Nash confidence bound under local privacy.

Every user reports reward + Lap(1/epsilon), and the policy sees only the reports.

    Phase I   play random arms until the reports of some arm exceed a threshold (`_nash`)
    Phase II  argmax_i mu_i + 2c sqrt(2 mu_i L/n_i) + sqrt(8 alpha L/n_i)/epsilon + 4c (2 alpha l^3/n_i^3)^{1/4}/sqrt(epsilon)

with mu_i the mean report clipped to [0, 1] and L = l = ln T in the paper. The authors' code (repository NP-Hardest/DP-NCB,
commit 4839751) has l = ln W (`index_log`; W: see `_nash`) and L = ln T (`leading_log`), algorithms/LDPNCB.py:109-114; that
of GDP-NCB has ln W for both. In Phase I its noise has location 1/epsilon and scale 1 (`phase1_noise: misplaced`), :91-92.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.drivers.index import index_rule
from dpbandits.drivers.nash_phases import Cap, Log, cap_of, log_by, play_both_phases
from dpbandits.parameters import Positive, passes_to
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.random import laplace


@index_rule
class LDPNCB(NamedTuple):
    """The constants that follow from the parameters and the planned horizon."""

    epsilon: float
    phase1: int  # the most rounds of Phase I
    location: float  # of the noise in Phase I
    scale: float
    multiplier: float
    c2_log: float  # c^2 L
    log2_epsilon: float  # L^2/epsilon^2
    mean_term: float  # 2c sqrt(2 L)
    noise_term: float  # sqrt(8 alpha L)/epsilon
    mixed_term: float  # 4c (2 alpha)^{1/4} l^{3/4}/sqrt(epsilon)

    def report(self, rng, reward):
        return reward + laplace(rng, 1 / self.epsilon)

    def explored(self, rng, a, s, n):
        """n mu > multiplier (c^2 L + L^2/(epsilon^2 d)) + n margin, margin = sqrt(8 alpha L/n)/epsilon, d = mu - margin > 0."""
        mu = min(max(s / n, 0.0), 1.0)
        margin = self.noise_term / math.sqrt(n)
        return mu > margin and n * (mu - margin) > self.multiplier * (
            self.c2_log + self.log2_epsilon / (mu - margin)
        )

    def terms(self, s, n):
        """The index above of an arm whose n reports have the sum s, with 1/sqrt(n) factored out; infinite without pulls."""
        if n == 0:
            return np.inf
        one_over_n = 1.0 / n
        width = math.sqrt(one_over_n)
        mu = min(max(s * one_over_n, 0.0), 1.0)
        return (
            mu
            + (
                self.mean_term * math.sqrt(mu)
                + self.noise_term
                + self.mixed_term * math.sqrt(width)
            )
            * width
        )

    def score(self, terms, growth):
        return terms

    def counted(self, s, n, growth):
        return min(max(s, 0.0), float(n))


@index_rule
class LDPNCBInPhase1(LDPNCB):
    """The rule of Phase I, whose reports have other noise in the authors' code."""

    def report(self, rng, reward):
        return reward + (self.location + laplace(rng, self.scale))


def plan(
    horizon: int,
    number_of_arms: int,
    *,
    epsilon: Positive,
    c: Positive = 3.0,
    alpha: Positive = 3.1,
    cap: Cap = "sqrt",
    multiplier: Positive = 1600.0,
    index_log: Log = "cap",
    phase1_noise: Literal["centred", "misplaced"] = "centred",
    leading_log: Log = "horizon",
) -> LDPNCB:
    """The constants of a game of `horizon` rounds. The theory asks for alpha > 3."""
    L, misplaced = log_by(horizon, leading_log), phase1_noise == "misplaced"
    return LDPNCB(
        epsilon=epsilon,
        phase1=cap_of(horizon, cap) + 1,
        location=1 / epsilon if misplaced else 0.0,
        scale=1.0 if misplaced else 1 / epsilon,
        multiplier=multiplier,
        c2_log=c * c * L,
        log2_epsilon=L / epsilon * (L / epsilon),
        mean_term=2 * c * math.sqrt(2 * L),
        noise_term=math.sqrt(8 * alpha * L) / epsilon,
        mixed_term=4
        * c
        * (2 * alpha * log_by(horizon, index_log) ** 3) ** 0.25
        / math.sqrt(epsilon),
    )


@passes_to(plan)
def play(rng, arms, horizon, journal, **parameters):
    """Play one run."""
    K = len(arms.means)
    play_game(rng, arms, 0, horizon, journal, np.zeros(K, np.int64), plan(horizon, K, **parameters))


def play_game(rng, arms, start, rounds, journal, pulls, rule):
    """Play the rounds start+1..start+rounds; `pulls` includes earlier pulls."""
    rules, end = (LDPNCBInPhase1(*rule), rule), start + rounds
    play_both_phases(rng, arms, start, end, journal, pulls, rules, rule.phase1)


def reporting(horizon, number_of_arms, **parameters):
    """The rule of the reports of each phase."""
    rule = plan(horizon, number_of_arms, **parameters)
    return {"Phase I": LDPNCBInPhase1(*rule), "Phase II": rule}


def privacy(horizon, number_of_arms, *, epsilon, **given) -> Account:
    """Item 1 stands for the rewards of Phase I, item 2 for those of Phase II; each is reported once, with its phase's noise."""
    rule = plan(horizon, number_of_arms, epsilon=epsilon, **given)
    ledger = Ledger()
    ledger.book(1, 1, sensitivity=1.0, scale=rule.scale)
    ledger.book(2, 2, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local")

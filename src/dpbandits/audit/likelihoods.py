"""Exact losses: the log-likelihood ratio of one sequence of actions on two neighbouring inputs.

Pure differential privacy concerns every event, however improbable. A loss above the promise breaks
it, where an audit would never see the event.
"""

import math

import numpy as np

from dpbandits.drivers.exp3_constants import gamma_of
from dpbandits.policies.arms.dp_ucb_bound import DPUCBBound
from dpbandits.policies.arms.gdp_ncb import GDPNCB, max_releases
from dpbandits.privacy.hybrid import scales


def exp3_loss(horizon: int, number_of_arms: int, rounds: int) -> float:
    """Return EXP3's loss in a game where one gain of arm 1 changes from 1 to 0.

    Arm 2 is played for a number of rounds, with gains of 1; then arm 1 once, with the gain that
    changes; then arm 1 to the end, without gains. All other gains are 0.

    Parameters
    ----------
    horizon, number_of_arms : int
        The game.
    rounds : int
        The rounds of arm 2.
    """
    gamma = gamma_of(horizon, number_of_arms)
    estimates = np.zeros(number_of_arms)  # G of each arm

    def probabilities(estimates):
        weights = np.exp(gamma / number_of_arms * (estimates - estimates.max()))
        return (1 - gamma) * weights / weights.sum() + gamma / number_of_arms

    for _ in range(rounds):
        estimates[1] += 1 / probabilities(estimates)[1]
    before = probabilities(estimates)[0]
    without = before  # a gain of 0 changes nothing
    estimates[0] += 1 / before
    return (horizon - rounds - 1) * math.log(probabilities(estimates)[0] / without)


def gdp_ncb_loss(policy: GDPNCB, horizon: int) -> float:
    """Return GDP-NCB's loss when one reward of Phase I changes from 1 to 0, with two arms.

    Phase I plays both arms equally often. All other rewards are 0. The arm with the changed reward
    plays every episode of Phase II: after each release its index exceeds that of the other arm,
    whose mean is 0. Releases are independent, so the likelihood is a product of Laplace tails, one
    for each choice after a release.

    Parameters
    ----------
    policy : GDPNCB
        With a cap on Phase I, and without private means of Phase I.
    horizon : int
        The number of rounds.
    """
    rule = policy.rule(horizon, 2)
    half, scale, loss = rule.longest_phase1 // 2, rule.noise / policy.epsilon, 0.0
    other = rule.index_at(0.0, half + 1, 0)
    for episode in range(max_releases(horizon - rule.longest_phase1)):
        n = half + (2 << episode)
        sum_needed = n * _smallest(lambda mu, n=n: rule.index_at(mu, n, 0) > other)
        loss += _log_tail((sum_needed - 1) / scale) - _log_tail(sum_needed / scale)
    return loss


def _smallest(is_enough) -> float:
    """The smallest number in [0, 1] that is enough, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _log_tail(x: float) -> float:
    """ln P(Laplace > x), for noise of scale 1."""
    return -x - math.log(2) if x >= 0 else math.log1p(-math.exp(x) / 2)


def dp_ucb_bound_loss(policy: DPUCBBound, nodes: int = 24) -> float:
    """Return DP-UCB-BOUND's loss of a third reward of arm 1 that is 0, against 1.

    Two arms, all other rewards 0, and the arms are played in turn for six rounds. The reward is in
    one node of arm 1's first tree, before the choice of round 6. The likelihood is that of this
    node's noise, averaged over the noises of both running totals that fit the rounds before:
    Gauss-Laguerre quadrature with so many nodes on each side of 0.
    """
    total_scale, node_scale = scales(policy.hybrid_split, policy.epsilon)
    rule = policy.rule(6, 2)
    x, weights = np.polynomial.laguerre.laggauss(nodes)
    x, weights = total_scale * np.concatenate([-x, x]), np.concatenate([weights, weights]) / 2
    a1, a2, b1, b2 = np.meshgrid(x, x, x, x, indexing="ij", sparse=True)
    first, second = a1 + a2, b1 + b2  # the noises of the totals of two rewards

    def constant(n, t):
        return rule.score(rule.terms(0.0, n), rule.growth(t))

    fits = (a1 >= b1) & (first >= second)  # rounds 3 and 5
    fits = fits & (b1 + constant(1, 4) > first / 2 + constant(2, 4))  # round 4
    limit = 3 * (second / 2 + constant(2, 6) - constant(3, 6)) - first
    product = np.einsum("i,j,k,l->ijkl", weights, weights, weights, weights) * fits

    def likelihood(reward):
        below = (limit - reward) / node_scale
        shares = np.where(below < 0, np.exp(np.minimum(below, 0)) / 2, 1 - np.exp(-abs(below)) / 2)
        return float((product * shares).sum())

    return math.log(likelihood(0.0) / likelihood(1.0))

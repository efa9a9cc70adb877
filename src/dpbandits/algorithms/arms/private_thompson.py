"""Private Thompson sampling as in the experiments of Mishra & Thakurta (2015): Algorithm 2 without its gap estimation.

Every arm is pulled m times in turn, then theta_a ~ Beta(r_a + 1, n_a - r_a + 1) with r_a from one binary mechanism per
arm. The experiments omit the first step of Algorithm 2 and use "a smaller value for m", which is not given: here m =
ceil(explore_c L/eps0), a multiple of the noise scale of a node. The total of the m pulls is inserted as one leaf, as in
the text.

eps0 = epsilon/(2K) is Algorithm 2's, which reserves one half for the omitted step (`ts_budget: half`); with `full`
eps0 = epsilon/K. The paper does not say what happens to a noisy total below 0 or above n: here it is clipped to [0, n].
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.algorithms.arms._posterior import CANDIDATES, arm_of_largest, observe, uniform_prior
from dpbandits.compiled import kernel, step
from dpbandits.environments.arms import note, note_round_robin, pull, pull_many
from dpbandits.parameters import NotNegative, Positive
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_node_scale, tree_noise

Share = Literal["half", "full"]


def play(rng, arms, horizon, journal, *, epsilon: Positive, explore_c: NotNegative = 6.0, ts_budget: Share = "half"):
    """Play one run."""
    eps0 = epsilon_per_tree(epsilon, len(arms.means), ts_budget)
    node_scale = tree_node_scale(horizon, eps0)
    m = math.ceil(explore_c * node_scale)
    private_thompson(rng, arms, horizon, journal, node_scale, m, CANDIDATES)


def epsilon_per_tree(epsilon: float, number_of_arms: int, ts_budget: Share) -> float:
    """eps0, the budget of the mechanism of one arm."""
    return epsilon / number_of_arms / (2 if ts_budget == "half" else 1)


def privacy(horizon, number_of_arms, *, epsilon, ts_budget="half", **_) -> Account:
    """A reward enters one leaf of one tree; one reward changes a leaf by at most 1, also one that holds a total."""
    eps0 = epsilon_per_tree(epsilon, number_of_arms, ts_budget)
    return Account(epsilon, 0.0, tree_ledger(horizon, tree_node_scale(horizon, eps0)))


def composition(horizon, number_of_arms, **given) -> dict[str, float]:
    """The composition in the paper (Theorem 7, without the omitted step): the sum of the budgets of all trees."""
    return {"trees": number_of_arms * privacy(horizon, number_of_arms, **given).spent}


class Totals(NamedTuple):
    """Per arm: the true total s of n rewards, all its pulls, and its tree: the released total, the leaves, the nodes."""

    s: np.ndarray
    n: np.ndarray
    pulls: np.ndarray
    released: np.ndarray
    leaf: np.ndarray
    nodes: np.ndarray


@kernel
def no_pulls(K):
    """The totals before the first round."""
    n, pulls, leaf = np.zeros(K, np.int64), np.zeros(K, np.int64), np.zeros(K, np.int64)
    return Totals(np.zeros(K), n, pulls, np.zeros(K), leaf, np.zeros((K, 64)))


@kernel
def private_thompson(rng, arms, horizon, journal, node_scale, m, max_share):
    """Pull each arm m times, then play Thompson sampling on the noisy totals."""
    K = arms.means.size
    totals = no_pulls(K)
    forced = min(K * m, horizon)
    note_round_robin(journal, 0, forced, totals.pulls, np.arange(K))
    if m > 0 and forced < horizon:
        first_totals(rng, arms, m, totals, node_scale)
        totals.pulls[:] = m
    private_rounds(rng, arms, horizon, journal, forced, totals, node_scale, max_share)


@step
def first_totals(rng, arms, m, totals, node_scale):
    """The noisy total of m pulls of each arm, as the first leaf of its tree."""
    for a in range(totals.s.size):
        totals.s[a] = pull_many(rng, arms, a, m)
        totals.n[a] = m
        release(rng, totals, a, node_scale)


@step
def release(rng, totals, a, node_scale):
    """Release the total of arm a after another leaf of its tree."""
    totals.leaf[a] += 1
    totals.released[a] = totals.s[a] + tree_noise(rng, totals.leaf[a], totals.nodes[a], node_scale)


@kernel
def private_rounds(rng, arms, horizon, journal, start, totals, node_scale, max_share):
    """Thompson sampling on the noisy totals, in the rounds start+1..T."""
    theta = uniform_prior(totals.s.size, max_share)
    for a in range(totals.s.size):
        observe(theta, a, totals.released[a], totals.n[a], start)
    for t in range(start, horizon):
        a = arm_of_largest(rng, theta, t)
        totals.s[a] += pull(rng, arms, a)
        totals.n[a] += 1
        totals.pulls[a] += 1
        note(journal, t + 1, totals.pulls)
        release(rng, totals, a, node_scale)
        observe(theta, a, totals.released[a], totals.n[a], t + 1)

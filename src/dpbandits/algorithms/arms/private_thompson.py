"""Private Thompson sampling as in the experiments of Mishra & Thakurta (2015): Algorithm 2 without its gap estimation.

Every arm is pulled m times in turn, then theta_a ~ Beta(r_a + 1, n_a - r_a + 1) with r_a from one binary mechanism per
arm. The experiments omit the first step of Algorithm 2 and use "a smaller value for m", which is not given: here m =
ceil(explore_c L/eps0), a multiple of the noise scale of a node. The total of the m pulls is inserted as one leaf, as in
the text (`leaves: one`), or pull by pull (`m`).

eps0 = epsilon/(2K) is Algorithm 2's, which reserves one half for the omitted step (`ts_budget: half`); with `full`
eps0 = epsilon/K. `budget: parallel` replaces K by 1, since a reward enters only one tree. The paper does not say how a
noisy total below 0 or above n is clipped: `ts_clip: unit` clips it to [0, n], `floor` sets both parameters to at least
0.001.
"""

import math
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Lt

from dpbandits.algorithms.arms._posterior import CANDIDATES, thompson_rounds
from dpbandits.algorithms.arms.private_ucb import Budget, epsilon_per_arm
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note_round_robin, pull_many
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_levels, tree_noise

Multiple = Annotated[float, Ge(0), Lt(math.inf)]
Clip = Literal["unit", "floor"]
FLOOR = {"unit": 0.0, "floor": 1e-3}


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    explore_c: Multiple = 6.0,
    budget: Budget = "split",
    ts_budget: Literal["half", "full"] = "half",
    ts_clip: Clip = "unit",
    leaves: Literal["one", "m"] = "one",
):
    """Play one run."""
    eps0 = epsilon_per_tree(epsilon, len(arms.means), budget, ts_budget)
    node_scale = tree_levels(horizon) / eps0
    m = math.ceil(explore_c * node_scale)
    private_thompson(rng, arms, horizon, journal, node_scale, m, leaves == "one", FLOOR[ts_clip], CANDIDATES)


def epsilon_per_tree(epsilon: float, number_of_arms: int, budget: Budget, ts_budget: str) -> float:
    """eps0, the budget of the mechanism of one arm."""
    return epsilon_per_arm(epsilon, number_of_arms, budget) / (2 if ts_budget == "half" else 1)


def privacy(horizon, number_of_arms, *, epsilon, budget="split", ts_budget="half", **_) -> Account:
    """A reward enters one leaf of one tree; one reward changes a leaf by at most 1, also one that holds a total."""
    eps0 = epsilon_per_tree(epsilon, number_of_arms, budget, ts_budget)
    return Account(epsilon, 0.0, tree_ledger(horizon, tree_levels(horizon) / eps0))


def composition(horizon, number_of_arms, **given) -> dict[str, float]:
    """The composition in the paper (Theorem 7, without the omitted step): the sum of the budgets of all trees."""
    return {"trees": number_of_arms * privacy(horizon, number_of_arms, **given).spent}


def nanoseconds(horizon, number_of_arms, **_):
    """One posterior draw for most arms in most rounds."""
    return 20 * number_of_arms * horizon


@kernel
def private_thompson(rng, arms, horizon, journal, node_scale, m, as_one_leaf, floor, max_share):
    """Pull each arm m times, then play Thompson sampling on the noisy totals."""
    K = arms.means.size
    s, noise, memory = np.zeros(K), np.zeros(K), np.zeros((K, 64))
    n, leaf, pulls = np.zeros(K, np.int64), np.zeros(K, np.int64), np.zeros(K, np.int64)
    forced = min(K * m, horizon)
    note_round_robin(journal, 0, forced, pulls, np.arange(K))
    if m > 0 and forced < horizon:
        first_totals(rng, arms, m, 1 if as_one_leaf else m, s, n, leaf, noise, memory, node_scale)
        pulls[:] = m
    thompson_rounds(rng, arms, horizon, journal, forced, s, n, leaf, pulls, noise, memory, node_scale, floor, max_share)


@kernel
def first_totals(rng, arms, m, leaves, s, n, leaf, noise, memory, node_scale):
    """The noisy total of m pulls of each arm, in the first `leaves` leaves of its tree.

    The totals in between are not used. The nodes of prefix `leaves` correspond to its set bits; the prefixes that end
    with them are released one after the other, and later prefixes need no other entries of the memory.
    """
    for a in range(s.size):
        s[a] += pull_many(rng, arms, a, m)
        n[a] += m
        leaf[a] = leaves
        prefix, bit = 0, 1 << 62
        while bit:
            if leaves & bit:
                prefix |= bit
                noise[a] = tree_noise(rng, prefix, memory[a], node_scale)
            bit >>= 1

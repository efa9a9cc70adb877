"""The games that audit an algorithm: how many arms and rounds, which rewards, and whose reward is changed.

The games are many, so they are short. Where no reward decides what is played in the usual ones, a function of this module
finds others, as short as the algorithm's own constants allow.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpbandits.algorithms.arms import dist_dp_se, dp_se, dp_ucb_int, private_thompson
from dpbandits.privacy.tree import tree_node_scale


@dataclass(frozen=True)
class Setting:
    """Games of one length, on several pairs of rewards."""

    arms: int
    horizon: int
    backgrounds: tuple[str, ...] = ("zeros", "ones", "tie")
    users: tuple[int, ...] = (1, 2, 3)  # whose reward is changed, in one pair each
    gap: float = 0.0  # of the background "gap": by how much arm 0 pays more than the others
    told: int = 64  # on arms: the pull counts after each of so many last rounds are published
    changes: Mapping[str, Any] = field(default_factory=dict)  # of the policy's parameters

    def rewards(self, background: str, user: int) -> tuple[np.ndarray, np.ndarray]:
        """What every arm pays to each user, in two games that differ in one user's rewards. There are more users than rounds, for
        policies that draw rewards and do not use them."""
        table = np.zeros((self.horizon * self.arms, self.arms))
        if background == "ones":
            table[:] = 1.0
        elif background == "tie":
            table[1::2] = 1.0
        elif background == "gap":
            table[:] = np.diff(np.floor(np.arange(len(table) + 1) * (1 - self.gap)))[:, None]
            table[:, 0] = 1.0
        neighbour = table.copy()
        neighbour[user - 1] = 1 - neighbour[user - 1]
        return table, neighbour


SHORT = Setting(2, 8)
NOISY_MAX = Setting(
    10, 11, users=(1, 10)
)  # in round 11 many policies play the arm with the largest noisy reward


def settings_of(
    algorithm: str, epsilon: float, parameters: Mapping[str, Any]
) -> tuple[Setting, ...]:
    """The games that audit an algorithm with these parameters."""
    found = OTHERS.get(algorithm, (SHORT, NOISY_MAX))
    return found(epsilon, **parameters) if callable(found) else found


def of_adap_klucb(epsilon, *, alpha, **_):
    """Games in which both indices fall below 1: without rewards and noise arm 0 is pulled T/4 times, then arm 1, and reward 3T/8 +
    1 is in the mean by which arm 1 is compared with it."""
    T = 64
    while alpha * (1 / epsilon + 0.5) * math.log(T) > T / 8:
        T *= 2
    return SHORT, Setting(2, T, ("zeros",), (3 * T // 8 + 1,), told=8)


def of_dp_klucb(epsilon, **_):
    """Games in which the indices fall below 1, as d_epsilon(0, 1) = epsilon. Without rewards and noise arm 0 is pulled n times,
    then arm 1; if all pay 1, arm 0 is pulled until its noise outweighs that. The changed rewards are in phases that decide."""
    n = 2
    while n * epsilon < math.log(2 * n + 1):
        n *= 2
    return (
        SHORT,
        NOISY_MAX,
        Setting(2, 3 * n + 4, ("zeros", "ones"), (n + 1, 3 * n // 2 + 1, 2 * n + 1), told=8),
    )


def of_dp_se(epsilon, **_):
    """Games that are longer than a first epoch, after which an arm is at the border of being dropped."""
    T = 1024
    while 2 * dp_se.epoch_length(2, 1, epsilon, 1 / T) + 8 > T:
        T += 256
    R = dp_se.epoch_length(2, 1, epsilon, 1 / T)
    return (
        Setting(
            2, T, ("gap",), (1, R, R + 1), gap=dp_se.threshold(2, 1, R, epsilon, 1 / T), told=8
        ),
    )


def of_dist_dp_se(epsilon):
    """Games whose last whole batch is the first that can drop an arm, and one is at the border: if it is not dropped, it is
    played in the end, after the other arm's part of the next batch."""
    b, T, base = 1, 2 * dist_dp_se.BASE, dist_dp_se.BASE
    while 2 * dist_dp_se.width(2, b, base**b, epsilon) >= 1:
        b += 1
        T += 2 * base**b
    m, gap = base**b, 2 * dist_dp_se.width(2, b, base**b, epsilon)
    return (Setting(2, T + base * m + 8, ("gap",), (T - 2 * m + 1, T - m + 1), gap=gap, told=8),)


def of_dp_ucb_int(epsilon, *, delta, v, schedule, **_):
    """Games that are longer than two arms need for their first releases."""
    first = dp_ucb_int.first_update(schedule, dp_ucb_int.input_epsilon(epsilon, delta, v), v)
    changes = {"may_stay_in_round_robin": True}
    return (Setting(2, 2 * first + 8, ("zeros", "tie"), (1, 2 * first), told=8, changes=changes),)


def of_gdp_ncb(epsilon, *, c, cap, **_):
    """Games with some rounds after Phase I. Without a cap its threshold ends it, which short games reach with a smaller
    constant: it is 1.5 with this one."""
    if cap == "sqrt":
        return (Setting(2, 16, users=(1, 5, 7)),)
    L = math.log(6)
    return (
        Setting(
            2,
            6,
            ("ones", "zeros"),
            (1, 2),
            changes={"multiplier": 1.5 / (c**2 * L + L**2 / epsilon)},
        ),
    )


def of_private_thompson(epsilon, *, explore_c, ts_budget):
    """Games with eight rounds after the first pulls, which are more in a longer game, whose trees have more levels."""
    eps0, first, T = private_thompson.epsilon_per_tree(epsilon, 2, ts_budget), 0, 0
    while first + 8 > T:
        T = first + 8
        first = 2 * math.ceil(explore_c * tree_node_scale(T, eps0))
    return (Setting(2, T, told=8),)


AFTER_FORCED_ROUNDS = (Setting(2, 32, ("tie",), (2, 24), told=6),)  # which are the first 26
# Algorithm -> its games, or how they follow from epsilon and its other parameters.
OTHERS: dict[str, tuple[Setting, ...] | Callable[..., tuple[Setting, ...]]] = {
    "adap_klucb": of_adap_klucb,
    "anytime_ncb": (Setting(2, 31, ("zeros", "tie"), (18, 22), told=4),),  # five epochs
    "dist_dp_se": of_dist_dp_se,
    "dp_klucb": of_dp_klucb,
    "dp_se": of_dp_se,
    "dp_ucb": (SHORT,),
    "dp_ucb_int": of_dp_ucb_int,
    "gdp_ncb": of_gdp_ncb,
    # Many rounds explore, but pulls show who leads.
    "ldp_epsilon_greedy": (SHORT, Setting(2, 64, ("zeros",), (2,), told=1)),
    "ldp_ucb": AFTER_FORCED_ROUNDS,
    "ldp_ucb_clipped": AFTER_FORCED_ROUNDS,
    "private_thompson": of_private_thompson,
}

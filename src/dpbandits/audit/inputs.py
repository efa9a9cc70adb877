"""The games that audit an algorithm: arms, rounds, rewards, and whose reward changes.

The games are many, so they are short. In some algorithms no reward decides what is played in the
default games. A function of this module finds other games for each of these, as short as the
algorithm's constants allow.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpbandits.policies.arms import dist_dp_se, dp_se, dp_ucb_int, private_thompson
from dpbandits.privacy.tree import tree_node_scale


@dataclass(frozen=True)
class Setting:
    """Games of one length, on several pairs of rewards."""

    arms: int
    horizon: int
    backgrounds: tuple[str, ...] = ("zeros", "ones", "tie")
    users: tuple[int, ...] = (1, 2, 3)  # whose reward is changed, in one pair each
    gap: float = 0.0  # in the background "gap": what arm 0 pays more than the other arms
    observed_rounds: int = 64  # on arms: the last rounds whose pull counts are published
    changes: Mapping[str, Any] = field(default_factory=dict)  # of the policy's parameters

    def rewards(self, background: str, user: int) -> tuple[np.ndarray, np.ndarray]:
        """The rewards of every arm for each user, in two games that differ in one user's rewards.

        There are more users than rounds, for policies that draw rewards and do not use them.
        """
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
# In round 11 many policies play the arm with the largest noisy reward.
NOISY_MAX = Setting(10, 11, users=(1, 10))


def settings_of(
    algorithm: str, epsilon: float, parameters: Mapping[str, Any]
) -> tuple[Setting, ...]:
    """The games that audit an algorithm with these parameters."""
    settings = SETTINGS.get(algorithm, (SHORT, NOISY_MAX))
    return settings(epsilon, **parameters) if callable(settings) else settings


def of_adap_klucb(epsilon, *, alpha, **_):
    """Games in which both indices fall below 1.

    Without rewards and noise, arm 0 is pulled T/4 times, then arm 1. Reward 3T/8 + 1 is in the mean
    by which arm 1 is compared with arm 0.
    """
    T = 64
    while alpha * (1 / epsilon + 0.5) * math.log(T) > T / 8:
        T *= 2
    return SHORT, Setting(2, T, ("zeros",), (3 * T // 8 + 1,), observed_rounds=8)


def of_dp_klucb(epsilon, **_):
    """Games in which the indices fall below 1, as d_epsilon(0, 1) = epsilon.

    Without rewards and noise, arm 0 is pulled n times, then arm 1. If all rewards are 1, arm 0 is
    pulled until its noise outweighs that. The changed rewards are in phases that decide.
    """
    n = 2
    while n * epsilon < math.log(2 * n + 1):
        n *= 2
    return (
        SHORT,
        NOISY_MAX,
        Setting(
            2, 3 * n + 4, ("zeros", "ones"), (n + 1, 3 * n // 2 + 1, 2 * n + 1), observed_rounds=8
        ),
    )


def of_dp_se(epsilon, **_):
    """Games longer than a first epoch, after which an arm is at the threshold for elimination."""
    T = 1024
    while 2 * dp_se.epoch_length(2, 1, epsilon, 1 / T) + 8 > T:
        T += 256
    R = dp_se.epoch_length(2, 1, epsilon, 1 / T)
    return (
        Setting(
            2,
            T,
            ("gap",),
            (1, R, R + 1),
            gap=dp_se.threshold(2, 1, R, epsilon, 1 / T),
            observed_rounds=8,
        ),
    )


def of_dist_dp_se(epsilon):
    """Games whose last whole batch is the first that can eliminate an arm.

    One arm is at the threshold. If it is not eliminated, it is played at the end, after the other
    arm's part of the next batch.
    """
    b, T, base = 1, 2 * dist_dp_se.BASE, dist_dp_se.BASE
    while 2 * dist_dp_se.width(2, b, base**b, epsilon) >= 1:
        b += 1
        T += 2 * base**b
    m, gap = base**b, 2 * dist_dp_se.width(2, b, base**b, epsilon)
    return (
        Setting(
            2, T + base * m + 8, ("gap",), (T - 2 * m + 1, T - m + 1), gap=gap, observed_rounds=8
        ),
    )


def of_dp_ucb_int(epsilon, *, delta, v, schedule, **_):
    """Games longer than two arms need for their first releases."""
    first = dp_ucb_int.first_update(schedule, dp_ucb_int.input_epsilon(epsilon, delta, v), v)
    changes = {"may_stay_in_round_robin": True}
    return (
        Setting(
            2, 2 * first + 8, ("zeros", "tie"), (1, 2 * first), observed_rounds=8, changes=changes
        ),
    )


def of_gdp_ncb(epsilon, *, c, cap, **_):
    """Games with some rounds after Phase I.

    Without a cap, a threshold ends Phase I. Short games reach it with a smaller constant, with
    which the threshold is 1.5.
    """
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
    """Games with eight rounds after the first pulls.

    There are more first pulls in a longer game, whose trees have more levels.
    """
    eps0, first, T = private_thompson.epsilon_per_tree(epsilon, 2, ts_budget), 0, 0
    while first + 8 > T:
        T = first + 8
        first = 2 * math.ceil(explore_c * tree_node_scale(T, eps0))
    return (Setting(2, T, observed_rounds=8),)


AFTER_FORCED_ROUNDS = (
    Setting(2, 32, ("tie",), (2, 24), observed_rounds=6),
)  # which are the first 26
# Algorithm -> its games, or a function of epsilon and the other parameters.
SETTINGS: dict[str, tuple[Setting, ...] | Callable[..., tuple[Setting, ...]]] = {
    "adap_klucb": of_adap_klucb,
    "anytime_ncb": (Setting(2, 31, ("zeros", "tie"), (18, 22), observed_rounds=4),),  # five epochs
    "dist_dp_se": of_dist_dp_se,
    "dp_klucb": of_dp_klucb,
    "dp_se": of_dp_se,
    "dp_ucb": (SHORT,),
    "dp_ucb_int": of_dp_ucb_int,
    "gdp_ncb": of_gdp_ncb,
    # Many rounds explore, but pulls show who leads.
    "ldp_epsilon_greedy": (SHORT, Setting(2, 64, ("zeros",), (2,), observed_rounds=1)),
    "ldp_ucb": AFTER_FORCED_ROUNDS,
    "ldp_ucb_clipped": AFTER_FORCED_ROUNDS,
    "private_thompson": of_private_thompson,
}

"""The games of audits: arms, rounds, rewards, and the users whose reward changes.

The games are many, so they are short. In some algorithms no reward decides what is played in the
default games. A function of this module finds other games for each of these, as short as the
policy's constants allow.
"""

import math
from collections.abc import Mapping
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from dpbandits import policies
from dpbandits.drivers.linear import PrivateLinearPolicy
from dpbandits.policies.arms import dist_dp_se, dp_se
from dpbandits.policy import Policy
from dpbandits.random import stream

SEED = 1  # of all games of replays


def rewards_of(background: str, horizon: int, arms: int, gap: float = 0.0) -> np.ndarray:
    """The rewards of every arm for each user.

    There are more users than rounds, for policies that draw rewards and do not use them.
    """
    rewards = np.zeros((horizon * arms, arms))
    if background == "ones":
        rewards[:] = 1.0
    elif background == "tie":
        rewards[1::2] = 1.0
    elif background == "gap":
        rewards[:] = np.diff(np.floor(np.arange(len(rewards) + 1) * (1 - gap)))[:, None]
        rewards[:, 0] = 1.0
    elif background == "random":
        random = stream(SEED, "rewards").numpy().random(rewards.shape)
        rewards[:] = random < np.linspace(0.3, 0.7, arms)
    return rewards


class Setting(NamedTuple):
    """Games of one length, on several pairs of rewards."""

    arms: int
    horizon: int
    backgrounds: tuple[str, ...] = ("zeros", "ones", "tie")
    users: tuple[int, ...] = (1, 2, 3)  # in each pair of games the reward of one of them changes
    gap: float = 0.0  # between arm 0 and the other arms in the background "gap"
    observed_rounds: int = 8  # on arms: the last rounds whose pull counts are published
    changes: Mapping[str, Any] = {}  # of the policy's parameters

    def rewards(self, background: str, user: int) -> tuple[np.ndarray, np.ndarray]:
        """The rewards in two games that differ in one user's rewards."""
        rewards = rewards_of(background, self.horizon, self.arms, self.gap)
        neighbour = rewards.copy()
        neighbour[user - 1] = 1 - neighbour[user - 1]
        return rewards, neighbour


SHORT = Setting(2, 8)
# In round 11 many policies play the arm with the largest noisy reward.
NOISY_MAX = Setting(10, 11, users=(1, 10), observed_rounds=11)


@singledispatch
def settings_of(policy: Policy) -> tuple[Setting, ...]:
    """The games that audit a policy. Those of a class below also audit its subclasses."""
    return SHORT, NOISY_MAX


@settings_of.register(policies.AdaPKLUCB)
def _(policy):
    """Games in which both indices fall below 1.

    Without rewards and noise, arm 0 is pulled T/4 times, then arm 1. Reward 3T/8 + 1 is in the mean
    by which arm 1 is compared with arm 0.
    """
    T = 64
    while policy.alpha * (1 / policy.epsilon + 0.5) * math.log(T) > T / 8:
        T *= 2
    return SHORT, Setting(2, T, ("zeros",), (3 * T // 8 + 1,))


@settings_of.register(policies.AnytimeNCB)
def _(policy):
    """Games of five epochs."""
    return (Setting(2, 31, ("zeros", "tie"), (18, 22), observed_rounds=4),)


@settings_of.register(policies.DPKLUCB)
def _(policy):
    """Games in which the indices fall below 1, as d_epsilon(0, 1) = epsilon.

    Without rewards and noise, arm 0 is pulled n times, then arm 1. If all rewards are 1, arm 0 is
    pulled until its noise outweighs that. The changed rewards are in phases that decide.
    """
    n = 2
    while n * policy.epsilon < math.log(2 * n + 1):
        n *= 2
    users = (n + 1, 3 * n // 2 + 1, 2 * n + 1)
    deciding = Setting(2, 3 * n + 4, ("zeros", "ones"), users)
    return SHORT, NOISY_MAX, deciding


@settings_of.register(policies.DPIMED)
def _(policy):
    """The default games, not those of DP-KLUCB, from which it inherits."""
    return SHORT, NOISY_MAX


@settings_of.register(policies.DPSE)
def _(policy):
    """Games longer than a first epoch, after which an arm is at its threshold."""
    T, epsilon, up = 1024, policy.epsilon, policy.rounding == "up"
    while 2 * (R := dp_se.epoch_length(2, 1, epsilon, 1 / T, up)) + 8 > T:
        T += 256
    gap = dp_se.threshold(2, 1, R, epsilon, 1 / T)
    return (Setting(2, T, ("gap",), (1, R, R + 1), gap=gap),)


@settings_of.register(policies.DistDPSE)
def _(policy):
    """Games whose last whole batch is the first that can eliminate an arm.

    One arm is at the threshold. If it is not eliminated, it is played at the end, after the other
    arm's part of the next batch.
    """
    rule, base = policy.rule(0, 2), dist_dp_se.BASE
    b, m, T = 1, base, 2 * base  # m rounds of an arm in batch b, which ends in round T
    while (gap := 2 * rule.width(2, b, m)) >= 1:
        b, m = b + 1, m * base
        T += 2 * m
    return (Setting(2, T + base * m + 8, ("gap",), (T - 2 * m + 1, T - m + 1), gap=gap),)


@settings_of.register(policies.DPUCB)
def _(policy):
    """Short games alone."""
    return (SHORT,)


@settings_of.register(policies.DPUCBInt)
def _(policy):
    """Games longer than two arms need for their first releases."""
    first, changes = policy.first_update(), {"may_stay_in_round_robin": True}
    users = (1, 2 * first)
    return (Setting(2, 2 * first + 8, ("zeros", "tie"), users, changes=changes),)


@settings_of.register(policies.GDPNCB)
def _(policy):
    """Games with some rounds after Phase I.

    Without a cap, a threshold ends Phase I. Short games reach it with a smaller constant, with
    which the threshold is 1.5.
    """
    if policy.cap == "sqrt":
        return (Setting(2, 16, users=(1, 5, 7), observed_rounds=16),)
    L = math.log(6)
    changes = {"multiplier": 1.5 / (policy.c**2 * L + L**2 / policy.epsilon)}
    return (Setting(2, 6, ("ones", "zeros"), (1, 2), changes=changes),)


@settings_of.register(policies.LDPEpsilonGreedy)
def _(policy):
    """Games in which many rounds explore, but the last pull counts show the leader."""
    return SHORT, Setting(2, 64, ("zeros",), (2,), observed_rounds=1)


@settings_of.register(policies.LDPUCB)
def _(policy):
    """Games with six rounds after the 26 forced ones."""
    return (Setting(2, 32, ("tie",), (2, 24), observed_rounds=6),)


@settings_of.register(policies.PrivateThompson)
def _(policy):
    """Games with eight rounds after the first pulls.

    There are more first pulls in a longer game, whose trees have more levels.
    """
    first, T = 0, 0
    while first + 8 > T:
        T = first + 8
        first = 2 * math.ceil(policy.explore_c * policy.node_scale(T, 2))
    return (Setting(2, T),)


@settings_of.register(PrivateLinearPolicy)
def _(policy):
    """A log of sixteen kept visits, from which a policy learns without long delay.

    It is for replays. Games as short as those of audits show nothing.
    """
    return (Setting(3, 48, changes={"delay": min(policy.delay, 2)}),)

"""The games in which audits and replays test a policy's promise: its `audit_games`.

An audit plays many games, so they are short. In some policies no reward decides what is played in
the default games. Such a policy returns other games, as short as its constants allow.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

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
    """Games of one length, on several pairs of rewards.

    Attributes
    ----------
    arms, horizon : int
        The numbers of arms and of rounds.
    backgrounds : tuple of {"zeros", "ones", "tie", "gap"}
        The rewards that do not change: all 0, all 1, or 0 and 1 in turn. With `gap` arm 0 always
        pays 1, and the other arms pay 1 in a share 1 - gap of the rounds.
    users : tuple of int
        Users from 1. In each pair of games the reward of one of them changes.
    gap : float
        The gap of the background "gap".
    observed_rounds : int
        On arms: the number of last rounds whose pull counts are published.
    changes : mapping
        Values of the policy's parameters that differ in these games.
    """

    arms: int
    horizon: int
    backgrounds: tuple[str, ...] = ("zeros", "ones", "tie")
    users: tuple[int, ...] = (1, 2, 3)
    gap: float = 0.0
    observed_rounds: int = 8
    changes: Mapping[str, Any] = {}

    def rewards(self, background: str, user: int) -> tuple[np.ndarray, np.ndarray]:
        """The rewards in two games that differ in one user's rewards."""
        rewards = rewards_of(background, self.horizon, self.arms, self.gap).astype(np.uint8)
        neighbour = rewards.copy()
        neighbour[user - 1] = 1 - neighbour[user - 1]
        return rewards, neighbour


SHORT = Setting(2, 8)
# In round 11 many policies play the arm with the largest noisy reward.
NOISY_MAX = Setting(10, 11, users=(1, 10), observed_rounds=11)


class AuditGames(NamedTuple):
    """What a policy returns from `audit_games`.

    Attributes
    ----------
    settings : tuple of Setting
        The games of audits. Replays play the last setting, in a longer game.
    legal_rewards_only : bool
        Whether an impossible reward, such as 1e6, would decide an action that no legal reward
        decides. Replays then change rewards to 0 and 1 only.
    drops_releases : bool
        Whether the policy draws releases that affect none of its actions. Replays then leave them
        out.

    Examples
    --------
    >>> AuditGames(settings=(Setting(2, 16),)).legal_rewards_only
    False
    """

    settings: tuple[Setting, ...] = (SHORT, NOISY_MAX)
    legal_rewards_only: bool = False
    drops_releases: bool = False

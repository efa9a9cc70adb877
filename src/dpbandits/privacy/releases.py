"""What an algorithm releases besides its actions, and short games in which that shows: the words of `Account.releases`.

An audit records the noise that a kernel draws. Which rewards a noisy number covers, the algorithm's `privacy` says:

    return Account(epsilon, 0.0, ledger, releases="tree")

If the usual games (`dpbandits.audit.settings`) do not do, a function `audited(epsilon, **parameters)` of the algorithm's module
returns others (`AuditSettings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Releases = Literal[
    "actions",  # nothing but the actions
    "reports",  # of every reward what its user reports (local privacy), by the `report` of an index rule
    "means",  # the mean of the rewards that were just paid, each of them once
    "sums",  # their sum
    "means after first",  # as "means", but an arm's first reward is used without noise
    "tree",  # the nodes of a tree for each arm, whose leaves are its rewards
    "tree after sum",  # the same, and the first leaf is the sum of the arm's first pulls
    "hybrid",  # the nodes of a hybrid mechanism for each arm, whose items are its rewards
    "hybrid of rounds",  # the same with an item in every round, 0 if another arm is played
    "means of all",  # from time to time the mean of all rewards of an arm
    "means redrawn",  # the same with new noise in every round
    "episodes",  # the mean of an arm's rewards of Phase I and of the episode that was just played
    "episodes and means",  # the same, and the means of Phase I
    "gains",  # the gain of every round
    "visits",  # the nodes of a tree for each of the sums over the visits of a news log
]


@dataclass(frozen=True)
class Setting:
    """Games of one length: which rewards the arms pay, and whose reward is changed."""

    arms: int
    horizon: int
    backgrounds: tuple[str, ...] = ("zeros", "ones", "tie")
    canaries: tuple[int, ...] = (1, 2, 3)
    gap: float = 0.0  # of the backgrounds "gap" and "behind": by how much arm 0 pays more than the others, or less
    told: int = 64  # the last rounds whose actions are told apart one by one
    played: int = 0  # rounds that are simulated one by one, if not all
    changes: Mapping[str, Any] = field(default_factory=dict)  # of the policy's parameters

    def words(self, background: str, canary: int) -> str:
        """A pair of inputs, in words."""
        return f"{self.arms} arms; {self.horizon} rounds; {background}; reward {canary} changed"

    def rewards(self, background: str, canary: int) -> tuple[np.ndarray, np.ndarray]:
        """The tables of two neighbouring games, which differ in one row."""
        rows = np.arange(max(2 * self.horizon * self.arms + self.horizon, *self.canaries, 1))
        table = np.zeros((rows.size, self.arms))
        if background == "ones":
            table[:] = 1.0
        elif background == "tie":
            table[:] = (rows % 2)[:, None]
        elif background in ("gap", "behind"):  # arm 0 pays in every round, or never
            table[:] = (np.floor((rows + 1) * (1 - self.gap)) - np.floor(rows * (1 - self.gap)))[:, None]
            table[:, 0] = 1.0
            table = table if background == "gap" else 1 - table
        neighbour = table.copy()
        neighbour[canary - 1] = 1 - neighbour[canary - 1]
        return table, neighbour

    def checkpoints(self) -> np.ndarray:
        """The first and the last rounds."""
        T, told = self.horizon, min(self.told, self.horizon)
        return np.union1d(np.arange(1, told + 1), np.arange(T - told + 1, T + 1))


SHORT = Setting(arms=2, horizon=8, canaries=(1, 2, 3, 8))
NOISY_MAX = Setting(arms=10, horizon=11, canaries=(1, 10))  # the arm of round 11 is that with the largest noisy reward
GAINS = Setting(arms=2, horizon=8, backgrounds=("zeros", "ones"), canaries=(1, 8))
STREAM = Setting(arms=1, horizon=7, backgrounds=("zeros", "ones"), canaries=(1, 3, 4, 7))


@dataclass(frozen=True)
class AuditSettings:
    """The games that audit an algorithm: `actions`, whose actions are compared, and `releases`, whose noisy sums are, on a
    single arm where the algorithm allows it, so that all rewards are in one stream. Without any, that is not done."""

    actions: tuple[Setting, ...]
    releases: tuple[Setting, ...]

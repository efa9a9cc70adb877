"""The games that audit an algorithm: how many arms and rounds, which rewards, and which one is changed.

An audit needs short games, since its games are many. An algorithm that needs others has a function `audited`
(`dpbandits.privacy.releases`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpbandits import algorithms
from dpbandits.environments.logs._events import DIMENSION
from dpbandits.privacy.releases import GAINS, NOISY_MAX, SHORT, STREAM, AuditSettings, Releases, Setting


@dataclass(frozen=True)
class LogSetting(Setting):
    """A short news log. Every visitor's vector has ones only, so that the context is the article's; one visit is changed
    to a vector of zeros and no click, so that all 27 sums change as much as the ledger supposes."""

    backgrounds: tuple[str, ...] = ("no clicks", "clicks")
    canaries: tuple[int, ...] = (1,)

    def words(self, background: str, canary: int) -> str:
        """A pair of inputs, in words."""
        return f"{self.arms} articles; {self.horizon} visits; {background}; visit {canary} changed"

    def rewards(self, background: str, canary: int) -> tuple[np.ndarray, np.ndarray]:
        """The visits of two neighbouring logs: the visitor's vector, and whether he clicks on whatever he is shown."""
        table = np.ones((self.horizon, DIMENSION + 1))
        table[:, DIMENSION] = float(background == "clicks")
        table[canary - 1, DIMENSION] = 1.0
        neighbour = table.copy()
        neighbour[canary - 1] = 0.0
        return table, neighbour

    def articles(self) -> np.ndarray:
        """The articles' vectors: ones for a single one, otherwise different ones."""
        vectors = np.ones((DIMENSION, self.arms))
        for a in range(self.arms if self.arms > 1 else 0):
            vectors[1:, a] = np.arange(DIMENSION - 1) % self.arms == a
        return vectors


FIRST_REWARD = Setting(arms=2, horizon=3, backgrounds=("zeros",), canaries=(1, 2))  # the shortest game that shows it
# An arm that is preferred throughout shows the four nodes that its first reward is in.
SMALL_TREES = Setting(arms=2, horizon=14, backgrounds=("zeros", "ones"), canaries=(1, 2))
USUAL: dict[Releases | None, AuditSettings] = {  # the games for the actions, and for what is released
    None: AuditSettings((SHORT,), ()),
    "actions": AuditSettings((SHORT,), ()),
    "reports": AuditSettings((SHORT,), ()),
    "means": AuditSettings((NOISY_MAX, SHORT), (STREAM,)),
    "sums": AuditSettings((NOISY_MAX, SHORT), (STREAM,)),
    "means after first": AuditSettings((FIRST_REWARD, NOISY_MAX, SHORT), (STREAM,)),
    "tree": AuditSettings((SMALL_TREES,), (STREAM,)),
    "hybrid": AuditSettings((NOISY_MAX, SHORT), (STREAM,)),
    "gains": AuditSettings((SHORT,), (GAINS,)),
}


def settings_of(
    algorithm: str, releases: Releases | None, epsilon: float, parameters: Mapping[str, Any]
) -> AuditSettings:
    """The games that audit an algorithm with these parameters, which releases this."""
    module = algorithms.find(algorithm)
    if hasattr(module, "audited"):
        return module.audited(epsilon, **parameters)
    if releases == "visits":
        return _of_a_log(parameters)
    return USUAL.get(releases, AuditSettings((SHORT,), (STREAM,)))


def _of_a_log(parameters: Mapping[str, Any]) -> AuditSettings:
    """A tree has leaves for a quarter more visits than an article can expect: seven both for 11 visits with two articles and
    for 5 visits with one. The worst leaf is in three nodes. Delays are shortened to two visits."""
    sooner = {"delay": min(parameters.get("delay", 0), 2)}
    actions = LogSetting(2, 11, canaries=(1, 4), played=100, changes=sooner)
    return AuditSettings((actions,), (LogSetting(1, 5, ("no clicks",), played=100, changes=sooner),))

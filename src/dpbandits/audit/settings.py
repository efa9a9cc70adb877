"""The games that audit an algorithm: how many arms and rounds, which rewards, and which one is changed.

An audit needs short games, since its games are many. An algorithm that needs games of its own declares them itself
(`dpbandits.privacy.releases`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpbandits import algorithms
from dpbandits.environments.logs._events import DIMENSION
from dpbandits.errors import InputError
from dpbandits.privacy import releases
from dpbandits.privacy.releases import SHORT, STREAM, AuditSettings, Setting


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
NOISY_MAX = Setting(arms=10, horizon=11, canaries=(1, 10))  # the arm of round 11 is that with the largest noisy reward
GAINS = Setting(arms=2, horizon=8, backgrounds=("zeros", "ones"), canaries=(1, 8))
# kind of releases -> games for the actions, and for the releases
USUAL: dict[int, tuple[tuple[Setting, ...], tuple[Setting, ...]]] = {
    releases.ACTIONS: ((SHORT,), ()),
    releases.REPORTS: ((SHORT,), ()),
    releases.MEANS: ((NOISY_MAX, SHORT), (STREAM,)),
    releases.SUMS: ((NOISY_MAX, SHORT), (STREAM,)),
    releases.MEANS_AFTER_FIRST: ((FIRST_REWARD, NOISY_MAX, SHORT), (STREAM,)),
    releases.GAINS: ((SHORT,), (GAINS,)),
}


def settings_of(algorithm: str, epsilon: float, parameters: Mapping[str, Any]) -> AuditSettings:
    """What an algorithm with these parameters releases, and the games that audit it."""
    module = algorithms.find(algorithm)
    if hasattr(module, "audited"):
        found = module.audited(epsilon, **parameters)
    else:
        found = AuditSettings(getattr(module, "RELEASES", releases.ACTIONS))
    if found.kind not in range(releases.VISITS + 1):
        raise InputError(
            f"algorithm '{algorithm}': RELEASES = {found.kind!r} is none of dpbandits.privacy.releases; write one of "
            "these, such as RELEASES = releases.TREE"
        )
    if found.kind == releases.VISITS:
        return _of_a_log(parameters)
    actions, streams = USUAL.get(found.kind, ((SHORT,), (STREAM,)))
    return AuditSettings(
        found.kind,
        actions if found.actions is None else found.actions,
        streams if found.releases is None else found.releases,
    )


def _of_a_log(parameters: Mapping[str, Any]) -> AuditSettings:
    """A tree has a leaf for each of the visits that are expected for one article: 7 of 11 visits with two articles, where
    the worst leaf is in three nodes, and all 5 visits with one. Delays are shortened to two visits."""
    sooner = {"delay": min(parameters.get("delay", 0), 2)}
    actions = LogSetting(2, 11, canaries=(1, 4), played=100, changes=sooner)
    stream = LogSetting(1, 5, ("no clicks",), played=100, changes=sooner)
    return AuditSettings(releases.VISITS, (actions,), (stream,))


def declares_releases(algorithm: str) -> bool:
    """Whether an algorithm says what it releases."""
    module = algorithms.find(algorithm)
    return hasattr(module, "audited") or hasattr(module, "RELEASES")

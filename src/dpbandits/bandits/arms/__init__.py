"""Stochastic arms: each pull of arm a pays an independent number in [0, 1] of mean mu_a.

A policy of this family plays a `Run`, which says what an author needs. The run counts the pulls,
and the bandit computes the regret from them. Its arms and their means are unknown to a policy.
"""

from typing import Any

from dpbandits.bandits.run import Run

__all__ = ["Run"]


def __getattr__(name: str) -> Any:
    """Say what replaces the functions of earlier versions."""
    if name.startswith(("pull", "note")):
        remedy = "write def play(self, run), where run.play(a) pulls arm a and counts it"
        raise ImportError(f"dpbandits.bandits.arms has no '{name}'; {remedy}")
    raise AttributeError(f"module 'dpbandits.bandits.arms' has no attribute '{name}'")

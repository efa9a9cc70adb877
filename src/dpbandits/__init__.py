"""Differentially private bandits: policies, bandits, statistics and figures of six papers.

    from dpbandits import Bernoulli, compare
    from dpbandits.policies import DPSE, UCB

    compare([UCB(), DPSE(epsilon=0.5)], on=Bernoulli([0.8, 0.5]), horizon=1e5, n_runs=50).plot()

The package knows nothing of the workflow that drives it: docs/library.md shows its use alone.
CONTRIBUTING.md has a table of where things are decided.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpbandits.bandits.arms.bernoulli import Bernoulli
    from dpbandits.library import Comparison, compare
    from dpbandits.page.recommender import Recommendation, recommend

__version__ = "0.2.0"
__all__ = ["Bernoulli", "Comparison", "Recommendation", "compare", "recommend"]
HOMES = {
    "Bernoulli": "dpbandits.bandits",
    "Comparison": "dpbandits.library",
    "Recommendation": "dpbandits.page.recommender",
    "compare": "dpbandits.library",
    "recommend": "dpbandits.page.recommender",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: most jobs of a workflow use none."""
    if name not in HOMES:
        raise AttributeError(f"module 'dpbandits' has no attribute '{name}'")
    return getattr(importlib.import_module(HOMES[name]), name)

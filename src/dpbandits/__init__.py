"""Differentially private bandits: algorithms, environments, statistics and figures of five papers.

    from dpbandits import bernoulli, compare

The package knows nothing of the workflow that drives it: docs/library.md shows its use without Snakemake.
"""

from typing import Any

__version__ = "0.1.0"
__all__ = ["bandit", "bernoulli", "compare"]


def __getattr__(name: str) -> Any:
    """The functions of `dpbandits.library`, which is imported when one is used: most jobs of a workflow use none."""
    if name in __all__:
        from dpbandits import library

        return getattr(library, name)
    raise AttributeError(f"module 'dpbandits' has no attribute '{name}'")

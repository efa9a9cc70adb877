"""Algorithms that choose articles for the visitors of a news log. One module each.

What they share, contexts, delayed feedback, and the driver that plays a linear policy, is in `_contextual`; ridge regression
on released sums in `_ridge`; what the releases spend in `_private_sums`.
"""

from typing import Any, Protocol

import numpy as np


class Algorithm(Protocol):
    """A module of this folder; `check`, `privacy`, `composition` and `nanoseconds` are as in `dpbandits.algorithms.arms`."""

    def play(self, rng: np.random.Generator, log: Any, horizon: int, journal: Any, **parameters: Any) -> None:
        """One pass through `log.blocks()`, the first `horizon` events of a log; kept events are counted in `journal.diary`."""

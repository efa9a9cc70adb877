"""Algorithms that choose articles for the visitors of a news log. One module each.

`_contextual` has what they share: contexts, delayed feedback, and the loop over the blocks of a log; `_ridge` ridge
regression on released sums; `_private_sums` the privacy account of these releases.
"""

from typing import Any, Protocol

import numpy as np


class Algorithm(Protocol):
    """A module of this folder; what it may define besides is in `dpbandits.algorithms`."""

    def play(self, rng: np.random.Generator, log: Any, horizon: int, journal: Any, **parameters: Any) -> None:
        """Play one run: the first `horizon` events of `log.blocks()`. Kept events are counted in `journal.diary`."""

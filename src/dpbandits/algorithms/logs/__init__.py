"""Algorithms that choose articles for the visitors of a news log. One module each.

`_linear` has the driver that plays them, with contexts and delayed feedback; `_ridge` ridge regression on released sums;
`_private_sums` how private policies release these sums, and what it costs.
"""

from typing import Any, Protocol

from dpbandits.random import Stream


class Algorithm(Protocol):
    """A module of this folder; what it may define besides is in `dpbandits.algorithms`."""

    def play(self, rng: Stream, log: Any, horizon: int, journal: Any, **parameters: Any) -> None:
        """Play one run: the first `horizon` events of `log.blocks()`. Kept events are counted in `journal.diary`."""

"""Algorithms that play stochastic arms. One module each; `_template.py` is one to copy.

`Algorithm` is what a module of this folder provides. An index policy is a rule played by a driver (`_index`); Thompson
sampling is in `_posterior`, the episodes of azize2022 in `_adaptive_episodes`, the two phases of the Nash confidence bounds
in `_nash`. The moves that a kernel makes are those of `dpbandits.environments.arms`.
"""

from typing import Any, Protocol

import numpy as np

from dpbandits.environments.arms import Arms


class Algorithm(Protocol):
    """A module of this folder. `play` is required; the others are looked for and may be absent."""

    def play(self, rng: np.random.Generator, arms: Arms, horizon: int, journal: Any, **parameters: Any) -> None:
        """One run of `horizon` rounds, every one of them noted in the journal.

        All random numbers come from `rng`, so that a run follows from its name alone. The parameters are keyword-only; their
        annotations say which values a paper file may give.
        """

    def check(self, horizon: int, number_of_arms: int, **parameters: Any) -> None:
        """Raise InputError where the parameters make no sense together; before the first job of a workflow."""

    def privacy(self, horizon: int, number_of_arms: int, **parameters: Any) -> Any:
        """The `Account` of what is promised and what is spent. Without this function nothing is promised."""

    def composition(self, horizon: int, number_of_arms: int, **parameters: Any) -> dict[str, float]:
        """{step: epsilon} as the source adds it up, where that differs from the ledger."""

    def nanoseconds(self, horizon: int, number_of_arms: int, **parameters: Any) -> float:
        """What a run takes, roughly, on one core; 50 per round where this function is absent."""

"""Algorithms that play stochastic arms, one module each; `_template.py` is a template to copy.

`Algorithm` is the interface of a module of this folder. An index policy is a rule played by a driver (`_index`);
Thompson sampling is in `_posterior`, the episodes of azize2022 in `_adaptive_episodes`, the two phases of the Nash
confidence bounds in `_nash`. Kernels pull arms and record rounds with the functions of `dpbandits.environments.arms`.
"""

from typing import Any, Protocol

import numpy as np

from dpbandits.environments.arms import Arms


class Algorithm(Protocol):
    """A module of this folder. `play` is required, the other functions are optional."""

    def play(self, rng: np.random.Generator, arms: Arms, horizon: int, journal: Any, **parameters: Any) -> None:
        """Play one run of `horizon` rounds and note every round in the journal.

        All random numbers come from `rng`, so that the name of a run determines it. The parameters are keyword-only;
        their annotations define the values that a paper file may give.
        """

    def check(self, horizon: int, number_of_arms: int, **parameters: Any) -> None:
        """Raise InputError for inconsistent parameters, before the first job of a workflow."""

    def privacy(self, horizon: int, number_of_arms: int, **parameters: Any) -> Any:
        """The `Account` of the guaranteed and the spent privacy budget, or None if nothing is promised. Without this
        function there is no guarantee, and a guest is drawn with "(promise not checked)".

        It also says what is released besides the actions, for an audit: `Account(..., releases="tree")`, one of
        `dpbandits.privacy.releases`.
        """

    def composition(self, horizon: int, number_of_arms: int, **parameters: Any) -> dict[str, float]:
        """{step: epsilon} as composed in the source, where that differs from the ledger."""

    def nanoseconds(self, horizon: int, number_of_arms: int, **parameters: Any) -> float:
        """Estimated nanoseconds of a run on one core; 50 per round without this function."""

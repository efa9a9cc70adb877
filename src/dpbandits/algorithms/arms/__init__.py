"""Algorithms that play stochastic arms, one module each; `_template.py` is a template to copy.

`Algorithm` is the interface of a module of this folder. An index policy is a rule played by a driver (`_index`);
Thompson sampling is in `_posterior`, the episodes of azize2022 in `_adaptive_episodes`, the two phases of the Nash
confidence bounds in `_nash`. Kernels pull arms and record rounds with the functions of `dpbandits.environments.arms`.
"""

from typing import Any, Protocol

import numpy as np

from dpbandits.environments.arms import Arms


class Algorithm(Protocol):
    """A module of this folder; what it may define besides is in `dpbandits.algorithms`."""

    def play(self, rng: np.random.Generator, arms: Arms, horizon: int, journal: Any, **parameters: Any) -> None:
        """Play one run of `horizon` rounds and note every round in the journal.

        All random numbers come from `rng`, so that the name of a run determines it. The parameters are keyword-only;
        their annotations define the values that a paper file may give.
        """

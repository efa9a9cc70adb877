"""Algorithms that play stochastic arms, one module each; `_template.py` is a template to copy.

`Algorithm` is the interface of a module of this folder. A policy that chooses an arm in every round by an index is a rule
played by a driver (`_index`), one that chooses an arm for an episode a rule played by another (`_episodes`). Posterior
sampling is in `_posterior`, the first phase of the Nash confidence bounds in `_nash`. Kernels pull arms and record rounds with
the functions of `dpbandits.environments.arms`.
"""

from typing import Any, Protocol

from dpbandits.environments.arms import Arms
from dpbandits.random import Stream


class Algorithm(Protocol):
    """A module of this folder; what it may define besides is in `dpbandits.algorithms`."""

    def play(self, rng: Stream, arms: Arms, horizon: int, journal: Any, **parameters: Any) -> None:
        """Play one run of `horizon` rounds and note every round in the journal.

        All random numbers come from `rng`, so that the name of a run determines it. The parameters are keyword-only;
        their annotations define the values that a paper file may give.
        """

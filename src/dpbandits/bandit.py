"""The base class of bandits: fields are parameters, and `begin` starts a run.

A bandit of your own is a subclass of `bandits.stochastic.ArmsBandit`, in a notebook or in a module.
"""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

import numpy as np

from dpbandits.parameters import Parameters
from dpbandits.policy import Policy
from dpbandits.random import Stream


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Bandit(Parameters):
    """Base class of all bandits. A subclass becomes a frozen dataclass of its parameters.

    A subclass has `number_of_arms`, as a field or a property, and defines `begin`.

    Examples
    --------
    >>> from dpbandits.bandits import Bernoulli
    >>> Bernoulli([0.8, 0.5])
    Bernoulli(means=(0.8, 0.5))
    >>> isinstance(Bernoulli([0.8, 0.5]), Bandit)
    True
    """

    keywords_only = False
    family: ClassVar[str]
    gaps: ClassVar[np.ndarray | None] = None  # mu* - mu_a of every arm, if arms have means

    if TYPE_CHECKING:  # a real property would be the default of a field of this name

        @property
        def number_of_arms(self) -> int: ...

    def games(self, horizon: int, t: Sequence[int]) -> Sequence[int]:
        """Return the horizon of every game of a run; `t`: the checkpoints."""
        return [horizon]

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Any, Any]:
        """Return what a policy plays in one run, and the journal that it writes to.

        Parameters
        ----------
        rng : Stream
            The run's stream for the bandit, the same for every policy.
        horizon : int
            The number of rounds.
        t : array
            The checkpoints.
        """
        raise NotImplementedError

    def curves(self, played: Any, journal: Any, t: np.ndarray) -> dict[str, np.ndarray]:
        """Return the curves of a finished game at the checkpoints t.

        Keyword-only arguments of a subclass are the keys of `regret` in a paper's file: how its
        authors counted the regret, if not over all rounds against the best arm.
        """
        return journal.results()

    def play_run(
        self,
        policy: Policy,
        of_bandit: Stream,
        rng: Stream,
        horizon: int,
        t: np.ndarray,
        **regret: Any,
    ) -> dict[str, np.ndarray]:
        """Play one run and return its curves: by default of one game of `horizon` rounds.

        Parameters
        ----------
        policy : Policy
            The policy that plays.
        of_bandit : Stream
            The run's stream for the bandit, the same for every policy.
        rng : Stream
            The run's stream for rewards and for the policy.
        horizon : int
            The number of rounds.
        t : array
            The checkpoints, of which the last one is the horizon.
        **regret
            How regret is counted: keyword-only arguments of `curves`.
        """
        played, journal = self.begin(of_bandit, horizon, t)
        policy.play(rng, played, horizon, journal)
        return self.curves(played, journal, t, **regret)

    def once_for_run(self, rng: Stream, horizon: int, make: Callable[[], Any]) -> Any:
        """Cache what `make` returns, so that all policies of a run share it."""
        run = horizon, tuple(rng.words)
        if self.__dict__.get("_last", (None,))[0] != run:
            self.__dict__.pop("_last", None)  # the memory of the last run is free for the next one
            self.__dict__["_last"] = run, make()
        return self.__dict__["_last"][1]

    def check(self, horizon: int) -> None:
        """Raise InputError for a horizon that this bandit does not support."""

"""The base class of bandits: fields are parameters, and a run is played on a drawn game.

A bandit of your own is a subclass of `bandits.stochastic.ArmsBandit`, in a notebook or in a module.
"""

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

import numpy as np

from dpbandits.errors import InputError
from dpbandits.parameters import Parameters
from dpbandits.policy import Policy
from dpbandits.privacy.ledger import Account
from dpbandits.random import Stream


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Bandit(Parameters):
    """Base class of all bandits. A subclass becomes a frozen dataclass of its parameters.

    A subclass has `number_of_arms`, as a field or a property, and defines `draw_game` and `begin`.

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
    # methods that a subclass defines
    needs: ClassVar[tuple[str, ...]] = "draw_game", "begin or play_run", "curves or play_run"
    least_game: ClassVar[int] = 1  # rounds of the shortest game that all policies can play
    gaps: ClassVar[np.ndarray | None] = None  # mu* - mu_a of every arm, if arms have means

    if TYPE_CHECKING:  # a real property would be the default of a field of this name

        @property
        def number_of_arms(self) -> int: ...

    def games(self, horizon: int, t: Sequence[int]) -> Sequence[int]:
        """Return the horizon of every game of a run; `t`: the checkpoints."""
        return [horizon]

    def draw_game(self, rng: Stream, horizon: int) -> Any:
        """Draw what all policies of a run play.

        Parameters
        ----------
        rng : Stream
            The run's stream for the bandit.
        horizon : int
            The number of rounds.
        """
        raise NotImplementedError

    def begin(self, game: Any, rng: Stream, horizon: int, t: np.ndarray) -> Any:
        """Return the run that a policy plays.

        Parameters
        ----------
        game
            What `draw_game` has drawn.
        rng : Stream
            The run's stream for rewards and for the policy.
        horizon : int
            The number of rounds.
        t : array
            The checkpoints.
        """
        raise NotImplementedError

    def curves(self, run: Any, t: np.ndarray) -> dict[str, np.ndarray]:
        """Return the curves of a finished run at the checkpoints t.

        Keyword-only arguments of a subclass are the keys of `regret` in a paper's file: how its
        authors counted the regret, if not over all rounds against the best arm.
        """
        raise NotImplementedError

    def play_run(
        self, policy: Policy, game: Any, rng: Stream, horizon: int, t: np.ndarray, **regret: Any
    ) -> dict[str, np.ndarray]:
        """Play one run of `horizon` rounds, and return its curves.

        `regret`: keyword-only arguments of `curves`. The others are those of `begin`.

        Raises
        ------
        InputError
            If the policy stops before the last round.
        """
        run = self.begin(game, rng, horizon, t)
        policy.play(run)
        check_finished(run)
        return self.curves(run, t, **regret)

    def check(self, horizon: int) -> None:
        """Raise InputError for a game that this bandit does not support."""

    def account(self, policy: Policy, horizon: int, t: Sequence[int]) -> Account | None:
        """Return a policy's account in the game of a run that spends most of its promise.

        `t`: the checkpoints.
        """
        accounts = [policy.account(T, self.number_of_arms) for T in self.games(horizon, t)]
        return max(accounts, key=lambda each: each.ratio if each else 0.0)


def check_finished(run: Any) -> None:
    """Raise InputError if a policy has stopped before the last round."""
    if not run.finished():
        says = f"play stops after round {run.t} of {run.horizon}"
        raise InputError(f"{says}; play until run.finished()")

"""Base classes of policies: fields are parameters, and `play` plays one run.

A policy of your own is a subclass of `ArmsPolicy`, in a notebook or in a module. `IndexPolicy`
(`drivers.index`) and `EpisodePolicy` (`drivers.episodes`) play a subclass by its methods.
"""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, dataclass_transform, get_args

from dpbandits.compiled import compiled_from
from dpbandits.errors import InputError, check_known, in_one_line, within
from dpbandits.parameters import Declared, Delta, NotNegative, Parameters
from dpbandits.privacy.games import AuditGames
from dpbandits.privacy.ledger import Account, Trust

# Class attributes of earlier versions, and the fields of AuditGames that replace them.
REPLACED = {"needs_legal_rewards": "legal_rewards_only", "drops_releases": "drops_releases"}


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Policy(Parameters):
    """Base class of all policies. A subclass becomes a frozen dataclass of its parameters.

    A subclass defines `play`. The other methods are optional.

    Examples
    --------
    >>> from dpbandits import Bernoulli, compare
    >>> from dpbandits.parameters import Natural
    >>> class Fixed(ArmsPolicy):
    ...     '''Play one arm.'''
    ...     arm: Natural = 1
    ...     def play(self, run):
    ...         run.play(self.arm, run.horizon)
    >>> arms = Bernoulli([0.9, 0.6, 0.5])
    >>> result = compare([Fixed(), Fixed(arm=2)], on=arms, horizon=10, n_runs=2)
    >>> result.summary.query("t == 10")[["policy", "mean"]]
              policy  mean
    9        Fixed()   3.0
    19  Fixed(arm=2)   4.0
    """

    family: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ("play",)  # methods that a subclass defines
    # A class whose methods play this class's own index faster (`drivers.index`). Subclasses do not
    # inherit it.
    short_cut: ClassVar[type | None] = None
    no_short_cut: ClassVar[type | None] = None  # the plain form of these methods

    def __init_subclass__(cls) -> None:
        """Raise InputError for a class attribute that `audit_games` replaces."""
        if old := sorted(REPLACED.keys() & vars(cls).keys()):
            fields = [f"{REPLACED[name]}=True" for name in old]
            raise InputError(
                f"{cls.file()}: {cls.__name__}.{old[0]} is not read; write def audit_games(self): "
                f"return super().audit_games()._replace({', '.join(fields)})"
            )
        super().__init_subclass__()

    def play(self, run: Any) -> None:
        """Play one run, until it is finished.

        Parameters
        ----------
        run : Run, GameRun or LogRun
            What is played, of the policy's family.
        """
        raise NotImplementedError

    def check(self, horizon: int, number_of_arms: int) -> None:
        """Raise InputError if this game cannot be played with these parameters."""

    def privacy(self, horizon: int, number_of_arms: int) -> Account | None:
        """Return the promise and the ledger; None if nothing is promised.

        A policy without this method promises nothing, and figures say so of your own.
        """
        return None

    def audit_games(self) -> AuditGames:
        """Return the games of audits and replays, where the default ones show nothing."""
        return AuditGames()

    def reports(self, horizon: int, number_of_arms: int) -> Mapping[str, Any]:
        """Return how users report their rewards, by phase; for local privacy.

        Each has the method `report(releases, reward)`, which an audit calls.
        """
        return {}

    def constants(self, horizon: int, number_of_arms: int) -> Mapping[str, Any]:
        """Return numbers for compiled methods, besides the parameters that are numbers."""
        return {}

    def state(self, number_of_arms: int) -> Mapping[str, Any]:
        """Return new arrays for compiled methods, which belong to one run."""
        return {}

    def compiled(self, horizon: int, number_of_arms: int) -> Any:
        """Return the policy as kernels see it: a named tuple with its methods.

        Its fields are the parameters that are numbers, the `constants` of this game, and a new
        `state`.
        """
        values = {**self.constants(horizon, number_of_arms), **self.state(number_of_arms)}
        return compiled_from(self, Policy, values, self.short_cut_or_default())

    @classmethod
    def short_cut_or_default(cls) -> type | None:
        """The short cut that the class itself names: it does not hold for another index."""
        return vars(cls).get("short_cut", cls.no_short_cut)

    def account(self, horizon: int, number_of_arms: int) -> Account | None:
        """Return `privacy`, checked.

        Raises
        ------
        InputError
            If `privacy` fails or returns something else than an account, or an impossible number.
        """
        place = f"{self.file()}: privacy"
        with in_one_line(place):  # the first draft of your own may fail in any way
            account = self.privacy(horizon, number_of_arms)
        if not isinstance(account, Account | None):
            raise InputError(
                f"{place}: {account!r} is not a promise; return an Account of "
                "dpbandits.privacy.ledger, or None if nothing is promised"
            )
        if account is None or account.epsilon == math.inf:
            return None
        check_known(place, "trust", [account.trust], get_args(Trust))
        with within(place):
            Declared(NotNegative).valid("epsilon", account.epsilon)
            Declared(Delta).valid("delta", account.delta)
        return account

    @property
    def mechanism(self) -> str:
        """The id of what a ledger, an audit or a replay is about: class and parameters.

        Epsilon alone is left out, since tables have it in a column of its own.

        Examples
        --------
        >>> from dpbandits.policies import DPSE
        >>> DPSE(epsilon=0.5).mechanism
        "dp_se.DPSE(elimination='all', rounding='up')"
        """
        module = type(self).__module__.removeprefix(f"dpbandits.policies.{self.family}.")
        parameters = (f"{k}={v!r}" for k, v in self.parameters.items() if k != "epsilon")
        return f"{module}.{type(self).__name__}({', '.join(parameters)})"

    def refuse_nan(self, place: tuple[int, int]) -> None:
        """Raise InputError if a kernel has returned the round and the arm of a NaN.

        It is the index of the arm, or in Thompson sampling its total. Rounds count from 1. A kernel
        that has chosen every arm by numbers returns (0, 0).
        """
        t, a = place
        if t > 0:
            raise InputError(
                f"{self!r}: the index (in Thompson sampling: the total) of arm {a} is NaN in round "
                f"{t}; compute a number, or as an index infinity for an arm that must be played"
            )

    @classmethod
    def states_privacy(cls) -> bool:
        """Whether the class defines `privacy`."""
        return cls.privacy is not Policy.privacy


class ArmsPolicy(Policy):
    """A policy that plays stochastic arms."""

    family = "arms"


class GamePolicy(Policy):
    """A policy that plays games against an adversary."""

    family = "games"


class LogPolicy(Policy):
    """A policy that chooses articles for the visitors of a news log."""

    family = "logs"

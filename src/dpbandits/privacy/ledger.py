"""The privacy ledger: what every release of a policy costs the rewards that it is computed from.

A release publishes a sum (or mean) over consecutive items of one stream of rewards, plus noise. An item inside it has a loss of
sensitivity/scale (with Gaussian noise: a concentrated loss), an item outside none. Neighbouring streams differ in one item, so the loss of a stream is that of its worst
item. What is computed from released values has no loss.

Two compositions add up the releases of an item. Basic: the sum of their losses. Concentrated (Bun & Steinke 2016, "Concentrated
differential privacy"): a release of loss e is e^2/2-concentrated, one with Gaussian noise sensitivity^2/(2 variance); these
values add up; and rho-concentrated privacy is (rho + 2 sqrt(rho ln(1/delta)), delta)-privacy for every delta.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple, Self

Trust = Literal["central", "aggregator", "local"]
# The noise of a release. Sums of whole numbers have discrete noise; of `any` only the loss is known.
LAPLACE, DISCRETE, GAUSSIAN, ANY = "Laplace", "discrete Laplace", "Gaussian", "any"


class Release(NamedTuple):
    """`times` noisy sums, each with fresh noise, over at most the items first..last (from 1, both included) of one stream.

    `scale` is the parameter of Laplace noise, continuous or discrete, and the standard deviation of Gaussian noise.
    """

    first: int
    last: int
    law: str
    sensitivity: float
    scale: float
    times: int

    @property
    def loss(self) -> float:
        """The largest log-likelihood ratio of one of these sums; with Gaussian noise, which has none, a step towards `rho`."""
        return self.sensitivity / self.scale

    @property
    def rho(self) -> float:
        """The concentrated privacy of all of these sums together."""
        return self.times * self.loss**2 / 2


class Ledger:
    """The releases of one stream of rewards.

    Examples
    --------
    >>> ledger = Ledger().book(1, 100, sensitivity=1.0, scale=4.0)
    >>> ledger.book(51, 200, sensitivity=1.0, scale=4.0).spent()  # rewards 51..100 are in both
    0.5
    """

    def __init__(self):
        self.releases: list[Release] = []

    def book(
        self,
        first: int,
        last: int,
        sensitivity: float,
        scale: float,
        law: str = LAPLACE,
        times: int = 1,
    ) -> Self:
        """Book noisy sums of rewards.

        Sums over disjoint rewards, with one sensitivity and one scale, are booked as one release,
        since each reward is in one sum only.

        Parameters
        ----------
        first, last : int
            The rewards that each sum may contain, from 1, both included.
        sensitivity : float
            The largest effect of one reward on a sum.
        scale : float
            The scale of Laplace noise, or the standard deviation of Gaussian noise.
        law : str, default "Laplace"
            The noise: LAPLACE, DISCRETE, GAUSSIAN or ANY.
        times : int, default 1
            The number of such sums, each with fresh noise.

        Returns
        -------
        Ledger
            The ledger itself.
        """
        self.releases.append(
            Release(int(first), int(last), law, float(sensitivity), float(scale), int(times))
        )
        return self

    def book_loss(self, first: int, last: int, loss: float, times: int = 1) -> Self:
        """Book `times` outputs of a mechanism of any kind, whose log-likelihood ratio is at most `loss`."""
        return self.book(first, last, loss, 1.0, ANY, times)

    def worst(self, amount: Callable[[Release], float]) -> list[Release]:
        """The releases of the item for which the sum of `amount` over its releases is largest.

        Found by a sweep over the ends of the releases, between which all items have the same ones.
        """
        change = defaultdict(float)
        for release in self.releases:
            change[release.first] += amount(release)
            change[release.last + 1] -= amount(release)
        items = sorted(change)
        sums = dict(zip(items, accumulate(change[item] for item in items), strict=True))
        item = max(items, key=sums.__getitem__, default=0)
        return [release for release in self.releases if release.first <= item <= release.last]

    def basic(self) -> float:
        """Basic composition, a bound on the log-likelihood ratio of all releases; infinite with Gaussian noise."""
        if any(release.law == GAUSSIAN for release in self.releases):
            return math.inf
        return math.fsum(
            each.times * each.loss
            for each in self.worst(lambda release: release.times * release.loss)
        )

    def rho(self) -> float:
        """The concentrated privacy of the worst item."""
        return math.fsum(each.rho for each in self.worst(lambda release: release.rho))

    def concentrated(self, delta: float) -> float:
        """The epsilon of concentrated composition at failure probability delta."""
        rho = self.rho()
        return rho + 2 * math.sqrt(rho * math.log(1 / delta))

    def spent(self, delta: float = 0.0) -> float:
        """The epsilon spent at this delta: the smaller one of the two compositions; without delta, that of the basic one."""
        return min(self.basic(), self.concentrated(delta)) if delta else self.basic()


def rho_of(epsilon: float, delta: float) -> float:
    """The rho whose concentrated privacy is (epsilon, delta)-privacy: epsilon = rho + 2 sqrt(rho ln(1/delta))."""
    log = math.log(1 / delta)
    return (epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))) ** 2


@dataclass(frozen=True)
class Account:
    """The privacy that a policy promises, and the ledger of what it spends.

    Parameters
    ----------
    epsilon, delta : float
        The promise; without a delta, 0.
    ledger : Ledger or None
        What is spent; None if rewards are used without noise.
    trust : {"central", "aggregator", "local"}, default "central"
        Who may see the exact rewards: the one who runs the policy, or only the user whose reward it
        is. With an aggregator that adds up what users send, nobody may. The policy learns sums.
    neighbours : str, default "one reward"
        The difference between two inputs that must be indistinguishable.

    Examples
    --------
    >>> ledger = Ledger().book(1, 1, sensitivity=1.0, scale=2.0)
    >>> account = Account(0.5, 0.0, ledger, trust="local")
    >>> account.spent, account.kept
    (0.5, True)
    """

    epsilon: float
    delta: float
    ledger: Ledger | None
    _: KW_ONLY
    trust: Trust = "central"
    neighbours: str = "one reward"

    @cached_property
    def spent(self) -> float:
        """Epsilon spent at the promised delta; infinite for a policy without noise."""
        return math.inf if self.ledger is None else self.ledger.spent(self.delta)

    @property
    def kept(self) -> bool:
        """Whether the promise holds, up to rounding."""
        return self.spent <= self.epsilon * (1 + 1e-9)

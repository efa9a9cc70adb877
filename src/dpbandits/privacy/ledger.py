"""The privacy ledger: what every release of a policy costs the rewards behind it.

A release publishes a sum (or mean) over consecutive items of one stream of rewards, plus noise.
Each covered item loses sensitivity/scale, or with Gaussian noise a concentrated loss; others lose
nothing. Neighbouring streams differ in one item, so the loss of a stream is that of its worst item.
Nothing is lost by computing with released values.

Two compositions add up the releases of an item. Basic composition adds their losses. In
concentrated composition (Bun & Steinke 2016, "Concentrated differential privacy") a release of loss
e is e^2/2-concentrated, and one with Gaussian noise sensitivity^2/(2 variance)-concentrated. These
values add up, and rho-concentrated privacy is (rho + 2 sqrt(rho ln(1/delta)), delta)-privacy for
every delta.

Skellam noise is not concentrated. Its Rényi divergence of an integer order a is at most that of
Gaussian noise with the same variance, a rho, and `Release.excess`. These divergences add up, too,
and a divergence d of order a is (d + ln(1/delta)/(a - 1), delta)-privacy (Mironov 2017, "Rényi
differential privacy").
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple, Self

from dpbandits.errors import InputError

Trust = Literal["central", "aggregator", "local"]
# The noise of a release. Sums of integers have discrete noise; of `any` only the loss is known.
LAPLACE, DISCRETE, ANY = "Laplace", "discrete Laplace", "any"
UNBOUNDED = GAUSSIAN, SKELLAM = "Gaussian", "Skellam"  # any loss has some probability
LAWS = (LAPLACE, DISCRETE, ANY, *UNBOUNDED)


class Release(NamedTuple):
    """Noisy sums of one stream, each with fresh noise.

    Attributes
    ----------
    first, last : int
        The items that a sum may cover, from 1, both included.
    law : str
        The distribution of the noise.
    sensitivity : float
        How much one item changes a sum.
    scale : float
        The parameter of Laplace noise, or the standard deviation of Gaussian and Skellam noise.
    times : int
        The number of sums.
    """

    first: int
    last: int
    law: str
    sensitivity: float
    scale: float
    times: int

    @property
    def loss(self) -> float:
        """The largest log-likelihood ratio of a sum, or with unbounded noise a part of rho."""
        return self.sensitivity / self.scale

    @property
    def rho(self) -> float:
        """The concentrated privacy of all of these sums together."""
        return self.times * self.loss**2 / 2

    def excess(self, order: int) -> float:
        """The Rényi divergence of Skellam noise at an integer order, beyond order * rho.

        Agarwal, Kairouz & Liu, "The Skellam mechanism" (2021), Corollary 3.6, for one number.
        """
        if self.law != SKELLAM:
            return 0.0
        size, variance = self.sensitivity, self.scale**2
        first = ((2 * order - 1) * size**2 + 6 * size) / (4 * variance**2)
        return self.times * min(first, 3 * size / (2 * variance))


class Ledger:
    """The releases of one stream of rewards.

    Examples
    --------
    >>> ledger = Ledger().book(1, 100, sensitivity=1, scale=2)
    >>> ledger.book(1, 50, sensitivity=1, scale=4).spent()
    0.75
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
        """Book noisy sums.

        Sums over disjoint items with one sensitivity and one scale are one release, since each item
        is in one of them only.

        Parameters
        ----------
        first, last : int
            The items that a sum may cover, from 1, both included.
        sensitivity : float
            How much one item changes a sum.
        scale : float
            The parameter of Laplace noise, or the standard deviation of Gaussian and Skellam noise.
        law : {LAPLACE, DISCRETE, GAUSSIAN, SKELLAM, ANY}, default LAPLACE
            The distribution of the noise.
        times : int, default 1
            The number of sums.

        Returns
        -------
        Ledger
            Itself.

        Raises
        ------
        InputError
            If a number cannot be that of a sum. A range may be empty (last = first - 1).
        """
        release = Release(int(first), int(last), law, float(sensitivity), float(scale), int(times))
        if law not in LAWS:
            raise InputError(f"unknown law {law!r}; write one of {', '.join(LAWS)}")
        if not (1 <= release.first <= release.last + 1 and release.times >= 0):
            raise InputError(f"{release}: items are numbered from 1, and times is at least 0")
        if not (release.sensitivity >= 0 and release.scale > 0):
            raise InputError(f"{release}: write a scale above 0 and no negative sensitivity")
        self.releases.append(release)
        return self

    def book_loss(self, first: int, last: int, loss: float, times: int = 1) -> Self:
        """Book outputs of any mechanism whose log-likelihood ratio is at most `loss`."""
        return self.book(first, last, loss, 1.0, ANY, times)

    @classmethod
    def joined(cls, ledgers: Iterable[Self]) -> Self:
        """Return the ledger of streams that share no items, one after another."""
        result, before = cls(), 0
        for ledger in ledgers:
            result.releases += [
                each._replace(first=each.first + before, last=each.last + before)
                for each in ledger.releases
            ]
            before = max((each.last for each in result.releases), default=0)
        return result

    def worst(self, amount: Callable[[Release], float]) -> list[Release]:
        """Return the releases of the item for which the sum of `amount` is largest.

        Between the ends of releases all items are in the same ones, so a sweep over ends finds it.
        """
        change = defaultdict(float)
        for release in self.releases:
            change[release.first] += amount(release)
            change[release.last + 1] -= amount(release)
        items = sorted(change)
        sums = dict(zip(items, accumulate(change[item] for item in items), strict=True))
        item = max(items, key=sums.__getitem__, default=0)
        return [release for release in self.releases if release.first <= item <= release.last]

    def _largest(self, amount: Callable[[Release], float]) -> float:
        """The largest sum of `amount` over the releases of an item."""
        return math.fsum(map(amount, self.worst(amount)))

    def rho(self) -> float:
        """Return the concentrated privacy of the worst item."""
        return self._largest(lambda each: each.rho)

    def concentrated(self, delta: float) -> float:
        """Return the epsilon of concentrated composition at failure probability delta.

        With Skellam noise it is that of one integer order, next to the best one without `excess`.
        """
        rho, log = self.rho(), math.log(1 / delta)
        if not rho:
            return 0.0
        if all(release.law != SKELLAM for release in self.releases):
            return rho + 2 * math.sqrt(rho * log)
        order = max(2, round(1 + math.sqrt(log / rho)))
        return self._largest(lambda each: order * each.rho + each.excess(order)) + log / (order - 1)

    def spent(self, delta: float = 0.0) -> float:
        """Return the epsilon spent at this delta.

        It is the smaller one of the two compositions; without delta, that of the basic one, which
        is infinite with unbounded noise.
        """
        unbounded = any(release.law in UNBOUNDED for release in self.releases)
        basic = math.inf if unbounded else self._largest(lambda each: each.times * each.loss)
        return min(basic, self.concentrated(delta)) if delta else basic


def rho_of(epsilon: float, delta: float) -> float:
    """Return the rho with epsilon = rho + 2 sqrt(rho ln(1/delta)).

    Its concentrated privacy is (epsilon, delta)-privacy.
    """
    log = math.log(1 / delta)
    return (epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))) ** 2


@dataclass(frozen=True)
class Account:
    """The privacy that a policy promises, and the ledger of what it spends.

    Parameters
    ----------
    epsilon, delta : float
        The promise.
    ledger : Ledger or None
        None if rewards are used without noise.
    trust : {"central", "aggregator", "local"}, default "central"
        Who may see exact rewards: the operator of the policy (`central`), or only the user
        (`local`). An `aggregator` adds up the reports of users, and the policy learns one sum of
        each batch.
    neighbours : str, default "one reward"
        The difference between two inputs that must be indistinguishable.

    Examples
    --------
    >>> account = Account(1.0, 0.0, Ledger().book(1, 100, sensitivity=1, scale=0.5))
    >>> account.spent, account.kept(), account.kept(promised=2)
    (2.0, False, True)
    """

    epsilon: float
    delta: float
    ledger: Ledger | None
    _: KW_ONLY
    trust: Trust = "central"
    neighbours: str = "one reward"

    @cached_property
    def spent(self) -> float:
        """The epsilon spent at the promised delta; infinite for a policy without noise."""
        return math.inf if self.ledger is None else self.ledger.spent(self.delta)

    @property
    def ratio(self) -> float:
        """The epsilon spent over the promised one; both are 0 if no reward decides anything."""
        if not self.epsilon:
            return math.inf if self.spent else 0.0
        return self.spent / self.epsilon

    def kept(self, promised: float | None = None) -> bool:
        """Whether the ledger proves a promise, up to rounding: its own, or that of a league.

        A ledger above the promise refutes nothing, since it is an upper bound.
        """
        return self.spent <= (self.epsilon if promised is None else promised) * (1 + 1e-9)


def released_once(
    epsilon: float, horizon: int, law: str = LAPLACE, trust: Trust = "central"
) -> Account:
    """Return the account of sums over disjoint rewards, released with noise of scale 1/epsilon."""
    ledger = Ledger().book(1, horizon, sensitivity=1.0, scale=1 / epsilon, law=law)
    return Account(epsilon, 0.0, ledger, trust=trust)

"""The exact composition of a ledger's releases: the least epsilon at which they are (epsilon, delta)-private together.

At delta = 0 that is the sum of the largest losses, however rarely all of them are large. What of it shows is the least epsilon with
P(E) <= e^epsilon Q(E) for those events E alone whose probability Q(E) is no less than a given one.

A release is known by its curve, the least delta for every epsilon: E max(0, 1 - e^(epsilon - L)), where L is the log-likelihood
ratio of what is released under two neighbouring inputs. The L of independent releases add up, and no policy that chooses its releases
from earlier ones loses more (Zhu, Dong & Wang 2022, "Optimal accounting of differential privacy via characteristic function"). So
the law of L is composed on a grid. Between points of the grid a curve is taken to be linear in e^epsilon, which is never less than it
is (Doroshenko et al. 2022, "Connect the dots"): an epsilon is too large, if at all, and by less than a thousandth.

Of a mechanism that is known by its loss alone, the worst one with this loss is composed, a randomised response (Kairouz, Oh &
Viswanath 2015, "The composition theorem for differential privacy").
"""

import math
from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import log_ndtr, ndtr

from dpbandits.privacy.ledger import DISCRETE, GAUSSIAN, LAPLACE, Ledger, Spending

POINTS = 2048  # of the grid on either side of 0, at least
FAR = 38.0  # standard deviations of Gaussian noise, beyond which probabilities are less than any number


def exact_epsilon(ledger: Ledger, delta: float, rarest: float) -> float:
    """The least epsilon of the item that loses most, at this delta, or, where it is 0, of events with at least this probability."""
    found = 0.0
    for releases in sorted(ledger.spendings_of_all(), key=_most, reverse=True):
        if _most(releases) > found:
            found = max(found, composed_epsilon(releases, delta, rarest))
    return found


def composed_epsilon(releases: Sequence[Spending], delta: float, rarest: float = 1e-300) -> float:
    """The same of these releases together."""
    releases = _with_one_gaussian(releases)
    alone = sum(each.releases for each in releases) == 1
    curve, most = partial(least_delta, releases[0]) if alone else _curve_of(releases), _most(releases)
    if not delta:  # P(E) is at most e^epsilon Q(E) + curve(epsilon) for every epsilon, and as much for one of them
        largest = partial(_log_ratio, curve, rarest)
        best = minimize_scalar(largest, bounds=(-most, most), method="bounded", options={"xatol": 1e-7 * most})
        return min(most, float(best.fun))
    if curve(0.0) <= delta:
        return 0.0
    return float(brentq(lambda epsilon: curve(epsilon) - delta, 0.0, most)) if curve(most) < delta else most


def _log_ratio(curve: Callable[[float], float], rarest: float, epsilon: float) -> float:
    """The log of e^epsilon + curve(epsilon)/rarest."""
    return float(np.logaddexp(epsilon, math.log(max(float(curve(epsilon)), 1e-300) / rarest)))


def least_delta(release: Spending, epsilon: np.ndarray | float) -> np.ndarray:
    """The curve of one release."""
    sensitivity, scale = release.sensitivity, release.scale
    loss = sensitivity / scale
    if release.mechanism == GAUSSIAN:
        return ndtr(loss / 2 - epsilon / loss) - np.exp(epsilon + log_ndtr(-loss / 2 - epsilon / loss))
    inside = np.clip(epsilon, -loss, loss)
    if release.mechanism == LAPLACE:
        found = -np.expm1((inside - loss) / 2)
    elif release.mechanism == DISCRETE:  # L is above epsilon where the noise is at least -k
        k, ratio = np.ceil((sensitivity - inside * scale) / 2) - 1, math.exp(-1 / scale)
        found = 1 - (ratio ** (k + 1) + np.exp(inside) * ratio ** (sensitivity - k)) / (1 + ratio)
    else:
        found = -np.expm1(inside - loss) / (1 + math.exp(-loss))
    return np.where(epsilon < -loss, -np.expm1(np.minimum(epsilon, 0.0)), found)


def _with_one_gaussian(releases: Sequence[Spending]) -> list[Spending]:
    """The same with one Gaussian release for all of them, whose squared loss is the sum of theirs."""
    gaussian = [each for each in releases if each.mechanism == GAUSSIAN]
    squares = sum(each.releases * (each.sensitivity / each.scale) ** 2 for each in gaussian)
    others = [each for each in releases if each.mechanism != GAUSSIAN]
    return [*others, Spending(GAUSSIAN, math.sqrt(squares), 1.0, 1, 1)] if gaussian else others


def _most(releases: Sequence[Spending]) -> float:
    """The largest L of these releases together; of Gaussian ones, where nothing is beyond."""
    one = [each for each in _with_one_gaussian(releases) if each.mechanism == GAUSSIAN]
    pure = sum(each.releases * each.sensitivity / each.scale for each in releases if each.mechanism != GAUSSIAN)
    return pure + sum(each.sensitivity**2 / 2 + FAR * each.sensitivity for each in one)


def _curve_of(releases: Sequence[Spending]) -> Callable[[float], float]:
    """The curve of several releases together."""
    number, most = sum(each.releases for each in releases), _most(releases)
    step = most / (number * math.ceil(POINTS / number))  # equal losses are on the grid
    weights = reduce(np.convolve, (_times(_law(each, step), each.releases) for each in releases))
    L = step * (np.arange(weights.size) - weights.size // 2)
    return lambda epsilon: float(weights @ -np.expm1(np.minimum(epsilon - L, 0.0)))


def _law(release: Spending, step: float) -> np.ndarray:
    """The probabilities of L of one release at the points of a grid around 0 between which its curve is linear in e^epsilon."""
    reach = math.ceil(_most([release._replace(releases=1)]) / step - 1e-9)
    rises = np.diff(least_delta(release, step * np.arange(-reach - 1, reach + 2)))
    return rises[1:] / math.expm1(step) + rises[:-1] / math.expm1(-step)


def _times(law: np.ndarray, n: int) -> np.ndarray:
    """The law of the sum of n losses, by doubling. No Fourier transform: sums of positive numbers keep their tails."""
    half = _times(law, n // 2) if n > 1 else np.ones(1)
    return np.convolve(np.convolve(half, half), law if n % 2 else np.ones(1))

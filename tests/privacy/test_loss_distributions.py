"""The ledger's compositions beside the exact loss: distributions of the privacy loss, composed on a grid.

Nothing here is taken from `dpbandits.privacy` but what is tested. For the loss L of a mechanism, which is the log of the
ratio of the two laws at what is published, the least delta for an epsilon is E max(0, 1 - exp(epsilon - L)); the losses of
independent releases add up. A loss that is rounded up to the grid gives at least this delta, one that is rounded down at
most.
"""

import math
from functools import cache, reduce

import numpy as np
import pytest

from dpbandits.algorithms.arms import dp_ucb_int
from dpbandits.privacy.concentrated import ConcentratedLedger

UP, DOWN = 1, 0


def laplace_losses(loss, step, rounded):
    """The law of the loss of one release with sensitivity/scale = loss: the first point of the grid, and the weights.

    The noise is beyond the two sums with probability 1/2 and exp(-loss)/2, where the loss is +-loss; between them, at the
    share s of the distance, it is loss (1 - 2s).
    """
    n = math.ceil(loss / step - 1e-9)
    ends = np.clip(step * np.arange(-n, n + 1), -loss, loss)
    below = np.exp((ends - loss) / 2) / 2  # P(L <= end), for the part between
    inside = np.diff(below)
    weights = np.zeros(2 * n + 1)
    weights[:-1] += inside * (rounded == DOWN)
    weights[1:] += inside * (rounded == UP)
    weights[-1 if rounded == UP else math.floor(loss / step + 1e-9) - n - 1] += 0.5
    weights[math.ceil(-loss / step - 1e-9) + n if rounded == UP else 0] += math.exp(-loss) / 2
    return -n, weights


def together(one, other):
    """The law of the sum of two independent losses. No Fourier transform: sums of positive numbers keep their tails."""
    return one[0] + other[0], np.convolve(one[1], other[1])


def times(law, n):
    """The law of the sum of n losses."""
    found = None
    while n:
        if n & 1:
            found = law if found is None else together(found, law)
        n >>= 1
        law = together(law, law) if n else law
    return found


def epsilon_of(law, step, delta):
    """The least epsilon at which this law of the loss needs no larger delta."""
    losses = step * (law[0] + np.arange(law[1].size))
    low, high = 0.0, float(losses[-1])
    for _ in range(60):
        middle = (low + high) / 2
        needs = -np.expm1(np.minimum(middle - losses, 0.0)) @ law[1]
        low, high = (middle, high) if needs > delta else (low, middle)
    return high


@cache
def composed(losses, step, rounded):
    """The law of the loss of releases with these (loss, times)."""
    return reduce(together, (times(laplace_losses(loss, step, rounded), n) for loss, n in losses))


def exact(losses, delta, step):
    """The epsilon of these releases: no less than the first number, no more than the second."""
    return tuple(epsilon_of(composed(losses, step, rounded), step, delta) for rounded in (DOWN, UP))


def ledger_of(losses):
    ledger = ConcentratedLedger(3)
    for loss, n in losses:
        ledger.release(1, 2, 1.0, 1 / loss, times=n)
    return ledger


def test_one_release():
    """Of one release the exact delta is 1 - exp((epsilon - loss)/2)."""
    low, high = exact(((1.0, 1),), 1e-3, 1 / 4096)
    assert low <= 1 + 2 * math.log(1 - 1e-3) <= high
    assert high - low < 1e-3


FEW, MANY, TINY = ((0.5, 4),), ((0.1, 100),), ((0.03, 2000),)
LARGE, MIXED = ((1.0, 64),), ((0.5, 2), (0.25, 8), (0.0625, 64))
STEPS = {FEW: 1 / 64, MANY: 1 / 160, TINY: 3 / 800, LARGE: 1 / 32, MIXED: 1 / 64}


@pytest.mark.parametrize(
    ("losses", "delta", "epsilon"),
    [
        (FEW, 1e-3, 1.98413),
        (MANY, 1e-3, 3.04839),
        (MANY, 1e-10, 6.17961),
        (TINY, 1e-3, 4.50144),
        (TINY, 1e-10, 8.99768),
        (MIXED, 1e-3, 3.12793),
        (MIXED, 1e-10, 5.40955),
    ],
)
def test_the_numbers_of_dp_accounting(losses, delta, epsilon):
    """Those of dp-accounting 0.6.0, from_laplace_mechanism with a quarter of the step. It needs attrs below 24, which
    the environment has not."""
    at_least, at_most = exact(losses, delta, STEPS[losses])
    assert at_least <= epsilon <= at_most


@pytest.mark.parametrize("losses", [FEW, MANY, TINY, LARGE, MIXED])
@pytest.mark.parametrize("delta", [1e-3, 1e-10, 1e-20])
def test_no_composition_is_below_the_exact_loss(losses, delta):
    at_least, at_most = exact(losses, delta, STEPS[losses])
    ledger = ledger_of(losses)
    assert at_most - at_least < 0.04 * at_most
    for epsilon in (ledger.basic(), ledger.advanced(delta), ledger.concentrated(delta), ledger.spent(delta)):
        assert epsilon >= at_least


@pytest.mark.parametrize("losses", [FEW, MANY, MIXED])
def test_basic_composition_is_the_largest_loss(losses):
    assert exact(losses, 0.0, STEPS[losses]) == pytest.approx([ledger_of(losses).basic()] * 2)


def test_many_small_losses_are_composed_closely():
    """For many small losses and a tiny delta both theorems are close to the exact loss: a lost factor would be seen."""
    at_least, at_most = exact(TINY, 1e-20, STEPS[TINY])
    assert at_least <= ledger_of(TINY).concentrated(1e-20) < 1.08 * at_most
    assert at_least <= ledger_of(TINY).advanced(1e-20) < 1.15 * at_most


def test_what_dp_ucb_int_spends():
    """The worst reward of the policy that promises a delta, the first one, is in all 82 releases of an arm. Exactly
    composed, they would cost little more than half of what the ledger books."""
    delta = dp_ucb_int.DELTA
    ledger = dp_ucb_int.privacy(20_000, 2, epsilon=1.0).ledger
    counts = dp_ucb_int.update_counts("series_y", dp_ucb_int.input_epsilon(1.0, delta, 1.1), 1.1, 20_000)
    losses = tuple((n ** (-1.1 / 2), 1) for n in counts)
    at_least, at_most = exact(losses, delta, losses[-1][0] / 32)
    assert ledger.basic() == pytest.approx(sum(loss for loss, _ in losses))
    assert 0.5 * ledger.spent(delta) < at_least < at_most < 0.6 * ledger.spent(delta)

"""How many of the released numbers only one of two neighbouring inputs can produce: floating-point numbers are no real numbers.

Pure epsilon would need every number that one input can release to be possible under the other. Here the first reward of
AdaP-UCB, 0 or 1, is released with a Laplace number of our sampler. docs/audit.md repeats the shares.
"""

import math

import numpy as np
import pytest
from numba.np.random._constants import we_double, ziggurat_exp_r

from dpbandits.kernels.sampling import laplace
from dpbandits.kernels.streams import stream

# epsilon -> the shares of the numbers that the rewards 0 and 1 release
SHARES = {0.1: (0.17, 0.1), 0.2: (0.2, 0.08), 1.0: (0.43, 0.002), 2.0: (0.58, 0.001)}
NEAR = 3  # doubles on either side that are tried


def neighbours(x):
    """The doubles around x, and x."""
    found = [x]
    for direction in (-math.inf, math.inf):
        y = x
        for _ in range(NEAR):
            y = np.nextafter(y, direction)
            found.append(y)
    return found


def can_draw(size):
    """Whether the ziggurat gives this exponential number: a whole number of 53 bits times the width of one of its strips."""
    if size < 0 or size > ziggurat_exp_r:
        return size > 0  # the tail
    whole = np.rint(size / we_double)
    return bool(np.any((whole * we_double == size) & (whole < 2.0**53)))


def is_possible(released, reward, scale):
    """Whether our sampler can draw the noise with which this reward is released as this number."""
    noises = [n for n in neighbours(released - reward) if reward + n == released]
    if len(noises) > NEAR:  # many doubles are rounded to this number
        return True
    sizes = {x for n in noises for x in neighbours(abs(n) / scale) if scale * x == abs(n)}
    return any(can_draw(size) for size in sizes)


@pytest.mark.parametrize("epsilon", SHARES)
def test_the_share_of_numbers_that_only_one_input_can_release(epsilon):
    rng, scale, number = stream(1, "floating point", str(epsilon)), 1 / epsilon, 4000
    for reward, wanted in zip((0.0, 1.0), SHARES[epsilon], strict=True):
        impossible = 0
        for _ in range(number):
            released = reward + laplace(rng, scale)
            assert is_possible(released, reward, scale)
            impossible += not is_possible(released, 1 - reward, scale)
        assert impossible / number == pytest.approx(wanted, abs=0.02)

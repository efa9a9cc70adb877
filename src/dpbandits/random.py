"""Random numbers: one independent stream for each name, and what kernels draw from it.

A run is named by (seed, paper, experiment or its `stream`, series' name, run), so that it gives the same numbers in any chunk, in
any order, on any number of cores. A stream is the generator SFC64 (Doty-Humphrey's, as in NumPy), whose uniform and exponential
numbers are NumPy's bit for bit. The noise that protects rewards is drawn by `laplace`, `gaussian`, `discrete_laplace` and `noisy_bit`,
and multiplied by the stream's factor `noise`, which is 1; an audit sets it to 0 to check that it detects missing noise.
"""

import hashlib
import math
from decimal import Decimal, localcontext
from typing import NamedTuple

import numba
import numpy as np

from dpbandits.kernels import kernel, methods, step

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # in plain Python, too, words are added modulo 2^64

U64 = np.uint64
TO_UNIT = 2.0**-53  # turns 53 bits into a number in [0, 1)


@methods
class Stream(NamedTuple):
    """The four words of SFC64, the last of which is a counter, and the factor of the noise that protects rewards. Its methods,
    but for `numpy`, are like a NumPy generator's, each for one number; no field of a policy's rule may have the name of one."""

    words: np.ndarray
    noise: float = 1.0

    def random(self):
        return uniform(self)

    def integers(self, low, high):
        """A whole number from low to high - 1."""
        return low + integer(self, high - low)

    def standard_normal(self):
        """A standard normal number, which protects a reward: it is multiplied by `noise`, as that of `gaussian`."""
        return gaussian(self, 1.0)

    def normal(self, mean, deviation):
        """A normal number that protects no reward: for rewards, or for a policy's choices. `standard_normal` protects."""
        return mean + deviation * normal(self)

    def laplace(self, location, scale):
        """A Laplace number, which protects a reward."""
        return location + laplace(self, scale)

    def beta(self, a, b):
        return beta(self, a, b)

    def binomial(self, n, p):
        return binomial(self, n, p)

    def numpy(self):
        """A NumPy generator, seeded with the next four words: for what Python draws, such as a permutation."""
        return np.random.Generator(np.random.SFC64([int(next_word(self)) for _ in range(4)]))


def stream(seed: int, *name: str | int) -> Stream:
    """The stream of this name. Names are hashed, so that the streams of consecutive runs are unrelated."""
    key = "/".join(str(part) for part in (seed, *name))
    entropy = np.frombuffer(hashlib.sha256(key.encode()).digest(), np.uint32)
    return Stream(np.random.SFC64(np.random.SeedSequence(entropy)).state["state"]["state"])


# Uniform numbers.


@step
def next_word(rng):
    """The next 64 bits of SFC64."""
    a, b, c, count = rng.words[0], rng.words[1], rng.words[2], rng.words[3]
    word = a + b + count
    rng.words[0] = b ^ (b >> U64(11))
    rng.words[1] = c + (c << U64(3))
    rng.words[2] = ((c << U64(24)) | (c >> U64(40))) + word
    rng.words[3] = count + U64(1)
    return word


@step
def uniform(rng):
    """A uniform number in [0, 1), of 53 bits."""
    return np.int64(next_word(rng) >> U64(11)) * TO_UNIT


@step
def integer(rng, n):
    """A whole number from 0 to n - 1."""
    return np.int64(n * uniform(rng))


# Exponential numbers, by a ziggurat: Marsaglia & Tsang, "The ziggurat method for generating random variables" (2000).


def ziggurat(r: str, area: str) -> np.ndarray:
    """The tables of a ziggurat under e^-x: 256 strips with equal areas, of which strip 0 has the tail beyond r.

    Columns: the width of a strip over 2^53; the whole number of 53 bits left of which a point is surely under the curve; and the
    curve at the strip's right end (of strip 0: at x = 0). Computed with 40 digits.
    """
    with localcontext(prec=40):
        x, area = [Decimal(0)] * 255 + [Decimal(r)], Decimal(area)
        for i in range(254, 0, -1):
            x[i] = -(area / x[i + 1] + (-x[i + 1]).exp()).ln()
        x[0] = area / (-x[255]).exp()
        inside = [x[255], Decimal(0), *x[1:255]]
        heights = [1, *((-right).exp() for right in x[1:])]
        return np.array(
            [(x[i] / 2**53, int(inside[i] / x[i] * 2**53), heights[i]) for i in range(256)],
            np.float64,
        )


TAIL_DIGITS, AREA_DIGITS = (
    "7.697117470131049714044628048114089523343",
    "0.003949659822581557219977571956469246442202",
)
STRIPS, TAIL = ziggurat(TAIL_DIGITS, AREA_DIGITS), float(TAIL_DIGITS)


@step
def exponential(rng):
    """An exponential number with mean 1."""
    return exponential_of(rng, next_word(rng))


@step
def exponential_of(rng, word):
    """The exponential number of a word, whose last three bits it does not use."""
    strip, upper = (word >> U64(3)) & U64(255), np.int64(word >> U64(11))
    size = upper * STRIPS[strip, 0]
    return size if upper < STRIPS[strip, 1] else exponential_outside(rng, np.int64(strip), size)


@kernel
def exponential_outside(rng, strip, size):
    """The exponential number of a strip where a point is not surely under the density, which one in 90 draws needs."""
    while True:
        if strip == 0:
            return TAIL - math.log1p(-uniform(rng))
        low, high = STRIPS[strip, 2], STRIPS[strip - 1, 2]
        if (high - low) * uniform(rng) + low < math.exp(-size):
            return size
        word = next_word(rng)
        strip, upper = np.int64((word >> U64(3)) & U64(255)), np.int64(word >> U64(11))
        size = upper * STRIPS[strip, 0]
        if upper < STRIPS[strip, 1]:
            return size


@step
def normal(rng):
    """A standard normal number, for what protects no reward (see `gaussian`): rejection sampling from an exponential one (von Neumann).
    The sign is a bit that this does not use."""
    while True:
        word = next_word(rng)
        size = exponential_of(rng, word)
        if 2 * exponential(rng) >= (size - 1) ** 2:
            return -size if word & U64(1) else size


# Numbers that are drawn rarely.


@kernel
def gamma(rng, shape):
    """A gamma number with scale 1: Marsaglia & Tsang, "A simple method for generating gamma variables" (2000)."""
    b = (shape if shape >= 1 else shape + 1) - 1 / 3
    c = 1 / math.sqrt(9 * b)
    while True:
        x = normal(rng)
        v, u, square = 1 + c * x, 1 - uniform(rng), x * x
        v = v * v * v
        if v > 0 and (
            u < 1 - 0.0331 * square * square
            or math.log(u) < 0.5 * square + b * (1 - v + math.log(v))
        ):
            return b * v if shape >= 1 else b * v * uniform(rng) ** (1 / shape)


@kernel
def beta(rng, a, b):
    """A beta number, from two gamma numbers."""
    x, y = gamma(rng, a), gamma(rng, b)
    if (
        x + y == 0
    ):  # with shapes near 0 both are below the smallest number, and one is far below the other
        return 1.0 if uniform(rng) * (a + b) < a else 0.0
    return x / (x + y)


@step
def binomial(rng, n, p):
    """The number of successes in n trials of probability p."""
    q = min(p, 1 - p)
    drawn = rare_successes(rng, n, q) if n * q < 10 else frequent_successes(rng, n, q)
    return n - drawn if p > 0.5 else drawn


@kernel
def rare_successes(rng, n, p):
    """A binomial number of which few are expected: by the geometric numbers of trials between two successes."""
    successes, trials = 0, 0.0
    while p > 0:
        trials += geometric(rng, p)
        if trials > n:
            break
        successes += 1
    return successes


@kernel
def frequent_successes(rng, n, p):
    """A binomial number with n p of at least 10 and p of at most 1/2, by rejection from a transformed uniform number: Hörmann,
    "The generation of binomial random variates" (1993), algorithm BTRS."""
    spread = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a, centre = -0.0873 + 0.0248 * b + 0.01 * p, n * p + 0.5
    alpha, mode, log_odds = (
        (2.83 + 5.1 / b) * spread,
        math.floor((n + 1) * p),
        math.log(p / (1 - p)),
    )
    largest = math.lgamma(mode + 1) + math.lgamma(n - mode + 1)
    while True:
        u, v = uniform(rng) - 0.5, 1 - uniform(rng)
        distance = 0.5 - abs(u)
        if distance == 0:
            continue
        k = math.floor((2 * a / distance + b) * u + centre)
        if distance >= 0.07 and v <= 0.92 - 4.2 / b:
            return k
        if 0 <= k <= n:
            log_ratio = (
                largest - math.lgamma(k + 1) - math.lgamma(n - k + 1) + (k - mode) * log_odds
            )
            if math.log(v * alpha / (a / (distance * distance) + b)) <= log_ratio:
                return k


@step
def geometric(rng, p):
    """The number of trials up to and including the first success, of probability p < 1; a float, since it may be above 2^63."""
    return max(np.ceil(exponential(rng) / -math.log1p(-p)), 1.0)


# The noise that protects rewards.


@step
def laplace(rng, scale):
    """A Laplace number: an exponential one, whose sign is a bit that it does not use."""
    word = next_word(rng)
    size = scale * rng.noise * exponential_of(rng, word)
    return -size if word & U64(1) else size


@step
def gaussian(rng, deviation):
    """A normal number with mean 0, times `noise`: it protects a reward. `normal` is the same without that factor."""
    return deviation * rng.noise * normal(rng)


@step
def discrete_laplace(rng, scale):
    """A whole number k with a probability proportional to e^(-|k|/scale): a Laplace number rounded towards 0, whose size is k with
    probability (1 - r) r^k, r = e^(-1/scale). 0 would come with both signs, so the one with a minus is drawn again."""
    while True:
        number = laplace(rng, scale)
        size = math.floor(abs(number))
        if number >= 0:
            return size
        if size > 0:
            return -size


@step
def noisy_bit(rng, p):
    """1 with probability p, otherwise 0; without noise the more probable one."""
    return 1.0 if 0.5 + rng.noise * (uniform(rng) - 0.5) < p else 0.0

"""Random numbers: an independent stream for each name, and its distributions.

A run is named by (seed, paper, experiment or its `stream`, series' name, run). It has the same
numbers in any chunk, in any order, on any number of cores. A stream is the generator SFC64
(Doty-Humphrey's, as in NumPy). Its uniform and exponential numbers are NumPy's bit for bit.
"""

import hashlib
import json
import math
from decimal import Decimal, localcontext
from typing import NamedTuple

import numba
import numpy as np

from dpbandits.kernels import routine, step

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # in plain Python, too, words are added modulo 2^64

U64 = np.uint64
TO_UNIT = 2.0**-53  # turns 53 bits into a number in [0, 1)


class Stream(NamedTuple):
    """A stream of random numbers, for kernels and for plain Python.

    Attributes
    ----------
    words : array
        The four words of SFC64, of which the last is a counter.

    Examples
    --------
    >>> from dpbandits.random import stream
    >>> rng = stream(1, "example")
    >>> 0 <= rng.random() < 1
    True
    """

    words: np.ndarray

    @step
    def word(self):
        """Return the next 64 bits, of SFC64."""
        a, b, c, count = self.words[0], self.words[1], self.words[2], self.words[3]
        word = a + b + count
        self.words[0] = b ^ (b >> U64(11))
        self.words[1] = c + (c << U64(3))
        self.words[2] = ((c << U64(24)) | (c >> U64(40))) + word
        self.words[3] = count + U64(1)
        return word

    @step
    def random(self):
        """Return a uniform number in [0, 1), of 53 bits."""
        return np.int64(self.word() >> U64(11)) * TO_UNIT

    def integers(self, low, high):
        """Return an integer from low to high - 1."""
        return low + np.int64((high - low) * self.random())

    @step
    def exponential(self):
        """Return an exponential number with mean 1."""
        return _exponential_of(self, self.word())

    def normal(self, mean, sd):
        """Return a normal number."""
        return mean + sd * _normal(self)

    @step
    def laplace(self, scale):
        """Return a Laplace number: an exponential one, whose sign is a bit that it does not use."""
        word = self.word()
        size = scale * _exponential_of(self, word)
        return -size if word & U64(1) else size

    def poisson(self, mean):
        """Return a Poisson number."""
        return _poisson(self, mean)

    @routine
    def gamma(self, shape):
        """Return a gamma number with scale 1.

        Marsaglia & Tsang, "A simple method for generating gamma variables" (2000).
        """
        b = (shape if shape >= 1 else shape + 1) - 1 / 3
        c = 1 / math.sqrt(9 * b)
        while True:
            x = _normal(self)
            v, u, square = 1 + c * x, 1 - self.random(), x * x
            v = v * v * v
            if v > 0 and (
                u < 1 - 0.0331 * square * square
                or math.log(u) < 0.5 * square + b * (1 - v + math.log(v))
            ):
                return b * v if shape >= 1 else b * v * self.random() ** (1 / shape)

    @routine
    def beta(self, a, b):
        """Return a beta number, from two gamma numbers."""
        x, y = self.gamma(a), self.gamma(b)
        if x + y == 0:  # with shapes near 0 both underflow, and one is far below the other
            return 1.0 if self.random() * (a + b) < a else 0.0
        return x / (x + y)

    @step
    def binomial(self, n, p):
        """Return the number of successes in n trials of probability p."""
        q = min(p, 1 - p)
        drawn = _rare_successes(self, n, q) if n * q < 10 else _frequent_successes(self, n, q)
        return n - drawn if p > 0.5 else drawn

    @step
    def geometric(self, p):
        """Return the number of trials up to the first success, of probability p < 1.

        It is a float, since it may be above 2^63.
        """
        return max(np.ceil(self.exponential() / -math.log1p(-p)), 1.0)

    def numpy(self):
        """Return a NumPy generator, seeded with the next four words, such as for permutations."""
        return np.random.Generator(np.random.SFC64([int(self.word()) for _ in range(4)]))


def stream(seed: int, *name: str | int) -> Stream:
    """Return the stream of this name. Names are hashed: consecutive runs are unrelated.

    No two names have the same stream. A part may contain any character.
    """
    parts = [str(part) for part in (seed, *name)]
    has_slash = any("/" in part for part in parts)
    joined = f"/{json.dumps(parts)}" if has_slash else "/".join(parts)  # which begins with the seed
    entropy = np.frombuffer(hashlib.sha256(joined.encode()).digest(), np.uint32)
    return Stream(np.random.SFC64(np.random.SeedSequence(entropy)).state["state"]["state"])


# Exponential numbers, by a ziggurat: Marsaglia & Tsang, "The ziggurat method for generating random
# variables" (2000).


def _ziggurat(r: str, area: str) -> np.ndarray:
    """The tables of a ziggurat under e^-x: 256 strips of equal area; strip 0 has the tail beyond r.

    Columns: the width of a strip over 2^53; the integer of 53 bits below which a point is surely
    under the curve; and the curve at the strip's right end (of strip 0: at x = 0). Computed with 40
    digits.
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


TAIL_DIGITS = "7.697117470131049714044628048114089523343"
AREA_DIGITS = "0.003949659822581557219977571956469246442202"
STRIPS, TAIL = _ziggurat(TAIL_DIGITS, AREA_DIGITS), float(TAIL_DIGITS)


@step
def _exponential_of(rng, word):
    """The exponential number of a word, whose last three bits it does not use."""
    strip, upper = (word >> U64(3)) & U64(255), np.int64(word >> U64(11))
    size = upper * STRIPS[strip, 0]
    return size if upper < STRIPS[strip, 1] else _exponential_outside(rng, np.int64(strip), size)


@routine
def _exponential_outside(rng, strip, size):
    """The exponential number where a point is not surely under the density: once in 90 draws."""
    while True:
        if strip == 0:
            return TAIL - math.log1p(-rng.random())
        low, high = STRIPS[strip, 2], STRIPS[strip - 1, 2]
        if (high - low) * rng.random() + low < math.exp(-size):
            return size
        word = rng.word()
        strip, upper = np.int64((word >> U64(3)) & U64(255)), np.int64(word >> U64(11))
        size = upper * STRIPS[strip, 0]
        if upper < STRIPS[strip, 1]:
            return size


@step
def _normal(rng):
    """A standard normal number, by rejection from an exponential one (von Neumann).

    The sign is a bit that this does not use.
    """
    while True:
        word = rng.word()
        size = _exponential_of(rng, word)
        if 2 * rng.exponential() >= (size - 1) ** 2:
            return -size if word & U64(1) else size


@routine
def _rare_successes(rng, n, p):
    """A small binomial number, by the geometric numbers of trials between two successes."""
    successes, trials = 0, 0.0
    while p > 0:
        trials += rng.geometric(p)
        if trials > n:
            break
        successes += 1
    return successes


@routine
def _frequent_successes(rng, n, p):
    """A binomial number with n p >= 10 and p <= 1/2, by transformed rejection.

    Hörmann, "The generation of binomial random variates" (1993), algorithm BTRS.
    """
    spread = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a, centre = -0.0873 + 0.0248 * b + 0.01 * p, n * p + 0.5
    alpha, mode = (2.83 + 5.1 / b) * spread, math.floor((n + 1) * p)
    log_odds = math.log(p / (1 - p))
    largest = math.lgamma(mode + 1) + math.lgamma(n - mode + 1)
    while True:
        u, v = rng.random() - 0.5, 1 - rng.random()
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


@routine
def _poisson(rng, mean):
    """A Poisson number: the events of a process in an interval of this length.

    Ahrens & Dieter, "Computer methods for sampling from gamma, beta, Poisson and binomial
    distributions" (1974): event n comes after a gamma number, the earlier ones anywhere before it.
    """
    events = 0
    while mean > 16:
        n = math.floor(0.875 * mean)
        time = rng.gamma(n)
        if time > mean:
            return events + np.int64(rng.binomial(n - 1, mean / time))
        events, mean = events + n, mean - time
    left = mean - rng.exponential()
    while left > 0:
        events, left = events + 1, left - rng.exponential()
    return events

"""Releases: the only way by which a reward becomes public.

A policy publishes something of a reward only through `run.releases`. In kernels these methods draw
noise. A replay has an object of the same methods that records what is released
(`audit.recording.Recorder`).
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import inlined, step
from dpbandits.random import Stream


@inlined
def rounded_down(value):
    """Round down the value of an integer release.

    Its fraction would be public, since the noise is an integer.
    """
    return np.floor(value)


class Releases(NamedTuple):
    """Values with noise.

    Attributes
    ----------
    rng : Stream
        The run's random numbers, for noise, choices and rewards.
    noise : float
        A factor of all noise. An audit sets it to 0, to check that it detects missing noise.

    Examples
    --------
    >>> from dpbandits.random import stream
    >>> Releases(stream(1, "example"), noise=0.0).laplace(3.0, scale=2.0)
    3.0
    """

    rng: Stream
    noise: float = 1.0

    def laplace(self, value, scale):
        """Return the value with Laplace noise of this scale."""
        return value + self.rng.laplace(scale * self.noise)

    def gaussian(self, value, sd):
        """Return the value with normal noise of this standard deviation."""
        return self.rng.normal(value, sd * self.noise)

    @step
    def discrete(self, value, scale):
        """Return the value, rounded down, with noise k: P(k) proportional to e^(-|k|/scale).

        The noise is a Laplace number rounded towards 0: its size is k with probability (1 - r) r^k,
        r = e^(-1/scale). 0 would come with both signs, so the one with a minus is drawn again.
        """
        value = rounded_down(value)
        while True:
            number = self.rng.laplace(scale * self.noise)
            size = math.floor(abs(number))
            if number >= 0:
                return value + size
            if size > 0:
                return value - size

    def skellam(self, value, sd):
        """Return the value, rounded down, with Skellam noise.

        The noise is the difference of two Poisson numbers of mean sd^2/2.
        """
        mean = (sd * self.noise) ** 2 / 2
        return rounded_down(value) + self.rng.poisson(mean) - self.rng.poisson(mean)

    def bit(self, p):
        """Return 1 with probability p, else 0; without noise the more probable one."""
        return 1.0 if 0.5 + self.noise * (self.rng.random() - 0.5) < p else 0.0

    def node(self, scale, stream, first, last, total):
        """Return the Laplace noise of a node, for a mechanism that stores noise and not sums.

        The node is the sum of the items first..last of a stream whose items up to `last` have the
        sum `total`. Only recordings need this sum: the noise does not depend on it.
        """
        return self.rng.laplace(scale * self.noise)

    def choice(self, weights, factor, least):
        """Draw i with probability p_i = factor weights_i + least; return i and p_i.

        The weights may depend on rewards, and the choice releases information about them.
        """
        left = self.rng.random()
        for i in range(weights.size - 1):
            p = factor * weights[i] + least
            if left < p:
                return i, p
            left -= p
        return weights.size - 1, factor * weights[weights.size - 1] + least

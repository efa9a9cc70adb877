"""What tests of several modules assert beside the plain twin.

`twins`: a module of tests/plain. A twin takes the same actions with the same random numbers, and has the same distribution with
others.
"""

import numpy as np
from playing import final_regret
from scipy import stats

from dpbandits import random
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.random import Stream, stream

TWO, THREE = [0.9, 0.6], [0.8, 0.5, 0.3]
C2 = [0.75, 0.625, 0.5, 0.375, 0.25]
TEN = [0.1, 0.15, 0.05, 0.12, 0.2, 0.55, 0.3, 0.25, 0.4, 0.02]
FIFTY = drawn_arms(number_of_arms=50, lowest=0.005, highest=1.0, draw=42).arms.means.tolist()


class GeneratorOfTwin(np.random.Generator):
    """NumPy's generator in the state of a stream. Uniform and exponential numbers are NumPy's own, Laplace numbers are made of
    these; rarer ones are drawn by the package (tests/test_random.py compares their distributions)."""

    def laplace(self, location=0.0, scale=1.0):
        before = self.bit_generator.state
        is_negative = self.bit_generator.random_raw() & 1
        self.bit_generator.state = before
        size = scale * self.standard_exponential()
        return location + (-size if is_negative else size)

    def discrete_laplace(self, scale):
        while True:
            number = self.laplace(0.0, scale)
            size = int(np.floor(abs(number)))
            if number >= 0 or size > 0:
                return size if number >= 0 else -size

    def standard_normal(self):
        return self._drawn(random.normal)

    def beta(self, a, b):
        return self._drawn(random.beta, float(a), float(b))

    def binomial(self, n, p):
        return self._drawn(random.binomial, int(n), float(p))

    def standard_gamma(self, shape):
        return self._drawn(random.gamma, float(shape))

    def integers(self, low, high):
        return low + int((high - low) * self.random())

    def _drawn(self, draw, *arguments):
        state = self.bit_generator.state
        rng = Stream(state["state"]["state"])
        number = draw(rng, *arguments)
        state["state"]["state"] = rng.words
        self.bit_generator.state = state
        return number


def for_twin(rng):
    """The generator that draws for a plain twin what this stream draws for a kernel."""
    generator = np.random.SFC64(0)
    generator.state = {**generator.state, "state": {"state": rng.words.copy()}}
    return GeneratorOfTwin(generator)


def twin_of(twins, name, rng, means, horizon, **given):
    """The actions of the plain twin."""
    return list(getattr(twins, name)(for_twin(rng), means, horizon, **given))


def same_law(twins, ours, theirs, name, horizon, given, given_to_twin, level=1e-3):
    """The final regret, 2000 runs of ours and 400 of the twin from independent streams: Kolmogorov-Smirnov.

    `ours` and `theirs` are the names of the two streams.
    """
    gaps = np.array(THREE[0]) - np.array(THREE)
    found = [final_regret(name, stream(*ours, name, run), THREE, horizon, **given) for run in range(2000)]
    twin = [
        gaps[twin_of(twins, name, stream(*theirs, name, run), THREE, horizon, **given_to_twin)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(found, 6), np.round(twin, 6)).pvalue > level

"""The generator of the plain twins, and the arms on which they play."""

import numpy as np

from dpbandits import random
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.random import Stream

TWO, THREE = [0.9, 0.6], [0.8, 0.5, 0.3]
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

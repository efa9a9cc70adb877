"""What tests of several modules assert beside the plain twin.

`twins`: a module of tests/plain. A twin takes the same actions from the same generator, and has the same law from
another.
"""

import numpy as np
from playing import final_regret
from scipy import stats

from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.kernels import sampling
from dpbandits.kernels.streams import stream

TWO, THREE = [0.9, 0.6], [0.8, 0.5, 0.3]
C2 = [0.75, 0.625, 0.5, 0.375, 0.25]
TEN = [0.1, 0.15, 0.05, 0.12, 0.2, 0.55, 0.3, 0.25, 0.4, 0.02]
FIFTY = drawn_arms(number_of_arms=50, lowest=0.005, highest=1.0, draw=42).labels.tolist()


class GeneratorOfTwin(np.random.Generator):
    """NumPy's generator, whose Laplace numbers are those of kernels."""

    def laplace(self, location=0.0, scale=1.0):
        return location + sampling.laplace(self, scale)


def for_twin(rng):
    """The same generator for a plain twin, which calls `rng.laplace`."""
    return GeneratorOfTwin(rng.bit_generator)


def twin_of(twins, name, rng, means, horizon, **given):
    """The actions of the plain twin."""
    return list(getattr(twins, name)(for_twin(rng), means, horizon, **given))


def same_law(twins, ours, theirs, name, horizon, given, given_to_twin, level=1e-3):
    """The final regret, 2000 runs of ours and 400 of the twin from independent generators: Kolmogorov-Smirnov.

    `ours` and `theirs` are the names of the two streams.
    """
    gaps = np.array(THREE[0]) - np.array(THREE)
    found = [final_regret(name, stream(*ours, name, run), THREE, horizon, **given) for run in range(2000)]
    twin = [
        gaps[twin_of(twins, name, stream(*theirs, name, run), THREE, horizon, **given_to_twin)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(found, 6), np.round(twin, 6)).pvalue > level

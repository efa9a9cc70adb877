"""Arms that pay 0 or 1."""

from dpbandits.environments.arms import pull_many
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream


def test_the_sum_of_many_pulls_is_binomial_and_numpys():
    arms = bernoulli(means=[0.8, 0.5, 0.3]).arms
    ours = [pull_many(rng, arms, 1, 1000) for rng in [stream(1, "binomial")] for _ in range(500)]
    numpy = stream(1, "binomial")
    assert ours == [numpy.binomial(1000, 0.5) for _ in range(500)]

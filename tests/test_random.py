"""Streams of random numbers, and the distributions of what is drawn from them."""

import json
import math

import numpy as np
import pytest
from playing import for_twin
from project import uncompiled
from scipy import stats

from dpbandits import random
from dpbandits.kernels import kernel
from dpbandits.random import Stream, stream

N = 400_000
LEVEL = 1e-4  # a test of N right numbers fails so often, for some other seed


@kernel
def many(rng, n, draw, arguments):
    found = np.empty(n)
    for i in range(n):
        found[i] = draw(rng, *arguments)
    return found


def drawn(draw, *arguments, noise=1.0, n=N):
    return many(
        stream(5, draw.__name__, *map(repr, arguments))._replace(noise=noise), n, draw, arguments
    )


def test_a_stream_follows_from_its_name():
    assert stream(1, "a", 2).words.tolist() == stream(1, "a", 2).words.tolist()
    names = [(1, "a", 2), (2, "a", 2), (1, "b", 2), (1, "a", 3), (1, "a"), (1,)]
    assert len({tuple(stream(*name).words) for name in names}) == len(names)


def test_uniform_exponential_and_laplace_numbers_are_numpys():
    """Bit for bit, and the state afterwards, too. One exponential number in 90 is drawn again or is from the tail."""
    rng = stream(1, "numpy")
    numpy = for_twin(rng)
    assert many(rng, 100_000, random.uniform, ()).tolist() == numpy.random(100_000).tolist()
    assert (
        many(rng, 300_000, random.exponential, ()).tolist()
        == numpy.standard_exponential(300_000).tolist()
    )
    assert many(rng, 20_000, random.laplace, (2.0,)).tolist() == [
        numpy.laplace(0.0, 2.0) for _ in range(20_000)
    ]
    assert rng.words.tolist() == numpy.bit_generator.state["state"]["state"].tolist()


@pytest.mark.parametrize(
    ("draw", "arguments", "law"),
    [
        (random.uniform, (), stats.uniform()),
        (random.exponential, (), stats.expon()),
        (random.normal, (), stats.norm()),
        (random.laplace, (2.5,), stats.laplace(scale=2.5)),
        (random.gaussian, (0.3,), stats.norm(scale=0.3)),
        *((random.gamma, (shape,), stats.gamma(shape)) for shape in (0.3, 1.0, 2.5, 80.0)),
        *(
            (random.beta, given, stats.beta(*given))
            for given in ((1.0, 1.0), (0.5, 3.0), (40.0, 2.0), (3e4, 5e4))
        ),
    ],
)
def test_the_distribution_of_continuous_numbers(draw, arguments, law):
    """Kolmogorov-Smirnov against scipy's distribution function."""
    assert stats.kstest(drawn(draw, *arguments), law.cdf).pvalue > LEVEL


BINOMIALS = [
    (1, 0.7), (10, 0.3), (25, 0.45), (100, 0.5), (40, 0.9), (1000, 0.02), (20, 0.5), (30, 0.34), (10**5, 1e-4), (600, 0.9),
    (10**6, 0.3), (10**9, 0.999), (10**8, 2e-5),
]  # fmt: skip


@pytest.mark.parametrize(
    ("draw", "arguments", "law"),
    [
        *((random.binomial, given, stats.binom(*given)) for given in BINOMIALS),
        *((random.geometric, (p,), stats.geom(p)) for p in (0.05, 0.5, 0.97)),
        (random.integer, (7,), stats.randint(0, 7)),
        *(
            (random.discrete_laplace, (scale,), stats.dlaplace(1 / scale))
            for scale in (0.3, 1.5, 20.0)
        ),
        *((random.noisy_bit, (p,), stats.bernoulli(p)) for p in (0.1, 0.73)),
    ],
)
def test_the_distribution_of_whole_numbers(draw, arguments, law):
    """Chi-squared against scipy's probabilities, between its quantiles, of which the outermost are exceeded 40 times."""
    ends = np.unique(law.ppf([1e-4, 1e-3, *np.arange(0.01, 1, 0.01), 1 - 1e-3, 1 - 1e-4]))
    found = np.bincount(np.searchsorted(ends, drawn(draw, *arguments)), minlength=ends.size + 1)
    expected = N * np.diff([0, *law.cdf(ends), 1])
    possible = expected > 1e-6
    assert not found[~possible].any()
    assert stats.chisquare(found[possible], expected[possible], sum_check=False).pvalue > LEVEL


def test_what_is_certain():
    assert set(drawn(random.binomial, 9, 0.0, n=100)) == {0.0}
    assert set(drawn(random.binomial, 9, 1.0, n=100)) == {9.0}
    assert set(drawn(random.binomial, 0, 0.5, n=100)) == {0.0}
    assert set(drawn(random.integer, 1, n=100)) == {0.0}


@pytest.mark.parametrize("p", [1e-19, 1e-30, 1e-300])
def test_what_hardly_ever_happens(p):
    """The number of trials until then is beyond all whole numbers of 64 bits."""
    assert set(drawn(random.binomial, 1000, p, n=1000)) == {0.0}
    assert drawn(random.geometric, p, n=1000).mean() == pytest.approx(
        1 / p, rel=5 / math.sqrt(1000)
    )


def test_beta_numbers_with_shapes_near_0():
    """Either gamma number may be too small for a float; one of them is far below the other."""
    found = drawn(random.beta, 1e-3, 3e-3, n=20_000)
    assert np.isfinite(found).all()
    assert found.mean() == pytest.approx(0.25, abs=5 * math.sqrt(0.25 * 0.75 / 20_000))


def test_the_factor_multiplies_the_noise_and_nothing_else():
    for draw in (random.laplace, random.gaussian):
        assert drawn(draw, 3.0, noise=0.5, n=1000) == pytest.approx(
            drawn(draw, 3.0, n=1000) / 2, rel=1e-15
        )
    for draw in (random.laplace, random.gaussian, random.discrete_laplace):
        assert not drawn(draw, 3.0, noise=0.0, n=1000).any()
    for p, bit in ((0.6, 1.0), (0.4, 0.0)):
        assert set(drawn(random.noisy_bit, p, noise=0.0, n=100)) == {bit}
    others = {random.gamma: (2.0,), random.beta: (2.0, 3.0), random.binomial: (50, 0.4)}
    for draw, arguments in {
        random.uniform: (),
        random.exponential: (),
        random.normal: (),
        **others,
    }.items():
        assert (
            drawn(draw, *arguments, noise=0.0, n=1000).tolist()
            == drawn(draw, *arguments, n=1000).tolist()
        )


def test_signs_and_sizes_are_independent():
    """The sign of a Laplace or a normal number is a bit that its size does not use."""
    for found in (drawn(random.laplace, 1.0), drawn(random.normal)):
        upper = np.abs(found) > np.median(np.abs(found))
        assert stats.chi2_contingency(np.histogram2d(found > 0, upper, 2)[0]).pvalue > LEVEL


@kernel
def by_methods(rng):
    return [
        rng.random(), float(rng.integers(5, 9)), rng.standard_normal(), rng.normal(1.0, 2.0), rng.laplace(1.0, 2.0),
        rng.beta(2.0, 3.0), float(rng.binomial(20, 0.3)), float(rng.binomial(2000, 0.3)),
    ]  # fmt: skip


PLAIN = """
from test_random import by_methods, stream

print([float(x) for x in by_methods(stream(3, "methods"))])
"""


def test_methods_are_the_same_in_a_kernel_in_python_and_without_compilation():
    in_a_kernel = by_methods(stream(3, "methods"))
    assert by_methods.py_func(stream(3, "methods")) == in_a_kernel
    assert json.loads(uncompiled(PLAIN, PYTHONWARNINGS="error")) == in_a_kernel


def test_a_generator_of_numpys_begins_with_the_next_words():
    rng = stream(4, "numpy")
    first = rng.numpy().permutation(50)
    assert first.tolist() != rng.numpy().permutation(50).tolist()
    assert first.tolist() == stream(4, "numpy").numpy().permutation(50).tolist()
    assert isinstance(rng, Stream)

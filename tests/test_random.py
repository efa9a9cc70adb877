"""Streams of random numbers, and the distributions of what is drawn from them."""

import hashlib
import json
import math
import re

import numba
import numpy as np
import pytest
from playing import for_twin
from project import ROOT, uncompiled
from scipy import stats

from dpbandits.kernels import kernel
from dpbandits.random import Stream, stream

N = 400_000
LEVEL = 1e-4  # a test of N right numbers fails so often, for some other seed
NODE = 0, 1, 1, 1.0  # a stream, its items and their sum, which the noise does not depend on
# What is certain without noise, by the name of a method and its arguments.
RELEASES = {
    ("release", 3.0, 2.0): 3.0,
    ("release_gaussian", 3.0, 2.0): 3.0,
    ("release_discrete", 3, 2.0): 3.0,
    ("release_skellam", 3, 2.0): 3.0,
    ("release_noise", 2.0, *NODE): 0.0,
    ("release_bit", 0.6): 1.0,
    ("release_bit", 0.4): 0.0,
}
OTHERS = [
    ("random",), ("exponential",), ("word",), ("integers", 0, 7), ("normal", 0.5, 2.0),
    ("gamma", 0.7), ("beta", 2.0, 3.0), ("binomial", 20, 0.3), ("binomial", 2000, 0.3),
    ("geometric", 0.1),
]  # fmt: skip
CALLS = [*RELEASES, *OTHERS]
DRAW = {
    method: numba.njit(eval(f"lambda rng, *arguments: rng.{method}(*arguments)"))
    for method, *_ in CALLS
}


@kernel
def many(rng, n, draw, arguments):
    numbers = np.empty(n)
    for i in range(n):
        numbers[i] = draw(rng, *arguments)
    return numbers


def drawn(method, *arguments, noise=1.0, n=N):
    rng = stream(5, method, *map(repr, arguments))._replace(noise=noise)
    return many(rng, n, DRAW[method], arguments)


def test_a_stream_follows_from_its_name():
    assert stream(1, "a", 2).words.tolist() == stream(1, "a", 2).words.tolist()
    names = [(1, "a", 2), (2, "a", 2), (1, "b", 2), (1, "a", 3), (1, "a"), (1,)]
    assert len({tuple(stream(*name).words) for name in names}) == len(names)


def test_no_two_names_have_one_stream():
    names = [("a/b",), ("a", "b"), ("a/", "b"), ("a", "/b"), ("a//b",), ("a", "", "b"), ('["a"]',)]
    assert len({tuple(stream(1, *name).words) for name in names}) == len(names)
    hashed = np.frombuffer(hashlib.sha256(b"1/a/b").digest(), np.uint32)
    words = np.random.SFC64(np.random.SeedSequence(hashed)).state["state"]["state"]
    assert stream(1, "a", "b").words.tolist() == words.tolist()


def test_uniform_exponential_and_laplace_numbers_are_numpys():
    """Bit for bit, and so is the state afterwards.

    One exponential number in 90 is drawn again or is from the tail.
    """
    rng = stream(1, "numpy")
    numpy = for_twin(rng)
    for method, same in (("random", numpy.random), ("exponential", numpy.standard_exponential)):
        assert many(rng, 300_000, DRAW[method], ()).tolist() == same(300_000).tolist()
    laplace = [numpy.laplace(0.0, 2.0) for _ in range(20_000)]
    assert many(rng, 20_000, DRAW["release_noise"], (2.0, *NODE)).tolist() == laplace
    assert rng.words.tolist() == numpy.bit_generator.state["state"]["state"].tolist()


@pytest.mark.parametrize(
    ("method", "arguments", "law"),
    [
        ("random", (), stats.uniform()),
        ("exponential", (), stats.expon()),
        ("normal", (1.0, 2.0), stats.norm(1.0, 2.0)),
        ("release", (1.0, 2.5), stats.laplace(1.0, 2.5)),
        ("release_noise", (2.5, *NODE), stats.laplace(scale=2.5)),
        ("release_gaussian", (1.0, 0.3), stats.norm(1.0, 0.3)),
        *(("gamma", (shape,), stats.gamma(shape)) for shape in (0.3, 1.0, 2.5, 80.0)),
        *(
            ("beta", shapes, stats.beta(*shapes))
            for shapes in ((1.0, 1.0), (0.5, 3.0), (40.0, 2.0), (3e4, 5e4))
        ),
    ],
)
def test_the_distribution_of_continuous_numbers(method, arguments, law):
    """Kolmogorov-Smirnov against scipy's distribution function."""
    assert stats.kstest(drawn(method, *arguments), law.cdf).pvalue > LEVEL


BINOMIALS = [
    (1, 0.7), (10, 0.3), (25, 0.45), (100, 0.5), (40, 0.9), (1000, 0.02), (20, 0.5), (30, 0.34),
    (10**5, 1e-4), (600, 0.9), (10**6, 0.3), (10**9, 0.999), (10**8, 2e-5),
]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "arguments", "law"),
    [
        *(("binomial", n_and_p, stats.binom(*n_and_p)) for n_and_p in BINOMIALS),
        *(("geometric", (p,), stats.geom(p)) for p in (0.05, 0.5, 0.97)),
        ("integers", (3, 10), stats.randint(3, 10)),
        *(
            ("release_discrete", (4, scale), stats.dlaplace(1 / scale, 4))
            for scale in (0.3, 1.5, 20.0)
        ),
        *(
            ("release_skellam", (4, sd), stats.skellam(sd**2 / 2, sd**2 / 2, 4))
            for sd in (0.5, 3.0, 9.0, 400.0)
        ),
        *(("release_bit", (p,), stats.bernoulli(p)) for p in (0.1, 0.73)),
    ],
)
def test_the_distribution_of_integers(method, arguments, law):
    """Chi-squared against scipy's probabilities, between quantiles.

    The outermost are exceeded 40 times.
    """
    ends = np.unique(law.ppf([1e-4, 1e-3, *np.arange(0.01, 1, 0.01), 1 - 1e-3, 1 - 1e-4]))
    numbers = np.bincount(np.searchsorted(ends, drawn(method, *arguments)), minlength=ends.size + 1)
    expected = N * np.diff([0, *law.cdf(ends), 1])
    possible = expected > 1e-6
    assert not numbers[~possible].any()
    assert stats.chisquare(numbers[possible], expected[possible], sum_check=False).pvalue > LEVEL


def test_what_is_certain():
    for (method, *arguments), value in {
        ("binomial", 9, 0.0): 0.0,
        ("binomial", 9, 1.0): 9.0,
        ("binomial", 0, 0.5): 0.0,
        ("integers", 0, 1): 0.0,
    }.items():
        assert set(drawn(method, *arguments, n=100)) == {value}


@pytest.mark.parametrize("p", [1e-19, 1e-30, 1e-300])
def test_what_hardly_ever_happens(p):
    """The number of trials until then is beyond all integers of 64 bits."""
    assert set(drawn("binomial", 1000, p, n=1000)) == {0.0}
    mean = drawn("geometric", p, n=1000).mean()
    assert mean == pytest.approx(1 / p, rel=5 / math.sqrt(1000))


def test_beta_numbers_with_shapes_near_0():
    """Either gamma number may be too small for a float; one of them is far below the other."""
    numbers = drawn("beta", 1e-3, 3e-3, n=20_000)
    assert np.isfinite(numbers).all()
    assert numbers.mean() == pytest.approx(0.25, abs=5 * math.sqrt(0.25 * 0.75 / 20_000))


def test_the_factor_multiplies_the_noise_that_protects_rewards_and_no_other():
    """A factor of 0 removes the noise of every method whose name begins with `release`."""
    public = {name for name, value in vars(Stream).items() if callable(value) and name[0] != "_"}
    assert public == {*DRAW, "numpy", "release_choice"}  # a choice has no noise (test_exp3.py)
    noisy = {method for method in public if method.startswith("release")} - {"release_choice"}
    assert {method for method, *_ in RELEASES} == noisy
    for (method, *arguments), value in RELEASES.items():
        assert set(drawn(method, *arguments, noise=0.0, n=100)) == {value}
        if method not in ("release_bit", "release_discrete", "release_skellam"):
            whole, half = (drawn(method, *arguments, noise=x, n=1000) - value for x in (1.0, 0.5))
            assert half == pytest.approx(whole / 2, rel=1e-12, abs=1e-15)
            assert whole.std() > 1
    for method, *arguments in OTHERS:
        without, with_noise = (drawn(method, *arguments, noise=x, n=1000) for x in (0.0, 1.0))
        assert without.tolist() == with_noise.tolist()


def test_no_other_module_imports_functions_of_random():
    """So that what protects a reward is a method of the stream, which an audit can silence."""
    for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.py")]:
        text = path.read_text()
        for names in re.findall(r"from dpbandits\.random import (.*)", text):
            assert set(names.split(", ")) <= {"Stream", "stream"}, path
        assert not re.search(r"from dpbandits import .*\brandom\b", text), path


def test_signs_and_sizes_are_independent():
    """The sign of a Laplace or a normal number is a bit that its size does not use."""
    for numbers in (drawn("release_noise", 1.0, *NODE), drawn("normal", 0.0, 1.0)):
        upper = np.abs(numbers) > np.median(np.abs(numbers))
        assert stats.chi2_contingency(np.histogram2d(numbers > 0, upper, 2)[0]).pvalue > LEVEL


def in_python():
    rng = stream(3, "methods")
    return [float(getattr(rng, method)(*arguments)) for method, *arguments in CALLS]


PLAIN = "import json, test_random; print(json.dumps(test_random.in_python()))"


def test_methods_are_the_same_in_a_kernel_in_python_and_without_compilation():
    rng = stream(3, "methods")
    in_a_kernel = [many(rng, 1, DRAW[method], tuple(args))[0] for method, *args in CALLS]
    assert in_a_kernel == in_python()
    assert json.loads(uncompiled(PLAIN, PYTHONWARNINGS="error")) == in_a_kernel


def test_a_generator_of_numpys_begins_with_the_next_words():
    rng = stream(4, "numpy")
    first = rng.numpy().permutation(50)
    assert first.tolist() != rng.numpy().permutation(50).tolist()
    assert first.tolist() == stream(4, "numpy").numpy().permutation(50).tolist()
    assert isinstance(rng, Stream)

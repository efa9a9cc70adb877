"""Streams of random numbers, and the distributions of what is drawn from them."""

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
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream, stream

N = 400_000
LEVEL = 1e-4  # a test of N right numbers fails so often, for some other seed
NODE = 0, 1, 1, 1.0  # a stream, its items and their sum, which the noise does not depend on
BINOMIALS = [
    (1, 0.7), (10, 0.3), (25, 0.45), (100, 0.5), (40, 0.9), (1000, 0.02), (20, 0.5), (30, 0.34),
    (10**5, 1e-4), (600, 0.9), (10**6, 0.3), (10**9, 0.999), (10**8, 2e-5),
]  # fmt: skip
OF_STREAM = {  # method -> its law in scipy, and arguments
    "random": (stats.uniform, [()]),
    "exponential": (stats.expon, [()]),
    "normal": (stats.norm, [(1.0, 2.0)]),
    "laplace": (lambda scale: stats.laplace(scale=scale), [(2.5,)]),
    "gamma": (stats.gamma, [(0.3,), (1.0,), (2.5,), (80.0,)]),
    "beta": (stats.beta, [(1.0, 1.0), (0.5, 3.0), (40.0, 2.0), (3e4, 5e4)]),
    "binomial": (stats.binom, BINOMIALS),
    "geometric": (stats.geom, [(0.05,), (0.5,), (0.97,)]),
    "poisson": (stats.poisson, [(0.2,), (12.0,), (500.0,)]),
    "integers": (stats.randint, [(3, 10)]),
}
OF_RELEASES = {
    "laplace": (stats.laplace, [(1.0, 2.5)]),
    "gaussian": (stats.norm, [(1.0, 0.3)]),
    "node": (lambda scale, *_: stats.laplace(scale=scale), [(2.5, *NODE)]),
    "discrete": (lambda x, scale: stats.dlaplace(1 / scale, x), [(4, 0.3), (4, 1.5), (4, 20.0)]),
    "skellam": (
        lambda x, sd: stats.skellam(sd**2 / 2, sd**2 / 2, x),
        [(4, 0.5), (4, 3.0), (4, 9.0), (4, 400.0)],
    ),
    "bit": (stats.bernoulli, [(0.1,), (0.73,)]),
}
LAWS = [  # the noise of releases, or None for numbers of a stream
    (noise, method, arguments, law(*arguments))
    for noise, methods in ((None, OF_STREAM), (1.0, OF_RELEASES))
    for method, (law, examples) in methods.items()
    for arguments in examples
]
DRAW = {
    method: numba.njit(eval(f"lambda source, *arguments: source.{method}(*arguments)"))
    for method in OF_STREAM | OF_RELEASES
}


@kernel
def many(source, n, draw, arguments):
    numbers = np.empty(n)
    for i in range(n):
        numbers[i] = draw(source, *arguments)
    return numbers


def drawn(method, *arguments, noise=None, n=N):
    """Numbers of a stream or, with noise, what is released of the same value again and again."""
    rng = stream(5, method, *map(repr, arguments))
    return many(rng if noise is None else Releases(rng, noise), n, DRAW[method], arguments)


def test_a_stream_follows_from_its_name_and_no_other_name_has_it():
    names = [(1,), (1, "a"), (2, "a"), (1, "a", 2), (1, "a", "b"), (1, "a/b"), (1, "a//b")]
    names += [(1, "a", "/b"), (1, "a/", "b"), (1, "a", "", "b"), (1, '["a"]')]
    assert len({tuple(stream(*name).words) for name in names}) == len(names)
    assert hex(stream(1, "a", "b").word()) == "0xd2fe74e7fd39636"


def test_uniform_exponential_and_laplace_numbers_are_numpys():
    """Bit for bit, and so is the state afterwards.

    One exponential number in 90 is drawn again or is from the tail.
    """
    rng = stream(1, "numpy")
    numpy = for_twin(rng)
    for method, same in (("random", numpy.random), ("exponential", numpy.standard_exponential)):
        assert many(rng, 300_000, DRAW[method], ()).tolist() == same(300_000).tolist()
    laplace = [numpy.laplace(0.0, 2.0) for _ in range(20_000)]
    assert many(rng, 20_000, DRAW["laplace"], (2.0,)).tolist() == laplace
    assert rng.words.tolist() == numpy.bit_generator.state["state"]["state"].tolist()


@pytest.mark.parametrize(("noise", "method", "arguments", "law"), LAWS)
def test_the_distribution_of_numbers(noise, method, arguments, law):
    """Kolmogorov-Smirnov; for integers chi-squared between quantiles against scipy's probabilities.

    The outermost quantiles are exceeded 40 times.
    """
    numbers = drawn(method, *arguments, noise=noise)
    if isinstance(law.dist, stats.rv_continuous):
        assert stats.kstest(numbers, law.cdf).pvalue > LEVEL
        return
    ends = np.unique(law.ppf([1e-4, 1e-3, *np.arange(0.01, 1, 0.01), 1 - 1e-3, 1 - 1e-4]))
    numbers = np.bincount(np.searchsorted(ends, numbers), minlength=ends.size + 1)
    expected = N * np.diff([0, *law.cdf(ends), 1])
    possible = expected > 1e-6
    assert not numbers[~possible].any()
    assert stats.chisquare(numbers[possible], expected[possible], sum_check=False).pvalue > LEVEL


def test_the_factor_multiplies_the_noise_of_every_release():
    """A factor of 0 removes it: then the median of the law is certain."""
    for noise, method, arguments, law in LAWS:
        if noise is None:
            continue
        none, half, whole = (drawn(method, *arguments, noise=x, n=1000) for x in (0.0, 0.5, 1.0))
        assert {*none} == {law.median()}
        if method in ("laplace", "gaussian", "node"):
            assert half - none == pytest.approx((whole - none) / 2, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("trials", "p", "successes"),
    [(9, 0.0, 0), (9, 1.0, 9), (0, 0.5, 0), (1000, 1e-19, 0), (1000, 1e-300, 0)],
)
def test_successes_that_are_certain_or_almost(trials, p, successes):
    """The number of trials until the next one may be beyond all integers of 64 bits."""
    assert {*drawn("binomial", trials, p, n=1000)} == {successes}


def test_a_success_that_hardly_ever_happens():
    assert drawn("geometric", 1e-30, n=1000).mean() == pytest.approx(1e30, rel=5 / math.sqrt(1000))


def test_beta_numbers_with_shapes_near_0():
    """Either gamma number may be too small for a float; one of them is far below the other."""
    numbers = drawn("beta", 1e-3, 3e-3, n=20_000)
    assert np.isfinite(numbers).all()
    assert numbers.mean() == pytest.approx(0.25, abs=5 * math.sqrt(0.25 * 0.75 / 20_000))


def test_signs_and_sizes_are_independent():
    """The sign of a Laplace or a normal number is a bit that its size does not use."""
    for numbers in (drawn("laplace", 1.0), drawn("normal", 0.0, 1.0)):
        upper = np.abs(numbers) > np.median(np.abs(numbers))
        assert stats.chi2_contingency(np.histogram2d(numbers > 0, upper, 2)[0]).pvalue > LEVEL


def public(owner):
    return {name for name, value in vars(owner).items() if callable(value) and name[0] != "_"}


def test_every_method_is_in_the_tests_of_this_module():
    assert public(Stream) == {*OF_STREAM, "word", "numpy"}
    assert public(Releases) == {*OF_RELEASES, "choice"}  # which has no noise (test_exp3.py)


def test_what_protects_a_reward_is_a_release():
    """An audit can silence it. No other module imports functions of `random`.

    No policy draws such noise from a stream.
    """
    functions = r"from dpbandits\.random import (?!(Stream|stream|Stream, stream)$)"
    for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.py")]:
        text = path.read_text()
        assert not re.search(functions, text, re.MULTILINE), path
        assert not re.search(r"from dpbandits import .*\brandom\b", text), path
        if {"policies", "drivers"} & {*path.parts}:
            assert not re.search(r"\brng\.(laplace|poisson)\(", text), path


PLAIN = """
import json
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

rng = stream(3, "methods")
for is_private, method, arguments in json.loads(input()):
    source = Releases(rng) if is_private else rng
    print(float(getattr(source, method)(*arguments)))
"""


def test_methods_are_the_same_in_a_kernel_in_python_and_without_compilation(capsys, monkeypatch):
    """All draw from one stream."""
    rng = stream(3, "methods")
    in_a_kernel = [
        many(Releases(rng) if noise else rng, 1, DRAW[method], arguments)[0]
        for noise, method, arguments, _ in LAWS
    ]
    calls = json.dumps([(bool(noise), *call) for noise, *call, _ in LAWS])
    monkeypatch.setattr("builtins.input", lambda: calls)
    exec(PLAIN, {})
    for printed in (capsys.readouterr().out, uncompiled(PLAIN, calls, PYTHONWARNINGS="error")):
        assert [*map(float, printed.split())] == in_a_kernel


def test_a_generator_of_numpys_begins_with_the_next_words():
    rng = stream(4, "numpy")
    first = rng.numpy().permutation(50)
    assert first.tolist() != rng.numpy().permutation(50).tolist()
    assert first.tolist() == stream(4, "numpy").numpy().permutation(50).tolist()


@pytest.mark.parametrize("law", ["discrete", "skellam"])
def test_the_fraction_of_a_value_is_not_released(law):
    """With integer noise it would be public."""
    release = getattr(Releases(stream(1), noise=0.0), law)
    assert [release(value, 2.0) for value in (3.0, 3.25, 3.999)] == [3] * 3

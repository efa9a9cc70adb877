"""The inlined samplers: the numbers of plain Python, bit for bit, from every generator, whatever is drawn in between."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from project import HANGS
from scipy import stats

from dpbandits.kernels import sampling
from dpbandits.kernels.compiled import kernel, methods
from dpbandits.kernels.sampling import discrete_laplace, gaussian, laplace, uniform
from dpbandits.kernels.streams import stream


@kernel
def drawn(rng, rounds, scale):
    """Uniform and Laplace numbers in turn, and a number by another method of the generator now and then."""
    found = np.zeros((rounds, 3))
    for i in range(rounds):
        found[i, 0] = uniform(rng)
        found[i, 1] = laplace(rng, scale)
        if i % 16 == 0:
            found[i, 2] = rng.standard_gamma(0.3) + rng.integers(0, 10)
    return found


drawn_in_python = drawn.py_func if hasattr(drawn, "py_func") else drawn


def bits(numbers):
    return np.asarray(numbers, np.float64).view(np.uint64).tolist()


@pytest.mark.parametrize("generator", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_the_numbers_of_plain_python_from_every_generator(generator):
    """The state afterwards is the same, too."""
    ours, numpys = (np.random.Generator(getattr(np.random, generator)(7)) for _ in range(2))
    for scale in (0.01, 1.0, 37.3):
        assert bits(drawn(ours, 2000, scale)) == bits(drawn_in_python(numpys, 2000, scale))
    assert ours.random() == numpys.random()


@kernel
def fill(rng, uniforms, laplaces, scale):
    for i in range(uniforms.size):
        uniforms[i] = uniform(rng)
    for i in range(laplaces.size):
        laplaces[i] = laplace(rng, scale)


def test_a_million_draws_are_numpys_exponential_numbers_with_a_sign():
    """One in 90 is drawn again or from the tail. NumPy's arrays are filled by the functions that draw single numbers."""
    ours, numpys = stream(2, "many"), stream(2, "many")
    uniforms, laplaces = np.empty((2, 1_000_000))
    fill(ours, uniforms, laplaces, 0.3)
    assert bits(uniforms) == bits(numpys.random(1_000_000))
    assert bits(abs(laplaces)) == bits(0.3 * numpys.standard_exponential(1_000_000))
    assert ours.random() == numpys.random()


def test_the_law_is_that_of_numpys_own_laplace():
    """A million draws against NumPy's, and against the distribution function; no sign depends on the size."""
    found = np.empty(1_000_000)
    fill(stream(3, "law"), np.empty(0), found, 2.0)
    assert stats.ks_2samp(found, stream(4, "law").laplace(0.0, 2.0, 1_000_000)).pvalue > 1e-3
    assert stats.kstest(found, stats.laplace(scale=2.0).cdf).pvalue > 1e-3
    assert stats.ks_2samp(found[found > 0], -found[found < 0]).pvalue > 1e-3
    lags = [np.corrcoef(np.sign(found[:-1]), other)[0, 1] for other in (np.sign(found[1:]), abs(found[1:]))]
    assert np.abs(lags).max() < 4e-3  # four standard errors


@kernel
def fill_others(rng, gaussians, integers, scale):
    for i in range(gaussians.size):
        gaussians[i] = gaussian(rng, scale)
        integers[i] = discrete_laplace(rng, scale)


def test_gaussian_and_discrete_numbers_are_those_of_plain_python():
    """Bit for bit, and in between of NumPy's own normal numbers."""
    (gaussians, integers), rng = np.empty((2, 20_000)), stream(5, "others")
    fill_others(rng, gaussians, integers, 2.5)
    again = stream(5, "others")
    expected = [(2.5 * again.standard_normal(), discrete_laplace(again, 2.5)) for _ in range(20_000)]
    assert bits(gaussians) == bits([pair[0] for pair in expected])
    assert integers.tolist() == [pair[1] for pair in expected]
    assert rng.random() == again.random()


@pytest.mark.parametrize("scale", [0.3, 2.5, 40.0])
def test_the_law_of_gaussian_and_discrete_numbers(scale):
    """Variances scale^2 and 2 r/(1 - r)^2, r = e^(-1/scale); and every whole number with its own probability."""
    n = 200_000
    gaussians, integers = np.empty((2, n))
    fill_others(stream(6, "law"), gaussians, integers, scale)
    assert stats.kstest(gaussians, stats.norm(scale=scale).cdf).pvalue > 1e-3
    assert gaussians.var() == pytest.approx(scale**2, rel=4.5 * np.sqrt(2 / n))
    r = np.exp(-1 / scale)
    assert integers.mean() == pytest.approx(0, abs=4.5 * integers.std() / np.sqrt(n))
    assert integers.var() == pytest.approx(2 * r / (1 - r) ** 2, rel=0.04)
    k = np.arange(-3, 4)
    expected = n * (1 - r) / (1 + r) * r ** np.abs(k)
    found = [(integers == each).sum() for each in k]
    assert (np.abs(found - expected) < 4.5 * np.sqrt(expected)).all()


def test_an_integer_scale():
    assert laplace_after(stream(1), 2) == laplace_after(stream(1), 2.0) == laplace(stream(1), 2)


@pytest.mark.parametrize(
    "next_bits", [0, 1, 2**63 - 1, 2**63, 2**64 - 1, *(8 * strip + 2**64 - 2**11 for strip in (0, 1, 255))]
)
def test_the_extreme_numbers(next_bits):
    """Bits of zeros and ones, and the largest number of the tail's strip, of the next and of the topmost."""
    numbers = []
    for draw in (laplace_after, laplace):
        rng = np.random.Generator(np.random.PCG64(1))
        increment = rng.bit_generator.state["state"]["inc"]
        # The step before the state whose upper half is 0, and which therefore gives its lower half.
        before = (next_bits - increment) * pow(sampling._MULTIPLIER, -1, 2**128) % 2**128
        rng.bit_generator.state |= {"state": {"state": before, "inc": increment}}
        numbers += [draw(rng, 1.0), rng.random()]
    assert bits(numbers[:2]) == bits(numbers[2:])
    assert (numbers[0] == 0) == (next_bits < 2)
    assert np.signbit(numbers[0]) == next_bits % 2


@kernel
def laplace_after(rng, scale):
    return laplace(rng, scale)


class Recorder(NamedTuple):
    """Gives its own numbers in place of random ones, and counts them."""

    used: np.ndarray

    def random(self):
        self.used[0] += 1
        return 0.25

    def laplace(self, location, scale):
        self.used[1] += 1
        return location + 10 * scale


methods(Recorder)


@kernel
def one_of_each(rng, scale):
    return uniform(rng), laplace(rng, scale)


def test_a_named_tuple_gives_its_own_numbers():
    recorder = Recorder(np.zeros(2, np.int64))
    assert one_of_each(recorder, 2.0) == one_of_each.py_func(recorder, 2.0) == (0.25, 20.0)
    assert recorder.used.tolist() == [2, 2]


PROGRAM = """
import ctypes, llvmlite.binding
from dpbandits.kernels import sampling
{before}
from test_sampling import bits, drawn, drawn_in_python
from dpbandits.kernels.streams import stream
assert bits(drawn(stream(3, "x"), 200, 0.5)) == bits(drawn_in_python(stream(3, "x"), 200, 0.5))
"""
ANOTHER_LAYOUT = """
true = ctypes.string_at
ctypes.string_at = lambda address, size: bytes(size)
address = sampling._address_of_function()
ctypes.string_at = true
llvmlite.binding.add_symbol(sampling._SYMBOL, address)
assert address == 1
"""


@pytest.mark.parametrize(
    ("before", "also"),
    [("", {"NUMBA_DISABLE_JIT": "1"}), (ANOTHER_LAYOUT, {})],
    ids=["without compilation", "another layout in memory"],
)
def test_numpys_functions_take_their_place(before, also):
    """In plain Python, and where the state lies in memory in another way."""
    paths = {"PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *sys.path])}
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before)],
        env={**os.environ, **paths, **also},
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    assert (process.returncode, process.stderr) == (0, "")

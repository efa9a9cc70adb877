"""The inlined samplers: NumPy's own numbers, bit for bit, whatever the generator is and whatever is drawn in between."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from project import HANGS

from dpbandits import sampling
from dpbandits.compiled import kernel, methods
from dpbandits.randomness import stream
from dpbandits.sampling import laplace, uniform


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


def of_numpy(rng, rounds, scale):
    found = np.zeros((rounds, 3))
    for i in range(rounds):
        found[i, :2] = rng.random(), rng.laplace(0.0, scale)
        if i % 16 == 0:
            found[i, 2] = rng.standard_gamma(0.3) + rng.integers(0, 10)
    return found


def bits(numbers):
    return np.asarray(numbers, np.float64).view(np.uint64).tolist()


@pytest.mark.parametrize("generator", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_numpys_numbers_from_every_generator(generator):
    """The state afterwards is that of NumPy's generator, too."""
    ours, numpys = (np.random.Generator(getattr(np.random, generator)(7)) for _ in range(2))
    for scale in (0.01, 1.0, 37.3):
        assert bits(drawn(ours, 2000, scale)) == bits(of_numpy(numpys, 2000, scale))
    assert ours.random() == numpys.random()


def test_a_million_draws():
    """NumPy's arrays are filled by the functions that draw single numbers."""

    @kernel
    def many(rng, uniforms, laplaces):
        for i in range(uniforms.size):
            uniforms[i] = uniform(rng)
        for i in range(laplaces.size):
            laplaces[i] = laplace(rng, 0.3)

    ours, numpys = stream(2, "many"), stream(2, "many")
    uniforms, laplaces = np.empty((2, 500_000))
    many(ours, uniforms, laplaces)
    assert bits(uniforms) == bits(numpys.random(500_000))
    assert bits(laplaces) == bits(numpys.laplace(0.0, 0.3, 500_000))


@pytest.mark.parametrize("next_bits", [0, 2**63 - 1, 2**63, 2**64 - 1])
def test_the_extreme_numbers(next_bits):
    """0, which gives no Laplace number, the numbers around 1/2, which gives 0, and the largest."""
    numbers = []
    for draw in (drawn, of_numpy):
        rng = np.random.Generator(np.random.PCG64(1))
        increment = rng.bit_generator.state["state"]["inc"]
        # The step before the state whose upper half is 0, and which therefore gives its lower half.
        before = (next_bits - increment) * pow(sampling._MULTIPLIER, -1, 2**128) % 2**128
        rng.bit_generator.state |= {"state": {"state": before, "inc": increment}}
        numbers.append(laplace_after(rng) if draw is drawn else rng.laplace(0.0, 1.0))
    assert bits(numbers[:1]) == bits(numbers[1:])
    assert (numbers[0] == 0) == (next_bits == 2**63)


@kernel
def laplace_after(rng):
    return laplace(rng, 1.0)


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
from dpbandits import sampling
{before}
from test_sampling import bits, drawn, of_numpy
from dpbandits.randomness import stream
assert bits(drawn(stream(3, "x"), 200, 0.5)) == bits(of_numpy(stream(3, "x"), 200, 0.5))
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
def test_numpys_own_methods_take_their_place(before, also):
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

"""What is changed in numba is in effect, and changes no result."""

import ctypes
import gc
import os
import subprocess
import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import int64
from numba.core import analysis, event, ir
from numba.core.caching import NullCache
from numba.core.compiler import Compiler, Flags
from numba.core.inline_closurecall import InlineWorker
from numba.core.targetconfig import TargetConfig
from project import ROOT

from dpbandits.kernels.compiled import kernel, methods


def printed(program, **environment):
    """The lines that a Python of its own prints."""
    environment = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_loading_a_kernel_does_not_import_scipys_linear_algebra():
    """It takes as long as everything else of a short job, and there are hundreds of these."""
    assert printed("""
import sys
from dpbandits.kernels.streams import stream
from dpbandits.privacy.hybrid import hybrid, hybrid_noise
noise = hybrid_noise(stream(1, "cache"), hybrid(1, "half_log2", 1.0), 0, 1)
print('scipy.linalg' in sys.modules, abs(noise) > 0)
""") == ["False True"]


def test_functions_of_two_processes_have_different_names():
    """One may come from the cache while the other is compiled, and LLVM takes functions of one name for the same."""
    program = """
import os
import dpbandits.kernels.compiled
from numba.core.bytecode import FunctionIdentity
def name():
    print(FunctionIdentity.from_function(name).unique_name, flush=True)
name()
for _ in range(2):
    if os.fork() == 0:
        name()
        os._exit(0)
    os.wait()
"""
    assert len({*printed(program), *printed(program)}) == 6


@kernel
def solved(A, x):
    return np.linalg.solve(np.dot(A, A), x)


def test_a_kernel_may_solve_equations():
    assert solved(np.diag([2.0, 0.5]), np.ones(2)).tolist() == [0.25, 4.0]


class Declared:
    def plus(self, x, y):
        """A method that kernels may call."""


class Weights(NamedTuple):
    weight: float

    def plus(self, x, y):
        return self.weight * x + y


methods(Declared)


def summed_afresh():
    @kernel
    def summed(rule, x, y):
        return rule.plus(x, y) + rule.plus(y, x) + rule.plus(x, x)

    summed._cache = NullCache()  # not from an earlier session
    return summed


def seen_by(monkeypatch, worker, name):
    """The names of the functions with which a method of numba's is called from now on."""
    called, method = [], getattr(worker, name)

    def remembered(self, *given, **by_name):
        called.append(given[0].__name__ if given else self.state.func_id.func_name)
        return method(self, *given, **by_name)

    monkeypatch.setattr(worker, name, remembered)
    return called


def test_a_method_is_compiled_within_its_kernel_only(monkeypatch):
    """numba would also compile it by itself, and throw this away."""
    compiled = seen_by(monkeypatch, Compiler, "_compile_bytecode")
    assert summed_afresh()(Weights(3.0), 5, 2) == 17.0 + 11.0 + 20.0
    assert "summed" in compiled
    assert "plus" not in compiled


def test_a_method_is_translated_once(monkeypatch):
    """numba would do so two or three times at each of its three calls."""
    translated = seen_by(monkeypatch, InlineWorker, "run_untyped_passes")
    summed_afresh()(Weights(3.0), np.int8(5), np.int8(2))
    assert translated.count("plus") == 1


@kernel
def added(x, y):
    return x + y


@kernel
def added_thrice(x):
    return added(x, 1) + added(x, 2) + added(x, x)


def test_a_kernel_is_compiled_once_for_all_whole_numbers():
    """numba would have one for each number that is written in the call."""
    added_thrice._cache = NullCache()  # not from an earlier session
    before = set(added.within.overloads)
    assert added_thrice(5) == 6 + 7 + 10
    assert set(added.within.overloads) - before == {(int64, int64)}


CALLING = """
from dpbandits.kernels.compiled import kernel
from numba.core.codegen import JITCPUCodegen

made = []
add = JITCPUCodegen._add_module

def remembered(self, module):
    made.append(" ".join(function.name for function in module.functions if not function.is_declaration))
    return add(self, module)

JITCPUCodegen._add_module = remembered

@kernel
def inner(x):
    return x / 2

@kernel
def outer(x):
    return inner(inner(x))

print(outer(8.0), sum("outer" in names for names in made), sum("inner" in names for names in made))
"""


def test_only_kernels_have_machine_code(tmp_path):
    """Also if the functions that they call come from the cache: a kernel would call these, which are not optimised, in
    place of its own copies, and games of short kernels took four times as long."""
    (tmp_path / "calling.py").write_text(CALLING)
    cache = tmp_path / "cache"
    with_both = {"PYTHONPATH": f"{ROOT / 'src'}:{tmp_path}", "NUMBA_CACHE_DIR": str(cache)}
    assert printed("import calling", **with_both) == ["2.0 1 0"]
    for path in cache.rglob("*calling.outer*"):
        path.unlink()
    assert len(list(cache.rglob("*calling.inner*"))) == 1
    assert printed("import calling", **with_both) == ["2.0 1 0"]


HITS = """
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.lowering import BaseLower
from dpbandits.kernels.compiled import kernel

BaseLower.create_cfunc_wrapper = None  # which nobody would call
compiled = []
compile = Dispatcher.compile

def remembered(self, sig):
    before = sum(self.stats.cache_misses.values())
    code = compile(self, sig)
    compiled.extend([self.py_func.__module__] * (sum(self.stats.cache_misses.values()) - before))
    return code

Dispatcher.compile = remembered

@kernel
def zeros(n):
    return np.zeros(n).size

print(zeros(3), any(name.startswith("numba.") for name in compiled))
"""


def test_what_numba_calls_is_compiled_once(tmp_path):
    """Also for other kernels; in every process it would be compiled again."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{ROOT / 'src'}:{tmp_path}"}
    for module in ("first", "second"):
        (tmp_path / f"{module}.py").write_text(HITS)
    assert printed("import first", **cache) == ["3 True"]
    assert printed("import second", **cache) == ["3 False"]


def test_options_are_compared_by_what_was_set(monkeypatch):
    monkeypatch.setattr(TargetConfig, "values", None)  # numba would look each one up
    flags, others = Flags(), Flags()
    flags.nrt = others.nrt = True
    assert flags == others
    assert hash(flags) == hash(others)
    others.nrt = False
    assert flags != others
    others.nrt, others.fastmath = True, Flags().fastmath  # set, to what it is anyway
    assert flags == others
    assert flags != "nrt"


def test_the_variables_of_an_instruction_are_found():
    """In tuples, lists, dictionaries and other instructions, in their order; and not by numba."""
    assert ir.Inst._rec_list_vars.__module__ == "dpbandits.kernels._faster_numba"
    place = ir.Loc("file", 1)
    x, y, z = (ir.Var(None, name, place) for name in "xyz")
    call = ir.Expr.call(x, (y, "text"), (("name", [z, None, {"key": (y,)}]),), place)
    assert ir.Assign(call, z, place).list_vars() == [x, y, z, y, z]
    assert ir.Expr.build_tuple([], place).list_vars() == []


@numba.njit
def first_squares(n):
    for i in range(n):
        yield i * i


def test_lifetimes_are_found_when_asked(monkeypatch):
    """Not for every step of numba; but for a generator of Python's, as before."""
    monkeypatch.setattr(analysis, "compute_live_variables", None)
    assert summed_afresh()(Weights(3.0), 5, 2.0) == 17.0 + 11.0 + 20.0
    monkeypatch.undo()
    assert list(first_squares(4)) == [0, 1, 4, 9]


ARRAYS = """
import numpy as np
from numba.core.cpu import CPUContext
from dpbandits.kernels.compiled import kernel

@kernel
def three_arrays(n):
    return np.zeros((2, n)), np.full(n, 7, np.int16), np.ones(n)

compile_function, compiled = CPUContext._compile_subroutine_no_cache, []

def noted(self, builder, function, *given, **options):
    compiled.append(function.__name__)
    return compile_function(self, builder, function, *given, **options)

CPUContext._compile_subroutine_no_cache = noted
arrays = three_arrays(3)
print([array.tolist() for array in arrays], all(array.ctypes.data % 32 == 0 for array in arrays), compiled)
"""


def test_an_array_gets_its_memory_without_a_function(tmp_path):
    """Which numba would compile."""
    (tmp_path / "arrays.py").write_text(ARRAYS)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{ROOT / 'src'}:{tmp_path}"}
    made = "[[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [7, 7, 7], [1.0, 1.0, 1.0]]"
    assert printed("import arrays", **environment) == [f"{made} True []"]


def test_calls_of_llvm_are_no_events():
    with event.install_recorder("numba:llvm_lock") as seen:
        assert summed_afresh()(Weights(3.0), 5.0, 2.0) == 17.0 + 11.0 + 20.0
    assert seen.buffer == []


@kernel
def four_numbers(rng):
    return rng.random(), rng.integers(0, 1000), rng.integers(0, 2**60), rng.standard_normal()


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_a_generator_is_read_from_memory(monkeypatch, bits):
    """Of any kind, and not by way of ctypes; it goes on where the kernel has stopped."""
    four_numbers(np.random.default_rng(1))  # compiles it
    monkeypatch.setattr(ctypes, "cast", None)
    in_kernel, plain = np.random.Generator(bits(5)), np.random.Generator(bits(5))
    for _ in range(3):
        assert four_numbers(in_kernel) == four_numbers.py_func(plain)
    assert in_kernel.random() == plain.random()


def test_compiling_is_without_a_search_for_garbage(monkeypatch):
    """Only compiling: a run that makes garbage of its own must not fill the memory."""
    searched, compile_core = [], Compiler._compile_bytecode
    monkeypatch.setattr(
        Compiler, "_compile_bytecode", lambda self: searched.append(gc.isenabled()) or compile_core(self)
    )
    assert summed_afresh()(Weights(3.0), np.float32(5), 2.0) == 17.0 + 11.0 + 20.0
    assert searched
    assert not any(searched)
    assert gc.isenabled()

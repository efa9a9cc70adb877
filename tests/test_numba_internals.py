"""Without each undocumented part of numba, kernels give the same numbers after a line of warning.

A new version of numba can be allowed if these tests and those of the cache pass with it.
"""

import os
import re
import subprocess
import sys

import pytest
from project import ROOT

SLOWER = "loops are slower"
NOT_KEPT = "each process compiles for itself"
PLAIN = "loops run in plain Python, about 300 times slower"
REMOVALS = {  # the part: how to remove it, and how the code goes on
    "_nrt": ("del Options._nrt", SLOWER),
    "forceinline": ("del Options.forceinline", SLOWER),
    "no_cfunc_wrapper": ("del Options.no_cfunc_wrapper", SLOWER),
    "CPUTargetOptions": ("del cpu.CPUTargetOptions", SLOWER),
    "_unique_ids": ("exec(identity.replace('_unique_ids', 'ids'), vars(bytecode))", NOT_KEPT),
    "_cache": ("dispatcher.Dispatcher._cache = Hidden('_cache')", NOT_KEPT),
    "_cache_file": ("caching.FunctionCache._cache_file = Hidden('_cache_file')", NOT_KEPT),
    "AbstractTemplate": ("del templates.AbstractTemplate", PLAIN),
    "AttributeTemplate": ("del templates.AttributeTemplate", PLAIN),
    "generic_resolve": ("del templates.AttributeTemplate.generic_resolve", PLAIN),
    "Signature": ("del templates.Signature", PLAIN),
    "as_method": ("del templates.Signature.as_method", PLAIN),
    "infer_getattr": ("del extending.infer_getattr", PLAIN),
    "BaseNamedTuple": ("del types.BaseNamedTuple", PLAIN),
    "instance_class": (
        "types.NamedTuple.instance_class = types.NamedUniTuple.instance_class = "
        "Hidden('instance_class')",
        PLAIN,
    ),
    "BoundFunction": ("del types.BoundFunction", PLAIN),
    "get_impl_key": ("del types.BoundFunction.get_impl_key, types.Callable.get_impl_key", PLAIN),
    "get_call_type": ("del types.Dispatcher.get_call_type, types.Callable.get_call_type", PLAIN),
}
PROGRAM = """
import inspect, sys
from numba import extending, types
from numba.core import bytecode, caching, cpu, dispatcher
from numba.core.typing import templates
Options = cpu.CPUTargetOptions.__mro__[1]
identity = inspect.getsource(bytecode.FunctionIdentity)

class Hidden:
    "An attribute that only numba finds."
    def __init__(self, name):
        self.name = name
    def __get__(self, owner, kind):
        if sys._getframe(1).f_globals["__name__"].startswith("dpbandits"):
            raise AttributeError(self.name)
        return vars(owner)[self.name]
    def __set__(self, owner, value):
        vars(owner)[self.name] = value

{removal}
from dpbandits.random import Stream, stream
rng = stream(1, "internals")
print([float(x) for x in (rng.gamma(1.5), rng.beta(0.5, 3.0))], hasattr(Stream.gamma, "py_func"))
"""


def play(folder, removal=""):
    """The numbers, whether their kernels are compiled, and the warnings; code is in `folder`."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{removal}", removal)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "NUMBA_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    numbers, is_compiled = done.stdout.strip().rsplit(" ", 1)
    return numbers, is_compiled == "True", done.stderr.splitlines()


@pytest.fixture(scope="module")
def cache_and_numbers(tmp_path_factory):
    """With all parts; without a warning, so this version of numba lacks none."""
    folder = tmp_path_factory.mktemp("all")
    numbers, is_compiled, warnings = play(folder)
    assert (is_compiled, warnings) == (True, [])
    assert list(folder.rglob("*.nbc"))
    return folder, numbers


@pytest.mark.parametrize("part", REMOVALS)
def test_without_a_part_numbers_are_the_same(part, cache_and_numbers, tmp_path):
    """The cache has the code for all parts; without the options, code is compiled again."""
    removal, says = REMOVALS[part]
    numbers, is_compiled, warnings = play(tmp_path, removal)
    assert (numbers, is_compiled) == (cache_and_numbers[1], says != PLAIN)
    assert bool(list(tmp_path.rglob("*.nb?"))) == (says == SLOWER)
    (line,) = warnings
    assert re.fullmatch(rf"numba [\d.]+: {says} \(.*\b{part}\b.*\)", line)


def test_no_other_module_uses_undocumented_parts():
    private = re.compile(r"numba\.(core|np)\b|\b(_nrt|_cache_file|_unique_ids|targetoptions)\b")
    for path in [*ROOT.glob("src/**/*.py"), *ROOT.glob("benchmarks/*.py")]:
        found = private.search(path.read_text())
        assert not found or path.stem in ("numba_internals", "kernels"), path

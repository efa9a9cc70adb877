"""Without each undocumented part of numba, kernels give the same numbers after a line of warning.

A new version of numba can be allowed if these tests and those of the cache pass with it.
"""

import json
import os
import re
import subprocess
import sys

import pytest
from project import ROOT

SLOWER = "loops or compiling are slower"
NOT_KEPT = "each process compiles for itself"
PLAIN = "loops run in plain Python, about 300 times slower"
REMOVALS = {  # the part: how to remove it, and how the code goes on
    "_nrt": ("del Options._nrt", SLOWER),
    "forceinline": ("del Options.forceinline", SLOWER),
    "no_cfunc_wrapper": ("del Options.no_cfunc_wrapper", SLOWER),
    "no_cpython_wrapper": ("del Options.no_cpython_wrapper", SLOWER),
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
# Each in a fork, with its own cache: numba is imported once.
PROGRAM = """
import inspect, json, os, sys, traceback
import numba
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

def play(folder, removal):
    for descriptor, name in ((1, "numbers"), (2, "warnings")):
        os.dup2(os.open(f"{folder}/{name}", os.O_CREAT | os.O_WRONLY), descriptor)
    numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = folder
    exec(removal, globals())
    from dpbandits.random import Stream, stream
    rng = stream(1, "internals")
    print([float(rng.laplace(1.0)) for _ in range(300)])
    print(hasattr(Stream.laplace, "py_func"), flush=True)

for each in json.load(sys.stdin):
    if not os.fork():
        try:
            play(*each)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The part that was removed -> the folder of code, what is printed, the warnings."""
    folders = {part: tmp_path_factory.mktemp("code") for part in ("", *REMOVALS)}
    given = [(str(folder), REMOVALS.get(part, [""])[0]) for part, folder in folders.items()]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", PROGRAM]
    subprocess.run(command, input=json.dumps(given), env=environment, text=True, check=True)
    names = ("numbers", "warnings")
    return {
        part: (folder, *((folder / name).read_text().splitlines() for name in names))
        for part, folder in folders.items()
    }


def test_this_version_of_numba_has_all_parts(played):
    folder, printed, warnings = played[""]
    assert (printed[1:], warnings) == (["True"], [])
    assert [*folder.rglob("*.nbc")]


@pytest.mark.parametrize("part", REMOVALS)
def test_without_a_part_numbers_are_the_same(part, played):
    """Where code is kept, it is compiled without the options that are lacking."""
    (folder, printed, warnings), says = played[part], REMOVALS[part][1]
    assert printed == [played[""][1][0], str(says != PLAIN)], warnings
    assert bool([*folder.rglob("*.nb?")]) == (says == SLOWER)
    (line,) = warnings
    assert re.fullmatch(rf"numba [\d.]+: {says} \(.*\b{part}\b.*\)", line)


def test_no_other_module_uses_undocumented_parts():
    private = re.compile(r"numba\.(core|np)\b|\b(_nrt|_cache_file|_unique_ids|targetoptions)\b")
    for path in [*ROOT.glob("src/**/*.py"), *ROOT.glob("benchmarks/*.py")]:
        found = private.search(path.read_text())
        assert not found or path.stem in ("numba_internals", "kernels"), path

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
MISSING = {  # how the code goes on -> parts that a version of numba may lack
    SLOWER: [
        "Options._nrt",
        "Options.forceinline",
        "Options.no_cfunc_wrapper",
        "Options.no_cpython_wrapper",
        "cpu.CPUTargetOptions",
    ],
    NOT_KEPT: [
        "bytecode.FunctionIdentity._unique_ids",
        "dispatcher.Dispatcher._cache",
        "caching.FunctionCache._cache_file",
    ],
    PLAIN: [
        "templates.AbstractTemplate",
        "templates.AttributeTemplate",
        "templates.AttributeTemplate.generic_resolve",
        "templates.Signature",
        "templates.Signature.as_method",
        "extending.infer_getattr",
        "types.BaseNamedTuple",
        "types.NamedTuple.instance_class",
        "types.BoundFunction",
        "types.BoundFunction.get_impl_key",
        "types.Dispatcher.get_call_type",
    ],
}
WAYS = {part: way for way, parts in MISSING.items() for part in parts}
# How a part is removed, if not by `del`.
REMOVALS = {
    "bytecode.FunctionIdentity._unique_ids": "exec(identity.replace('_unique_ids', 'ids'), "
    "vars(bytecode))",
    "dispatcher.Dispatcher._cache": "dispatcher.Dispatcher._cache = Hidden('_cache')",
    "caching.FunctionCache._cache_file": "caching.FunctionCache._cache_file = "
    "Hidden('_cache_file')",
    "types.NamedTuple.instance_class": "types.NamedTuple.instance_class = "
    "types.NamedUniTuple.instance_class = Hidden('instance_class')",
    "types.BoundFunction.get_impl_key": "del types.BoundFunction.get_impl_key, "
    "types.Callable.get_impl_key",
    "types.Dispatcher.get_call_type": "del types.Dispatcher.get_call_type, "
    "types.Callable.get_call_type",
}
# Each in a fork, with its own cache: numba is imported once, and once ready to compile.
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

numba.njit(lambda x: x + 1.0)(1.0)
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
    folders = {part: tmp_path_factory.mktemp("code") for part in ("", *WAYS)}
    given = [
        (str(folder), REMOVALS.get(part, f"del {part}" if part else ""))
        for part, folder in folders.items()
    ]
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


@pytest.mark.parametrize("part", WAYS)
def test_without_a_part_numbers_are_the_same(part, played):
    """Where code is kept, it is compiled without the options that are lacking."""
    (folder, printed, warnings), says = played[part], WAYS[part]
    assert printed == [played[""][1][0], str(says != PLAIN)], warnings
    assert bool([*folder.rglob("*.nb?")]) == (says == SLOWER)
    (line,), name = warnings, part.rpartition(".")[2]
    assert re.fullmatch(rf"numba [\d.]+: {says} \(.*\b{name}\b.*\)", line)


def test_no_other_module_uses_undocumented_parts():
    private = re.compile(r"numba\.(core|np)\b|\b(_nrt|_cache_file|_unique_ids|targetoptions)\b")
    for path in [*ROOT.glob("src/**/*.py"), *ROOT.glob("benchmarks/*.py")]:
        found = private.search(path.read_text())
        assert not found or path.stem in ("numba_internals", "kernels"), path

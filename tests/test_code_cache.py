"""The cache of machine code: where it is, that it cannot mislead, that its failures stop no run."""

import ast
import hashlib
import importlib
import itertools
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import llvmlite
import numba
import numpy as np
import pytest
from project import ROOT

import dpbandits
from dpbandits import code_cache
from dpbandits.drivers.index import play_plainly
from dpbandits.plan import fingerprints

PROGRAM = """
import sys
from dpbandits import code_cache
from dpbandits.privacy.hybrid import hybrid, hybrid_noise
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream
releases, mechanism = Releases(stream(1, "cache")), hybrid(1, 2.0, 2.0)
noise = [hybrid_noise(releases, mechanism, 0, 0.0, n) for n in range(1, 9)]
print(noise, sum(hybrid_noise.stats.cache_hits.values()), code_cache.folder())
"""


def start(source, also=(), program=PROGRAM):
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1", **dict(also)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(
        [sys.executable, "-c", program], env=environment, cwd=source.parent, **pipes
    )


def result(process):
    """The numbers, how often the cache was used, and where it is."""
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    numbers, hits, place = output.strip().rsplit(" ", 2)
    return numbers, int(hits), place


def files(folder):
    return sorted(Path(folder).rglob("*.nbc"))


def copied(folder):
    """A copy of the package without compiled code."""
    return shutil.copytree(
        ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__")
    )


@pytest.fixture
def source(tmp_path):
    return copied(tmp_path)


@pytest.fixture(scope="module")
def numbers_and_cache(tmp_path_factory):
    """The numbers of the program, and the cache that two processes have filled at once."""
    source = copied(tmp_path_factory.mktemp("compiled"))
    (one, *_), (other, *_) = map(result, [start(source) for _ in range(2)])
    assert one == other
    return one, source / "dpbandits/__pycache__/kernels"


@pytest.fixture
def numbers(numbers_and_cache, source):
    """The numbers of the program, with its code in the cache of `source`."""
    shutil.copytree(numbers_and_cache[1], source / "dpbandits/__pycache__/kernels")
    return numbers_and_cache[0]


@pytest.mark.slow
def test_it_lies_beside_the_sources_and_damaged_code_is_compiled_again(source, numbers):
    """Damaged files are truncated, empty, or differ in one byte. Valid files replace them."""
    place = str(source / "dpbandits/__pycache__/kernels")
    assert result(start(source)) == (numbers, 1, place)
    damages = (
        lambda code: code[:100],
        lambda code: b"",
        lambda code: code[:500] + b"?" + code[501:],
    )
    for file, damage in zip(files(source), itertools.cycle(damages)):
        file.write_bytes(damage(file.read_bytes()))
    assert result(start(source)) == (numbers, 0, place)
    for code in map(Path.read_bytes, files(place)):
        assert hashlib.sha256(code[32:]).digest() == code[:32]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variable", "value", "place"),
    [
        ("HOME", ".", ".cache/dpbandits"),
        ("HOME", "/dev/null", None),
        ("NUMBA_CACHE_DIR", "own", "own"),
    ],
)
def test_sources_that_cannot_be_written(variable, value, place, source, tmp_path):
    """The user's cache or the folder in numba's variable is used. Without any, code is not kept."""
    (source / "dpbandits" / "__pycache__").write_text("no folder")
    _, hits, found = result(start(source, also={variable: str(tmp_path / value)}))
    assert (hits, found) == (0, str(place and tmp_path / place))
    assert place is None or files(found)


GUEST = {
    "guests/__init__.py": "",
    "guests/constants.py": "import os\nFACTOR = float(os.environ['FACTOR'])\n",
    "guests/helpers.py": """
from dpbandits.kernels import step
from guests import constants

@step
def scaled(x):
    return constants.FACTOR * x + 1
""",
    "guests/policy.py": """
from dpbandits.kernels import kernel
from guests import helpers

@kernel
def play(x):
    return helpers.scaled(x)

@kernel
def apply(function, x):
    return function(x)
""",
}
HELPERS = GUEST["guests/helpers.py"]
PLAY = "from guests.policy import play; print(play(2.0), sum(play.stats.cache_hits.values()), 'x')"


@pytest.fixture
def play(source):
    """A function that plays in a new process, with a factor in the user's own package beside ours.

    It returns the number, and how often code was loaded.
    """
    for name, text in GUEST.items():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(text)

    def played(factor="3", program=PLAY):
        return result(start(source, also={"FACTOR": factor}, program=program))[:2]

    return played


def replaced(text, *pairs):
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def add(source, name, helpers):
    """Add a module of helpers, and one with a kernel that calls them."""
    (source / f"guests/{name}.py").write_text(helpers)
    policy = replaced(GUEST["guests/policy.py"], ("helpers", name))
    (source / f"guests/play_{name}.py").write_text(policy)


def play_each(play, modules, factor="3", before=""):
    """The number of a kernel in each module, and how often its code was loaded, in one process."""
    program = "".join(f"from guests.{name} import play as {name}\n" for name in modules)
    program += f"{before}\nresults = [(play(2.0), sum(play.stats.cache_hits.values()))"
    program += f" for play in ({', '.join(modules)},)]\nprint(results, 0, 'x')"
    return ast.literal_eval(play(factor, program)[0])


def edit(path, *pair):
    path.write_text(replaced(path.read_text(), pair))


@pytest.mark.slow
def test_the_code_of_a_guest_and_of_its_helpers_is_in_the_key(source, play):
    """Helpers in other files count, and constants as they are in memory (here, the environment)."""
    assert [play(), play(), play("4")] == [("7.0", 0), ("7.0", 1), ("9.0", 0)]
    edit(source / "guests/helpers.py", "+ 1", "+ 2")
    assert play() == ("8.0", 0)
    edit(source / "guests/policy.py", "scaled(x)", "scaled(x) + 5")
    assert play() == ("13.0", 0)


ENUM = """
class Factors(IntEnum):
    OURS = int(os.environ["FACTOR"])
    def __repr__(self):
        return self.name
"""
NESTED_FUNCTION = """
def times(factor):
    @inlined
    def times(x):
        return factor * x
    return times
FACTOR = times(float(os.environ["FACTOR"]))
"""
IMPORTS = """
import os
from enum import IntEnum
import numpy as np
from dpbandits.kernels import inlined
"""
CONSTANTS = {  # what defines it, and how a kernel reads it
    "enum_class": (ENUM, "Factors.OURS.value"),
    "enum": (f"{ENUM}FACTOR = Factors.OURS", "FACTOR.value"),
    "nested_function": (NESTED_FUNCTION, "FACTOR(1)"),
    # `repr` shows eight digits of an array.
    "array_in_a_tuple": (
        "FACTOR = ((np.array([3 + 1e-9 * float(os.environ['FACTOR'])]),),)",
        "round((FACTOR[0][0][0] - 3) * 1e9)",
    ),
}


REPLACE = """
import os, pathlib
from guests import replaced
path = pathlib.Path(replaced.__file__)
path.write_text(path.read_text().replace("+ 1", "+ 2"))
os.utime(path, (0, 0))
"""
NESTED = """
from typing import NamedTuple
from dpbandits.kernels import kernel
from guests import fixed

class DPSE:
    def grown(self, x):
        return fixed.scaled(x)

class DPUCB(DPSE):
    def grown(self, x):
        return 100 * x

def derived(policy):
    made = NamedTuple("Compiled", [("epsilon", float)])
    made.__module__, made.__qualname__ = policy.__module__, f"{policy.__qualname__}.Compiled"
    made.grown = policy.grown
    policy.Compiled = made

derived(DPSE)
derived(DPUCB)

@kernel
def play_policy(policy, x):
    return policy.grown(x)

def play(x):
    play_policy(DPSE.Compiled(1.0), x)
    return play_policy(DPSE.Compiled(1.0), x)

play.stats = play_policy.stats
"""
OTHER = """
from guests.nested import DPUCB, play_policy

def play(x):
    return play_policy(DPUCB.Compiled(1.0), x)

play.stats = play_policy.stats
"""


def test_the_next_process_compiles_what_has_changed_and_loads_the_rest(source, play):
    """After a change of a constant, a default, a module or a source code is compiled again.

    The constant is from a module of which the kernel's module uses nothing else. The source is
    replaced during the first run: `cp -p`, `rsync -a` and `tar x` preserve the time of change. The
    code of a class inside another is loaded once, and not for a class of the same name and fields.
    """
    for kind, (definition, read) in CONSTANTS.items():
        (source / f"guests/of_{kind}.py").write_text(IMPORTS + definition)
        imported = f"guests.of_{kind} import {re.search(r'F[A-Za-z]+', read)[0]}"
        pairs = ("guests import constants", imported), ("constants.FACTOR", read)
        add(source, kind, replaced(HELPERS, *pairs))
    default = "scaled(x, factor=float(os.environ['FACTOR']))"
    pairs = ("from guests import constants", "import os"), ("constants.FACTOR", "factor")
    add(source, "default", replaced(HELPERS, *pairs, ("scaled(x)", default)))
    constants = [f"play_{kind}" for kind in (*CONSTANTS, "default")]
    fixed = replaced(HELPERS, ("from guests import constants", ""), ("constants.FACTOR", "3"))
    for name in ("fixed", "replaced"):
        add(source, name, fixed)
    (source / "guests/moves.py").write_text(f"{fixed}\nplay = scaled")
    (source / "guests/nested.py").write_text(NESTED)
    (source / "guests/other.py").write_text(OTHER)
    modules = [*constants, "play_replaced", "moves", "nested"]
    assert play_each(play, modules, before=REPLACE) == [(7.0, 0)] * len(modules)
    (source / "guests/moves.py").rename(source / "guests/moved.py")
    modules = [*constants, "play_replaced", "moved", "nested"]
    results = [(9.0, 0)] * len(constants) + [(8.0, 0), (7.0, 0), (7.0, 1)]
    assert play_each(play, modules, "4") == results
    assert play_each(play, ["other"]) == [(200.0, 0)]


def kernels():
    """Every compiled function of the package."""
    for info in pkgutil.walk_packages(dpbandits.__path__, "dpbandits."):
        if info.name.split(".")[1] in ("bandits", "drivers", "policies", "privacy", "random"):
            values = vars(importlib.import_module(info.name)).values()
            yield from (value.py_func for value in values if hasattr(value, "py_func"))


def read_by(owner, name, call):
    """The first arguments that `owner.name` gets during a call."""
    original, first = getattr(owner, name), set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, lambda argument: first.add(argument) or original(argument))
        call()
    return first


def test_the_code_of_every_kernel_can_be_kept_and_is_in_the_fingerprint_of_its_jobs():
    """The cache walks values in memory, and refuses what differs from the files. Fingerprints walk
    the imports in the files, and reach more. The jobs must run again if a kernel has changed."""
    for function in set(kernels()):
        in_key = read_by(Path, "read_bytes", partial(code_cache.code_behind, [function]))
        walk = partial(fingerprints.fingerprint.__wrapped__, function.__module__)
        names = read_by(fingerprints, "_read", walk)
        assert in_key <= {fingerprints._file(name) for name in names if "==" not in name}


@pytest.mark.parametrize("library", [numba, llvmlite, np, sys.implementation])
def test_another_version_of_a_library_or_of_python_compiles_again(library, monkeypatch):
    kept, key = code_cache.CodeFiles(play_plainly.py_func, {}), ((), "cpu")
    before = kept._path(key)
    name = "cache_tag" if library is sys.implementation else "__version__"
    monkeypatch.setattr(library, name, "0")
    assert before is not None
    assert kept._path(key) != before


MAKER = """
def scaling(factor):
    @step
    def scaled(x):
        return factor * x + 1

    return scaled

scaled = scaling(constants.FACTOR)
"""


UNREACHABLE = """
from typing import NamedTuple
from dpbandits.kernels import kernel

def made():
    class Inner(NamedTuple):
        x: float

    return Inner

Outer = made()

@kernel
def play_policy(policy):
    return 3 * policy.x + 1

def play(x):
    return play_policy(Outer(x))

play.stats = play_policy.stats
"""


ARGUMENT = """
from guests import helpers, policy

def play(x):
    (number,) = {policy.apply(helpers.scaled, x) for _ in range(3)}
    return number

play.stats = policy.apply.stats
"""
OWN = """
import numba

@numba.njit(cache=True)
def play(x):
    return 3 * x + 1
"""


def test_what_cannot_be_traced_is_not_kept(source, play):
    """Such code is compiled in every process. A user's own functions are kept by numba.

    It is newer than the process, in a package (whose names depend on other imports), in a function
    with a closure, or of a class that another process cannot find. Or it calls an argument: its key
    would be an address in memory, which another process can use for another function.
    """
    step = "@step\ndef scaled(x):\n    return constants.FACTOR * x + 1"
    for name in ("newer", "package"):
        add(source, name, HELPERS)
    add(source, "closure", replaced(HELPERS, (step, MAKER)))
    os.utime(source / "guests/newer.py", (2**32, 2**32))
    (source / "guests/package").mkdir()
    (source / "guests/package.py").rename(source / "guests/package/__init__.py")
    for name, text in (("unreachable", UNREACHABLE), ("argument", ARGUMENT), ("own", OWN)):
        (source / f"guests/{name}.py").write_text(text)
    modules = ["play_newer", "play_package", "play_closure", "unreachable", "argument", "own"]
    assert play_each(play, modules) == [(7.0, 0)] * len(modules)
    kept = [(path.parent.parent.name, path.name.split(".")[0]) for path in files(source)]
    assert kept == [("__pycache__", "scaled"), ("guests", "own")]

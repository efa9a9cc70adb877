"""The cache of machine code: where it is, that it cannot mislead, and that nothing bad that happens to it stops a run."""

import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import pytest
from project import ROOT

from dpbandits.kernels import kernel, methods, step

PROGRAM = """
import sys
from dpbandits import kernels
from dpbandits.privacy.hybrid import hybrid, hybrid_noise
from dpbandits.random import stream
rng, mechanism = stream(1, "cache"), hybrid(1, 2.0, 2.0)
noise = [hybrid_noise(rng, mechanism, 0, n) for n in range(1, 9)]
print(noise, sum(hybrid_noise.stats.cache_hits.values()), kernels._folder())
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
    """A copy of the package, nothing kernels."""
    return shutil.copytree(
        ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__")
    )


@pytest.fixture
def source(tmp_path):
    return copied(tmp_path)


@pytest.fixture(scope="module")
def numbers_and_cache(tmp_path_factory):
    """The numbers of the program, and the cache of a source in which two processes have compiled it at once."""
    source = copied(tmp_path_factory.mktemp("compiled"))
    (one, *_), (other, *_) = map(result, [start(source) for _ in range(2)])
    assert one == other
    return one, source / "dpbandits/__pycache__/kernels"


@pytest.fixture
def numbers(numbers_and_cache, source):
    """The numbers of the program; what was compiled elsewhere lies in `source`, too."""
    shutil.copytree(numbers_and_cache[1], source / "dpbandits/__pycache__/kernels")
    return numbers_and_cache[0]


@pytest.mark.slow
def test_it_lies_beside_the_sources_and_damaged_code_is_compiled_again(source, numbers):
    """Truncated, emptied, or with one flipped byte; then it is sound again, and used."""
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
def test_a_changed_helper_is_compiled_into_its_callers(source, numbers):
    """numba alone would go on with the old one."""
    helper = source / "dpbandits" / "random.py"
    text = helper.read_text()
    assert "size = scale * rng.noise * exponential_of(rng, word)" in text
    helper.write_text(text.replace("size = scale * rng.noise", "size = 2 * scale * rng.noise"))
    changed, hits, _ = result(start(source))
    assert (hits, json.loads(changed)) == (0, [2 * x for x in json.loads(numbers)])


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
    """The user's own cache takes their place, or the folder that numba's variable names; if there is none, all works."""
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
""",
}
PLAY = "from guests.policy import play; print(play(2.0), sum(play.stats.cache_hits.values()), 'x')"


@pytest.fixture
def play(source):
    """A function that plays with a factor in a package of somebody's own beside this one: the number, and whether code was kept."""
    for name, text in GUEST.items():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(text)

    def played(factor="3"):
        return result(start(source, also={"FACTOR": factor}, program=PLAY))[:2]

    return played


@pytest.mark.slow
def test_the_code_of_a_guest_and_of_its_helpers_is_in_the_key(source, play):
    """In other files, by a module's attribute; and a constant as it is in memory, which here comes from the environment."""
    assert [play(), play(), play("4")] == [("7.0", 0), ("7.0", 1), ("9.0", 0)]
    for file, old, new, found in (
        ("helpers", "+ 1", "+ 2", "8.0"),
        ("policy", "scaled(x)", "scaled(x) + 5", "13.0"),
    ):
        path = source / f"guests/{file}.py"
        path.write_text(path.read_text().replace(old, new))
        assert play() == (found, 0)


@pytest.mark.parametrize("case", ["newer than the process", "in a package", "with a closure"])
def test_what_cannot_be_followed_is_not_kept(case, source, play):
    """A source that is not the code in memory; a package, which names what else has been imported; a function made by another."""
    helpers = source / "guests/helpers.py"
    if case == "newer than the process":
        os.utime(helpers, (2**32, 2**32))
    elif case == "in a package":
        (source / "guests/more").mkdir()
        helpers.rename(source / "guests/more/__init__.py")
        helpers.write_text("from guests.more import scaled\n")
    else:
        text = helpers.read_text().replace(
            "@step\ndef scaled(x):\n    return constants.FACTOR * x + 1", MAKER
        )
        assert MAKER in text
        helpers.write_text(text)
    assert play() == ("7.0", 0)
    assert not files(source)


MAKER = """
def scaling(factor):
    @step
    def scaled(x):
        return factor * x + 1

    return scaled

scaled = scaling(constants.FACTOR)
"""


class Doubling(NamedTuple):
    by: float

    def grown(self, x):
        return self.by * x


class Adding(NamedTuple):
    to: float

    def grown(self, amount):
        return self.to + amount


methods(Doubling)


@kernel
def grow(rule, x):
    return rule.grown(x)


def test_a_method_is_that_of_the_tuples_own_class():
    """Its parameters may have other names than where it was declared."""
    assert (grow(Doubling(2.0), 5.0), grow(Adding(2.0), 5.0)) == (10.0, 7.0)


def test_a_step_is_part_of_its_callers_and_python_can_call_it():
    @step
    def thrice(x):
        return 3 * x

    @kernel
    def caller(x):
        return thrice(x) + 1

    assert (thrice(2), caller(2)) == (6, 7)


def test_the_version_of_numba_whose_undocumented_parts_are_used():
    """kernels.py lists them. With another version look whether they are there, and whether the tests above can fail."""
    assert numba.__version__.startswith("0.68.")

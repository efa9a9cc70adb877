"""The cache of machine code: where it is, that it cannot mislead, and that nothing bad that happens to it stops a run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import pytest
from project import ROOT

from dpbandits.compiled import kernel, methods, step

PROGRAM = """
import sys
from dpbandits import compiled
from dpbandits.privacy.hybrid import hybrid, hybrid_noise
from dpbandits.random import stream
rng, mechanism = stream(1, "cache"), hybrid(1, "half_log2", 1.0)
noise = [hybrid_noise(rng, mechanism, 0, n) for n in range(1, 9)]
print(noise, sum(hybrid_noise.stats.cache_hits.values()), compiled._folder())
"""


@pytest.fixture
def source(tmp_path):
    """A copy of the package, nothing compiled."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "src"


def start(source, before=(), also=(), program=PROGRAM):
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1", **dict(also)}
    command = [*before, sys.executable, "-c", program]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, cwd=source.parent, **pipes)


def result(process):
    """The numbers, how often the cache was used, and where it is."""
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    numbers, hits, place = output.strip().rsplit(" ", 2)
    return numbers, int(hits), place


def files(folder):
    return sorted(Path(folder).rglob("*.nbc"))


def test_it_lies_beside_the_sources_and_damaged_code_is_compiled_again(source):
    """Truncated, emptied, or with one flipped byte, in the place of every file; then it is sound again, and used."""
    numbers, hits, place = result(start(source))
    assert (hits, place) == (0, str(source / "dpbandits" / "__pycache__" / "kernels"))
    assert result(start(source)) == (numbers, 1, place)
    sound = {file: file.read_bytes() for file in files(source)}
    for damage in (lambda code: code[:100], lambda code: b"", lambda code: code[:500] + b"?" + code[501:]):
        for file, code in sound.items():
            file.write_bytes(damage(code))
        assert result(start(source))[:2] == (numbers, 0)
        assert result(start(source))[:2] == (numbers, 1)


def test_a_changed_helper_is_compiled_into_its_callers(source):
    """numba alone would go on with the old one."""
    numbers, _, _ = result(start(source))
    helper = source / "dpbandits" / "random.py"
    text = helper.read_text()
    assert "size = scale * rng.noise * exponential_of(rng, word)" in text
    helper.write_text(text.replace("size = scale * rng.noise", "size = 2 * scale * rng.noise"))
    changed, hits, _ = result(start(source))
    assert hits == 0
    assert [float(x) for x in changed.strip("[]").split(", ")] == [
        2 * float(x) for x in numbers.strip("[]").split(", ")
    ]
    helper.write_text(text)
    assert result(start(source))[:2] == (numbers, 1)


def test_a_copy_of_the_project_takes_over_the_cache(source, tmp_path):
    numbers, _, _ = result(start(source))
    (tmp_path / "elsewhere").mkdir()
    shutil.copytree(source, tmp_path / "elsewhere" / "src")
    assert result(start(tmp_path / "elsewhere" / "src"))[:2] == (numbers, 1)


def test_four_compile_at_once(source):
    together = [start(source) for _ in range(4)]
    assert len({result(process)[0] for process in together}) == 1
    assert result(start(source))[1] == 1


def test_sources_that_cannot_be_written(source, tmp_path):
    """The user's own cache takes their place; if there is none, nothing is kept, and all works."""
    (source / "dpbandits" / "__pycache__").write_text("no folder")
    home = {"HOME": str(tmp_path)}
    numbers, _, found = result(start(source, also=home))
    assert found == str(tmp_path / ".cache" / "dpbandits")
    assert result(start(source, also=home))[:2] == (numbers, 1)
    assert result(start(source, also={"HOME": "/dev/null"})) == (numbers, 0, "None")


def test_numbas_variable_is_obeyed(source, tmp_path):
    _, _, place = result(start(source, also={"NUMBA_CACHE_DIR": str(tmp_path / "own")}))
    assert place == str(tmp_path / "own")
    assert files(tmp_path / "own")
    assert not files(source)


GUEST = {
    "guests/__init__.py": "",
    "guests/constants.py": "FACTOR = 3.0\n",
    "guests/helpers.py": """
from dpbandits.compiled import step
from guests import constants

@step
def scaled(x):
    return constants.FACTOR * x + 1
""",
    "guests/policy.py": """
from dpbandits.compiled import kernel
from guests import helpers

@kernel
def play(x):
    return helpers.scaled(x)
""",
}
PLAY = "from guests.policy import play; print(play(2.0), sum(play.stats.cache_hits.values()), 'x')"


@pytest.fixture
def guest(source):
    """A package of somebody's own beside this one."""
    for name, text in GUEST.items():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(text)
    return source


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("guests/helpers.py", "+ 1", "+ 2", 8.0),
        ("guests/constants.py", "3.0", "4.0", 9.0),
        ("guests/policy.py", "scaled(x)", "scaled(x) + 5", 12.0),
    ],
)
def test_the_code_of_a_guest_and_of_its_helpers_is_in_the_key(guest, file, old, new, expected):
    """In other files, by a module's attribute, and as a constant."""
    assert result(start(guest, program=PLAY))[:2] == ("7.0", 0)
    assert result(start(guest, program=PLAY))[:2] == ("7.0", 1)
    (guest / file).write_text(GUEST[file].replace(old, new))
    assert result(start(guest, program=PLAY))[:2] == (str(expected), 0)


def test_a_constant_is_in_the_key_as_it_is_in_memory(guest):
    """Here it comes from the environment."""
    (guest / "guests/constants.py").write_text("import os\nFACTOR = float(os.environ['FACTOR'])\n")
    for factor, played in (("3", ("7.0", 0)), ("3", ("7.0", 1)), ("4", ("9.0", 0))):
        assert result(start(guest, also={"FACTOR": factor}, program=PLAY))[:2] == played


@pytest.mark.parametrize("case", ["newer than the process", "in a package", "with a closure"])
def test_what_cannot_be_followed_is_not_kept(guest, case):
    """A source that is not the code in memory; a package, which names what else has been imported; a function made by another."""
    helpers = guest / "guests/helpers.py"
    if case == "newer than the process":
        os.utime(helpers, (2**32, 2**32))
    elif case == "in a package":
        (guest / "guests/more").mkdir()
        helpers.rename(guest / "guests/more/__init__.py")
        helpers.write_text("from guests.more import scaled\n")
    else:
        text = helpers.read_text().replace("@step\ndef scaled(x):\n    return constants.FACTOR * x + 1", MAKER)
        assert MAKER in text
        helpers.write_text(text)
    for _ in range(2):
        assert result(start(guest, program=PLAY))[:2] == ("7.0", 0)


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
    """compiled.py lists them. With another version look whether they are there, and whether the tests above can fail."""
    assert numba.__version__.startswith("0.68.")

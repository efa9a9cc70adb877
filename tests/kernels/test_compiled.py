"""The cache of machine code: where it is, that it cannot mislead, and that nothing bad that happens to it stops a run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from project import HANGS, ROOT

from dpbandits.kernels.compiled import kernel, methods

PROGRAM = """
import sys
from dpbandits.kernels import compiled
from dpbandits.privacy.hybrid import hybrid, hybrid_noise
from dpbandits.kernels.streams import stream
rng, mechanism = stream(1, "cache"), hybrid(1, "half_log2", 1.0)
noise = [hybrid_noise(rng, mechanism, 0, n) for n in range(1, 9)]
print(noise, sum(hybrid_noise.stats.cache_hits.values()), compiled._cache_folder())
"""


@pytest.fixture
def source(tmp_path):
    """A copy of the package, nothing compiled."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "src"


def start(source, before=(), also=()):
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1", **dict(also)}
    return subprocess.Popen(
        [*before, sys.executable, "-c", PROGRAM],
        env=environment,
        cwd=source.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def result(process):
    """The numbers, whether the cache was used, and where it is."""
    output, errors = process.communicate(timeout=HANGS)
    assert process.returncode == 0, errors
    numbers, hits, place = output.strip().rsplit(" ", 2)
    return numbers, int(hits), place


def files(folder):
    return sorted(Path(folder).rglob("*.nbc"))


def test_it_lies_beside_the_sources_and_damaged_code_is_compiled_again(source):
    """Truncated, emptied, or with one flipped byte, in the place of every file; then it is sound again, and used."""
    sound = result(start(source))
    assert sound[1:] == (0, str(source / "dpbandits/__pycache__/kernels"))
    assert files(sound[2])
    for damage in (lambda c: c[: len(c) // 2], lambda c: b"", lambda c: c[:-1] + bytes([c[-1] ^ 1])):
        for path in files(sound[2]):
            path.write_bytes(damage(path.read_bytes()))
        assert result(start(source)) == (sound[0], 0, sound[2])
    assert result(start(source)) == (sound[0], 1, sound[2])


def test_a_changed_helper_is_compiled_into_its_callers(source):
    """numba alone would go on with the old one."""
    sound = result(start(source))
    helper = source / "dpbandits/privacy/tree.py"
    text = helper.read_text()
    changed = text.replace("noise += laplace(rng, scale)", "noise -= laplace(rng, scale)")
    assert changed != text
    helper.write_text(changed)
    other = result(start(source))
    assert other[0] != sound[0]
    assert other[1] == 0
    helper.write_text(text)
    assert result(start(source)) == (sound[0], 1, sound[2])


def test_a_copy_of_the_project_takes_over_the_cache(source, tmp_path):
    sound = result(start(source))
    other = tmp_path / "elsewhere/src"
    shutil.copytree(source, other)
    assert result(start(other)) == (sound[0], 1, str(other / "dpbandits/__pycache__/kernels"))


def test_four_compile_at_once(source):
    """One of them does, and the others wait for it."""
    together = [result(process) for process in [start(source) for _ in range(4)]]
    assert len({numbers for numbers, _, _ in together}) == 1
    assert sorted(hits for _, hits, _ in together) == [0, 1, 1, 1]
    assert result(start(source)) == (together[0][0], 1, together[0][2])
    assert not list(source.rglob("*.tmp.*"))


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def test_sources_that_cannot_be_written(source, tmp_path):
    """The temporary folder takes their place, if the folder in it is ours alone; else nothing is kept, and all works."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("making a folder read-only for root needs the right to mount")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    options = {
        "before": ["unshare", "--mount", "sh", "-c", READ_ONLY, str(source)],
        "also": {"TMPDIR": str(temporary)},
    }
    numbers, _, place = result(start(source, **options))
    assert place == str(temporary / f"dpbandits-{os.getuid()}")
    assert Path(place).stat().st_mode & 0o777 == 0o700
    assert result(start(source, **options)) == (numbers, 1, place)
    shutil.rmtree(place)
    Path(place).mkdir()
    Path(place).chmod(0o777)  # what lies in a cache is executed, and here anybody may put something
    assert result(start(source, **options)) == (numbers, 0, "None")
    assert not files(place)
    assert not files(source)


def test_numbas_variable_is_obeyed(source, tmp_path):
    _, _, place = result(start(source, also={"NUMBA_CACHE_DIR": str(tmp_path / "elsewhere")}))
    assert place == str(tmp_path / "elsewhere")
    assert files(place)
    assert not files(source)


class Declared:
    def weighed(self, x, y):
        """A method that kernels may call."""


class SameNames(NamedTuple):
    weight: float

    def weighed(self, x, y):
        return self.weight * x - y


class OtherNames(NamedTuple):
    weight: float

    def weighed(self, first, second):
        return self.weight * first - second


methods(Declared)


@kernel
def weighed_by(rule, x, y):
    return rule.weighed(x, y) + rule.weighed(y, x)


@pytest.mark.parametrize("rule", [SameNames(3.0), OtherNames(3.0)])
def test_methods_may_name_their_parameters_as_they_like(rule):
    assert weighed_by(rule, 5.0, 2.0) == 13.0 + 1.0


CALLING = """
from dpbandits.kernels.compiled import kernel

@kernel
def half(x):
    if x < 0:
        raise ValueError("a negative number")
    return x / 2

@kernel
def quarter(x):
    return half(half(x))
"""
CALLED = """
import calling
print(calling.quarter(8.0), len(calling.half.overloads), calling.half(8.0), calling.quarter(10.0))
for function in (calling.quarter, calling.half):
    try:
        function(-1.0)
    except ValueError as error:
        print(error)
print([sum(function.stats.cache_hits.values()) for function in (calling.quarter, calling.half)])
"""


def test_a_kernel_within_another_has_code_for_python_only_when_python_calls_it(tmp_path):
    """The two versions are not mistaken for each other, in memory or in the cache."""
    (tmp_path / "calling.py").write_text(CALLING)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = f"{ROOT / 'src'}:{tmp_path}"
    for hits in ("[0, 0]", "[1, 1]"):
        done = subprocess.run([sys.executable, "-c", CALLED], env=environment, capture_output=True, text=True)
        printed = ["2.0 0 4.0 2.5", "a negative number", "a negative number", hits]
        assert done.stdout.splitlines() == printed, done.stderr
    for path in (tmp_path / "cache").rglob("*calling.quarter*.nbc"):
        path.unlink()
    done = subprocess.run([sys.executable, "-c", CALLED], env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines() == [*printed[:3], "[0, 1]"], done.stderr

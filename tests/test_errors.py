"""The log of a job: what it cost, and one line for what went wrong."""

import json
import subprocess
import sys

import pytest

LARGE = "import numpy as np; held = np.ones(40_000_000); "
JOB = """
import sys

import pytest
import numpy as np
from dpbandits.errors import run_job
with run_job(sys.argv[1]) as cost:
    held = np.ones(int(sys.argv[2]))
    cost["more"] = 1
"""


def test_the_costs_of_a_job_are_its_own(tmp_path):
    """Started by a process that holds 320 MB, which `ru_maxrss` of the job would include."""
    start = f"{LARGE}import subprocess, sys; subprocess.run([sys.executable, '-c', {JOB!r}, *sys.argv[1:]], check=True)"
    found = {}
    for numbers in (1, 20_000_000):
        log = tmp_path / f"{numbers}.log"
        subprocess.run([sys.executable, "-c", start, str(log), str(numbers)], check=True)
        found[numbers] = json.loads(log.read_text())
    small, large = found[1]["peak_megabytes"], found[20_000_000]["peak_megabytes"]
    assert small < 200
    assert 140 < large - small < 170  # 160 MB = 153 MiB
    assert found[1]["more"] == 1
    assert 0 < found[1]["cpu_seconds"] < 60


def test_a_job_ends_with_its_block_and_what_it_printed_is_there(tmp_path):
    code = JOB + '    print("printed")'
    code = code.replace("import sys\n", "import atexit, sys\natexit.register(print, 'taken down')\n", 1)
    words = [sys.executable, "-c", code, str(tmp_path / "log"), "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "printed\n"
    with open("/dev/full", "w") as full:
        assert subprocess.run(words, stdout=full, stderr=subprocess.DEVNULL).returncode != 0


CALLED_BY_C = """
import ctypes, signal, sys
from dpbandits.errors import run_job

@ctypes.CFUNCTYPE(None)
def called():
    signal.raise_signal(signal.SIGINT)
    print("not reached")

signal.signal(signal.SIGINT, signal.SIG_DFL)
with run_job(sys.argv[1]):
    called()
    raise RuntimeError("nothing came back")
"""


def test_ctrl_c_within_a_function_that_c_calls_ends_a_job_as_anywhere(tmp_path):
    """Python drops the interruption, and LLVM misses what it asked for."""
    words = [sys.executable, "-c", CALLED_BY_C, str(tmp_path / "log")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    assert not (tmp_path / "log").exists()


KERNEL = """
from dpbandits.compiled import kernel
from dpbandits.errors import place_of, reason_of
from dpbandits.random import stream

@kernel
def inner(rng, number):
    return {wrong}

@kernel
def outer(rng, number):
    return inner(rng, number)

try:
    outer(stream(0), 3)
except Exception as failure:
    print(place_of(failure) + reason_of(failure))
"""
WRONG = [
    ("rng.integers(number)", "missing a required argument: 'high', in the call"),
    ("rng.choice(number)", "TypingError: Unknown attribute 'choice' of type Stream"),
    ("number + 'x'", "TypingError: no compiled function fits the call add(int64, Literal[str])"),
    ("undefined + 1", "NameError: name 'undefined' is not defined"),
    ("number / 0", "ZeroDivisionError: division by zero"),
]


@pytest.mark.parametrize(("wrong", "line"), WRONG)
def test_what_cannot_be_compiled_is_said_in_one_line(wrong, line, tmp_path):
    """numba says "Failed in nopython mode pipeline" in its first line, and the reason some lines later."""
    file = tmp_path / "src/dpbandits/algorithms/arms/draft.py"
    file.parent.mkdir(parents=True)
    file.write_text(KERNEL.format(wrong=wrong))
    printed = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True).stdout
    place, _, reason = printed.partition(": ")
    assert line in reason
    assert printed.count("\n") == 1
    if "ZeroDivision" not in line and "NameError" not in line:  # which do not say the line
        assert place == "src/dpbandits/algorithms/arms/draft.py, line 8"

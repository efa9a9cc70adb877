"""How a failed job ends: one line on the terminal and in its log, where the traceback follows."""

import errno
import re
import runpy
import signal
import sys

import pytest
from project import run_program

from dpbandits.errors import InputError, run_job

JOB = """
import os, signal, sys
from dpbandits.errors import run_job
# Where tests run in the background, SIGINT is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
with run_job(sys.argv[1]):
    os.kill(os.getpid(), signal.SIGINT)
"""


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (InputError("a.yaml: runs: 0"), "a.yaml: runs: 0"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "none/f"),
            "none/f: No such file or directory; "
            "finished files are not lost: correct this and run again",
        ),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
    ],
)
def test_a_job_that_fails_says_why_in_one_line_and_keeps_the_traceback(failure, reason, tmp_path):
    """A job that succeeds afterwards leaves no log."""
    log, handler = tmp_path / "a.log", signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as end, run_job(log):
            raise failure
        line = str(end.value)
        assert re.fullmatch(f"error: ([^ ]+, line [0-9]+: )?{re.escape(reason)}", line)
        assert log.read_text().startswith(f"{line}\n\nTraceback")
        with run_job(log):
            pass
        assert not log.exists()
    finally:
        signal.signal(signal.SIGINT, handler)


def test_ctrl_c_ends_a_job_without_a_word(tmp_path):
    done = run_program(sys.executable, "-c", JOB, tmp_path / "a.log")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
    assert not (tmp_path / "a.log").exists()


KERNEL = """
from dpbandits.kernels import kernel
from dpbandits.errors import one_line
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
    print(one_line(failure))
"""
WRONG = [
    ("rng.choice(number)", 8, "TypingError: Unknown attribute 'choice' of type Stream"),
    (
        "undefined + 1",
        12,
        "NameError: name 'undefined' is not defined",
    ),  # numba says the line of the call
    (
        "{number: 'x', 1: 2}",
        8,
        "TypingError: No implementation of function Function(<built-in function setitem>)",
    ),
    ("number / 0", 15, "ZeroDivisionError: division by zero"),
]


@pytest.mark.filterwarnings("ignore:unsafe cast")
@pytest.mark.parametrize(("wrong", "number", "reason"), WRONG)
def test_what_is_wrong_in_a_kernel_is_said_in_one_line(wrong, number, reason, tmp_path, capsys):
    """numba's first line is "Failed in nopython mode pipeline", and the reason is further below."""
    file = tmp_path / "src/dpbandits/policies/arms/draft.py"
    file.parent.mkdir(parents=True)
    file.write_text(KERNEL.format(wrong=wrong))
    runpy.run_path(str(file))
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert f"src/dpbandits/policies/arms/draft.py, line {number}: " in printed
    assert reason in printed

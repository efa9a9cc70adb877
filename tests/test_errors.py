"""How a failed job ends: one line on the terminal and in its log, where the traceback follows."""

import runpy
import signal
import subprocess
import sys

import pytest

JOB = """
import signal, sys
from dpbandits.errors import InputError, run_job
# Where tests run in the background, SIGINT is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
with run_job(sys.argv[1]):
    {body}
"""


def job(log, body):
    return subprocess.run(
        [sys.executable, "-c", JOB.format(body=body), log], capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("raise InputError('a.yaml: runs: 0')", "error: a.yaml: runs: 0"),
        (
            "open('none/f')",
            "error: none/f: No such file or directory; "
            "finished files are not lost: correct this and run again",
        ),
        ("1 / 0", "error: ZeroDivisionError: division by zero"),
    ],
)
def test_a_job_that_fails_says_why_in_one_line_and_keeps_the_traceback(body, line, tmp_path):
    log = tmp_path / "a.log"
    done = job(log, body)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{line}\n")
    assert log.read_text().startswith(f"{line}\n\nTraceback")


def test_a_job_that_succeeds_leaves_no_log_of_an_earlier_failure(tmp_path):
    log = tmp_path / "a.log"
    job(log, "1 / 0")
    done = job(log, "print('made')")
    assert (done.returncode, done.stdout, log.exists()) == (0, "made\n", False)


def test_ctrl_c_ends_a_job_without_a_word(tmp_path):
    done = job(tmp_path / "a.log", "import os, signal; os.kill(os.getpid(), signal.SIGINT)")
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
        "number + 'x'",
        8,
        "TypingError: No implementation of function Function(<built-in function add>)",
    ),
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

"""Call a function in plain Python, in a process of its own that compiles nothing.

A fork of a process that has imported compiled loops would compile every kernel once more, or play
the compiled ones, which record nothing.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numba

from dpbandits.errors import InputError, one_line


def in_plain_python(function: Callable, *arguments: Any) -> Any:
    """Return function(*arguments); an exception becomes an InputError.

    Its message has the line of the user's code.
    """
    done = subprocess.run(
        [sys.executable, "-m", "dpbandits.audit.plain_python"],
        input=pickle.dumps((function, arguments)),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        check=True,
    )
    result = pickle.loads(done.stdout)
    if isinstance(result, InputError):
        raise result
    return result


def _answer() -> None:
    assert numba.config.DISABLE_JIT
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # a policy may print
    try:
        function, arguments = pickle.load(sys.stdin.buffer)
        result = function(*arguments)
    except Exception as failure:
        result = InputError(one_line(failure))
    answers.write(pickle.dumps(result))


if __name__ == "__main__":
    _answer()

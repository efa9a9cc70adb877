"""Errors in a user's input: the message says where, what is wrong, and what to write instead."""

import difflib
import json
import os
import re
import resource
import signal
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

HINT = (
    "NUMBA_DISABLE_JIT=1 in front of the command runs kernels as plain Python: the traceback then has their own lines."
)
OWN = re.compile(r"src/dpbandits/(algorithms|environments)/\w+/[^_/]\w*\.py$")
NOBODYS = (str(Path(__file__).parent), sys.prefix, sys.base_prefix)  # the project, installed packages, Python
NUMBAS_PLACE = re.compile(r'File "([^"]+)", line (\d+)')


class InputError(ValueError):
    """A user's input cannot be used. The message says in one line where, what is wrong, and how to correct it."""

    def __init__(self, message: str):
        super().__init__(" ".join(line.strip() for line in str(message).splitlines()))


def nearest(word: object, known: Iterable[str]) -> str:
    """'did you mean ...?' for a misspelt word, or the list of known words if none is similar. Names of modules are written
    like dp_se, which many a reader calls DP-SE."""
    known = sorted(known)
    as_module = str(word).lower().replace("-", "_").replace(" ", "_")
    close = difflib.get_close_matches(str(word), known, n=1) or difflib.get_close_matches(as_module, known, n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    return "known: " + ", ".join(known) if known else "there is none"


def check_known(where: str, what: str, names: Iterable[object], known: Collection[str]) -> None:
    """Raise InputError if one of these names is not known."""
    for name in names:
        if name not in known:
            raise InputError(f"{where}: unknown {what} '{name}'; {nearest(name, known)}".removeprefix(": "))


@contextmanager
def run_job(log: str | Path) -> Iterator[dict[str, Any]]:
    """Run the body of a job and write its log; report input and disk errors in one line, without a traceback.

    An `InputError` or `OSError` ends the process with one line, which is printed and written to the job's log. The log
    of a job that succeeds holds its costs as JSON: processor seconds since Python started, peak memory, and the entries
    that the job adds to the dictionary that it is given; it ends with this block, without the tenth of a second in which
    Python takes numba or matplotlib down. Any other error ends it with the line that caused it, before the traceback.
    After Ctrl-C nothing is printed: Snakemake, which gets the signal, too, says what was stopped.
    """
    cost: dict[str, Any] = {}
    interrupted = False

    def interrupt(*_: Any) -> None:
        nonlocal interrupted
        interrupted = True
        sys.unraisablehook = lambda _: None  # it would print what Python drops
        raise KeyboardInterrupt

    if at_once := signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as set at the start of a job
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield cost
        used = resource.getrusage(resource.RUSAGE_SELF)
        cost |= {"cpu_seconds": round(used.ru_utime + used.ru_stime, 3), "peak_megabytes": _peak_megabytes()}
        _write(json.dumps(cost), log)
        _leave()
    except InputError as error:
        _exit_with(f"error: {error}", log)
    except OSError as error:
        reason = error.strerror or str(error)
        _exit_with(
            f"error: {error.filename or 'a file'}: {reason}; finished files are not lost: correct this and run again",
            log,
        )
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as failure:
        if interrupted:  # Python drops an interruption within a function that C calls, as LLVM does while it compiles
            sys.exit(130)
        first = f"error: {place_of(failure)}{reason_of(failure)}"
        _write(f"{first}\n{HINT}\n\n{traceback.format_exc()}", log)
        sys.exit(f"{first}; the whole traceback is in {log}")
    finally:
        if at_once:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _leave() -> None:
    """End the process at once, unless what it printed cannot be written: the usual way out says so."""
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def costs_in(logs: Iterable[str | Path]) -> list[dict[str, Any]]:
    """What `run_job` wrote of the jobs that ran and succeeded."""
    found = []
    for log in map(Path, logs):
        with suppress(OSError, ValueError):  # it never ran, or the log tells of an error
            found.append(json.loads(log.read_text(encoding="utf-8")))
    return found


def _peak_megabytes() -> int:
    """This process's own peak. `ru_maxrss` is at least the size of the process that started it, which is Snakemake."""
    with suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return round(int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def place_of(failure: BaseException) -> str:
    """'src/dpbandits/algorithms/arms/my_ucb.py, line 12: ', where an algorithm or an environment failed; "" elsewhere.

    The innermost line of such a module: the first one in numba's message, which names lines inside a kernel, or the last
    one in the traceback. Modules whose names begin with an underscore are the project's own drivers, which play somebody's
    rule.
    """
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(failure.__traceback__)]
    for file, line in [*NUMBAS_PLACE.findall(str(failure)), *reversed(frames)]:
        if own := OWN.search(file):
            return f"{own[0]}, line {line}: "
        if not os.path.abspath(file).startswith(NOBODYS) and ".snakemake/" not in file and not file.startswith("<"):
            return f"{file}, line {line}: "  # of a user's own package
    return ""


def reason_of(failure: BaseException) -> str:
    """One line: the kind of error and its message; of numba's long ones the sentence about the innermost kernel."""
    kind, lines = type(failure).__name__, [line.strip() for line in str(failure).splitlines()]
    if not type(failure).__module__.startswith("numba."):
        return f"{kind}: {next(iter(lines), '')}"
    innermost = lines[max((n for n, line in enumerate(lines) if line.startswith("Failed in")), default=-1) + 1 :]
    call = next((line.removeprefix(">>> ") for line in innermost if line.startswith(">>> ")), "")
    quoted = next((line for line in innermost if re.match(r"\w+Error: ", line)), "")
    if not call:
        sentence = next((line for line in innermost if line), "")
        return quoted or f"{kind}: {_without_brackets(sentence, 0)}"
    call = _without_brackets(call, 1)  # the types of the arguments, without what these consist of
    return f"{quoted}, in the call {call}" if quoted else f"{kind}: no compiled function fits the call {call}"


def _without_brackets(text: str, depth: int) -> str:
    """The text without what is in brackets, but for the outer ones up to this depth."""
    kept, level = "", 0
    for letter in text:
        level += letter == "("
        kept += letter if level <= depth else ""
        level -= letter == ")"
    return kept


def _write(text: str, log: str | Path) -> None:
    """Write the log. If the disk is full, the log is left out: the job's result may still fit."""
    with suppress(OSError):
        Path(log).parent.mkdir(parents=True, exist_ok=True)
        Path(log).write_text(text + "\n", encoding="utf-8")


def _exit_with(message: str, log: str | Path) -> None:
    _write(message, log)
    sys.exit(message)

"""One clear line for a mistake: where it is, what is wrong, and what to write instead."""

import difflib
import re
import signal
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

INSTALLED = r"/lib(64)?/python3[^/]*/"  # in the files of packages, and of Python
OF_ONE = r"(policies|bandits)/\w+/[^_/]\w*\.py$"  # the module of one algorithm or environment
NOBODYS = re.compile(
    rf"{INSTALLED}|/\.snakemake/|<|^{re.escape(str(Path(__file__).parent))}/(?!{OF_ONE})"
)  # files


class InputError(ValueError):
    """A user's input cannot be used. The message says in one line where, what is wrong, and how to correct it."""

    def __init__(self, message: str):
        super().__init__(" ".join(line.strip() for line in str(message).splitlines()))


def nearest(word: object, known: Iterable[str]) -> str:
    """'did you mean ...?' for a misspelt word, or the list of known words if none is similar.

    Modules have names like dp_se, which many a reader calls DP-SE.
    """
    known = sorted(known)
    as_module = str(word).lower().replace("-", "_").replace(" ", "_")
    close = difflib.get_close_matches(str(word), known, n=1) or difflib.get_close_matches(
        as_module, known, n=1
    )
    if close:
        return f"did you mean '{close[0]}'?"
    return "known: " + ", ".join(known) if known else "there is none"


def number_in_text(value: object) -> str:
    """What to write in place of 1e-1, which YAML 1.1 reads as a text; empty if this is no such text."""
    if not isinstance(value, str) or not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+", value):
        return ""
    number = float(value)
    written = (
        f"{number:.0f}" if number.is_integer() else re.sub(r"^(-?\d)e", r"\1.0e", repr(number))
    )
    return f"{value} is read as a text; write {written}"


def check_known(where: str, what: str, names: Iterable[object], known: Collection[str]) -> None:
    """Raise InputError if one of these names is not known."""
    for name in names:
        if name not in known:
            raise InputError(
                f"{where}: unknown {what} '{name}'; {nearest(name, known)}".removeprefix(": ")
            )


@contextmanager
def within(place: str) -> Iterator[None]:
    """Say where a mistake is: the message of an InputError begins with this place."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}".removeprefix(": ")) from None


@contextmanager
def in_one_line(file: str) -> Iterator[None]:
    """Run what a user may just have written in this file: any failure is an InputError."""
    try:
        yield
    except InputError:
        raise
    except Exception as failure:
        raise InputError(f"{file}: {one_line(failure)}") from None


@contextmanager
def run_job(log: str | Path) -> Iterator[None]:
    """Run the body of a job. If it fails, print one line, and write it into the log, before the traceback.

    Ctrl-C ends the process without a traceback: Snakemake, which gets the signal, too, says what was stopped.
    """
    if (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):  # a background shell ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    log = Path(log)
    with suppress(OSError):
        log.unlink(missing_ok=True)  # that of an earlier attempt
    try:
        yield
    except Exception as failure:
        line = f"error: {one_line(failure)}"
        with suppress(OSError):  # if the disk is full, the line is printed
            log.write_text(f"{line}\n\n{traceback.format_exc()}", encoding="utf-8")
        sys.exit(line)


def one_line(failure: Exception) -> str:
    """What went wrong: an InputError's words, or the file that cannot be read or written, or the line of a module that failed."""
    if isinstance(failure, InputError):
        return str(failure)
    if isinstance(failure, OSError):
        reason = failure.strerror or str(failure)
        return f"{failure.filename or 'a file'}: {reason}; finished files are not lost: correct this and run again"
    # numba's message names the lines of kernels, the innermost first, and says "Failed in ..." before what is wrong.
    lines = [
        line.strip()
        for line in str(failure).splitlines()
        if line.strip() and not line.startswith("Failed in")
    ]
    reason = f"{type(failure).__name__}: {' '.join(lines[:2])}".partition(' File "')[0]
    if "NRT required" in str(failure):  # a list is given to `note`, or another step
        reason = "a list, which only plain Python can use here; in a kernel write np.zeros(K, np.int64), or np.zeros(K)"
    if isinstance(failure, ModuleNotFoundError):
        reason += "; install its package here, or set PYTHONPATH to the folder that it is in"
    places = re.findall(r'(?:File "| at )([^"\n]+?\.py)(?:", line | \()(\d+)', str(failure))
    places += [
        (frame.filename, frame.lineno)
        for frame in reversed(traceback.extract_tb(failure.__traceback__))
    ]
    users = [
        f"{file}, line {line}: "
        for file, line in places
        if not NOBODYS.search(str(Path(file).resolve()))
    ]
    return next(iter(users), "") + reason

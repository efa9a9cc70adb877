"""Errors in one line: the place, the problem and a correction."""

import difflib
import re
import signal
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

INSTALLED = r"/lib(64)?/python3[^/]*/"  # in the paths of installed packages and of Python itself
PLUGIN_FILE = r"(policies|bandits)/\w+/[^_/]\w*\.py$"  # the module of one policy or bandit
# Paths that a message does not name: the mistake is in a user's file that called them.
NOT_USER_CODE = re.compile(
    rf"{INSTALLED}|/\.snakemake/|<|^{re.escape(str(Path(__file__).parent))}/(?!{PLUGIN_FILE})"
)

# What a class may contain by mistake or from an earlier version, and what to write instead.
REMEDIES = {
    r"attribute 'release(_\w+)?'": "write releases.laplace(value, scale), where releases is "
    "run.releases or an argument of the method",
    r"attribute '\w+' of type Releases|'Releases' object has no": "random numbers for choices are "
    "methods of releases.rng",
    r"attribute 'rule'": "write self.compiled(horizon, number_of_arms)",
    r"attribute 't' of type \w*Run": "count in the kernel: for t in range(run.horizon)",
    "NRT required": "in a kernel write np.arange(K) or np.zeros(K), and no list",
}


class InputError(ValueError):
    """A user's input cannot be used.

    Parameters
    ----------
    message
        The place of the mistake, the problem and a correction. Lines are joined.

    Examples
    --------
    >>> raise InputError("a.yaml: runs: 0 should be at least 1")
    Traceback (most recent call last):
    dpbandits.errors.InputError: a.yaml: runs: 0 should be at least 1
    """

    def __init__(self, message: str):
        super().__init__(" ".join(line.strip() for line in str(message).splitlines()))


def nearest(word: object, known: Iterable[str]) -> str:
    """Suggest the most similar known word, or list them all if none is similar.

    Parameters
    ----------
    word
        The misspelt word. DP-SE also counts as dp_se, the name of a module.
    known
        The words to choose from.

    Returns
    -------
    str
        The end of a message.

    Examples
    --------
    >>> nearest("DP-SEE", ["dp_se", "ucb"])
    "did you mean 'dp_se'?"
    >>> nearest("x", ["dp_se", "ucb"])
    'known: dp_se, ucb'
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
    """Suggest a number in place of 1e-1, which YAML 1.1 reads as a string.

    Parameters
    ----------
    value
        A value from a YAML file.

    Returns
    -------
    str
        A message, empty if the value is not such a string.

    Examples
    --------
    >>> number_in_text("1e-1")
    '1e-1 is read as a string; write 0.1'
    """
    digits = r"[-+]?(\d+[.,]?\d*|[.,]\d+)([eE][-+]?\d+)?"
    if not isinstance(value, str) or not re.fullmatch(digits, value):
        return ""
    number = float(value.replace(",", "."))
    written = (
        f"{number:.0f}" if number.is_integer() else re.sub(r"^(-?\d)e", r"\1.0e", repr(number))
    )
    return f"{value} is read as a string; write {written}"


def check_known(where: str, what: str, names: Iterable[object], known: Collection[str]) -> None:
    """Refuse unknown names.

    Parameters
    ----------
    where
        The file or the key that has the names, or an empty string.
    what
        What they name, such as "policy".
    names
        The names to check.
    known
        The names that exist.

    Raises
    ------
    InputError
        For the first unknown name, with the nearest known one.

    Examples
    --------
    >>> check_known("a.yaml", "policy", ["ubc"], ["ucb"])
    Traceback (most recent call last):
    dpbandits.errors.InputError: a.yaml: unknown policy 'ubc'; did you mean 'ucb'?
    """
    for name in names:
        if name not in known:
            raise InputError(
                f"{where}: unknown {what} '{name}'; {nearest(name, known)}".removeprefix(": ")
            )


@contextmanager
def within(place: str) -> Iterator[None]:
    """Put a place before the message of any InputError.

    Parameters
    ----------
    place
        The file or the key in which the body works.

    Raises
    ------
    InputError
        The error of the body, with the place.

    Examples
    --------
    >>> with within("a.yaml"):
    ...     raise InputError("runs: 0 should be at least 1")
    Traceback (most recent call last):
    dpbandits.errors.InputError: a.yaml: runs: 0 should be at least 1
    """
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}".removeprefix(": ")) from None


@contextmanager
def in_one_line(file: str) -> Iterator[None]:
    """Turn any failure of a user's code into an InputError.

    Parameters
    ----------
    file
        The file that has the code.

    Raises
    ------
    InputError
        With the file and `one_line` of the failure.

    Examples
    --------
    >>> with in_one_line("my_policy.py"):
    ...     1 / 0
    Traceback (most recent call last):
    dpbandits.errors.InputError: my_policy.py: ZeroDivisionError: division by zero
    """
    try:
        yield
    except InputError:
        raise
    except Exception as failure:
        raise InputError(f"{file}: {one_line(failure)}") from None


@contextmanager
def run_job(log: str | Path) -> Iterator[None]:
    """Run the body of a job, and report a failure in one line.

    The log gets the same line and the traceback. Ctrl-C ends the process silently: Snakemake gets
    the signal, too, and reports the jobs that it stopped.

    Parameters
    ----------
    log
        The log file, which exists afterwards only if the job has failed.

    Raises
    ------
    SystemExit
        If the body fails.

    Examples
    --------
    >>> with run_job("logs/a.log"):
    ...     1 / 0
    Traceback (most recent call last):
    SystemExit: error: ZeroDivisionError: division by zero
    """
    # In the background a shell sets SIGINT to be ignored, and so it stays.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    log = Path(log)
    with suppress(OSError):
        log.unlink(missing_ok=True)  # of an earlier attempt
    try:
        yield
    except Exception as failure:
        line = f"error: {one_line(failure)}"
        with suppress(OSError):  # if the disk is full, the line is printed
            log.write_text(f"{line}\n\n{traceback.format_exc()}", encoding="utf-8")
        sys.exit(line)


def one_line(failure: Exception) -> str:
    """Describe a failure in one line.

    Parameters
    ----------
    failure
        Any exception.

    Returns
    -------
    str
        The message of an InputError, the file of an OSError, else the user's file and line.

    Examples
    --------
    >>> one_line(PermissionError(13, "Permission denied", "a.csv"))
    'a.csv: Permission denied; finished files are not lost: correct this and run again'
    """
    if isinstance(failure, InputError):
        return str(failure)
    if isinstance(failure, OSError):
        reason = f"{failure.filename or 'a file'}: {failure.strerror or failure}"
        return f"{reason}; finished files are not lost: correct this and run again"
    # numba's first lines are "Failed in ...". The problem follows, then lines of the kernels.
    lines = [
        line.strip()
        for line in str(failure).splitlines()
        if line.strip() and not re.match("Failed in|- Resolution failure for literal", line)
    ]
    reason = f"{type(failure).__name__}: {' '.join(lines[:2])}".partition(' File "')[0]
    if remedy := remedy_for(failure):
        reason = f"{reason.partition('(')[0]}; {remedy}"
    if isinstance(failure, ModuleNotFoundError):
        reason += (
            "; its package is here without it: was it moved or renamed?"
            if "." in (failure.name or "")  # Python imports the package first
            else "; install its package here, or set PYTHONPATH to the folder that it is in"
        )
    places = re.findall(r'(?:File "| at )([^"\n]+?\.py)(?:", line | \()(\d+)', str(failure))
    places += [
        (frame.filename, frame.lineno)
        for frame in reversed(traceback.extract_tb(failure.__traceback__))
    ]
    users = [
        f"{file}, line {line}: "
        for file, line in places
        if not NOT_USER_CODE.search(str(Path(file).resolve()))
    ]
    return next(iter(users), "") + reason


def remedy_for(failure: Exception) -> str:
    """Return what to write instead, if a common mistake of an author explains the failure.

    Parameters
    ----------
    failure
        Any exception.

    Returns
    -------
    str
        The end of a message; empty for any other failure.

    Examples
    --------
    >>> remedy_for(AttributeError("'Greedy' object has no attribute 'rule'"))
    'write self.compiled(horizon, number_of_arms)'
    """
    remedies = (remedy for mistake, remedy in REMEDIES.items() if re.search(mistake, str(failure)))
    return next(remedies, "")

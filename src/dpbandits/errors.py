"""What a person did wrong, said once and plainly: where, what, and what to write instead."""

import difflib
import json
import resource
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


class InputError(ValueError):
    """Something that a person wrote or gave us cannot be used; the message says where, what and the remedy, in one line."""

    def __init__(self, message: str):
        super().__init__(" ".join(line.strip() for line in str(message).splitlines()))


def nearest(word: object, known: Iterable[str]) -> str:
    """', did you mean ...?' for a misspelt word, or the list of what is known when nothing is near."""
    known = sorted(known)
    close = difflib.get_close_matches(str(word), known, n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    return "known: " + ", ".join(known) if known else "nothing is known there"


@contextmanager
def run_job(log: str | Path) -> Iterator[dict[str, Any]]:
    """Run a job; if its input or the disk is at fault, say so in one line, here and in the job's log, without a traceback.

    The log of a job that succeeds is what it cost, as JSON: processor seconds since Python started, the most memory, and
    what the job adds to the dictionary that it is given.
    """
    cost: dict[str, Any] = {}
    try:
        yield cost
        used = resource.getrusage(resource.RUSAGE_SELF)
        cost |= {"cpu_seconds": round(used.ru_utime + used.ru_stime, 3), "peak_megabytes": round(used.ru_maxrss / 1024)}
        Path(log).parent.mkdir(parents=True, exist_ok=True)
        Path(log).write_text(json.dumps(cost) + "\n", encoding="utf-8")
    except InputError as error:
        _give_up(f"error: {error}", log)
    except OSError as error:
        reason = error.strerror or str(error)
        _give_up(
            f"error: {error.filename or 'a file'}: {reason}; nothing that was finished is lost: mend it, run again",
            log,
        )


def _give_up(message: str, log: str | Path) -> None:
    with suppress(OSError):
        Path(log).parent.mkdir(parents=True, exist_ok=True)
        Path(log).write_text(message + "\n", encoding="utf-8")
    sys.exit(message)

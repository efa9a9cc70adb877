"""Filter what Snakemake prints of a run: its own progress, and one line for each error.

Progress is printed every half minute. The log file has everything. Dry runs and --verbose keep
Snakemake's output, except for errors of the user.
"""

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from dpbandits.errors import nearest

SECONDS = 30  # between two lines
HANDLER = "DefaultStreamHandler"  # Snakemake's name of the handler that prints
ROUTINE = "Building|Elapsed|Execute|Exiting|Select|Using shell"  # in the log file only


@dataclass(eq=False)
class Lines:
    """A filter that prints lines of its own."""

    handler: logging.Handler
    is_run: bool
    known_targets: Callable
    next = 0.0
    end = ""  # of the process that failed last

    def filter(self, record):
        """Return whether Snakemake prints a record; otherwise print its line, if it has one."""
        event, text, line = getattr(record, "event", None), record.getMessage(), ""
        if event == "error":
            line = self.error(text)
        elif not self.is_run:
            return True
        elif event == "progress" and (time.monotonic() >= self.next or record.done == record.total):
            self.next = time.monotonic() + SECONDS
            return True
        elif event == "job_error" and "SIGINT" not in self.end:  # Ctrl-C ends jobs, too
            job = record.rule_msg or record.rule_name
            line = f"failed: {job}: {self.end} (log: {', '.join(record.log)})"
        elif text.startswith("Terminating"):
            line = "stopped; run the same command to resume"
        elif event is None:
            return not re.match(ROUTINE, text)
        if line:
            self.handler.emit(logging.makeLogRecord({"msg": line, "levelname": record.levelname}))
        return False

    def error(self, text):
        """An error with the nearest target. That of a process belongs to its job."""
        if end := re.search(r"(died with|returned) .*", text):
            self.end = end[0]
            return ""
        if target := re.search(r"No rule to produce (\S+)", text):
            return f"{target[0]}: {nearest_target(target[1], self.known_targets())}"
        cause = re.search(r"\bInputError: (.*)", text)
        return cause[1] if cause else " ".join(text.partition("\n  File ")[0].split())


def nearest_target(name, known):
    """Suggest a target; if none is near, list those that are no files."""
    hint = nearest(name, known)
    return hint if "did you" in hint else nearest(name, [one for one in known if "/" not in one])


def attach(workflow, known_targets):
    """Filter what Snakemake prints, but not that of a workflow that uses this one as a module."""
    manager = workflow.logger_manager
    handler = {each.name: each for each in manager.logger.handlers}[HANDLER]
    is_run = not (manager.settings.dryrun or manager.settings.verbose)
    if not workflow.modifier.parent_modifier:
        handler.addFilter(Lines(handler, is_run, known_targets))

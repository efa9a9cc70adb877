"""Filter what Snakemake prints of a run: what is left, and one line for each error.

Every half minute a line says how many jobs are done, how long the others take, and which job began
last. The log file has everything. Dry runs and --verbose keep Snakemake's output, except for
errors of the user.
"""

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tqdm import tqdm

from dpbandits.errors import nearest

SECONDS = 30  # between two lines
LINE = "{n_fmt}/{total_fmt} jobs, {elapsed}, {remaining} left{postfix}"
HANDLER = "DefaultStreamHandler"  # Snakemake's name of the handler that prints
ROUTINE = "Building|Elapsed|Execute|Exiting|Select|Using shell"  # in the log file only


@dataclass(eq=False)
class Lines:
    """A filter that prints lines of its own: a method for each event with a line."""

    handler: logging.Handler
    is_run: bool
    known_targets: Callable
    began = time.monotonic()
    next = 0
    job = end = ""
    jobs: dict[int, str] = field(default_factory=dict)  # their messages

    def filter(self, record):
        """Return whether Snakemake prints a record; otherwise print its line, if it has one."""
        event, line = getattr(record, "event", None) or "message", None
        if self.is_run or event == "error":
            line = getattr(self, event, lambda record: "")(record)
        if line:
            self.handler.emit(logging.makeLogRecord({"msg": line, "levelname": record.levelname}))
        return line is None

    def message(self, record):
        """Keep what is no event; after Ctrl-C, say how to resume."""
        text = record.getMessage()
        if text.startswith("Terminating"):
            return "stopped; run the same command to resume"
        return "" if re.match(ROUTINE, text) else None

    def job_info(self, record):
        """Remember which job began last."""
        self.job = self.jobs[record.jobid] = record.rule_msg or record.rule_name
        return ""

    def progress(self, record):
        """What is left."""
        now = time.monotonic()
        if now < self.next and record.done < record.total:
            return ""
        self.next = now + SECONDS
        return tqdm.format_meter(
            record.done, record.total, now - self.began, bar_format=LINE, postfix=self.job
        )

    def job_error(self, record):
        """A failed job, unless Ctrl-C ended it."""
        job = record.rule_msg or self.jobs.get(record.jobid, record.rule_name)
        failed = f"failed: {job}: {self.end} (log: {', '.join(record.log)})"
        return "" if "SIGINT" in self.end else failed

    def error(self, record):
        """Another error, with the nearest target. That of a process belongs to its job."""
        text = record.getMessage()
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

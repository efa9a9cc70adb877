"""Filter what Snakemake prints of a run: its own progress, and one line for each error.

Progress is printed every half minute. The log file has everything. Dry runs and --verbose keep
Snakemake's output, except for errors of the user.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from logging import Logger

from dpbandits.errors import nearest

SECONDS = 30  # between two lines of progress
ROUTINE = "Building|Elapsed|Exiting|Select jobs|Using shell"  # for the log file only


@dataclass
class Lines:
    """A filter that logs lines of its own in place of some of Snakemake's."""

    logger: Logger
    is_run: bool
    known_targets: Callable
    next = 0.0  # time of the next line of progress
    end = ""  # of the process that failed last

    def filter(self, record):
        """Return whether Snakemake prints a record."""
        event, text = getattr(record, "event", None), record.getMessage()
        if event == "error":
            if line := self.error(text):
                self.logger.error(line)
        elif not self.is_run:
            return True
        elif event == "progress" and (record.created >= self.next or record.done == record.total):
            self.next = record.created + SECONDS
            return True
        elif event == "job_error" and "SIGINT" not in self.end:  # Ctrl-C ends jobs, too
            cause, log = record.rule_msg or self.end, record.log[-1:]  # Slurm's log is the last
            self.logger.error(f"failed: {record.rule_name}: {cause} (log: {', '.join(log)})")
        elif text.startswith("Terminating"):
            self.logger.info("stopped; run the same command to resume")
        elif event is None:
            return not re.match(ROUTINE, text)
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
    from snakemake.jobs import GroupJob

    manager = workflow.logger_manager
    handlers = {each.name: each for each in manager.logger.handlers}
    is_run = not (manager.settings.dryrun or manager.settings.verbose)
    if not workflow.modifier.parent_modifier:
        # Snakemake lists all jobs of a failed group without the cause. Log it as its first job's.
        GroupJob.log_error = property(lambda group: next(iter(group)).log_error)
        lines = Lines(manager.logger, is_run, known_targets)
        handlers["DefaultStreamHandler"].addFilter(lines)  # Snakemake's name of what prints

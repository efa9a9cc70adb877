"""Shows a run of Snakemake as one bar; the workflow attaches it, unless a logger plugin writes to the terminal.

On a terminal tqdm redraws the bar; elsewhere a line is printed every half minute. Jobs that failed have a line each at the
end. What is no run (-n, --lint, --report), and a run with --verbose or --quiet, prints what Snakemake prints.
"""

import io
import logging
import os
import re
import time
from contextlib import suppress

from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.common import LogEvent
from tqdm import tqdm

from dpbandits.errors import nearest

LINE_SECONDS = 30.0  # between two lines, where there is no terminal
STATUS = "{n_fmt}/{total_fmt} jobs, {elapsed}, ? left{postfix}"
ESTIMATE_FROM = (
    0.2  # of the jobs: an estimate from the first ones, which compile and simulate, frightens
)
ROUTINE = (
    "Building DAG",
    "Using shell",
    "Select jobs",
    "Elapsed time",
    "Exiting because",
)  # in the log file only


class Bar(logging.Handler):
    """In place of `usual`, the handler by which Snakemake prints. `known_targets` is called only if a target does not exist."""

    def __init__(self, usual, shows_bar, known_targets):
        super().__init__()
        self.usual, self.shows_bar, self.known_targets = usual, shows_bar, known_targets
        self.terminal = usual.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.running = self.interrupted = False
        self.bar, self.line_at = None, float("-inf")
        self.messages, self.failed, self.end = (
            {},
            {},
            "",
        )  # of jobs: what they do, why they failed; the last failure

    def emit(self, record):
        try:
            event = getattr(record, "event", None)
            self.running |= self.shows_bar and event == LogEvent.WORKFLOW_STARTED
            self.follow(record, event) if self.running else self.print_message(record)
        except Exception:
            self.handleError(record)

    def follow(self, record, event):
        """Show what an event of a run changes."""
        message = record.getMessage()
        self.interrupted |= message.startswith("Terminating processes on user request")
        if event == LogEvent.RUN_INFO:
            self.begin(**record.stats)
        elif event == LogEvent.JOB_INFO:
            self.messages[record.jobid] = record.rule_msg or record.rule_name
            self.bar.set_postfix_str(self.messages[record.jobid], refresh=False)
            self.redraw()
        elif event == LogEvent.PROGRESS:
            self.bar.n, self.bar.total = record.done, record.total
            if record.done >= ESTIMATE_FROM * record.total:
                self.bar.bar_format = self.bar.bar_format.replace("? left", "{remaining} left")
            self.redraw()
        elif event == LogEvent.JOB_FINISHED:
            self.failed.pop(record.job_id, None)  # it was repeated
        elif event == LogEvent.ERROR and message.startswith("RuleException"):
            self.end = ", ".join(
                re.findall(r"(?:died with|returned) .*", message)
            )  # "died with <Signals.SIGKILL: 9>."
        elif event == LogEvent.JOB_ERROR:
            reason = reason_in(record.log) or self.end
            self.failed[record.jobid] = (
                f"{self.messages[record.jobid]}: {reason} (log: {', '.join(record.log)})"
            )
        elif not message.startswith(ROUTINE) and (record.levelno > logging.INFO or not event):
            self.print_message(record)

    def begin(self, total, **stats):
        """Begin the bar, once it is known how many jobs there are of each rule."""
        self.print(f"{total} jobs: {', '.join(f'{count} {rule}' for rule, count in stats.items())}")
        drawn = {
            "file": self.usual.stream,
            "dynamic_ncols": True,
            "bar_format": f"{{bar:20}} {STATUS}",
        }
        hidden = {"file": io.StringIO(), "bar_format": STATUS}
        self.bar = tqdm(
            total=total, smoothing=0, **(drawn if self.terminal else hidden)
        )  # 0: by the mean of all jobs

    def redraw(self):
        """Draw the bar again, or print a line now and then, and the last one."""
        self.bar.refresh()
        if self.terminal:
            print(end="\r", file=self.usual.stream, flush=True)  # where what a job prints begins
        elif self.bar.n == self.bar.total or time.monotonic() - self.line_at >= LINE_SECONDS:
            self.print(str(self.bar))
            self.line_at = time.monotonic()
        if self.bar.n == self.bar.total:
            self.bar.close()

    def print(self, line):
        self.print_message(logging.makeLogRecord({"msg": line, "levelno": logging.INFO}))

    def print_message(self, record):
        """Print a message as Snakemake does, but an error in what was asked for in one line."""
        message = re.sub(r'\n  File ".*', "", record.getMessage())  # lines of the Snakefile
        if missing := re.match(r"MissingRuleException:\s+No rule to produce (\S+)", message):
            message = f"No rule to produce {missing[1]}: {suggestion(missing[1], set(self.known_targets()))}"
        if missing or getattr(record, "exception", "") == "WorkflowError":
            record = logging.makeLogRecord(
                record.__dict__ | {"msg": " ".join(message.split()), "args": ()}
            )
        if self.bar:
            self.bar.clear()
        if not self.interrupted:
            self.usual.handle(record)

    def close(self):
        lines = [] if self.interrupted else [f"failed: {line}" for line in self.failed.values()]
        if self.bar:
            self.bar.close()
            resume = "; run the same command to resume" if self.interrupted else ""
            if self.interrupted or lines:  # otherwise it was to end here (--until)
                lines.insert(0, f"stopped after {self.bar.n} of {self.bar.total} jobs{resume}")
        self.bar, self.failed, self.interrupted = None, {}, False
        for line in lines:
            self.print(line)
        super().close()


def attach(workflow, known_targets):
    """Put the bar in place of the handler by which Snakemake prints, if there is one."""
    logger, given = workflow.logger_manager.logger, workflow.logger_manager.settings
    for usual in [handler for handler in logger.handlers if handler.name == "DefaultStreamHandler"]:
        logger.removeHandler(usual)
        quiet = {*(given.quiet or ())} - {
            Quietness.HOST,
            Quietness.REASON,
        }  # which the profile sets
        shows_bar = not (given.dryrun or given.verbose or given.debug_dag or quiet)
        logger.addHandler(Bar(usual, shows_bar, known_targets))


def reason_in(logs):
    """The first line of a job's log, where `run_job` writes the reason, if it came so far."""
    with suppress(OSError), open(logs[0], encoding="utf-8") as log:
        return log.readline().strip()


def suggestion(asked, known):
    """What to ask for instead of a target that does not exist."""
    if asked.startswith("results/smoke/") and not any(
        name.startswith("results/smoke/") for name in known
    ):
        return f"write --config scale=smoke -- {asked}"
    found = nearest(asked, known)
    return (
        found
        if found.startswith("did")
        else nearest(asked, [name for name in known if "/" not in name])
    )

"""Show a run of Snakemake as one bar, and errors of the user in one line.

On a terminal tqdm redraws the bar; elsewhere a line is printed every half minute. Failed jobs
have a line each at the end, and the log file has everything. Dry runs, --lint, --report,
--verbose and --quiet keep Snakemake's output, and so does a logger plugin that writes to the
terminal.
"""

import io
import logging
import os
import re
import time
from contextlib import suppress

from tqdm import tqdm

from dpbandits.errors import InputError, nearest

LINE_SECONDS = 30.0  # between two lines without a terminal
STATUS = "{n_fmt}/{total_fmt} jobs, {elapsed}, ? left{postfix}"
BAR = f"{{bar:20}} {STATUS}"
ESTIMATE_FROM = 0.2  # of the jobs: the first ones compile, so early estimates are far too high
# Messages of Snakemake that are in the log file only.
ROUTINE = ("Building DAG", "Using shell", "Select jobs", "Elapsed time", "Exiting because")
PLAIN_HANDLER = "DefaultStreamHandler"  # Snakemake's name of the handler that prints
QUIET_IN_PROFILE = ("HOST", "REASON")  # profiles/default hides these
SMOKE = "results/smoke/"


class Bar(logging.Handler):
    """Follow a run by Snakemake's events; print the other messages by its own handler.

    A method `on_<event>` is called for each event of that name while the bar is shown.
    """

    def __init__(self, plain, shows_bar, known_targets):
        super().__init__()
        self.plain, self.shows_bar, self.known_targets = plain, shows_bar, known_targets
        self.terminal = plain.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.running = self.interrupted = False
        self.bar, self.last_line = None, float("-inf")
        # By job: its message, and why it failed. And how the last failed process ended.
        self.messages, self.failures, self.end = {}, {}, ""

    def emit(self, record):
        event = getattr(record, "event", None)
        try:
            self.running |= self.shows_bar and event == "workflow_started"
            if not self.running:
                self.print_message(record)
            elif follow := getattr(self, f"on_{event}", None):
                follow(record)
            elif record.levelno > logging.INFO or not event:
                self.print_news(record)
        except Exception as failure:
            if not self.running:
                return self.handleError(record)
            self.running = self.shows_bar = False
            self.bar = None
            self.print(f"no progress bar from here on ({failure!r})")
            self.print_message(record)

    def on_run_info(self, record):
        """Begin the bar, with the number of jobs of each rule."""
        jobs = dict(record.stats)
        total = jobs.pop("total")
        self.print(f"{total} jobs: {', '.join(f'{count} {rule}' for rule, count in jobs.items())}")
        shown = {"file": self.plain.stream, "dynamic_ncols": True, "bar_format": BAR}
        hidden = {"file": io.StringIO(), "bar_format": STATUS}
        # No smoothing: the mean of all jobs gives the time left.
        self.bar = tqdm(total=total, smoothing=0, **(shown if self.terminal else hidden))

    def on_job_info(self, record):
        self.messages[record.jobid] = record.rule_msg or record.rule_name
        self.bar.set_postfix_str(self.messages[record.jobid], refresh=False)
        self.redraw()

    def on_progress(self, record):
        self.bar.n, self.bar.total = record.done, record.total
        if record.done >= ESTIMATE_FROM * record.total:
            self.bar.bar_format = self.bar.bar_format.replace("? left", "{remaining} left")
        self.redraw()

    def on_job_finished(self, record):
        self.failures.pop(record.job_id, None)  # it was repeated

    def on_error(self, record):
        message = record.getMessage()
        if message.startswith("RuleException"):  # "... died with <Signals.SIGKILL: 9>."
            self.end = ", ".join(re.findall(r"(?:died with|returned) .*", message))
        else:
            self.print_message(record)

    def on_job_error(self, record):
        reason = first_line(record.log) or self.end
        log = ", ".join(record.log)
        self.failures[record.jobid] = f"{self.messages[record.jobid]}: {reason} (log: {log})"

    def redraw(self):
        """Draw the bar again, or print a line every half minute and at the end."""
        self.bar.refresh()
        finished = self.bar.n == self.bar.total
        if self.terminal:
            print(end="\r", file=self.plain.stream, flush=True)  # jobs print from the first column
        elif finished or time.monotonic() - self.last_line >= LINE_SECONDS:
            self.print(str(self.bar))
            self.last_line = time.monotonic()
        if finished:
            self.bar.close()

    def print_news(self, record):
        """Print a message that belongs to no job, unless it comes with every run."""
        message = record.getMessage()
        self.interrupted |= message.startswith("Terminating processes on user request")
        if not message.startswith(ROUTINE):
            self.print_message(record)

    def print(self, line):
        self.print_message(logging.makeLogRecord({"msg": line, "levelno": logging.INFO}))

    def print_message(self, record):
        """Print a message as Snakemake does, but an error of the user in one line."""
        if line := error_of_user(record, self.known_targets):
            record = logging.makeLogRecord(record.__dict__ | {"msg": line, "args": ()})
        if self.bar:
            self.bar.clear()
        if not self.interrupted:
            self.plain.handle(record)

    def close(self):
        """End the bar, and print how to resume or which jobs failed."""
        if self.bar:
            failures = [] if self.interrupted else self.failures.values()
            lines = [f"failed: {failure}" for failure in failures]
            resume = "; run the same command to resume" if self.interrupted else ""
            if self.interrupted or lines:  # otherwise the user wanted it to end here (--until)
                lines.insert(0, f"stopped after {self.bar.n} of {self.bar.total} jobs{resume}")
            self.bar.close()
            self.bar, self.interrupted = None, False
            for line in lines:
                self.print(line)
        super().close()


def attach(workflow, known_targets):
    """Put the bar in place of the handler with which Snakemake prints."""
    from snakemake.settings.enums import Quietness

    if workflow.modifier.parent_modifier:
        return  # a workflow that uses this one as a module prints as it likes
    manager = workflow.logger_manager
    if any(plugin.writes_to_stream for plugin in manager.plugin_handlers):
        return
    settings = manager.settings
    plain = {handler.name: handler for handler in manager.logger.handlers}.get(PLAIN_HANDLER)
    if not plain:
        raise AttributeError(f"there is no {PLAIN_HANDLER}")
    quiet = {*(settings.quiet or ())} - {Quietness[name] for name in QUIET_IN_PROFILE}
    shows_bar = not (settings.dryrun or settings.verbose or settings.debug_dag or quiet)
    bar = Bar(plain, shows_bar, known_targets)
    manager.logger.removeHandler(plain)
    manager.logger.addHandler(bar)


def error_of_user(record, known_targets):
    """Return an error in a target or a file as one line; None for other messages."""
    error = getattr(record, "exception", None)
    message = re.sub(r'\n  File ".*', "", record.getMessage())  # lines of the Snakefile
    if error == "MissingRuleException":
        if match := re.search(r"No rule to produce (\S+)", message):
            return f"{match[0]}: {suggest(match[1], set(known_targets()))}"
    elif error == "InputFunctionException":
        if match := re.search(rf"\b{InputError.__name__}: (.*)", message):
            return match[1]
    elif error == "WorkflowError":
        return " ".join(message.split())
    return None


def suggest(target, known):
    """Return a correction for a target that does not exist."""
    if target.startswith(SMOKE) and not any(name.startswith(SMOKE) for name in known):
        return f"write --config scale=smoke -- {target}"
    suggestion = nearest(target, known)
    if suggestion.startswith("did you mean"):
        return suggestion
    return nearest(target, [name for name in known if "/" not in name])


def first_line(logs):
    """Return the first line of a job's log: the reason of its failure, by `run_job`."""
    with suppress(OSError, IndexError), open(logs[0], encoding="utf-8") as log:
        return log.readline().strip()
    return ""

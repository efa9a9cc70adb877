"""A logger plugin of Snakemake that shows the progress of a run: the workflow attaches it, unless `--logger` names another one.

No profile names it: Snakemake would refuse the profile, with its whole usage, where this package is not installed.

On a terminal it redraws one line at each event; elsewhere it prints a line every half minute or every 5%, whichever
comes first. The workflow sends the plan (workflow/rules/progress.smk); all other information is in Snakemake's log
events. Routine messages appear only in Snakemake's log file. All other messages, and those of commands that are not
runs (-n, --lint, --report), are printed as by Snakemake, and with --verbose or --debug-dag all messages are.

Three things are worded differently: a target that does not exist, with the nearest that does; an interruption, in one
line instead of one error for each running job; and, in a dry run, the lines of a record with `at_the_end` as the last ones.
"""

import logging
import os
import sys
import time

from snakemake.logging import ColorizingTextHandler, DefaultFilter, DefaultFormatter
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from dpbandits.progress import Progress, duration, time_left
from snakemake_logger_plugin_dpbandits import targets

LINE_SECONDS, LINE_SHARE = 30.0, 0.05  # without a terminal: seconds, or progress, between two lines
BAR = 24
ERASE = "\r\033[K"

ROUTINE_EVENTS = {
    LogEvent.RUN_INFO,
    LogEvent.WORKFLOW_STARTED,
    LogEvent.JOB_STARTED,
    LogEvent.JOB_FINISHED,
    LogEvent.GROUP_INFO,
    LogEvent.RESOURCES_INFO,
    LogEvent.PROGRESS,
    LogEvent.RULEGRAPH,
}
REDRAW = {None, LogEvent.ERROR, LogEvent.JOB_STARTED, LogEvent.JOB_FINISHED, LogEvent.JOB_ERROR}
INTERRUPTED = "Terminating processes on user request"
ROUTINE_MESSAGES = ("Building DAG of jobs", "Using shell", "Select jobs to execute", "Elapsed time", "host:")


class LogHandler(LogHandlerBase):
    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self):
        settings = self.common_settings
        quiet = set(
            settings.quiet or {Quietness.REASON, Quietness.HOST}
        )  # the reasons of jobs are in the log file and in dry runs
        self.stream = sys.stdout if settings.stdout else sys.stderr
        self.terminal = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.snakemake_handler = ColorizingTextHandler(
            nocolor=settings.nocolor,
            stream=self.stream,
            formatter=DefaultFormatter(quiet, settings.show_failed_logs),
            filter=DefaultFilter(quiet, settings.debug_dag, settings.verbose, settings.dryrun, settings.printshellcmds),
        )
        self.names_targets = not quiet & {Quietness.ALL, Quietness.RULES}
        self.shows_progress = not (
            settings.dryrun or settings.verbose or settings.debug_dag or quiet & {Quietness.ALL, Quietness.PROGRESS}
        )
        self.dry_run = settings.dryrun
        self.last_lines = []
        self.planned = []  # the wildcards of all jobs of a dry run
        self.interrupted = False
        self.held_back = []  # errors of jobs: Ctrl-C may end a job before Snakemake notices that it is interrupted
        self.running = False  # true from the start of a run; dry runs, reports and --lint are not runs
        self.progress = None
        self.share = 0.0  # done, as last shown: it never decreases, although the estimate of a running job may
        self.line_at, self.line_share = 0.0, 0.0  # time and share of the last line printed without a terminal

    def emit(self, record):
        try:
            event = getattr(record, "event", None)
            if event == LogEvent.WORKFLOW_STARTED:
                self.running = self.shows_progress
            if self.shows_progress and record.getMessage().startswith(INTERRUPTED):
                self.interrupted = True
            if self.interrupted:
                return  # the running jobs fail now, as they should
            if self.dry_run and hasattr(record, "at_the_end"):
                self.last_lines.append(record.getMessage())
                return
            if self.dry_run and event == LogEvent.JOB_INFO:
                self.planned.append(record.wildcards or {})
            if not self.running:
                self.print_snakemake_message(record)
                return
            if is_error_of_job(record):
                self.held_back.append(record)
            else:
                if any(held.event == LogEvent.JOB_ERROR for held in self.held_back):  # Snakemake goes on
                    self.print_held_back()
                self.show(record, event)
            if self.progress:
                self.update(record, event)
        except Exception:
            self.handleError(record)

    def show(self, record, event):
        """Print what of a record is to be seen, or begin the progress."""
        if hasattr(record, "plan"):
            self.progress = Progress(record.plan, record.at_once, record.created)
            self.line_at = record.created
            self.print(record.getMessage())
        elif event == LogEvent.JOB_INFO:
            if self.names_targets and not record.output and record.rule_msg:  # `all`, `verify`: no file to show
                self.print(record.rule_msg)
        elif not is_routine(record) and self.snakemake_handler.filter(record):
            self.print_snakemake_message(record)

    def update(self, record, event):
        """Update the progress after an event and show it."""
        progress, now = self.progress, record.created
        if event == LogEvent.JOB_STARTED:
            progress.start(record.jobs, now)
        elif event == LogEvent.JOB_ERROR:
            progress.fail(record.jobid)
        elif event == LogEvent.JOB_FINISHED and record.job_id in progress.running:
            progress.finish(record.job_id, now)
            self.print_if_paper_is_finished(progress.plan[record.job_id].paper, now)
        self.share = max(self.share, progress.share_done(now))
        if progress.complete:
            total = len(progress.plan)
            self.print(f"100 %, {total} of {total} jobs, done in {duration(now - progress.begun)}")
            self.progress = None
        elif self.terminal:
            if event in REDRAW:
                self.draw_bar(now)
        elif now - self.line_at >= LINE_SECONDS or self.share - self.line_share >= LINE_SHARE:
            self.print(f"{clock(now)} {self.status(now)}")
            self.line_at, self.line_share = now, self.share

    def print_if_paper_is_finished(self, paper, now):
        jobs = self.progress.jobs_of(paper)
        if paper and len(jobs) < len(self.progress.plan) and all(job in self.progress.finished for job in jobs):
            self.print(f"{paper}: all {len(jobs)} jobs done, {duration(now - self.progress.begun)} after the start")

    def status(self, now):
        """The progress in words; the parts that a narrow terminal may cut off come last."""
        progress = self.progress
        left = progress.seconds_left(now)
        parts = [
            f"{100 * self.share:3.0f} %",
            f"{len(progress.finished)} of {len(progress.plan)} jobs",
            duration(now - progress.begun),
            f"{time_left(left)} (until {clock(now + left)})",
        ]
        return ", ".join([*parts, " and ".join(progress.running_papers)]).removesuffix(", ")

    def draw_bar(self, now):
        """Draw the bar and return the cursor to the start of its line, where the output of a job then begins."""
        columns = os.get_terminal_size(self.stream.fileno()).columns or 80  # 0: unknown
        size = min(BAR, max(0, columns - 72))
        full = int(self.share * size)
        status = self.status(now).replace(" of ", "/").replace("until ", "")  # a line has 80 columns, or 100
        bar = f"[{'#' * full}{'-' * (size - full)}] {status}"
        self.stream.write(f"{ERASE}{bar[: columns - 1]}\r")
        self.stream.flush()

    def print(self, text):
        self.stream.write(f"{ERASE if self.terminal else ''}{text}\n")
        self.stream.flush()

    def print_snakemake_message(self, record):
        """Print a message of Snakemake above the bar."""
        if self.terminal and self.running:
            self.stream.write(ERASE)
        self.snakemake_handler.handle(record)
        if suggestion := targets.suggestion(record.getMessage()):
            self.print(suggestion)

    def print_held_back(self):
        for record in self.held_back if not self.interrupted else ():
            if self.snakemake_handler.filter(record):
                self.print_snakemake_message(record)
        self.held_back = []

    def close(self):
        self.print_held_back()
        if self.progress:
            done, total = len(self.progress.finished), len(self.progress.plan)
            self.print(f"stopped after {done} of {total} jobs; run the same command to resume")
            self.progress = None
        elif self.interrupted:
            self.print("stopped; run the same command to resume")
        for line in [*self.last_lines, *targets.ANNOUNCED.times(self.planned)] if self.dry_run else ():
            self.print(line)
        self.last_lines, self.planned, self.interrupted = [], [], False
        super().close()


def show_progress(manager):
    """Let this handler print what Snakemake would print; `manager` has the handlers of Snakemake's messages."""
    if manager.plugin_handlers or manager.settings.skip_plugin_handlers:
        return
    for handler in manager.logger.handlers[:]:
        if handler.name == "DefaultStreamHandler":
            manager.logger.removeHandler(handler)
    manager.logger.addHandler(LogHandler(manager.settings, None))


def clock(moment):
    return time.strftime("%H:%M", time.localtime(moment))


def is_error_of_job(record):
    """Whether a job has failed: its exception, or Snakemake's report of it, which comes later."""
    event = getattr(record, "event", None)
    return event == LogEvent.JOB_ERROR or (event == LogEvent.ERROR and record.getMessage().startswith("RuleException"))


def is_routine(record):
    """Whether a message is for the log file only."""
    if record.levelno > logging.INFO:
        return False
    event = getattr(record, "event", None)
    return event in ROUTINE_EVENTS or (event is None and record.getMessage().startswith(ROUTINE_MESSAGES))

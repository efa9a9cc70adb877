"""Progress that a person can read, as a logger plugin of Snakemake: profiles/default names it, `--logger` overrides it.

On a terminal: one line that is redrawn at each event. Elsewhere: a line every half minute or every 5%, whichever comes
first. The workflow sends the plan (workflow/rules/progress.smk); everything else is in Snakemake's own log events.
Routine messages are left to Snakemake's log file. All others, and everything that is not a run (-n, --lint, --report),
are printed as Snakemake prints them; so is everything with --verbose or --debug-dag.
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

LINE_SECONDS, LINE_SHARE = 30.0, 0.05  # in a log: the next line after so many seconds, or so much more done
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
        )  # a job's reasons are in the log file, or in -n
        self.stream = sys.stdout if settings.stdout else sys.stderr
        self.terminal = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.snakemakes_own = ColorizingTextHandler(
            nocolor=settings.nocolor,
            stream=self.stream,
            formatter=DefaultFormatter(quiet, settings.show_failed_logs),
            filter=DefaultFilter(quiet, settings.debug_dag, settings.verbose, settings.dryrun, settings.printshellcmds),
        )
        self.names_targets = not quiet & {Quietness.ALL, Quietness.RULES}
        self.wanted = not (
            settings.dryrun or settings.verbose or settings.debug_dag or quiet & {Quietness.ALL, Quietness.PROGRESS}
        )
        self.running = False  # from the start of a run on: a dry run, a report, a lint is none
        self.progress = None
        self.share = 0.0  # done as last shown: it never shrinks, although the estimate of a running job may
        self.line_at, self.line_share = 0.0, 0.0  # when and at what share the last line in a log was printed

    def emit(self, record):
        try:
            event = getattr(record, "event", None)
            if event == LogEvent.WORKFLOW_STARTED:
                self.running = self.wanted
            if not self.running:
                self.snakemakes_own.handle(record)
                return
            if hasattr(record, "plan"):
                self.progress = Progress(record.plan, record.at_once, record.created)
                self.line_at = record.created
                self.print(record.getMessage())
            elif event == LogEvent.JOB_INFO:
                if self.names_targets and not record.output and record.rule_msg:  # `all`, `verify`: no file to show
                    self.print(record.rule_msg)
            elif not is_routine(record) and self.snakemakes_own.filter(record):
                self.show(record)
            if self.progress:
                self.follow(record, event)
        except Exception:
            self.handleError(record)

    def follow(self, record, event):
        """Note what happened, and tell how far the run is."""
        progress, now = self.progress, record.created
        if event == LogEvent.JOB_STARTED:
            progress.start(record.jobs, now)
        elif event == LogEvent.JOB_ERROR:
            progress.fail(record.jobid)
        elif event == LogEvent.JOB_FINISHED and record.job_id in progress.running:
            progress.finish(record.job_id, now)
            self.tell_of_a_finished_paper(progress.plan[record.job_id].paper, now)
        self.share = max(self.share, progress.share_done(now))
        if progress.complete:
            total = len(progress.plan)
            self.print(f"100 %, {total} of {total} jobs, done in {duration(now - progress.begun)}")
            self.progress = None
        elif self.terminal:
            if event in REDRAW:
                self.draw(now)
        elif now - self.line_at >= LINE_SECONDS or self.share - self.line_share >= LINE_SHARE:
            self.print(f"{clock(now)} {self.words(now)}")
            self.line_at, self.line_share = now, self.share

    def tell_of_a_finished_paper(self, paper, now):
        jobs = self.progress.jobs_of(paper)
        if paper and len(jobs) < len(self.progress.plan) and all(job in self.progress.finished for job in jobs):
            self.print(f"{paper}: all {len(jobs)} jobs done, {duration(now - self.progress.begun)} after the start")

    def words(self, now):
        """How far the run is; what may be cut off on a narrow terminal comes last."""
        progress = self.progress
        left = progress.seconds_left(now)
        parts = [
            f"{100 * self.share:3.0f} %",
            f"{len(progress.finished)} of {len(progress.plan)} jobs",
            duration(now - progress.begun),
            f"{time_left(left)} (until {clock(now + left)})",
        ]
        return ", ".join([*parts, " and ".join(progress.papers_at_work)]).removesuffix(", ")

    def draw(self, now):
        """The bar, with the cursor back at the start of its line: what a job prints itself begins there."""
        columns = os.get_terminal_size(self.stream.fileno()).columns or 80  # 0: it does not say
        size = min(BAR, max(0, columns - 72))
        full = int(self.share * size)
        words = self.words(now).replace(" of ", "/").replace("until ", "")  # a line has 80 columns, or 100
        bar = f"[{'#' * full}{'-' * (size - full)}] {words}"
        self.stream.write(f"{ERASE}{bar[: columns - 1]}\r")
        self.stream.flush()

    def print(self, text):
        self.stream.write(f"{ERASE if self.terminal else ''}{text}\n")
        self.stream.flush()

    def show(self, record):
        """What Snakemake has to say, in its own words, above the bar."""
        if self.terminal:
            self.stream.write(ERASE)
        self.snakemakes_own.handle(record)

    def close(self):
        if self.progress:
            done, total = len(self.progress.finished), len(self.progress.plan)
            self.print(f"stopped after {done} of {total} jobs; the same command goes on from there")
            self.progress = None
        super().close()


def clock(moment):
    return time.strftime("%H:%M", time.localtime(moment))


def is_routine(record):
    """Whether the log file is enough for it."""
    if record.levelno > logging.INFO:
        return False
    event = getattr(record, "event", None)
    return event in ROUTINE_EVENTS or (event is None and record.getMessage().startswith(ROUTINE_MESSAGES))

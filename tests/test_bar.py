"""What is left of a run, and errors in one line each."""

import logging
import re
from io import StringIO
from types import SimpleNamespace

import pytest
from snakemake.jobs import GroupJob
from snakemake.logging import LoggerManager
from snakemake.settings.enums import Quietness
from snakemake.settings.types import OutputSettings

from dpbandits_jobs import bar

PICTURE, TABLE = "results/smoke/figures/tossou2016/fig2a.pdf", "results/smoke/checks/tossou2016.csv"
TARGETS = ["all", "verify", "tossou2016", "tossou2016/checks", PICTURE, TABLE]


@pytest.fixture
def shown(monkeypatch):
    """Attach the filter to a handler of Snakemake's, and return the function that shows records.

    The function shows pairs of a time and a record, and returns the lines.
    """
    monkeypatch.setattr(GroupJob, "log_error", GroupJob.log_error)  # `attach` replaces it

    def show(*timed_records, renamed=False, **settings):
        stream = StringIO()
        monkeypatch.setattr("sys.stderr", stream)
        logger = logging.Logger("toy")
        manager = LoggerManager(logger, OutputSettings(nocolor=True, **settings))
        (handler,) = logger.handlers
        if renamed:
            handler.name = "other"
        modifier = SimpleNamespace(parent_modifier=None)
        workflow = SimpleNamespace(logger_manager=manager, modifier=modifier)
        bar.attach(workflow, lambda: TARGETS)
        for time, record in timed_records:
            record.created = time
            handler.handle(record)
        return stream.getvalue().splitlines()

    return show


def message(text, event=None, level=logging.INFO, **other):
    record = logging.LogRecord("snakemake", level, "", 0, text, (), None)
    record.__dict__.update(({"event": event} if event else {}) | other)
    return record


def error(text):
    return message(text, "error", logging.ERROR, exception=re.match(r"\w+", text)[0])


def process_ended(how):
    return error(f"RuleException:\nError in file a.smk, line 9:\nCommand 'a' {how}\n  File ...")


def job_failed(rule, *logs, about=None):
    about = {"jobid": 1, "rule_msg": about, "rule_name": rule, "log": [*logs]}
    return message("", "job_error", logging.ERROR, **about)


def progress(done, total):
    return message("", "progress", done=done, total=total)


def test_progress_is_printed_every_half_minute_and_at_the_end(shown):
    """Steps take ten seconds each."""
    lines = shown(*((10.0 * step, progress(step, 120)) for step in range(1, 121)))
    done = [int(re.match(r"(\d+) of 120 steps \(\S+%\) done$", line)[1]) for line in lines]
    assert done == [*range(1, 120, 3), 120]


def test_it_is_a_filter_of_snakemakes_own_handler_and_needs_its_name(shown):
    with pytest.raises(KeyError, match="DefaultStreamHandler"):
        shown(renamed=True)


KILLED, STOPPED = (process_ended(f"died with <Signals.{name}>.") for name in ("SIGKILL", "SIGINT"))
TERMINATING = message("Terminating processes on user request, this might take some time.")
MISSING = "MissingRuleException:\nNo rule to produce {} (if you use input functions ...)."
INPUT_FUNCTION = """InputFunctionException in rule draw in file "draw.smk", line 9:
Error:
  {}
Wildcards:
  figure=fig9z
Traceback:
  File "draw.smk", line 4, in files_of (rule draw, line 9, draw.smk)"""
RESUME = "stopped; run the same command to resume"
PRINTED = {
    "routine messages are left to the log file": (
        [
            message("", "workflow_started"),
            message("Building DAG of jobs..."),
            message("Select jobs to execute..."),
            message("Provided cores: 2", "resources_info"),
            message("Finished", "job_finished", job_id=1),
        ],
        [],
    ),
    "others are not": (
        [message("Nothing to be done"), message("a warning", level=logging.WARNING)],
        ["Nothing to be done", "a warning"],
    ),
    "an error is one line": (
        [error("WorkflowError in file a.smk, line 2:\nno")],
        ["WorkflowError in file a.smk, line 2: no"],
    ),
    "so is a failed job, with the end of its process": (
        [KILLED, job_failed("draw", "draw.log")],
        ["failed: draw: died with <Signals.SIGKILL>. (log: draw.log)"],
    ),
    "and a job of Slurm, with its cause and Slurm's log": (
        [job_failed("draw", "draw.log", "slurm.log", about="SLURM-job '7' failed")],
        ["failed: draw: SLURM-job '7' failed (log: slurm.log)"],
    ),
    "Ctrl-C after its jobs": ([STOPPED, job_failed("draw", "no log"), TERMINATING], [RESUME]),
    "Ctrl-C before its jobs": ([TERMINATING, STOPPED, job_failed("draw", "no log")], [RESUME]),
    "a misspelt target has the nearest one": (
        [error(MISSING.format(PICTURE.replace("smoke", "paper")))],
        [f"No rule to produce {PICTURE.replace('smoke', 'paper')}: did you mean '{PICTURE}'?"],
    ),
    "or those without a file": (
        [error(MISSING.format("zzz"))],
        ["No rule to produce zzz: known: all, tossou2016, verify"],
    ),
    "an error of the user is its cause": (
        [error(INPUT_FUNCTION.format("InputError: there is no fig9z; did you mean 'fig9'?"))],
        ["there is no fig9z; did you mean 'fig9'?"],
    ),
}


@pytest.mark.parametrize(("records", "lines"), PRINTED.values(), ids=PRINTED)
def test_what_is_printed(records, lines, shown):
    assert shown(*((0.0, record) for record in records)) == lines


def test_an_error_in_the_workflow_keeps_its_place(shown):
    (line,) = shown((0.0, error(INPUT_FUNCTION.format("KeyError: 'fig9z'"))), dryrun=True)
    assert line.startswith('InputFunctionException in rule draw in file "draw.smk", line 9:')
    assert line.endswith("Error: KeyError: 'fig9z' Wildcards: figure=fig9z Traceback:")


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ({"quiet": {Quietness.PROGRESS}}, []),
        ({"quiet": {Quietness.ALL}}, []),
        ({"verbose": True}, ["Building", "1 of 1 steps (100%) done"]),
        ({"dryrun": True}, ["Building", "1 of 1 steps (100%) done"]),
    ],
)
def test_quiet_verbose_and_dry_runs_keep_snakemakes_output(settings, lines, shown):
    records = [message("Building"), progress(1, 1)]
    assert shown(*((0.0, record) for record in records), **settings) == lines


def test_a_failed_group_is_logged_as_its_first_job(shown):
    shown()
    job = SimpleNamespace(log_error=lambda msg, aux_logs: f"{msg} ({aux_logs})")
    assert (
        GroupJob.log_error.fget([job, SimpleNamespace()])("failed", "slurm.log")
        == "failed (slurm.log)"
    )

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
from snakemake_interface_logger_plugins.common import LogEvent

from dpbandits_jobs import bar


class Shown:
    """Snakemake's handler with the filter; `now` is the time of a record."""

    def __init__(self, monkeypatch, **settings):
        self.stream, self.now = StringIO(), 0.0
        monkeypatch.setattr("sys.stderr", self.stream)
        monkeypatch.setattr(GroupJob, "log_error", GroupJob.log_error)  # `attach` replaces it
        self.manager = LoggerManager(
            logging.Logger("toy"), OutputSettings(nocolor=True, **settings)
        )
        self.targets = []
        modifier = SimpleNamespace(parent_modifier=None)
        workflow = SimpleNamespace(logger_manager=self.manager, modifier=modifier)
        bar.attach(workflow, lambda: self.targets)
        (self.handler,) = self.manager.logger.handlers

    def event(self, event, message=None, level=logging.INFO, **extra):
        record = logging.LogRecord("snakemake", level, "", 0, message, (), None)
        record.__dict__.update({"event": event} if event else {}, created=self.now, **extra)
        self.handler.handle(record)

    def error(self, message):
        exception = re.match(r"\w+", message)[0]
        self.event(LogEvent.ERROR, message, logging.ERROR, exception=exception)

    def start(self, job):
        self.event(LogEvent.JOB_INFO, jobid=job, rule_msg="draw toy fig1", rule_name="draw")

    def finish(self, job, done, total):
        self.event(LogEvent.JOB_FINISHED, "Finished", job_id=job)
        self.event(LogEvent.PROGRESS, done=done, total=total)

    def fail(self, rule, end="returned non-zero exit status 1.", log="no log"):
        cause = f"CalledProcessError in file draw.smk, line 9:\nCommand 'python' {end}\n  File ..."
        self.error(f"RuleException:\n{cause}")
        about = {"rule_msg": None, "rule_name": rule, "log": [str(log)]}
        self.event(LogEvent.JOB_ERROR, "", logging.ERROR, jobid=1, **about)

    @property
    def lines(self):
        return self.stream.getvalue().splitlines()


def test_progress_is_printed_every_half_minute_and_at_the_end(monkeypatch):
    """Jobs take ten seconds each."""
    shown = Shown(monkeypatch)
    for job in range(120):
        shown.start(job)
        shown.now += 10.0
        shown.finish(job, job + 1, 120)
    done = [int(re.match(r"(\d+) of 120 steps \(\S+%\) done$", line)[1]) for line in shown.lines]
    assert done == [*range(1, 120, 3), 120]


def test_it_is_a_filter_of_snakemakes_own_handler_and_needs_its_name(monkeypatch):
    shown = Shown(monkeypatch)
    assert shown.handler.name == "DefaultStreamHandler"
    assert isinstance(shown.handler.filters[-1], bar.Lines)
    shown.handler.name = "other"
    modifier = SimpleNamespace(parent_modifier=None)
    with pytest.raises(KeyError, match="DefaultStreamHandler"):
        bar.attach(SimpleNamespace(logger_manager=shown.manager, modifier=modifier), list)


def test_only_routine_messages_are_left_to_the_log_file(monkeypatch):
    shown = Shown(monkeypatch)
    shown.event(LogEvent.WORKFLOW_STARTED)
    shown.event(None, "Building DAG of jobs...")
    shown.event(None, "Select jobs to execute...")
    shown.event(None, "Nothing to be done (all requested files are present and up to date).")
    shown.event(LogEvent.RESOURCES_INFO, "Provided cores: 2")
    shown.event(None, "A message that Snakemake did not have before")
    shown.event(None, "a warning", logging.WARNING)
    shown.error("WorkflowError in file a.smk, line 2:\nno")
    assert shown.lines == [
        "Nothing to be done (all requested files are present and up to date).",
        "A message that Snakemake did not have before",
        "a warning",
        "WorkflowError in file a.smk, line 2: no",
    ]


@pytest.mark.parametrize(
    "settings", [{"quiet": {Quietness.PROGRESS}}, {"quiet": {Quietness.ALL}}, {"verbose": True}]
)
def test_quiet_and_verbose_keep_snakemakes_output(settings, monkeypatch):
    shown = Shown(monkeypatch, **settings)
    shown.event(LogEvent.RUN_INFO, "Job stats:", stats={"total": 1})
    shown.event(LogEvent.PROGRESS, done=1, total=1)
    assert ("1 of 1 steps (100%) done" in shown.lines) == ("verbose" in settings)


def test_a_failed_job_is_one_line(tmp_path, monkeypatch):
    shown = Shown(monkeypatch)
    shown.fail("draw", "died with <Signals.SIGKILL: 9>.")
    shown.fail("check", log=tmp_path / "2.log")
    assert shown.lines == [
        "failed: draw: died with <Signals.SIGKILL: 9>. (log: no log)",
        f"failed: check: returned non-zero exit status 1. (log: {tmp_path}/2.log)",
    ]


def test_a_failed_group_is_logged_as_its_first_job_with_the_cause_and_the_log_of_slurm(monkeypatch):
    shown = Shown(monkeypatch)

    def log_error(msg, aux_logs, **_):
        about = {"rule_msg": msg, "rule_name": "simulate", "log": ["job.log", *aux_logs]}
        shown.event(LogEvent.JOB_ERROR, "", logging.ERROR, jobid=1, **about)

    log = GroupJob.log_error.fget([SimpleNamespace(log_error=log_error), SimpleNamespace()])
    log("SLURM-job '7' failed", aux_logs=["slurm.log"], external_jobid="7")
    assert shown.lines == ["failed: simulate: SLURM-job '7' failed (log: slurm.log)"]


@pytest.mark.parametrize("order", [1, -1], ids=["a job fails first", "Ctrl-C first"])
def test_ctrl_c_prints_how_to_resume_and_no_failed_jobs(order, monkeypatch):
    shown = Shown(monkeypatch)
    end = "Terminating processes on user request, this might take some time."
    for event, *given in (
        (shown.fail, "draw", "died with <Signals.SIGINT: 2>."),
        (shown.event, None, end),
    )[::order]:
        event(*given)
    assert shown.lines == ["stopped; run the same command to resume"]


FILES = ["figures/tossou2016/fig2a.pdf", "checks/tossou2016.csv", "page/index.html"]
SMOKE = [f"results/smoke/{file}" for file in FILES]
PAPER = [FILES[0], *(f"results/paper/{file}" for file in FILES[1:])]
SUGGESTIONS = [  # the files of this scale, a target, the suggestion
    (SMOKE, PAPER[0], f"did you mean '{SMOKE[0]}'?"),
    (SMOKE, PAPER[1], f"did you mean '{SMOKE[1]}'?"),
    (PAPER, SMOKE[2], f"did you mean '{PAPER[2]}'?"),
    (PAPER, "figures/tossou2016/fig2e.pdf", f"did you mean '{PAPER[0]}'?"),
    (PAPER, "tossuo2016", "did you mean 'tossou2016'?"),
    (PAPER, "zzz", "known: all, tossou2016, verify"),
]


@pytest.mark.parametrize(("files", "target", "suggestion"), SUGGESTIONS)
def test_a_target_that_does_not_exist_is_one_line(files, target, suggestion, monkeypatch):
    shown = Shown(monkeypatch)
    shown.targets = ["all", "verify", "tossou2016", "tossou2016/checks", *files]
    rule = f"No rule to produce {target}"
    shown.error(f"MissingRuleException:\n{rule} (if you use input functions ...).")
    assert shown.lines == [f"{rule}: {suggestion}"]


INPUT_FUNCTION = """InputFunctionException in rule draw in file "draw.smk", line 9:
Error:
  {cause}
Wildcards:
  figure=fig9z
Traceback:
  File "draw.smk", line 4, in files_of (rule draw, line 9, draw.smk)"""


def test_an_error_of_an_input_function_is_one_line_and_that_of_the_user_its_cause(monkeypatch):
    shown = Shown(monkeypatch, dryrun=True)
    for cause in ("InputError: there is no fig9z; did you mean 'fig9'?", "KeyError: 'fig9z'"):
        shown.error(INPUT_FUNCTION.format(cause=cause))
    first, second = shown.lines
    assert first == "there is no fig9z; did you mean 'fig9'?"
    assert second.endswith("Error: KeyError: 'fig9z' Wildcards: figure=fig9z Traceback:")

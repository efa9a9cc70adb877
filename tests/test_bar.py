"""What is left of a run, and errors in one line each."""

import logging
import re
import subprocess
import sys
from io import StringIO
from types import SimpleNamespace

import pytest
from snakemake.logging import LoggerManager
from snakemake.settings.enums import Quietness
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent

from dpbandits_jobs import bar


class Shown:
    """Snakemake's handler with the filter; `now` is the clock of the filter."""

    def __init__(self, monkeypatch, **settings):
        self.stream, self.now = StringIO(), 0.0
        monkeypatch.setattr("sys.stderr", self.stream)
        monkeypatch.setattr("time.monotonic", lambda: self.now)
        monkeypatch.setattr(bar.Lines, "began", 0.0)
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
        record.__dict__.update({"event": event} if event else {}, **extra)
        self.handler.handle(record)

    def error(self, message):
        exception = re.match(r"\w+", message)[0]
        self.event(LogEvent.ERROR, message, logging.ERROR, exception=exception)

    def start(self, job, message="draw toy fig1"):
        self.event(LogEvent.JOB_INFO, jobid=job, rule_msg=message, rule_name="draw")

    def finish(self, job, done, total):
        self.event(LogEvent.JOB_FINISHED, "Finished", job_id=job)
        self.event(LogEvent.PROGRESS, done=done, total=total)

    def fail(self, message, end="returned non-zero exit status 1.", log="no log"):
        cause = f"CalledProcessError in file draw.smk, line 9:\nCommand 'python' {end}\n  File ..."
        self.error(f"RuleException:\n{cause}")
        about = {"rule_msg": message, "rule_name": "draw", "log": [str(log)]}
        self.event(LogEvent.JOB_ERROR, "", logging.ERROR, jobid=1, **about)

    @property
    def lines(self):
        return self.stream.getvalue().splitlines()


def test_there_is_a_line_every_half_minute(monkeypatch):
    shown = Shown(monkeypatch)
    for job in range(120):
        shown.start(job, f"simulate {'tossou2016' if job < 60 else 'azize2022'} fig2a")
        shown.now += 10.0
        shown.finish(job, job + 1, 120)
    status = [
        re.fullmatch(r"(\d+)/120 jobs, \S+, \S+ left, simulate (\w+) fig2a", line)
        for line in shown.lines
    ]
    assert [int(line[1]) for line in status] == [*range(1, 120, 3), 120]
    assert [line[2] for line in status] == [
        "tossou2016" if int(line[1]) <= 60 else "azize2022" for line in status
    ]


def test_the_time_left_is_that_of_as_many_jobs_as_are_left(monkeypatch):
    shown = Shown(monkeypatch)
    shown.now = 600
    shown.start(1)
    shown.finish(1, 10, 40)
    assert shown.lines == ["10/40 jobs, 10:00, 30:00 left, draw toy fig1"]


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


# The fields of what Snakemake prints first.
HEADER = """datetime workflow_id platform host user snakemake_version python_version cmd
snakefile_main basedir rundir cwd configfiles config_md5"""


@pytest.mark.parametrize(
    "settings", [{"quiet": {Quietness.PROGRESS}}, {"quiet": {Quietness.ALL}}, {"verbose": True}]
)
def test_quiet_and_verbose_keep_snakemakes_output(settings, monkeypatch):
    shown = Shown(monkeypatch, **settings)
    shown.event(LogEvent.WORKFLOW_STARTED, **dict.fromkeys(re.findall(r"\w+", HEADER), ""))
    shown.event(LogEvent.RUN_INFO, "Job stats:", stats={"total": 1})
    shown.event(LogEvent.PROGRESS, done=1, total=1)
    assert ("1 of 1 steps (100%) done" in shown.lines) == ("verbose" in settings)
    assert not any("1/1 jobs" in line for line in shown.lines)


def test_a_failed_job_is_one_line(tmp_path, monkeypatch):
    shown = Shown(monkeypatch)
    shown.fail("draw toy fig1", "died with <Signals.SIGKILL: 9>.")
    shown.fail("draw toy fig2", log=tmp_path / "2.log")
    assert shown.lines == [
        "failed: draw toy fig1: died with <Signals.SIGKILL: 9>. (log: no log)",
        f"failed: draw toy fig2: returned non-zero exit status 1. (log: {tmp_path}/2.log)",
    ]


@pytest.mark.parametrize("failed_first", [True, False], ids=["a job fails first", "Ctrl-C first"])
def test_ctrl_c_prints_how_to_resume_and_no_failed_jobs(failed_first, monkeypatch):
    shown = Shown(monkeypatch)
    events = [
        lambda: shown.fail("draw toy fig1", "died with <Signals.SIGINT: 2>."),
        lambda: shown.event(
            None, "Terminating processes on user request, this might take some time."
        ),
    ]
    for event in events if failed_first else reversed(events):
        event()
    assert shown.lines == ["stopped; run the same command to resume"]


FILES = [
    "figures/tossou2016/fig2a.pdf",
    "results/paper/checks/tossou2016.csv",
    "results/paper/page/index.html",
]
# Scale, target, and the suggestion.
SUGGESTIONS = [
    ("smoke", FILES[0], "did you mean 'results/smoke/figures/tossou2016/fig2a.pdf'?"),
    ("smoke", FILES[1], "did you mean 'results/smoke/checks/tossou2016.csv'?"),
    (
        "paper",
        "results/smoke/page/index.html",
        "did you mean 'results/paper/page/index.html'?",
    ),
    ("paper", "tossuo2016", "did you mean 'tossou2016'?"),
    ("paper", "figures/tossou2016/fig2e.pdf", "did you mean 'figures/tossou2016/fig2a.pdf'?"),
    ("paper", "zzz", "known: all, tossou2016, verify"),
]


@pytest.mark.parametrize(("scale", "target", "suggestion"), SUGGESTIONS)
def test_a_target_that_does_not_exist_is_one_line(scale, target, suggestion, monkeypatch):
    shown = Shown(monkeypatch)
    files = (
        FILES
        if scale == "paper"
        else [f"results/smoke/{file.removeprefix('results/paper/')}" for file in FILES]
    )
    shown.targets = [
        "all",
        "verify",
        "tossou2016",
        "tossou2016/checks",
        *files,
    ]
    message = (
        f"MissingRuleException:\nNo rule to produce {target} (if you use input functions ...)."
    )
    shown.error(message)
    assert shown.lines == [f"No rule to produce {target}: {suggestion}"]


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


SNAKEFILE = """
from dpbandits_jobs import attach_bar

attach_bar(workflow, list)


rule quick:
    message:
        "a job without a script"
    shell:
        "true"
"""


def test_a_run_prints_its_progress_and_the_log_file_has_everything(tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    command = [sys.executable, "-m", "snakemake", "--cores", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert re.search("^1/1 jobs, .* left, a job without a script$", done.stderr, re.MULTILINE)
    assert "Finished jobid" not in done.stderr
    (log,) = (tmp_path / ".snakemake/log").iterdir()
    assert log.read_text().count("Finished jobid") == 1

"""The bar of a run, its lines without a terminal, and errors in one line each."""

import fcntl
import io
import logging
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from types import SimpleNamespace

import pytest
from snakemake.logging import LoggerManager
from snakemake.settings.enums import Quietness
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent

from dpbandits_jobs import bar


class Shown:
    """A bar without a terminal that receives Snakemake's events; `now` is its clock."""

    def __init__(self, monkeypatch, **settings):
        self.stream, self.now = io.StringIO(), 0.0
        monkeypatch.setattr("sys.stderr", self.stream)
        monkeypatch.setattr("time.monotonic", lambda: self.now)
        self.manager = LoggerManager(
            logging.Logger("toy"), OutputSettings(nocolor=True, **settings)
        )
        self.manager.logger.addHandler(logging.NullHandler())
        self.attach()
        (self.handler,) = [
            handler for handler in self.manager.logger.handlers if isinstance(handler, bar.Bar)
        ]

    def attach(self):
        modifier = SimpleNamespace(parent_modifier=None)
        bar.attach(SimpleNamespace(logger_manager=self.manager, modifier=modifier), tuple)

    def event(self, event, message=None, level=logging.INFO, **extra):
        record = logging.LogRecord("snakemake", level, "", 0, message, (), None)
        record.__dict__.update(event=event, **extra)
        self.handler.emit(record)

    def error(self, message):
        exception = re.match(r"\w+", message)[0]
        self.event(LogEvent.ERROR, message, logging.ERROR, exception=exception)

    def begin(self, jobs):
        self.event(LogEvent.WORKFLOW_STARTED)
        self.event(LogEvent.RUN_INFO, stats={"simulate": jobs - 1, "all": 1, "total": jobs})

    def start(self, job, message="draw toy fig1"):
        self.event(LogEvent.JOB_INFO, jobid=job, rule_msg=message, rule_name="draw")

    def finish(self, job, done, total):
        self.event(LogEvent.JOB_FINISHED, job_id=job)
        self.event(LogEvent.PROGRESS, done=done, total=total)

    def fail(self, job, end="returned non-zero exit status 1.", log="no log"):
        cause = f"CalledProcessError in file draw.smk, line 9:\nCommand 'python' {end}\n  File ..."
        message = f"RuleException:\n{cause}"
        self.error(message)
        self.event(
            LogEvent.JOB_ERROR, "", logging.ERROR, jobid=job, rule_name="draw", log=[str(log)]
        )

    @property
    def lines(self):
        return self.stream.getvalue().splitlines()


def test_without_a_terminal_there_is_a_line_every_half_minute(monkeypatch):
    shown = Shown(monkeypatch)
    shown.begin(120)
    for job in range(120):
        shown.start(job, f"simulate {'tossou2016' if job < 60 else 'azize2022'} fig2a")
        shown.now += 10.0
        shown.finish(job, job + 1, 120)
    assert shown.lines[0] == "120 jobs: 119 simulate, 1 all"
    status = [
        re.fullmatch(r"(\d+)/120 jobs, \S+, \S+ left, simulate (\w+) fig2a", line)
        for line in shown.lines[1:]
    ]
    assert [int(line[1]) for line in status] == [0, *range(3, 121, 3)]
    assert [line[2] for line in status] == [
        "tossou2016" if int(line[1]) <= 60 else "azize2022" for line in status
    ]


def test_the_time_left_is_that_of_as_many_jobs_as_are_left(monkeypatch):
    shown = Shown(monkeypatch)
    shown.begin(40)
    monkeypatch.setattr(shown.handler.bar, "_time", lambda: shown.handler.bar.start_t + 600)
    shown.finish(0, 7, 40)
    shown.now += 30
    shown.finish(1, 10, 40)
    assert shown.lines[-2:] == ["7/40 jobs, 10:00, ? left", "10/40 jobs, 10:00, 30:00 left"]


def test_it_replaces_snakemakes_own_handler_and_no_other(monkeypatch):
    shown = Shown(monkeypatch)
    handlers = shown.manager.logger.handlers
    assert [type(handler) for handler in handlers] == [logging.NullHandler, bar.Bar]
    with pytest.raises(AttributeError, match="DefaultStreamHandler"):
        shown.attach()
    shown.manager.plugin_handlers.append(SimpleNamespace(writes_to_stream=True))
    shown.attach()
    assert len(handlers) == 2


def test_an_event_that_it_does_not_understand_ends_the_bar_and_not_the_run(monkeypatch):
    shown = Shown(monkeypatch)
    shown.begin(9)
    shown.event(LogEvent.PROGRESS, finished_jobs=1)
    shown.event(None, "Something else")
    shown.handler.close()
    assert shown.lines[1].startswith("no progress bar from here on (AttributeError(")
    assert "Something else" in shown.lines
    assert not any("stopped" in line for line in shown.lines)


def test_only_routine_messages_are_left_to_the_log_file(monkeypatch):
    shown = Shown(monkeypatch)
    shown.event(None, "Building DAG of jobs...")  # by --lint, which starts no workflow
    assert shown.lines == ["Building DAG of jobs..."]
    shown.event(LogEvent.WORKFLOW_STARTED)
    shown.event(None, "Building DAG of jobs...")
    shown.event(None, "Nothing to be done (all requested files are present and up to date).")
    shown.event(LogEvent.RESOURCES_INFO, "Provided cores: 2")
    shown.event(None, "A message that Snakemake did not have before")
    shown.event(LogEvent.RESOURCES_INFO, "a warning", logging.WARNING)
    shown.error("WorkflowError in file a.smk, line 2:\nno")
    assert shown.lines[1:] == [
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
    assert not shown.handler.bar


def test_failed_jobs_are_the_last_lines_unless_they_were_repeated(tmp_path, monkeypatch):
    log = tmp_path / "2.log"
    log.write_text("error: a.csv: truncated\n\nTraceback\n")
    shown = Shown(monkeypatch)
    shown.begin(9)
    for job in range(4):
        shown.start(job, f"draw toy fig{job}")
    shown.fail(1, "died with <Signals.SIGKILL: 9>.")
    shown.fail(2, log=log)
    shown.fail(3)
    shown.finish(3, 1, 9)
    shown.error("WorkflowError:\nAt least one job ...")
    shown.handler.close()
    shown.handler.close()
    assert shown.lines[-4:] == [
        "WorkflowError: At least one job ...",
        "stopped after 1 of 9 jobs",
        "failed: draw toy fig1: died with <Signals.SIGKILL: 9>. (log: no log)",
        f"failed: draw toy fig2: error: a.csv: truncated (log: {log})",
    ]


def test_a_run_that_ends_early_by_the_users_wish_prints_nothing_about_it(monkeypatch):
    """With --until."""
    shown = Shown(monkeypatch)
    shown.begin(9)
    shown.start(1)
    shown.finish(1, 1, 9)
    shown.handler.close()
    assert not any("stopped" in line for line in shown.lines)


@pytest.mark.parametrize("failed_first", [True, False], ids=["a job fails first", "Ctrl-C first"])
def test_ctrl_c_prints_how_to_resume_and_no_failed_jobs(failed_first, monkeypatch):
    shown = Shown(monkeypatch)
    shown.begin(9)
    shown.start(1)
    events = [
        lambda: shown.fail(1, "died with <Signals.SIGINT: 2>."),
        lambda: shown.event(
            None, "Terminating processes on user request, this might take some time."
        ),
    ]
    for event in events if failed_first else reversed(events):
        event()
    shown.event(None, "Complete log(s): ...")
    shown.handler.close()
    assert shown.lines[2:] == ["stopped after 0 of 9 jobs; run the same command to resume"]


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
        "write --config scale=smoke -- results/smoke/page/index.html",
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
    shown.handler.known_targets = lambda: [
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


def test_only_an_input_error_of_an_input_function_is_one_line(monkeypatch):
    shown = Shown(monkeypatch)
    for cause in ("InputError: there is no fig9z; did you mean 'fig9'?", "KeyError: 'fig9z'"):
        message = INPUT_FUNCTION.format(cause=cause)
        shown.error(message)
    first, *rest = shown.lines
    assert first == "there is no fig9z; did you mean 'fig9'?"
    assert rest == message.splitlines()


SNAKEFILE = """
from dpbandits_jobs import attach_bar

attach_bar(workflow, list)


rule quick:
    message:
        "a job without a script"
    shell:
        "true"
"""


def test_on_a_terminal_one_line_is_redrawn(tmp_path):
    """A job on a pseudo-terminal of 80 columns."""
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    terminal, end_of_run = pty.openpty()
    fcntl.ioctl(end_of_run, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "1"],
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "PYTHONUTF8": "1"},
        stdout=end_of_run,
        stderr=end_of_run,
    )
    os.close(end_of_run)
    printed = b""
    while True:
        try:
            printed += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
    assert process.wait() == 0
    bars = re.findall(r"\r([^\r\n]* \d/1 jobs, [^\r\n]*)", printed.decode())
    assert len(bars) >= 2
    assert "a job without a script" in bars[-2]
    assert "1/1 jobs" in bars[-1]
    assert all(len(bar) <= 80 for bar in bars)
    assert "Finished jobid" not in printed.decode()
    (log,) = (tmp_path / ".snakemake/log").iterdir()
    assert log.read_text().count("Finished jobid") == 1

"""How far a run is and how long it still takes: the estimate on synthetic runs, and what is printed of them."""

import io
import logging
import os
import pty
import re
import subprocess
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import ROOT, SMOKE, Project
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.common import LogEvent

from dpbandits.progress import Progress, Task, duration, time_left
from snakemake_logger_plugin_dpbandits import LogHandler, show_progress, targets

DIAGRAM = "results/smoke/figures/tossou2016/fig1.pdf"  # one drawing


def simulated_run(estimated, true, at_once):
    """Jobs in their order on `at_once` lanes: yields (now, progress) at each start and end; then the time of the end."""
    progress = Progress({job: Task("paper", seconds) for job, seconds in enumerate(estimated)}, at_once, 0.0)
    waiting, ends, now = list(range(len(estimated))), {}, 0.0
    while waiting or ends:
        while waiting and len(ends) < at_once:
            job = waiting.pop(0)
            progress.start([job], now)
            ends[job] = now + true[job]
            yield now, progress
        job = min(ends, key=ends.get)
        now = ends.pop(job)
        progress.finish(job, now)
        yield now, progress


def end_of(estimated, true, at_once):
    return max(now for now, _ in simulated_run(estimated, true, at_once))


SIZES = [3.0, 40.0, 1.5, 90.0, 12.0, 2.0, 25.0, 60.0] * 10  # in no order of size, as Snakemake takes them


@pytest.mark.parametrize("slowness", [0.3, 1.0, 2.0, 5.0])
@pytest.mark.parametrize(
    ("at_once", "since", "within"), [(1, 0.1, 0.05), (2, 0.1, 0.08), (8, 0.3, 0.18), (8, 0.7, 0.05)]
)
def test_a_common_error_of_the_estimates_is_found_out(slowness, at_once, since, within):
    """From some share of the run on, the time left is right within some share of the whole.

    With eight at once an eighth of the run is the end, when fewer than eight jobs are left.
    """
    true = [slowness * seconds for seconds in SIZES]
    end = end_of(SIZES, true, at_once)
    for now, progress in simulated_run(SIZES, true, at_once):
        if now > since * end:
            assert progress.seconds_left(now) == pytest.approx(end - now, abs=within * end)


def test_exact_estimates_are_believed_from_the_start():
    progress = Progress({job: Task("paper", 60.0) for job in range(10)}, 2, 0.0)
    assert progress.seconds_left(0.0) == pytest.approx(300.0)
    progress.start([0, 1], 0.0)
    assert progress.seconds_left(30.0) == pytest.approx(270.0, rel=0.01)
    assert progress.share_done(30.0) == pytest.approx(0.1)


def test_what_is_left_is_no_less_than_the_longest_job():
    """One long job among short ones: the lanes that wait for it do not shorten it."""
    progress = Progress({0: Task("paper", 600.0), **{job: Task("paper", 1.0) for job in range(1, 5)}}, 8, 0.0)
    progress.start(range(5), 0.0)
    for job in range(1, 5):
        progress.finish(job, 1.0)
    assert progress.seconds_left(1.0) == pytest.approx(599.0, rel=0.01)
    assert Progress({0: Task("", 5.0), 1: Task("", 300.0)}, 8, 0.0).seconds_left(0.0) >= 300.0  # while it waits, too


def test_a_job_that_is_overdue_slows_the_others_estimates_and_is_not_counted_as_done():
    progress = Progress({0: Task("paper", 10.0), 1: Task("paper", 10.0)}, 1, 0.0)
    progress.start([0], 0.0)
    assert progress.slowness(10.0) == 1.0
    assert progress.slowness(100.0) == pytest.approx((20 + 100) / (20 + 10))
    assert progress.share_done(1000.0) < 0.5
    assert progress.seconds_left(100.0) > 10.0


@given(st.lists(st.tuples(st.floats(0, 1e4), st.floats(0.01, 1e4)), min_size=1, max_size=30), st.integers(1, 100))
def test_whatever_the_jobs_take(jobs, at_once):
    """Never negative, never above 1, complete at the end and not before."""
    estimated, true = zip(*jobs, strict=True)
    counts = []
    for now, progress in simulated_run(estimated, true, at_once):
        counts.append(len(progress.finished))
        assert progress.seconds_left(now) >= 0
        assert 0 <= progress.share_done(now) <= 1
        assert progress.complete is (counts[-1] == len(jobs))
    assert counts == sorted(counts)
    assert progress.share_done(now) == 1
    assert progress.seconds_left(now) == 0


def test_the_table_of_seconds_names_rules():
    rules = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    named = re.findall(r'^    "(\w+)": [\w.]+,$', rules[rules.index("SECONDS = {") :], re.M)
    assert {"draw", "read_log"} < set(named) <= set(re.findall(r"(?:^rule| as) (\w+)(?::| with:)$", rules, re.M))


def test_a_failed_job_waits_again():
    progress = Progress({0: Task("paper", 10.0)}, 1, 0.0)
    progress.start([0], 0.0)
    progress.fail(0)
    assert progress.seconds_done(5.0) == 0
    progress.start([0], 6.0)
    progress.finish(0, 20.0)
    assert progress.complete


def test_durations_are_told_as_one_says_them():
    shown = [duration(seconds) for seconds in (0.2, 59.4, 60, 89, 3570, 3600, 3900, 7260)]
    assert shown == ["0 s", "59 s", "1 min", "1 min", "1 h 00 min", "1 h 00 min", "1 h 05 min", "2 h 01 min"]
    assert time_left(59.9) == "under a minute left"
    assert time_left(725) == "about 12 min left"


class Shown:
    """The plugin in a log or on a quiet terminal, fed with Snakemake's events."""

    def __init__(self, monkeypatch, **settings):
        self.stream = io.StringIO()
        monkeypatch.setattr("sys.stderr", self.stream)
        given = {"dryrun": False, "verbose": False, "debug_dag": False, "quiet": None, "stdout": False}
        given |= {"nocolor": True, "show_failed_logs": True, "printshellcmds": False, **settings}
        self.handler = LogHandler(SimpleNamespace(**given), None)

    def event(self, event, now=0.0, message="", level=logging.INFO, **extra):
        record = logging.LogRecord("snakemake", level, "", 0, message, (), None)
        record.__dict__.update(event=event, created=now, **extra)
        self.handler.emit(record)

    def begin(self, plan):
        self.event(LogEvent.WORKFLOW_STARTED)
        self.event(None, 0.0, f"{len(plan)} jobs", plan=plan, at_once=1)

    def run(self, plan):
        """The jobs of the plan one after another, each as long as estimated."""
        self.begin(plan)
        now = 0.0
        for job, task in plan.items():
            self.event(LogEvent.JOB_STARTED, now, jobs=[job])
            now += task.seconds
            self.event(LogEvent.JOB_FINISHED, now, job_id=job)
            self.event(LogEvent.PROGRESS, now, done=0, total=0)

    @property
    def lines(self):
        return self.stream.getvalue().splitlines()


PLAN = {job: Task("tossou2016" if job < 60 else "azize2022", 10.0) for job in range(120)}


def test_a_line_now_and_then_in_a_log(monkeypatch):
    shown = Shown(monkeypatch)
    shown.run(PLAN)
    assert shown.lines[0] == "120 jobs"
    assert shown.lines[-1] == "100 %, 120 of 120 jobs, done in 20 min"
    assert "tossou2016: all 60 jobs done, 10 min after the start" in shown.lines
    lines = [line for line in shown.lines if re.match(r"\d\d:\d\d +\d+ %, ", line)]
    assert 30 <= len(lines) <= 40  # every half minute
    assert "50 %, 60 of 120 jobs, 10 min, about 10 min left (until " in "\n".join(lines)
    assert all(line.endswith(("tossou2016", "azize2022", ")")) for line in lines)
    shares = [int(re.search(r"(\d+) %", line)[1]) for line in lines]
    assert shares == sorted(shares)


def test_a_dry_run_ends_with_the_time_of_the_guests_jobs_in_it(monkeypatch):
    """Of these jobs, not of all that could be asked for."""
    asked = []
    monkeypatch.setattr(targets.ANNOUNCED, "times", lambda jobs: asked.append(jobs) or ["guest mine: about 9 minutes"])
    shown = Shown(monkeypatch, dryrun=True)
    for wildcards in ({"simulation": "fig1/mine", "first": "0", "last": "9"}, {"paper": "toy"}, None):
        rest = dict.fromkeys(("rule_msg", "jobid", "reason", "local", "indent"))
        shown.event(LogEvent.JOB_INFO, wildcards=wildcards, rule_name="simulate", **rest)
    shown.handler.close()
    assert shown.lines[-1] == "guest mine: about 9 minutes"
    assert asked == [[{"simulation": "fig1/mine", "first": "0", "last": "9"}, {"paper": "toy"}, {}]]


@pytest.mark.parametrize("chosen", [True, False])
def test_the_workflow_attaches_it_unless_another_one_is_chosen(chosen, monkeypatch):
    settings = Shown(monkeypatch).handler.common_settings
    settings.skip_plugin_handlers = False
    usual, other = logging.StreamHandler(), logging.NullHandler()
    usual.name = "DefaultStreamHandler"
    logger = logging.Logger("toy")
    logger.addHandler(usual)
    logger.addHandler(other)
    show_progress(SimpleNamespace(settings=settings, plugin_handlers=[other] if chosen else [], logger=logger))
    assert [type(handler) for handler in logger.handlers] == (
        [logging.StreamHandler, logging.NullHandler] if chosen else [logging.NullHandler, LogHandler]
    )


def test_a_short_run_has_a_line_for_each_twentieth(monkeypatch):
    shown = Shown(monkeypatch)
    shown.run({job: Task("tossou2016", 0.1) for job in range(200)})
    assert 18 <= len([line for line in shown.lines if "of 200 jobs" in line]) <= 20


def test_routine_is_left_to_the_log_file_and_nothing_else(monkeypatch):
    shown = Shown(monkeypatch)
    shown.event(LogEvent.WORKFLOW_STARTED)
    shown.event(None, message="Building DAG of jobs...")
    shown.event(None, message="Nothing to be done (all requested files are present and up to date).")
    shown.event(LogEvent.RUN_INFO, message="Job stats: many", stats={})
    shown.event(None, message="Something that Snakemake has never said before")
    shown.event(None, message="Using shell was not possible", level=logging.WARNING)
    shown.event(LogEvent.ERROR, message="WorkflowError: no", level=logging.ERROR)
    shown.event(LogEvent.JOB_INFO, output=["a file"], rule_msg="draw something")
    shown.event(LogEvent.JOB_INFO, output=[], rule_msg="all claims are judged")
    assert shown.lines == [
        "Nothing to be done (all requested files are present and up to date).",
        "Something that Snakemake has never said before",
        "Using shell was not possible",
        "WorkflowError: no",
        "all claims are judged",
    ]


def test_what_is_no_run_is_printed_as_ever(monkeypatch):
    """--lint, --report, --unlock: they start no workflow."""
    shown = Shown(monkeypatch)
    shown.event(None, message="Building DAG of jobs...")
    assert shown.lines == ["Building DAG of jobs..."]


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ({"quiet": {Quietness.PROGRESS}}, []),
        ({"quiet": {Quietness.ALL}}, []),
        ({"verbose": True}, ["120 jobs"]),
    ],
)
def test_quiet_and_verbose_are_respected(settings, lines, monkeypatch):
    shown = Shown(monkeypatch, **settings)
    shown.run(PLAN)
    assert not [line for line in shown.lines if " %, " in line]
    assert all(line in shown.lines for line in lines)


def test_a_run_that_stops_says_how_far_it_came(monkeypatch):
    shown = Shown(monkeypatch)
    shown.begin(PLAN)
    shown.event(LogEvent.JOB_STARTED, 0.0, jobs=[0])
    shown.event(LogEvent.JOB_FINISHED, 10.0, job_id=0)
    shown.handler.close()
    shown.handler.close()
    assert shown.lines[-1] == "stopped after 1 of 120 jobs; run the same command to resume"
    assert shown.lines.count(shown.lines[-1]) == 1


KILLED_BY_CTRL_C = "RuleException:\nCalledProcessError in file rules/simulate.smk, line 80:\nCommand 'python' {}."
JOB_ERROR = {"jobid": 0, "rule_msg": None, "rule_name": "simulate"}


@pytest.mark.parametrize("end", ["died with <Signals.SIGINT: 2>", "returned non-zero exit status 1"])
@pytest.mark.parametrize("booked", [True, False], ids=["booked as failed", "not yet booked"])
@pytest.mark.parametrize("everything", [True, False], ids=["ctrl-c", "one job"])
def test_ctrl_c_is_one_line_although_a_job_ends_before_snakemake_notices(end, booked, everything, monkeypatch):
    """If one job alone fails, its error is printed."""
    shown = Shown(monkeypatch)
    shown.begin(PLAN)
    shown.event(LogEvent.JOB_STARTED, 0.0, jobs=[0])
    shown.event(LogEvent.ERROR, message=KILLED_BY_CTRL_C.format(end), level=logging.ERROR)
    if booked:
        shown.event(LogEvent.JOB_ERROR, **JOB_ERROR)
    if everything:
        shown.event(None, message="Terminating processes on user request, this might take some time.")
    else:
        shown.event(None, message="Shutting down, this might take some time.", level=logging.WARNING)
        assert ("RuleException:" in shown.lines) == booked
    shown.handler.close()
    assert ("RuleException:" in shown.lines) == (not everything)
    assert shown.lines[-1] == "stopped after 0 of 120 jobs; run the same command to resume"


def test_on_a_terminal_one_line_is_redrawn(tmp_path):
    """A drawing on a pseudo-terminal; what is asked of the bar is what stays on the screen."""
    project = Project.new(tmp_path)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        project.command(*SMOKE, "--", DIAGRAM),
        cwd=project.folder,
        env={**project.environment(), "TERM": "xterm"},
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    printed = b""
    while True:
        try:
            printed += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
    assert process.wait() == 0
    bars = re.findall(r"\r\033\[K(\[[#-]+\] +\d+ %, \d/1 jobs, .*?)\r", printed.decode())
    assert len(bars) >= 2
    assert bars[-1].endswith(", tossou2016")
    assert all(len(bar) < 80 for bar in bars)
    shares = [int(re.search(r"(\d+) %", bar)[1]) for bar in bars]
    assert shares == sorted(shares)
    assert re.search(r"100 %, 1 of 1 jobs, done in \d+ ", printed.decode())
    assert "Finished jobid" not in printed.decode()
    (log,) = (tmp_path / ".snakemake/log").iterdir()
    assert log.read_text().count("Finished jobid") == 1

"""The workflow as a person meets it: what runs, what runs again, what is said, and that the bytes are the same.

Everything here runs at the smoke scale in copies of the project's folder, most of it with one paper only.
"""

import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from project import ROOT, SMOKE, Project

PANEL = "results/smoke/figures/tossou2016/fig2a.corrected.pdf"


def test_everything_is_made_at_its_place(finished):
    made = finished.bytes("results/smoke/**/*")
    figures = {name for name in made if "/figures/" in name}
    ids = [
        "fig1",
        "fig2",
        *(f"fig2{x}" for x in "abcd"),
        "s-hybrid",
        "s-interval",
        "s-power-of-two",
        "s-private-ucb",
    ]
    ids += ["fig2.corrected", *(f"fig2{x}.corrected" for x in "abcd")]
    assert figures == {f"results/smoke/figures/tossou2016/{i}.{kind}" for i in ids for kind in ("pdf", "png")}
    assert "results/smoke/claims/tossou2016.csv" in made
    assert "results/smoke/summaries/tossou2016/fig2a.corrected.csv" in made
    assert not (finished.folder / "figures").exists()
    assert not (finished.folder / "results/paper").exists()


def test_the_closing_words_say_where_to_look(finished):
    closing = finished.output[finished.output.rindex("figures:") :]
    assert "results/smoke/figures" in closing
    assert "results/smoke/claims/<paper>.csv" in closing
    assert re.search(r"tossou2016, corrected reading: \d+ holds, \d+ fails, \d+ undecided", closing)
    assert "differences from the reference" in closing


def test_progress_is_told(finished):
    assert "simulate tossou2016 fig2a: dp-ucb-int, runs 0 to 9" in finished.output
    assert re.search(r"\d+ of \d+ steps \(\d+%\) done", finished.output)


def test_claims_table(finished):
    lines = (finished.folder / "results/smoke/claims/tossou2016.csv").read_text().splitlines()
    assert lines[0] == "claim,figure,reading,statement,measured,expected,verdict,where"
    ids = {line.split(",")[0] for line in lines[1:]}
    assert {f"A{i}" for i in range(1, 13)} | {f"P{i}" for i in range(1, 5)} <= ids


def test_the_report_is_made_and_the_same_again_unless_it_is_stamped(copy):
    page = copy.bytes("results/smoke/report.html")["results/smoke/report.html"]
    claims = (copy.folder / "results/smoke/claims/tossou2016.csv").read_text()
    assert f"of {claims.count(chr(10)) - 1} verdicts".encode() in page
    (copy.folder / "results/smoke/report.html").unlink()
    copy.run(*SMOKE, "--", "report")
    assert copy.bytes("results/smoke/report.html")["results/smoke/report.html"] == page
    told = json.loads((copy.folder / "results/smoke/report.meta.json").read_text())
    assert told["times"]["tossou2016"]["jobs"] == len(copy.bytes("results/smoke/traces/**/*.npz"))
    assert told["times"]["tossou2016"]["wall_s"] > 0
    copy.run(*SMOKE, "stamp=true", "--", "report")
    stamped = copy.bytes("results/smoke/report.html")["results/smoke/report.html"]
    assert b"This run" in stamped
    assert b"This run" not in page


def test_snakemakes_own_report_shows_every_figure(finished, tmp_path):
    page = tmp_path / "snakemake.html"
    finished.run(*SMOKE, "--report", str(page), "--", "tossou2016")
    text = page.read_text()
    for figure in ("fig1", "fig2a", "fig2a.corrected", "s-hybrid"):
        assert f"{figure}.png" in text
    assert "Figure 2a" in text
    assert "How a private algorithm touches the rewards" in text


def test_a_finished_run_has_nothing_to_do(finished):
    assert "Nothing to be done" in finished.run("-n", *SMOKE, "--", "tossou2016") or not finished.would_run(
        *SMOKE, "--", "tossou2016"
    )


def test_one_panel_needs_its_own_policies_only(tmp_path):
    project = Project.new(tmp_path)
    jobs = project.would_run("figures/tossou2016/fig2c.pdf")
    simulated = [job for job in jobs if job.startswith("simulate")]
    assert sorted(simulated) == [
        f"simulate tossou2016 fig2c: {policy}, runs 0 to 99"
        for policy in ("dp-ucb", "dp-ucb-bound", "dp-ucb-int", "private-ucb", "ucb")
    ]
    assert [job for job in jobs if job not in simulated] == [
        "draw tossou2016 fig2c",
        "summarise tossou2016 fig2c",
    ]
    assert [j for j in project.would_run("figures/tossou2016/fig1.pdf")] == ["draw tossou2016 fig1"]


@pytest.mark.parametrize("scale", ["paper", "draft", "smoke"])
@pytest.mark.parametrize("target", ["all", "tossou2016", "claims", "verify"])
def test_every_target_exists_at_every_scale(target, scale, tmp_path):
    jobs = Project.new(tmp_path).would_run("--config", f"scale={scale}", "--", target)
    assert "judge the claims of tossou2016" in jobs


PAPERS = sorted(path.stem for path in (ROOT / "config/papers").glob("*.yaml"))


def test_the_number_of_simulate_jobs_stays_small(tmp_path):
    jobs = [job for job in Project.new(tmp_path, papers=PAPERS).would_run() if job.startswith("simulate")]
    assert 0 < len(jobs) <= 450


REPORT = "write the report, results/smoke/report.html"


def test_one_epsilon_changed_runs_what_depends_on_it(copy):
    copy.edit(
        "config/papers/tossou2016.yaml",
        "policies: [ucb, private-ucb, dp-ucb-bound, dp-ucb, dp-ucb-int]",
        "policies: {ucb: {}, private-ucb: {}, dp-ucb-bound: {}, dp-ucb: {epsilon: 0.5}, dp-ucb-int: {}}",
    )
    # Panel a is used again, with other policies, for the supplementary figures, which keep their epsilon.
    assert copy.would_run(*SMOKE) == sorted(
        [
            "simulate tossou2016 fig2a: dp-ucb, runs 0 to 9",
            "simulate tossou2016 fig2a.corrected: dp-ucb, runs 0 to 9",
            "summarise tossou2016 fig2a",
            "summarise tossou2016 fig2a.corrected",
            "draw tossou2016 fig2",
            "draw tossou2016 fig2.corrected",
            "draw tossou2016 fig2a",
            "draw tossou2016 fig2a.corrected",
            "judge the claims of tossou2016",
            "account for the privacy of tossou2016",
            "compare with reference/smoke",
            REPORT,
            "everything is there",
        ]
    )


def test_an_axis_label_changed_draws_and_simulates_nothing(copy):
    copy.edit(
        "config/papers/tossou2016.yaml",
        "x: {label: time step t, scale: log}",
        "x: {label: round, scale: log}",
    )
    jobs = copy.would_run(*SMOKE)
    assert [job for job in jobs if not job.startswith("draw")] == [
        "compare with reference/smoke",
        "everything is there",
        REPORT,
    ]
    assert len(jobs) == 14 + 3  # every figure but the diagram, which has no axes


def test_a_claim_changed_judges_only(copy):
    copy.edit("config/papers/tossou2016.yaml", "expect: {at_most: 0.9}", "expect: {at_most: 0.8}")
    assert copy.would_run(*SMOKE) == sorted(
        ["judge the claims of tossou2016", "compare with reference/smoke", REPORT, "everything is there"]
    )


def simulated_policies(project):
    return {re.search(r": ([a-z-]+),", job)[1] for job in project.would_run(*SMOKE) if job.startswith("simulate")}


@pytest.fixture
def with_source(copy):
    shutil.copytree(ROOT / "src", copy.folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_a_changed_kernel_runs_its_policies_only(with_source):
    with_source.edit("src/dpbandits/algorithms/arms/interval_ucb.py", "a = (t - 1) % K", "a = t % K")
    assert simulated_policies(with_source) == {"dp-ucb-int", "int-by-schedule", "int-redrawn"}


def test_a_changed_helper_runs_the_policies_that_reach_it(with_source):
    with_source.edit("src/dpbandits/privacy/tree.py", "while n & 1 == 0:", "while n % 2 == 0:")
    hybrid = {"dp-ucb", "dp-ucb-bound", "bound-by-hybrid", "dp-ucb-by-hybrid", "bound-by-rule"}
    assert simulated_policies(with_source) == hybrid | {
        "private-ucb",
        "private-ucb-by-relaxation",
        "private-ucb-parallel",
    }


def test_a_comment_in_a_kernel_runs_nothing(with_source):
    with_source.edit("src/dpbandits/privacy/tree.py", "    i = 0\n", "    i = 0  # the lowest bit is bit 0\n")
    with_source.edit("src/dpbandits/algorithms/arms/ucb.py", '"""One run."""', '"""One run of UCB."""')
    assert with_source.would_run(*SMOKE) == []


def test_a_changed_drawing_simulates_nothing(with_source):
    with_source.edit("src/dpbandits/figures/style.py", '"lines.linewidth": 1.5', '"lines.linewidth": 2.5')
    assert {job.split()[0] for job in with_source.would_run(*SMOKE)} == {"draw", "compare", "write", "everything"}


GUEST = '''"""Epsilon-greedy, somebody's own algorithm."""

import numpy as np

from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull
from dpbandits.parameters import Probability


def play(rng, arms, horizon, journal, *, greed: Probability = 0.9):
    """One run."""
    greedy(rng, arms, horizon, journal, greed)


@kernel
def greedy(rng, arms, horizon, journal, greed):
    """Explore with probability 1 - greed."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        a = t - 1
        if t > K:
            a = int(np.argmax(s / pulls)) if rng.random() < greed else rng.integers(0, K)
        s[a] += pull(rng, arms, a)
        pulls[a] += 1
        note(journal, t, pulls)
'''


def test_ones_own_algorithm_needs_one_module_and_one_line(with_source):
    """The README's promise: it runs beside ours in every main figure, and nothing of ours runs again."""
    (with_source.folder / "src/dpbandits/algorithms/arms/my_greedy.py").write_text(GUEST)
    line = 'guests: {my-greedy: {label: "Mine, {greed}", algorithm: my_greedy, parameters: {greed: 0.8}}}'
    with_source.edit("config/config.yaml", "guests: {}", line)
    jobs = with_source.would_run(*SMOKE)
    assert [job for job in jobs if job.startswith("simulate tossou2016")] == [
        f"simulate tossou2016 fig2{panel}: my-greedy, runs 0 to 9" for panel in "abcd"
    ]
    with_source.run(*SMOKE, "--", PANEL)
    summary = (with_source.folder / "results/smoke/summaries/tossou2016/fig2a.corrected.csv").read_text()
    assert "my-greedy,20000,10," in summary
    with_source.edit("config/config.yaml", "greed: 0.8", "gred: 0.8")
    with_source.edit("config/config.yaml", "{greed}", "")
    told = "experiments.fig2a.policies.my-greedy (published reading): parameters: unknown key 'gred'; did you mean 'greed'?"
    assert told in with_source.run(*SMOKE, "--", PANEL, expect=1)


def test_same_bytes_from_other_blocks_and_cores(finished, tmp_path):
    other = Project.new(tmp_path)
    other.run("--cores", "1", "--config", "scale=smoke", "block=3", "--", PANEL)
    for pattern in (
        "results/smoke/summaries/tossou2016/fig2a.corrected.csv",
        PANEL,
        PANEL.replace(".pdf", ".png"),
    ):
        assert other.bytes(pattern) == {name: finished.bytes(name)[name] for name in other.bytes(pattern)}
        assert other.bytes(pattern)
    blocks = sorted((tmp_path / "results/smoke/traces/tossou2016/fig2a.corrected/dp-ucb").iterdir())
    assert [b.name for b in blocks] == ["0-2.npz", "3-5.npz", "6-8.npz", "9-9.npz"]
    (whole,) = (finished.folder / "results/smoke/traces/tossou2016/fig2a.corrected/dp-ucb").iterdir()
    joined = np.concatenate([np.load(b)["regret"] for b in blocks], axis=1)
    assert np.array_equal(joined, np.load(whole)["regret"])


def test_a_truncated_trace_is_named_and_its_neighbours_stay(copy):
    trace = copy.folder / "results/smoke/traces/tossou2016/fig2a/ucb/0-9.npz"
    others = {p: p.stat().st_mtime_ns for p in copy.folder.glob("results/smoke/traces/**/*.npz") if p != trace}
    trace.write_bytes(trace.read_bytes()[:1000])
    output = copy.run(*SMOKE, "--", PANEL, expect=1)
    told = "error: results/smoke/traces/tossou2016/fig2a/ucb/0-9.npz: truncated or not a trace"
    assert told in output
    assert "delete it (rm 'results/smoke/traces/tossou2016/fig2a/ucb/0-9.npz')" in output
    assert "Traceback" not in output
    trace.unlink()
    output = copy.run(*SMOKE, "--", "tossou2016")
    assert re.findall(r"Job \d+: (simulate .*)", output) == ["simulate tossou2016 fig2a: ucb, runs 0 to 9"]
    assert all(path.stat().st_mtime_ns == mtime for path, mtime in others.items())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["--config", "scale=smok"],
            "config/config.yaml: scale: 'smok' is not one of paper, draft, smoke; did you mean 'smoke'?",
        ),
        (["--config", "scael=smoke"], "config/config.yaml: unknown key 'scael'; did you mean 'scale'?"),
        (["--config", "seed=-1"], "config/config.yaml: seed: -1 should be at least 0"),
        (["tossou2061"], "No rule to produce tossou2061"),
        (["figures/tossou2016/fig2e.pdf"], "No rule to produce figures/tossou2016/fig2e.pdf"),
        (["figures/tossou2061/fig2a.pdf"], "No rule to produce figures/tossou2061/fig2a.pdf"),
    ],
)
def test_a_wrong_command_is_refused_before_any_job(arguments, told, tmp_path):
    project = Project.new(tmp_path)
    output = project.run(*arguments, expect=1)
    assert told in output
    assert "Traceback" not in output
    assert not (tmp_path / "results").exists()


def test_a_wrong_paper_file_is_refused_before_any_job(tmp_path):
    project = Project.new(tmp_path)
    project.edit("config/papers/tossou2016.yaml", "parameters: {epsilon: 0.1}", "parameters: {epsilon: 0}")
    output = project.run(expect=1)
    told = "config/papers/tossou2016.yaml: experiments.fig2b.policies.private-ucb (published reading): parameters: epsilon: 0"
    assert told in output
    assert "Traceback" not in output
    assert not (tmp_path / "results").exists()


def test_the_papers_own_statistic_is_drawn_on_demand(copy):
    before = copy.bytes(PANEL)
    output = copy.run("--config", "scale=smoke", "estimator=paper", "--", PANEL)
    assert re.findall(r"Job \d+: (.*)", output) == ["draw tossou2016 fig2a.corrected"]
    assert copy.bytes(PANEL) != before


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper != "tossou2016"])
def test_the_other_papers_reproduce_their_reference(paper, tmp_path):
    """tossou2016's own run is verified below."""
    project = Project.new(tmp_path, papers=[paper])
    assert "is there" in project.run(*SMOKE, "--", paper)
    output = project.run(*SMOKE, "--", "verify")
    assert re.search(r"^0 differences from the reference: .*, 0 without a reference$", output, re.MULTILINE), output


def test_verify_says_what_differs(copy):
    if not (ROOT / "reference/smoke/SHA256SUMS").exists():
        pytest.fail("there is no reference for the smoke scale: make reference")
    output = copy.run(*SMOKE, "--", "verify")
    assert re.search(r"^0 differences from the reference: \d+ identical", output, re.MULTILINE)
    assert re.search(r"^(identical|same numbers) +tossou2016 fig2a\.corrected", output, re.MULTILINE)
    summary = copy.folder / "reference/smoke/summaries/tossou2016/fig2a.csv"
    lines = summary.read_text().splitlines()
    fields = lines[-1].split(",")
    fields[3] = f"{float(fields[3]) * 1.001:.12g}"
    summary.write_text("\n".join([*lines[:-1], ",".join(fields)]) + "\n")
    sums = copy.folder / "reference/smoke/SHA256SUMS"
    sums.write_text(re.sub(r"\w+(?=  summaries/tossou2016/fig2a.csv)", "0" * 64, sums.read_text()))
    output = copy.run(*SMOKE, "--", "verify", expect=1)
    assert re.search(r"^differs +tossou2016 fig2a  \(.*fig2a.csv: row \d+, mean", output, re.MULTILINE)
    assert re.search(r"^differs +tossou2016 fig2  \(", output, re.MULTILINE)
    assert re.search(r"^2 differences from the reference", output, re.MULTILINE)


def test_a_simulate_job_imports_neither_pandas_nor_matplotlib():
    code = (
        "import sys; from dpbandits import simulation, traces, algorithms\n"
        "for name in algorithms.known(): algorithms.find(name)\n"
        "print([m for m in ('pandas', 'matplotlib', 'seaborn', 'snakemake') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

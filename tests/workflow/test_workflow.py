"""The workflow as a user meets it: what runs, what runs again, what is printed, the same bytes.

Everything is at the smoke scale, in a run of tossou2016 or in copies of it. In the slow half the
same holds for the run of all papers.
"""

import json
import os
import re

import pytest
from project import PAPERS, ROOT, SMOKE, Project, cut_off_from_the_network, jobs_in, study_of

from dpbandits.plan.tables import SHARES
from dpbandits.studies import strict_yaml

COMPARE = "compare with reference/smoke/"
PAGE = "write the page, results/smoke/page/index.html"
LAST = [COMPARE, PAGE, "everything: up to date"]
CLAIMS = "answer the claims of all papers"
RESULTS = "results/smoke/"
OF_INPUTS = ("input", "input_checksums")  # keys of a record
CLAIM = "drawn_runs: 100"
PANEL = "results/smoke/figures/tossou2016/fig2a.corrected.pdf"


def test_everything_is_made_at_its_place(one_paper):
    assert [path.name for path in (one_paper.folder / "results").iterdir()] == ["smoke"]
    assert not (one_paper.folder / "figures").exists()
    page = one_paper.folder / "results/smoke/page"
    assert 'href="files/tossou2016/fig2a.pdf"' in (page / "index.html").read_text()
    assert (page / "files/tossou2016/fig2a.pdf").stat().st_size > 5_000


def papers_of(project):
    return sorted(path.stem for path in project.folder.glob("config/papers/*.yaml"))


def test_every_paper_reproduces_its_reference(made):
    """The run has compared its figures and tables with reference/smoke."""
    lines = (made.folder / "results/smoke/verification.txt").read_text().splitlines()
    differing = [line for line in lines if line.startswith(("differs", "not in"))]
    for paper in papers_of(made):
        assert [line for line in differing if paper in line] == []
        figures = study_of(paper, "smoke").figures
        compared = {line.split("  (")[0].split("  ")[-1].strip() for line in lines if paper in line}
        tables = {f"{kind}/{paper}" for kind in ("checks", "accounts", "audits", "replays")}
        assert {f"{paper} {figure}" for figure in figures} | tables <= compared


@pytest.mark.slow
def test_the_run_of_all_papers_reproduces_all_claims_and_the_arena(finished):
    *lines, total = (finished.folder / "results/smoke/verification.txt").read_text().splitlines()
    assert re.match(r"0 differences from the reference: .*, 0 not in the reference$", total)
    assert any(re.fullmatch("identical +claims", line) for line in lines)
    assert any(re.fullmatch("identical +arena scores", line) for line in lines)


@pytest.mark.slow
@pytest.mark.skipif(not cut_off_from_the_network(), reason="a namespace needs root")
def test_no_network_is_needed(finished):
    """The run of all papers had none."""
    assert re.search(r"^(\d+) of \1 steps \(100%\) done$", finished.output, re.M)


def test_a_run_tells_its_progress_and_where_to_look(one_paper):
    assert re.search(r"^(\d+) of \1 steps \(100%\) done$", one_paper.output, re.M)
    assert "simulate tossou2016 fig2a: together-1, runs 0 to 9" in one_paper.last_log()
    closing = one_paper.output[one_paper.output.rindex("figures:") :]
    assert closing[: closing.index("differences from the reference")].count("\n") < 8
    for line in (
        "figures: results/smoke/figures",
        "checks:  results/smoke/checks",
        r"Of \d+ claims about experiments, \d+ holds? as published",
        r"Of \d+ promises of privacy, \d+ (is|are) proved as published",
        r"\d+ differences from the reference",  # which has other papers, too
    ):
        assert re.search(line, closing)


@pytest.mark.slow
def test_the_page_of_everything_is_light(finished):
    assert (finished.folder / "results/smoke/page/index.html").stat().st_size < 1_500_000


def test_snakemakes_own_report_shows_every_figure(one_paper, tmp_path):
    page = tmp_path / "snakemake.html"
    one_paper.run(*SMOKE, "--report", str(page), "--", "tossou2016")
    text = page.read_text()
    for figure in ("fig1", "fig2a", "fig2a.corrected", "s-hybrid"):
        assert f"{figure}.png" in text
    assert "How a private algorithm uses the rewards" in text


def test_a_target_needs_its_own_jobs_only(tmp_path):
    """A panel needs its simulations and its summary, and a diagram nothing."""
    project = Project.new(tmp_path)
    jobs = project.would_run("figures/tossou2016/fig2c.pdf", "figures/tossou2016/fig1.pdf")
    of_batches = {job.partition(", runs ")[0] for job in jobs}
    assert of_batches == {
        *("draw tossou2016/fig1", "draw tossou2016/fig2c", "summarise tossou2016 fig2c"),
        *(f"simulate tossou2016 fig2c: {batch}" for batch in ("together-1", "dp-ucb")),
        *(f"simulate tossou2016 fig2c: dp-ucb-{variant}" for variant in ("bound", "int")),
    }
    jobs = project.would_run("checks/tossou2016/A3")  # which judges no promise
    assert "answer checks/tossou2016/A3" in jobs
    assert not any(job.startswith("audit") for job in jobs)


def test_an_account_waits_for_the_replays_of_guests(tmp_path):
    """A replay may contradict what a guest promises."""
    project = Project.new(tmp_path)
    module = "from dpbandits.policies import UCB\n\n\nclass Mine(UCB):\n    pass\n"
    (tmp_path / "config/my_ucb.py").write_text(module)
    guest = "guests: {mine: {label: Mine, algorithm: my_ucb}}"
    project.edit("config/config.yaml", "guests: {}", guest)
    assert project.would_run(*SMOKE, "--", "results/smoke/accounts/tossou2016.csv") == [
        "account for the privacy of tossou2016",
        "replay mine",
        "replay the policies of tossou2016",
    ]


def test_every_target_exists(tmp_path):
    up_to_date = ["tossou2016", "tossou2016/checks", "tossou2016/fig2a", "checks", "audit"]
    others = ["all", "claims", "verify", "verify/tossou2016", "page", "replays"]
    jobs = Project.new(tmp_path).would_run(*up_to_date, *others)
    messages = {f"{target}: up to date" for target in ("everything", "replays", *up_to_date)}
    messages |= {f"verify{study} against reference/" for study in ("", " tossou2016")}
    assert messages | {CLAIMS, "write the page, results/paper/page/index.html"} < {*jobs}


def test_one_epsilon_changed_runs_what_depends_on_it(copy):
    copy.edit(
        "config/papers/tossou2016.yaml",
        "policies: [ucb, private-ucb, dp-ucb-bound, dp-ucb, dp-ucb-int]",
        "policies: {ucb: {}, private-ucb: {}, dp-ucb-bound: {}, "
        "dp-ucb: {epsilon: 0.5}, dp-ucb-int: {}}",
        count=4,  # of the panels
    )
    # In all panels of Figure 2, in both readings, and in no supplementary figure.
    panels = [f"fig2{panel}" for panel in "abcd"]
    wanted = {f"simulate tossou2016 {panel}: together-1, runs 0 to 9" for panel in panels}
    wanted |= {f"summarise tossou2016 {panel}" for panel in panels}
    for figure in (*panels, "fig2"):
        wanted |= {f"draw tossou2016/{figure}{end}" for end in ("", ".corrected")}
    wanted |= {f"audit tossou2016: share {share}" for share in SHARES}
    wanted |= {
        "account for the privacy of tossou2016",
        "join the audits of tossou2016",
        "replay the policies of tossou2016",
        "check tossou2016",
    }
    assert copy.would_run(*SMOKE) == sorted({*wanted, CLAIMS, *LAST})


def test_a_label_and_a_claim_changed_draw_and_judge_and_simulate_nothing(copy):
    copy.edit("config/papers/tossou2016.yaml", "x: {label: time step t", "x: {label: round")
    copy.edit("config/claims/tossou2016.yaml", CLAIM, CLAIM.replace("100", "99"))
    jobs = copy.would_run(*SMOKE)
    assert [job for job in jobs if not job.startswith("draw")] == sorted(
        ["check tossou2016", CLAIMS, *LAST]
    )
    assert len(jobs) == 12 + 5  # every figure but the diagram, which has no axes


CHANGED = [  # `reads`, below, has all files that are compared or shown
    ("reference/smoke/summaries/tossou2016/fig2a.csv", "0.", "1.", LAST),
    ("config/claims/tossou2016.yaml", "\n", "\n# A comment\n", LAST[1:]),
]


@pytest.mark.parametrize(("file", "old", "new", "jobs"), CHANGED)
def test_a_changed_reference_is_compared_and_a_comment_in_a_file_is_on_the_page(
    file, old, new, jobs, copy
):
    copy.edit(file, old, new)
    assert copy.would_run(*SMOKE) == sorted(jobs)


def test_what_snakemake_records_of_a_job_is_short_and_names_no_path_and_no_study(made):
    """Besides its inputs and their checksums. The parameters are one digest."""
    records = made.records()
    rules = {record["rule"] for record in records.values()}
    assert {"simulate", "summarise", "check", "audit_part", "draw", "page"} < rules
    for output, record in records.items():
        kept = {key: value for key, value in record.items() if key not in OF_INPUTS}
        assert len(json.dumps(kept)) < 1000, output
        (digest,) = record["params"]
        assert re.fullmatch("'[0-9a-f]{16}'", digest), output


POINTS, SUMMARY = "reference/published/sarkar2025/fig1a.csv", "summaries/sarkar2025/fig1a.csv"
READS = {  # without those of papers that a run lacks
    "accounts/tossou2016.csv": ["replays/tossou2016.csv"],
    "audits/tossou2016/1.csv": [],
    "audits/arena.csv": [
        *(f"audits/arena/{share}.csv" for share in SHARES),
        "replays/arena.csv",
    ],
    "figures/tossou2016/fig1.pdf": [],
    "figures/tossou2016/fig2.pdf": [f"summaries/tossou2016/fig2{panel}.csv" for panel in "abcd"],
    "figures/sarkar2025/fig1a.pdf": [POINTS, SUMMARY],
    "figures/sarkar2025/fig1a.corrected.pdf": [SUMMARY],
    "distances.csv": [POINTS, SUMMARY],
}


def test_each_job_reads_what_it_is_made_of(made):
    """By Snakemake's records of the run, below results/smoke or in the repository."""
    papers = papers_of(made)
    reads = {
        output.removeprefix(RESULTS): sorted(file.removeprefix(RESULTS) for file in record["input"])
        for output, record in made.records().items()
    }
    whole = papers == PAPERS
    wanted = {output: of for output, of in READS.items() if whole or "/tossou2016" in output}
    wanted["claims.csv"] = [f"checks/{paper}.csv" for paper in papers]
    assert {output: reads[output] for output in wanted} == wanted
    for paper in papers:
        for name in study_of(paper, "smoke").experiments:
            traces = reads[f"summaries/{paper}/{name}.csv"]
            assert traces
            assert all(trace.startswith(f"traces/{paper}/{name}/") for trace in traces)
            assert not any(reads[trace] for trace in traces)
        checked = {file.rsplit("/", 3)[0] for file in reads[f"checks/{paper}.csv"]}
        assert checked == {"audits", f"traces/{paper}"}
        assert f"audits/{paper}.csv" in reads[f"checks/{paper}.csv"]
    tables = {file for file in reads if re.fullmatch(r"(?!audits/\w+/).*\.csv", file)}
    references = made.bytes("reference/smoke/**/*")
    studies = {f"config/{kind}/{paper}.yaml" for kind in ("papers", "claims") for paper in papers}
    assert {*reads["verification.txt"]} >= tables | references.keys()
    arena = {"config/arena.yaml"} if whole else set()
    assert {*reads["page/index.html"]} >= tables | studies | arena


GUEST = '''"""UCB under another name, with a parameter."""

from dpbandits.policies.arms.ucb import UCB
from dpbandits.parameters import Probability


class MyGreedy(UCB):
    """UCB with a parameter."""

    greed: Probability = 0.9
'''


def test_ones_own_algorithm_needs_one_module_and_one_line(copy):
    """It runs beside ours in every main figure, and nothing of ours runs again."""
    (copy.folder / "config/my_greedy.py").write_text(GUEST)
    entry = '{label: "Mine, {greed}", algorithm: my_greedy, parameters: {greed: 0.8}}'
    copy.edit("config/config.yaml", "guests: {}", f"guests: {{my-greedy: {entry}}}")
    printed = copy.run("-n", *SMOKE)
    assert [job for job in jobs_in(printed) if job.startswith("simulate tossou2016")] == [
        f"simulate tossou2016 fig2{panel}: my-greedy, runs 0 to 9" for panel in "abcd"
    ]
    assert "replay my-greedy" in jobs_in(printed)
    summary = "results/smoke/summaries/tossou2016/fig2a.csv"
    copy.run(*SMOKE, "--", summary)
    assert "my-greedy,20000,10," in (copy.folder / summary).read_text()
    copy.edit("config/config.yaml", "greed: 0.8", "gred: 0.8")
    copy.edit("config/config.yaml", "{greed}", "")
    message = (
        "guests.my-greedy: parameters: unknown parameter of my_greedy 'gred'; did you mean 'greed'?"
    )
    assert f"config/config.yaml: {message}" in copy.run(*SMOKE, "--", PANEL, expect=1)


def test_same_bytes_from_other_blocks_and_cores(one_paper, tmp_path):
    """Figures are drawn from the summary. tests/test_files.py cuts the runs in more ways."""
    other, summary = Project.new(tmp_path), "results/smoke/summaries/tossou2016/s-lost-runs.csv"
    other.run("--cores", "1", "--config", "scale=smoke", "block=3", "--", summary)
    assert (other.folder / summary).read_bytes() == (one_paper.folder / summary).read_bytes()
    blocks = (other.folder / "results/smoke/traces/tossou2016/s-lost-runs/dp-ucb-int").iterdir()
    assert sorted(block.name for block in blocks) == ["0-2.npz", "3-5.npz", "6-8.npz", "9-9.npz"]


def test_a_wrong_command_or_file_is_refused_before_any_job(tmp_path):
    project = Project.new(tmp_path)
    printed = project.run("-n", "--config", "scael=smoke", expect=1)
    assert "config/config.yaml: unknown key 'scael'; did you mean 'scale'?" in printed
    (tmp_path / "config/papers/tossou2016.yaml").rename(tmp_path / "config/papers/claims.yaml")
    (tmp_path / "config/claims/tossou2016.yaml").unlink()
    message = "config/papers/claims.yaml: 'claims' is a target of its own; rename the file"
    assert message in project.run("-n", expect=1)
    project.edit("config/config.yaml", "guests: {}", "guests: {mine: {label: Mine algorithm: ucb}}")
    message = "config/config.yaml: not valid YAML: while parsing a flow mapping in line"
    assert message in project.run("-n", expect=1)


@pytest.fixture(scope="module")
def two_papers(tmp_path_factory):
    return Project.new(tmp_path_factory.mktemp("two"), papers=("tossou2016", "azize2022"))


NEAREST = strict_yaml.read_yaml(ROOT / "tests/workflow/nearest.yaml")


@pytest.mark.parametrize(("target", "nearest"), NEAREST.items())
def test_a_misspelt_target_is_refused_in_one_line_with_the_nearest_name(
    target, nearest, two_papers
):
    message = f"No rule to produce {target}: did you mean '{nearest}'?"
    output = two_papers.run("-n", target, expect=1)
    _, _, refusal = output.rpartition("Building DAG of jobs...\n")
    assert refusal.strip() == (f"unknown {nearest}" if " " in nearest else message)


def test_the_papers_own_statistic_is_drawn_on_demand(copy):
    before = copy.bytes(PANEL)
    copy.run("--config", "scale=smoke", "estimator=paper", "--", PANEL)
    assert copy.last_jobs() == ["draw tossou2016/fig2a.corrected"]
    assert copy.bytes(PANEL) != before


def test_verify_says_what_differs(copy):
    """One number of one table is off by a thousandth."""
    summary = copy.folder / "results/smoke/summaries/tossou2016/fig2a.csv"
    about, lines = summary.stat(), summary.read_text().splitlines()
    fields = lines[-1].split(",")
    fields[3] = f"{float(fields[3]) * 1.001:.10g}"
    summary.write_text("\n".join([*lines[:-1], ",".join(fields)]) + "\n")
    os.utime(
        summary, ns=(about.st_atime_ns, about.st_mtime_ns)
    )  # so that Snakemake does not notice
    output = copy.run(*SMOKE, "--", "verify/tossou2016", expect=1)
    assert re.search(
        r"^differs +tossou2016 fig2a  \(.*fig2a.csv: row \d+, mean", output, re.MULTILINE
    )
    assert re.search(r"^differs +tossou2016 fig2.corrected  \(", output, re.MULTILINE)
    assert re.search(r"^(identical|same numbers) +tossou2016 s-hybrid\b", output, re.MULTILINE)
    assert re.search(r"^4 differences from the reference: ", output, re.MULTILINE)


def test_another_seed_overwrites_nothing(copy):
    """The figures of another seed are below its own folder, also at the paper's scale."""
    of_seed, summary = "results/seed-7/", "summaries/tossou2016/fig2d.csv"
    target = f"{of_seed}paper/figures/tossou2016/fig1.pdf"
    assert copy.would_run("--config", "seed=7", "--", target) == ["draw tossou2016/fig1"]
    before, target = copy.bytes("results/**/*"), f"{of_seed}smoke/figures/tossou2016/fig2d.pdf"
    copy.run("--config", "scale=smoke", "seed=7", "--", target)
    after = copy.bytes("results/**/*")
    assert before.items() <= after.items()
    assert all(name.startswith(of_seed) for name in after.keys() - before.keys())
    assert after[f"{of_seed}smoke/{summary}"] != before[f"results/smoke/{summary}"]

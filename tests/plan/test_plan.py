"""The decisions about a run: its jobs, what is submitted, its tables, and on which files and code a result depends.

Nothing here starts Snakemake. The numbers follow from the paper files; where a small study is enough, it is tossou2016.
"""

from functools import cache
from pathlib import Path

import pytest
from project import ROOT

from dpbandits.errors import InputError
from dpbandits.plan.fingerprints import code_of_table
from dpbandits.plan.plan import Plan
from dpbandits.plan.registry import files_in
from dpbandits.studies import strict_yaml

SETTINGS = strict_yaml.read_yaml(ROOT / "config/config.yaml")
TOSSOU2016 = (ROOT / "config/papers/tossou2016.yaml").read_text()
LONG = "sarkar2025/fig1b/ldp-ncb"  # more runs than one job has


@cache
def everything():
    return Plan({**SETTINGS, "scale": "smoke"}, ROOT / "config")


@pytest.fixture
def one_paper(tmp_path):
    """The plan of tossou2016 alone, with these settings, or of another text of its file."""

    def make(text=TOSSOU2016, **settings):
        (tmp_path / "papers").mkdir(exist_ok=True)
        (tmp_path / "papers/tossou2016.yaml").write_text(text)
        return Plan({**SETTINGS, **settings}, tmp_path)

    return make


# ---- jobs and their runs


@pytest.mark.parametrize("block", ["auto", 7])
def test_chunks_cover_every_run_once(block):
    plan = Plan({**SETTINGS, "block": block}, ROOT / "config")
    for name, batch in plan.batches.items():
        ends = [tuple(map(int, Path(file).stem.split("-"))) for file in plan.traces_of(name)]
        assert [run for first, last in ends for run in range(first, last + 1)] == list(range(batch.runs))
    assert len(plan.traces_of(LONG)) > 1


def test_a_job_has_as_many_runs_as_are_chosen(one_paper):
    plan = one_paper(scale="smoke", block=3)
    folder = "results/smoke/traces/tossou2016/s-lost-runs/dp-ucb-int"
    chunks = [f"{folder}/{runs}.npz" for runs in ("0-2", "3-5", "6-8", "9-9")]
    assert plan.traces_of("tossou2016/s-lost-runs/dp-ucb-int") == chunks


def test_jobs_of_few_rounds_stay_where_snakemake_runs(one_paper):
    assert one_paper().submitted == one_paper().batches.keys()
    few = min(batch.rounds for batch in one_paper().batches.values())
    plan = one_paper(submit_above=few + 1)
    assert {batch.rounds for name, batch in plan.batches.items() if name not in plan.submitted} == {few}


def test_both_readings_are_simulated_in_one_job(one_paper):
    """UCB and DP-UCB-INT are the same in both readings of Figure 2, and are simulated once."""
    plan = one_paper(scale="smoke")
    fig2a = plan.papers["tossou2016"].experiments["fig2a"]
    for experiment in (fig2a, *fig2a.by_reading):
        ((spec, files, series),) = plan.runs_of(experiment)
        assert files == ["results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz"]
        assert series == list(experiment.series)
        assert set(series) <= spec["series"].keys()
    twice = {"private-ucb", "dp-ucb-bound", "dp-ucb"}
    assert fig2a.series.keys() == {"ucb", "dp-ucb-int", *twice, *(f"{policy}.corrected" for policy in twice)}


def test_a_wrong_paper_file_and_a_wrong_setting_make_no_plan(one_paper, tmp_path):
    with pytest.raises(InputError, match=r"fig2b.policies.private-ucb \(published reading\): parameters: epsilon: 0"):
        one_paper(TOSSOU2016.replace("parameters: {epsilon: 0.1}", "parameters: {epsilon: 0}"))
    with pytest.raises(InputError, match=r"20090501\.gz: this day of R6A is missing"):
        one_paper(r6a=str(tmp_path))
    text = (ROOT / "config/config.yaml").read_text()
    (tmp_path / "config.yaml").write_text("guests: {mine: {label: Mine, algorithm: dp_se}}\n" + text)
    with pytest.raises(InputError, match=r"config.yaml: not valid YAML: duplicate key 'guests'; keep one of them"):
        one_paper()


# ---- tables


def test_every_table_can_be_asked_for():
    plan = everything()
    assert set(map(plan.file, plan.tables)) < set(plan.targets())
    assert "results/smoke/tables/azize2022/table2.csv" in plan.files("azize2022")
    assert set(plan.files()) == {plan.file(name) for name, table in plan.tables.items() if table.in_all}


def read_by(plan, table):
    return files_in(plan.tables[table].given)


def test_what_a_table_reads():
    plan = everything()
    assert read_by(plan, "accounts/tossou2016") == read_by(plan, "audits/arena/1") == []
    assert read_by(plan, "audits/arena") == [plan.file(f"audits/arena/{part}") for part in (1, 2, 3, 4)]
    assert read_by(plan, "sentences") == [plan.file(f"claims/{paper}") for paper in plan.papers]
    assert plan.file("audits/arena") in read_by(plan, "arena/scores")
    summarised = read_by(plan, "summaries/sarkar2025/fig1b")
    assert {file.split("/")[4] for file in summarised} == {"fig1b"}
    assert set(read_by(plan, "claims/sarkar2025")) > set(summarised)


def test_what_a_table_is_given_reads_the_same_in_every_run():
    """Snakemake compares it by its text: an address in it would make the table again every time."""
    assert [name for name, table in everything().tables.items() if " at 0x" in repr(table.given)] == []


def test_a_test_needs_its_own_experiments_only(one_paper):
    plan = one_paper()
    study, tests, said = plan.asked["claims/tossou2016/A8-long"]
    assert (tests, said) == (["A8-long"], [])
    given = plan.to_judge(study, tests)
    assert [[e.id for e in case.experiments] for case in given["cases"]] == [["s-lost-runs"]]
    assert (list(given["traces"]), given["audits"]) == (["s-lost-runs"], "")
    promise = plan.to_judge(study, ["P1"])  # which needs no runs
    assert (promise["traces"], promise["audits"]) == ({}, "results/paper/audits/tossou2016.csv")


def test_a_sentence_needs_what_its_tests_need_and_a_promise_of_privacy_the_audits():
    plan = everything()
    for paper in plan.papers.values():
        for name, sentence in paper.sentences.items():
            assert plan.asked[f"sentences/{paper.id}/{name}"] == (paper, sentence.all_tests, [name])
            assert f"results/smoke/sentences/{paper.id}/{name}" in plan.targets()
            file = f"results/smoke/audits/{paper.id}.csv" if name[0] == "P" and sentence.tests else ""
            assert plan.to_judge(paper, sentence.tests)["audits"] == file


def test_the_figures_that_draw_an_experiment(one_paper):
    plan = one_paper()
    cases = plan.to_judge(plan.papers["tossou2016"])["cases"]
    drawn = {(case.experiments[0].id, case.reading): case.figures for case in cases}
    assert drawn["fig2a", "published"] == ("fig2a", "fig2")
    assert drawn["fig2a", "corrected"] == ("fig2a.corrected", "fig2.corrected")
    assert drawn["s-lost-runs", "both"] == ("s-lost-runs",)


# ---- guests

GUESTS = {
    "my-ucb": {"label": "Mine", "algorithm": "ucb"},
    "my-dp-ucb": {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]},
}


def test_a_guest_is_simulated_again_after_runs_without_compilation(monkeypatch):
    """Runs of ours are the same with and without, which tests/test_library.py checks; a guest may not even compile."""
    plan = Plan({**SETTINGS, "scale": "smoke", "guests": GUESTS}, ROOT / "config")
    guests = {name for name, batch in plan.batches.items() if batch.policies[0] in GUESTS}
    compiled = {name: plan.code_of_runs(name) for name in plan.batches}
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert {name for name in plan.batches if plan.code_of_runs(name) != compiled[name]} == guests != set()


def test_guests_have_jobs_of_their_own_and_nothing_of_ours_runs_again():
    with_guests = Plan({**SETTINGS, "scale": "smoke", "guests": GUESTS}, ROOT / "config")
    ours = everything().batches
    added = with_guests.batches.keys() - ours.keys()
    assert {name: with_guests.batches[name] for name in ours} == ours
    assert {with_guests.batches[name].policies for name in added} == {("my-ucb",), ("my-dp-ucb",)}
    series = with_guests.names_of_guests()
    swept = with_guests.papers["azize2022"].experiments["fig3"].policies["my-dp-ucb"].series
    assert series.keys() == GUESTS.keys()
    assert 1 < len(swept) == len({s.id for s in swept} & set(series["my-dp-ucb"]))
    assert series["my-ucb"] == ["my-ucb", "my-ucb.corrected"]  # sarkar2025 counts a regret in two ways
    assert any(line.startswith("guest my-ucb: in azize2022 fig2, ") for line in with_guests.notes())
    audits = [name for name in everything().tables if name.startswith("audits/") and name.count("/") == 2]
    assert [with_guests.tables[name] for name in audits] == [everything().tables[name] for name in audits]
    own = {
        p.id for e in with_guests.tables["audits/tossou2016/guests"].given["experiments"] for p in e.policies.values()
    }
    assert own == GUESTS.keys()
    assert everything().notes() == []


# ---- folders


def test_the_papers_scale_with_the_usual_seed_writes_at_the_top(one_paper):
    plan = one_paper()
    assert (plan.results, plan.figures_folder, plan.reference) == ("results/paper", "figures", "reference")
    assert {"figures/tossou2016/fig2.pdf", "claims/tossou2016/A3"} <= set(plan.targets())


@pytest.mark.parametrize(
    ("seed", "scale", "place"), [(1, "smoke", "smoke"), (7, "paper", "seed-7/paper"), (7, "smoke", "seed-7/smoke")]
)
def test_any_other_run_has_folders_of_its_own(seed, scale, place, one_paper):
    plan = one_paper(seed=seed, scale=scale)
    results = f"results/{place}"
    assert (plan.results, plan.figures_folder, plan.reference) == (results, f"{results}/figures", f"reference/{place}")
    assert {f"{results}/figures/tossou2016/fig2.pdf", f"{results}/claims/tossou2016/A3"} <= set(plan.targets())
    assert all(file.startswith(f"{results}/") for file in plan.targets())


def test_the_real_log_replaces_the_synthetic_one_under_a_folder_of_its_own(tmp_path):
    for day in range(1, 11):
        (tmp_path / f"ydata-fp-td-clicks-v1_0.200905{day:02d}").touch()
    plan = Plan({**SETTINGS, "r6a": str(tmp_path)}, ROOT / "config")
    assert (plan.results, plan.reference) == ("results/paper-r6a", "reference/paper-r6a")
    assert [file.name[-2:] for file in plan.log_of_news] == [f"{day:02d}" for day in range(1, 11)]
    reading = {name for name in plan.batches if plan.read_by(name)}
    assert {name.split("/")[0] for name in reading} == {"mishra2015"}
    assert any(name.startswith("mishra2015/fig2/") for name in reading)
    assert not any(name.startswith("mishra2015/fig1a/") for name in reading)
    assert plan.read_by(min(reading)) == [f"results/paper-r6a/news/{name}" for name in ("events.bin", "tables.npz")]
    assert not any(everything().read_by(name) for name in everything().batches)


# ---- the code that a result depends on


def codes():
    """Result -> the hash of its code: the batches of tossou2016, its tables, and two of its figures."""
    plan = everything()
    found = {name: plan.code_of_runs(name) for name in plan.batches if name.startswith("tossou2016/")}
    tables = ("summaries/tossou2016/fig2a", "claims/tossou2016", "accounts/tossou2016", "audits/tossou2016/1")
    for name in (*tables, "tables/azize2022/table1"):
        found[name.split("/")[0]] = code_of_table(plan.tables[name].function, plan.tables[name].given)
    return found | {name: plan.code_of_figure("tossou2016", name) for name in ("fig2a", "fig1")}


unchanged = cache(codes)  # asked before the first edit


BATCHES = {name: set(batch.policies) for name, batch in everything().batches.items() if name.startswith("tossou2016/")}
EVERY = set().union(*BATCHES.values())
OF_ALGORITHMS = {"claims", "accounts", "audits"}
CHANGES = [
    ("algorithms.arms.private_ucb", "mu_hat + bonus * width", "mu_hat - bonus * width", {"private-ucb"}, OF_ALGORITHMS),
    ("figures.style", '"grid.linewidth": 0.5', '"grid.linewidth": 0.8', (), {"fig2a", "fig1"}),
    ("environments.arms.bernoulli", "dtype=np.float64", "dtype=float", EVERY, OF_ALGORITHMS),
    ("statistics.summaries", "OF_PAPER = [", "OF_PAPER = [*[], ", (), {"summaries", "fig2a", "fig1"}),  # which read them
]  # fmt: skip


@pytest.mark.parametrize(("module", "old", "new", "policies", "others"), CHANGES, ids=[c[1][:20] for c in CHANGES])
def test_a_change_of_a_module_repeats_what_depends_on_it(edit_package, module, old, new, policies, others):
    before = unchanged()
    edit_package(module, old, new)
    after = codes()
    again = {name for name, members in BATCHES.items() if members & set(policies)}
    assert {name for name in before if before[name] != after[name]} == again | set(others)


# ---- what the authors drew


def test_drawn_curves_are_shown_and_compared_where_the_games_are_as_long_as_theirs(monkeypatch):
    """At the smoke scale only those of sarkar2025's Figure 1a are."""
    monkeypatch.chdir(ROOT)
    plan, file = Plan({**SETTINGS, "scale": "smoke"}), "reference/published/sarkar2025/fig1a.csv"
    assert [plan.published_in("sarkar2025", name) for name in ("fig1a", "fig1")] == [[file], [file]]
    assert plan.published_in("sarkar2025", "fig1a.corrected") == []
    assert plan.published_in("azize2022", "fig2") == []
    assert read_by(plan, "distances") == ["results/smoke/summaries/sarkar2025/fig1a.csv", file]
    at_paper_scale = Plan({**SETTINGS, "published_points": "false"}, ROOT / "config")
    assert at_paper_scale.published_in("sarkar2025", "fig1a") == []
    assert [len(files) for files in at_paper_scale.published.values() if files] == [2, 6]
    assert len(at_paper_scale.compared()) == 8

"""The decisions about a run: its jobs, what is submitted, its tables, and on which files and code a result depends.

Nothing here starts Snakemake. The numbers follow from the paper files; where a small study is enough, it is tossou2016.
"""

from collections import defaultdict
from functools import cache

import pytest
from project import ROOT

from dpbandits.errors import InputError
from dpbandits.plan.batches import rounds_of
from dpbandits.plan.plan import Plan
from dpbandits.studies import strict_yaml

SETTINGS = strict_yaml.read_yaml(ROOT / "config/config.yaml")
TOSSOU2016 = (ROOT / "config/papers/tossou2016.yaml").read_text()


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
    covered = defaultdict(list)
    for name, call in plan.traces.items():
        first, last = map(int, name.split("/")[-1].split("-"))
        assert (call.given["first"], call.given["last"]) == (first, last)
        for id in call.given["spec"]["series"]:
            covered[(*name.split("/")[:2], id)] += range(first, last + 1)
    assert len(plan.traces) > len(plan.batches)
    for study in plan.studies.values():
        for experiment in study.experiments.values():
            for id, series in experiment.series.items():
                runs = experiment.policies[series.policy].runs
                assert covered.pop((study.id, experiment.id, id)) == list(range(runs))
    assert covered == {}


def test_a_job_has_as_many_runs_as_are_chosen(one_paper):
    plan, batch = one_paper(scale="smoke", block=3), "tossou2016/s-lost-runs/dp-ucb-int"
    assert [name for name in plan.traces if name.startswith(f"{batch}/")] == [
        f"{batch}/{runs}" for runs in ("0-2", "3-5", "6-8", "9-9")
    ]


def test_jobs_of_few_rounds_stay_where_snakemake_runs(one_paper):
    assert one_paper().submitted == one_paper().traces.keys()
    rounds = {name: rounds_of(call.given) for name, call in one_paper().traces.items()}
    few = min(rounds.values())
    plan = one_paper(submit_above=few + 1)
    assert plan.traces.keys() - plan.submitted == {name for name in rounds if rounds[name] == few}


def test_both_readings_are_simulated_in_one_job(one_paper):
    """UCB and DP-UCB-INT are the same in both readings of Figure 2, and are simulated once."""
    plan = one_paper(scale="smoke")
    fig2a = plan.papers["tossou2016"].experiments["fig2a"]
    ((spec, files),) = plan.tables["summaries/tossou2016/fig2a"].given["traces"]
    assert files == ["results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz"]
    twice = {"private-ucb", "dp-ucb-bound", "dp-ucb"}
    both = {"ucb", "dp-ucb-int", *twice, *(f"{policy}.corrected" for policy in twice)}
    assert fig2a.series.keys() == spec["series"].keys() == both


def test_a_wrong_paper_file_and_a_wrong_setting_make_no_plan(one_paper, tmp_path):
    with pytest.raises(
        InputError,
        match=r"fig2b.policies.private-ucb \(published reading\): parameters: epsilon: 0",
    ):
        one_paper(TOSSOU2016.replace("parameters: {epsilon: 0.1}", "parameters: {epsilon: 0}"))
    with pytest.raises(InputError, match=r"20090501\.gz: this day of R6A is missing"):
        one_paper(r6a=str(tmp_path))
    text = (ROOT / "config/config.yaml").read_text()
    (tmp_path / "config.yaml").write_text(
        "guests: {mine: {label: Mine, algorithm: dp_se}}\n" + text
    )
    with pytest.raises(
        InputError, match=r"config.yaml: not valid YAML: duplicate key 'guests'; keep one of them"
    ):
        one_paper()


# ---- tables


def test_every_table_can_be_asked_for():
    plan = everything()
    assert set(map(plan.file, plan.tables)) < set(plan.targets())
    of_paper = {
        f"results/smoke/{file}"
        for file in ("tables/azize2022/table2.csv", "figures/azize2022/fig2.pdf")
    }
    assert of_paper <= set(plan.results_of("azize2022"))
    tables = {plan.file(name) for name, table in plan.tables.items() if table.in_all}
    assert {file for file in plan.results_of() if file.endswith(".csv")} == tables


def read_by(plan, table):
    return plan.tables[table].files


def test_what_a_table_reads():
    plan = everything()
    assert read_by(plan, "accounts/tossou2016") == read_by(plan, "audits/arena/1") == []
    assert read_by(plan, "audits/arena") == [
        plan.file(f"audits/arena/{part}") for part in (1, 2, 3, 4)
    ]
    assert read_by(plan, "claims") == [plan.file(f"checks/{paper}") for paper in plan.papers]
    assert plan.file("audits/arena") in read_by(plan, "arena/scores")
    summarised = read_by(plan, "summaries/sarkar2025/fig1b")
    assert {file.split("/")[4] for file in summarised} == {"fig1b"}
    assert set(read_by(plan, "checks/sarkar2025")) > set(summarised)


def test_what_a_job_is_given_reads_the_same_in_every_run():
    """Snakemake compares it by its text: an address in it would make the table again every time."""
    plan = everything()
    for calls in (plan.traces, plan.tables, plan.figures, plan.asked, plan.others):
        assert [name for name, call in calls.items() if " at 0x" in repr(call.given)] == []


def test_a_test_needs_its_own_experiments_only(one_paper):
    given = one_paper().asked["checks/tossou2016/A8-long"].given
    assert [[e.id for e in case.experiments] for case in given["checks"]] == [["s-lost-runs"]]
    assert (given["names"], list(given["traces"]), given["audits"]) == ([], ["s-lost-runs"], "")
    promise = one_paper().asked["checks/tossou2016/P1"].given  # which needs no runs
    assert (promise["traces"], promise["audits"]) == ({}, "results/paper/audits/tossou2016.csv")


def test_a_sentence_needs_what_its_tests_need_and_a_promise_of_privacy_the_audits():
    plan = everything()
    for paper in plan.papers.values():
        for name, claim in paper.claims.items():
            call = plan.asked[f"claims/{paper.id}/{name}"]
            assert (call.given["claims"], {case.id for case in call.given["checks"]}) == (
                [name],
                {*claim.all_checks},
            )
            assert f"results/smoke/claims/{paper.id}/{name}" in plan.targets()
            audits = f"results/smoke/audits/{paper.id}.csv"
            assert (audits in call.files) == (name[0] == "P" and bool(claim.all_checks))


def test_the_figures_that_draw_an_experiment(one_paper):
    cases = one_paper().tables["checks/tossou2016"].given["checks"]
    drawn = {(case.experiments[0].id, case.reading): case.figures for case in cases}
    assert drawn["fig2a", "published"] == ("fig2a", "fig2")
    assert drawn["fig2a", "corrected"] == ("fig2a.corrected", "fig2.corrected")
    assert drawn["s-lost-runs", "both"] == ("s-lost-runs",)


# ---- guests

GUESTS = {
    "my-ucb": {"label": "Mine", "algorithm": "ucb"},
    "my-dp-ucb": {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]},
}


def test_guests_have_jobs_of_their_own_and_nothing_of_ours_runs_again():
    with_guests = Plan({**SETTINGS, "scale": "smoke", "guests": GUESTS}, ROOT / "config")
    ours = everything().traces
    assert {name: with_guests.traces[name] for name in ours} == ours
    assert {name.split("/")[2] for name in with_guests.traces.keys() - ours} == GUESTS.keys()
    series = with_guests.others["comparison"].given["guests"]
    swept = with_guests.papers["azize2022"].experiments["fig3"].policies["my-dp-ucb"].series
    assert 1 < len(swept) == len({s.id for s in swept} & set(series))
    assert set(series) >= {*GUESTS, "my-ucb.corrected"}  # sarkar2025 counts a regret in two ways
    audits = [
        name for name in everything().tables if name.startswith("audits/") and name.count("/") == 2
    ]
    assert [with_guests.tables[name] for name in audits] == [
        everything().tables[name] for name in audits
    ]
    audited = with_guests.tables["audits/tossou2016/guests"].given["experiments"]
    assert {policy for experiment in audited for policy in experiment.policies} == GUESTS.keys()
    shown = with_guests.results_with("my-dp-ucb")
    assert {
        f"results/smoke/{file}" for file in ("figures/azize2022/fig3.pdf", "audits/azize2022.csv")
    } <= set(shown)
    assert not any(name in file for file in shown for name in ("tossou2017", "/s-"))


# ---- folders


def test_the_papers_scale_with_the_usual_seed_writes_at_the_top(one_paper):
    plan = one_paper()
    assert (plan.results, plan.top, plan.reference) == ("results/paper", "", "reference")
    assert {"figures/tossou2016/fig2.pdf", "checks/tossou2016/A3"} <= set(plan.targets())


@pytest.mark.parametrize(
    ("seed", "scale", "place"),
    [(1, "smoke", "smoke"), (7, "paper", "seed-7/paper"), (7, "smoke", "seed-7/smoke")],
)
def test_any_other_run_has_folders_of_its_own(seed, scale, place, one_paper):
    plan = one_paper(seed=seed, scale=scale)
    results = f"results/{place}"
    assert (plan.results, plan.top, plan.reference) == (
        results,
        f"{results}/",
        f"reference/{place}",
    )
    assert {f"{results}/figures/tossou2016/fig2.pdf", f"{results}/checks/tossou2016/A3"} <= set(
        plan.targets()
    )
    assert all(file.startswith(f"{results}/") for file in plan.targets())


def test_the_real_log_replaces_the_synthetic_one_under_a_folder_of_its_own(tmp_path):
    for day in range(1, 11):
        (tmp_path / f"ydata-fp-td-clicks-v1_0.200905{day:02d}").touch()
    plan = Plan({**SETTINGS, "r6a": str(tmp_path)}, ROOT / "config")
    assert (plan.results, plan.reference) == ("results/paper-r6a", "reference/paper-r6a")
    assert [file.name[-2:] for file in plan.log_of_news] == [f"{day:02d}" for day in range(1, 11)]
    reading = {name for name, call in plan.traces.items() if call.files}
    assert {name.split("/")[0] for name in reading} == {"mishra2015"}
    assert any(name.startswith("mishra2015/fig2/") for name in reading)
    assert not any(name.startswith("mishra2015/fig1a/") for name in reading)
    assert plan.traces[min(reading)].files == [plan.records["tables"]]
    assert not any(call.files for call in everything().traces.values())


# ---- the code that a result depends on


def codes():
    """Result -> the hash of its code: some traces of tossou2016, its tables, and two of its figures."""
    plan = everything()
    tables = (
        "summaries/tossou2016/fig2a",
        "checks/tossou2016",
        "accounts/tossou2016",
        "audits/tossou2016/1",
    )
    calls = {name: call for name, call in plan.traces.items() if name.startswith("tossou2016/")}
    calls |= {
        name.split("/")[0]: plan.tables[name] for name in (*tables, "tables/azize2022/table1")
    }
    calls |= {name: plan.figures[f"tossou2016/{name}"] for name in ("fig2a", "fig1")}
    return {name: call.job["code"] for name, call in calls.items()}


unchanged = cache(codes)  # asked before the first edit


PLAYED = {
    name: {series["name"] for series in call.given["spec"]["series"].values()}
    for name, call in everything().traces.items()
    if name.startswith("tossou2016/")
}
EVERY = set().union(*PLAYED.values())
OF_ALGORITHMS = {"checks", "accounts", "audits", "fig2a"}
CHANGES = [
    ("algorithms.arms.private_ucb", "mu_hat + bonus * width", "mu_hat - bonus * width", {"private-ucb"}, OF_ALGORITHMS),
    ("figures.style", '"grid.linewidth": 0.5', '"grid.linewidth": 0.8', (), {"fig2a", "fig1"}),
    ("environments.arms.bernoulli", "dtype=np.float64", "dtype=float", EVERY, OF_ALGORITHMS),
    ("statistics.summaries", "OF_PAPER = [", "OF_PAPER = [*[], ", (), {"summaries", "fig2a", "fig1"}),  # which read them
]  # fmt: skip


@pytest.mark.parametrize(
    ("module", "old", "new", "policies", "others"), CHANGES, ids=[c[1][:20] for c in CHANGES]
)
def test_a_change_of_a_module_repeats_what_depends_on_it(
    edit_package, module, old, new, policies, others
):
    before = unchanged()
    edit_package(module, old, new)
    after = codes()
    again = {name for name, members in PLAYED.items() if members & set(policies)}
    assert {name for name in before if before[name] != after[name]} == again | set(others)


# ---- what the authors drew


def test_drawn_curves_are_shown_and_compared_where_the_games_are_as_long_as_theirs(monkeypatch):
    """At the smoke scale only those of sarkar2025's Figure 1a are."""
    monkeypatch.chdir(ROOT)
    plan, file = Plan({**SETTINGS, "scale": "smoke"}), "reference/published/sarkar2025/fig1a.csv"

    def shown(plan, name):
        return plan.figures[f"sarkar2025/{name}"].given["published"]

    assert [shown(plan, name) for name in ("fig1a", "fig1", "fig1a.corrected", "fig1b")] == [
        [file],
        [file],
        [],
        [],
    ]
    assert plan.tables["distances"].files == ["results/smoke/summaries/sarkar2025/fig1a.csv", file]
    at_paper_scale = Plan({**SETTINGS, "published_points": "false"}, ROOT / "config")
    assert shown(at_paper_scale, "fig1a") == []
    assert len(at_paper_scale.tables["distances"].given["compared"]) == 8

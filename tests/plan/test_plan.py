"""The decisions about a run: its jobs and their sizes, what is submitted, and on which files and code a result depends.

Nothing here starts Snakemake. The numbers follow from the paper files; where a small study is enough, it is tossou2016.
"""

import math
from functools import cache

import pytest
from project import ROOT

from dpbandits.errors import InputError
from dpbandits.plan import costs
from dpbandits.plan.code import code_of, code_of_figure, code_of_runs
from dpbandits.plan.plan import Plan, drawn_in, labels_of
from dpbandits.studies import yaml_file

SETTINGS = yaml_file.read_yaml(ROOT / "config/config.yaml")
ON_A_CLUSTER = yaml_file.read_yaml(ROOT / "profiles/slurm/sizes.yaml")
LONG = "sarkar2025/fig1b/ldp-ncb"  # more runs than one job has


@cache
def everything():
    return Plan({**SETTINGS, "scale": "smoke"}, ROOT / "config")


@pytest.fixture
def one_paper(tmp_path):
    """The plan of tossou2016 alone, with these settings and after these changes of its file."""

    def make(changes=(), **settings):
        (tmp_path / "papers").mkdir(exist_ok=True)
        text = (ROOT / "config/papers/tossou2016.yaml").read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "papers/tossou2016.yaml").write_text(text)
        return Plan({**SETTINGS, **settings}, tmp_path)

    return make


# ---- jobs and their runs


def test_the_blocks_of_a_batch_are_those_of_the_paper_file(one_paper):
    """1,000 runs in one job, as the file says; DP-UCB-INT has ten times as many in as many jobs."""
    plan = one_paper()
    of_panel = {name: plan.blocks(name) for name in plan.batches if name.startswith("tossou2016/fig2c/")}
    assert of_panel == {"tossou2016/fig2c/together-1": [(0, 999)], "tossou2016/fig2c/dp-ucb-int": [(0, 29999)]}


def test_blocks_of_a_chosen_size(one_paper):
    plan = one_paper(scale="smoke", block=3)
    name = "tossou2016/s-lost-runs/dp-ucb-int"
    assert plan.blocks(name) == [(0, 2), (3, 5), (6, 8), (9, 9)]
    assert plan.traces_of(name)[1:3] == [f"results/smoke/traces/{name}/{block}.npz" for block in ("3-5", "6-8")]
    assert plan.logs_of(name)[3] == f"results/smoke/logs/simulate/{name}/9-9.log"


@pytest.mark.parametrize("block", ["auto", 7, {"minutes": 0.1}])
def test_blocks_cover_every_run_once(block):
    plan = Plan({**SETTINGS, "block": block}, ROOT / "config")
    for name, batch in plan.batches.items():
        runs = [run for first, last in plan.blocks(name) for run in range(first, last + 1)]
        assert runs == list(range(batch.runs))
    assert len(plan.blocks(LONG)) > 1


def test_jobs_of_minutes_on_a_cluster(one_paper):
    """Were tossou2016's games three hundred times as long, its policies would be cut into jobs of about five minutes."""
    plan = one_paper([("  horizon: 100000 ", "  horizon: 30000000 ")], **ON_A_CLUSTER)
    assert ON_A_CLUSTER["block"] == {"minutes": 5}
    for name, batch in plan.batches.items():
        blocks = plan.blocks(name)
        seconds = costs.seconds(batch.spec, blocks[0][1] + 1)
        assert (name in plan.submitted) == (seconds >= ON_A_CLUSTER["submit_above"])
        assert len(blocks) == math.ceil(batch.runs / (blocks[0][1] + 1))
        assert len(blocks) == 1 or 150 < seconds <= 300
    assert sum(len(plan.blocks(name)) for name in plan.submitted) > len(plan.batches)


def test_everything_is_submitted_unless_small_jobs_stay(one_paper):
    assert one_paper().submitted == one_paper().batches.keys()
    shortest = min(costs.seconds(b.spec, b.runs) for b in one_paper().batches.values())
    plan = one_paper(submit_above=shortest + 1e-9)
    stay = plan.batches.keys() - plan.submitted
    assert stay
    assert {costs.seconds(plan.batches[name].spec, plan.batches[name].runs) for name in stay} == {shortest}


def test_both_readings_are_simulated_in_one_job(one_paper):
    """UCB and DP-UCB-INT are the same in both readings of Figure 2, and are simulated once."""
    plan = one_paper(scale="smoke")
    fig2a = plan.papers["tossou2016"].experiments["fig2a"]
    assert plan.traces_behind([fig2a]) == ["results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz"]
    for experiment in (fig2a, *fig2a.by_reading):
        ((part,), series) = plan.runs_of(experiment), list(experiment.series)
        assert part["series"] == series
        assert set(series) <= part["spec"]["series"].keys()
    twice = {"private-ucb", "dp-ucb-bound", "dp-ucb"}
    assert fig2a.series.keys() == {"ucb", "dp-ucb-int", *twice, *(f"{policy}.corrected" for policy in twice)}


def test_a_wrong_paper_file_and_a_wrong_setting_make_no_plan(one_paper, tmp_path):
    with pytest.raises(InputError, match=r"fig2b.policies.private-ucb \(published reading\): parameters: epsilon: 0"):
        one_paper([("parameters: {epsilon: 0.1}", "parameters: {epsilon: 0}")])
    with pytest.raises(InputError, match="scale: 'smok' is not one of"):
        one_paper(scale="smok")
    with pytest.raises(InputError, match=r"20090501\.gz: this day of R6A is missing"):
        one_paper(r6a=str(tmp_path))


# ---- claims


def test_a_claim_needs_its_own_experiments_only(one_paper):
    plan = one_paper()
    study, claims, said = plan.asked["claims/tossou2016/A8-long"]
    experiments = plan.judged_on(study.id, claims)
    assert ([claim.id for claim in claims], said, [e.id for e in experiments]) == (["A8-long"], [], ["s-lost-runs"])
    batches = {file.split("/traces/")[1].rsplit("/", 1)[0] for file in plan.traces_behind(experiments)}
    assert {batch.split("/")[1] for batch in batches} == {"s-lost-runs"}


def test_a_claim_is_judged_in_every_reading_or_in_the_one_that_it_names():
    plan = everything()
    for name, (study, claims, _) in plan.asked.items():
        for claim in claims if name.startswith("claims/") else ():
            experiments = [e for id in dict.fromkeys(claim.experiments) for e in study.experiments[id].by_reading]
            kept = [(e.id, e.reading) for e in experiments if not claim.reading or e.reading in ("", claim.reading)]
            assert [(e.id, e.reading) for e in plan.judged_on(study.id, claims)] == kept or not claim.experiments
    for study in plan.studies.values():
        every = {(e.id, e.reading) for claim in study.claims for e in plan.judged_on(study.id, [claim])}
        assert {(e.id, e.reading) for e in plan.judged_on(study.id, study.claims)} == every


def test_a_sentence_needs_what_its_claims_need():
    plan = everything()
    for paper in plan.papers.values():
        known = {claim.id: claim for claim in paper.claims}
        for sentence in paper.sentences:
            study, claims, said = plan.asked[f"sentences/{paper.id}/{sentence.id}"]
            assert (study, claims, said) == (paper, [known[claim] for claim in sentence.claims], [sentence])
            assert f"results/smoke/sentences/{paper.id}/{sentence.id}" in plan.targets()


def test_promises_of_privacy_and_claims_about_cells_read_the_audits():
    plan = everything()
    for paper in plan.papers.values():
        for claim in paper.claims:
            files = [f"results/smoke/audits/{paper.id}.csv"] if claim.kind == "privacy" else []
            assert plan.audits_behind(paper.id, [claim]) == files
    assert plan.audits_behind("arena", plan.studies["arena"].claims) == ["results/smoke/audits/arena.csv"]


def test_the_figures_that_draw_an_experiment(one_paper):
    drawn = drawn_in(one_paper().papers["tossou2016"])
    assert drawn["fig2a", "published"] == ["fig2a", "fig2"]
    assert drawn["fig2a", "corrected"] == ["fig2a.corrected", "fig2.corrected"]
    assert drawn["s-lost-runs", ""] == ["s-lost-runs"]


# ---- guests

GUESTS = {
    "my-ucb": {"label": "Mine", "algorithm": "ucb"},
    "my-dp-ucb": {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]},
}


def test_a_guest_is_simulated_again_after_runs_without_compilation(monkeypatch):
    """Runs of ours are the same with and without, which tests/test_library.py checks; a guest may not even compile."""
    plan = Plan({**SETTINGS, "scale": "smoke", "guests": GUESTS}, ROOT / "config")
    guests = {name for name, batch in plan.batches.items() if batch.policies[0] in GUESTS}
    assert guests
    assert {plan.without_compilation(name) for name in plan.batches} == {""}
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert {name for name in plan.batches if plan.without_compilation(name)} == guests


def test_guests_have_jobs_of_their_own_and_nothing_of_ours_runs_again():
    with_guests = Plan({**SETTINGS, "scale": "smoke", "guests": GUESTS}, ROOT / "config")
    ours = everything().batches
    added = with_guests.batches.keys() - ours.keys()
    assert {name: with_guests.batches[name] for name in ours} == ours
    assert {with_guests.batches[name].policies for name in added} == {("my-ucb",), ("my-dp-ucb",)}
    assert sorted(name for name in added if name.startswith("tossou2016") and name.endswith("my-ucb")) == [
        f"tossou2016/fig2{panel}/my-ucb" for panel in "abcd"
    ]
    series = with_guests.names_of_guests()
    swept = with_guests.papers["azize2022"].experiments["fig3"].policy("my-dp-ucb").series
    assert series.keys() == GUESTS.keys()
    assert len(swept) > 1
    assert {s.id for s in swept} < set(series["my-dp-ucb"])
    assert series["my-ucb"] == ["my-ucb", "my-ucb.corrected"]  # sarkar2025 counts a regret in two ways
    assert "guest my-ucb joins 28 experiments" in with_guests.notes()
    assert everything().notes() == []


# ---- files


def test_figures_and_verdicts_of_the_paper_scale_are_at_the_top(one_paper):
    at_paper_scale, at_smoke = one_paper(), one_paper(scale="smoke", formats=["svg"])
    assert at_paper_scale.files.figure == ["figures/{paper}/{figure}.pdf", "figures/{paper}/{figure}.png"]
    assert at_paper_scale.files.asked == "{asked}"
    assert at_paper_scale.files.reference == "reference"
    assert at_smoke.files.figure == ["results/smoke/figures/{paper}/{figure}.svg"]
    assert at_smoke.files.asked == "results/smoke/{asked}"
    assert at_smoke.files.claims == "results/smoke/claims/{paper}.csv"
    assert at_smoke.files.reference == "reference/smoke"
    assert all(file.startswith("results/smoke/") for file in at_smoke.targets())


def test_the_results_of_a_paper(one_paper):
    plan = one_paper()
    paper = plan.papers["tossou2016"]
    results = plan.results_of("tossou2016")
    assert len(results) == 2 * len(paper.figures) + len(paper.experiments) + 1
    assert {"figures/tossou2016/fig2.pdf", "results/paper/summaries/tossou2016/fig2a.csv"} < set(results)
    assert "results/smoke/tables/azize2022/table2.csv" in everything().results_of("azize2022")
    shown = set(plan.shown_of("tossou2016"))
    assert {f"results/paper/{kind}/tossou2016.csv" for kind in ("claims", "accounts", "audits")} < shown
    assert "results/paper/pictures/tossou2016/fig1.png" in shown


def test_the_real_log_replaces_the_synthetic_one_under_a_folder_of_its_own(tmp_path):
    for day in range(1, 11):
        (tmp_path / f"ydata-fp-td-clicks-v1_0.200905{day:02d}").touch()
    plan = Plan({**SETTINGS, "r6a": str(tmp_path)}, ROOT / "config")
    assert (plan.files.results, plan.files.reference) == ("results/paper-r6a", "reference/paper-r6a")
    assert [file.name[-2:] for file in plan.log_of_news] == [f"{day:02d}" for day in range(1, 11)]
    reading = {name for name in plan.batches if plan.read_by(name)}
    assert {name.split("/")[0] for name in reading} == {"mishra2015"}
    assert any(name.startswith("mishra2015/fig2/") for name in reading)
    assert not any(name.startswith("mishra2015/fig1a/") for name in reading)
    assert plan.read_by(min(reading)) == [f"results/paper-r6a/news/{name}" for name in ("events.bin", "tables.npz")]
    assert not any(everything().read_by(name) for name in everything().batches)


def test_the_labels_of_figures_in_snakemakes_report(one_paper):
    figures = one_paper().papers["tossou2016"].figures
    assert labels_of(figures["fig2a.corrected"]) == {
        "panel": "Figure 2a",
        "reading": "corrected",
        "shows": figures["fig2a"].title,
    }
    assert labels_of(figures["s-hybrid"])["panel"] == "s-hybrid"
    assert labels_of(figures["s-hybrid"])["reading"] == "both"


# ---- the code that a result depends on


def codes():
    """Result -> the hash of its code: of what is made of Figure 2a, and of its batches."""
    plan = everything()
    paper = plan.papers["tossou2016"]
    experiments = list(paper.experiments.values())
    of_runs = {name: code_of_runs(batch.spec) for name, batch in plan.batches.items() if name.startswith("tossou2016/")}
    return of_runs | {
        "summary": code_of("summary"),
        "claims": code_of("claims", experiments),
        "accounts": code_of("accounts", experiments),
        "audits": code_of("audits", experiments),
        "tables": code_of("tables"),
        "curves": code_of_figure(paper.figures["fig2a"]),
        "diagram": code_of_figure(paper.figures["fig1"]),
        "verification": code_of("verification"),
    }


unchanged = cache(codes)  # asked before the first edit


def batches_with(*policies):
    return {
        name
        for name, batch in everything().batches.items()
        if name.startswith("tossou2016/") and set(policies) & set(batch.policies)
    }


OF_ALGORITHMS = {"claims", "accounts", "audits"}
CHANGES = [
    ("algorithms.arms.dp_ucb_int", "a = largest(x_hat)", "a = largest(-x_hat)",
     {"dp-ucb-int", "int-by-schedule", "int-by-bonus"}, OF_ALGORITHMS),
    ("figures.style", '"lines.linewidth": 1.5', '"lines.linewidth": 2.5', (), {"curves", "diagram"}),
    ("verification", "TOLERANCE = 1e-9", "TOLERANCE = 1e-8", (), {"verification"}),
]  # fmt: skip


@pytest.mark.parametrize(("module", "old", "new", "policies", "others"), CHANGES, ids=[c[0] for c in CHANGES])
def test_a_change_of_a_module_repeats_what_depends_on_it(edit_package, module, old, new, policies, others):
    before = unchanged()
    edit_package(module, old, new)
    after = codes()
    assert {name for name in before if before[name] != after[name]} == batches_with(*policies) | set(others)


def test_a_change_of_the_bandits_repeats_every_simulation_and_draws_no_curve(edit_package):
    before = unchanged()
    edit_package("environments.arms.bernoulli", "dtype=np.float64", "dtype=float")
    after = codes()
    simulated = {name for name in everything().batches if name.startswith("tossou2016/")}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == simulated | OF_ALGORITHMS


# ---- what the authors drew


def test_drawn_curves_are_shown_and_compared_where_the_games_are_as_long_as_theirs(monkeypatch):
    """At the smoke scale only those of sarkar2025's Figure 1a are."""
    monkeypatch.chdir(ROOT)
    plan, file = everything(), "reference/published/sarkar2025/fig1a.csv"
    figures = plan.papers["sarkar2025"].figures
    assert [plan.circles_in("sarkar2025", figures[name]) for name in ("fig1a", "fig1")] == [[file], [file]]
    assert plan.circles_in("sarkar2025", figures["fig1a.corrected"]) == []
    assert plan.circles_in("azize2022", plan.papers["azize2022"].figures["fig2"]) == []
    (compared,) = plan.compared()
    assert (compared["published"], compared["summary"]) == (file, "results/smoke/summaries/sarkar2025/fig1a.csv")
    assert plan.distances() == ["results/smoke/distances.csv"]
    at_paper_scale = Plan({**SETTINGS, "published_points": "false"}, ROOT / "config")
    assert at_paper_scale.circles_in("sarkar2025", figures["fig1a"]) == []
    assert [len(files) for files in at_paper_scale.published.values() if files] == [2, 6]
    assert len(at_paper_scale.compared()) == 8


def test_without_drawn_curves_there_is_nothing_to_compare(one_paper):
    plan = one_paper()
    assert plan.distances() == plan.compared() == []
    assert plan.files.distances not in plan.targets()

"""What one configuration runs: batches and chunks, folders, what each job is given.

Nothing here starts Snakemake; `tests/workflow` tests which files the jobs read.
"""

from collections import defaultdict
from functools import cache

import pytest
from project import ROOT

from dpbandits.bandits import r6a
from dpbandits.errors import InputError
from dpbandits.plan import jobs, layout, tables
from dpbandits.plan.plan import check_settings, load
from dpbandits.studies import strict_yaml
from dpbandits.studies.claim import PRIVACY

SETTINGS = strict_yaml.read_yaml(ROOT / "config/config.yaml")


def plan_of(**settings):
    return load({**SETTINGS, "scale": "smoke", **settings}, ROOT / "config")


@cache
def everything(scale="smoke"):
    return plan_of(scale=scale)


def simulations_of(plan):
    """Every simulation: its wildcards -> what it is given."""
    rows = (row[:5] for row in plan.simulations.itertuples(index=False))
    return {row: jobs.simulation(plan, *map(str, row)) for row in rows}


# ---- jobs and their runs


@pytest.mark.parametrize("block", ["auto", 7])
def test_chunks_cover_every_run_once(block):
    plan, covered = plan_of(scale="paper", block=block), defaultdict(list)
    for row in plan.simulations.itertuples():
        for policy in row.plays.split():
            covered[row.study, row.experiment, policy] += range(row.first, row.last + 1)
    assert covered == {
        (*place, policy.id): list(range(policy.runs))
        for place in plan.batches
        for policy in plan.experiment(*place).policies.values()
    }


def test_a_job_has_as_many_runs_as_are_chosen():
    plan, place = plan_of(block=3), ("tossou2016", "s-lost-runs", "dp-ucb-int")
    assert plan.batch(*place).chunks == ((0, 2), (3, 5), (6, 8), (9, 9))
    job = jobs.simulation(plan, *place, "3", "5")
    assert (job["simulation"].name, job["first"], job["last"]) == ("dp-ucb-int", 3, 5)


def test_a_few_jobs_do_it_all_at_the_papers_scale():
    plan = everything("paper")
    assert len(plan.batches) < len(plan.simulations) <= 500


def test_both_readings_are_simulated_in_one_job():
    """UCB and DP-UCB-INT are the same in both readings of Figure 2, and are simulated once."""
    summary = jobs.summary(everything(), "tossou2016", "fig2a")
    ((header, chunks),) = summary["simulations"]["fig2a"]
    assert (header["name"], chunks) == ("together-1", ((0, 9),))
    twice = {"private-ucb", "dp-ucb-bound", "dp-ucb"}
    both = {"ucb", "dp-ucb-int", *twice, *(f"{policy}.corrected" for policy in twice)}
    assert {*summary["order"]} == header["series"].keys() == both


def test_random_numbers_follow_from_the_chosen_seed():
    """Those of simulations, of the bootstrap of checks and of audits."""
    plan = plan_of(seed=7)
    job = jobs.simulation(plan, "tossou2016", "fig2a", "together-1", "0", "9")
    assert job["simulation"].seed == 7
    assert jobs.checks(plan, "tossou2016")["seed"] == 7
    assert jobs.audit(plan, "tossou2016", "1")["seed"] == 7


# ---- what is refused


REFUSED = [
    ({"seed": -1}, "config.yaml: seed: -1 should be an integer of at least 0"),
    ({"scale": "smok"}, "config.yaml: scale: 'smok' should be .* did you mean 'smoke'"),
    ({"r6a": str(ROOT)}, r"20090501\.gz: this day of R6A is missing"),
]


@pytest.mark.parametrize(("settings", "says"), REFUSED)
def test_a_wrong_setting_makes_no_plan(settings, says):
    with pytest.raises(InputError, match=says):
        plan_of(**settings)


def test_a_duplicate_setting_makes_no_plan(tmp_path):
    settings = (ROOT / "config/config.yaml").read_text()
    (tmp_path / "config.yaml").write_text(f"seed: 2\n{settings}")
    with pytest.raises(InputError, match=r"config.yaml: .*duplicate key 'seed'; keep one"):
        check_settings(tmp_path)


def test_a_folder_without_studies_makes_no_plan(tmp_path):
    with pytest.raises(InputError, match=r"papers: there is no study, such as hu2022\.yaml; copy"):
        load(SETTINGS, tmp_path)


# ---- what jobs are given


def test_a_check_needs_its_own_experiments_only():
    plan = everything()
    job = jobs.answer(plan, "tossou2016", [], ["A8-long"])
    assert [[e.id for e in check.experiments] for check in job["checks"]] == [["s-lost-runs"]]
    assert (job["claims"], [*job["simulations"]]) == ([], ["s-lost-runs"])
    assert jobs.answer(plan, "tossou2016", [], ["P1"])["simulations"] == {}


def test_a_check_of_two_series_simulates_no_third_one():
    simulations = jobs.answer(everything("paper"), "azize2022", [], ["D4"])["simulations"]
    assert len(simulations) == 16
    names = {tuple(header["name"] for header, _ in each) for each in simulations.values()}
    assert names == {("adap-ucb", "adap-klucb")}


def test_a_claim_needs_what_its_checks_need_and_a_promise_of_privacy_the_audits():
    plan = everything()
    for paper in plan.papers.values():
        for name, claim in paper.claims.items():
            job = jobs.answer(plan, paper.id, [name], claim.all_checks)
            assert {check.id for check in job["checks"]} == {*claim.all_checks}
            judges = any(check.kind == PRIVACY for check in job["checks"])
            assert judges == (name[0] == "P" and bool(claim.all_checks))


def test_a_job_has_the_headers_of_the_traces_that_the_plan_names_in_their_order():
    """`files.entries` divides the files by their order."""
    plan = everything("paper")
    for paper in plan.papers:
        names = [
            f"{header['paper']}/{header['experiment']}/{header['name']}/{first}-{last}"
            for each in jobs.checks(plan, paper)["simulations"].values()
            for header, chunks in each
            for first, last in chunks
        ]
        rows = plan.simulations.query("study == @paper and checks != ''")
        assert rows["trace"].tolist() == names


def test_the_figures_that_draw_an_experiment():
    checks = jobs.checks(everything(), "tossou2016")["checks"]
    drawn = {(check.experiments[0].id, check.reading): check.figures for check in checks}
    assert drawn["fig2a", "published"] == ("fig2a", "fig2")
    assert drawn["fig2a", "corrected"] == ("fig2a.corrected", "fig2.corrected")
    assert drawn["s-lost-runs", "both"] == ("s-lost-runs",)


def test_audits_are_divided_into_shares_and_an_arena_has_two_epsilons():
    """The smallest and the largest."""
    plan = everything("paper")
    shares = [jobs.audit(plan, "arena", share) for share in tables.SHARES]
    number = len(shares)
    assert [job.pop("share") for job in shares] == [(place, number) for place in range(number)]
    assert shares == [shares[0]] * number
    assert plan.studies["arena"].arena.epsilons == [0.1, 0.25, 0.5, 1, 2]
    assert shares[0]["arena"] == [0.1, 2]
    assert jobs.audit(plan, "tossou2016", "1")["arena"] == []


# ---- guests

GUESTS = {
    "my-ucb": {"label": "Mine", "algorithm": "ucb"},
    "my-dp-ucb": {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]},
}


def test_guests_have_jobs_of_their_own_and_nothing_of_ours_runs_again():
    with_guests = plan_of(guests=GUESTS)
    ours, theirs = map(simulations_of, (everything(), with_guests))
    assert {name: theirs[name] for name in ours} == ours
    assert {policies for _, _, policies, *_ in theirs.keys() - ours} == GUESTS.keys()
    for study in with_guests.studies:
        for share in tables.SHARES:
            audits = [jobs.audit(plan, study, share) for plan in (everything(), with_guests)]
            assert audits[0] == audits[1]
    audited = jobs.audit(with_guests, "tossou2016", tables.GUESTS)["experiments"]
    assert {policy for each in audited for policy in each.policies} == GUESTS.keys()


def test_the_plan_says_where_a_guest_is_shown():
    """In no figure that we added to a paper's, and not in tossou2017, whose bandits it plays not.

    Its series are also told to `verify`, which leaves their rows out.
    """
    plan = plan_of(guests=GUESTS)
    series = {*jobs.comparison(plan)["options"]["guests"]}
    swept = plan.experiment("azize2022", "fig3").policies["my-dp-ucb"].series
    assert 1 < len(swept) == len(series & {each.id for each in swept})
    assert series >= {*GUESTS, "my-ucb.corrected"}  # sarkar2025 counts a regret in two ways
    shown = plan.outputs[["my-dp-ucb" in guests for guests in plan.outputs["guests"]]]
    of_studies = {"audits/azize2022", "accounts/azize2022", "arena/scores"}
    of_experiment = {"azize2022/fig3", "summaries/azize2022/fig3"}
    assert of_studies | of_experiment | {"replays/guests/my-dp-ucb"} <= {*shown["name"]}
    of_experiments = shown[shown["kind"].isin(["figure", "summary"])]
    assert not of_experiments["name"].str.contains("/s-|tossou2017").any()


# ---- folders


RUNS = [
    ("paper", 1, False, "paper"),
    ("smoke", 1, False, "smoke"),
    ("paper", 7, False, "seed-7/paper"),
    ("paper", 1, True, "paper-r6a"),
    ("smoke", 7, True, "seed-7/smoke-r6a"),
]


@pytest.mark.parametrize(("scale", "seed", "real_log", "run"), RUNS)
def test_only_the_papers_scale_with_the_usual_seed_writes_at_the_top(scale, seed, real_log, run):
    folders = layout.Layout(scale, seed, real_log)
    assert folders.results == f"results/{run}"
    assert folders.figures == ("figures" if run == "paper" else f"results/{run}/figures")
    assert folders.reference == ("reference" if run == "paper" else f"reference/{run}")


def test_the_real_log_replaces_the_synthetic_one_and_only_its_experiments_read_it(tmp_path):
    for day in range(1, 11):
        (tmp_path / f"ydata-fp-td-clicks-v1_0.200905{day:02d}").touch()
    plan = plan_of(r6a=str(tmp_path))
    assert plan.layout == layout.Layout("smoke", real_log=True)
    assert [file.name[-2:] for file in plan.log_days] == [f"{day:02d}" for day in range(1, 11)]
    reading = {place for place in plan.batches if plan.reads_log(*place)}
    synthetic = {
        (id, name)
        for id, study in everything().studies.items()
        for name, experiment in study.experiments.items()
        if experiment.environment["kind"] == "news"
    }
    assert reading == synthetic
    assert ("mishra2015", "fig2") in reading
    assert plan.experiment("mishra2015", "fig2").environment["source"] == r6a.SOURCE
    assert not any(everything().reads_log(*place) for place in everything().batches)


# ---- what the authors drew


def test_drawn_curves_are_compared_where_the_games_are_as_long_as_theirs(monkeypatch):
    """At the smoke scale only those of sarkar2025's Figure 1a are."""
    monkeypatch.chdir(ROOT)
    smoke, paper = (
        load({**SETTINGS, "scale": scale, "published_points": "false"})
        for scale in ("smoke", "paper")
    )
    (panel, _), *others = jobs.compared_panels(smoke)["panels"]
    files = (ROOT / "reference/published").glob("*/*.csv")
    public = [file for file in files if (ROOT / f"config/papers/{file.parent.name}.yaml").exists()]
    compared = jobs.compared_panels(paper)["panels"]
    assert (panel.drawn_as, others, len(compared)) == ("fig1a", [], len(public))
    assert not any(paper.outputs["published"])  # published_points: not drawn

"""What one configuration runs: batches and chunks, folders, what each job is given.

Nothing here starts Snakemake; `tests/workflow` tests which files the jobs read.
"""

from collections import defaultdict
from functools import cache

import pytest
from project import ROOT

from dpbandits.bandits import r6a
from dpbandits.errors import InputError
from dpbandits.figures import colours
from dpbandits.plan import jobs, layout, tables
from dpbandits.plan.plan import check_settings, load
from dpbandits.studies import strict_yaml
from dpbandits.studies.claim import PRIVACY

SETTINGS = strict_yaml.read_yaml(ROOT / "config/config.yaml")
TOSSOU2016 = (ROOT / "config/papers/tossou2016.yaml").read_text()


@cache
def everything(scale="smoke"):
    return load({**SETTINGS, "scale": scale}, ROOT / "config")


@pytest.fixture
def one_paper(tmp_path):
    """The plan of tossou2016 alone, with these settings or another text of its file."""
    for kind in ("papers", "claims"):
        (tmp_path / kind).mkdir()
    claims = (ROOT / "config/claims/tossou2016.yaml").read_text()
    (tmp_path / "claims/tossou2016.yaml").write_text(claims)

    def make(text=TOSSOU2016, **settings):
        (tmp_path / "papers/tossou2016.yaml").write_text(text)
        return load({**SETTINGS, **settings}, tmp_path)

    return make


def simulations_of(plan):
    """Every simulation: its wildcards -> what it is given."""
    return {
        (*place, batch.policies, str(first), str(last)): jobs.simulation(
            plan, *place, batch.policies, str(first), str(last)
        )
        for place, batches in plan.batches.items()
        for batch in batches
        for first, last in batch.chunks
    }


# ---- jobs and their runs


@pytest.mark.parametrize("block", ["auto", 7])
def test_chunks_cover_every_run_once(block):
    plan = load({**SETTINGS, "block": block}, ROOT / "config")
    covered = defaultdict(list)
    for place, batches in plan.batches.items():
        for batch in batches:
            for id in plan.simulation(batch).policies:
                for first, last in batch.chunks:
                    covered[*place, id] += range(first, last + 1)
    for study in plan.studies.values():
        for experiment in study.experiments.values():
            for id, series in experiment.series.items():
                runs = experiment.policies[series.policy].runs
                assert covered.pop((study.id, experiment.id, id)) == list(range(runs))
    assert covered == {}


def test_a_job_has_as_many_runs_as_are_chosen(one_paper):
    plan, place = one_paper(scale="smoke", block=3), ("tossou2016", "s-lost-runs", "dp-ucb-int")
    assert plan.layout == layout.Layout("smoke")
    assert plan.batch(*place).chunks == ((0, 2), (3, 5), (6, 8), (9, 9))
    job = jobs.simulation(plan, *place, "3", "5")
    assert (job["simulation"].name, job["first"], job["last"]) == ("dp-ucb-int", 3, 5)


def test_a_few_jobs_do_it_all_at_the_papers_scale():
    plan = everything("paper")
    assert len(plan.batches) < len(simulations_of(plan)) <= 500


def test_both_readings_are_simulated_in_one_job(one_paper):
    """UCB and DP-UCB-INT are the same in both readings of Figure 2, and are simulated once."""
    plan = one_paper(scale="smoke")
    ((header, chunks),) = jobs.summary(plan, "tossou2016", "fig2a")["simulations"]["fig2a"]
    assert (header["name"], chunks) == ("together-1", ((0, 9),))
    twice = {"private-ucb", "dp-ucb-bound", "dp-ucb"}
    both = {"ucb", "dp-ucb-int", *twice, *(f"{policy}.corrected" for policy in twice)}
    fig2a = plan.experiment("tossou2016", "fig2a")
    assert fig2a.series.keys() == header["series"].keys() == both


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ({"seed": -1}, "seed: -1 should be an integer of at least 0"),
        ({"scale": "smok"}, "scale: 'smok' should be one of paper, smoke; did you mean 'smoke'"),
    ],
)
def test_a_setting_that_is_not_valid_is_refused(setting, says, one_paper):
    with pytest.raises(InputError, match=f"config.yaml: {says}"):
        one_paper(**setting)


def test_a_wrong_setting_makes_no_plan(one_paper, tmp_path):
    with pytest.raises(InputError, match=r"20090501\.gz: this day of R6A is missing"):
        one_paper(r6a=str(tmp_path))
    settings = (ROOT / "config/config.yaml").read_text()
    guest = "guests: {mine: {label: Mine, algorithm: dp_se}}\n"
    (tmp_path / "config.yaml").write_text(guest + settings)
    with pytest.raises(InputError, match=r"config.yaml: .*duplicate key 'guests'; keep one"):
        check_settings(tmp_path)


def test_a_folder_without_studies_makes_no_plan(tmp_path):
    with pytest.raises(InputError, match=r"papers: there is no study, such as hu2022\.yaml; copy"):
        load(SETTINGS, tmp_path)


# ---- what jobs are given


def test_a_check_needs_its_own_experiments_only(one_paper):
    plan = one_paper()
    job = jobs.answer(plan, "tossou2016", [], ["A8-long"])
    assert [[e.id for e in check.experiments] for check in job["checks"]] == [["s-lost-runs"]]
    assert (job["claims"], list(job["simulations"])) == ([], ["s-lost-runs"])
    assert {*plan.measured("tossou2016", ["A8-long"])["experiment"]} == {"s-lost-runs"}
    promise = jobs.answer(plan, "tossou2016", [], ["P1"])
    assert promise["simulations"] == {}
    assert plan.measured("tossou2016", ["P1"]).empty


def test_a_check_of_two_series_simulates_no_third_one():
    simulations = jobs.answer(everything("paper"), "azize2022", [], ["D4"])["simulations"]
    assert len(simulations) == 16
    names = {tuple(header["name"] for header, _ in each) for each in simulations.values()}
    assert names == {("adap-ucb", "adap-klucb")}


def test_a_claim_needs_what_its_checks_need_and_a_promise_of_privacy_the_audits():
    plan = everything()
    for paper in plan.papers.values():
        assert jobs.checks(plan, paper.id)["simulations"].keys() <= paper.experiments.keys()
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


def test_the_figures_that_draw_an_experiment(one_paper):
    checks = jobs.checks(one_paper(), "tossou2016")["checks"]
    drawn = {(check.experiments[0].id, check.reading): check.figures for check in checks}
    assert drawn["fig2a", "published"] == ("fig2a", "fig2")
    assert drawn["fig2a", "corrected"] == ("fig2a.corrected", "fig2.corrected")
    assert drawn["s-lost-runs", "both"] == ("s-lost-runs",)


def test_audits_are_divided_into_shares():
    shares = [jobs.audit(everything(), "arena", share) for share in tables.SHARES]
    assert [job["share"] for job in shares] == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert all(job["experiments"] == shares[0]["experiments"] for job in shares)


def test_an_arena_is_audited_at_its_smallest_and_its_largest_epsilon():
    plan = everything("paper")
    assert plan.studies["arena"].arena.epsilons == [0.1, 0.25, 0.5, 1, 2]
    assert jobs.audit(plan, "arena", "1")["arena"] == [0.1, 2]
    assert jobs.audit(plan, "tossou2016", "1")["arena"] == []


# ---- guests

GUESTS = {
    "my-ucb": {"label": "Mine", "algorithm": "ucb"},
    "my-dp-ucb": {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]},
}


def test_guests_have_jobs_of_their_own_and_nothing_of_ours_runs_again():
    with_guests = load({**SETTINGS, "scale": "smoke", "guests": GUESTS}, ROOT / "config")
    ours, theirs = simulations_of(everything()), simulations_of(with_guests)
    assert {name: theirs[name] for name in ours} == ours
    assert {name[2] for name in theirs.keys() - ours} == GUESTS.keys()
    series = jobs.comparison(with_guests)["options"]["guests"]
    swept = with_guests.experiment("azize2022", "fig3").policies["my-dp-ucb"].series
    assert 1 < len(swept) == len({s.id for s in swept} & {*series})
    assert {*series} >= {*GUESTS, "my-ucb.corrected"}  # sarkar2025 counts a regret in two ways
    for study in with_guests.studies:
        for share in tables.SHARES:
            audits = [jobs.audit(plan, study, share) for plan in (everything(), with_guests)]
            assert audits[0] == audits[1]
    audited = jobs.audit(with_guests, "tossou2016", tables.GUESTS)["experiments"]
    assert {policy for each in audited for policy in each.policies} == GUESTS.keys()
    rows = with_guests.outputs
    shown = rows.loc[["my-dp-ucb" in guests for guests in rows["guests"]]]
    of_studies = {"azize2022/fig3", "audits/azize2022", "accounts/azize2022", "arena/scores"}
    assert {*of_studies, "replays/guests/my-dp-ucb"} <= {*shown["name"]}
    summaries = shown.loc[shown["kind"] == "summary", "name"]
    assert {"summaries/azize2022/fig3"} <= {*summaries}
    assert not any("/s-" in name or "tossou2017" in name for name in summaries)
    figures = shown.loc[shown["kind"] == "figure", "name"]
    assert not any(name in file for file in figures for name in ("tossou2017", "/s-"))


def test_another_look_of_a_guest_only_draws_again():
    blue, sky = (
        load({**SETTINGS, "scale": "smoke", "guests": {"mine": guest}}, ROOT / "config")
        for guest in ({**GUESTS["my-ucb"], "look": [colour, "h"]} for colour in ("blue", "sky"))
    )
    assert simulations_of(blue) == simulations_of(sky)
    again = {
        job.__name__
        for job, *wildcards in (
            (jobs.guest, "mine"),
            (jobs.summary, "tossou2016", "fig2a"),
            (jobs.checks, "tossou2016"),
            (jobs.promises, "tossou2016"),
            (jobs.replays, "tossou2016"),
            (jobs.audit, "tossou2016", tables.GUESTS),
            (jobs.scores, "arena"),
            (jobs.figure, "tossou2016", "fig2a"),
            (jobs.scored_figure, "arena", "winners"),
        )
        if repr(job(blue, *wildcards)) != repr(job(sky, *wildcards))
    }
    assert again == {"figure", "scored_figure"}
    drawn = jobs.figure(sky, "tossou2016", "fig2a")
    look = colours.of_panel(drawn["figure"].panels[0], drawn["experiments"][0])["mine"]
    assert (look.colour, look.marker) == (colours.PALETTE["sky"], "h")


# ---- folders


@pytest.mark.parametrize(
    ("scale", "seed", "real_log", "results", "top", "reference"),
    [
        ("paper", 1, False, "results/paper", "", "reference"),
        ("smoke", 1, False, "results/smoke", "results/smoke/", "reference/smoke"),
        (
            "paper", 7, False,
            "results/seed-7/paper", "results/seed-7/paper/", "reference/seed-7/paper",
        ),
        (
            "smoke", 7, False,
            "results/seed-7/smoke", "results/seed-7/smoke/", "reference/seed-7/smoke",
        ),
        ("paper", 1, True, "results/paper-r6a", "results/paper-r6a/", "reference/paper-r6a"),
        (
            "smoke", 7, True,
            "results/seed-7/smoke-r6a", "results/seed-7/smoke-r6a/", "reference/seed-7/smoke-r6a",
        ),
    ],
)  # fmt: skip
def test_only_the_papers_scale_with_the_usual_seed_writes_at_the_top(
    scale, seed, real_log, results, top, reference
):
    folders = layout.Layout(scale, seed, real_log)
    assert (folders.results, folders.reference) == (results, reference)
    assert folders.figures == f"{top}figures"


def test_the_real_log_replaces_the_synthetic_one_and_only_its_experiments_read_it(tmp_path):
    for day in range(1, 11):
        (tmp_path / f"ydata-fp-td-clicks-v1_0.200905{day:02d}").touch()
    plan = load({**SETTINGS, "r6a": str(tmp_path)}, ROOT / "config")
    assert plan.layout == layout.Layout(real_log=True)
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
    assert {study for study, _ in reading} == {"mishra2015"}
    assert ("mishra2015", "fig1a") in plan.batches.keys() - reading
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

"""config/arena.yaml: its policies, random numbers and cost, and the messages about mistakes."""

import numpy as np
import pytest
from project import ROOT, study_of, with_guests

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import validation
from dpbandits.random import stream

FILE = ROOT / "config/arena.yaml"
PAPER, SMOKE = (study_of("arena", scale) for scale in ("paper", "smoke"))
ARENA, LEFT_OUT = PAPER.arena, PAPER.arena.left_out


SHORT = ("twenty-equal", "twenty-spread", "twenty-small")  # twenty arms, 50,000 rounds


def test_every_policy_plays_enough():
    """At least four instances and four epsilons, ten runs and 2e5 rounds each."""
    assert len(ARENA.epsilons) >= 4
    full = [e for e in PAPER.experiments.values() if not e.stream and e.id not in SHORT]
    assert all(e.design.horizon >= 200_000 for e in full)
    for policy, member in ARENA.members.items():
        played = [e.policies[policy] for e in full if policy in e.policies]
        assert len(played) >= 4
        assert all(each.runs >= 10 for each in played)
        epsilons = len(ARENA.epsilons) if member.swept else 1
        assert all(len(each.series) == epsilons for each in played)
    sizes = {e.bandit.number_of_arms for e in PAPER.experiments.values()}
    assert sizes == {2, 5, 10, 20, 50}
    assert {PAPER.experiments[id].design.horizon for id in SHORT} == {50_000}


def test_a_policy_has_more_runs_where_few_of_them_decide_its_mean():
    playing = [e for e in PAPER.experiments.values() if "dp-imed" in e.policies]
    own = {e.id: e.policies["dp-imed"].runs for e in playing}
    assert (own["C1"], own["C3"], own["near-tie-1e7"], own["beta"]) == (1500, 500, 3000, 40)
    smoke = SMOKE.experiments["C2"]
    assert {policy.runs for policy in smoke.policies.values()} == {smoke.design.runs}


def test_a_policy_that_does_not_play_is_left_out_with_a_reason():
    for instance in ARENA.instances:
        playing = set(PAPER.experiments[instance].policies)
        missing = set(ARENA.members) - playing
        assert missing == {policy for policy, places in LEFT_OUT.items() if places.get(instance)}


def test_a_run_has_the_same_arms_for_all_policies_and_lengths():
    orders = set()
    for experiment in map(PAPER.experiments.get, ("C2", "C2-1e6", "C2-1e7")):
        for policy in experiment.policies:
            played = experiment.simulation([policy], 1)
            assert (played.paper, played.instance) == ("arena", "C2")
            rng = stream(played.seed, played.paper, played.instance, "environment of", 3)
            orders.add(tuple(played.bandit.draw_game(rng, played.horizon).means))
    assert len(orders) == 1


def test_the_fifty_arms_are_those_of_sarkar2025():
    means = PAPER.experiments["fifty-arms"].bandit.arms.means
    assert np.array_equal(means, np.random.RandomState(42).uniform(0.005, 1, 50))


@pytest.mark.parametrize("name", ["C1", "fifty-arms", "C2-1e7"])
def test_all_policies_of_a_league_spend_the_same(name):
    """Up to a jump of the ledger.

    Private-UCB has epsilon/K for each arm's tree, and GDP-NCB's code would spend 1.3 epsilon.
    """
    experiment = PAPER.experiments[name]
    for policy in experiment.policies.values():
        for series in policy.series:
            if (account := experiment.account(series.id)) is None:
                assert not ARENA.members[policy.id].swept
                continue
            assert 0.98 <= account.spent / series.parameters["epsilon"] <= 1 + 1e-9
            assert account.delta in (0, 1e-8)


ANYTIME = [policy for policy, member in ARENA.members.items() if not member.knows_horizon]


@pytest.mark.parametrize("policy", ANYTIME)
def test_a_policy_that_does_not_know_the_horizon_plays_the_beginning_of_a_longer_game(policy):
    """So that an earlier checkpoint of its game is the end of a shorter one."""
    experiment = PAPER.experiments["C2"]
    series, bandit = experiment.policies[policy].series[-1], experiment.bandit

    def counts(horizon):
        arms, t = bandit.draw_game(stream(1, "arms"), horizon), np.union1d([50, 200, 499], horizon)
        run = bandit.begin(arms, stream(1, policy), horizon, t)
        series.as_policy.play(run)
        return run.counts[:3].tolist()

    assert counts(500) == counts(2000)


# Guests

MINE = {"label": "Mine ({epsilon:g})", "algorithm": "ldp_ucb", "takes": ["epsilon"]}


def test_a_guest_plays_on_every_instance():
    found = with_guests({"arena": SMOKE}, {"mine": MINE})["arena"]
    validation.check(found)
    assert found.arena.members["mine"].label == "Mine"
    playing = {id for id, e in found.experiments.items() if "mine" in e.policies}
    assert playing == {*found.arena.instances}
    says = r"config/config.yaml: guests.ucb: a policy of arena has this name"
    with pytest.raises(InputError, match=says):
        with_guests({"arena": SMOKE}, {"ucb": MINE})


# Mistakes


MISPLACED = [  # files of config/, and what is wrong with the first one
    (["arena.yaml", "papers/arena.yaml"], ".*papers/arena.yaml has the same name; rename one of"),
    (["My arena.yaml"], "'My arena' cannot be used as a name here; use small letters"),
    (["claims/mine2026.yaml"], "there is no .*papers/mine2026.yaml"),
    (["mine.yml"], "files of studies end in .yaml; rename it"),
]


@pytest.mark.parametrize(("files", "says"), MISPLACED)
def test_a_file_with_the_name_of_another_or_that_nothing_would_read_is_refused(
    files, says, tmp_path
):
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(FILE.read_text())
    with pytest.raises(InputError, match=f"^{tmp_path / files[0]}: {says}"):
        studies.load_all(tmp_path)


def test_a_ledger_that_fails_is_an_error_and_not_an_unequal_epsilon(monkeypatch):
    def fails(*played):
        raise InputError("privacy: it fails")

    monkeypatch.setattr("dpbandits.studies.experiment.calibrate_epsilon", fails)
    series = studies.load(FILE, "smoke").experiments["C2"].series["dp-se-1"]
    with pytest.raises(InputError, match="privacy: it fails"):
        _ = series.as_policy

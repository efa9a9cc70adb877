"""config/arena.yaml: who plays what, with which random numbers, at which cost, and the messages about mistakes in it."""

import numpy as np
import pytest
from project import ROOT

from dpbandits import algorithms, studies
from dpbandits.arena import names
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream
from dpbandits.plan import batches, checking, costs
from dpbandits.simulation import make_environment
from dpbandits.studies import guests

FILE = ROOT / "config/arena.yaml"
PAPER, SMOKE = (studies.load(FILE, scale) for scale in ("paper", "smoke"))
ARENA = PAPER.arena


def test_every_policy_plays_enough():
    """At least six instances, four epsilons, 50 runs and 2e5 rounds each; in episodes 1e6 rounds and more runs, too."""
    assert len(ARENA.epsilons) >= 4
    for policy, member in ARENA.members.items():
        played = [e for e in PAPER.experiments.values() if policy in {p.id for p in e.policies}]
        short = [e for e in played if not e.stream]
        assert len(short) >= 6
        assert all(e.design.horizon >= 200_000 and e.policy(policy).runs >= 50 for e in short)
        assert all(len(e.policy(policy).series) == (len(ARENA.epsilons) if member.private else 1) for e in short)
        if member.family == "episodes":
            long = [e for e in played if e not in short]
            assert len(long) == len(ARENA.instances)
            assert all(e.design.horizon >= 1_000_000 and e.policy(policy).runs > 50 for e in long)
    sizes = {make_environment(e.environment).number_of_arms for e in PAPER.experiments.values()}
    assert sizes == {2, 5, 10, 50}


def test_a_policy_that_does_not_play_is_left_out_with_a_reason():
    for instance in ARENA.instances:
        playing = {policy.id for policy in PAPER.experiments[instance].policies}
        missing = {policy for policy in ARENA.members if policy not in playing}
        assert missing == {policy for policy, place in ARENA.left_out if place == instance}
    assert all(ARENA.left_out.values())


def jobs(arena, guests=()):
    return [
        (batch, (batch.runs + batch.block - 1) // batch.block)
        for experiment in arena.experiments.values()
        for batch in batches.batches(experiment, 1, guests, **names.JOBS)
    ]


def test_few_jobs_simulate_it():
    assert sum(number for _, number in jobs(PAPER)) <= 40
    assert sum(number for _, number in jobs(SMOKE)) <= 10
    assert sum(costs.seconds(batch.spec, batch.runs) for batch, _ in jobs(SMOKE)) < 30


def test_a_run_has_the_same_arms_for_all_policies_and_both_lengths():
    orders = set()
    for experiment in (PAPER.experiments["C4"], PAPER.experiments["C4-long"]):
        for policy in experiment.policies:
            spec = experiment.spec(policy.id, 1)
            assert (spec["paper"], spec["stream"]) == ("arena", "C4")
            rng = stream(spec["seed"], spec["paper"], spec["stream"], "environment of", 3)
            arms, _ = make_environment(spec["environment"]).begin(rng, spec["horizon"], np.array([1]))
            orders.add(tuple(arms.means))
    assert len(orders) == 1


def test_the_fifty_arms_are_those_of_sarkar2025():
    means = make_environment(PAPER.experiments["fifty-arms"].environment).arms.means
    assert np.array_equal(means, np.random.RandomState(42).uniform(0.005, 1, 50))


def test_a_second_self_spends_exactly_what_the_first_promised():
    """GDP-NCB with the noise of its code: as many releases of a reward as the ledger counts, of scale ln T/(epsilon n)."""
    first, second = (
        {s.variant: s for s in PAPER.experiments["C1"].policy(name).series}
        for name in ("gdp-ncb-code", "gdp-ncb-code-kept")
    )
    privacy = algorithms.find("gdp_ncb").privacy
    for variant, epsilon in enumerate(ARENA.epsilons):
        broken = privacy(200_000, 5, **first[variant].parameters)
        assert broken.spent > 1.1 * epsilon == pytest.approx(1.1 * broken.epsilon)
        assert privacy(200_000, 5, **second[variant].parameters).spent == pytest.approx(epsilon, rel=1e-9)
        ratio = second[variant].parameters["epsilon"] / epsilon
        assert ratio == pytest.approx(epsilon / broken.spent, rel=1e-9)
    assert ARENA.members["gdp-ncb-code"].second == "gdp-ncb-code-kept"
    assert ARENA.members["gdp-ncb-code-kept"].first == "gdp-ncb-code"


def test_causes_are_those_of_the_full_games():
    assert {claim.explained for claim in PAPER.claims} == {True}
    assert {claim.explained for claim in SMOKE.claims} == {False}


# Guests

MINE = {"label": "Mine ({epsilon:g})", "algorithm": "ldp_ucb", "takes": ["epsilon"]}


def test_a_guest_plays_everywhere_in_jobs_of_its_own():
    arena = studies.load(FILE, "smoke", {"mine": MINE})
    checking.check(arena)
    assert arena.arena.members["mine"].label == "Mine"
    added = [batch for batch, _ in jobs(arena, ["mine"]) if "mine" in batch.policies]
    assert [batch.policies for batch in added] == [("mine",)] * len(arena.arena.instances)
    ours = {(b.spec["experiment"], b.id): b.spec for b, _ in jobs(SMOKE)}
    assert {(b.spec["experiment"], b.id): b.spec for b, _ in jobs(arena, ["mine"]) if b not in added} == ours
    assert guests.report([arena]) == ["guest mine: in arena"]


def test_a_guest_that_breaks_its_promise_stands_twice():
    parameters = {"c": 3, "alpha": 3.1, "cap": "sqrt", "noise_log": "ln"}
    guest = {"label": "Mine", "algorithm": "gdp_ncb", "takes": ["epsilon"], "parameters": parameters}
    arena = studies.load(FILE, "smoke", {"mine": guest})
    assert arena.arena.members["mine"].second == "mine-kept"
    assert arena.arena.members["mine-kept"].label == "Mine (at the ε kept)"


@pytest.mark.parametrize(
    ("guest", "reason"),
    [
        ({"label": "Mine", "algorithm": "exp3"}, "exp3 plays games, while these are arms"),
        (
            {"label": "Mine", "algorithm": "adap_ucb", "takes": ["epsilon", "alpha"]},
            "it takes alpha, which the experiment does not give to all of its policies",
        ),
    ],
)
def test_a_guest_that_cannot_play_is_told_why(guest, reason):
    arena = studies.load(FILE, "smoke", {"mine": guest})
    assert "mine" not in arena.arena.members
    assert f"guest mine: not in arena: {reason}" in guests.report([arena])[0]


def test_a_guest_of_some_papers_plays_in_the_arena_only_if_it_says_so():
    for papers, joins in ((["azize2022"], False), (["arena"], True)):
        found = studies.load_all(ROOT / "config", "smoke", {"mine": {**MINE, "papers": papers}})
        assert ("mine" in found["arena"].arena.members) == joins
    with pytest.raises(InputError, match=r"config/config.yaml: guests.ucb: a policy of arena has this name"):
        studies.load(FILE, "smoke", {"ucb": MINE})


# Mistakes


def put(*path):
    *keys, value = path

    def change(content):
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value

    return change


LONG = ("experiments", "{environment}-long")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("policys", {}), "unknown key 'policys'; did you mean 'policies'?"),
        (put("figures", {"fig1": {"caption": "Scores"}}), "figures: an arena has figures of its own; remove this key"),
        (put("arena", "epsilons", [0.1, 0]), "arena.epsilons.1: 0 should be above 0"),
        (put("arena", "epsilons", [1, 1]), "arena.epsilons: [1, 1] has 1 twice; keep one"),
        (put("arena", "yardstick", "klucb"), "arena.yardstick: unknown policy 'klucb'; did you mean 'kl-ucb'?"),
        (put("arena", "experiments", ["C9"]), "arena.experiments: unknown experiment 'C9'; "),
        (put("arena", "smoke", "experiments", ["C9"]), "arena.smoke.experiments: unknown experiment 'C9'; "),
        (put("arena", "left_out", "dp-uct", {}), "arena.left_out: unknown policy 'dp-uct'; did you mean 'dp-ucb'?"),
        (put("arena", "left_out", "dp-ucb", {"C9": "x"}), "arena.left_out.dp-ucb: unknown experiment 'C9'; "),
        (put("design", "horizon", 1e5), "design.horizon: 100000.0 should be a whole number; write 100000"),
        (put(*LONG, "stream", "C9"), "experiments.two-arms-long.stream: unknown experiment 'C9'; "),
        (put(*LONG, "stream", "C1"), "experiments.two-arms-long.stream: C1 has another environment; "),
        (put("experiments", "C1-longer", {"environment": "C1", "stream": "C1", "policies": "all"}),
         "experiments.C1-longer.stream: C1-long has the stream of C1 already; remove one of the two"),
        (put(*LONG, "policies", "ucb"), "policies: 'ucb' is not one of all"),
        (put("environments", "C2", "means", [0.5, 1.5]), "environments.C2: means[1]: 1.5 should be a mean in [0, 1]"),
        (put("environments", "C2", "means", [0.5, 0.5]), "environments.C2: means: [0.5, 0.5] are all equal"),
        (put("environments", "C2", "means", [0.5, 0.5, 0.4]), "environments.C2: means: two arms are best, 0.5"),
        (put("environments", "C2", "draw", 1), "environments.C2: unknown key 'draw'; "),
        (put("environments", "C2", {"kind": "drawn_arms", "number_of_arms": 5, "lowest": 0.1, "highest": 1, "draw": 1}),
         "environments.C2: an arena scores policies on Bernoulli arms"),
        (put("environments", "C2", "corrected", {"means": [0.5, 0.4]}), "an arena has one reading, and C2 has two"),
        (put("policies", "ucb", "algorithm", "ucbb"), "policies.ucb: unknown algorithm 'ucbb'; did you mean"),
        (put("policies", "ucb", "algorithm", "exp3"), "policies.ucb: algorithm 'exp3' plays adversaries' games"),
        (put("policies", "ucb", "parameters", {"c": 1}), "two-arms.policies.ucb: parameters: unknown key 'c'"),
        (put("policies", "ucb", "takes", ["epsilon"]), "policies.ucb-0.1: parameters: unknown key 'epsilon'"),
        (put("policies", "ucb", "sweep", {"c": [1, 2]}), "policies.ucb: sweep: the only sweep of an arena is over its"),
        (put("policies", "gdp-ncb-code", "parameters", "cc", 1), "policies.gdp-ncb-code: parameters: unknown key 'cc'"),
        (put("claims", "R1", "measure", {"lowest": {}}), "claims.R1.measure: unknown measure 'lowest'; did you mean"),
        (put("claims", "R1", "measure", {"lowest_score": {}}), "claims.R1.measure.lowest_score: 'of' is missing"),
        (put("claims", "R1", "measure", {"lowest_score": {"of": ["tree"]}}),
         "claims.R1.measure.lowest_score.of: unknown policy, family or league 'tree'; did you mean 'trees'?"),
        (put("claims", "R1", "together", True), "claims.R1.together: a claim about the cells of an arena has no such"),
        (put("claims", "R1", "cause", {"arean": "x"}), "claims.R1.cause: unknown experiment or reading 'arean'; did you"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(change, message, refused):
    assert message in refused("arena", change, "smoke")


def test_the_name_of_the_file_is_that_of_the_study(tmp_path):
    (tmp_path / "papers").mkdir()
    for name in ("arena.yaml", "papers/arena.yaml"):
        (tmp_path / name).write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(InputError, match=r"arena.yaml: .*papers/arena.yaml has the same name; rename one of the two"):
        studies.load_all(tmp_path)
    (tmp_path / "arena.yaml").rename(tmp_path / "My arena.yaml")
    with pytest.raises(InputError, match=r"'My arena' cannot be used as a name here; rename the file like"):
        studies.load_all(tmp_path)

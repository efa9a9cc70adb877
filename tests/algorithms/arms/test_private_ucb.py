"""private_ucb: by hand, beside its plain twin, and what it promises and spends."""

import pytest
from plain import tossou2016
from playing import actions, regrets
from twins import C2, TEN, TWO, needs_one_round_for_each_arm, refused, same_actions, same_law, spends_and_composes

from dpbandits import algorithms
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream


def test_private_ucb_by_hand():
    chosen = actions("private_ucb", stream(0, "hand"), [1.0, 0.0], 8, epsilon=1e9, relaxation=False)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


def test_private_ucb_relaxation_by_hand():
    """With G/n the whole index the arm with fewer pulls is played: round robin."""
    chosen = actions("private_ucb", stream(0, "hand"), [1.0, 0.5, 0.0], 12, epsilon=1e-3)
    assert sorted(chosen[:3]) == sorted(chosen[3:6]) == sorted(chosen[6:9]) == sorted(chosen[9:]) == [0, 1, 2]


@pytest.mark.parametrize("means", [TWO, TEN], ids=["two arms", "ten arms"])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("private_ucb", {"epsilon": 1.0}),
        ("private_ucb", {"epsilon": 20.0, "failure_prob": "T^-4"}),
        ("private_ucb", {"epsilon": 20.0, "relaxation": False, "budget": "parallel"}),
    ],
    ids=str,
)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, means):
    same_actions(tossou2016, 1, name, means, 3000, 4, **parameters)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("private_ucb", {"epsilon": 50.0, "relaxation": False})],
)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    same_law(tossou2016, (4, "ours"), (4, "twin"), name, 600, parameters, parameters)


def rule_of(monkeypatch, arms, horizon, **parameters):
    """The rule that `play` hands to its driver."""
    module, rules = algorithms.find("private_ucb"), []
    monkeypatch.setattr(module, "play_with_leads", lambda rng, arms, horizon, journal, rule: rules.append(rule))
    module.play(None, arms, horizon, None, **parameters)
    return rules[0]


def test_relaxation_of_private_ucb_has_the_published_size(monkeypatch):
    """G at t = T = 1e5 for two and ten arms, from the pull counts that it balances: read off the index itself."""
    # G_T = K ln(T)^2 (ln(K T ln T) + 4 ln T)/eps: K = 2: 1.61e4 (eps = 1); K = 10: 8.26e5 (eps = 0.1).
    T = 10**5
    for K, epsilon, expected in [(2, 1.0, 1.61e4), (2, 0.1, 1.61e5), (10, 1.0, 8.26e4), (10, 0.1, 8.26e5)]:
        rule = rule_of(monkeypatch, bernoulli(means=[0.5] * K).arms, T, epsilon=epsilon)
        assert rule.growth(T)[1] == pytest.approx(expected, rel=5e-3)


def test_p3_private_ucb_spends_a_kth_of_what_it_may():
    split = algorithms.find("private_ucb").privacy(100_000, 10, epsilon=1.0)
    assert split.spent == pytest.approx(0.1)
    parallel = algorithms.find("private_ucb").privacy(100_000, 10, epsilon=1.0, budget="parallel")
    assert parallel.spent == pytest.approx(1.0)
    assert split.kept
    assert parallel.kept


@pytest.mark.parametrize(
    ("epsilon", "given", "levels", "expected"),
    [
        (1.0, {}, 24, 29_629),
        (0.5, {}, 24, 59_259),
        (0.25, {}, 24, 118_518),
        (0.1, {}, 24, 296_295),
        (1.0, {"planned_for": "pow2"}, 25, 32_322),
        (1.0, {"budget": "parallel"}, 24, 5_926),
    ],
)
def test_dp_ucb_has_the_relaxation_and_the_levels_of_the_specification(monkeypatch, epsilon, given, levels, expected):
    rule = rule_of(monkeypatch, bernoulli(means=C2).arms, 10**7, epsilon=epsilon, failure_prob=0.1, **given)
    assert (rule.g_constant, rule.g_growth) == (pytest.approx(expected, abs=0.6), 0.0)
    assert rule.node_scale == pytest.approx(levels / epsilon * (1 if "budget" in given else 5))


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"epsilon": 1, "failure_prob": 1.5}, "failure_prob: 1.5 should be a number in (0, 1)"),
        ({"epsilon": 1, "failure_prob": "t-4"}, "failure_prob: 't-4' is not one of t^-4, T^-4"),
        ({"epsilon": 1, "failure_prob": 1}, "failure_prob: 1 should be a number in (0, 1)"),
        ({"epsilon": 1, "failure_prob": 0}, "failure_prob: 0 should be a number in (0, 1)"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(given, part):
    refused("private_ucb", given, part)


@pytest.mark.parametrize(
    ("given", "share"), [({}, 1 / 5), ({"planned_for": "pow2"}, 10 / 11 / 5), ({"budget": "parallel"}, 1)]
)
def test_p5_dp_ucb_spends_a_fifth_of_what_it_may(given, share):
    """T = 1000 has 10 levels, 1024 has 11."""
    account = algorithms.find("private_ucb").privacy(1000, 5, epsilon=0.7, failure_prob=0.1, **given)
    assert account.spent == pytest.approx(0.7 * share)


@pytest.mark.parametrize(("epsilon", "final"), [(1.0, 33_861), (10.0, 7_689)])
def test_algorithm_1_with_failure_probability_one_over_t(epsilon, final):
    found = regrets("private_ucb", "literal", 40, 10**5, epsilon=epsilon, failure_prob="T^-1")[:, 1]
    assert found.mean() == pytest.approx(final, rel=0.02)


@pytest.mark.parametrize(("given", "spent", "composed"), [({"failure_prob": "T^-1"}, 0.2, 1.0)], ids=str)
@pytest.mark.parametrize("horizon", [1000, 100_000])
def test_p2_to_p4_what_is_spent_and_what_the_paper_adds_up(given, spent, composed, horizon):
    spends_and_composes("private_ucb", horizon, spent, composed, **given)


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    needs_one_round_for_each_arm("private_ucb")

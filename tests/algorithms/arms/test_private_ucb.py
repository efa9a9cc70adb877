"""private_ucb: what is special to it (the rest is in test_every_algorithm.py)."""

import pytest
from playing import actions, regrets
from twins import C2

from dpbandits import algorithms
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream


def test_private_ucb_relaxation_by_hand():
    """With G/n the whole index the arm with fewer pulls is played: round robin."""
    chosen = actions("private_ucb", stream(0, "hand"), [1.0, 0.5, 0.0], 12, epsilon=1e-3)
    assert sorted(chosen[:3]) == sorted(chosen[3:6]) == sorted(chosen[6:9]) == sorted(chosen[9:]) == [0, 1, 2]


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


@pytest.mark.parametrize(("budget", "spent"), [("split", 0.1), ("parallel", 1.0)])
def test_p3_private_ucb_spends_a_kth_of_what_it_may(budget, spent):
    account = algorithms.find("private_ucb").privacy(100_000, 10, epsilon=1.0, budget=budget)
    assert account.spent == pytest.approx(spent)
    assert account.kept


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

"""Private-UCB: its relaxation and its tree by hand, and an index of DP-UCB-BOUND that starves an arm."""

import pytest
from playing import actions
from twins import C2

from dpbandits import algorithms
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.random import stream


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


@pytest.mark.parametrize(
    ("epsilon", "given", "levels", "expected"),
    [
        (1.0, {}, 24, 29_629),
        (0.1, {}, 24, 296_295),
        (1.0, {"planned_for": "pow2"}, 25, 32_322),
        (1.0, {"budget": "parallel"}, 24, 5_926),
    ],
)
def test_dp_ucb_has_the_relaxation_and_the_levels_of_the_specification(monkeypatch, epsilon, given, levels, expected):
    rule = rule_of(monkeypatch, bernoulli(means=C2).arms, 10**7, epsilon=epsilon, failure_prob=0.1, **given)
    assert (rule.g_constant, rule.g_growth) == (pytest.approx(expected, abs=0.6), 0.0)
    assert rule.node_scale == pytest.approx(levels / epsilon * (1 if "budget" in given else 5))


def test_dp_ucb_bound_starves_an_arm_at_a_power_of_two():
    """At epsilon = 1/100 the error bound is all, c_t = sqrt(8) ln(4 t^4)/epsilon. Round 3: both arms have n = 1; arm 0 wins the tie
    or by its reward. At n = (2, 1) arm 1 has c, arm 0 c/2: arm 1. At n = (2, 2) some arm goes to 3 and then has the factor
    (ln 3 + 1)/3 = 0.6995 against 1/2: it is played again to 4, where its factor is 1/4 against 1/2: the other arm follows."""
    chosen = actions("dp_ucb_bound", stream(0, "hand"), [1.0, 0.0], 8, epsilon=0.01)
    first = chosen[4]
    assert sorted(chosen[:4]) == [0, 0, 1, 1]
    assert chosen[4:] == [first, first, 1 - first, 1 - first]

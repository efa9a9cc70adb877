"""Each kernel three ways: by hand on a small case, against its plain twin, and against theory."""

import math

import numpy as np
import plain
import pytest
from playing import actions, final_regret
from scipy import stats

from dpbandits import algorithms
from dpbandits.algorithms import interval_ucb
from dpbandits.environments.bernoulli import bernoulli
from dpbandits.randomness import stream

DELTA = math.exp(-10)
TWO, TEN = [0.9, 0.6], [0.1, 0.15, 0.05, 0.12, 0.2, 0.55, 0.3, 0.25, 0.4, 0.02]


# 1. By hand.


def test_ucb_by_hand():
    """Means 1 and 0 make the rewards certain: s = n on arm 0, s = 0 on arm 1."""
    # Round 3: arm 0 has 1 + sqrt(2 ln 3) = 2.48, arm 1 has sqrt(2 ln 3) = 1.48. Arm 1 next wins in the first round t
    # with sqrt(2 ln t) > 1 + sqrt(2 ln t / (t - 2)): sqrt(2 ln 9) = 2.0963 > 1 + 2.0963 / sqrt(7) = 1.7923, while at
    # t = 4: 1.6651 < 2.1774; t = 5: 1.7941 < 2.0358; t = 6: 1.8930 < 1.9465; t = 7: 1.9728 > 1.8823.
    chosen = actions("ucb", stream(0, "hand"), [1.0, 0.0], 8)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


def test_dp_ucb_bound_by_hand():
    """With a huge epsilon there is no noise and hardly any error bound: it is UCB."""
    chosen = actions("dp_ucb_bound", stream(0, "hand"), [1.0, 0.0], 8, epsilon=1e9)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


def test_dp_ucb_bound_starves_an_arm_at_a_power_of_two():
    """At epsilon = 1 the error bound is all: round 3, both arms have n = 1; arm 0 wins the tie or by its reward."""
    # c_t/n is sqrt(8) ln(4 t^4)/n. At n = (2, 1) (t = 4) arm 1 has c, arm 0 c/2: arm 1. At n = (2, 2) (t = 5): by the
    # counts, some arm a goes to 3 and then has factor (ln 3 + 1)/3 = 0.6995 against 1/2: it is played again to 4, where
    # its factor is 1/4 against 1/2: the other arm follows to 3 and 4.
    chosen = actions("dp_ucb_bound", stream(0, "hand"), [1.0, 0.0], 8, epsilon=0.01)
    first = chosen[4]
    assert sorted(chosen[:4]) == [0, 0, 1, 1]
    assert chosen[4:] == [first, first, 1 - first, 1 - first]


def test_dp_ucb_by_hand():
    chosen = actions("dp_ucb", stream(0, "hand"), [1.0, 0.0], 8, epsilon=1e9)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


def test_private_ucb_by_hand():
    chosen = actions("private_ucb", stream(0, "hand"), [1.0, 0.0], 8, epsilon=1e9, relaxation=False)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


def test_private_ucb_relaxation_by_hand():
    """With G/n the whole index the arm with fewer pulls is played: round robin."""
    chosen = actions("private_ucb", stream(0, "hand"), [1.0, 0.5, 0.0], 12, epsilon=1e-3)
    assert sorted(chosen[:3]) == sorted(chosen[3:6]) == sorted(chosen[6:9]) == sorted(chosen[9:]) == [0, 1, 2]


def test_interval_ucb_by_hand():
    """epsilon' = 20, v = 1.5: round robin until both arms have W_1 pulls, then the arm whose rewards are all 1."""
    epsilon = interval_ucb.input_epsilon(20.0, DELTA, 1.5)
    assert epsilon == pytest.approx((math.sqrt(90 / 20.89901) - math.sqrt(10 / 20.89901)) ** 2, rel=1e-6)  # 1.9139 > 1
    epsilon = interval_ucb.input_epsilon(8.0, DELTA, 1.5)
    assert epsilon == pytest.approx((math.sqrt(42 / 20.89901) - math.sqrt(10 / 20.89901)) ** 2, rel=1e-6)  # 0.52738
    # W_1: 1 >= 1/0.527? no. 1 + 2^-1.5 = 1.3536 >= 2^-1.5/0.527 = 0.6704: W_1 = 2. Then 3^-1.5 = 0.1925 < 0.3649;
    # + 4^-1.5 = 0.3175 >= 0.2370: W_2 = 4.
    assert interval_ucb.update_counts("series_y", epsilon, 1.5, 100)[:2].tolist() == [2, 4]
    chosen = actions("interval_ucb", stream(0, "hand"), [1.0, 0.0], 6, epsilon=8.0, delta=DELTA, v=1.5)
    assert chosen[:4] == [0, 1, 0, 1]
    assert chosen[4] == chosen[5]  # between two update counts the winner's index is kept


# 2. Against the plain twin: the same generator, the same actions.

CASES = [
    ("ucb", {}),
    ("dp_ucb_bound", {"epsilon": 1.0}),
    ("dp_ucb_bound", {"epsilon": 0.1, "hybrid_split": "full_log2"}),
    ("dp_ucb_bound", {"epsilon": 5.0, "hybrid_split": "literal_natlog", "power_of_two_rule": False}),
    ("dp_ucb", {"epsilon": 1.0}),
    ("dp_ucb", {"epsilon": 0.1, "hybrid_split": "full_log2"}),
    ("dp_ucb", {"epsilon": 5.0, "hybrid_split": "literal_natlog"}),
    ("private_ucb", {"epsilon": 1.0}),
    ("private_ucb", {"epsilon": 20.0, "failure_prob": "T^-4"}),
    ("private_ucb", {"epsilon": 20.0, "relaxation": False, "budget": "parallel"}),
]


@pytest.mark.parametrize("means", [TWO, TEN], ids=["two arms", "ten arms"])
@pytest.mark.parametrize(("name", "parameters"), CASES, ids=str)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, means):
    for run in range(4):
        ours = actions(name, stream(1, name, run), means, 3000, **parameters)
        twin = getattr(plain, name)(stream(1, name, run), means, 3000, **parameters)
        assert ours == twin


@pytest.mark.parametrize("schedule", ["series_y", "series_x", "simple"])
@pytest.mark.parametrize("variant", [{}, {"redraw_noise": True}, {"bonus": "current_t"}, {"bonus": "frozen"}], ids=str)
def test_interval_kernel_takes_the_same_actions_as_its_twin(schedule, variant):
    epsilon, v = 3.0, 1.2
    for run, means in enumerate([TWO, TWO, TEN, TEN]):
        given = {"epsilon": epsilon, "delta": DELTA, "v": v, "schedule": schedule, **variant}
        ours = actions("interval_ucb", stream(2, run), means, 3000, **given)
        inside = interval_ucb.input_epsilon(epsilon, DELTA, v)
        assert ours == plain.interval_ucb(stream(2, run), means, 3000, inside, v, schedule=schedule, **variant)


def test_ucb_follows_its_twin_over_long_leads():
    """50,000 rounds, in which the leader is often alone for a whole window."""
    assert actions("ucb", stream(3), TWO, 50_000) == plain.ucb(stream(3), TWO, 50_000)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("ucb", {}),
        ("dp_ucb_bound", {"epsilon": 1.0}),
        ("dp_ucb", {"epsilon": 1.0}),
        ("private_ucb", {"epsilon": 50.0, "relaxation": False}),
        ("interval_ucb", {"epsilon": 2.0, "delta": DELTA, "v": 1.1}),
    ],
)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    """Independent generators this time, many runs, Kolmogorov-Smirnov."""
    horizon, means = 600, [0.8, 0.5, 0.3]
    given = dict(parameters)
    if name == "interval_ucb":
        given = {"input_epsilon": interval_ucb.input_epsilon(2.0, DELTA, 1.1), "v": 1.1}
    gaps = np.array([0.0, 0.3, 0.5])
    ours = [final_regret(name, stream(4, "ours", name, run), means, horizon, **parameters) for run in range(2000)]
    twin = [
        gaps[getattr(plain, name)(stream(4, "twin", name, run), means, horizon, **given)].sum() for run in range(400)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-3


# 3. Theory.


def test_every_regret_is_the_pull_counts_times_the_gaps():
    """The regret at the horizon does not depend on which other checkpoints there are."""
    arms, every = bernoulli(means=TEN).begin(None, 2000, np.arange(1, 2001))
    arms, last = bernoulli(means=TEN).begin(None, 2000, np.array([2000]))
    for journal in (every, last):
        algorithms.find("dp_ucb").play(stream(5), arms, 2000, journal, epsilon=1.0)
    assert every.regret[-1] == last.regret[0]
    assert np.all(np.diff(every.regret) >= -1e-9)


@pytest.mark.parametrize(("target", "expected", "reciprocal"), [(0.1, 4.631731e-5, 21591), (1.0, 3.964317e-3, 253)])
def test_corollary_3_2(target, expected, reciprocal):
    epsilon = interval_ucb.input_epsilon(target, DELTA, 1.1)
    assert epsilon == pytest.approx(expected, rel=1e-6)
    assert math.ceil(1 / epsilon) == reciprocal
    assert interval_ucb.closed_form_epsilon(epsilon, DELTA, 1.1, 10**5)[1] == pytest.approx(target, rel=1e-12)


@pytest.mark.parametrize(
    ("target", "schedule", "counts"),
    [
        (0.1, "series_y", [1751, 10814, 24866, 41361, 59184]),
        (1.0, "series_y", [46, 177, 354, 554, 767]),
        (0.1, "series_x", [9834, 26777, 45603, 65252, 85354]),
        (1.0, "series_x", [124, 324, 545, 776, 1012]),
        (1.0, "simple", [253, 506, 759, 1012, 1265]),
    ],
)
def test_update_counts(target, schedule, counts):
    epsilon = interval_ucb.input_epsilon(target, DELTA, 1.1)
    found = interval_ucb.update_counts(schedule, epsilon, 1.1, 100_000)
    assert found[:5].tolist() == counts
    assert np.diff(found, prepend=0).max() <= math.ceil(1 / epsilon)
    assert interval_ucb.first_update(schedule, epsilon, 1.1) == counts[0]


def test_closed_form_of_corollary_3_1():
    for target, first_term in [(0.1, 0.01825), (1.0, 1.5617)]:
        epsilon = interval_ucb.input_epsilon(target, DELTA, 1.1)
        assert interval_ucb.closed_form_epsilon(epsilon, DELTA, 1.1, 10**5)[0] == pytest.approx(first_term, rel=5e-4)


def test_zero_noise_dp_ucb_is_ucb():
    """With a budget that makes the noise vanish the private policies choose as UCB does, reward for reward."""
    means, horizon = TEN, 2000
    rewards_only = actions("ucb", stream(6), means, horizon)
    assert len(set(rewards_only)) == len(means)
    finals = {
        name: np.mean([final_regret(name, stream(6, name, run), means, horizon, epsilon=1e9) for run in range(200)])
        for name in ("dp_ucb", "dp_ucb_bound")
    }
    ucb = np.array([final_regret("ucb", stream(6, "ucb", run), means, horizon) for run in range(200)])
    for mean in finals.values():
        assert mean == pytest.approx(ucb.mean(), abs=4 * ucb.std() / math.sqrt(100))


def test_relaxation_of_private_ucb_has_the_published_size():
    """G at t = T = 1e5 for two and ten arms, from the pull counts that it balances: read off the index itself."""
    # G_T = K ln(T)^2 (ln(K T ln T) + 4 ln T)/eps: K = 2: 1.61e4 (eps = 1); K = 10: 8.26e5 (eps = 0.1).
    T = 10**5
    for K, epsilon, expected in [(2, 1.0, 1.61e4), (2, 0.1, 1.61e5), (10, 1.0, 8.26e4), (10, 0.1, 8.26e5)]:
        seen = {}

        class Spy:
            @staticmethod
            def kernel(rng, arms, horizon, journal, scale, constant, growth, seen=seen):
                seen["G"] = constant + growth * math.log(horizon)

        module = algorithms.find("private_ucb")
        kernel, module.private_ucb = module.private_ucb, Spy.kernel
        try:
            module.play(None, bernoulli(means=[0.5] * K).arms, T, None, epsilon=epsilon)
        finally:
            module.private_ucb = kernel
        assert seen["G"] == pytest.approx(expected, rel=5e-3)

"""The algorithms of azize2022: by hand, against plain twins that walk round by round, and against the specification."""

import copy
import math
import types
from pathlib import Path

import numpy as np
import plain_azize2022 as plain
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import actions, final_regret
from scipy import stats
from scipy.optimize import brentq

from dpbandits import algorithms, checks, papers, parameters
from dpbandits.algorithms import _adaptive_episodes as episodes
from dpbandits.algorithms import adap_klucb, adap_ucb, elimination
from dpbandits.environments.bernoulli import Arms, bernoulli, pull_many
from dpbandits.environments.journal import blank_journal, note, note_round_robin, note_span
from dpbandits.errors import InputError
from dpbandits.randomness import stream

ROOT = Path(__file__).parent.parent
THREE, TWO = [0.8, 0.5, 0.3], [0.6, 0.5]
C2 = [0.75, 0.625, 0.5, 0.375, 0.25]


# The moves that advance by whole episodes.


def test_a_span_is_noted_as_round_by_round():
    rng = np.random.default_rng(1)
    for _ in range(200):
        gaps, checkpoints = rng.random(4), np.unique(rng.integers(1, 60, 20))
        ours, theirs = blank_journal(gaps, checkpoints), blank_journal(gaps, checkpoints)
        pulls, each, t = np.zeros(4, np.int64), np.zeros(4, np.int64), 0
        while t < checkpoints[-1]:
            a, m = int(rng.integers(4)), int(rng.integers(1, 9))
            note_span(ours, t, m, pulls, a)
            pulls[a] += m
            for _ in range(m):
                t += 1
                each[a] += 1
                if theirs.kept[0] < checkpoints.size:
                    note(theirs, t, each)
        assert np.array_equal(ours.regret, theirs.regret)
        assert ours.kept[0] == checkpoints.size


def test_a_round_robin_is_noted_as_round_by_round():
    rng = np.random.default_rng(2)
    for _ in range(200):
        gaps, m = rng.random(5), int(rng.integers(1, 40))
        checkpoints = np.unique(np.append(rng.integers(1, m + 3, 10), m + 2))
        ours, theirs = blank_journal(gaps, checkpoints), blank_journal(gaps, checkpoints)
        pulls = rng.integers(0, 9, 5)
        order, each = rng.permutation(5)[: rng.integers(1, 6)], pulls.copy()
        note_round_robin(ours, 2, m, pulls, order)
        for t in range(1, m + 1):
            each[order[(t - 1) % order.size]] += 1
            note(theirs, t + 2, each)
        # the checkpoints 1 and 2 lie before the span: the round-by-round journal never gets beyond them
        if checkpoints[0] > 2:
            assert np.array_equal(ours.regret, theirs.regret)
        assert ours.kept[0] == checkpoints.size


def test_the_sum_of_many_pulls_is_binomial_and_numpys():
    arms = bernoulli(means=THREE).arms
    ours = [pull_many(rng, arms, 1, 1000) for rng in [stream(1, "binomial")] for _ in range(500)]
    numpy = stream(1, "binomial")
    assert ours == [numpy.binomial(1000, 0.5) for _ in range(500)]


# The indices.


@pytest.mark.parametrize(
    ("mean", "h", "t", "epsilon", "ucb", "klucb"),
    [
        (0.5, 64, 1000, 1, 1.243614, 0.990794),
        (0.5, 1024, 1e5, 0.1, 0.980546, 0.926433),
        (-0.2, 8, 50, 1, 2.186515, 1.0),
    ],
)
def test_index_values_of_the_specification(mean, h, t, epsilon, ucb, klucb):
    """Of the kernels themselves: an arm with this index wins against one that is worth a millionth less, not against one
    that is worth a millionth more; and of the twins that they are held against below.
    """
    for kernel, extra, twin, value in (
        (adap_ucb.adap_ucb, (3.1,), plain.adap_ucb_index, ucb),
        (adap_klucb.adap_klucb, (3.1 / epsilon, 3.1), plain.adap_klucb_index, klucb),
    ):
        assert twin(mean, h, math.log(t), epsilon, 3.1) == pytest.approx(value, abs=6e-7)
        assert wins(kernel, extra, mean, h, int(t), epsilon, value - 1.5e-6)
        if value < 1:  # an index of 1 is the largest: nothing is worth more
            assert not wins(kernel, extra, mean, h, int(t), epsilon, value + 1.5e-6)


def wins(kernel, extra, mean, h, t, epsilon, worth):
    """Whether the kernel plays, in round t, the arm with this mean of h rewards or one of so many that only its mean counts."""
    means = episodes.Means(
        np.ones(t - 1, np.int64), np.ones(t - 1, np.int64), np.full(t - 1, 1e18), np.full(t - 1, -1e9)
    )
    means.mu[0], means.h[0], means.mu[1] = mean, h, worth
    chosen = []

    def play_episode(rng, arms, horizon, journal, frame, means, t, a):
        chosen.append(a)
        return horizon

    names = {"first_pulls": lambda *_: means, "play_episode": play_episode}
    names = {**kernel.py_func.__globals__, **names}
    loop = types.FunctionType(kernel.py_func.__code__, names)
    loop(None, Arms(np.zeros(t - 1)), t, None, episodes.frame(epsilon, True, "one", "all"), *extra)
    return chosen == [0]


def test_kl_at_the_edges():
    assert episodes.kl(0.0, 0.3) == pytest.approx(math.log(1 / 0.7))
    assert episodes.kl(1.0, 0.3) == pytest.approx(math.log(1 / 0.3))
    assert (episodes.kl(0.0, 0.0), episodes.kl(1.0, 1.0)) == (0.0, 0.0)
    assert episodes.kl(0.5, 0.0) == episodes.kl(0.5, 1.0) == math.inf
    assert episodes.kl(0.7, 0.7) == 0.0
    assert episodes.kl_index(0.0, 0.5) == pytest.approx(1 - math.exp(-0.5))
    assert episodes.kl_index(1.0, 0.5) == 1.0


def test_kl_index_agrees_with_another_root_finder():
    rng = np.random.default_rng(3)
    for x, budget in zip(rng.uniform(0.001, 0.999, 10_000), rng.exponential(0.5, 10_000) ** 2 + 1e-6, strict=True):
        top = 1 - 1e-15
        exact = (
            brentq(lambda q, x=x, d=budget: plain.kl(x, q) - d, x, top, xtol=1e-14) if plain.kl(x, top) > budget else 1
        )
        assert episodes.kl_index(x, budget) == pytest.approx(exact, abs=1e-9)


@settings(max_examples=300)
@given(st.floats(0, 1), st.floats(1e-9, 10), st.floats(1, 2), st.floats(0, 1))
def test_kl_index_properties(x, budget, factor, other):
    index = episodes.kl_index(x, budget)
    assert x <= index <= 1
    assert episodes.kl(x, index) <= budget + 1e-9
    assert (index == 1) == (x == 1)
    assert episodes.kl_index(x, budget * factor) >= index - 1e-11
    low, high = sorted((x, other))
    assert episodes.kl_index(low, budget) <= episodes.kl_index(high, budget) + 1e-9


@pytest.mark.parametrize("form", ["Lemma 3", "Lemma 4"])
def test_optimism(form):
    """P(index <= mean) <= 3 delta/2, n = 64, epsilon = .5, delta = .05."""
    rng, n, epsilon, delta, mean, runs = np.random.default_rng(4), 64, 0.5, 0.05, 0.4, 20_000
    log = math.log(1 / delta)
    private = rng.binomial(n, mean, runs) / n + rng.laplace(0, 1 / (n * epsilon), runs) + log / (n * epsilon)
    if form == "Lemma 3":
        missed = private + math.sqrt(log / (2 * n)) <= mean
    else:
        missed = np.array([episodes.kl_index(x, log / n) <= mean for x in np.clip(private, 0, 1)])
    assert missed.sum() > 0
    assert stats.binomtest(int(missed.sum()), runs, 1.5 * delta, alternative="greater").pvalue > 1e-3


# Adaptive episodes.


def log_of(choices, horizon, number=2):
    arms, journal = bernoulli(means=TWO if number == 2 else THREE).begin(None, horizon, np.array([horizon]))
    frame = episodes.frame(1.0, True, "one", "all")
    return episodes.episode_log(stream(5), arms, horizon, journal, frame, choices)


def test_the_worked_example_of_figure_1():
    assert log_of([0, 0, 1, 0], 10) == [(1, 0, 1), (2, 1, 1), (3, 0, 1), (4, 0, 2), (6, 1, 1), (7, 0, 4)]


def test_the_start_of_the_episode_is_at_least_half_the_round():
    """phi(t) <= t <= 2 phi(t); in the example phi(5) = 4 and phi(9) = 7."""
    rng = np.random.default_rng(6)
    for _ in range(50):
        start = {t: first for first, _, m in log_of(rng.integers(0, 3, 9), 10**6, 3) for t in range(first, first + m)}
        assert all(first <= t <= 2 * first for t, first in start.items())
    start = {t: first for first, _, m in log_of([0, 0, 1, 0], 10) for t in range(first, first + m)}
    assert (start[5], start[9]) == (4, 7)


def test_the_horizon_cuts_the_last_episode():
    assert log_of([0, 0, 1, 0], 8)[-1] == (7, 0, 2)
    assert final_regret("adap_ucb", stream(7), TWO, 2, epsilon=1.0, alpha=3.1) == pytest.approx(0.1)


@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb", "klucb_keeping_all"])
def test_pull_counts_are_powers_of_two_until_the_cut(name):
    for run in range(20):
        chosen = actions(name, stream(8, run), THREE, 5000, epsilon=0.5, alpha=3.1)
        switches = np.flatnonzero(np.diff(chosen)) + 1
        for end in switches[switches >= 3]:
            counts = np.bincount(chosen[:end], minlength=3)
            assert all(n & (n - 1) == 0 for n in counts.tolist())


CASES = [
    ("adap_ucb", {"epsilon": 1.0, "alpha": 3.1}),
    ("adap_ucb", {"epsilon": 0.1, "alpha": 1.0, "init_h": "half"}),
    ("adap_ucb", {"epsilon": 5.0, "alpha": 0.3, "init_noise": False}),
    ("adap_klucb", {"epsilon": 1.0, "alpha": 3.1}),
    ("adap_klucb", {"epsilon": 5.0, "alpha": 2.4, "kl_bonus": "one", "eps_cap": 1.0}),
    ("adap_klucb", {"epsilon": 0.25, "alpha": 1.0, "kl_budget": "full_N", "init_h": "half", "init_noise": False}),
    ("klucb_keeping_all", {"epsilon": 2.0, "alpha": 2.0}),
    ("elimination", {"epsilon": 1.0}),
    ("elimination", {"epsilon": 0.1, "elimination": "skip_next"}),
    ("elimination", {"epsilon": 3.0, "beta": 0.1}),
    ("kl_ucb", {"alpha": 1.0}),
    ("kl_ucb", {"alpha": 3.1}),
]


@pytest.mark.parametrize(("name", "given"), CASES, ids=str)
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    horizon = 3000 if name == "kl_ucb" else 60_000
    for run in range(4):
        ours = actions(name, stream(9, name, run), means, horizon, **given)
        assert ours == getattr(plain, name)(stream(9, name, run), means, horizon, **given)


@pytest.mark.parametrize(("name", "given"), CASES, ids=str)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(9, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(plain, name)(stream(9, "short", name, run), THREE, 60, **given))


@pytest.mark.parametrize(("name", "given"), [CASES[0], CASES[3], CASES[9]], ids=str)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(name, given):
    """Binomial sums against single rewards: independent generators, Kolmogorov-Smirnov."""
    horizon = 4000
    gaps = np.array(THREE[0]) - np.array(THREE)
    ours = [final_regret(name, stream(10, name, run), THREE, horizon, **given) for run in range(2000)]
    twin = [
        gaps[getattr(plain, name)(stream(11, name, run), THREE, horizon, one_by_one=True, **given)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-3


def test_one_round_of_each_episode_is_not_charged():
    """An arm with 2^k pulls has had k episodes after its first pull: 2^k - k are charged."""
    arms, journal = bernoulli(means=[0.6, 0.5]).begin(None, 34, np.array([2, 10, 33, 34]))
    frame = episodes.frame(1.0, True, "one", "skip_one")
    episodes.episode_log(stream(12), arms, 34, journal, frame, [1, 1, 1, 1, 1])
    assert journal.regret[[0, 2]] == pytest.approx([0.1, 0.1 * (32 - 5)])


# Anytime, and what is not.


@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb"])
def test_a_shorter_run_is_a_prefix(name):
    for run in range(5):
        long = actions(name, stream(13, run), THREE, 20_000, epsilon=0.5, alpha=3.1)
        assert long[:7000] == actions(name, stream(13, run), THREE, 7000, epsilon=0.5, alpha=3.1)


# Successive elimination.


@pytest.mark.parametrize(
    ("epsilon", "s", "e", "R", "limit"),
    [
        (1.0, 5, 1, 2536, 0.140057),
        (1.0, 5, 2, 10851, None),
        (1.0, 5, 3, 45065, None),
        (1.0, 4, 2, 10737, None),
        (0.1, 5, 1, 3059, 0.238766),
        (0.1, 5, 2, 10851, 0.100285),
        (0.1, 4, 2, 10737, 0.100269),
    ],
)
def test_epochs_of_the_specification(epsilon, s, e, R, limit):
    assert elimination.epoch_length(s, e, epsilon, 1e-7) == R
    if limit is not None:
        assert elimination.threshold(s, e, R, epsilon, 1e-7) == pytest.approx(limit, abs=6e-7)


def test_the_elimination_that_skips_the_next_arm():
    """Of (1, 2, 3, 4, 5) with 3, 4, 5 due: 3 goes, 4 slides into its place and escapes, 5 goes."""
    alive, due = np.array([1, 2, 3, 4, 5]), np.array([False, False, False, True, True, True])
    assert elimination.keep(alive, due).tolist() == [1, 2]
    assert elimination.keep_in_place(alive, due).tolist() == [1, 2, 4]
    assert elimination.keep_in_place(np.array([1, 2, 4]), due).tolist() == [1, 2]
    nobody = np.zeros(6, bool)
    assert (
        elimination.keep(alive, nobody).tolist() == elimination.keep_in_place(alive, nobody).tolist() == alive.tolist()
    )


def test_what_the_slip_costs_on_c2():
    """epsilon = 1, T = 1e6, beta = 1e-7: which arms survive which epoch is all but certain."""
    given = {"epsilon": 1.0, "beta": 1e-7}
    R = [[elimination.epoch_length(s, e, 1.0, 1e-7) for e in (1, 2, 3)] for s in range(6)]
    # all: epoch 1 drops gaps .25, .375, .5 (2h + 2c = .14), and .125 may stay; epoch 2 drops the rest.
    gaps = np.array([0, 0.125, 0.25, 0.375, 0.5])
    # skip_next: epoch 1 leaves arms 1, 2, 4; epoch 2 leaves 1, 4; epoch 3 leaves 1.
    slip = R[5][0] * gaps.sum() + R[3][1] * (gaps[1] + gaps[3]) + R[2][2] * gaps[3]
    finals = [
        final_regret("elimination", stream(14, r), C2, 10**6, elimination="skip_next", **given) for r in range(200)
    ]
    assert np.median(finals) == pytest.approx(slip)
    clean = [final_regret("elimination", stream(14, r), C2, 10**6, **given) for r in range(200)]
    ends = {R[5][0] * gaps.sum(), R[5][0] * gaps.sum() + R[2][1] * gaps[1]}
    assert all(any(end == pytest.approx(final) for end in ends) for final in clean)


# DP-UCB.


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
    module, seen = algorithms.find("private_ucb"), {}

    def spy(rng, arms, horizon, journal, node_scale, constant, growth):
        seen.update(scale=node_scale, constant=constant, growth=growth)

    monkeypatch.setattr(module, "private_ucb", spy)
    module.play(None, bernoulli(means=C2).arms, 10**7, None, epsilon=epsilon, failure_prob=0.1, **given)
    assert (seen["constant"], seen["growth"]) == (pytest.approx(expected, abs=0.6), 0.0)
    assert seen["scale"] == pytest.approx(levels / epsilon * (1 if "budget" in given else 5))


# Bad input.

BAD = [
    ("adap_ucb", {"epsilon": 0, "alpha": 3.1}, "epsilon: 0 should be a number above 0"),
    ("adap_klucb", {"epsilon": -1, "alpha": 3.1}, "epsilon: -1 should be a number above 0"),
    ("adap_ucb", {"epsilon": 1, "alpha": 0}, "alpha: 0 should be a number above 0"),
    ("adap_klucb", {"epsilon": 1, "alpha": -3}, "alpha: -3 should be a number above 0"),
    ("adap_ucb", {"epsilon": 1}, "'alpha' is missing"),
    ("elimination", {"epsilon": 1, "beta": 1}, "beta: 1 should be a number in (0, 1)"),
    ("elimination", {"epsilon": 1, "beta": "1/T"}, "beta: '1/T' should be a number"),
    ("elimination", {"epsilon": 1, "elimination": "skip"}, "did you mean 'skip_next'"),
    ("private_ucb", {"epsilon": 1, "failure_prob": 1.5}, "failure_prob: 1.5 should be a number in (0, 1)"),
    ("private_ucb", {"epsilon": 1, "failure_prob": "t-4"}, "failure_prob: 't-4' is not one of t^-4, T^-4"),
]


@pytest.mark.parametrize(("name", "given", "part"), BAD, ids=str)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb", "elimination", "kl_ucb", "klucb_keeping_all"])
def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused(name):
    with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
        algorithms.find(name).check(4, 5, epsilon=1.0, alpha=3.1)
    algorithms.find(name).check(5, 5, epsilon=1.0, alpha=3.1)


PAPER = yaml.safe_load((ROOT / "config/papers/azize2022.yaml").read_text())


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda p: p["experiments"]["fig2"]["environment"].update(means=[0.5]), "is a single arm; give at least two"),
        (lambda p: p["experiments"]["fig2"]["environment"].update(means=[0.4, 0.4]), "[0.4, 0.4] are all equal"),
        (lambda p: p["experiments"]["fig2"]["parameters"].update(epsilon=0), "epsilon: 0 should be a number above 0"),
        (lambda p: p["policies"]["adap-ucb"]["parameters"].update(alpha=0), "alpha: 0 should be a number above 0"),
        (lambda p: p["policies"]["dp-se"].update(parameters={"beta": 1}), "beta: 1 should be a number in (0, 1)"),
        (lambda p: p["design"].update(horizon=4), "horizon 4 is too short: each of 5 arms"),
        (lambda p: p["figures"]["fig3"].update(along="eps"), "has no parameter 'eps'"),
        (lambda p: p["figures"]["fig3"].update(overlay={"x": "azize2022_t33"}), "unknown bound 'azize2022_t33'"),
        (lambda p: p["figures"]["fig3"].update(overlay={"x": "tossou2016_dp_ucb_int"}), "needs delta, epsilon"),
    ],
)
def test_a_wrong_paper_file_is_refused_in_one_line(change, part, tmp_path):
    content = copy.deepcopy(PAPER)
    change(content)
    path = tmp_path / "azize2022.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(InputError) as refusal:
        checks.check(papers.load(path, ROOT / "workflow/schemas/paper.schema.yaml"))
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_paper_scale_is_the_papers():
    paper = papers.load(ROOT / "config/papers/azize2022.yaml", ROOT / "workflow/schemas/paper.schema.yaml")
    environments = {
        "4": [0.75, 0.70, 0.70, 0.70, 0.70],
        "5": C2,
        "6": [0.75, 0.53125, 0.375, 0.28125, 0.25],
        "7": [0.75, 0.71875, 0.625, 0.46875, 0.25],
    }
    for number, means in environments.items():
        for letter, epsilon in zip("abcd", (0.1, 0.25, 0.5, 1), strict=True):
            (panel,) = paper.figures[f"fig{number}{letter}"].panels
            for reading in ("", ".corrected"):
                experiment = paper.experiments[panel.experiment + reading]
                assert (experiment.design.horizon, experiment.design.runs) == (10**7, 20)
                assert experiment.environment["means"] == means
                assert list(experiment.series) == ["dp-ucb", "dp-se", "adap-ucb", "adap-klucb"]
                assert {s.parameters["epsilon"] for s in experiment.series.values()} == {epsilon}
    swept = [s.parameters["epsilon"] for s in paper.experiments["fig3"].series.values()]
    assert swept == pytest.approx([*np.linspace(0.05, 1, 50), *np.linspace(1.05, 10, 10)], rel=1e-5)

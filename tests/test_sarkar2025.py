"""The algorithms and environments of sarkar2025: by hand, against plain twins that walk round by round, and by their laws."""

import copy
import math
from pathlib import Path

import numpy as np
import pandas as pd
import plain_sarkar2025 as plain
import pytest
import yaml
from scipy import stats

from dpbandits import algorithms, checks, estimators, papers, parameters, simulation, tables
from dpbandits.algorithms.arms import _nash, gdp_ncb, ldp_ncb, ncb
from dpbandits.environments.arms import Arms, _laws, pull, pull_many, vanishing_arm
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms._nash_recording import EXACT, bins, blank_nash_recording
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.errors import InputError
from dpbandits.figures import contrasts
from dpbandits.randomness import stream

ROOT = Path(__file__).parent.parent
FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}
LABELS = drawn_arms(**FIFTY).labels.tolist()
THREE = [0.8, 0.5, 0.3]


def actions(name, rng, means, horizon, **given):
    """The arm of every round, read off the regret of every round (the gaps are distinct)."""
    arms, journal = bernoulli(means=means).begin(None, horizon, np.arange(1, horizon + 1))
    algorithms.find(name).play(rng, arms, horizon, journal, **given)
    steps = np.diff(journal.regret, prepend=0.0)
    return np.abs(steps[:, None] - journal.gaps[None, :]).argmin(axis=1).tolist()


# The arms.


def test_the_fifty_arms_are_the_papers():
    labels = np.array(LABELS)
    assert (labels.max(), labels.argmax()) == (pytest.approx(0.9700603029, abs=1e-10), 11)
    assert np.sort(labels)[[-2, 0]] == pytest.approx([0.96580387, 0.02548157], abs=1e-8)
    assert labels.mean() == pytest.approx(0.44869428, abs=1e-8)
    assert math.exp(np.log(labels).mean()) == pytest.approx(0.33233193, abs=1e-8)
    assert labels.max() - labels.mean() == pytest.approx(0.52137, abs=1e-5)  # the Nash regret of uniform play


def test_arms_of_four_laws():
    arms = drawn_arms(**FIFTY, laws="by_label")
    assert np.bincount(arms.arms.laws).tolist() == [9, 13, 12, 16]
    assert np.all(arms.labels[arms.arms.laws == _laws.BERNOULLI] >= 0.75)
    assert np.all(arms.labels[arms.arms.laws == _laws.UNIFORM] < 0.25)
    assert arms.number_of_arms == 50
    assert arms.scores.max() == drawn_arms(**FIFTY, laws="by_label", scored_by="label").scores.max()
    assert arms.scores.argmax() == 11
    by_label = drawn_arms(**FIFTY, laws="by_label", scored_by="label")
    assert np.array_equal(by_label.scores, LABELS)
    assert np.array_equal(by_label.arms.means, arms.scores)  # what is played does not depend on the scoring


@pytest.mark.parametrize(
    ("law", "mean", "cdf"),
    [
        (_laws.BERNOULLI, 0.9, None),
        (_laws.BETA, 0.8, stats.beta(4, 1).cdf),
        (_laws.TWO_POINT, 0.7, None),
        (_laws.UNIFORM, 0.5, stats.uniform.cdf),
    ],
)
def test_rewards_follow_their_laws_one_by_one_and_in_sums(law, mean, cdf):
    rng, n = stream(1, "laws", law), 20_000
    drawn = np.array([_laws.draw(rng, law, mean) for _ in range(n)])
    assert drawn.mean() == pytest.approx(mean, abs=4 * drawn.std() / math.sqrt(n))
    assert _laws.MEANS.get(law, mean) == mean
    if cdf is not None:
        assert stats.kstest(drawn, cdf).pvalue > 1e-4
    else:
        assert set(drawn) == ({0.0, 1.0} if law == _laws.BERNOULLI else {0.4, 1.0})
    sums = [_laws.draw_sum(rng, law, mean, 20) for _ in range(2000)]
    one_by_one = drawn.reshape(-1, 20).sum(axis=1)
    assert stats.ks_2samp(np.round(sums, 9), np.round(one_by_one, 9)).pvalue > 1e-4


def test_every_kernel_pulls_by_the_arms_own_law():
    arms = drawn_arms(**FIFTY, laws="by_label").arms
    a = int(np.flatnonzero(arms.laws == _laws.TWO_POINT)[0])
    assert {pull(stream(2, i), arms, a) for i in range(50)} == {0.4, 1.0}
    assert pull_many(stream(3), arms, a, 10) == pytest.approx(4 + 0.6 * stream(3).binomial(10, 0.5))
    plainly = bernoulli(means=THREE).arms
    assert [pull(stream(4, i), plainly, 1) for i in range(50)] == [
        float(stream(4, i).random() < 0.5) for i in range(50)
    ]


# Panel (a): games whose arms depend on how long they are.


def test_nash_regret_of_a_vanishing_arm_against_brute_force():
    rng = np.random.default_rng(5)
    for T in (3, 10, 40, 180):
        bad = rng.integers(0, 6, T).astype(float)  # of 5 trials
        bad[0] = 5
        means = np.where(np.arange(5)[None, :] < bad[:, None], (2 * math.e) ** -float(T), 1.0).mean(axis=1)
        exact = 1 - math.exp(np.log(means).mean())
        assert vanishing_arm.nash_regret(bad, 5) == pytest.approx(exact, rel=1e-9)


def test_a_wasted_round_costs_a_factor_of_1_over_2e_whatever_the_horizon():
    for T in (5, 500, 1002):  # the bad arm's mean is below the smallest double in the last two
        for wasted in (1, 2, 3):
            bad = np.zeros(T)
            bad[:wasted] = 50
            assert vanishing_arm.nash_regret(bad, 50) == pytest.approx(1 - (2 * math.e) ** -float(wasted), rel=1e-12)


def test_a_sweep_plays_fresh_games_for_every_horizon():
    lengths = []

    def play(rng, arms, horizon, journal):
        lengths.append(horizon)
        assert arms.means.tolist() == [math.exp(vanishing_arm.LOG_PER_ROUND * horizon), 1.0]
        journal.regret[:] = np.arange(1, horizon + 1) if len(lengths) % 2 else 0  # all bad, then all good

    curves = vanishing_arm.vanishing_arm(trials=2).play_run(play, None, None, 9, np.array([3, 5, 9]))
    assert lengths == [3, 3, 5, 5, 9, 9]
    assert curves["regret"] == pytest.approx([1.5, 2.5, 4.5], rel=0.01)
    assert curves["nash_regret"] == pytest.approx([0.5] * 3, rel=0.01)


# The Nash regret.


def test_bins_are_single_rounds_at_first_and_a_thousandth_later():
    t = np.array([1, 7, 100, 99_999, 1_000_000])
    ends = bins(t)
    assert np.array_equal(ends[:EXACT], np.arange(1, EXACT + 1))
    assert np.all(np.isin(t, ends))
    assert ends[-1] == 1_000_000
    assert np.all(np.diff(ends, prepend=0) >= 1)
    assert np.all(np.diff(ends) <= np.maximum(1, ends[:-1] // 1024))
    assert np.array_equal(bins(np.array([5])), np.arange(1, 6))


def test_a_journal_keeps_what_was_played():
    """Against the pulls of every round, with a kernel that knows nothing of the Nash regret."""
    T, t = 100_000, np.array([10, 5000, 100_000])
    environment = drawn_arms(**FIFTY)
    arms, journal = environment.begin(None, T, t)
    algorithms.find("ucb").play(stream(6), arms, T, journal)
    kept = journal.results()
    played = np.array(LABELS)[actions("ucb", stream(6), LABELS, T)]
    assert kept["means"][kept["first_played"]] == pytest.approx(played[:EXACT])
    assert kept["first_played"].dtype == np.uint8
    pieces = np.split(played, bins(t)[EXACT - 1 : -1])[1:]
    assert kept["mean_played"] == pytest.approx([piece.mean() for piece in pieces], abs=1e-6)
    assert kept["variance_played"] == pytest.approx([piece.var() for piece in pieces], abs=1e-6)
    assert kept["regret"] == pytest.approx((max(LABELS) - played).cumsum()[t - 1])
    assert kept["measured_against"].tolist() == [max(LABELS)]


ESTIMATED = [
    ("ncb", {}),
    ("gdp_ncb", {"epsilon": 0.2}),
    ("ldp_ncb", {"epsilon": 0.2}),
    ("ldp_ucb", {"epsilon": 0.2}),
    ("adap_ucb_baseline", {"epsilon": 0.2, "variant": "as_drawn"}),
]


def estimated_and_exact(play, T, N, t):
    """The runs by the estimator, and the Nash regret from the means of every round."""
    environment, m, curves = drawn_arms(**FIFTY), np.zeros(T), []
    best, every = max(LABELS), np.arange(1, T + 1)
    for run in range(N):
        journal = blank_journal(environment.gaps, every)
        play(run, environment.arms, journal)
        m += best - np.diff(journal.regret, prepend=0.0)
        arms, journal = environment.begin(None, T, t)
        play(run, arms, journal)
        curves.append(journal.results())
    exact = (best - np.exp(np.cumsum(np.log(m / N)) / every))[t - 1]
    values = {key: np.array([[curve[key] for curve in curves]]) for key in curves[0]}
    return estimators.nash_runs(t, values, 0), exact


@pytest.mark.parametrize(("name", "given"), ESTIMATED, ids=str)
def test_the_nash_regret_of_bins_against_that_of_every_round(name, given):
    """T = 1e6, N = 50."""
    T = 10**6
    t = np.array(papers.checkpoints(T, {"first": 100, "log": 600, "linear": 400}))
    play = algorithms.find(name).play
    runs, exact = estimated_and_exact(lambda run, a, j: play(stream(7, name, run), a, T, j, **given), T, 50, t)
    error = np.abs(runs.curve() - exact)
    assert error.max() < 1e-4
    assert error[t <= EXACT].max() < 1e-12
    assert (runs.curve() - runs.average).min() >= -1e-12  # AM-GM
    halves = runs[np.arange(25)].curve() - runs[np.arange(25, 50)].curve()
    typical = np.median(np.abs(halves[t > 10_000]) / (2 * runs.error()[t > 10_000]))
    assert 0.02 < typical < 3


def test_the_nash_regret_of_runs_that_do_the_same():
    """LDP-NCB as it was run in the first rounds of a game of 1e8: every run plays the same arm in the same round."""
    T, t = 100_000, np.array([100, 10_000, 32_064, 50_000, 70_000, 100_000])
    plan = ldp_ncb.plan(10**8, 0.2, phase1_noise="misplaced")

    def play(run, arms, journal):
        ldp_ncb.ldp_ncb(stream(7, run), arms, 0, T, journal, np.zeros(50, np.int64), plan)

    runs, exact = estimated_and_exact(play, T, 20, t)
    assert runs.curve() == pytest.approx(exact, abs=5e-5)
    assert exact[2] > runs.average[2] + 0.05  # the geometric mean of fifty arms in turn is far below the arithmetic


def test_the_error_of_the_nash_regret_is_the_jackknifes():
    T, N = 3000, 12
    t = np.array([100, 1000, 3000])
    play = algorithms.find("ncb").play
    runs, _ = estimated_and_exact(lambda run, a, j: play(stream(7, run), a, T, j), T, N, t)
    without = []
    for left in range(N):
        rest = [r for r in range(N) if r != left]
        again, exact = estimated_and_exact(
            lambda run, a, j, rest=rest: play(stream(7, rest[run]), a, T, j), T, N - 1, t
        )
        without.append(exact)
        assert again.curve() == pytest.approx(exact, abs=1e-12)
        assert runs[np.array(rest)].curve() == pytest.approx(exact, abs=0.1 / N)
    jackknife = np.sqrt((N - 1) * np.var(without, axis=0))
    assert runs.error() == pytest.approx(jackknife, rel=0.15)


def test_nash_regret_by_hand():
    """Two runs, two rounds: m = (0.8 + 0.2)/2 and (0.8 + 0.6)/2."""
    means, t = np.array([0.8, 0.6, 0.2]), np.array([1, 2])
    found = {}
    for pulls in ([0, 0], [2, 1]):
        journal = blank_nash_recording(means, t)
        gap = means.max() - means[pulls]
        journal.sums[:], journal.sums_of_squares[:] = np.cumsum(gap), np.cumsum(gap**2)
        for key, curve in journal.results().items():
            found.setdefault(key, [[]])[0].append(curve)
    runs = estimators.nash_runs(t, {key: np.array(value) for key, value in found.items()}, 0)
    assert runs.curve() == pytest.approx([0.8 - 0.5, 0.8 - math.sqrt(0.5 * 0.7)], abs=1e-6)
    assert runs.average == pytest.approx([0.3, 0.2], abs=1e-6)


def test_a_curve_measured_against_one_is_shifted():
    t = np.array([50, 100, 3000])
    curves = {}
    for against in ("one", "best_arm"):
        arms, journal = drawn_arms(**FIFTY).begin(None, 3000, t)
        play = algorithms.find("adap_ucb_baseline").play
        play(stream(8), arms, 3000, journal, epsilon=0.2, variant="as_drawn", regret_against=against)
        values = {key: curve[None, None] for key, curve in journal.results().items()}
        curves[against] = (journal.results()["regret"], estimators.nash_runs(t, values, 0).curve())
    shift = 1 - max(LABELS)
    assert curves["one"][0] - curves["best_arm"][0] == pytest.approx(shift * t)
    assert curves["one"][1] - curves["best_arm"][1] == pytest.approx([shift] * 3)


# The indices and phases.


def test_ncb_index_by_hand():
    """mu = 1/4, n = 64, c = 3, T = e^8: 1/4 + 6 sqrt(2 (1/4) 8/64) = 1.75."""
    assert ncb.NCB(0.0, 6 * math.sqrt(2 * 8.0)).terms(16.0, 64) == pytest.approx(1.75)
    assert ncb.NCB(0.0, 24.0).terms(0.0, 5) == 0.0
    assert ncb.NCB(0.0, 24.0).terms(0.0, 0) == math.inf


def test_gdp_ncb_index_by_hand():
    """W = 101 for T = 1e4: L = ln 101. mu = 1/4, n = 64, epsilon = 1/4."""
    L = math.log(101)
    want = 0.25 + 6 * math.sqrt(2 * 0.25 * L / 64) + 3.1 * L**2 / 16 + 4 * math.sqrt(6.2) * L**1.5 / 32
    assert gdp_ncb.plan(10**4, 0.25).index((0.25, 64), 0.0) == pytest.approx(want)
    assert gdp_ncb.plan(10**4, 0.25, beta="2c").second_term == pytest.approx(6 * math.sqrt(6.2) * L**1.5 / 0.5)
    assert gdp_ncb.plan(10**4, 0.25, index_log="horizon").first_term == pytest.approx(3.1 * math.log(10**4) ** 2 * 4)
    assert gdp_ncb.plan(2**20, 1.0).noise == 20
    assert gdp_ncb.plan(2**20, 1.0, noise_log="ln").noise == pytest.approx(20 * math.log(2))


def test_ldp_ncb_index_by_hand():
    """T = 1e4, epsilon = 1/4, 64 reports whose sum is 16; a sum below 0 counts as a mean of 0."""
    L, ell = math.log(10**4), math.log(101)
    rest = 4 * math.sqrt(8 * 3.1 * L / 64) + 12 * 6.2**0.25 * ell**0.75 / (0.5 * 64**0.75)
    plan = ldp_ncb.plan(10**4, 0.25)
    assert plan.terms(16.0, 64) == pytest.approx(0.25 + 6 * math.sqrt(2 * 0.25 * L / 64) + rest)
    assert plan.terms(-3.0, 64) == pytest.approx(rest)
    assert plan.terms(0.0, 0) == math.inf


@pytest.mark.parametrize(("name", "rounds"), [("gdp_ncb", 101), ("ldp_ncb", 102)])
def test_phase_one_lasts_as_long_as_the_cap_says(name, rounds):
    """Its rounds are uniform; the first episode after it is two pulls of the arm that was played least."""
    for run in range(5):
        chosen = actions(name, stream(9, run), THREE, 10_000, epsilon=1.0)
        rng = stream(9, run)
        for t in range(rounds):
            a = plain.uniform_arm(rng, 3)
            assert chosen[t] == a
            rng.random()
            if name == "ldp_ncb":
                rng.laplace(0.0, 1.0)
        if name == "gdp_ncb":
            least = int(np.argmin(np.bincount(chosen[:rounds], minlength=3)))
            assert chosen[rounds : rounds + 2] == [least, least]


def test_episode_lengths_double():
    for run in range(5):
        released = []
        plain.gdp_ncb(stream(10, run), THREE, 50_000, 1.0, releases=released)
        for arm in range(3):
            lengths = [m for a, _, m, _ in released if a == arm]
            assert lengths == [2 << j for j in range(len(lengths))]
    chosen = actions("adap_ucb_baseline", stream(11), THREE, 2000, epsilon=1.0, variant="as_drawn")
    switches = [0, 1, 2, *(np.flatnonzero(np.diff(chosen[3:])) + 4).tolist()]
    counts = np.bincount(chosen[: switches[-1]], minlength=3)
    assert all((n + 1) & n == 0 for n in counts.tolist())  # 1 + 2 + 4 + ...


CASES = [
    ("ncb", {}),
    ("ncb", {"theta": 5.0, "c": 1.0}),
    ("gdp_ncb", {"epsilon": 0.2}),
    ("gdp_ncb", {"epsilon": 2.0, "noise_log": "ln", "beta": "2c", "index_log": "horizon", "cap": "none", "multiplier": 1.0}),
    ("ldp_ncb", {"epsilon": 0.2}),
    ("ldp_ncb", {"epsilon": 2.0, "phase1_noise": "misplaced", "index_log": "horizon"}),
    ("ldp_ncb", {"epsilon": 5.0, "cap": "none", "multiplier": 1.0}),
    ("ldp_ucb", {"epsilon": 0.2}),
    ("ldp_ucb", {"epsilon": 2.0}),
    ("ldp_ucb_clipped", {"epsilon": 0.2}),
    ("adap_ucb_baseline", {"epsilon": 0.2}),
    ("adap_ucb_baseline", {"epsilon": 1.0, "variant": "as_drawn"}),
    ("anytime_gdp_ncb", {"epsilon": 2.0}),
    ("anytime_ldp_ncb", {"epsilon": 2.0}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given"), CASES, ids=str)
@pytest.mark.parametrize("means", [THREE, LABELS], ids=["three arms", "fifty arms"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    """Leads, windows and indices at rest are short cuts that change no action."""
    horizon = 20_000 if len(means) == 3 else 6000
    for run in range(2):
        ours = actions(name, stream(12, name, run), means, horizon, **given)
        assert ours == list(getattr(plain, name)(stream(12, name, run), means, horizon, **given))


@pytest.mark.parametrize(("name", "given"), [CASES[2], CASES[3], CASES[10], CASES[11]], ids=str)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(name, given):
    """Binomial sums against single rewards: regret at three rounds and pull counts, independent generators, KS."""
    horizon, runs, at = 2000, 2000, [300, 900, 1999]
    gaps = np.array(THREE[0]) - np.array(THREE)

    def seen(chosen):
        return [*gaps[chosen].cumsum()[at], *np.bincount(chosen, minlength=3)]

    ours = np.array([seen(actions(name, stream(13, name, run), THREE, horizon, **given)) for run in range(runs)])
    twin = np.array([
        seen(getattr(plain, name)(stream(14, name, run), THREE, horizon, one_by_one=True, **given)) for run in range(runs)
    ])  # fmt: skip
    for k in range(6):
        assert stats.ks_2samp(np.round(ours[:, k], 6), np.round(twin[:, k], 6), method="asymp").pvalue > 1e-5


def test_uniform_arms_are_uniform():
    rng = stream(15)
    counts = np.bincount([_nash.uniform_arm(rng, 50) for _ in range(50_000)], minlength=50)
    assert stats.chisquare(counts).pvalue > 1e-4


# Anytime.


def test_epochs_double_and_fill_the_game():
    assert _nash.epochs(1) == [(0, 1)]
    assert _nash.epochs(8) == [(0, 1), (1, 2), (3, 4), (7, 8)]
    for T in (5, 7, 1000):
        assert len(actions("anytime_gdp_ncb", stream(16), THREE, T, epsilon=1.0)) == T


def test_four_thirds_of_the_epochs_are_uniform_in_expectation(monkeypatch):
    uniform = []
    monkeypatch.setattr(_nash, "uniform_rounds", lambda *_: uniform.append(1))
    monkeypatch.setattr(gdp_ncb, "gdp_ncb", lambda *_: None)
    runs = 20_000
    for run in range(runs):
        algorithms.find("anytime_gdp_ncb").play(stream(17, run), Arms(np.array(THREE)), 1 << 12, None, epsilon=1.0)
    deviation = math.sqrt(sum(4.0**-j * (1 - 4.0**-j) for j in range(1, 13)) / runs)
    assert len(uniform) / runs == pytest.approx(4 / 3, abs=4 * deviation)


# Bad input.

BAD = [
    ("ncb", {"c": 0}, "c: 0 should be a number above 0"),
    ("ncb", {"theta": -1}, "theta: -1 should be a number above 0"),
    ("gdp_ncb", {"epsilon": 0}, "epsilon: 0 should be a number above 0"),
    ("gdp_ncb", {"epsilon": 1, "alpha": 0}, "alpha: 0 should be a number above 0"),
    ("gdp_ncb", {"epsilon": 1, "cap": "sqrtT"}, "did you mean 'sqrt'"),
    ("gdp_ncb", {"epsilon": 1, "beta": 4}, "beta: 4 is not one of 2c, 4"),
    ("gdp_ncb", {}, "'epsilon' is missing"),
    ("ldp_ncb", {"epsilon": -2}, "epsilon: -2 should be a number above 0"),
    ("ldp_ncb", {"epsilon": 1, "c": -3}, "c: -3 should be a number above 0"),
    ("ldp_ncb", {"epsilon": 1, "phase1_noise": "centered"}, "did you mean 'centred'"),
    ("ldp_ucb", {"epsilon": "0.2"}, "epsilon: '0.2' should be a number"),
    ("adap_ucb_baseline", {"epsilon": 1, "variant": "eq8"}, "did you mean 'eq7'"),
    ("anytime_gdp_ncb", {"epsilon": 0}, "epsilon: 0 should be a number above 0"),
    ("anytime_ldp_ncb", {"epsilon": 0}, "epsilon: 0 should be a number above 0"),
]


@pytest.mark.parametrize(("name", "given", "part"), BAD, ids=str)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


PAPER = yaml.safe_load((ROOT / "config/papers/sarkar2025.yaml").read_text())
SCHEMA = ROOT / "workflow/schemas/paper.schema.yaml"


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda p: p["experiments"]["fig1b"]["environment"].update(lowest=0), "lowest: 0 should be a mean in (0, 1]"),
        (lambda p: p["experiments"]["fig1b"]["environment"].update(highest=1.2), "highest: 1.2 should be a mean in (0, 1]"),
        (lambda p: p["experiments"]["fig1b"]["environment"].update(lowest=1.0), "lowest: 1.0 should be below highest, 1"),
        (lambda p: p["experiments"]["fig1b"]["environment"].update(draw=-1), "draw: -1 should be the seed of the draw"),
        (lambda p: p["experiments"]["fig1b"]["environment"].update(number_of_arms=1), "from 2 to 256"),
        (lambda p: p["experiments"]["fig1f"]["environment"].update(laws="label"), "did you mean 'by_label'"),
        (lambda p: p["experiments"]["fig1f"]["environment"]["published"].update(scored_by="labels"), "did you mean 'label'"),
        (lambda p: p["experiments"]["fig1a"]["environment"].update(trials=0), "trials: 0 should be a whole number of at least 1"),
        (lambda p: p["experiments"]["fig1b"]["parameters"].update(epsilon=0), "epsilon: 0 should be a number above 0"),
        (lambda p: p["policies"]["ncb"]["parameters"].update(c=0), "c: 0 should be a number above 0"),
        (lambda p: p["experiments"]["fig1b"]["design"].update(horizon=49), "horizon 49 is too short: each of 50 arms"),
        (lambda p: p["axes"]["y"].update(quantity="nash"), "'nash' is not one of regret, nash_regret"),
        (lambda p: p["claims"]["C3"].update(statistic="nash"), "'nash' is not one of mean, median, median_of_means, nash_regret"),
    ],
)  # fmt: skip
def test_a_wrong_paper_file_is_refused_in_one_line(change, part, tmp_path):
    content = copy.deepcopy(PAPER)
    change(content)
    path = tmp_path / "sarkar2025.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(InputError) as refusal:
        checks.check(papers.load(path, SCHEMA))
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


# The paper file.


def test_the_paper_scale_is_the_papers():
    paper = papers.load(ROOT / "config/papers/sarkar2025.yaml", SCHEMA)
    for reading in ("", ".corrected"):
        a, b, c, f = (paper.experiments[f"fig1{panel}{reading}"] for panel in "abcf")
        assert (a.design.runs, a.environment["trials"], a.design.checkpoints) == (10, 50, tuple(range(3, 1003)))
        assert (b.design.horizon, b.design.runs) == (10**8, 50)
        assert {s.parameters["epsilon"] for s in a.series.values()} == {2}
        assert {s.parameters["epsilon"] for s in b.series.values() if s.id != "ncb"} == {0.2}
        for experiment in (c, f):
            assert (experiment.design.horizon, experiment.design.runs) == (10**7, 50)
        assert [s.parameters.get("epsilon") for s in c.series.values()] == [None, 0.2, 0.5, 1, 2, 0.2, 0.5, 1, 2]
        scoring = {"": "label", ".corrected": "mean"}[reading]
        assert f.environment == {"kind": "drawn_arms", **FIFTY, "laws": "by_label", "scored_by": scoring}
        assert paper.figures[f"fig1{reading}"].columns == 3
        drawn = [panel.experiment for panel in paper.figures[f"fig1{reading}"].panels]
        assert drawn == [f"fig1{panel}{reading}" for panel in "abcccf"]


def test_a_summary_has_the_nash_regret_where_the_runs_have_it(tmp_path):
    """At the end of the contract's columns, with its error; a damaged one is refused."""
    paper = papers.load(ROOT / "config/papers/sarkar2025.yaml", SCHEMA, "smoke")
    for name, policy in (("fig1a", "gdp-ncb"), ("fig1c", "ncb")):
        experiment = paper.experiments[name]
        spec = experiment.spec(policy, 1) | {"horizon": 400, "checkpoints": [3, 100, 400]}
        trace = simulation.simulate(spec, 0, 4)
        table = tables.summary([trace], 5, "sigma")
        assert list(table.columns) == [*tables.SUMMARY, "nash_regret", "nash_regret_error"]
        if name == "fig1a":
            each = trace.values["nash_regret"][0]
            assert table["nash_regret"].to_numpy() == pytest.approx(each.mean(axis=0))
            assert table["nash_regret_error"].to_numpy() == pytest.approx(each.std(axis=0, ddof=1) / math.sqrt(5))
        else:
            played = trace.values["means"][0, 0][trace.values["first_played"][0]]
            exact = max(LABELS) - np.exp(np.log(played.mean(axis=0)).cumsum() / np.arange(1, 401))
            assert table["nash_regret"].to_numpy() == pytest.approx(exact[[2, 99, 399]])
        tables.write(tmp_path / "whole.csv", table)
        assert tables.read_summary(tmp_path / "whole.csv")["nash_regret"].notna().all()
        damaged = (tmp_path / "whole.csv").read_text().splitlines()
        (tmp_path / "damaged.csv").write_text("\n".join([*damaged[:-1], damaged[-1].rsplit(",", 1)[0]]) + "\n")
        with pytest.raises(InputError, match="altered since it was written"):
            tables.read_summary(tmp_path / "damaged.csv")


def test_contrasts_show_final_values_with_two_standard_errors():
    paper = papers.load(ROOT / "config/papers/sarkar2025.yaml", SCHEMA, "smoke")
    figure = paper.figures["s-deviations"]
    summaries = {
        name: pd.DataFrame({
            "policy": [series for series in paper.experiments[name].series for _ in range(2)],
            "t": [1, 2] * len(paper.experiments[name].series),
            "nash_regret": [9.0, 0.25] * len(paper.experiments[name].series),
            "nash_regret_error": [9.0, 0.01] * len(paper.experiments[name].series),
        })
        for name in figure.experiments
    }  # fmt: skip
    drawing = contrasts.panels(figure, paper.experiments, summaries, "default")
    assert [ax.get_title() for ax in drawing.axes] == [panel.title for panel in figure.panels]
    for ax, panel in zip(drawing.axes, figure.panels, strict=True):
        assert [bar.get_width() for bar in ax.patches] == [0.25] * len(panel.series)
        assert [text.get_text() for text in ax.texts] == ["0.25"] * len(panel.series)
        (whiskers,) = (c for c in ax.collections)
        assert whiskers.get_segments()[0][:, 0] == pytest.approx([0.23, 0.27])
    assert "two standard errors" in drawing.get_supxlabel()


def test_a_guest_joins_the_panels(tmp_path):
    """With its own kernel, that knows nothing of the Nash regret, beside the series that a panel names."""
    guest = {"my-ucb": {"label": "My UCB", "algorithm": "ucb"}}
    paper = papers.load(ROOT / "config/papers/sarkar2025.yaml", SCHEMA, "smoke", guest)
    checks.check(paper)
    for panel in "abcdef":
        assert paper.figures[f"fig1{panel}"].panels[0].series[-1] == "my-ucb"
    assert "my-ucb" not in paper.experiments["s-deviations"].series
    for name in ("fig1a", "fig1f"):
        experiment = paper.experiments[name]
        spec = experiment.spec("my-ucb", 1) | {"horizon": 60, "checkpoints": [3, 60]}
        trace = simulation.simulate(spec, 0, 2)
        assert {"nash_regret", "first_played"} & set(trace.values)

"""EXP3, DP-EXP3-Lap and EXP3_tau: by hand, against their plain twins, and against theory."""

import math

import numpy as np
import plain_adversarial as plain
import pytest
from playing import played
from scipy import stats

from dpbandits import algorithms
from dpbandits.algorithms._tuning import gamma_of
from dpbandits.algorithms._weights import choose, fresh_weights, learn, rebuild
from dpbandits.environments._game import ARM, IGNORED
from dpbandits.environments.deterministic import deterministic
from dpbandits.environments.stochastic import stochastic
from dpbandits.environments.switching_costs import switching_costs
from dpbandits.errors import InputError
from dpbandits.privacy import exp3_loss
from dpbandits.randomness import stream


class Scripted:
    """A generator that gives these uniform numbers, one after the other."""

    def __init__(self, numbers):
        self.numbers = iter(numbers)

    def random(self):
        return next(self.numbers)


# 1. By hand.


def test_exp3_by_hand():
    """Two arms, gamma = 0.2: the law after a gain of 1 on arm 0, played at p = 0.5, then of 0.5 on arm 1."""
    G, w, norm = fresh_weights(2)
    pick = choose.py_func
    assert pick(Scripted([0.49]), w, norm, 0.2) == (0, 0.5)
    assert pick(Scripted([0.51]), w, norm, 0.2) == (1, 0.5)
    learn(G, w, norm, 0.2, 0, 1 / 0.5)
    # exponents 0.1 x 2 and 0: w = e^0.2 = 1.221403, 1; p_0 = 0.8 x 0.549834 + 0.1 = 0.539867
    a, p = pick(Scripted([0.53986]), w, norm, 0.2)
    assert (a, p) == (0, pytest.approx(0.539867, abs=1e-6))
    a, p = pick(Scripted([0.53987]), w, norm, 0.2)
    assert (a, p) == (1, pytest.approx(0.460133, abs=1e-6))
    learn(G, w, norm, 0.2, 1, 0.5 / p)
    # exponent of arm 1: 0.1 x 0.5/0.460133 = 0.108664: w = 1.221403, 1.114788; p_0 = 0.8 x 0.522818 + 0.1 = 0.518254
    assert pick(Scripted([0.0]), w, norm, 0.2) == (0, pytest.approx(0.518254, abs=1e-6))


def test_exp3_tau_by_hand():
    """Seven rounds, tau = 3: the arm can change before rounds 4 and 7 only, and the last batch is one round long."""
    journals = [played("exp3_tau", stream(0, run), np.eye(7, 4) * 0, tau=3).diary[ARM].tolist() for run in range(40)]
    for arms in journals:
        assert arms[0] == arms[1] == arms[2]
        assert arms[3] == arms[4] == arms[5]
    assert len({arms[6] for arms in journals}) == len({arms[0] for arms in journals}) == 4


def test_dp_exp3_lap_with_a_huge_epsilon_has_no_noise():
    """b = 0: the released gain is the gain, up to rounding, and what is ignored is what the rounding put outside [0, 1]."""
    gains = np.full((50, 3), 0.5)
    journal = played("dp_exp3_lap", stream(0), gains, epsilon=1e12)
    assert journal.diary[IGNORED].sum() == 0
    assert journal.results()["gain"].tolist() == [0.5 * t for t in range(1, 51)]


# 2. Against the plain twins.

CASES = [
    ("exp3", {}),
    ("dp_exp3_lap", {"epsilon": 243.292}),
    ("dp_exp3_lap", {"epsilon": 1.0}),
    ("dp_exp3_lap", {"epsilon": 0.1}),
    ("exp3_tau", {"tau": 1}),
    ("exp3_tau", {"tau": 7}),
    ("exp3_tau", {"tau": 2048}),
]
PENALIZED = [("none", True), ("gain_zero", True), ("gain_zero", False), ("minus_one", False)]


@pytest.mark.parametrize(("penalty", "observed"), PENALIZED)
@pytest.mark.parametrize(("name", "parameters"), CASES, ids=str)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, penalty, observed):
    T = 2048
    for run, environment in enumerate(
        [stochastic(number_of_arms=3, best=0.9, others=0.3), switching_costs(number_of_arms=2)]
    ):
        gains = environment.draw(stream(1, "game", run), T)
        journal = played(name, stream(1, name, run), gains, penalty, observed, **parameters)
        player = plain.Player(gains.tolist(), penalty, observed)
        ignored = getattr(plain, name)(stream(1, name, run), player, **parameters)
        assert journal.diary[ARM].tolist() == player.actions
        results = journal.results()
        assert np.allclose(results["gain"], np.cumsum(player.received), rtol=1e-12, atol=1e-9)
        assert np.allclose(results["comparator"], np.cumsum(gains, axis=0, dtype=float).max(axis=1), rtol=1e-12)
        assert np.array_equal(results["regret"], results["comparator"] - results["gain"])
        assert results["ignored"][-1] == ignored


@pytest.mark.parametrize(("name", "parameters"), [CASES[0], CASES[2], CASES[5]], ids=str)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    """Independent generators this time, many runs, Kolmogorov-Smirnov."""
    gains = stochastic(number_of_arms=3, best=0.8, others=0.3).draw(stream(2, "game"), 300)
    ours = [played(name, stream(2, "ours", run), gains, **parameters).results()["regret"][-1] for run in range(2000)]
    twins = []
    for run in range(400):
        player = plain.Player(gains.tolist())
        getattr(plain, name)(stream(2, "twin", run), player, **parameters)
        twins.append(gains.sum(axis=0).max() - sum(player.received))
    assert stats.ks_2samp(np.round(ours, 6), np.round(twins, 6)).pvalue > 1e-3


# 3. Theory.


def test_weights_that_span_hundreds_of_orders_of_magnitude():
    """Arm 0 always pays for 4,000 updates, then arm 1 for 12,000: e^(1300) in between, and the law is right throughout."""
    gamma, K = 0.5, 3
    G, w, norm = fresh_weights(K)
    exact = plain.Exp3(K, gamma)
    widest = 0.0
    for update in range(16_000):
        a = 0 if update < 4000 else 1
        law = exact.law()
        scale = (1 - gamma) / norm[0]
        assert np.allclose(scale * w + gamma / K, law, rtol=1e-9, atol=0)
        assert np.isfinite(w).all()
        assert w.sum() >= 1
        if learn(G, w, norm, gamma, a, 1 / law[a]):
            rebuild(G, w, norm, gamma)
        exact.learn(a, law[a], 1.0)
        widest = max(widest, gamma / K * (max(exact.G) - min(exact.G)) / math.log(10))
    assert widest > 300  # beyond the range of a double
    assert exact.law()[1] > exact.law()[0]  # the lead has changed hands


def test_the_largest_possible_steps_do_not_overflow():
    """gamma = 1 and gains of 1 at p = 1/K: every exponent grows by 1 in each of its rounds, e^5000 in all."""
    G, w, norm = fresh_weights(2)
    for _ in range(5000):
        if learn(G, w, norm, 1.0, 0, 2.0):
            rebuild(G, w, norm, 1.0)
    assert G.tolist() == [10_000.0, 0.0]
    assert norm[0] == pytest.approx(w.sum())
    assert 1 <= w[0] <= 1e31
    assert w[1] == 0


def test_exp3_stays_below_its_bound_and_learns():
    """Auer et al.: E R <= 2 sqrt((e - 1) T K ln K), here on a game where playing at random costs 0.4 a round."""
    T, K = 20_000, 4
    game = stochastic(number_of_arms=K, best=0.9, others=0.36)
    regret = [
        played("exp3", stream(3, run), game.draw(stream(3, "game", run), T)).results()["regret"] for run in range(20)
    ]
    bound = 2 * math.sqrt((math.e - 1) * T * K * math.log(K))
    assert bound / 10 < np.mean([r[-1] for r in regret]) < bound < 0.2 * T
    late = np.mean([r[-1] - r[T // 2] for r in regret])
    assert late < np.mean([r[T // 2] for r in regret])


@pytest.mark.parametrize("epsilon", [0.5, 5.0])
def test_ignored_rounds(epsilon):
    """With gains of 0 and 1 and b = ln T/epsilon the expected number over T rounds is (1 + e^-epsilon)/2."""
    T, runs = 500, 4000
    gains = stochastic(number_of_arms=2, best=0.7, others=0.4).draw(stream(4), T)
    ignored = [
        played("dp_exp3_lap", stream(4, run), gains, epsilon=epsilon).results()["ignored"] for run in range(runs)
    ]
    finals = np.array([curve[-1] for curve in ignored])
    expected = (1 + math.exp(-epsilon)) / 2
    assert finals.mean() == pytest.approx(expected, abs=4 * math.sqrt(expected / runs))
    assert all(np.diff(curve).min() >= 0 for curve in ignored)


def test_left_out_constants_are_those_of_corollary_3_2():
    """At T = 4096, K = 4: tau = 4.73, rounded up to 5; epsilon = 155.265 + sqrt(112 x 5.5452 x ln 4096) = 227.139."""
    gains = deterministic(number_of_arms=4, constant=0.38, divisor=3).draw(None, 4096)
    for name, given in (("exp3_tau", {"tau": 5}), ("dp_exp3_lap", {"epsilon": 155.26499 + 71.87370})):
        implied = played(name, stream(5), gains).diary
        assert np.array_equal(implied, played(name, stream(5), gains, **given).diary)
    assert not np.array_equal(played("exp3_tau", stream(5), gains, tau_rounding="floor").diary[ARM], implied[ARM])
    assert algorithms.find("dp_exp3_lap").privacy(4096, 4).epsilon == pytest.approx(227.139, abs=1e-3)


def test_a_batch_longer_than_the_game_is_refused():
    algorithms.find("exp3_tau").check(100, 4, tau=100)
    with pytest.raises(InputError, match="tau: 101 should be at most the horizon 100"):
        algorithms.find("exp3_tau").check(100, 4, tau=101)


# 4. What one gain tells (claim B8).


def test_loss_right_after_the_changed_gain_by_hand():
    """Two arms alike, gamma = 0.5: a gain of 1 at p = 1/2 is an exponent of 0.25 x 2; p_0 becomes 0.5 x 0.622459 + 0.25."""
    start = np.zeros((1, 2))
    one, other = (exp3_loss.after(start, 0.5, 0, gain) for gain in (1.0, 0.0))
    assert exp3_loss.law(one, 0.5)[0, 0] == pytest.approx(0.561230, abs=1e-6)
    assert exp3_loss.law(other, 0.5)[0].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("K", [2, 4])
def test_search_for_the_largest_per_round_loss_of_exp3(K):
    """Theorem 3.3 says at most 2. The search finds 0.285 at T = 2^18: far below, and not above it for any gamma."""
    found, _ = exp3_loss.largest_loss(gamma_of(2**18, K), K)
    assert found == pytest.approx(FOUND[K], abs=2e-3)
    for gamma in (0.01, 0.1, 0.5, 0.9):
        assert 0 < exp3_loss.largest_loss(gamma, K, rounds=3)[0] <= 2


# The maxima that the search finds, recorded. In the round right after the change it is near max_c ln((1 + c e^(1/(1+c)))/(1 + c)).
FOUND = {2: 0.285, 4: 0.285}


def test_the_search_contains_the_best_start_of_the_next_round():
    """For small gamma, with weight share c gamma/K before the change, the next round's loss is known in closed form."""
    c = np.geomspace(0.01, 100, 100_001)
    closed = np.log((1 + c * np.exp(1 / (1 + c))) / (1 + c)).max()
    assert closed == pytest.approx(0.285, abs=5e-4)
    assert exp3_loss.largest_loss(1e-4, 2, rounds=1)[0] == pytest.approx(closed, rel=2e-3)

"""dp_ucb_int: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from plain import tossou2016
from playing import actions
from scipy import stats
from scipy.special import zeta
from twins import TEN, TWO, for_twin, same_law

from dpbandits.algorithms.arms import dp_ucb_int
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream

DELTA = math.exp(-10)


def closed_form_epsilon(epsilon, delta, v, t):
    """Corollary 3.1: both branches of epsilon' after t rounds; the smaller one is guaranteed."""
    z = float(zeta(v))
    pure = epsilon * (t ** (1 - v / 2) - v / 2) / (1 - v / 2)
    return pure, 2 * epsilon * z + math.sqrt(2 * epsilon * z * math.log(1 / delta))


def test_interval_ucb_by_hand():
    """epsilon' = 20, v = 1.5: round robin until both arms have W_1 pulls, then the arm whose rewards are all 1."""
    epsilon = dp_ucb_int.input_epsilon(20.0, DELTA, 1.5)
    assert epsilon == pytest.approx((math.sqrt(90 / 20.89901) - math.sqrt(10 / 20.89901)) ** 2, rel=1e-6)  # 1.9139 > 1
    epsilon = dp_ucb_int.input_epsilon(8.0, DELTA, 1.5)
    assert epsilon == pytest.approx((math.sqrt(42 / 20.89901) - math.sqrt(10 / 20.89901)) ** 2, rel=1e-6)  # 0.52738
    # W_1: 1 >= 1/0.527? no. 1 + 2^-1.5 = 1.3536 >= 2^-1.5/0.527 = 0.6704: W_1 = 2. Then 3^-1.5 = 0.1925 < 0.3649;
    # + 4^-1.5 = 0.3175 >= 0.2370: W_2 = 4.
    assert dp_ucb_int.update_counts("series_y", epsilon, 1.5, 100)[:2].tolist() == [2, 4]
    chosen = actions("dp_ucb_int", stream(0, "hand"), [1.0, 0.0], 6, epsilon=8.0, delta=DELTA, v=1.5)
    assert chosen[:4] == [0, 1, 0, 1]
    assert chosen[4] == chosen[5]  # between two update counts the winner's index is kept


@pytest.mark.parametrize("schedule", ["series_y", "series_x", "simple"])
@pytest.mark.parametrize("variant", [{}, {"redraw_noise": True}, {"bonus": "current_t"}, {"bonus": "frozen"}], ids=str)
def test_interval_kernel_takes_the_same_actions_as_its_twin(schedule, variant):
    epsilon, v = 3.0, 1.2
    for run, means in enumerate([TWO, TWO, TEN, TEN]):
        given = {"epsilon": epsilon, "delta": DELTA, "v": v, "schedule": schedule, **variant}
        ours = actions("dp_ucb_int", stream(2, run), means, 3000, **given)
        inside = dp_ucb_int.input_epsilon(epsilon, DELTA, v)
        order = {"schedule": schedule, "one_by_one": "redraw_noise" in variant}  # of the random numbers
        assert ours == tossou2016.dp_ucb_int(for_twin(stream(2, run)), means, 3000, inside, v, **order, **variant)


@pytest.mark.parametrize(
    ("epsilon", "schedule", "part"),
    [
        (1e-3, "series_y", "K W_1 = 2 x at least 100000"),  # at once, though W_1 is above a million
        (1e-3, "simple", "K W_1 = 2 x at least 100000"),
        (1e-20, "series_x", "is 0 in floating-point numbers; write a larger epsilon"),
        (50.0, "series_y", "at most 1; write a smaller epsilon"),
    ],
)
def test_an_epsilon_for_which_the_game_is_too_short_is_refused(epsilon, schedule, part):
    given = {"epsilon": epsilon, "delta": DELTA, "v": 1.1, "schedule": schedule}
    with pytest.raises(InputError, match=part):
        dp_ucb_int.check(100_000, 2, may_stay_in_round_robin=False, **given)


def test_the_first_update_alone_is_the_first_of_all():
    for epsilon in (0.1, 0.3, 1.0, 3.0):
        inside = dp_ucb_int.input_epsilon(epsilon, DELTA, 1.1)
        for schedule in ("series_y", "series_x", "simple"):
            first = int(dp_ucb_int.update_counts(schedule, inside, 1.1, 100_000)[0])
            assert dp_ucb_int.first_update(schedule, inside, 1.1) == first
            assert dp_ucb_int.first_update(schedule, inside, 1.1, 40) == min(first, 40)


@pytest.mark.parametrize(("means", "epsilon"), [(TWO, 1.0), (TWO, 0.1), (TEN, 1.0)])
def test_every_run_is_round_robin_until_the_first_update_of_all_arms(means, epsilon):
    first = dp_ucb_int.first_update("series_y", dp_ucb_int.input_epsilon(epsilon, DELTA, 1.1), 1.1)
    until = len(means) * first
    for run in range(20):
        chosen = actions("dp_ucb_int", stream(16, run), means, until + 1, epsilon=epsilon, delta=DELTA, v=1.1)
        assert chosen[:until] == [t % len(means) for t in range(until)]


def test_long_games_take_the_same_actions_as_the_twin():
    """Leads of hundreds of rounds, and a run in which the noise hides the good arm."""
    inside, lost = dp_ucb_int.input_epsilon(1.0, DELTA, 1.1), 0
    for run in range(60):
        given = {"epsilon": 1.0, "delta": DELTA, "v": 1.1}
        ours = actions("dp_ucb_int", stream(17, run), [0.55, 0.5], 8000, **given)
        lost += ours[-1] == 1
        assert ours == tossou2016.dp_ucb_int(for_twin(stream(17, run)), [0.55, 0.5], 8000, inside, 1.1)
    assert lost


def test_law_of_final_regret_agrees_with_the_twin():
    given = {"epsilon": 2.0, "delta": DELTA, "v": 1.1}
    given_to_twin = {"input_epsilon": dp_ucb_int.input_epsilon(2.0, DELTA, 1.1), "v": 1.1, "one_by_one": True}
    same_law(tossou2016, (4, "ours"), (4, "twin"), "dp_ucb_int", 600, given, given_to_twin)


@pytest.mark.parametrize(("target", "expected", "reciprocal"), [(0.1, 4.631731e-5, 21591), (1.0, 3.964317e-3, 253)])
def test_corollary_3_2(target, expected, reciprocal):
    epsilon = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
    assert epsilon == pytest.approx(expected, rel=1e-6)
    assert math.ceil(1 / epsilon) == reciprocal
    assert closed_form_epsilon(epsilon, DELTA, 1.1, 10**5)[1] == pytest.approx(target, rel=1e-12)


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
    epsilon = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
    found = dp_ucb_int.update_counts(schedule, epsilon, 1.1, 100_000)
    assert found[:5].tolist() == counts
    assert np.diff(found, prepend=0).max() <= math.ceil(1 / epsilon)
    assert dp_ucb_int.first_update(schedule, epsilon, 1.1) == counts[0]


def test_closed_form_of_corollary_3_1():
    for target, first_term in [(0.1, 0.01825), (1.0, 1.5617)]:
        epsilon = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
        assert closed_form_epsilon(epsilon, DELTA, 1.1, 10**5)[0] == pytest.approx(first_term, rel=5e-4)


@pytest.mark.parametrize(
    ("target", "schedule", "basic", "advanced"),
    [
        (0.1, "series_y", 0.0354, 0.0832),
        (1.0, "series_y", 1.676, 0.795),
        (0.1, "simple", 0.0111, 0.0261),
        (1.0, "simple", 1.482, 0.493),
    ],
)
def test_p4_interval(target, schedule, basic, advanced):
    given = {"epsilon": target, "delta": DELTA, "v": 1.1, "schedule": schedule}
    account = dp_ucb_int.privacy(100_000, 2, **given)
    assert account.ledger.basic() == pytest.approx(basic, rel=5e-3)
    assert account.ledger.advanced(DELTA) == pytest.approx(advanced, rel=5e-3)
    assert account.spent == min(account.ledger.basic(), account.ledger.advanced(DELTA))
    assert account.kept


def test_p4_redrawn_noise_breaks_the_promise():
    given = {"epsilon": 1.0, "delta": DELTA, "v": 1.1}
    account = dp_ucb_int.privacy(100_000, 2, redraw_noise=True, **given)
    assert account.spent > 10
    assert not account.kept


def test_p5_the_closed_form_covers_simple_and_series_x():
    for target in (0.1, 1.0):
        epsilon = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
        first_term = closed_form_epsilon(epsilon, DELTA, 1.1, 100_000)[0]
        for schedule in ("simple", "series_x"):
            given = {"epsilon": target, "delta": DELTA, "v": 1.1, "schedule": schedule}
            assert dp_ucb_int.privacy(100_000, 2, **given).ledger.basic() <= first_term


def test_p6_inversion_is_exact():
    for target in (0.01, 0.1, 1.0, 3.0):
        for v in (1.05, 1.1, 1.5):
            epsilon = dp_ucb_int.input_epsilon(target, DELTA, v)
            assert closed_form_epsilon(epsilon, DELTA, v, 10)[1] == pytest.approx(target, rel=1e-9)


def test_noise_of_dp_ucb_int_release_has_scale_n_to_the_v_half_minus_1():
    """The first release of an arm with mean 1 is 1 + Lap(W_1^(v/2-1)) + bonus; its sign tells which arm is played first."""
    # Two arms with certain rewards 1 and 1 - gap: arm 1 is played first when Lap_1 - Lap_0 > gap.
    environment = bernoulli(means=[1.0, 0.0])
    given = {"epsilon": 3.0, "delta": DELTA, "v": 1.1}
    first = dp_ucb_int.first_update("series_y", dp_ucb_int.input_epsilon(3.0, DELTA, 1.1), 1.1)
    scale = first ** (1.1 / 2 - 1)
    runs, wrong = 20_000, 0
    for run in range(runs):
        arms, journal = environment.begin(None, 2 * first + 1, np.array([2 * first, 2 * first + 1]))
        dp_ucb_int.play(stream(15, run), arms, 2 * first + 1, journal, **given)
        wrong += journal.regret[1] > journal.regret[0]
    x = 1 / scale  # P(difference of two Laplaces of this scale > 1)
    expected = (0.5 + x / 4) * math.exp(-x)
    assert stats.binomtest(int(wrong), runs, expected).pvalue > 1e-3

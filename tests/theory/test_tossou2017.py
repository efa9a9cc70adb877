"""tossou2017's theorems against numbers that were computed independently, T = 2^18, K = 4."""

import math

import numpy as np
import pytest

from dpbandits import algorithms
from dpbandits.algorithms.games._tuning import batch_length, corollary_epsilon, corollary_tau, gamma_of, theorem_epsilon
from dpbandits.theory import tossou2017

T, K = 2**18, 4
DELTA = T**-2.0


def test_the_constants():
    assert K * math.log(K) == pytest.approx(5.5452, abs=5e-5)
    assert pytest.approx(1.455e-11, rel=5e-4) == DELTA
    assert gamma_of(T, K) == pytest.approx(0.00350865, abs=5e-9)
    assert gamma_of(T / 19, K) == pytest.approx(0.0152939, abs=5e-8)
    assert gamma_of(T / 18, K) == pytest.approx(0.0148860, abs=5e-8)
    assert gamma_of(1, K) == 1
    assert corollary_tau(T, K) == pytest.approx(18.902, abs=5e-4)
    assert (batch_length(T, K), batch_length(T, K, tau_rounding="floor"), batch_length(T, K, 7)) == (19, 18, 7)
    b = math.log(T) / corollary_epsilon(T, K)
    assert b == pytest.approx(0.0512826, abs=5e-8)
    assert 2 * b + 1 == pytest.approx(1.1025653, abs=5e-8)


def test_exp3():
    assert tossou2017.tossou2017_exp3(T, K) == pytest.approx(3160.9, abs=0.05)


def test_theorem_3_1_term_by_term():
    """b = 0 and a base without regret: 2 T K e^0 + sqrt(32 T)/eps; with b, the base's regret grows with the width."""
    nothing, one = (lambda T, K: 0.0), (lambda T, K: 1.0)
    assert tossou2017.tossou2017_theorem_3_1(2, 3, 1.0, 0.0, nothing) == pytest.approx(12 + 8)
    assert tossou2017.tossou2017_theorem_3_1(2, 3, 2.0, 0.0, nothing) == pytest.approx(12 + 4)
    wide = tossou2017.tossou2017_theorem_3_1(2, 3, 1.0, 50.0, one)
    assert wide == pytest.approx(101 + 8)


@pytest.mark.parametrize(("epsilon", "value", "digit"), [(0, 3505.0, 0.05), (1.0, 84_939, 0.5), (0.1, 820_870, 0.5)])
def test_corollary_3_1(epsilon, value, digit):
    assert tossou2017.tossou2017_corollary_3_1(T, K, epsilon) == pytest.approx(value, abs=digit)


def test_theorem_3_2_is_the_ledgers_epsilon():
    for epsilon in (0.1, 1.0, 10.0):
        account = algorithms.find("dp_exp3_lap").privacy(1000, K, epsilon=epsilon)
        assert account.ledger.touched().tolist() == [1] * 1000  # a gain is released once and never again
        assert account.spent == pytest.approx(epsilon)
        assert account.kept
        # The densities of g + Lap(1/eps) for g = 0 and g = 1, over a grid of releases.
        r = np.linspace(-5, 6, 1001)
        ratio = np.abs(epsilon * (np.abs(r - 1) - np.abs(r)))
        assert ratio.max() == pytest.approx(epsilon)


def test_exp3_is_2T_private():
    account = algorithms.find("exp3").privacy(T, K)
    assert account.epsilon == account.spent == 2 * T == 524_288


def test_theorem_3_4_and_corollary_3_2():
    assert tossou2017.tossou2017_theorem_3_4(T, K) == pytest.approx(13_923, abs=0.5)
    memory = tossou2017.tossou2017_theorem_3_4(T, K, memory=1) - tossou2017.tossou2017_theorem_3_4(T, K)
    assert memory == pytest.approx(T / 19)
    assert tossou2017.tossou2017_corollary_3_2(T, K) == pytest.approx(27_756, abs=0.5)
    assert corollary_epsilon(T, K) == pytest.approx(243.292, abs=5e-4)
    k = K * math.log(K)
    assert 28 * k == pytest.approx(155.265, abs=5e-4)
    assert math.sqrt(112 * k * math.log(T)) == pytest.approx(88.027, abs=5e-4)
    # Corollary 3.2 is Theorem 3.4 at m = 1, with the two large terms equal.
    closed = 2 * (7 * k) ** (1 / 3) * T ** (2 / 3) + (7 * k) ** (-1 / 3) * T ** (1 / 3)
    assert tossou2017.tossou2017_corollary_3_2(T, K) == pytest.approx(closed)


# tau -> Theorem 3.5; the same composition without its rounding down; the sharper composition
COMPOSED = {18: (274.5, 284.9, 184.6), 18.902: (243.29, 251.8, 165.7), 19: (240.2, 248.6, 163.8)}


@pytest.mark.parametrize("tau", COMPOSED)
def test_theorem_3_5_and_the_compositions_behind_it(tau):
    stated, advanced, sharper = COMPOSED[tau]
    assert theorem_epsilon(T, tau, DELTA) == pytest.approx(stated, abs=0.05)
    e, batches = 2 / tau, T / tau
    root = math.sqrt(2 * batches * math.log(1 / DELTA)) * e
    assert root + batches * e * math.expm1(e) == pytest.approx(advanced, abs=0.05)
    assert root + batches * e**2 / 2 == pytest.approx(sharper, abs=0.05)
    if tau == int(tau):  # the ledger counts whole batches, which changes less than the last digit
        account = algorithms.find("exp3_tau").privacy(T, K, tau=tau)
        assert account.ledger.advanced(DELTA) == pytest.approx(advanced, abs=0.05)
        assert account.spent == account.ledger.concentrated(DELTA) == pytest.approx(sharper, abs=0.05)
        assert account.epsilon == pytest.approx(stated, abs=0.05)
        assert account.kept


def test_the_promise_of_corollary_3_2_is_kept_though_its_own_proof_does_not_show_it():
    account = algorithms.find("exp3_tau").privacy(T, K)
    assert account.epsilon == pytest.approx(243.292, abs=5e-4)
    assert account.ledger.advanced(account.delta) > account.epsilon
    assert account.kept
    assert theorem_epsilon(T, 19, DELTA) < account.epsilon < theorem_epsilon(T, 18, DELTA)


def test_lower_bound():
    assert tossou2017.tossou2017_switching_lower_bound(T, K) == pytest.approx(7.22, abs=5e-3)


def test_dp_exp3_lap_and_exp3_tau_are_compared_at_one_epsilon():
    one, other, exp3 = (algorithms.find(name).privacy(T, K).epsilon for name in ("dp_exp3_lap", "exp3_tau", "exp3"))
    assert one == pytest.approx(other, rel=1e-12)
    assert one < 0.001 * exp3

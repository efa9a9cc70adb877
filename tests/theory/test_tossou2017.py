"""tossou2017's theorems against numbers that were computed independently, T = 2^18, K = 4."""

import pytest

from dpbandits.algorithms.games._tuning import batch_length, corollary_epsilon, corollary_tau, gamma_of, theorem_epsilon
from dpbandits.theory import tossou2017

T, K = 2**18, 4


def test_the_constants():
    assert gamma_of(T, K) == pytest.approx(0.00350865, abs=5e-9)
    assert gamma_of(T / 19, K) == pytest.approx(0.0152939, abs=5e-8)
    assert gamma_of(1, K) == 1
    assert corollary_tau(T, K) == pytest.approx(18.902, abs=5e-4)
    assert (batch_length(T, K), batch_length(T, K, 7)) == (19, 7)
    assert corollary_epsilon(T, K) == pytest.approx(243.292, abs=5e-4)
    assert [theorem_epsilon(T, tau, T**-2.0) for tau in (18, 19)] == pytest.approx([274.523, 240.223], abs=1e-3)


def test_exp3():
    assert tossou2017.tossou2017_exp3(T, K) == pytest.approx(3160.9, abs=0.05)


def test_theorem_3_1_term_by_term():
    """b = 0 and a base without regret: 2 T K e^0 + sqrt(32 T)/eps; with b, the base's regret grows with the width."""
    nothing, one = (lambda T, K: 0.0), (lambda T, K: 1.0)
    assert tossou2017.tossou2017_theorem_3_1(2, 3, 1.0, 0.0, nothing) == pytest.approx(12 + 8)
    assert tossou2017.tossou2017_theorem_3_1(2, 3, 2.0, 0.0, nothing) == pytest.approx(12 + 4)
    assert tossou2017.tossou2017_theorem_3_1(2, 3, 1.0, 50.0, one) == pytest.approx(101 + 8)


@pytest.mark.parametrize(("epsilon", "value", "digit"), [(0, 3505.0, 0.05), (1.0, 84_939, 0.5), (0.1, 820_870, 0.5)])
def test_corollary_3_1(epsilon, value, digit):
    assert tossou2017.tossou2017_corollary_3_1(T, K, epsilon) == pytest.approx(value, abs=digit)


def test_theorem_3_4_and_corollary_3_2():
    assert tossou2017.tossou2017_theorem_3_4(T, K) == pytest.approx(13_923, abs=0.5)
    memory = tossou2017.tossou2017_theorem_3_4(T, K, memory=1) - tossou2017.tossou2017_theorem_3_4(T, K)
    assert memory == pytest.approx(T / 19)
    # Corollary 3.2 is Theorem 3.4 at m = 1, with the two large terms equal.
    assert tossou2017.tossou2017_corollary_3_2(T, K) == pytest.approx(27_756, abs=0.5)

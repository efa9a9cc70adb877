"""dp_se: what is special to it (the rest is in test_every_algorithm.py)."""

import numpy as np
import pytest
from playing import final_regret
from twins import C2

from dpbandits.algorithms.arms import dp_se
from dpbandits.kernels.streams import stream


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
    assert dp_se.epoch_length(s, e, epsilon, 1e-7) == R
    if limit is not None:
        assert dp_se.threshold(s, e, R, epsilon, 1e-7) == pytest.approx(limit, abs=6e-7)


def test_the_elimination_that_skips_the_next_arm():
    """Of (1, 2, 3, 4, 5) with 3, 4, 5 due: 3 goes, 4 slides into its place and escapes, 5 goes."""
    alive, dropped = np.array([1, 2, 3, 4, 5]), np.array([False, False, False, True, True, True])
    assert dp_se.drop(alive, dropped).tolist() == [1, 2]
    assert dp_se.drop_while_iterating(alive, dropped).tolist() == [1, 2, 4]
    assert dp_se.drop_while_iterating(np.array([1, 2, 4]), dropped).tolist() == [1, 2]
    nobody = np.zeros(6, bool)
    assert dp_se.drop(alive, nobody).tolist() == dp_se.drop_while_iterating(alive, nobody).tolist() == alive.tolist()


def test_what_the_slip_costs_on_c2():
    """epsilon = 1, T = 1e6: which arms survive which epoch is all but certain."""
    given = {"epsilon": 1.0}
    R = {s: [dp_se.epoch_length(s, e, 1.0, 1e-6) for e in (1, 2, 3)] for s in (2, 3, 5)}
    # all: epoch 1 drops gaps .25, .375, .5 (2h + 2c = .14), and .125 may stay; epoch 2 drops the rest.
    gaps = np.array([0, 0.125, 0.25, 0.375, 0.5])
    # skip_next: epoch 1 leaves arms 1, 2, 4; epoch 2 leaves 1, 4; epoch 3 leaves 1.
    slip = R[5][0] * gaps.sum() + R[3][1] * (gaps[1] + gaps[3]) + R[2][2] * gaps[3]
    finals = [final_regret("dp_se", stream(14, r), C2, 10**6, elimination="skip_next", **given) for r in range(200)]
    assert np.median(finals) == pytest.approx(slip)
    clean = [final_regret("dp_se", stream(14, r), C2, 10**6, **given) for r in range(200)]
    ends = {R[5][0] * gaps.sum(), R[5][0] * gaps.sum() + R[2][1] * gaps[1]}
    assert all(any(end == pytest.approx(final) for end in ends) for final in clean)


def test_the_order_of_arms_matters_only_where_the_next_arm_is_skipped():
    """The best arm of C1 first, as azize2022 prints it, or second."""

    def mean(best, elimination):
        means = np.full(5, 0.70)
        means[best] = 0.75
        given = {"epsilon": 1.0, "elimination": elimination}
        return np.mean([final_regret("dp_se", stream(15, r), means, 10**7, **given) for r in range(60)])

    assert mean(0, "skip_next") == pytest.approx(65_500, rel=0.05)
    assert mean(1, "skip_next") == pytest.approx(20_500, rel=0.02)
    assert mean(0, "all") == pytest.approx(mean(1, "all"), rel=0.05)

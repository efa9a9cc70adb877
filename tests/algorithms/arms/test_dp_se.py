"""DP-SE: its epochs against the numbers of its source, and both eliminations by hand."""

import numpy as np
import pytest

from dpbandits.algorithms.arms import dp_se


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
    assert dp_se.drop_while_iterating(alive, dropped).tolist() == [1, 2, 4]
    assert dp_se.drop_while_iterating(np.array([1, 2, 4]), dropped).tolist() == [1, 2]
    nobody = np.zeros(6, bool)
    assert dp_se.drop_while_iterating(alive, nobody).tolist() == alive.tolist()

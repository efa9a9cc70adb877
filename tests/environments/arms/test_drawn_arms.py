"""The fifty arms of sarkar2025, and what they count as."""

import math

import numpy as np
import pytest
from twins import FIFTY

from dpbandits.environments.arms.drawn_arms import drawn_arms

GIVEN = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


def test_the_fifty_arms_are_the_papers():
    labels = np.array(FIFTY)
    assert (labels.max(), labels.argmax()) == (pytest.approx(0.9700603029, abs=1e-10), 11)
    assert np.sort(labels)[[-2, 0]] == pytest.approx([0.96580387, 0.02548157], abs=1e-8)
    assert labels.mean() == pytest.approx(0.44869428, abs=1e-8)
    assert math.exp(np.log(labels).mean()) == pytest.approx(0.33233193, abs=1e-8)
    assert labels.max() - labels.mean() == pytest.approx(0.52137, abs=1e-5)  # the Nash regret of uniform play


def test_a_played_arm_counts_with_its_mean_or_its_label():
    """What is played does not depend on it."""
    by_mean, by_label = (drawn_arms(**GIVEN, laws="by_label", scored_by=scored) for scored in ("mean", "label"))
    assert np.bincount(np.digitize(FIFTY, [0.25, 0.5, 0.75])).tolist() == [16, 12, 13, 9]
    assert np.array_equal(by_mean.scores, by_mean.arms.means)
    assert np.array_equal(by_label.scores, FIFTY)
    for mine, other in zip(by_mean.arms, by_label.arms, strict=True):
        assert np.array_equal(mine, other)
    assert (by_mean.scores.argmax(), by_mean.scores.max()) == (11, max(FIFTY))
    assert np.array_equal(by_label.gaps, max(FIFTY) - np.array(FIFTY))

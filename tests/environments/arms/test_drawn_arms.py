"""The fifty arms of sarkar2025, and what they count as."""

import math

import numpy as np
import pytest
from twins import FIFTY

from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.random import stream

GIVEN = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


def test_the_fifty_arms_are_the_papers():
    labels = np.array(FIFTY)
    assert (labels.max(), labels.argmax()) == (pytest.approx(0.9700603029, abs=1e-10), 11)
    assert np.sort(labels)[[-2, 0]] == pytest.approx([0.96580387, 0.02548157], abs=1e-8)
    assert labels.mean() == pytest.approx(0.44869428, abs=1e-8)
    assert math.exp(np.log(labels).mean()) == pytest.approx(0.33233193, abs=1e-8)
    assert labels.max() - labels.mean() == pytest.approx(0.52137, abs=1e-5)  # the Nash regret of uniform play


def test_a_played_arm_counts_with_its_mean_or_its_label():
    """Round robin over the fifty arms, once: the regret is the best mean, or label, less the average, fifty times."""
    environment = drawn_arms(**GIVEN, laws="by_label")
    assert np.bincount(np.digitize(FIFTY, [0.25, 0.5, 0.75])).tolist() == [16, 12, 13, 9]
    t = np.array([50])
    arms, journal = environment.begin(stream(1, "x"), 50, t)
    assert journal.checkpoints.tolist() == list(range(1, 51))
    journal.counts[:], journal.kept[0] = np.tri(50), 50
    for scored_by, scores in (("mean", environment.arms.means), ("label", np.array(FIFTY))):
        found = environment.curves(arms, journal, t, scored_by=scored_by)
        assert found["regret"] == pytest.approx(50 * (scores.max() - scores.mean()))
        assert np.unique(found["means"]).tolist() == pytest.approx(np.unique(scores).tolist())
        assert found["means"].shape == (50,)

"""The fifty arms of sarkar2025 and their laws."""

import math

import numpy as np
import pytest

from dpbandits.environments.arms import _laws, pull, pull_many
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.kernels.streams import stream

FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


LABELS = drawn_arms(**FIFTY).labels.tolist()


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


THREE = [0.8, 0.5, 0.3]


def test_every_kernel_pulls_by_the_arms_own_law():
    arms = drawn_arms(**FIFTY, laws="by_label").arms
    a = int(np.flatnonzero(arms.laws == _laws.TWO_POINT)[0])
    assert {pull(stream(2, i), arms, a) for i in range(50)} == {0.4, 1.0}
    assert pull_many(stream(3), arms, a, 10) == pytest.approx(4 + 0.6 * stream(3).binomial(10, 0.5))
    plainly = bernoulli(means=THREE).arms
    assert [pull(stream(4, i), plainly, 1) for i in range(50)] == [
        float(stream(4, i).random() < 0.5) for i in range(50)
    ]

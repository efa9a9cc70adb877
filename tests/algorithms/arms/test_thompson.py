"""thompson: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import mishra2015
from playing import actions, regrets
from scipy import stats

from dpbandits import algorithms
from dpbandits.randomness import stream

THREE = [0.8, 0.5, 0.3]


@pytest.mark.parametrize(("name", "given"), [("thompson", {})], ids=str)
@pytest.mark.parametrize("means", [THREE, [0.2, 0.9, 0.35, 0.6]], ids=["best first", "best second"])
def test_thompson_takes_the_same_actions_as_its_twin(name, given, means, monkeypatch):
    monkeypatch.setattr(algorithms.find(name), "CANDIDATES", 0.0)
    for run in range(3):
        ours = actions(name, stream(35, name, run), means, 5000, **given)
        assert ours == getattr(mishra2015, name)(stream(35, name, run), means, 5000, **given)


@pytest.mark.parametrize(("name", "given", "means"), [("thompson", {}, [0.7, 0.5, 0.5])], ids=str)
def test_the_short_cut_leaves_the_law_of_the_regret(name, given, means, monkeypatch):
    runs, horizon = 2000, 2000
    quick = regrets(name, "quick", runs, horizon, means, (0.1, 0.3, 1), **given)
    monkeypatch.setattr(algorithms.find(name), "CANDIDATES", 0.0)
    slow = regrets(name, "slow", runs, horizon, means, (0.1, 0.3, 1), **given)
    for k in range(3):
        assert stats.ks_2samp(np.round(quick[:, k], 6), np.round(slow[:, k], 6)).pvalue > 1e-5


@pytest.mark.parametrize(("name", "mean"), [("thompson", 18.6)])
def test_means_without_privacy(name, mean):
    final = regrets(name, "small", 400, 20_000)[:, 1]
    assert final.mean() == pytest.approx(mean, abs=4.5 * final.std() * math.sqrt(1 / 400 + 1 / 40))

"""thompson: by hand, beside its plain twin, and what it promises and spends."""

import math

import pytest
from plain import mishra2015
from playing import regrets
from twins import THREE, same_actions, short_cut_leaves_the_law

from dpbandits import algorithms


@pytest.mark.parametrize("given", [{}], ids=str)
@pytest.mark.parametrize("means", [THREE, [0.2, 0.9, 0.35, 0.6]], ids=["best first", "best second"])
def test_thompson_takes_the_same_actions_as_its_twin(given, means, monkeypatch):
    monkeypatch.setattr(algorithms.find("thompson"), "CANDIDATES", 0.0)
    same_actions(mishra2015, 35, "thompson", means, 5000, 3, **given)


@pytest.mark.parametrize(("given", "means"), [({}, [0.7, 0.5, 0.5])], ids=str)
def test_the_short_cut_leaves_the_law_of_the_regret(given, means, monkeypatch):
    short_cut_leaves_the_law("thompson", means, monkeypatch, **given)


@pytest.mark.parametrize(("name", "mean"), [("thompson", 18.6)])
def test_means_without_privacy(name, mean):
    final = regrets(name, "small", 400, 20_000)[:, 1]
    assert final.mean() == pytest.approx(mean, abs=4.5 * final.std() * math.sqrt(1 / 400 + 1 / 40))

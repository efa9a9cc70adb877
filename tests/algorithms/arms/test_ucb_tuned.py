"""ucb_tuned: by hand, beside its plain twin, and what it promises and spends."""

import math

import pytest
from plain import mishra2015
from playing import actions, regrets

from dpbandits import algorithms
from dpbandits.errors import InputError
from dpbandits.randomness import stream

THREE = [0.8, 0.5, 0.3]


@pytest.mark.parametrize(("name", "given"), [("ucb_tuned", {})], ids=str)
@pytest.mark.parametrize("means", [THREE, [0.2, 0.9, 0.35, 0.6]], ids=["best first", "best second"])
def test_ucb_takes_the_same_actions_as_its_twin(name, given, means):
    for run in range(6):
        ours = actions(name, stream(34, name, run), means, 3000, **given)
        assert ours == getattr(mishra2015, name)(stream(34, name, run), means, 3000, **given)


@pytest.mark.parametrize(("name", "mean"), [("ucb_tuned", 87.4)])
def test_means_without_privacy(name, mean):
    final = regrets(name, "small", 400, 20_000)[:, 1]
    assert final.mean() == pytest.approx(mean, abs=4.5 * final.std() * math.sqrt(1 / 400 + 1 / 40))


@pytest.mark.parametrize("name", ["ucb_tuned"])
def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused(name):
    with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
        algorithms.find(name).check(4, 5)
    algorithms.find(name).check(5, 5)

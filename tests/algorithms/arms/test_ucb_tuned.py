"""ucb_tuned: by hand, beside its plain twin, and what it promises and spends."""

import math

import pytest
from plain import mishra2015
from playing import regrets
from twins import THREE, needs_one_round_for_each_arm, same_actions


@pytest.mark.parametrize("given", [{}], ids=str)
@pytest.mark.parametrize("means", [THREE, [0.2, 0.9, 0.35, 0.6]], ids=["best first", "best second"])
def test_ucb_takes_the_same_actions_as_its_twin(given, means):
    same_actions(mishra2015, 34, "ucb_tuned", means, 3000, 6, **given)


@pytest.mark.parametrize(("name", "mean"), [("ucb_tuned", 87.4)])
def test_means_without_privacy(name, mean):
    final = regrets(name, "small", 400, 20_000)[:, 1]
    assert final.mean() == pytest.approx(mean, abs=4.5 * final.std() * math.sqrt(1 / 400 + 1 / 40))


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    needs_one_round_for_each_arm("ucb_tuned")

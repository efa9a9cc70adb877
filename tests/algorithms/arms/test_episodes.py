"""Episodes: the driver by hand, and the indices of azize2022 against its numbers."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from plain import azize2022
from playing import actions

from dpbandits.algorithms.arms._episodes import episode_rule, play_in_episodes
from dpbandits.algorithms.arms.adac_ucb import AdaCUCB
from dpbandits.algorithms.arms.adap_klucb import AdaPKLUCB
from dpbandits.algorithms.arms.adap_ucb import AdaPUCB
from dpbandits.environments.arms._journal import blank_journal, counts_of
from dpbandits.environments.arms._rewards import bernoulli_arms
from dpbandits.random import stream


@pytest.mark.parametrize(
    ("mean", "h", "t", "epsilon", "ucb", "klucb"),
    [
        (0.5, 64, 1000, 1, 1.243614, 0.990794),
        (0.5, 1024, 10**5, 0.1, 0.980546, 0.926433),
        (-0.2, 8, 50, 1, 2.186515, 1.0),
    ],
)
def test_index_values_of_the_specification(mean, h, t, epsilon, ucb, klucb):
    """Of the rules, and of the twins that they are held against."""
    assert AdaPUCB(epsilon, 3.1).index_at(mean, h, t) == pytest.approx(ucb, abs=6e-7)
    assert AdaPKLUCB(epsilon, 3.1 / epsilon, 3.1).index_at(mean, h, t) == pytest.approx(klucb, abs=6e-7)
    assert azize2022.adap_ucb_index(mean, h, t, epsilon, 3.1) == pytest.approx(ucb, abs=6e-7)
    assert azize2022.adap_klucb_index(mean, h, t, epsilon, 3.1) == pytest.approx(klucb, abs=6e-7)


def test_adac_ucb_by_hand():
    """Means 1 and 0, beta = 2, next to no noise: arm 0 has 1 + sqrt(ln t/h), arm 1 has sqrt(ln t). In rounds 4, 6 and
    10 arm 0 wins (2.18 to 1.18, 1.95 to 1.34, 1.76 to 1.52) and doubles its pulls to 16; in round 18 it has 1.60, and
    arm 1 has 1.70."""
    given = {"epsilon": 1e12, "beta": 2.0}
    assert actions("adac_ucb", stream(0, "hand"), [1.0, 0.0], 18, **given) == [0, 1, *[0] * 15, 1]
    assert AdaCUCB(0.5, 2.0).index_at(0.25, 8, 100) == pytest.approx(
        0.25 + math.sqrt((1 / 16 + 2 / 64) * 2 * math.log(100))
    )


@episode_rule
class Listed(NamedTuple):
    """A policy that plays these arms, and keeps the first rounds, the arms and the lengths of its episodes."""

    listed: np.ndarray
    played: list

    def choose(self, x, h, t):
        a = int(self.listed[len(self.played)])
        self.played.append([t, a, 0])
        return a

    def release(self, rng, a, x, h, total, m):
        self.played[-1][2] = m
        return total, h + m


def episodes(listed, horizon, monkeypatch):
    """(first round, arm, length) of every episode, by the driver without compilation."""
    rule, journal = Listed(np.array(listed), []), blank_journal(2, np.arange(1, horizon + 1))
    play = getattr(play_in_episodes, "py_func", play_in_episodes)
    inner = play.__globals__["play_episodes"]
    monkeypatch.setitem(play.__globals__, "play_episodes", getattr(inner, "py_func", inner))
    play(stream(5), bernoulli_arms(np.array([0.6, 0.5])), horizon, journal, rule)
    played = np.diff(counts_of(journal), axis=0, prepend=0).argmax(axis=1)
    assert played.tolist() == [a for _, a, m in rule.played for _ in range(m)]
    return [tuple(episode) for episode in rule.played]


def test_the_worked_example_of_figure_1(monkeypatch):
    """Each episode doubles the pulls of its arm; the horizon cuts the last one."""
    assert episodes([0, 1, 0, 0, 1, 0], 10, monkeypatch) == [
        (1, 0, 1), (2, 1, 1), (3, 0, 1), (4, 0, 2), (6, 1, 1), (7, 0, 4),
    ]  # fmt: skip
    assert episodes([0, 1, 0, 0, 1, 0], 8, monkeypatch)[-1] == (7, 0, 2)


def test_a_rule_plays_every_arm_once_and_then_the_first_of_the_largest_indices():
    """With rewards of 1 alone, all indices of arms with as many pulls are equal."""
    for name in ("adap_ucb", "adap_klucb", "dp_klucb", "dp_imed"):
        chosen = actions(name, stream(6), [1.0, 1.0, 1.0], 4, epsilon=1e15)
        assert chosen == [0, 1, 2, 0], name

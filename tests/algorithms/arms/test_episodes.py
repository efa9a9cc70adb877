"""Episodes: the driver by hand."""

from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.arms._episodes import episode_rule, play_in_episodes
from dpbandits.environments.arms._journal import blank_journal, counts_of
from dpbandits.environments.arms._rewards import bernoulli_arms
from dpbandits.random import stream


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

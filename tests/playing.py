"""Runs of an algorithm, and what of them tests compare: the actions, the final regret, the refusal of a wrong parameter."""

import numpy as np
import yaml
from project import ROOT

from dpbandits import algorithms
from dpbandits.environments import make
from dpbandits.environments.arms._journal import counts_of
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.environments.games._game import Game, blank_journal
from dpbandits.random import stream


def play(name, rng, means, horizon, checkpoints, **given):
    """The environment, the arms and the finished journal of one game on Bernoulli arms."""
    environment = bernoulli(means=means)
    arms, journal = environment.begin(stream(0), horizon, np.asarray(checkpoints))
    algorithms.find(name).play(rng, arms, horizon, journal, **given)
    return environment, arms, journal


def actions(name, rng, means, horizon, **given):
    """The arm of every round."""
    _, _, journal = play(name, rng, means, horizon, np.arange(1, horizon + 1), **given)
    return np.diff(counts_of(journal), axis=0, prepend=0).argmax(axis=1).tolist()


def final_regret(name, rng, means, horizon, **given):
    """The pseudo-regret after the last round."""
    environment, arms, journal = play(name, rng, means, horizon, [horizon], **given)
    return environment.curves(arms, journal, None)["regret"][0]


FIVE = [0.9, 0.4, 0.4, 0.4, 0.4]  # the arms of mishra2015


NEWS = yaml.safe_load((ROOT / "config/papers/mishra2015.yaml").read_text())["environments"]["news"]


def a_log(*name, horizon, **other):
    """A synthetic log of mishra2015, or with other parameters."""
    return make(NEWS | other).begin(stream(1, *name), horizon, np.array([horizon]))[0]


def click_rates(events):
    """The probability of a click on every article of the pool, for every kept event of a synthetic log."""
    return np.array([[events.feedback(i, s)[2] for s in range(events.law.live)] for i in range(events.t.size)])


def played(name, rng, gains, penalty=(), **parameters):
    """The journal of one game on a table of gains, with a checkpoint at every round."""
    game, horizon = Game(np.asarray(gains), *penalty), len(gains)
    journal = blank_journal(game, np.arange(1, horizon + 1))
    algorithms.find(name).play(rng, game, horizon, journal, **parameters)
    return journal

"""Runs of an algorithm, and what of them tests compare: the actions, the final regret, the refusal of a wrong parameter."""

import numpy as np

from dpbandits import algorithms
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.environments.arms.shuffled_bernoulli import shuffled_bernoulli
from dpbandits.environments.games._game import Game, GameJournal, Penalty
from dpbandits.environments.games.switching_costs import PENALTIES
from dpbandits.environments.logs._clicks import click_rate
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.streams import stream


def actions(name, rng, means, horizon, **given):
    """The arm of every round, read off the regret of every round (the gaps are distinct)."""
    arms, journal = bernoulli(means=means).begin(None, horizon, np.arange(1, horizon + 1))
    algorithms.find(name).play(rng, arms, horizon, journal, **given)
    steps = np.diff(journal.regret, prepend=0.0)
    return np.abs(steps[:, None] - journal.gaps[None, :]).argmin(axis=1).tolist()


def final_regret(name, rng, means, horizon, **given):
    """The pseudo-regret after the last round."""
    arms, journal = bernoulli(means=means).begin(None, horizon, np.array([horizon]))
    algorithms.find(name).play(rng, arms, horizon, journal, **given)
    return journal.regret[0]


FIVE = [0.9, 0.4, 0.4, 0.4, 0.4]  # the arms of mishra2015


@kernel
def click_rates(events):
    """The probability of a click on every article of the pool, for every event of a direct block."""
    found = np.zeros((events.chance.size, events.pools.shape[1]))
    for i in range(found.shape[0]):
        for place in range(found.shape[1]):
            article = events.pools[events.pool[i], place]
            found[i, place] = click_rate(events.rates, i, place, events.t[i], events.users[i], article)
    return found


def regrets(name, label, runs, horizon, means=FIVE, t=(0.5, 1), **given):
    """Regret at fractions of the horizon, run by run, the arms in another order in each."""
    environment, module = shuffled_bernoulli(means=means), algorithms.find(name)
    found = []
    for run in range(runs):
        arms, journal = environment.begin(stream(30, label, run), horizon, np.array([int(x * horizon) for x in t]))
        module.play(stream(31, label, name, run), arms, horizon, journal, **given)
        found.append(journal.regret)
    return np.array(found)


def game_of(gains, switch_penalty="none", penalty_observed=True):
    """A table as a game, and its journal with a checkpoint at every round."""
    game = Game(np.asarray(gains), Penalty(*PENALTIES[switch_penalty], penalty_observed))
    horizon = len(game.gains)
    return game, GameJournal(game, np.arange(1, horizon + 1), np.zeros((2, horizon), np.int16))


def played(name, rng, gains, switch_penalty="none", penalty_observed=True, **parameters):
    """The journal of one run on a table of gains."""
    game, journal = game_of(gains, switch_penalty, penalty_observed)
    algorithms.find(name).play(rng, game, len(game.gains), journal, **parameters)
    return journal

"""Two arms, one of which has the mean (2e)^-T in a game of T rounds: sarkar2025, panel (a).

The arms depend on the horizon, so every horizon has its own games: for each checkpoint T `trials` new games are played,
whose Nash regret at the end is one value of the curve. All these games are one run of the experiment: a sweep.

A round in which all trials play the bad arm multiplies the geometric mean by ((2e)^-T)^(1/T) = 1/(2e), whatever T is.
The logarithm of the bad arm's mean is kept as a logarithm: the mean itself is below the smallest double from T = 441
on.
"""

import math
from typing import Literal

import numpy as np

from dpbandits.bandits import Environment
from dpbandits.bandits.journal import Journal, counts_of
from dpbandits.bandits.rewards import Arms
from dpbandits.kernels import kernel
from dpbandits.parameters import Natural

LOG_PER_ROUND = -(1 + math.log(2))  # ln (2e)^-T = T times this


class VanishingArm(Environment):
    """The environment; arm 0 is the bad one."""

    number_of_arms = 2
    gaps = np.array([1.0, 0.0])  # up to (2e)^-T

    def __init__(self, trials: int):
        self.trials = trials

    def play_run(self, play, of_environment, rng, horizon, t, regret):
        """Play new games for every checkpoint T; the curves are the regret and the Nash regret at their ends."""
        regret, nash = np.empty(len(t)), np.empty(len(t))
        for k, T in enumerate(t.tolist()):
            arms, rounds = Arms(np.array([math.exp(LOG_PER_ROUND * T), 1.0])), np.arange(1, T + 1)
            counts, kept = (
                np.zeros((self.trials, T, 2), np.int64),
                np.zeros((self.trials, 1), np.int64),
            )
            for trial in range(self.trials):
                play(rng, arms, T, Journal(rounds, counts[trial], kept[trial]))
            bad = counts_of(Journal(rounds, counts, kept))[..., 0].sum(axis=0)
            regret[k] = bad[-1] / self.trials * -math.expm1(LOG_PER_ROUND * T)
            nash[k] = nash_regret(np.diff(bad, prepend=0), self.trials)
        return {"regret": regret, "nash_regret": nash}

    def curves(self, bandit, journal, t, *, against: Literal[1] = 1):
        """Not used, but for its parameter: the regret is measured against 1, which is the best arm's mean."""
        raise NotImplementedError


def vanishing_arm(*, trials: Natural) -> VanishingArm:
    """The environment `{kind: vanishing_arm, trials: 50}` of a paper file."""
    return VanishingArm(trials)


@kernel
def nash_regret(bad, trials):
    """1 - (prod_t m_t)^{1/T}, m_t = (good + bad (2e)^-T)/trials, from the number of trials with a bad pull in each
    round."""
    T = bad.size
    log_bad = LOG_PER_ROUND * T
    total = 0.0
    for t in range(T):
        good = trials - bad[t]
        total += log_bad if good == 0 else math.log((good + bad[t] * math.exp(log_bad)) / trials)
    return -math.expm1(total / T)

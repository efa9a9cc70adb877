"""Two arms, one with the mean (2e)^-T in a game of T rounds: sarkar2025, panel (a).

The arms depend on the horizon, so every horizon has its own games: for each checkpoint T `trials`
new games are played, whose Nash regret at the end is one value of the curve. All these games are
one run of the experiment: a sweep.

A round in which all trials play the bad arm multiplies the geometric mean by
((2e)^-T)^(1/T) = 1/(2e), whatever T is. The logarithm of the bad arm's mean is kept as a logarithm:
the mean itself is below the smallest double from T = 441 on.
"""

import math
from typing import ClassVar, Literal

import numpy as np

from dpbandits.bandit import Bandit, check_finished
from dpbandits.bandits.nash_regret import nash_regret
from dpbandits.bandits.rewards import Arms
from dpbandits.bandits.run import new_run
from dpbandits.errors import InputError
from dpbandits.parameters import Natural
from dpbandits.privacy.releases import Releases

LOG_PER_ROUND = -(1 + math.log(2))  # ln (2e)^-T = T times this


class VanishingArm(Bandit):
    """Arm 0 has the mean (2e)^-T in a game of T rounds, and arm 1 always pays 1.

    Parameters
    ----------
    trials : int
        The number of games for each checkpoint.

    Examples
    --------
    >>> VanishingArm(trials=50).gaps
    array([1., 0.])
    """

    family = "arms"
    number_of_arms: ClassVar[int] = 2
    least_game: ClassVar[int] = 2
    gaps = np.array([1.0, 0.0])  # up to (2e)^-T

    trials: Natural

    def games(self, horizon, t):
        """Return the checkpoints."""
        return t

    def check(self, horizon):
        """Raise InputError for a game of one round, in which some policies divide by zero."""
        if horizon < self.least_game:
            says = "VanishingArm: a game of 1 round is too short for its 2 arms"
            remedy = "record rounds from 2 on: at=[2, ...], or checkpoints: {least: 2} in a file"
            raise InputError(f"{says}; {remedy}")

    def draw_game(self, rng, horizon):
        """Return nothing: a run has many games."""

    def play_run(self, policy, game, rng, horizon, t, **regret):
        """Play new games for every checkpoint, and return the curves of their ends."""
        return self.curves([self._bad_pulls(policy, rng, T) for T in t.tolist()], t, **regret)

    def _bad_pulls(self, policy, rng, T):
        """The number of bad pulls of all trials together, up to each round of games of T rounds."""
        arms, rounds = Arms(np.array([math.exp(LOG_PER_ROUND * T), 1.0])), np.arange(1, T + 1)
        run, bad_pulls = new_run(arms, Releases(rng), T, rounds), np.zeros(T, np.int64)
        for _ in range(self.trials):
            run.restart()
            policy.play(run)
            check_finished(run)
            bad_pulls += run.counts[:, 0]
        return bad_pulls

    def curves(self, bad_pulls, t, *, against: Literal[1] = 1):
        """Return the regret and the Nash regret at the ends of the games.

        `bad_pulls` are those of each checkpoint's games. The regret is measured `against` 1, which
        is the best arm's mean.
        """
        regret, nash = np.empty(len(t)), np.empty(len(t))
        for k, bad in enumerate(bad_pulls):
            log_bad = LOG_PER_ROUND * len(bad)
            regret[k] = bad[-1] / self.trials * -math.expm1(log_bad)
            nash[k] = nash_regret(np.diff(bad, prepend=0), self.trials, log_bad)
        return {"regret": regret, "nash_regret": nash}

"""Policies for adversaries' games (`policies.games`) on stochastic arms.

Every pull of every round is drawn in advance into a table of gains, of which the player sees one
gain per round. The regret is that of every policy on arms, in means, and not the one against the
best fixed arm of the table. Gains are 0 or 1, as in the tables of the games: a reward in between is
rounded at random, so that its mean stays.
"""

import numpy as np

from dpbandits.bandits.game import ARM, Game, new_game_run
from dpbandits.kernels import kernel
from dpbandits.policy import ArmsPolicy, GamePolicy


class TablePolicy(ArmsPolicy):
    """A policy for games that takes arms for a table of gains."""

    needs = ("on_table",)

    def on_table(self, horizon: int) -> GamePolicy:
        """Return the policy that plays the table."""
        raise NotImplementedError

    def play(self, run):
        """Draw a table from the arms, play it, and play the same arms."""
        table = Game(table_of_gains(run.rng, run.arms, run.end))
        game = new_game_run(table, run.releases)
        self.on_table(run.end).play(game)
        repeat(run, game.diary[ARM])


@kernel
def table_of_gains(rng, arms, horizon):
    """The T x K table, row by row."""
    K = arms.means.size
    gains = np.empty((horizon, K), np.uint8)
    for t in range(horizon):
        for a in range(K):
            reward = arms.reward(rng, a)
            is_whole = reward == 0.0 or reward == 1.0
            gains[t, a] = int(reward) if is_whole else int(rng.random() < reward)
    return gains


@kernel
def repeat(run, actions):
    """Play these arms, whose rewards are in the table."""
    for a in actions:
        run.spend(a, 1)

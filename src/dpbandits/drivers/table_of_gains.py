"""Policies for adversaries' games (`policies.games`) on stochastic arms.

Every pull of every round is drawn in advance into a table of gains, of which the player sees one
gain per round. The regret is that of every policy on arms, in means, and not the one against the
best fixed arm of the table. Gains are 0 or 1, as in the tables of the games: a reward in between is
rounded at random, so that its mean stays.
"""

import numpy as np

from dpbandits.bandits.arms import note, pull
from dpbandits.bandits.game import ARM, Game, blank_journal
from dpbandits.kernels import kernel
from dpbandits.policy import ArmsPolicy, GamePolicy


class TablePolicy(ArmsPolicy):
    """A policy for games that takes arms for a table of gains."""

    def on_table(self, horizon: int) -> GamePolicy:
        """Return the policy that plays the table."""
        raise NotImplementedError

    def play(self, rng, arms, horizon, journal):
        """Draw a table from the arms, play it, and note the arms that were played."""
        game = Game(table_of_gains(rng, arms, horizon))
        of_game = blank_journal(game, np.array([horizon]))
        self.on_table(horizon).play(rng, game, horizon, of_game)
        note_rounds(journal, of_game.diary[ARM], np.zeros(len(arms.means), np.int64))


@kernel
def table_of_gains(rng, arms, horizon):
    """The T x K table, row by row."""
    K = arms.means.size
    gains = np.empty((horizon, K), np.uint8)
    for t in range(horizon):
        for a in range(K):
            reward = pull(rng, arms, a)
            is_whole = reward == 0.0 or reward == 1.0
            gains[t, a] = int(reward) if is_whole else int(rng.random() < reward)
    return gains


@kernel
def note_rounds(journal, played, pulls):
    """Note a game's rounds, given the arm of each."""
    for t in range(played.size):
        pulls[played[t]] += 1
        note(journal, t + 1, pulls)

"""EXP3, the non-private baseline of tossou2017.

Auer, Cesa-Bianchi, Freund & Schapire (2003), Figure 1. Its own randomness gives weak privacy: a
changed gain multiplies the probability of an arm in any later round by at most e (proved in
docs/readings/tossou2017.md; tossou2017, Theorem 3.3, has e^2).
"""

import math

from dpbandits.drivers.exp3_weights import add_gain, choose, fresh_weights
from dpbandits.kernels import step
from dpbandits.policy import GamePolicy
from dpbandits.privacy.games import AuditGames
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.theory.exp3_constants import gamma_of


class EXP3(GamePolicy):
    """Exponential weights on estimated gains, mixed with uniform play."""

    def play(self, run):
        exp3(run, fresh_weights(run.K), gamma_of(run.horizon, run.K))

    def privacy(self, horizon, number_of_arms):
        """Promised: Theorem 3.3 at delta = 0. Spent: a gain loses at most 1 in every round.

        No loss exceeds ln((K (1 - gamma) + gamma)/gamma): the range of probabilities.
        """
        K, gamma = number_of_arms, gamma_of(horizon, number_of_arms)
        largest = math.log((K * (1 - gamma) + gamma) / gamma)
        ledger = Ledger().book_loss(1, 1, min(largest, 1.0), times=horizon)
        return Account(horizon * min(largest, 2.0), 0.0, ledger, neighbours="one gain")

    def audit_games(self):
        """The default games. With a gain of 1e6 a weight would overflow."""
        return AuditGames(legal_rewards_only=True)


@step
def exp3(run, weights, gamma):
    """a, p: the arm that is played, and with which probability; g: its gain."""
    for _ in range(run.horizon):
        a, p = choose(run.releases, weights, gamma)
        g, _ = run.play(a)
        add_gain(weights, gamma, a, g / p)

"""Anytime GDP-NCB and LDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 7.

    W = 1
    repeat: with probability 1/W^2 play W random rounds, else a new game of W rounds; W = 2W

A game is one of their Algorithms 4 or 5. The expected number of random epochs is 4/3; the first
epoch always is one. The horizon may end the last epoch early. The epochs share no users, so the run
is as private as its worst epoch.
"""

from dataclasses import replace
from functools import cached_property
from typing import Literal

from dpbandits.drivers.nash_phases import play_at_random
from dpbandits.parameters import Positive
from dpbandits.policies.arms.gdp_ncb import GDPNCB
from dpbandits.policies.arms.ldp_ncb import LDPNCB
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import Ledger


class AnytimeNCB(ArmsPolicy):
    """Games of doubling length, between random epochs."""

    epsilon: Positive
    game: Literal["gdp_ncb", "ldp_ncb"]

    @cached_property
    def policy(self):
        """The policy of each game; an audit plays thousands."""
        return (GDPNCB if self.game == "gdp_ncb" else LDPNCB)(epsilon=self.epsilon)

    def play(self, run):
        for start, W in epochs(run.horizon):
            if run.rng.random() * W**2 < 1:
                play_at_random(run, min(W, run.end - start))
            else:
                run.play_game(self.policy, W)

    def reports(self, horizon, number_of_arms):
        """Users report as in the longest epoch."""
        return self.policy.reports(epochs(horizon)[-1][1], number_of_arms)

    def privacy(self, horizon, number_of_arms):
        """The ledgers of all epochs, one after another: no user is in two epochs."""
        accounts = [self.policy.privacy(W, number_of_arms) for _, W in epochs(horizon)]
        if any(account.ledger is None for account in accounts):
            return replace(accounts[0], ledger=None)
        return replace(accounts[0], ledger=Ledger.joined(each.ledger for each in accounts))

    def audit_games(self):
        """Games of five epochs, each of which drops its last release; rewards as for GDP-NCB."""
        five_epochs = Setting(2, 31, ("zeros", "tie"), (18, 22), observed_rounds=4)
        return AuditGames((five_epochs,), legal_rewards_only=True, drops_releases=True)


def epochs(horizon: int) -> list[tuple[int, int]]:
    """(rounds before it, W) of every epoch that begins before the horizon."""
    return [((1 << k) - 1, 1 << k) for k in range(horizon.bit_length())]

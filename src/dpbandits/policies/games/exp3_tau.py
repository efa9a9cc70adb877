"""EXP3_tau: tossou2017, section 3.3.

After Dekel, Tewari & Arora (2012), "Online bandit learning against an adaptive adversary": EXP3
over batches of tau rounds, with one arm per batch and one update with the batch's mean gain. A gain
then has weight 1/tau, and the arm changes at most every tau rounds.
"""

from dpbandits.drivers.exp3_weights import add_gain, choose, fresh_weights
from dpbandits.errors import InputError
from dpbandits.kernels import step
from dpbandits.parameters import Natural
from dpbandits.policies.games.exp3 import EXP3
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.theory.exp3_constants import (
    batch_length,
    corollary_epsilon,
    gamma_of,
    theorem_epsilon,
)


class EXP3Tau(EXP3):
    """EXP3 on batches; the default of tau is that of Corollary 3.2."""

    tau: Natural | None = None

    def play(self, run):
        tau = batch_length(run.horizon, run.K, self.tau)
        # T/tau, not its integer part: only this choice gives the constant 7 of Theorem 3.4.
        exp3_tau(run, fresh_weights(run.K), gamma_of(run.horizon / tau, run.K), tau)

    def check(self, horizon, number_of_arms):
        """Raise InputError if no batch would be complete."""
        if self.tau is not None and self.tau > horizon:
            says = f"tau: {self.tau} should be at most the horizon {horizon}"
            raise InputError(f"{says}: no batch would be complete")

    def privacy(self, horizon, number_of_arms):
        """Promised: Corollary 3.2, or Theorem 3.5 for a given tau, at delta = T^-2.

        Spent: a gain of the first batch loses at most 1/tau in every later one
        (docs/readings/tossou2017.md).
        """
        delta, length = horizon**-2.0, batch_length(horizon, number_of_arms, self.tau)
        ledger = Ledger().book_loss(1, 1, 1 / length, times=horizon // length)
        promised = (
            corollary_epsilon(horizon, number_of_arms)
            if self.tau is None
            else theorem_epsilon(horizon, self.tau, delta)
        )
        return Account(promised, delta, ledger, neighbours="one gain")


@step
def exp3_tau(run, weights, gamma, tau):
    """An incomplete last batch is played, but the weights are not updated."""
    while not run.finished():
        a, p = choose(run.releases, weights, gamma)
        total, rounds = run.play(a, tau)
        if rounds == tau:
            add_gain(weights, gamma, a, total / tau / p)

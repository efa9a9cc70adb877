"""EXP3_tau: tossou2017, section 3.3, after Dekel, Tewari & Arora (2012), "Online bandit learning against an adaptive
adversary".

EXP3 over batches of tau rounds: one arm per batch, one update with the batch's mean gain. A gain then has weight 1/tau,
and the arm changes at most every tau rounds.
"""

import numpy as np

from dpbandits.algorithms.games._tuning import (
    AUTO,
    Rounding,
    batch_length,
    corollary_epsilon,
    gamma_of,
    theorem_epsilon,
)
from dpbandits.algorithms.games._weights import choose, fresh_weights, learn, rebuild
from dpbandits.environments.games import receive
from dpbandits.errors import InputError
from dpbandits.kernels.compiled import kernel
from dpbandits.parameters import Whole
from dpbandits.privacy.concentrated import ConcentratedLedger
from dpbandits.privacy.ledger import Account

nanoseconds = {"round": 4}  # one arm drawn per batch


def play(rng, game, horizon, journal, *, tau: Whole = AUTO, tau_rounding: Rounding = "ceil"):
    """Play one run; the default of tau is that of Corollary 3.2."""
    number_of_arms = game.gains.shape[1]
    tau = batch_length(horizon, number_of_arms, tau, tau_rounding)
    # T/tau, not its integer part: only this choice gives the constant 7 of Theorem 3.4.
    exp3_tau(rng, *game, horizon, journal.diary, gamma_of(horizon / tau, number_of_arms), tau)


def privacy(horizon, number_of_arms, *, tau=AUTO, tau_rounding="ceil") -> Account:
    """Corollary 3.2, or Theorem 3.5 for a given tau, at delta = T^-2. The first batch loses 2/tau in every batch."""
    delta = horizon**-2.0
    length = batch_length(horizon, number_of_arms, tau, tau_rounding)
    ledger = ConcentratedLedger(horizon // length)
    ledger.spend(1, np.arange(1, horizon // length + 1), loss=2 / length)
    promised = corollary_epsilon(horizon, number_of_arms) if tau == AUTO else theorem_epsilon(horizon, tau, delta)
    return Account(promised, delta, ledger, neighbours="one gain", releases="actions")


def check(horizon, number_of_arms, *, tau=AUTO, tau_rounding="ceil") -> None:
    """Raise InputError if no batch would be complete."""
    if tau > horizon:
        raise InputError(f"tau: {tau} should be at most the horizon {horizon}: no batch would be complete")


@kernel
def exp3_tau(rng, gains, penalty, horizon, diary, gamma, tau):
    """An incomplete last batch is played, but the weights are not updated."""
    G, w, norm = fresh_weights(gains.shape[1])
    t = 0
    while t < horizon:
        a, p = choose(rng, w, norm, gamma)
        end, total = min(t + tau, horizon), 0.0
        complete = t + tau <= horizon
        while t < end:
            t += 1
            total += receive(gains, penalty, diary, t, a)
        if complete and learn(G, w, norm, gamma, a, total / tau / p):
            rebuild(G, w, norm, gamma)

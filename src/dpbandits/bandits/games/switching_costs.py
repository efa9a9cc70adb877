"""The adversary that makes changing arms costly: tossou2017, section 4, panel (e).

The gains are 1 minus the randomised losses of Dekel, Ding, Koren & Peres, "Bandits with switching
costs: T^{2/3} regret" (2014), Figure 1: a Gaussian walk over many scales, the same for all arms,
with one hidden arm that is slightly better. The penalty depends on the player: a round whose arm
differs from that of the round before gives nothing.
"""

import math
from typing import Literal

import numpy as np

from dpbandits.bandits.game import Adversary
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.random import Stream


class SwitchingCosts(Adversary):
    """Gains follow a random walk, and a change of arms costs the gain of a round.

    Parameters
    ----------
    number_of_arms : int
        At least 2.
    switch_penalty : {"gain_zero", "none"}, default "gain_zero"
        What a round gives after a change of arms: nothing, or its gain.
    penalty_observed : bool, default True
        Whether the player observes the gain after the penalty, or before.

    Examples
    --------
    >>> from dpbandits.random import stream
    >>> SwitchingCosts(4).gains(stream(1), 1024).shape
    (1024, 4)
    """

    switch_penalty: Literal["gain_zero", "none"] = "gain_zero"
    penalty_observed: bool = True

    @property
    def penalty(self) -> tuple[float, bool]:
        """`share` and `observed` of the games."""
        return (0.0 if self.switch_penalty == "gain_zero" else 1.0), self.penalty_observed

    def check(self, horizon: int) -> None:
        """Raise InputError unless the horizon is a power of two, as are the scales of the walk."""
        near = 2 ** round(math.log2(horizon))
        if horizon != near:
            says = f"horizon {horizon} should be a power of two for switching costs"
            raise InputError(f"{says}; write {near}")

    def gains(self, rng: Stream, horizon: int) -> np.ndarray:
        """Draw the table of a run."""
        epsilon, sigma = constants(horizon, self.number_of_arms)
        best = rng.integers(0, self.number_of_arms)
        steps = sigma * rng.numpy().standard_normal(horizon)
        return gains_of(walk(steps), self.number_of_arms, best, epsilon)


def constants(horizon: int, number_of_arms: int) -> tuple[float, float]:
    """Return the hidden arm's advantage eps and the walk's step sigma."""
    sigma = 1 / (9 * math.log2(horizon))
    return number_of_arms ** (1 / 3) * horizon ** (-1 / 3) * sigma, sigma


@kernel
def walk(xi):
    """Return W_1..W_T of the walk W_t = W_{t - 2^d} + xi_t from W_0 = 0.

    2^d is the largest power of two that divides t.
    """
    W = np.zeros(xi.size + 1)
    for t in range(1, xi.size + 1):
        W[t] = W[t - (t & -t)] + xi[t - 1]
    return W[1:]


@kernel
def gains_of(W, number_of_arms, best, epsilon):
    """Return 1 - loss, with loss_t(x) = W_t + 1/2 - eps [x = best] clipped to [0, 1]."""
    gains = np.empty((W.size, number_of_arms))
    for t in range(W.size):
        for x in range(number_of_arms):
            loss = W[t] + 0.5 - (epsilon if x == best else 0.0)
            gains[t, x] = 1 - min(max(loss, 0.0), 1.0)
    return gains

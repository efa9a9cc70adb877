"""The adversary that makes changing arms costly: tossou2017, section 4, panel (e).

The gains are 1 minus the randomised losses of Dekel, Ding, Koren & Peres, "Bandits with switching costs: T^{2/3}
regret" (2014), Figure 1: a Gaussian walk over many scales, the same for all arms, with one hidden arm that is slightly
better. The penalty depends on the player: a round whose arm differs from that of the round before gives nothing.
"""

import math
from typing import Literal

import numpy as np

from dpbandits.bandits.game import Adversary, NumberOfArms
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.random import Stream


def switching_costs(
    *,
    number_of_arms: NumberOfArms,
    switch_penalty: Literal["gain_zero", "none"] = "gain_zero",
    penalty_observed: bool = True,
) -> Adversary:
    """`penalty_observed`: whether the player observes the gain after the penalty, or before."""
    share = {"gain_zero": 0.0, "none": 1.0}[
        switch_penalty
    ]  # of the gain, which remains after a change of arms

    def draw(rng: Stream, horizon: int) -> np.ndarray:
        epsilon, sigma = constants(horizon, number_of_arms)
        best = rng.integers(0, number_of_arms)
        return gains_of(
            walk(sigma * rng.numpy().standard_normal(horizon)), number_of_arms, best, epsilon
        )

    return SwitchingCosts(number_of_arms, draw, share, penalty_observed)


class SwitchingCosts(Adversary):
    """The adversary, whose games are as long as a power of two."""

    def check(self, horizon: int) -> None:
        """Raise InputError unless the horizon is a power of two, as are the scales of the walk."""
        near = 2 ** round(math.log2(horizon))
        if horizon != near:
            raise InputError(
                f"horizon {horizon} should be a power of two for switching costs; write {near}"
            )


def constants(horizon: int, number_of_arms: int) -> tuple[float, float]:
    """The hidden arm's advantage eps and the walk's step sigma."""
    sigma = 1 / (9 * math.log2(horizon))
    return number_of_arms ** (1 / 3) * horizon ** (-1 / 3) * sigma, sigma


@kernel
def walk(xi):
    """W_0 = 0, W_t = W_{t - 2^d} + xi_t with 2^d the largest power of two that divides t; W_1..W_T."""
    W = np.zeros(xi.size + 1)
    for t in range(1, xi.size + 1):
        W[t] = W[t - (t & -t)] + xi[t - 1]
    return W[1:]


@kernel
def gains_of(W, number_of_arms, best, epsilon):
    """1 - loss, with loss_t(x) = W_t + 1/2 - eps [x = best] clipped to [0, 1]."""
    gains = np.empty((W.size, number_of_arms))
    for t in range(W.size):
        for x in range(number_of_arms):
            loss = W[t] + 0.5 - (epsilon if x == best else 0.0)
            gains[t, x] = 1 - min(max(loss, 0.0), 1.0)
    return gains

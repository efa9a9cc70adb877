"""The environment that all kinds of stochastic arms share."""

from typing import Any, Literal

import numpy as np

from dpbandits.bandits import Environment
from dpbandits.bandits.journal import (
    Journal,
    blank_journal,
    counts_of,
    doublings,
    weighted,
)
from dpbandits.bandits.rewards import Arms
from dpbandits.errors import InputError
from dpbandits.random import Stream


class Stochastic(Environment):
    """Every run plays the same arms; `shuffled`: in another order in each, since policies prefer the arm of the lowest index in a
    tie. The order is drawn from the run's stream for the environment: it is the same for all policies.
    """

    def __init__(self, arms: Arms, shuffled: bool):
        self.arms, self.shuffled = arms, shuffled
        self.gaps = arms.means.max() - arms.means
        self.number_of_arms = len(arms.means)
        if self.number_of_arms < 2:
            raise InputError(
                f"means: {self.arms.means.tolist()} is a single arm; give at least two"
            )

    def check(self, horizon: int) -> None:
        """Raise InputError unless each arm can be pulled once: policies divide by its pulls."""
        if horizon < self.number_of_arms:
            raise InputError(
                f"horizon {horizon} is too short: each of {self.number_of_arms} arms is pulled once first; "
                f"write at least {self.number_of_arms}"
            )

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Any, Journal]:
        """Draw the order of the arms, if they are shuffled."""
        arms = (
            self.once_for_run(rng, horizon, lambda: self.in_order_of(rng))
            if self.shuffled
            else self.arms
        )
        return arms, blank_journal(self.number_of_arms, t)

    def in_order_of(self, rng: Stream) -> Arms:
        """The arms in an order drawn at random."""
        order = rng.numpy().permutation(self.number_of_arms)
        table = self.arms.table[order] if len(self.arms.table) else self.arms.table
        return self.arms._replace(means=self.arms.means[order], table=table)

    def curves(
        self, arms, journal, t, *, leaving_out: Literal["one_round_per_doubling"] | None = None
    ):
        """The pseudo-regret; `leaving_out` one round each time that an arm's pulls double, that is, of each episode of azize2022."""
        counts = counts_of(journal)
        if leaving_out:
            counts = counts - doublings(counts)
        return {"regret": weighted(counts, arms.means.max() - arms.means)}

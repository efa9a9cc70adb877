"""The base class of stochastic arms. A bandit of your own is a subclass."""

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from dpbandits.bandit import Bandit
from dpbandits.bandits.counts import doublings, weighted
from dpbandits.bandits.rewards import Arms, ReorderedArms
from dpbandits.bandits.run import Run, new_run
from dpbandits.compiled import compiled_from
from dpbandits.errors import InputError
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream


class ArmsBandit(Bandit):
    """Base class of stochastic arms. A subclass defines `constants` and `reward`.

    Parameters
    ----------
    shuffled : bool, default False
        Whether the order of the arms is drawn anew in every run, since policies prefer the arm of
        the lowest index in a tie. It is the same for all policies.

    Raises
    ------
    InputError
        If there is a single arm, or the class lacks a method.

    Examples
    --------
    >>> from dpbandits.parameters import Mean
    >>> class HalfOrNothing(ArmsBandit):
    ...     best: Mean
    ...     def constants(self):
    ...         return {"means": [self.best / 2, 0.1]}
    ...     def reward(self, rng, a):
    ...         return 0.5 if rng.random() < 2 * self.means[a] else 0.0
    >>> bandit = HalfOrNothing(0.8)
    >>> bandit.gaps
    array([0. , 0.3])
    """

    family = "arms"
    shuffled: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        means = self.arms.means
        if len(means) < 2:
            raise InputError(f"means: {means.tolist()} is a single arm; give at least two")
        object.__setattr__(self, "number_of_arms", len(means))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the arms: no other process could load their class, made at run time."""
        return {key: value for key, value in vars(self).items() if key != "arms"}

    def constants(self) -> Mapping[str, Any]:
        """Return the `means` of all arms, and further arrays that `reward` needs.

        The regret is computed from the means, so they are those of the rewards as they are paid.
        """
        return {}

    def reward(self, rng, a):
        """Draw one reward of arm a, in [0, 1].

        The method is compiled. In it, `self` has the parameters that are numbers, and the
        constants.
        """
        raise NotImplementedError

    def rewards(self, rng, a, m):
        """Draw the sum of m rewards of arm a, by default one by one. The method is compiled."""
        total = 0.0
        for _ in range(m):
            total += self.reward(rng, a)
        return total

    @cached_property
    def arms(self) -> Any:
        """The arms of a run: a named tuple with `means`, `reward` and `rewards`."""
        name = type(self).__name__
        if type(self).reward is ArmsBandit.reward:
            remedy = "write def reward(self, rng, a), which draws one reward of arm a"
            raise InputError(f"{self.file()}: {name} has no rewards; {remedy}")
        constants = {
            key: np.array(value) if isinstance(value, list | tuple) else value
            for key, value in self.constants().items()
        }
        if "means" not in constants:
            remedy = 'let it return {"means": [...]}, and other arrays that reward needs'
            raise InputError(f"{self.file()}: {name}.constants has no 'means'; {remedy}")
        constants["means"] = constants["means"].astype(np.float64)
        return compiled_from(self, Bandit, constants)

    @cached_property
    def gaps(self) -> np.ndarray:
        """The gap mu* - mu_a of every arm."""
        return self.arms.means.max() - self.arms.means

    def check(self, horizon: int) -> None:
        """Raise InputError unless each arm can be pulled once: policies divide by its pulls."""
        if horizon < (K := self.number_of_arms):
            says = f"each of {K} arms is pulled once first"
            raise InputError(f"horizon {horizon} is too short: {says}; write at least {K}")

    def draw_game(self, rng: Stream, horizon: int) -> Any:
        """Return the arms of a run, in an order drawn from `rng` if they are shuffled."""
        if not self.shuffled:
            return self.arms
        order = rng.numpy().permutation(self.number_of_arms)
        if isinstance(self.arms, Arms):
            return self.arms.reordered(order)
        return ReorderedArms(self.arms.means[order], self.arms, order)

    def begin(self, game: Any, rng: Stream, horizon: int, t: np.ndarray) -> Run:
        """Return a run on the drawn arms."""
        return new_run(game, Releases(rng), horizon, t)

    def curves(self, run, t, *, leaving_out: Literal["one_round_per_doubling"] | None = None):
        """Return the pseudo-regret at the checkpoints.

        `leaving_out` one round each time that an arm's pulls double is how azize2022 counts: it
        leaves out one round of each episode.
        """
        counts, means = run.counts, run.arms.means
        if leaving_out:
            counts = counts - doublings(counts)
        return {"regret": weighted(counts, means.max() - means)}

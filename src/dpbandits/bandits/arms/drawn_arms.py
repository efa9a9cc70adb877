"""Many arms whose means are drawn at random, once: sarkar2025, panels (b) to (f).

The labels are numpy's legacy RandomState(draw).uniform(lowest, highest, number_of_arms), whose
numbers are frozen across versions. With `laws: bernoulli` a label is a mean. With `laws: by_label`,
panel (f), arms of different labels have different distributions, those of the five-armed experiment
of Ren, Zhou, Liu & Shroff (2020):

    label >= 0.75            Bernoulli(label)
    0.5 <= label < 0.75      Beta(4, 1), mean 0.8
    0.25 <= label < 0.5      0.4 or 1, each with probability 1/2, mean 0.7
    label < 0.25             uniform on [0, 1], mean 0.5
"""

from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from dpbandits.bandits.nash_regret import bins, nash_curves
from dpbandits.bandits.rewards import Arms, various_arms
from dpbandits.bandits.run import Run
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.errors import InputError
from dpbandits.parameters import Mean, Words
from dpbandits.random import Stream

Label = Annotated[
    float, Gt(0), Le(1), Words("a mean in (0, 1]: the Nash regret takes its logarithm")
]
Draw = Annotated[int, Ge(0), Lt(2**32), Words("an integer from 0 to 2^32 - 1")]
NumberOfArms = Annotated[int, Ge(2), Le(256), Words("a number of arms from 2 to 256")]
# lowest, width, chance, roots (`Arms`), mean; by the quarter in which a label is.
UNIFORM = 0.0, 1.0, -1.0, 0, 0.5
TWO_POINT = 0.4, 0.6, 0.5, 0, 0.7
BETA = 0.0, 1.0, -1.0, 2, 0.8


class DrawnArms(ArmsBandit):
    """Arms with random means, the same in every run; runs record what the Nash regret needs.

    Parameters
    ----------
    number_of_arms : int
        From 2 to 256, so that a recorded arm is one byte.
    lowest, highest : float
        The labels are uniform between these.
    draw : int
        The seed of the labels.
    laws : {"bernoulli", "by_label"}, default "bernoulli"
        The distributions of the rewards.
    shuffled : bool, default False
        Whether the arms are in another order in every run. Such runs do not record what the Nash
        regret needs.

    Examples
    --------
    >>> DrawnArms(3, lowest=0.1, highest=0.9, draw=42).labels.round(3)
    array([0.4  , 0.861, 0.686])
    """

    number_of_arms: NumberOfArms
    lowest: Label
    highest: Label
    draw: Draw
    laws: Literal["bernoulli", "by_label"] = "bernoulli"

    @cached_property
    def labels(self) -> np.ndarray:
        """The label of each arm."""
        if not self.lowest < self.highest:
            raise InputError(f"lowest: {self.lowest} should be below highest, {self.highest}")
        rng = np.random.RandomState(self.draw)
        return rng.uniform(self.lowest, self.highest, self.number_of_arms)

    @cached_property
    def arms(self) -> Arms:
        """The arms as policies get them."""
        return Arms(self.labels) if self.laws == "bernoulli" else arms_by_label(self.labels)

    def begin(self, game: Any, rng: Stream, horizon: int, t: np.ndarray) -> Run:
        """Return a run that is recorded at the end of every bin of `nash_regret`, too."""
        return super().begin(game, rng, horizon, t if self.shuffled else bins(t))

    def curves(
        self,
        run,
        t,
        *,
        against: Mean | None = None,
        scored_by: Literal["label", "mean"] = "mean",
    ):
        """Return the regret, and what the Nash regret is computed from.

        The regret is measured against the mean `against` in place of the best arm's. A played arm
        counts with its label or its mean.
        """
        if self.shuffled:
            if against is not None or scored_by != "mean":
                raise InputError("regret: shuffled arms have no such key; remove it or 'shuffled'")
            return super().curves(run, t)
        scores = self.labels if scored_by == "label" else run.arms.means
        return nash_curves(run.counts, run.checkpoints, scores, t, against)


def arms_by_label(labels: np.ndarray) -> Arms:
    """Make the arms of panel (f)."""
    rows = []
    for label in labels.tolist():
        quarter = int(np.searchsorted([0.25, 0.5, 0.75], label, side="right"))
        rows.append([UNIFORM, TWO_POINT, BETA, (0.0, 1.0, label, 0, label)][quarter])
    return various_arms(np.array([row[4] for row in rows]), [row[:4] for row in rows])

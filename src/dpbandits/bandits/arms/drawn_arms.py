"""Many arms whose means are themselves drawn at random, once: sarkar2025, section on experiments, panels (b) to (f).

The labels are numpy's legacy RandomState(draw).uniform(lowest, highest, number_of_arms), whose numbers are frozen
across versions. With `laws: bernoulli` a label is a mean. With `laws: by_label`, panel (f), arms of different labels have
different distributions, those of the five-armed experiment of Ren, Zhou, Liu & Shroff (2020):

    label >= 0.75            Bernoulli(label)
    0.5 <= label < 0.75      Beta(4, 1), mean 0.8
    0.25 <= label < 0.5      0.4 or 1, each with probability 1/2, mean 0.7
    label < 0.25             uniform on [0, 1], mean 0.5

`scored_by` of a regret: whether a played arm counts with its label or its mean.
"""

from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le, doc

from dpbandits.bandits.journal import Journal, blank_journal, counts_of
from dpbandits.bandits.nash_recording import bins, nash_curves
from dpbandits.bandits.rewards import Arms, various_arms
from dpbandits.bandits.stochastic import Stochastic
from dpbandits.errors import InputError
from dpbandits.parameters import Mean
from dpbandits.random import Stream

Label = Annotated[float, Gt(0), Le(1), doc("a mean in (0, 1]: the Nash regret takes its logarithm")]
NumberOfArms = Annotated[int, Ge(2), Le(256), doc("a number of arms from 2 to 256")]
Draw = Annotated[int, Ge(0), doc("the seed of the draw, a whole number from 0 on")]
# lowest, width, chance, roots (`Arms`), mean; by the quarter in which a label is.
UNIFORM, TWO_POINT, BETA = (
    (0.0, 1.0, -1.0, 0, 0.5),
    (0.4, 0.6, 0.5, 0, 0.7),
    (0.0, 1.0, -1.0, 2, 0.8),
)


class DrawnArms(Stochastic):
    """The environment: every run plays the same arms, and records what the Nash regret needs."""

    def __init__(self, arms: Arms, labels: np.ndarray):
        super().__init__(arms, shuffled=False)
        self.labels = labels

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Any, Journal]:
        """Nothing is drawn. There is a checkpoint at the end of every bin of the Nash recording."""
        return self.arms, blank_journal(self.number_of_arms, bins(t))

    def curves(
        self,
        arms,
        journal,
        t,
        *,
        against: Mean | None = None,
        scored_by: Literal["label", "mean"] = "mean",
    ):
        """The regret, measured against this mean in place of the best arm's, and what the Nash regret is computed from."""
        scores = self.labels if scored_by == "label" else self.arms.means
        return nash_curves(counts_of(journal), journal.checkpoints, scores, t, against)


def drawn_arms(
    *,
    number_of_arms: NumberOfArms,
    lowest: Label,
    highest: Label,
    draw: Draw,
    laws: Literal["bernoulli", "by_label"] = "bernoulli",
    shuffled: bool = False,
) -> Stochastic:
    """The environment `{kind: drawn_arms, number_of_arms: 50, lowest: 0.005, highest: 1, draw: 42}` of a paper file. `shuffled`: in
    a random order in every run, without a Nash recording."""
    if not lowest < highest:
        raise InputError(f"lowest: {lowest} should be below highest, {highest}")
    labels = np.random.RandomState(draw).uniform(lowest, highest, number_of_arms)
    arms = Arms(labels) if laws == "bernoulli" else arms_by_label(labels)
    return Stochastic(arms, shuffled=True) if shuffled else DrawnArms(arms, labels)


def arms_by_label(labels: np.ndarray) -> Arms:
    """The arms of panel (f)."""
    rows = []
    for label in labels.tolist():
        quarter = int(np.searchsorted([0.25, 0.5, 0.75], label, side="right"))
        rows.append([UNIFORM, TWO_POINT, BETA, (0.0, 1.0, label, 0, label)][quarter])
    return various_arms(np.array([row[4] for row in rows]), [row[:4] for row in rows])

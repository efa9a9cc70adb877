"""Many arms whose means are themselves drawn at random, once: sarkar2025, section on experiments, panels (b) to (f).

The labels are numpy's legacy RandomState(draw).uniform(lowest, highest, number_of_arms), whose numbers are frozen
across versions. Every run and every policy plays the same arms. With `laws: bernoulli` a label is a mean. With `laws:
by_label`, panel (f), arms of different labels have different laws, most of which have a mean different from the label:

    label >= 0.75            Bernoulli(label)
    0.5 <= label < 0.75      Beta(4, 1), mean 0.8
    0.25 <= label < 0.5      0.4 or 1, each with probability 1/2, mean 0.7
    label < 0.25             uniform on [0, 1], mean 0.5

`scored_by`: whether a played arm counts in the regret with its label or its mean.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le, doc

from dpbandits.environments import Environment
from dpbandits.environments.arms import Arms, MixedArms, _laws
from dpbandits.environments.arms._journal import Journal
from dpbandits.environments.arms._nash_recording import blank_nash_journal, nash_curves
from dpbandits.errors import InputError
from dpbandits.parameters import Mean

Label = Annotated[float, Gt(0), Le(1), doc("a mean in (0, 1]: the Nash regret takes its logarithm")]
NumberOfArms = Annotated[int, Ge(2), Le(256), doc("a number of arms from 2 to 256")]
Draw = Annotated[int, Ge(0), doc("the seed of the draw, a whole number from 0 on")]


class DrawnArms(Environment):
    """The environment: every run plays the same arms."""

    def __init__(self, labels: np.ndarray, laws: np.ndarray, scored_by: str):
        self.labels = labels
        self.means = np.array([_laws.MEANS.get(law, label) for law, label in zip(laws.tolist(), labels, strict=True)])
        self.scores = labels if scored_by == "label" else self.means
        self.gaps = self.scores.max() - self.scores
        self.number_of_arms = len(labels)
        self.arms = MixedArms(self.means, laws) if laws.any() else Arms(labels)

    def begin(self, rng: np.random.Generator, horizon: int, t: np.ndarray) -> tuple[Arms | MixedArms, Journal]:
        """Nothing is drawn in advance."""
        return self.arms, blank_nash_journal(self.gaps, t)

    def count_regret(self, journal: Journal, *, against: Mean | None = None) -> Journal:
        """Measure the regret against this mean in place of the best arm's, after the game (`curves`)."""
        return journal

    def curves(self, journal: Journal, t: np.ndarray, regret: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """What the Nash regret is computed from."""
        return nash_curves(journal, self.scores, t, **regret)

    def nanoseconds(self, horizon: int, checkpoints: list[int]) -> float:
        """The time of the Nash recording, whose first rounds are recorded one by one."""
        return 15_000_000


def drawn_arms(
    *,
    number_of_arms: NumberOfArms,
    lowest: Label,
    highest: Label,
    draw: Draw,
    laws: Literal["bernoulli", "by_label"] = "bernoulli",
    scored_by: Literal["label", "mean"] = "mean",
) -> DrawnArms:
    """The environment `{kind: drawn_arms, number_of_arms: 50, lowest: 0.005, highest: 1, draw: 42}` of a paper file."""
    if not lowest < highest:
        raise InputError(f"lowest: {lowest} should be below highest, {highest}")
    labels = np.random.RandomState(draw).uniform(lowest, highest, number_of_arms)
    of_labels = np.full(number_of_arms, _laws.BERNOULLI)
    if laws == "by_label":
        by_label = np.array([_laws.UNIFORM, _laws.TWO_POINT, _laws.BETA, _laws.BERNOULLI])
        of_labels = by_label[np.searchsorted([0.25, 0.5, 0.75], labels, side="right")]
    return DrawnArms(labels, of_labels, scored_by)

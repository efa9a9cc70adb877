"""Bernoulli arms whose means are drawn once (`drawn_arms`), in a random order in every run (`shuffled_bernoulli`)."""

from dpbandits.environments.arms.drawn_arms import Draw, Label, NumberOfArms, drawn_arms
from dpbandits.environments.arms.shuffled_bernoulli import ShuffledBernoulli


def shuffled_drawn_arms(
    *, number_of_arms: NumberOfArms, lowest: Label, highest: Label, draw: Draw
) -> ShuffledBernoulli:
    """The environment `{kind: shuffled_drawn_arms, number_of_arms: 50, lowest: 0.005, highest: 1, draw: 42}`."""
    return ShuffledBernoulli(drawn_arms(number_of_arms=number_of_arms, lowest=lowest, highest=highest, draw=draw).means)

"""Play games without compilation and print the noise that they draw.

A line is (distribution, scale, rewards paid before).

The games, (algorithm, parameters, number of arms, horizon), are read from the standard input. The
first arm always pays 1, and the others never. Of a policy that draws a number in every round, those
of the first arm are printed.
"""

import json
import sys

import numpy as np

from dpbandits import random

drawn, paid = [], []


def recorded(law, draw):
    """A distribution that records its draws; a random bit by its largest log-likelihood ratio."""

    def draw_and_record(rng, scale):
        before, number = len(drawn), draw(rng, scale)  # which may have drawn others
        drawn[before:] = [
            [
                law,
                float(abs(np.log(scale / (1 - scale))) if law == "any" else scale),
                int(paid[0][0]),
            ]
        ]
        return number

    return draw_and_record


LAWS = {
    "laplace": "Laplace",
    "gaussian": "Gaussian",
    "discrete_laplace": "discrete Laplace",
    "noisy_bit": "any",
}
for name, law in LAWS.items():  # before the policies, which import these functions
    setattr(random, name, recorded(law, getattr(random, name)))

from dpbandits import bandits, policies, studies  # noqa: E402
from dpbandits.bandits.journal import blank_journal  # noqa: E402
from dpbandits.bandits.rewards import fixed_arms  # noqa: E402

OTHERS = {
    "games": {"kind": "deterministic", "number_of_arms": 2, "constant": 0.4, "divisor": 3},
    "logs": studies.load("config/papers/mishra2015.yaml").experiments["fig2"].environment,
}


def play(algorithm, parameters, number_of_arms, horizon):
    """Play one game."""
    module, family = policies.find(algorithm), policies.family_of(algorithm)
    rng, paid[:], t = random.stream(1, "noise"), [[0]], np.arange(1, horizon + 1)
    drawn.clear()
    if family == "arms":
        arms, journal = (
            fixed_arms(np.eye(1, number_of_arms).repeat(horizon, axis=0)),
            blank_journal(number_of_arms, t),
        )
        paid[0] = arms.user
        module.play(rng, arms, horizon, journal, **parameters)
        if len(drawn) == horizon:
            of_first = np.diff(journal.counts[:, 0], prepend=0)
            drawn[:] = [number for number, first in zip(drawn, of_first, strict=True) if first]
    else:
        bandit, journal = bandits.make(OTHERS[family]).begin(random.stream(1, "game"), horizon, t)
        module.play(rng, bandit, horizon, journal, **parameters)
    return [
        number for number in drawn if number[2] != horizon
    ]  # nobody acts on what is released after the last round


print(json.dumps([play(*game) for game in json.load(sys.stdin)]))

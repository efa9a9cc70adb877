"""Play games without compilation and print the noise that they draw.

A line is (distribution, scale, rewards paid before).

The games, (policy, parameters, number of arms, horizon), are read from the standard input. The
first arm always pays 1, and the others never. Of a policy that draws a number in every round, those
of the first arm are printed.
"""

import json
import sys

import numpy as np

from dpbandits import bandits, random, studies
from dpbandits.bandits.journal import blank_journal
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.policies import POLICIES

drawn, paid = [], []


def recorded(law, release):
    """A method that records its scale; that of a bit is its largest log-likelihood ratio."""

    def release_and_record(rng, *arguments):
        scale = arguments[0 if release.__name__ == "release_noise" else -1]
        loss = float(abs(np.log(scale / (1 - scale))) if law == "any" else scale)
        drawn.append([law, loss, int(paid[0][0])])
        return release(rng, *arguments)

    return release_and_record


LAWS = {
    "release": "Laplace",
    "release_noise": "Laplace",
    "release_gaussian": "Gaussian",
    "release_discrete": "discrete Laplace",
    "release_skellam": "Skellam",
    "release_bit": "any",
}
for name, law in LAWS.items():
    setattr(random.Stream, name, recorded(law, getattr(random.Stream, name)))

OTHERS = {
    "games": {"kind": "deterministic", "number_of_arms": 2, "constant": 0.4, "divisor": 3},
    "logs": studies.load("config/papers/mishra2015.yaml").experiments["fig2"].environment,
}


def play(name, parameters, number_of_arms, horizon):
    """Play one game."""
    policy, t = POLICIES.make(name, parameters), np.arange(1, horizon + 1)
    rng, paid[:] = random.stream(1, "noise"), [[0]]
    drawn.clear()
    if policy.family == "arms":
        arms = fixed_arms(np.eye(1, number_of_arms).repeat(horizon, axis=0))
        journal = blank_journal(number_of_arms, t)
        paid[0] = arms.user
        policy.play(rng, arms, horizon, journal)
        if len(drawn) == horizon:
            of_first = np.diff(journal.counts[:, 0], prepend=0)
            drawn[:] = [number for number, first in zip(drawn, of_first, strict=True) if first]
    else:
        game, journal = bandits.make(OTHERS[policy.family]).begin(
            random.stream(1, "game"), horizon, t
        )
        policy.play(rng, game, horizon, journal)
    # Nobody acts on what is released after the last round.
    return [number for number in drawn if number[2] != horizon]


print(json.dumps([play(*game) for game in json.load(sys.stdin)]))

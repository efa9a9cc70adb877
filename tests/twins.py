"""What tests of many modules assert beside the plain twin, and of refusals.

`twins`: a module of tests/plain. A twin takes the same actions from the same generator, and has the same law from
another.
"""

import numpy as np
import pytest
from playing import final_regret, played
from scipy import stats

from dpbandits import algorithms, parameters
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.environments.games._game import ARM
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.environments.games.switching_costs import switching_costs
from dpbandits.errors import InputError
from dpbandits.kernels import sampling
from dpbandits.kernels.streams import stream

TWO, THREE = [0.9, 0.6], [0.8, 0.5, 0.3]
C2 = [0.75, 0.625, 0.5, 0.375, 0.25]
TEN = [0.1, 0.15, 0.05, 0.12, 0.2, 0.55, 0.3, 0.25, 0.4, 0.02]
FIFTY = drawn_arms(number_of_arms=50, lowest=0.005, highest=1.0, draw=42).labels.tolist()


class GeneratorOfTwin(np.random.Generator):
    """NumPy's generator, whose Laplace numbers are those of kernels."""

    def laplace(self, location=0.0, scale=1.0):
        return location + sampling.laplace(self, scale)


def for_twin(rng):
    """The same generator for a plain twin, which calls `rng.laplace`."""
    return GeneratorOfTwin(rng.bit_generator)


def twin_of(twins, name, rng, means, horizon, **given):
    """The actions of the plain twin."""
    return list(getattr(twins, name)(for_twin(rng), means, horizon, **given))


def same_law(twins, ours, theirs, name, horizon, given, given_to_twin, level=1e-3):
    """The final regret, 2000 runs of ours and 400 of the twin from independent generators: Kolmogorov-Smirnov.

    `ours` and `theirs` are the names of the two streams.
    """
    gaps = np.array(THREE[0]) - np.array(THREE)
    found = [final_regret(name, stream(*ours, name, run), THREE, horizon, **given) for run in range(2000)]
    twin = [
        gaps[twin_of(twins, name, stream(*theirs, name, run), THREE, horizon, **given_to_twin)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(found, 6), np.round(twin, 6)).pvalue > level


PENALIZED = [("none", True), ("gain_zero", True), ("gain_zero", False), ("minus_one", False)]


def same_actions_in_games(twins, name, penalty, observed, **given):
    """Against an adversary: the actions, and what the journal records of them."""
    T = 2048
    for run, environment in enumerate(
        [stochastic(number_of_arms=3, best=0.9, others=0.3), switching_costs(number_of_arms=2)]
    ):
        gains = environment.draw(stream(1, "game", run), T)
        journal = played(name, stream(1, name, run), gains, penalty, observed, **given)
        player = twins.Player(gains.tolist(), penalty, observed)
        ignored = getattr(twins, name)(for_twin(stream(1, name, run)), player, **given)
        assert journal.diary[ARM].tolist() == player.actions
        results = journal.results()
        assert np.allclose(results["gain"], np.cumsum(player.received), rtol=1e-12, atol=1e-9)
        assert np.allclose(results["comparator"], np.cumsum(gains, axis=0, dtype=float).max(axis=1), rtol=1e-12)
        assert np.array_equal(results["regret"], results["comparator"] - results["gain"])
        assert results["ignored"][-1] == ignored


def same_law_in_games(twins, name, **given):
    """The final regret on one table of gains: independent generators, many runs, Kolmogorov-Smirnov."""
    gains = stochastic(number_of_arms=3, best=0.8, others=0.3).draw(stream(2, "game"), 300)
    ours = [played(name, stream(2, "ours", run), gains, **given).results()["regret"][-1] for run in range(2000)]
    theirs = []
    for run in range(400):
        player = twins.Player(gains.tolist())
        getattr(twins, name)(stream(2, "twin", run), player, **given)
        theirs.append(gains.sum(axis=0).max() - sum(player.received))
    assert stats.ks_2samp(np.round(ours, 6), np.round(theirs, 6)).pvalue > 1e-3


def refused(name, given, part):
    """These parameters are refused, in one line that says why."""
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)

"""dp_exp3_lap: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import tossou2017
from playing import played
from scipy import stats

from dpbandits.environments.games._game import ARM, IGNORED
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.environments.games.switching_costs import switching_costs
from dpbandits.randomness import stream


def test_dp_exp3_lap_with_a_huge_epsilon_has_no_noise():
    """b = 0: the released gain is the gain, up to rounding, and what is ignored is what the rounding put outside [0, 1]."""
    gains = np.full((50, 3), 0.5)
    journal = played("dp_exp3_lap", stream(0), gains, epsilon=1e12)
    assert journal.diary[IGNORED].sum() == 0
    assert journal.results()["gain"].tolist() == [0.5 * t for t in range(1, 51)]


PENALIZED = [("none", True), ("gain_zero", True), ("gain_zero", False), ("minus_one", False)]


@pytest.mark.parametrize(("penalty", "observed"), PENALIZED)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("dp_exp3_lap", {"epsilon": 243.292}),
        ("dp_exp3_lap", {"epsilon": 1.0}),
        ("dp_exp3_lap", {"epsilon": 0.1}),
    ],
    ids=str,
)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, penalty, observed):
    T = 2048
    for run, environment in enumerate(
        [stochastic(number_of_arms=3, best=0.9, others=0.3), switching_costs(number_of_arms=2)]
    ):
        gains = environment.draw(stream(1, "game", run), T)
        journal = played(name, stream(1, name, run), gains, penalty, observed, **parameters)
        player = tossou2017.Player(gains.tolist(), penalty, observed)
        ignored = getattr(tossou2017, name)(stream(1, name, run), player, **parameters)
        assert journal.diary[ARM].tolist() == player.actions
        results = journal.results()
        assert np.allclose(results["gain"], np.cumsum(player.received), rtol=1e-12, atol=1e-9)
        assert np.allclose(results["comparator"], np.cumsum(gains, axis=0, dtype=float).max(axis=1), rtol=1e-12)
        assert np.array_equal(results["regret"], results["comparator"] - results["gain"])
        assert results["ignored"][-1] == ignored


@pytest.mark.parametrize(("name", "parameters"), [("dp_exp3_lap", {"epsilon": 1.0})], ids=str)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    """Independent generators this time, many runs, Kolmogorov-Smirnov."""
    gains = stochastic(number_of_arms=3, best=0.8, others=0.3).draw(stream(2, "game"), 300)
    ours = [played(name, stream(2, "ours", run), gains, **parameters).results()["regret"][-1] for run in range(2000)]
    twins = []
    for run in range(400):
        player = tossou2017.Player(gains.tolist())
        getattr(tossou2017, name)(stream(2, "twin", run), player, **parameters)
        twins.append(gains.sum(axis=0).max() - sum(player.received))
    assert stats.ks_2samp(np.round(ours, 6), np.round(twins, 6)).pvalue > 1e-3


@pytest.mark.parametrize("epsilon", [0.5, 5.0])
def test_ignored_rounds(epsilon):
    """With gains of 0 and 1 and b = ln T/epsilon the expected number over T rounds is (1 + e^-epsilon)/2."""
    T, runs = 500, 4000
    gains = stochastic(number_of_arms=2, best=0.7, others=0.4).draw(stream(4), T)
    ignored = [
        played("dp_exp3_lap", stream(4, run), gains, epsilon=epsilon).results()["ignored"] for run in range(runs)
    ]
    finals = np.array([curve[-1] for curve in ignored])
    expected = (1 + math.exp(-epsilon)) / 2
    assert finals.mean() == pytest.approx(expected, abs=4 * math.sqrt(expected / runs))
    assert all(np.diff(curve).min() >= 0 for curve in ignored)

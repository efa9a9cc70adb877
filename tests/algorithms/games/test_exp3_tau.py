"""exp3_tau: by hand, beside its plain twin, and what it promises and spends."""

import numpy as np
import pytest
from plain import tossou2017
from playing import played
from scipy import stats

from dpbandits import algorithms
from dpbandits.environments.games._game import ARM
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.environments.games.switching_costs import switching_costs
from dpbandits.errors import InputError
from dpbandits.randomness import stream


def test_exp3_tau_by_hand():
    """Seven rounds, tau = 3: the arm can change before rounds 4 and 7 only, and the last batch is one round long."""
    journals = [played("exp3_tau", stream(0, run), np.eye(7, 4) * 0, tau=3).diary[ARM].tolist() for run in range(40)]
    for arms in journals:
        assert arms[0] == arms[1] == arms[2]
        assert arms[3] == arms[4] == arms[5]
    assert len({arms[6] for arms in journals}) == len({arms[0] for arms in journals}) == 4


PENALIZED = [("none", True), ("gain_zero", True), ("gain_zero", False), ("minus_one", False)]


@pytest.mark.parametrize(("penalty", "observed"), PENALIZED)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("exp3_tau", {"tau": 1}),
        ("exp3_tau", {"tau": 7}),
        ("exp3_tau", {"tau": 2048}),
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


@pytest.mark.parametrize(("name", "parameters"), [("exp3_tau", {"tau": 7})], ids=str)
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


def test_a_batch_longer_than_the_game_is_refused():
    algorithms.find("exp3_tau").check(100, 4, tau=100)
    with pytest.raises(InputError, match="tau: 101 should be at most the horizon 100"):
        algorithms.find("exp3_tau").check(100, 4, tau=101)

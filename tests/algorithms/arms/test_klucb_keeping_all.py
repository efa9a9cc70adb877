"""klucb_keeping_all: by hand, beside its plain twin, and what it promises and spends."""

import pytest
from plain import azize2022
from playing import actions

from dpbandits import algorithms
from dpbandits.errors import InputError
from dpbandits.randomness import stream

THREE, TWO = [0.8, 0.5, 0.3], [0.6, 0.5]


C2 = [0.75, 0.625, 0.5, 0.375, 0.25]


@pytest.mark.parametrize(("name", "given"), [("klucb_keeping_all", {"epsilon": 2.0, "alpha": 2.0})], ids=str)
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    horizon = 3000 if name == "kl_ucb" else 60_000
    for run in range(4):
        ours = actions(name, stream(9, name, run), means, horizon, **given)
        assert ours == getattr(azize2022, name)(stream(9, name, run), means, horizon, **given)


@pytest.mark.parametrize(("name", "given"), [("klucb_keeping_all", {"epsilon": 2.0, "alpha": 2.0})], ids=str)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(9, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(azize2022, name)(stream(9, "short", name, run), THREE, 60, **given))


@pytest.mark.parametrize("name", ["klucb_keeping_all"])
def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused(name):
    with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
        algorithms.find(name).check(4, 5, epsilon=1.0, alpha=3.1)
    algorithms.find(name).check(5, 5, epsilon=1.0, alpha=3.1)


HORIZONS = [2, 3, 7, 8, 1000, 1024, 100_003]


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("name", ["klucb_keeping_all"])
def test_p1_to_p3_every_reward_is_in_one_release(name, horizon):
    """The first reward (P2) and the rewards of the truncated episode (P3) too; each pays epsilon."""
    given = {"epsilon": 0.3} | ({} if name == "elimination" else {"alpha": 3.1})
    account = algorithms.find(name).privacy(horizon, 5, **given)
    assert account.ledger.touched().tolist() == [1] * horizon
    assert account.spent == pytest.approx(0.3, rel=1e-9)
    assert account.kept

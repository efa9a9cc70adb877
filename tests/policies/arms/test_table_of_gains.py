"""Policies for games on stochastic arms: what they play, and the epsilon they promise."""

import math

import numpy as np
import pytest
from playing import actions, for_twin, played

from dpbandits.bandits import make
from dpbandits.bandits.game import ARM
from dpbandits.bandits.rewards import Arms
from dpbandits.drivers.table_of_gains import table_of_gains
from dpbandits.errors import InputError
from dpbandits.policies import EXP3TauOnArms
from dpbandits.random import stream

MEANS, T = [0.9, 0.5, 0.2], 400


def test_the_table_has_the_uniform_numbers_of_the_stream_row_by_row():
    gains = table_of_gains(stream(1), Arms(np.array(MEANS)), T)
    assert gains.tolist() == (for_twin(stream(1)).random((T, 3)) < MEANS).astype(int).tolist()


def test_rewards_between_0_and_1_are_rounded_at_random():
    arms = make({"kind": "uniform_rewards", "means": [0.75, 0.5, 0.25], "width": 0.4}).arms
    gains, rng = table_of_gains(stream(5), arms, T), for_twin(stream(5))
    rewards, at_random = (
        rng.random((T, 3, 2)) * [0.4, 1] + [[[0.55, 0], [0.3, 0], [0.05, 0]]]
    ).transpose(2, 0, 1)
    assert gains.tolist() == (at_random < rewards).astype(int).tolist()


@pytest.mark.parametrize(
    ("name", "parameters", "on_game"),
    [
        ("exp3", {}, {}),
        ("dp_exp3_lap", {"epsilon": 2.0}, {"epsilon": 2.0}),
        ("exp3_tau", {"epsilon": 30.0}, {"tau": 6}),
    ],
)
def test_they_play_as_on_a_table_of_a_game(name, parameters, on_game):
    """The table takes the first T K numbers of the stream, and the policy the next ones."""
    rng = stream(2, name)
    gains = table_of_gains(rng, Arms(np.array(MEANS)), T)
    wanted = played(name, rng, gains, **on_game).diary[ARM].tolist()
    assert actions(f"{name}_on_arms", stream(2, name), MEANS, T, **parameters) == wanted
    assert len(set(wanted)) == 3


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 30.0])
def test_a_batch_is_the_shortest_that_the_theorem_allows(epsilon):
    """Theorem 3.5: epsilon = 4 x + sqrt(8 ln(1/delta) x) with x = T/tau^3."""

    def promised(tau):
        x = 200_000 / tau**3
        return 4 * x + math.sqrt(8 * math.log(1e8) * x)

    policy = EXP3TauOnArms(epsilon=epsilon)
    tau = policy.tau(200_000)
    assert promised(tau) <= epsilon < promised(tau - 1)
    account = policy.privacy(200_000, 5)
    assert account.kept()
    assert (account.epsilon, account.delta) == (epsilon, 1e-8)


def test_an_epsilon_without_one_whole_batch_is_refused():
    message = r"epsilon 0.001 needs batches of \d+ rounds, and the horizon is 100"
    with pytest.raises(InputError, match=message):
        EXP3TauOnArms(epsilon=0.001).check(100, 2)

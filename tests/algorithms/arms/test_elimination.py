"""elimination: by hand, beside its plain twin, and what it promises and spends."""

import numpy as np
import pytest
from plain import azize2022
from playing import actions, final_regret
from scipy import stats

from dpbandits import algorithms, parameters
from dpbandits.algorithms.arms import elimination
from dpbandits.errors import InputError
from dpbandits.randomness import stream

THREE, TWO = [0.8, 0.5, 0.3], [0.6, 0.5]


C2 = [0.75, 0.625, 0.5, 0.375, 0.25]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("elimination", {"epsilon": 1.0}),
        ("elimination", {"epsilon": 0.1, "elimination": "skip_next"}),
        ("elimination", {"epsilon": 3.0, "beta": 0.1}),
    ],
    ids=str,
)
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    horizon = 3000 if name == "kl_ucb" else 60_000
    for run in range(4):
        ours = actions(name, stream(9, name, run), means, horizon, **given)
        assert ours == getattr(azize2022, name)(stream(9, name, run), means, horizon, **given)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("elimination", {"epsilon": 1.0}),
        ("elimination", {"epsilon": 0.1, "elimination": "skip_next"}),
        ("elimination", {"epsilon": 3.0, "beta": 0.1}),
    ],
    ids=str,
)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(9, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(azize2022, name)(stream(9, "short", name, run), THREE, 60, **given))


@pytest.mark.parametrize(("name", "given"), [("elimination", {"epsilon": 3.0, "beta": 0.1})], ids=str)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(name, given):
    """Binomial sums against single rewards: independent generators, Kolmogorov-Smirnov."""
    horizon = 4000
    gaps = np.array(THREE[0]) - np.array(THREE)
    ours = [final_regret(name, stream(10, name, run), THREE, horizon, **given) for run in range(2000)]
    twin = [
        gaps[getattr(azize2022, name)(stream(11, name, run), THREE, horizon, one_by_one=True, **given)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-3


@pytest.mark.parametrize(
    ("epsilon", "s", "e", "R", "limit"),
    [
        (1.0, 5, 1, 2536, 0.140057),
        (1.0, 5, 2, 10851, None),
        (1.0, 5, 3, 45065, None),
        (1.0, 4, 2, 10737, None),
        (0.1, 5, 1, 3059, 0.238766),
        (0.1, 5, 2, 10851, 0.100285),
        (0.1, 4, 2, 10737, 0.100269),
    ],
)
def test_epochs_of_the_specification(epsilon, s, e, R, limit):
    assert elimination.epoch_length(s, e, epsilon, 1e-7) == R
    if limit is not None:
        assert elimination.threshold(s, e, R, epsilon, 1e-7) == pytest.approx(limit, abs=6e-7)


def test_the_elimination_that_skips_the_next_arm():
    """Of (1, 2, 3, 4, 5) with 3, 4, 5 due: 3 goes, 4 slides into its place and escapes, 5 goes."""
    alive, dropped = np.array([1, 2, 3, 4, 5]), np.array([False, False, False, True, True, True])
    assert elimination.drop(alive, dropped).tolist() == [1, 2]
    assert elimination.drop_while_iterating(alive, dropped).tolist() == [1, 2, 4]
    assert elimination.drop_while_iterating(np.array([1, 2, 4]), dropped).tolist() == [1, 2]
    nobody = np.zeros(6, bool)
    assert (
        elimination.drop(alive, nobody).tolist()
        == elimination.drop_while_iterating(alive, nobody).tolist()
        == alive.tolist()
    )


def test_what_the_slip_costs_on_c2():
    """epsilon = 1, T = 1e6, beta = 1e-7: which arms survive which epoch is all but certain."""
    given = {"epsilon": 1.0, "beta": 1e-7}
    R = [[elimination.epoch_length(s, e, 1.0, 1e-7) for e in (1, 2, 3)] for s in range(6)]
    # all: epoch 1 drops gaps .25, .375, .5 (2h + 2c = .14), and .125 may stay; epoch 2 drops the rest.
    gaps = np.array([0, 0.125, 0.25, 0.375, 0.5])
    # skip_next: epoch 1 leaves arms 1, 2, 4; epoch 2 leaves 1, 4; epoch 3 leaves 1.
    slip = R[5][0] * gaps.sum() + R[3][1] * (gaps[1] + gaps[3]) + R[2][2] * gaps[3]
    finals = [
        final_regret("elimination", stream(14, r), C2, 10**6, elimination="skip_next", **given) for r in range(200)
    ]
    assert np.median(finals) == pytest.approx(slip)
    clean = [final_regret("elimination", stream(14, r), C2, 10**6, **given) for r in range(200)]
    ends = {R[5][0] * gaps.sum(), R[5][0] * gaps.sum() + R[2][1] * gaps[1]}
    assert all(any(end == pytest.approx(final) for end in ends) for final in clean)


@pytest.mark.parametrize(
    ("name", "given", "part"),
    [
        ("elimination", {"epsilon": 1, "beta": 1}, "beta: 1 should be a number in (0, 1)"),
        ("elimination", {"epsilon": 1, "beta": "1/T"}, "beta: '1/T' should be a number"),
        ("elimination", {"epsilon": 1, "elimination": "skip"}, "did you mean 'skip_next'"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["elimination"])
def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused(name):
    with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
        algorithms.find(name).check(4, 5, epsilon=1.0, alpha=3.1)
    algorithms.find(name).check(5, 5, epsilon=1.0, alpha=3.1)


HORIZONS = [2, 3, 7, 8, 1000, 1024, 100_003]


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("name", ["elimination"])
def test_p1_to_p3_every_reward_is_in_one_release(name, horizon):
    """The first reward (P2) and the rewards of the truncated episode (P3) too; each pays epsilon."""
    given = {"epsilon": 0.3} | ({} if name == "elimination" else {"alpha": 3.1})
    account = algorithms.find(name).privacy(horizon, 5, **given)
    assert account.ledger.touched().tolist() == [1] * horizon
    assert account.spent == pytest.approx(0.3, rel=1e-9)
    assert account.kept

"""The run of a policy on arms: it pays, counts and records, and pull counts give the regret."""

import numpy as np
import pytest

from dpbandits.bandits import Bernoulli
from dpbandits.bandits.counts import doublings, weighted
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.bandits.run import new_run
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream


def run_on(arms, checkpoints):
    t = np.asarray(checkpoints)
    return new_run(arms, Releases(stream(1)), int(t[-1]), t)


def ones(K, checkpoints):
    """A run in which every pull pays 1."""
    return run_on(Bernoulli([1.0] * K).arms, checkpoints)


@kernel
def play(run, a, m):
    return run.play(a, m)


@kernel
def spend(run, a, m):
    return run.spend(a, m)


@kernel
def spend_and_collect(run, a, m):
    rounds = run.spend(a, m)
    return run.collect(a), rounds


@kernel
def play_in_turn(run, order, m):
    return run.play_in_turn(order, m)


@kernel
def spend_in_turn(run, order, m):
    return run.spend_in_turn(order, m)


@kernel
def play_round_by_round(run, actions):
    for a in actions:
        run.play(a)


@pytest.fixture(params=["compiled", "plain"])
def called(request):
    """A function that calls a kernel, or what it was compiled from."""
    compiled = request.param == "compiled"
    return lambda f, *given: (f if compiled else getattr(f, "py_func", f))(*given)


# The regret.


def test_regret_by_hand():
    """Means 0.9, 0.5 and 0.8: after 10 rounds with 4, 3 and 3 pulls 3 x 0.4 + 3 x 0.1."""
    bandit, t = Bernoulli([0.9, 0.5, 0.8]), np.array([1, 10, 20])
    run = run_on(bandit.arms, t)
    run.play(1)
    run.play_in_turn([0, 1, 2], 2)
    run.play_in_turn([2, 0, 0])
    run.play(0, 10)
    assert run.counts.tolist() == [[0, 1, 0], [4, 3, 3], [14, 3, 3]]
    assert bandit.curves(run, t)["regret"] == pytest.approx([0.4, 1.5, 1.5])
    # Without one round per doubling: 3 pulls are two doublings, 14 are four; arm 0 costs nothing.
    left_out = bandit.curves(run, t, leaving_out="one_round_per_doubling")["regret"]
    assert left_out == pytest.approx([0.4, 0.5, 0.5])


def test_the_doublings_of_a_number_of_pulls():
    """An arm with 2^k pulls has had k episodes after its first pull: 2^k - k count."""
    found = doublings(np.array([0, 1, 2, 3, 4, 5, 8, 9, 1024, 1025, 2**40, 2**40 + 1]))
    assert found.tolist() == [0, 0, 1, 2, 2, 3, 3, 4, 10, 11, 40, 41]


def test_a_regret_is_added_arm_by_arm():
    """In the order of the arms, so that it is the same on every processor."""
    rng = np.random.default_rng(1)
    counts, gaps = rng.integers(0, 10**8, (40, 9)), rng.random(9)
    for row, found in zip(counts.tolist(), weighted(counts, gaps), strict=True):
        total = 0.0
        for n, gap in zip(row, gaps.tolist(), strict=True):
            total += gap * n
        assert found == total


# A policy cannot miscount.


def test_what_is_counted_is_what_is_paid_and_the_checkpoints_those_of_single_rounds(called):
    """Of one arm, and of several in turn; also where the run ends in the midst of them.

    A number of rounds may be a float, such as horizon / 4, or none. Memory beyond the last
    checkpoint may hold any number, the next round's among them.
    """
    rng, K, T = np.random.default_rng(1), 5, 60
    for _ in range(100):
        checkpoints = np.unique([*rng.integers(1, T, 20), *range(T, 80)])
        checkpoints = checkpoints[: np.searchsorted(checkpoints, T) + 1]
        run, actions, paid = ones(K, checkpoints), [], np.zeros(K)
        while len(actions) < T or rng.random() < 0.8:
            order, m = rng.permutation(K)[: rng.integers(1, K + 1)], int(rng.integers(0, 20))
            if len(order) > 1:
                totals, rounds = called(play_in_turn, run, order, m)
                paid[order] += totals
                asked = m * len(order)
            else:
                m = [m, -3, 2.5, np.inf][rng.choice(4, p=[0.7, 0.1, 0.1, 0.1])]
                way = (play, spend_and_collect)[rng.integers(2)]
                total, rounds = called(way, run, order[0], m)
                paid[order[0]] += total
                asked = max(m, 0)
            assert rounds == int(min(asked, T - len(actions)))
            actions += [order[i % len(order)] for i in range(rounds)]
            assert run.t == len(actions) <= run.end == T
            assert run.pulls.tolist() == paid.tolist() == np.bincount(actions, minlength=K).tolist()
        assert run.finished()
        single = ones(K, checkpoints)
        play_round_by_round(single, np.array(actions))
        assert np.array_equal(run.counts, single.counts)
        assert np.array_equal(single.counts[-1], run.pulls)
        assert run.clock[1] == len(checkpoints)


@pytest.mark.parametrize("a", [-1, 3])
@pytest.mark.parametrize("way", [play, spend, play_in_turn, spend_in_turn])
def test_an_arm_that_does_not_exist_is_an_error(way, a, called):
    """In Python, -1 would be the last arm; compiled code would write anywhere."""
    run = ones(3, [10])
    for m in (1, 4):
        with pytest.raises(IndexError, match="there is no arm of this number; arms are 0 to K - 1"):
            called(way, run, np.array([a, 0]) if "turn" in way.__name__ else a, m)
    assert run.pulls.tolist() == [0] * 3


def test_play_is_spend_and_collect():
    """The same rewards, user by user, also in a sum that is collected later."""
    rewards = np.random.default_rng(2).integers(0, 2, (40, 2)).astype(float)
    first, second = (run_on(fixed_arms(rewards), [12, 30]) for _ in range(2))
    for a, m in ((0, 1), (1, 5), (0, 7), (1, 1), (1, 40)):
        assert first.play(a, m) == spend_and_collect(second, a, m)
    runs = [run_on(Bernoulli([0.5, 0.5]).arms, [50]) for _ in range(2)]
    total, _ = runs[0].play(0, 30)
    assert [runs[1].spend(0, m) for m in (10, 1, 19)] == [10, 1, 19]
    assert (runs[1].collect(0), runs[1].collect(0)) == (total, 0.0)


class Stops(ArmsPolicy):
    """Stop in round 7."""

    def play(self, run):
        run.play(0, 7)


def test_a_run_that_ends_early_is_refused():
    """Its curve would end in numbers that nobody has written."""
    message = r"^play stops after round 7 of 10; play until run.finished\(\)$"
    with pytest.raises(InputError, match=message):
        Bernoulli([0.9, 0.5]).play_run(
            Stops(), Bernoulli([0.9, 0.5]).arms, stream(1), 10, np.array([1, 5, 10])
        )


# Games inside a run, and runs that begin again.


class InTurn(ArmsPolicy):
    """Play the arms in turn, and check what the game says."""

    def play(self, run):
        assert (run.t, run.horizon, run.pulls.tolist()) == (0, 8, [0, 0])
        while not run.finished():
            run.play_in_turn([1, 0])
        assert run.t == run.end == run.pulls.sum()


@pytest.mark.parametrize(("before", "rounds"), [(0, 8), (3, 8), (7, 5), (12, 0)])
def test_a_game_inside_a_run_is_a_part_of_it(before, rounds):
    """It ends after its horizon of 8 rounds, or with the run."""
    run, expected = ones(2, np.arange(1, 13)), ones(2, np.arange(1, 13))
    run.play(0, before)
    if rounds:
        run.play_game(InTurn(), 8)
    assert run.t == before + rounds
    run.play(1, 12)
    actions = ([0] * before + [1, 0] * 4)[: before + rounds]
    play_round_by_round(expected, np.array(actions + [1] * (12 - len(actions))))
    assert np.array_equal(run.counts, expected.counts)
    assert np.array_equal(run.pulls, expected.pulls)


def test_a_game_inside_a_run_records_its_last_round():
    run = ones(2, np.array([4, 8]))
    run.play_game(InTurn(), 8)
    assert run.counts.tolist() == [[2, 2], [4, 4]]


def test_a_run_begins_again_with_new_random_numbers():
    run = run_on(Bernoulli([0.5, 0.4]).arms, np.array([50, 100]))
    found = []
    for _ in range(2):
        run.restart()
        assert (run.t, run.pulls.tolist(), run.waiting.tolist()) == (0, [0, 0], [0, 0])
        found.append(run.play(0, 90)[0])
        run.spend(1, 20)  # and collect nothing
        assert run.counts.tolist() == [[50, 0], [90, 10]]
    assert found[0] != found[1]

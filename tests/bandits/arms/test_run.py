"""The run of a policy on arms: it pays, counts and records, and pull counts give the regret."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpbandits.bandits import Bernoulli
from dpbandits.bandits.counts import doublings, weighted
from dpbandits.bandits.run import new_run
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
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
def spend_and_collect(run, a, m):
    rounds = run.spend(a, m)
    return run.collect(a), rounds


@kernel
def play_in_turn(run, order, m):
    return run.play_in_turn(order, m)


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
    found = doublings(np.array([0, 1, 2, 4, 5, 2**40, 2**40 + 1]))
    assert found.tolist() == [0, 0, 1, 2, 3, 40, 41]


def test_a_regret_is_added_arm_by_arm():
    """In the order of the arms, so that it is the same on every processor."""
    rng = np.random.default_rng(1)
    counts, gaps = rng.integers(0, 10**8, (40, 9)), rng.random(9)
    assert np.array_equal(weighted(counts, gaps), np.cumsum(gaps * counts, axis=1)[:, -1])


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
            else:
                m = [m, -3, 2.5, np.inf][rng.choice(4, p=[0.7, 0.1, 0.1, 0.1])]
                way = (play, spend_and_collect)[rng.integers(2)]
                totals, rounds = called(way, run, order[0], m)
            paid[order] += totals
            assert rounds == int(min(max(m, 0) * len(order), T - len(actions)))
            actions += [order[i % len(order)] for i in range(rounds)]
            assert run.t == len(actions) <= run.end == T
            assert run.finished() == (run.t == T)
            assert run.pulls.tolist() == paid.tolist() == np.bincount(actions, minlength=K).tolist()
        single = ones(K, checkpoints)
        for a in actions:
            called(play, single, a, 1)
        assert np.array_equal(run.counts, single.counts)
        assert np.array_equal(single.counts[-1], run.pulls)
        assert run.clock[1] == len(checkpoints)


@pytest.mark.parametrize("a", [-1, 3])
def test_an_arm_that_does_not_exist_is_an_error(a, called):
    """In Python, -1 would be the last arm; compiled code would write anywhere."""
    run = ones(3, [10])
    for way, arms in ((play, a), (play_in_turn, np.array([0, a]))):
        for m in (1, 4):
            with pytest.raises(IndexError, match="there is no arm of this number; arms are 0 to K"):
                called(way, run, arms, m)
    with pytest.raises(IndexError, match="no arm is to be played; write at least one"):
        called(play_in_turn, run, np.array([], np.int64), 4)
    assert run.pulls.tolist() == [0] * 3


def test_rewards_are_collected_later_in_one_sum():
    first, second = (run_on(Bernoulli([0.5, 0.5]).arms, [50]) for _ in range(2))
    total, _ = first.play(0, 30)
    assert [second.spend(0, m) for m in (10, 1, 19)] == [10, 1, 19]
    assert (second.collect(0), second.collect(0)) == (total, 0.0)


def test_a_run_that_ends_early_is_refused():
    """Its curve would end in numbers that nobody has written."""
    bandit, t = Bernoulli([0.9, 0.5]), np.array([1, 5, 10])
    stops = SimpleNamespace(play=lambda run: run.play(0, 7))
    with pytest.raises(InputError, match=r"^play stops after round 7 of 10; play until run.fin"):
        bandit.play_run(stops, bandit.arms, stream(1), 10, t)


# Games inside a run, and runs that begin again.


@pytest.mark.parametrize(("before", "rounds"), [(0, 8), (3, 8), (7, 5)])
def test_a_game_inside_a_run_is_a_part_of_it(before, rounds):
    """It ends after its horizon of 8 rounds, or with the run, and records its last round."""

    def in_turn(run):
        assert (run.t, run.horizon, run.pulls.tolist()) == (0, 8, [0, 0])
        while not run.finished():
            run.play_in_turn([1, 0])
        assert run.t == run.end == run.pulls.sum() == rounds

    run, single = ones(2, np.arange(1, 13)), ones(2, np.arange(1, 13))
    for a in [0] * before + ([1, 0] * 4)[:rounds]:
        single.play(a)
    run.play(0, before)
    run.play_game(SimpleNamespace(play=in_turn), 8)
    assert run.t == single.t
    assert np.array_equal(run.pulls, single.pulls)
    assert np.array_equal(run.counts[: run.t], single.counts[: run.t])
    assert run.play(1, 12) == single.play(1, 12)
    assert np.array_equal(run.counts, single.counts)


def test_a_run_begins_again_with_new_random_numbers():
    run = run_on(Bernoulli([0.5, 0.4]).arms, np.array([50, 100]))
    found = []
    for _ in range(2):
        run.restart()
        found.append(run.play(0, 90)[0])
        run.spend(1, 20)  # and collect nothing
        assert run.counts.tolist() == [[50, 0], [90, 10]]
        assert run.waiting.tolist() == [0, 10]
    assert found[0] != found[1]

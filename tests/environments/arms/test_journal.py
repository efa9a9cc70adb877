"""The journal of a run: spans are noted as round by round."""

import numpy as np
import pytest

from dpbandits import algorithms
from dpbandits.environments.arms import note, note_round_robin, note_span
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms._nash_recording import blank_nash_journal
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.errors import InputError
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.streams import stream

TEN = [0.1, 0.15, 0.05, 0.12, 0.2, 0.55, 0.3, 0.25, 0.4, 0.02]


def test_every_regret_is_the_pull_counts_times_the_gaps():
    """The regret at the horizon does not depend on which other checkpoints there are."""
    arms, every = bernoulli(means=TEN).begin(None, 2000, np.arange(1, 2001))
    arms, last = bernoulli(means=TEN).begin(None, 2000, np.array([2000]))
    for journal in (every, last):
        algorithms.find("dp_ucb").play(stream(5), arms, 2000, journal, epsilon=1.0)
    assert every.regret[-1] == last.regret[0]
    assert np.all(np.diff(every.regret) >= -1e-9)


def test_a_run_that_ends_early_is_refused():
    """Its curve would end in zeros."""
    journal = blank_journal(np.array([0.0, 0.5]), np.array([1, 5, 10]))
    for t in range(1, 8):
        note(journal, t, np.array([t, 0]))
    with pytest.raises(InputError, match="the run recorded 2 of 3 checkpoints, and not round 10"):
        journal.results()


def test_what_is_played_beyond_the_horizon_is_not_recorded():
    """Memory beyond the last checkpoint may hold any number, the next round's among them."""
    memory = np.arange(1, 21)
    journal = blank_journal(np.array([0.0, 0.5]), memory[:10])
    hand_over(journal, np.column_stack([np.arange(1, 21), np.zeros(20, np.int64)]))
    assert journal.kept.tolist() == [10, 0]
    journal.results()


@kernel
def hand_over(journal, counts):
    for t in range(1, counts.shape[0] + 1):
        note(journal, t, counts[t - 1])


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("nash", [False, True])
@pytest.mark.parametrize(("first_wrong", "wrong"), [(5, [2, 0]), (1, [0.5, 0]), (10, [10, 1]), (5, [2.5, 2])])
def test_counts_that_do_not_add_up_to_the_rounds_are_refused(compiled, nash, first_wrong, wrong):
    """Counts of an episode, a pull that counts as a half, and one that counts twice: their regret is that of another game."""
    t = np.array([1, 5, 10])
    counts = np.zeros((10, 2), np.array(wrong).dtype)
    counts[:, 0] = np.arange(1, 11)
    counts[first_wrong - 1 :] = wrong
    journal = (blank_nash_journal if nash else blank_journal)(np.array([0.0, 0.5]), t)
    if compiled:
        hand_over(journal, counts)
    else:
        for row in range(10):
            note(journal, row + 1, counts[row])
    with pytest.raises(
        InputError, match=rf"^after round {first_wrong} the pull counts add up to {sum(wrong):g}: `note`"
    ):
        journal.results()


def test_a_span_is_noted_as_round_by_round():
    rng = np.random.default_rng(1)
    for _ in range(200):
        gaps, checkpoints = rng.random(4), np.unique(rng.integers(1, 60, 20))
        ours, theirs = blank_journal(gaps, checkpoints), blank_journal(gaps, checkpoints)
        pulls, each, t = np.zeros(4, np.int64), np.zeros(4, np.int64), 0
        while t < checkpoints[-1]:
            a, m = int(rng.integers(4)), int(rng.integers(1, 9))
            note_span(ours, t, m, pulls, a)
            pulls[a] += m
            for _ in range(m):
                t += 1
                each[a] += 1
                if theirs.kept[0] < checkpoints.size:
                    note(theirs, t, each)
        assert np.array_equal(ours.regret, theirs.regret)
        assert ours.kept[0] == checkpoints.size


def test_a_round_robin_is_noted_as_round_by_round():
    rng = np.random.default_rng(2)
    for _ in range(200):
        gaps, m = rng.random(5), int(rng.integers(1, 40))
        checkpoints = np.unique(np.append(rng.integers(1, m + 3, 10), m + 2))
        ours, theirs = blank_journal(gaps, checkpoints), blank_journal(gaps, checkpoints)
        pulls = rng.integers(0, 9, 5)
        order, each = rng.permutation(5)[: rng.integers(1, 6)], pulls.copy()
        note_round_robin(ours, 2, m, pulls, order)
        for t in range(1, m + 1):
            each[order[(t - 1) % order.size]] += 1
            note(theirs, t + 2, each)
        # the checkpoints 1 and 2 lie before the span: the round-by-round journal never gets beyond them
        if checkpoints[0] > 2:
            assert np.array_equal(ours.regret, theirs.regret)
        assert ours.kept[0] == checkpoints.size

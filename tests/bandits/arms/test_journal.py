"""The journal of a run: spans are noted as round by round, and pull counts give the regret."""

import numpy as np
import pytest

from dpbandits.bandits import Bernoulli
from dpbandits.bandits.arms import next_checkpoint, note, note_round_robin, note_span
from dpbandits.bandits.journal import blank_journal, counts_of, doublings, weighted
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.random import stream


def journal_of(counts, t):
    """A journal that has recorded these pull counts."""
    journal = blank_journal(len(counts[0]), np.asarray(t))
    journal.counts[:], journal.next[0] = counts, len(t)
    return journal


def test_regret_by_hand():
    """Means 0.9, 0.5 and 0.8: after 10 rounds with 4, 3 and 3 pulls 3 x 0.4 + 3 x 0.1."""
    environment = Bernoulli([0.9, 0.5, 0.8])
    arms, _ = environment.begin(stream(0), 20, np.array([1, 10, 20]))
    journal = journal_of([[0, 1, 0], [4, 3, 3], [14, 3, 3]], [1, 10, 20])
    assert environment.curves(arms, journal, journal.checkpoints)["regret"] == pytest.approx(
        [0.4, 1.5, 1.5]
    )
    # Without one round per doubling: 3 pulls are two doublings, 14 are four; arm 0 costs nothing.
    left_out = environment.curves(
        arms, journal, journal.checkpoints, leaving_out="one_round_per_doubling"
    )["regret"]
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


def test_a_run_that_ends_early_is_refused():
    """Its curve would end in numbers that nobody has written."""
    journal = blank_journal(2, np.array([1, 5, 10]))
    for t in range(1, 8):
        note(journal, t, np.array([t, 0]))
    with pytest.raises(InputError, match="the run recorded 2 of 3 checkpoints, and not round 10"):
        counts_of(journal)


@kernel
def hand_over(journal, counts):
    for t in range(1, counts.shape[0] + 1):
        note(journal, t, counts[t - 1])


def test_what_is_played_beyond_the_horizon_is_not_recorded():
    """Memory beyond the last checkpoint may hold any number, the next round's among them."""
    memory = np.arange(1, 21)
    journal = blank_journal(2, memory[:10])
    hand_over(journal, np.column_stack([np.arange(1, 21), np.zeros(20, np.int64)]))
    assert journal.next.tolist() == [10]
    assert next_checkpoint(journal) == 10
    assert counts_of(journal)[:, 0].tolist() == list(range(1, 11))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("first_wrong", "wrong"), [(5, [2, 0]), (1, [0, 0]), (10, [10, 1]), (5, [3, 3])]
)
def test_counts_that_do_not_add_up_to_the_rounds_are_refused(compiled, first_wrong, wrong):
    """Counts of an episode, and pulls that are not counted, or counted twice."""
    journal, counts = blank_journal(2, np.array([1, 5, 10])), np.zeros((10, 2), np.int64)
    counts[:, 0] = np.arange(1, 11)
    counts[first_wrong - 1 :] = wrong
    (hand_over if compiled else getattr(hand_over, "py_func", hand_over))(journal, counts)
    message = rf"^after round {first_wrong} the pull counts add up to {sum(wrong)}: `note`"
    with pytest.raises(InputError, match=message):
        counts_of(journal)


def test_counts_that_lack_an_arm_are_an_error():
    """Compiled code would read whatever is in memory."""
    journal = blank_journal(3, np.array([2]))
    with pytest.raises(IndexError, match="list index out of range"):
        getattr(note, "py_func", note)(journal, 2, [2, 0])


def test_spans_are_noted_as_round_by_round():
    """Of one arm, and of several in turn."""
    rng, K = np.random.default_rng(1), 5
    for _ in range(300):
        checkpoints = np.unique(rng.integers(1, 80, 20))
        ours, theirs = blank_journal(K, checkpoints), blank_journal(K, checkpoints)
        pulls, t = np.zeros(K, np.int64), 0
        while t < checkpoints[-1]:
            assert next_checkpoint(ours) == checkpoints[checkpoints > t][0]
            order, m = rng.permutation(K)[: rng.integers(1, K + 1)], int(rng.integers(1, 20))
            if len(order) == 1:
                note_span(ours, t, m, pulls, order[0])
            else:
                note_round_robin(ours, t, m, pulls, order)
            for i in range(m):
                pulls[order[i % len(order)]] += 1
                note(theirs, t + i + 1, pulls)
            t += m
        assert np.array_equal(counts_of(ours), counts_of(theirs))

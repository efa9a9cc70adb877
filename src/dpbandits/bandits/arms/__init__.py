"""Stochastic arms: every pull of arm a pays an independent number in [0, 1] with mean mu_a.

An algorithm of this family gets `arms` (`Arms`, or another named tuple with `means`) and a `journal`. Its kernels pull
arms and record rounds with these functions:

    pull(rng, arms, a)                          the reward of one pull of arm a
    pull_many(rng, arms, a, m)                  the sum of the rewards of m pulls of arm a, in the time of one
    note(journal, t, pulls)                     after round t: `pulls` are the pull counts of all arms
    next_checkpoint(journal)                    the next round to note; a loop that ends there calls `note` once
    note_span(journal, t, m, pulls, a)          rounds t+1..t+m all play arm a; `pulls` as after round t
    note_round_robin(journal, t, m, pulls, of)  rounds t+1..t+m play the arms of the array `of` in turn

The journal holds the pull counts at the checkpoints. What regret they mean, the environment computes after the run. An
algorithm may use `arms.means.size`, the number of arms, but not the means.
"""

from dpbandits.bandits.journal import next_checkpoint, note, note_round_robin, note_span
from dpbandits.bandits.rewards import Arms, pull, pull_many

__all__ = ["Arms", "next_checkpoint", "note", "note_round_robin", "note_span", "pull", "pull_many"]

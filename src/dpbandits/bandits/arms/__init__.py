"""Stochastic arms: every pull of arm a pays an independent number in [0, 1] with mean mu_a.

A policy of this family gets `arms` (`Arms`, or another named tuple with `means`) and a `journal`.
Its kernels pull arms and record rounds with these functions:

    pull(rng, arms, a)                             the reward of one pull of arm a
    pull_many(rng, arms, a, m)                     the sum of the rewards of m pulls of arm a
    note(journal, t, pulls)                        after round t: the pull counts of all arms
    next_checkpoint(journal)                       the next round to note
    note_span(journal, t, m, pulls, a)             rounds t+1..t+m all play arm a
    note_round_robin(journal, t, m, pulls, order)  rounds t+1..t+m play the arms of `order` in turn

The journal holds the pull counts at the checkpoints, from which the bandit computes the regret
after the run. A policy may use `arms.means.size`, the number of arms, but not the means.
"""

from dpbandits.bandits.journal import next_checkpoint, note, note_round_robin, note_span
from dpbandits.bandits.rewards import Arms, pull, pull_many

__all__ = ["Arms", "next_checkpoint", "note", "note_round_robin", "note_span", "pull", "pull_many"]

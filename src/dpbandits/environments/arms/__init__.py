"""Stochastic arms: every pull of arm a pays an independent number in [0, 1] with mean mu_a.

An algorithm of this family is given `arms` (`Arms`, or another named tuple with `means`), a `journal`, and these moves, which
are all that a kernel needs:

    pull(rng, arms, a)                          the reward of one pull of arm a
    pull_many(rng, arms, a, m)                  the sum of the rewards of m pulls of arm a, at the cost of one
    note(journal, t, pulls)                     after round t: `pulls` is how often each arm has been played
    next_checkpoint(journal)                    the next round to note; a loop up to it need not call `note`
    note_span(journal, t, m, pulls, a)          rounds t+1..t+m all play arm a; `pulls` as after round t
    note_round_robin(journal, t, m, pulls, of)  rounds t+1..t+m play the arms of the array `of` in turn

What the journal makes of it is the environment's affair: the pseudo-regret at the checkpoints (`_journal`), or what the Nash
regret needs as well (`_nash_recording`). An algorithm may look at `arms.means.size`, the number of arms, and at no mean.
"""

from dpbandits.environments.arms._journal import next_checkpoint, note, note_round_robin, note_span
from dpbandits.environments.arms._rewards import Arms, MixedArms, pull, pull_many

__all__ = ["Arms", "MixedArms", "next_checkpoint", "note", "note_round_robin", "note_span", "pull", "pull_many"]

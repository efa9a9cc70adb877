"""Playing the same arm while nobody can overtake it, where an arm that is not played has an index at rest.

NCB and LDP-NCB put ln T, not ln t, into their indices. So after an argmax the best of the other arms stays the best of
the other arms for as long as the leader plays, and only the leader's own index need be computed. The actions are those
of the argmax over all arms in every round, bit for bit.
"""

import numpy as np

from dpbandits.compiled import kernel
from dpbandits.environments.arms import note


@kernel
def first_and_second(index):
    """The argmax (ties: lowest number), the largest index of any other arm, and the lowest number that has that one."""
    a = 0
    for b in range(1, index.size):
        if index[b] > index[a]:
            a = b
    second = 1 if a == 0 else 0
    for b in range(index.size):
        if b != a and index[b] > index[second]:
            second = b
    return a, index[second], second


@kernel
def uniform_rounds(rng, arms, start, rounds, journal, pulls):
    """Rounds start+1..start+rounds: an arm at random, and nothing is learnt from it."""
    for t in range(start + 1, start + rounds + 1):
        pulls[uniform_arm(rng, pulls.size)] += 1
        note(journal, t, pulls)


@kernel
def uniform_arm(rng, number_of_arms):
    """One of the arms, each as likely as the others."""
    return np.int64(number_of_arms * rng.random())

"""private_ucb_tuned: what is special to it (the rest is in test_every_algorithm.py)."""

import numpy as np
from playing import regrets


def test_who_locks_in():
    """At eps0 = 1 the experiment to the letter loses the best arm in some runs; with 6 L/(eps0 n) in the index in none."""
    lost = {c: regrets("private_ucb_tuned", "lock", 300, 20_000, epsilon=5.0, relax_c=c) for c in (0.0, 6.0)}
    share = {c: np.mean(r[:, 1] - r[:, 0] >= 0.25 * 0.5 * 10_000) for c, r in lost.items()}
    assert 0.02 < share[0.0] < 0.3
    assert share[6.0] == 0

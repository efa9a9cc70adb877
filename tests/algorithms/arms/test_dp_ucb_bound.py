"""dp_ucb_bound: what is special to it (the rest is in test_every_algorithm.py)."""

from playing import actions

from dpbandits.kernels.streams import stream


def test_dp_ucb_bound_starves_an_arm_at_a_power_of_two():
    """At epsilon = 1 the error bound is all: round 3, both arms have n = 1; arm 0 wins the tie or by its reward."""
    # c_t/n is sqrt(8) ln(4 t^4)/n. At n = (2, 1) (t = 4) arm 1 has c, arm 0 c/2: arm 1. At n = (2, 2) (t = 5): by the
    # counts, some arm a goes to 3 and then has factor (ln 3 + 1)/3 = 0.6995 against 1/2: it is played again to 4, where
    # its factor is 1/4 against 1/2: the other arm follows to 3 and 4.
    chosen = actions("dp_ucb_bound", stream(0, "hand"), [1.0, 0.0], 8, epsilon=0.01)
    first = chosen[4]
    assert sorted(chosen[:4]) == [0, 0, 1, 1]
    assert chosen[4:] == [first, first, 1 - first, 1 - first]

"""Playing the same arm while nobody can overtake it: the exact short cut of the index policies.

An index policy plays argmax_a estimate_a + c(t) width_a + g(t) slack_a, with c and g non-decreasing in t and with
everything else of an idle arm at rest. Over a window of rounds a rival's index is largest at the window's end. So as
long as the leader's index, taken with c and g of the window's START, is strictly above every rival's taken with those
of its END, the leader is the argmax of each round between, and only its own index need be computed. The actions are
those of the round-by-round policy, bit for bit; a test holds them side by side.
"""

from dpbandits.compiled import kernel


@kernel
def window_end(t, horizon):
    """Last round of the window that starts with round t: short enough that c and g hardly grow in it."""
    return min(t + t // 64, horizon)


@kernel
def lead(estimate, width, slack, c_start, g_start, c_end, g_end):
    """The argmax at the window's start (ties: lowest index) and the best index of any other arm at its end."""
    a = 0
    best = estimate[0] + c_start * width[0] + g_start * slack[0]
    for b in range(1, estimate.size):
        index = estimate[b] + c_start * width[b] + g_start * slack[b]
        if index > best:
            a, best = b, index
    rival = -1e300
    for b in range(estimate.size):
        if b != a:
            rival = max(rival, estimate[b] + c_end * width[b] + g_end * slack[b])
    return a, rival

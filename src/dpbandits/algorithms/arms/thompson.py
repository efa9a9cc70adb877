"""Thompson sampling, the non-private baseline of Mishra & Thakurta (2015), section 2; Agrawal & Goyal (2012).

theta_a ~ Beta(r_a + 1, n_a - r_a + 1), play the arm with the largest; no initial pulls.
"""

from dpbandits.algorithms.arms._posterior import CANDIDATES, no_pulls, thompson_rounds
from dpbandits.kernels.compiled import kernel


def play(rng, arms, horizon, journal):
    """Play one run."""
    thompson(rng, arms, horizon, journal, CANDIDATES)


def nanoseconds(horizon, number_of_arms, **_):
    """One posterior draw for most arms in most rounds."""
    return 8 * number_of_arms * horizon


@kernel
def thompson(rng, arms, horizon, journal, max_share):
    """Thompson sampling without initial pulls and without noise."""
    thompson_rounds(rng, arms, horizon, journal, 0, no_pulls(arms.means.size), 0.0, max_share)

"""Thompson sampling, the non-private baseline of Mishra & Thakurta (2015), section 2.

Agrawal & Goyal (2012). How the largest theta_a is found without a draw for every arm is explained
in `drivers/posterior.py`.
"""

from dpbandits.drivers.posterior import PosteriorPolicy


class Thompson(PosteriorPolicy):
    """theta_a ~ Beta(r_a + 1, n_a - r_a + 1), play the largest; no initial pulls."""

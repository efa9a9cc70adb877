"""Private linear Thompson sampling: mishra2015, Algorithm 4 (its listing is lost; section 5 says that every aggregate
passes through a tree).

Linear Thompson sampling whose two sums are released by 27 trees, each eps0-private: 27 eps0 in total. The covariance
uses the released A, too; the true one would leak it.
"""

import numpy as np

from dpbandits.drivers.linear import play_log
from dpbandits.drivers.ridge import DIMENSION, account_of_sums
from dpbandits.parameters import Positive, passes_to
from dpbandits.policies.logs.lin_ts import PosteriorDraw

privacy = account_of_sums


@passes_to(play_log)
def play(rng, log, horizon, journal, *, eps0: Positive, v: Positive = 0.1, **given):
    play_log(rng, log, horizon, journal, PosteriorDraw(v, np.empty(DIMENSION)), eps0, **given)

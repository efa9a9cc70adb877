"""Private LinUCB: mishra2015, Algorithm 3 (its listing is lost; section 5 says that every aggregate passes through a
tree).

LinUCB whose two sums are released by 27 trees, each eps0-private: 27 eps0 in total. The bonus uses the released A, too; the
true one would leak it.
"""

from dpbandits.drivers.linear import play_log
from dpbandits.drivers.ridge import account_of_sums
from dpbandits.parameters import Positive, passes_to
from dpbandits.policies.logs.lin_ucb import Optimism

privacy = account_of_sums


@passes_to(play_log)
def play(rng, log, horizon, journal, *, eps0: Positive, alpha: Positive = 0.1, **given):
    play_log(rng, log, horizon, journal, Optimism(alpha), eps0, **given)

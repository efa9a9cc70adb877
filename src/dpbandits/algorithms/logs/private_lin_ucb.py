"""Private LinUCB: mishra2015, Algorithm 3 (its listing is lost; section 5 says that every aggregate passes through a
tree).

LinUCB whose two sums are released by 27 trees, each eps0-private: 27 eps0 in total. The bonus uses the released A, too; the
true one would leak it.
"""

from dpbandits.algorithms.logs._linear import Context, Delay, play_log
from dpbandits.algorithms.logs._private_sums import account_of_sums, private_rules, tree_leaves
from dpbandits.algorithms.logs.lin_ucb import Optimism
from dpbandits.parameters import Positive

privacy = account_of_sums


def play(
    rng,
    log,
    horizon,
    journal,
    *,
    eps0: Positive,
    alpha: Positive = 0.1,
    lam: Positive = 1.0,
    context: Context = "shared_product",
    delay: Delay = 0,
):
    """Play one run."""
    rules = private_rules(lam, eps0, tree_leaves(horizon, log.pool_size))
    play_log(rng, log, journal, Optimism(alpha), rules, context, delay)

"""Private LinUCB: mishra2015, Algorithm 3 (its listing is lost; section 5 says that every aggregate passes through a
tree).

LinUCB whose two sums are released by 27 trees, each eps0-private: 27 eps0 in total. The bonus uses the
released A~, too; the true one would leak it.
"""

from dpbandits.algorithms.logs._contextual import Context, Delay, DelayMode, DelayUnit, make_setting, tree_leaves
from dpbandits.algorithms.logs._linear import play_blocks
from dpbandits.algorithms.logs._private_sums import account_of_sums
from dpbandits.algorithms.logs._ridge import Repair, private_rules
from dpbandits.algorithms.logs.lin_ucb import Optimism
from dpbandits.parameters import Positive

nanoseconds = {"round": 15}  # a logged event, of which one in twenty is kept


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
    repair: Repair = "shift",
    delay: Delay = 0,
    delay_mode: DelayMode = "batch",
    delay_unit: DelayUnit = "kept",
):
    """Play one run."""
    T = tree_leaves(horizon, log.pool_size)
    setting = make_setting(context, delay, delay_mode, delay_unit)
    play_blocks(rng, log, journal, private_rules(lam, eps0, T, repair), setting, Optimism(alpha))


privacy = account_of_sums

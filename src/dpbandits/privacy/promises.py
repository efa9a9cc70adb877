"""Choose epsilon so that a policy spends what it promises."""

import math
from dataclasses import replace
from functools import cache

from dpbandits.errors import InputError
from dpbandits.policy import Policy

MAX_ATTEMPTS = 16
CLOSE = 0.01  # relative: a ledger this little below the promise counts as equal


@cache
def calibrate_epsilon(policy: Policy, horizon: int, number_of_arms: int) -> float:
    """Return the largest epsilon, of those tried, whose ledger is within the promise.

    A policy that refuses the game with an epsilon is not tried with a larger one.
    Return the policy's own epsilon if nothing is promised, or if no ledger is within the promise.

    Parameters
    ----------
    policy : Policy
        A policy with the parameter epsilon.
    horizon, number_of_arms : int
        The game.

    Examples
    --------
    >>> from dpbandits.policies import PrivateUCB
    >>> calibrate_epsilon(PrivateUCB(epsilon=1), horizon=1000, number_of_arms=5)
    5.0
    """
    if (promise := policy.account(horizon, number_of_arms)) is None:
        return policy.epsilon
    promised, epsilon, best, too_large = promise.epsilon, policy.epsilon, 0.0, math.inf
    for _ in range(MAX_ATTEMPTS):  # one step suffices where the ledger is proportional to epsilon
        candidate = replace(policy, epsilon=epsilon)
        try:
            candidate.check(horizon, number_of_arms)
            account = candidate.account(horizon, number_of_arms)
            spent, kept = account.spent, account.kept(promised)
        except InputError:
            spent, kept = math.inf, False
        if not kept:
            too_large = epsilon
        elif spent < promised * (1 - CLOSE):
            best = epsilon
        else:
            return epsilon
        epsilon *= promised / spent if spent else 2
        if not best < epsilon < too_large:
            epsilon = (best + min(too_large, 2 * best)) / 2 if best else too_large / 2
    return best or policy.epsilon

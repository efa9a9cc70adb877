"""The privacy that an algorithm promises: one function for all who need to know it."""

import inspect
import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_args

from dpbandits import policies
from dpbandits.errors import InputError, check_known
from dpbandits.parameters import defaults_of
from dpbandits.privacy.ledger import Account, Trust

MAX_ATTEMPTS = 16
CLOSE = 0.01  # relative: a ledger this little below the promise counts as equal


def promise_of(
    algorithm: str | Callable, parameters: Mapping[str, Any], horizon: int, number_of_arms: int
) -> Account | None:
    """The promise of an algorithm with these parameters, and the ledger of what it spends.

    Parameters
    ----------
    algorithm : str or callable
        A module of `algorithms`, or a function with the attribute `privacy`.
    parameters : mapping
        The parameters; others have the defaults of `play`.
    horizon, number_of_arms : int
        The game.

    Returns
    -------
    Account or None
        None without a function `privacy`, or if it returns None or an infinite epsilon.

    Raises
    ------
    InputError
        If `privacy` fails or returns something else.
    """
    privacy = getattr(
        algorithm if callable(algorithm) else policies.find(algorithm), "privacy", None
    )
    if privacy is None:
        return None
    file = algorithm.__name__ if callable(algorithm) else policies.file_of(algorithm)
    known, defaults = (
        inspect.signature(privacy).parameters,
        defaults_of(policies.play_of(algorithm)),
    )
    values = {name: value for name, value in defaults.items() if name in known} | dict(parameters)
    try:
        account = privacy(horizon, number_of_arms, **values)
    except InputError:
        raise
    except Exception as failure:  # a guest's first draft may fail in any way
        raise InputError(f"{file}: privacy: {type(failure).__name__}: {failure}") from None
    if not isinstance(account, Account | None):
        raise InputError(
            f"{file}: privacy: it returns {account!r}, which is no promise; return an Account of "
            "dpbandits.privacy.ledger, or None if nothing is promised"
        )
    if account is None or math.isinf(account.epsilon):
        return None
    check_known(f"{file}: privacy", "trust", [account.trust], get_args(Trust))
    return account


@cache
def calibrate_epsilon(
    algorithm: str, parameters: tuple[tuple[str, Any], ...], horizon: int, number_of_arms: int
) -> float:
    """The largest epsilon whose ledger is within the algorithm's promise, of those tried.

    It is the epsilon of the parameters if nothing is promised, or if no ledger is within the
    promise.
    """
    own = dict(parameters)
    if (promise := promise_of(algorithm, own, horizon, number_of_arms)) is None:
        return own["epsilon"]
    promised, epsilon, best, too_large = promise.epsilon, own["epsilon"], 0.0, math.inf
    for _ in range(MAX_ATTEMPTS):  # one step suffices where the ledger is proportional to epsilon
        try:
            spent = promise_of(algorithm, own | {"epsilon": epsilon}, horizon, number_of_arms).spent
        except InputError:
            spent = math.inf
        if spent > promised * (1 + 1e-9):
            too_large = epsilon
        elif spent < promised * (1 - CLOSE):
            best = epsilon
        else:
            return epsilon
        epsilon *= promised / spent if spent else 2
        if not best < epsilon < too_large:
            epsilon = (best + min(too_large, 2 * best)) / 2 if best else too_large / 2
    return best or own["epsilon"]

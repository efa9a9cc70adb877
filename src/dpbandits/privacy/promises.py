"""The privacy that an algorithm promises: one answer for accounts, audits, the arena, verdicts, checks and the page."""

import inspect
import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_args

from dpbandits import algorithms
from dpbandits.errors import InputError, check_known
from dpbandits.parameters import defaults_of
from dpbandits.privacy.ledger import Account, Trust

ATTEMPTS = 16
ENOUGH = 0.01  # relative: a ledger this little below the promise equals it


def promise_of(
    algorithm: str | Callable, parameters: Mapping[str, Any], horizon: int, number_of_arms: int
) -> Account | None:
    """The promise of an algorithm with these parameters, and the ledger of what it spends; None if it promises nothing.

    It promises nothing without a function `privacy` (of a function in its place: an attribute), or if that returns None or an
    infinite epsilon. What is not given has the default with which `play` plays.
    """
    privacy = getattr(
        algorithm if callable(algorithm) else algorithms.find(algorithm), "privacy", None
    )
    if privacy is None:
        return None
    file = algorithm.__name__ if callable(algorithm) else algorithms.file_of(algorithm)
    asked, played = (
        inspect.signature(privacy).parameters,
        defaults_of(algorithms.play_of(algorithm)),
    )
    given = {name: value for name, value in played.items() if name in asked} | dict(parameters)
    try:
        account = privacy(horizon, number_of_arms, **given)
    except InputError:
        raise
    except Exception as failure:  # of somebody's first draft
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
    """The largest epsilon tried whose ledger is within what an algorithm promises with these parameters; their own epsilon if
    nothing is promised or no try is."""
    own = dict(parameters)
    if (promise := promise_of(algorithm, own, horizon, number_of_arms)) is None:
        return own["epsilon"]
    promised, epsilon, best, too_large = promise.epsilon, own["epsilon"], 0.0, math.inf
    for _ in range(ATTEMPTS):  # one step suffices where the ledger is proportional to epsilon
        try:
            spent = promise_of(algorithm, own | {"epsilon": epsilon}, horizon, number_of_arms).spent
        except InputError:
            spent = math.inf
        if spent > promised * (1 + 1e-9):
            too_large = epsilon
        elif spent < promised * (1 - ENOUGH):
            best = epsilon
        else:
            return epsilon
        epsilon *= promised / spent if spent else 2
        if not best < epsilon < too_large:
            epsilon = (best + min(too_large, 2 * best)) / 2 if best else too_large / 2
    return best or own["epsilon"]

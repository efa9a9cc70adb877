"""Checks of the horizon that several algorithms share."""

from dpbandits.errors import InputError


def one_pull_of_each(horizon: int, number_of_arms: int, **_) -> None:
    """Raise InputError if the horizon is too short for one pull of every arm."""
    if horizon < number_of_arms:
        raise InputError(
            f"horizon {horizon} is too short: each of {number_of_arms} arms is pulled once first; "
            f"write at least {number_of_arms}"
        )

"""The module of an algorithm or an environment, or one message that says what is wrong with it.

Paper files, guests and `dpbandits.compare` name modules that a user may just have written.
"""

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from dpbandits import bandits, parameters, policies
from dpbandits.bandits import Environment
from dpbandits.bandits.rewards import Arms
from dpbandits.errors import InputError, in_one_line
from dpbandits.kernels import uniquely_named
from dpbandits.random import stream
from dpbandits.studies.experiment import Series

DRAWS = 1000  # rewards of each arm of a user's own
# From the mean: averages of rewards in [0, 1] are this far off once in 10^9 (Hoeffding).
FAR = math.sqrt(math.log(2e9) / (2 * DRAWS))
PLAYED_WITH = 4  # rng, the bandit, the horizon and the journal


def check_policy(policy: Policy, bandit: Bandit, horizon: int) -> None:
    """Raise InputError if a policy cannot play a bandit for so many rounds.

    It is made for another family of bandits, has no usable `play`, or refuses its parameters, the
    horizon or the number of arms.
    """
    name = type(policy).__name__
    if policy.family != bandit.family:
        fitting = ", ".join(k for k, family in POLICIES.known.items() if family == bandit.family)
        raise InputError(
            f"{name} plays {FAMILIES[policy.family]}, and {type(bandit).__name__} is "
            f"{FAMILIES[bandit.family]}; choose one of policies/{bandit.family}/: {fitting}"
        )
    arguments = list(inspect.signature(policy.play).parameters)
    if type(policy).play is Policy.play or len(arguments) != PLAYED_WITH:
        says = f"play({', '.join(['self', *arguments])}) takes self, rng, the bandit, the horizon"
        raise InputError(f"{name}: {says} and the journal; parameters are fields of the class")
    policy.check(horizon, bandit.number_of_arms)


def environment_of(settings: Mapping[str, Any]) -> Environment:
    """Make `{kind: ..., ...}`.

    Raises InputError for a wrong parameter, rewards that do not fit the means, and equal arms.
    """
    kind = settings["kind"]
    arguments = {key: value for key, value in settings.items() if key != "kind"}
    file = bandits.file_of(kind)
    with in_one_line(file):
        maker = bandits.maker_of(kind)
        parameters.check(maker, arguments, "")
        environment = maker(**arguments)
        if bandits.family_of(kind) == "arms" and type(environment).play_run is Environment.play_run:
            _check_rewards(file, maker, environment)
    if environment.gaps is not None and not np.any(environment.gaps):
        remedy = "there is no regret; give one arm a larger mean"
        raise InputError(f"means: {arguments.get('means')} are all equal: {remedy}")
    return environment


def _check_rewards(file: str, maker: Callable, environment: Environment) -> None:
    """Raise InputError if a user's arms are not played, leave [0, 1] or do not pay their means."""
    arms, _ = environment.begin(stream(0), 2, np.array([2]))
    uniquely_named(type(arms))
    if isinstance(arms, Arms):  # a kind of ours, which tests check
        for law in vars(sys.modules[maker.__module__]).values():
            if hasattr(law, "reward") and law.__module__ == maker.__module__:
                remedy = f"let it return a named tuple with the methods of {law.__name__}"
                says = f"{law.__name__}.reward is never called, since `begin` returns Arms"
                raise InputError(f"{file}: {says}; {remedy}")
        return
    rng = stream(0, "rewards")
    for a in range(min(environment.number_of_arms, 10)):
        drawn = [arms.reward(rng, a) for _ in range(DRAWS)]
        if not 0 <= min(drawn) <= max(drawn) <= 1:
            says = f"arm {a} pays from {min(drawn):.4g} to {max(drawn):.4g}"
            raise InputError(
                f"{file}: {says}; rewards should be in [0, 1], as privacy accounts assume"
            )
        for method, paid in (
            ("reward", np.mean(drawn)),
            ("rewards", arms.rewards(rng, a, DRAWS) / DRAWS),
        ):
            if not abs(paid - arms.means[a]) <= FAR:  # nor if it is nan
                says = f"'{method}' of arm {a} pays {paid:.3g} on average in {DRAWS} pulls"
                says += f", and means[{a}] is {arms.means[a]:.3g}"
                raise InputError(
                    f"{file}: {says}; the regret is computed from the means: correct one of them"
                )

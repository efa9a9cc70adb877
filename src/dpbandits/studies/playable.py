"""The module of an algorithm or an environment, or one message that says what is wrong with it.

Paper files, guests and `dpbandits.compare` name modules that a user may just have written.
"""

import inspect
import math
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from dpbandits import bandits, parameters, policies
from dpbandits.bandit import Bandit
from dpbandits.bandits.rewards import Arms
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.errors import InputError, in_one_line
from dpbandits.kernels import uniquely_named
from dpbandits.random import stream
from dpbandits.studies.experiment import Series

DRAWS = 1000  # rewards of each arm of a user's own
# From the mean: averages of rewards in [0, 1] are this far off once in 10^9 (Hoeffding).
FAR = math.sqrt(math.log(2e9) / (2 * DRAWS))
GIVEN = 4  # rng, the bandit, the horizon and the journal, which every `play` is given


@cache
def module_of(name: str) -> ModuleType:
    """The module of an algorithm. InputError if it cannot be imported or has no usable `play`."""
    file = policies.file_of(name)
    with in_one_line(file):
        module = policies.find(name)
    _check_play(getattr(module, "play", None), f"{file}: play")
    policies.family_of(name)
    return module


def _check_play(play: Any, name: str) -> None:
    if not inspect.isroutine(inspect.unwrap(play)):
        raise InputError(
            f"{name} is no function; write def play(rng, arms, horizon, journal, *, epsilon): ..."
        )
    parameters_of_play = inspect.signature(play).parameters.values()
    positional = [
        p.name for p in parameters_of_play if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)
    ]
    if len(positional) != GIVEN:
        raise InputError(
            f"{name}({', '.join(positional)}): it is given four values, rng, the bandit, "
            "the horizon and the journal; "
            "write a star before the parameters: play(rng, arms, horizon, journal, *, epsilon)"
        )


def check_playable(
    series: Series, environment_kind: str, number_of_arms: int, horizon: int
) -> None:
    """Raise InputError if a series cannot be played.

    Its algorithm does not exist or cannot be imported, is made for another family of environments,
    or refuses its parameters, the horizon or the number of arms.
    """
    play, check = series.algorithm, None
    if callable(play):
        _check_play(play, getattr(play, "__name__", repr(play)))
    else:
        module = module_of(series.algorithm)
        policies.check_family(series.algorithm, environment_kind)
        play, check = module.play, getattr(module, "check", None)
    filled = parameters.check(play, series.parameters, "parameters")
    if check:
        check(horizon, number_of_arms, **filled)


def environment_of(settings: Mapping[str, Any]) -> Bandit:
    """Make the bandit `{kind: ..., ...}`, and check it.

    Raises
    ------
    InputError
        For a wrong parameter, and as `check_bandit`.
    """
    file = bandits.BANDITS.find(settings["kind"]).file()
    with in_one_line(file):
        bandit = bandits.make(settings)
    check_bandit(bandit)
    return bandit


def check_bandit(bandit: Bandit) -> None:
    """Try what a user may just have written, before anything is played.

    Raises
    ------
    InputError
        If the arms are equal, or rewards leave [0, 1] or do not have the means.
    """
    if isinstance(bandit, ArmsBandit):
        with in_one_line(bandit.file()):
            _check_rewards(bandit)
    if bandit.gaps is not None and not np.any(bandit.gaps):
        means = f"means: {bandit.arms.means.tolist()} are all equal"
        raise InputError(f"{means}: there is no regret; give one arm a larger mean")


def _check_rewards(bandit: ArmsBandit) -> None:
    """Raise InputError if a user's rewards are not played, leave [0, 1] or miss their means."""
    file, arms = bandit.file(), bandit.arms
    uniquely_named(type(arms))
    if isinstance(arms, Arms):  # a kind of ours, which tests check
        if type(bandit).reward is not ArmsBandit.reward:
            says = f"{type(bandit).__name__}.reward is never called, since `arms` is Arms"
            raise InputError(f"{file}: {says}; leave out one of them")
        return
    rng = stream(0, "rewards")
    for a in range(min(bandit.number_of_arms, 10)):
        drawn = [arms.reward(rng, a) for _ in range(DRAWS)]
        if not 0 <= min(drawn) <= max(drawn) <= 1:
            says = f"arm {a} pays from {min(drawn):.4g} to {max(drawn):.4g}"
            remedy = "rewards should be in [0, 1], as privacy accounts assume"
            raise InputError(f"{file}: {says}; {remedy}")
        of_many = arms.rewards(rng, a, DRAWS) / DRAWS
        for method, average in (("reward", np.mean(drawn)), ("rewards", of_many)):
            if not abs(average - arms.means[a]) <= FAR:  # nor if it is nan
                says = f"'{method}' of arm {a} pays {average:.3g} on average in {DRAWS} pulls"
                says += f", and means[{a}] is {arms.means[a]:.3g}"
                remedy = "the regret is computed from the means: correct one of them"
                raise InputError(f"{file}: {says}; {remedy}")

"""Try policies and bandits before anything is played: a user may just have written them."""

import inspect
import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from dpbandits.bandit import Bandit
from dpbandits.bandits.rewards import Arms
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.compiled import methods_of
from dpbandits.drivers.index import IndexPolicy
from dpbandits.errors import InputError, in_one_line
from dpbandits.plugins import FAMILIES
from dpbandits.policies import POLICIES
from dpbandits.policy import Policy
from dpbandits.random import stream

# Methods of earlier versions in place of a missing one, and what to write.
FORMER = {
    "score": "def index(self, s, n, t) in place of 'terms' and 'score'",
    "index_at": "def index(self, x, h, t) in place of 'index_at'",
}
# Draws of a user's own arms: of each arm at most and at least, and of all arms.
MAX_DRAWS, MIN_DRAWS, TOTAL_DRAWS = 1000, 100, 20_000


def is_shipped(policy: Policy) -> bool:
    """Whether the package has a policy's class, so that tests have tried it."""
    return type(policy).__module__.startswith("dpbandits.policies.")


def check_policy(policy: Policy, bandit: Bandit, horizon: int, t: Sequence[int]) -> None:
    """Raise InputError if a policy cannot play a bandit for so many rounds; `t`: the checkpoints.

    It is made for another family of bandits, lacks a method or has one of an earlier version, or
    refuses its parameters, the horizon or the number of arms. A `look` in its class, which figures
    do not read, is refused. A delta of at least epsilon is refused, since such a promise permits
    almost the same without epsilon.
    """
    name = type(policy).__name__
    if policy.family != bandit.family:
        fitting = ", ".join(k for k, family in POLICIES.known.items() if family == bandit.family)
        raise InputError(
            f"{name} plays {FAMILIES[policy.family]}, and {type(bandit).__name__} is "
            f"{FAMILIES[bandit.family]}; choose one of policies/{bandit.family}/: {fitting}"
        )
    if hasattr(type(policy), "look") and "look" not in policy.parameters:
        remedy = "write look: [sky, h] beside the guest's label in config/config.yaml"
        remedy += ", or compare(..., looks={label: ('sky', 'h')})"
        raise InputError(f"{name}: look: a class has no colour; remove it, and {remedy}")
    if not is_shipped(policy):
        _check_methods(policy, horizon, bandit.number_of_arms)
    if "delta" in policy.parameters:
        # Two parameters that fit need no account, which kernels may compute.
        fits = "epsilon" in policy.parameters and policy.delta < policy.epsilon
        promise = None if fits else bandit.account(policy, horizon, t)
        if promise is not None and promise.delta >= promise.epsilon:
            says = f"delta {promise.delta:g} should be below epsilon {promise.epsilon:g}"
            raise InputError(f"{name}: {says}; exchange them, or write a smaller delta")
    for T in bandit.games(horizon, t):
        policy.check(T, bandit.number_of_arms)


def _check_methods(policy: Policy, horizon: int, number_of_arms: int) -> None:
    """Raise InputError for a method that is missing, or not called or called in another form."""
    kind, name = type(policy), type(policy).__name__
    for method in methods_of(policy.no_short_cut, object) if policy.no_short_cut else ():
        if hasattr(kind, method):
            remedy = "write it in a class of its own, and short_cut = that class"
            raise InputError(f"{name}: '{method}' is a method of a short cut; {remedy}")
    _check_needs(policy)
    arguments = _arguments(kind.play)
    if len(arguments) != 2:
        says = f"play({', '.join(arguments)}) should be play(self, run), where run.play(a) pulls"
        remedy = "arm a and counts it; parameters are fields of the class"
        raise InputError(f"{name}: {says} {remedy}")
    if isinstance(policy, IndexPolicy) and kind.statistics is not IndexPolicy.statistics:
        arm = policy.compiled(horizon, number_of_arms).statistics(0.0, 1)
        if not isinstance(arm, tuple):
            raise InputError(f"{name}: statistics returns {arm!r}; write a tuple, such as s / n, n")


def _check_needs(owner: Policy | Bandit) -> None:
    """Raise InputError for a method that a base class leaves to its subclasses."""
    kind = type(owner)
    base = next(each for each in kind.__mro__ if "needs" in vars(each))
    for methods in kind.needs:
        names = methods.split(" or ")
        if all(getattr(kind, method) is getattr(base, method) for method in names):
            words = f"def {names[0]}({', '.join(_arguments(getattr(kind, names[0])))}): ..."
            former = [remedy for method, remedy in FORMER.items() if hasattr(kind, method)]
            says = f"{kind.__name__} has no {' or '.join(map(repr, names))}"
            raise InputError(f"{says}; write {[*former, words][0]}")


@cache
def _arguments(function: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def check_games(bandit: Bandit, horizon: int, t: Sequence[int]) -> None:
    """Raise InputError if a bandit does not support a game of a run; `t`: the checkpoints."""
    for T in bandit.games(horizon, t):
        bandit.check(T)


def check_bandit(bandit: Bandit) -> None:
    """Try a bandit that a user may just have written, before anything is played.

    Raises
    ------
    InputError
        If a method is missing, arms are equal, or rewards leave [0, 1] or miss the means.
    """
    _check_needs(bandit)
    if isinstance(bandit, ArmsBandit):
        with in_one_line(bandit.file()):
            _check_rewards(bandit)
    if bandit.gaps is not None and not np.any(bandit.gaps):
        means = f"means: {bandit.arms.means.tolist()} are all equal"
        raise InputError(f"{means}: there is no regret; give one arm a larger mean")


def _check_rewards(bandit: ArmsBandit) -> None:
    """Raise InputError if a user's rewards are not played, leave [0, 1] or miss their means."""
    file, arms = bandit.file(), bandit.arms
    if isinstance(arms, Arms):  # one of our own kinds, which tests check
        if type(bandit).reward is not ArmsBandit.reward:
            says = f"{type(bandit).__name__}.reward is never called, since `arms` is Arms"
            raise InputError(f"{file}: {says}; leave out one of them")
        return
    rng, K = stream(0, "rewards"), bandit.number_of_arms
    draws = min(max(TOTAL_DRAWS // K, MIN_DRAWS), MAX_DRAWS)
    # Averages of rewards in [0, 1] are this far from the mean once in 10^9 (Hoeffding).
    far = math.sqrt(math.log(2e9) / (2 * draws))
    for a in range(K):
        drawn = [arms.reward(rng, a) for _ in range(draws)]
        if not 0 <= min(drawn) <= max(drawn) <= 1:
            says = f"arm {a} pays from {min(drawn):.4g} to {max(drawn):.4g}"
            remedy = "rewards should be in [0, 1], as privacy accounts assume"
            raise InputError(f"{file}: {says}; {remedy}")
        of_many = arms.rewards(rng, a, draws) / draws
        for method, average in (("reward", np.mean(drawn)), ("rewards", of_many)):
            if not abs(average - arms.means[a]) <= far:  # nor if it is nan
                says = f"'{method}' of arm {a} pays {average:.3g} on average in {draws} pulls"
                says += f", and means[{a}] is {arms.means[a]:.3g}"
                remedy = "the regret is computed from the means: correct one of them"
                raise InputError(f"{file}: {says}; {remedy}")

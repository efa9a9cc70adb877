"""Try policies and bandits before anything is played: a user may just have written them."""

import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from functools import cache

import numpy as np

from dpbandits.bandit import Bandit
from dpbandits.bandits.journal import blank_journal
from dpbandits.bandits.rewards import Arms, fixed_arms
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.errors import InputError, in_one_line
from dpbandits.plugins import FAMILIES
from dpbandits.policies import POLICIES
from dpbandits.policy import Policy
from dpbandits.random import stream

DRAWS = 1000  # rewards of each arm of a user's own
# From the mean: averages of rewards in [0, 1] are this far off once in 10^9 (Hoeffding).
FAR = math.sqrt(math.log(2e9) / (2 * DRAWS))
SHORT = 256  # rounds
PLAYED_WITH = 4  # rng, the bandit, the horizon and the journal


def check_policy(policy: Policy, bandit: Bandit, horizon: int) -> None:
    """Raise InputError if a policy cannot play a bandit for so many rounds.

    It is made for another family of bandits, has no usable `play`, or refuses its parameters, the
    horizon or the number of arms. A `look` in its class, which figures do not read, is refused. A
    delta of at least epsilon is refused, since such a promise
    permits almost the same without epsilon.
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
    for method in policy.needs:
        owner = next(each for each in type(policy).__mro__ if method in vars(each))
        if method in vars(owner).get("needs", ()):
            words = f"def {method}{inspect.signature(getattr(owner, method))}"
            raise InputError(f"{name} has no '{method}'; write {words.partition(' ->')[0]}: ...")
    arguments = _arguments(type(policy).play)
    if len(arguments) != 1 + PLAYED_WITH:
        says = f"play({', '.join(arguments)}) should take self, rng, the bandit"
        remedy = "the horizon and the journal; parameters are fields of the class"
        raise InputError(f"{name}: {says}, {remedy}")
    if "delta" in policy.parameters:
        account = policy.account(horizon, bandit.number_of_arms)
        if account is not None and account.delta >= account.epsilon:
            says = f"delta {account.delta:g} should be below epsilon {account.epsilon:g}"
            raise InputError(f"{name}: {says}; exchange them, or write a smaller delta")
    policy.check(horizon, bandit.number_of_arms)


@cache
def _arguments(function: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def check_hidden_means(policy: Policy, bandit: Bandit, horizon: int) -> None:
    """Raise InputError if a user's policy plays other arms when `arms.means` alone is another one.

    It plays short games with the same rewards, in which only `arms.means` differs.
    """
    if type(policy).__module__.startswith("dpbandits.") or not isinstance(bandit, ArmsBandit):
        return
    K, played = bandit.number_of_arms, []
    rounds = min(max(SHORT, 2 * K), horizon)
    rewards = np.arange(rounds * K).reshape(rounds, K) % 7 / 7
    one, other = np.linspace(0.1, 0.9, K), np.linspace(0.8, 0.2, K)
    with suppress(Exception):  # the policy needs a longer game; other errors are those of the games
        for means in (one, other, one, other):
            journal = blank_journal(K, np.arange(rounds) + 1)
            arms = fixed_arms(rewards)._replace(means=means)
            policy.play(stream(0, "means"), arms, rounds, journal)
            played.append(journal.counts)
    is_repeatable = len(played) == 4 and np.array_equal(played[:2], played[2:])
    if is_repeatable and not np.array_equal(played[0], played[1]):
        says = f"{type(policy).__name__} chooses arms by arms.means, which are unknown in practice"
        raise InputError(f"{policy.file()}: {says}; use their number only, arms.means.size")


def check_bandit(bandit: Bandit) -> None:
    """Try a bandit that a user may just have written, before anything is played.

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
    if isinstance(arms, Arms):  # one of our own kinds, which tests check
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

"""One play of a policy in plain Python, with the arm of each user and all releases.

The bandit, not the policy, says which users were paid. So a play also shows whether a guest notes
the arms that it plays (`check_counts`).
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from dpbandits.audit.lower_bounds import mechanism_of
from dpbandits.audit.recording import Published
from dpbandits.bandits import events
from dpbandits.bandits.game import ARM, Game
from dpbandits.bandits.game import blank_journal as blank_diary
from dpbandits.bandits.journal import Journal, blank_journal, counts_of
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.drivers.table_of_gains import TablePolicy
from dpbandits.errors import InputError, in_one_line, within
from dpbandits.policy import ArmsPolicy, Policy
from dpbandits.random import stream
from dpbandits.studies.experiment import Experiment

COUNTED_ROUNDS = 256  # of the games that check a guest's counts


class WrongCount(Exception):
    """A policy notes other arms than it plays, or plays one that does not exist."""


class HiddenMeans(Exception):
    """A policy reads the true means, which are unknown in practice."""


class Unknown:
    """The means of arms in a play: an array that hides everything but its shape."""

    ndim = 1

    def __init__(self, size: int):
        self.size, self.shape = size, (size,)

    def __len__(self):
        return self.size

    def __array_function__(self, function, types, args, kwargs):
        """Allow `np.zeros_like(arms.means)`."""
        if function in (np.zeros_like, np.ones_like, np.empty_like, np.full_like):
            return function(np.zeros(self.size), *args[1:], **kwargs)
        return self.hide()

    def hide(self, *args, **kwargs):
        """Refuse."""
        says = "the means of the arms are unknown to a policy"
        raise HiddenMeans(f"{says}; of arms.means it may use the length only")

    __getitem__ = __iter__ = __array__ = __array_ufunc__ = __getattr__ = hide


class Play(NamedTuple):
    """The arm of every round and of every user, and what was released.

    Only the first `used` releases can influence a round: the others follow the last reward.
    """

    actions: np.ndarray
    users: list[int]
    releases: list[Published]
    used: int


class CountedArms:
    """The fixed arms of audits, with hidden means, which note the arm of each user."""

    def __init__(self, rewards: np.ndarray):
        self.fixed, self.means = fixed_arms(rewards), Unknown(rewards.shape[1])
        self.users: list[int] = []  # the arm of each user so far
        self.used = 0  # the releases before the last reward

    def reward(self, rng, a):
        """Pay the next user."""
        return self.rewards(rng, a, 1)

    def rewards(self, rng, a, m):
        """Pay the next m users together."""
        self.used = len(getattr(rng, "releases", ()))
        self.users += [int(a)] * int(m)
        return float(self.fixed.rewards(rng, a, m))


class NewsLog:
    """A log of one block, itself, that keeps all events (see `bandits.events`).

    There is a visit for each article of the pool; rewards[:, 0] are clicks. A visitor who clicks
    has twice the vector of one who does not. So a changed click changes all sums, and the article
    that is shown to this visitor is the same, as joint privacy requires.
    """

    def __init__(self, rewards: np.ndarray, horizon: int):
        self.pool_size = K = rewards.shape[1]
        self.clicks, vectors = rewards[: horizon // K, 0], stream(1, "vectors").numpy()
        n = len(self.clicks)
        self.articles = vectors.random((events.DIMENSION, K))
        self.users = vectors.random((n, events.DIMENSION)) * (1 + self.clicks[:, None]) / 2
        self.t, self.pools = np.arange(1, n + 1), np.arange(K)[None, :]
        self.pool, self.at_random = np.zeros((2, n), np.int64)
        self.shown: list[int] = []

    def blocks(self):
        """Return the block."""
        return [self]

    def feedback(self, i, place):
        """Return feedback."""
        self.shown.append(int(place))
        return True, self.clicks[i], self.clicks[i]


def play(policy: Policy, rng: Any, rewards: np.ndarray, horizon: int) -> Play:
    """Play a game of the policy's family.

    In an adversary's game the gain of round t is the reward of user t.
    """
    checkpoints, used = np.array([horizon]), math.inf
    if policy.family == "arms":
        arms = CountedArms(rewards)
        journal = blank_journal(rewards.shape[1], np.arange(horizon) + 1)
        policy.play(rng, arms, horizon, journal)
        actions, users = np.diff(journal.counts, axis=0, prepend=0).argmax(axis=1), arms.users
        if len(users) <= horizon:  # otherwise all rewards are drawn before anything is released
            used = arms.used
    elif policy.family == "games":
        game = Game(rewards[:horizon])
        journal = blank_diary(game, checkpoints)
        policy.play(rng, game, horizon, journal)
        actions, users = journal.diary[ARM], journal.diary[ARM].tolist()
    else:
        log = NewsLog(rewards, horizon)
        policy.play(rng, log, horizon, events.blank_journal(checkpoints))
        actions, users = np.array(log.shown), [0] * len(log.shown)
    return Play(actions, users, rng.releases, min(used, len(rng.releases)))


class CheckedArms(CountedArms):
    """Arms that compare their pulls with those that a journal notes."""

    def __init__(self, rewards: np.ndarray, journal: Journal):
        super().__init__(rewards)
        self.journal = journal

    def rewards(self, rng, a, m):
        """Compare before the next pull, but not before an episode is noted."""
        if not 0 <= a < len(self.means):
            raise WrongCount(f"arm {a} is pulled, and arms are 0 to {len(self.means) - 1}")
        if 0 < len(self.users) == self.journal.next[0]:
            self.compare()
        paid, rounds = super().rewards(rng, a, m), self.journal.checkpoints.size
        if len(self.users) > rounds:
            raise WrongCount(f"{len(self.users)} pulls in a game of {rounds} rounds")
        return paid

    def compare(self):
        """Refuse more pulls of an arm than are noted. Fewer may be drawn, if none is used."""
        t = self.journal.next[0]
        noted = self.journal.counts[t - 1]
        pulls = np.bincount(self.users, minlength=noted.size)
        for a in np.flatnonzero(pulls > noted):
            says = f"arm {a} is pulled {pulls[a]} times by round {t}"
            raise WrongCount(f"{says}, and {noted[a]} pulls of it are noted")


def check_counts(experiments: Iterable[Experiment]) -> None:
    """Compare the pulls that policies on arms note with those that they make.

    Raises
    ------
    WrongCount, HiddenMeans
        During a game. The traceback has the line of the policy's file.
    InputError
        If the counts of a whole game are wrong.
    """
    games = {
        (mechanism_of(series), experiment.bandit.number_of_arms): experiment.design.horizon
        for experiment in experiments
        for series in experiment.series.values()
    }
    for (policy, K), horizon in games.items():
        if isinstance(policy, ArmsPolicy) and not isinstance(policy, TablePolicy):
            count(policy, K, horizon)


def count(policy: Policy, K: int, longest: int) -> None:
    """Compare the pulls of one game of at most `longest` rounds."""
    rounds = min(max(COUNTED_ROUNDS, 2 * K), longest)
    try:
        policy.check(rounds, K)
    except InputError:  # the policy needs a longer game
        rounds = longest
    rng, journal = stream(1, "counts"), blank_journal(K, np.arange(rounds) + 1)
    arms = CheckedArms(rng.numpy().random((rounds, K)).round(), journal)
    policy.play(rng, arms, rounds, journal)
    file = type(policy).file()
    with within(file):
        counts_of(journal)
    with in_one_line(file):
        arms.compare()

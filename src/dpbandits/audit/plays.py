"""One play of a policy in plain Python, with the arm of each user and all releases."""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.audit.recording import Published, Recorder
from dpbandits.bandit import check_finished
from dpbandits.bandits import events
from dpbandits.bandits.game import ARM, Game, new_game_run
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.bandits.run import new_run
from dpbandits.policy import Policy
from dpbandits.random import stream


class Play(NamedTuple):
    """The arm of every round and of every user, and what was released.

    Only the first `used` releases can influence a round: the others follow the last reward.
    """

    actions: np.ndarray
    users: list[int]
    releases: list[Published]
    used: int


class WatchedArms:
    """The fixed arms of audits, which note the arm of each user."""

    def __init__(self, rewards: np.ndarray, recorder: Recorder):
        self.fixed, self.recorder = fixed_arms(rewards), recorder
        self.means = self.fixed.means  # all 0
        self.users: list[int] = []  # the arm of each user so far
        self.used = 0  # the releases before the last reward

    def reward(self, rng, a):
        """Pay the next user."""
        return self.rewards(rng, a, 1)

    def rewards(self, rng, a, m):
        """Pay the next m users together."""
        self.used = len(self.recorder.releases)
        self.users += [int(a)] * int(m)
        return float(self.fixed.rewards(rng, a, m))


class WatchedLog:
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


def play(policy: Policy, recorder: Recorder, rewards: np.ndarray, horizon: int) -> Play:
    """Play a game of the policy's family.

    In an adversary's game the gain of round t is the reward of user t.
    """
    used = math.inf
    if policy.family == "arms":
        arms = WatchedArms(rewards, recorder)
        run = new_run(arms, recorder, horizon, np.arange(horizon) + 1)
        policy.play(run)
        check_finished(run)
        actions = np.diff(run.journal.counts, axis=0, prepend=0).argmax(axis=1)
        users = arms.users
        if len(users) <= horizon:  # otherwise all rewards are drawn before anything is released
            used = arms.used
    elif policy.family == "games":
        run = new_game_run(Game(rewards[:horizon]), recorder)
        policy.play(run)
        check_finished(run)
        actions, users = run.diary[ARM], run.diary[ARM].tolist()
    else:
        log = WatchedLog(rewards, horizon)
        policy.play(events.new_log_run(log, recorder, horizon, np.array([horizon])))
        actions, users = np.array(log.shown), [0] * len(log.shown)
    return Play(actions, users, recorder.releases, min(used, len(recorder.releases)))

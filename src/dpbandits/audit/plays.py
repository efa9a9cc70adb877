"""One play of a policy in plain Python, with all of its releases."""

from typing import NamedTuple

import numpy as np

from dpbandits.audit import games
from dpbandits.audit.recording import Published, Recorder
from dpbandits.bandits import events
from dpbandits.policy import Policy
from dpbandits.random import stream


class Play(NamedTuple):
    """The arm of every round, the number of users, and what was released.

    Only the first `used` releases can influence a round. If the user of every round is paid in it,
    the others follow the last round.
    """

    actions: np.ndarray
    users: int
    releases: list[Published]
    used: int


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
    if policy.family == "logs":
        log = WatchedLog(rewards, horizon)
        policy.play(events.new_log_run(log, recorder, horizon, np.array([horizon])))
        actions, users = np.array(log.shown), len(log.shown)
    else:
        game = games.begin(policy, recorder, rewards, horizon)
        recorder.paid = game.paid
        actions = game.play(policy)
        if policy.family == "arms":  # pull counts
            actions = np.diff(actions, axis=0, prepend=0).argmax(axis=1)
        users = int(game.paid[0])
    used = len(recorder.releases)
    if policy.family == "arms" and users == horizon:
        used = sum(paid < users for paid in recorder.users)
    return Play(actions, users, recorder.releases, used)

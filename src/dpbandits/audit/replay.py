"""Replay policies on neighbouring inputs: the ledger against the code.

A policy plays a game while its releases are recorded. It plays again on an input with one changed
reward, and the released values are frozen. If only released values decide what it does, it does the
same in both plays. The releases whose values differ are those that contain the changed reward. They
must be booked in the ledger.

A reward that is changed to +-1e6 shows what is not released at all: a raw sum that is compared, or
a threshold that reads a reward. Losses are computed from legal neighbours only.

Replays are played in plain Python, in a process that compiles nothing (`in_plain_python`).
"""

import math
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numba
import numpy as np
import pandas as pd

from dpbandits.audit.inputs import Setting, settings_of
from dpbandits.audit.lower_bounds import policies
from dpbandits.audit.recording import Diverged, Published, Recorder, Replayer, differing
from dpbandits.bandits.game import ARM, Game, blank_journal
from dpbandits.bandits.journal import blank_journal as blank_counts
from dpbandits.policy import Policy
from dpbandits.privacy.ledger import ANY, UNBOUNDED, Account
from dpbandits.random import stream
from dpbandits.studies.experiment import Experiment

COLUMNS = [
    "policy", "label", "reading", "epsilon", "arms", "rounds", "changes", "bound", "loss", "spent",
    "booked", "attained", "finding",
]  # fmt: skip
LARGE = 1e6
SHORTEST = 64  # rounds of a replay
TOLERANCE = 1e-6  # relative: values are differences of sums
BACKGROUNDS = ("in turn", "random")


class Play(NamedTuple):
    """The arm of every round and of every user, and what was released.

    Only the first `used` releases decide a round: nobody acts on those after the last reward.
    """

    actions: np.ndarray
    users: list[int]
    releases: list[Published]
    used: int


class CountedArms:
    """Arms that pay rewards[u, a] for arm a to user u. Their means are not numbers."""

    def __init__(self, rewards: np.ndarray):
        self.table, self.means = rewards, np.full(rewards.shape[1], math.nan)
        self.users: list[int] = []  # the arm of each user so far
        self.used = 0  # the releases before the last reward

    def reward(self, rng, a):
        """Pay the next user."""
        return self.rewards(rng, a, 1)

    def rewards(self, rng, a, m):
        """Pay the next m users together."""
        first, self.used = len(self.users), len(rng.releases)
        self.users += [int(a)] * int(m)
        return float(self.table[first : first + int(m), a].sum())


def play_arms(policy: Policy, rng: Any, rewards: np.ndarray, horizon: int) -> Play:
    """Play arms."""
    arms, journal = CountedArms(rewards), blank_counts(rewards.shape[1], np.arange(horizon) + 1)
    policy.play(rng, arms, horizon, journal)
    actions = np.diff(journal.counts, axis=0, prepend=0).argmax(axis=1)
    return Play(actions, arms.users, rng.releases, arms.used)


def play_game(policy: Policy, rng: Any, rewards: np.ndarray, horizon: int) -> Play:
    """Play an adversary's game, in which user t is the gain of round t."""
    game = Game(rewards[:horizon])
    journal = blank_journal(game, np.array([horizon]))
    policy.play(rng, game, horizon, journal)
    actions = journal.diary[ARM].copy()
    return Play(actions, actions.tolist(), rng.releases, len(rng.releases))


PLAY = {"arms": play_arms, "games": play_game}


@dataclass
class Finding:
    """What the replays of a policy show.

    `leak` is the first difference of actions, and `unbooked` the first release that no entry of the
    ledger covers. `bound` and `loss` are the largest of all inputs: of what any output could lose,
    and of what the recorded outputs lost. `attained` is the largest number of releases that contain
    one reward.
    """

    account: Account
    leak: str = ""
    unbooked: str = ""
    bound: float = 0.0
    loss: float = 0.0
    attained: int = 0

    @property
    def booked(self) -> int:
        """The releases of the item with the most of them."""
        if self.account.ledger is None:
            return 0
        return sum(each.times for each in self.account.ledger.worst(lambda each: each.times))

    @property
    def verdict(self) -> str:
        """The finding in words."""
        if self.account.ledger is None:
            return f"not private: {self.leak}" if self.leak else "not private, and no leak found"
        return self.leak or self.unbooked or "as booked"


def find(policy: Policy, horizon: int, number_of_arms: int, seed: int = 1) -> Finding:
    """Replay a policy on neighbouring inputs.

    Parameters
    ----------
    policy : Policy
        A policy with a promise, for arms or games.
    horizon, number_of_arms : int
        The game.
    seed : int, default 1
        The seed of both plays.
    """
    finding = Finding(policy.account(horizon, number_of_arms))
    impossible = () if policy.needs_legal_rewards else (LARGE, -LARGE)
    for background in BACKGROUNDS:
        rewards = rewards_of(background, horizon, number_of_arms, seed)
        first = _play(policy, rewards, horizon, seed, None)
        for user in users(first, horizon, number_of_arms):
            arm = first.users[user]
            for changed in (1 - rewards[user, arm], *impossible):
                neighbour = rewards.copy()
                neighbour[user, arm] = changed
                where = f"{background}, reward {user + 1} changed to {changed:g}"
                changes = _differences(finding, policy, first, neighbour, horizon, seed, where)
                if changed in (0, 1):
                    _book(finding, changes, where)
    return finding


def rewards_of(background: str, horizon: int, number_of_arms: int, seed: int) -> np.ndarray:
    """The rewards of a game: more users than rounds, for policies that draw rewards in advance."""
    shape = horizon * number_of_arms, number_of_arms
    if background == "random":
        means = np.linspace(0.3, 0.7, number_of_arms)
        return (stream(seed, "rewards").numpy().random(shape) < means).astype(float)
    rewards = np.zeros(shape)
    rewards[1::2] = 1.0
    return rewards


def users(first: Play, horizon: int, arms: int) -> list[int]:
    """The users (from 0) whose reward is changed, at several places of the game."""
    last = len(first.users) - 1
    rounds = {2**k - 1 for k in range(horizon.bit_length())} | {1, 2 * horizon // 3, horizon - 1}
    rounds = {t for t in rounds if t < horizon}
    if len(first.users) == horizon * arms:  # all rewards of a round are drawn in advance
        return sorted(t * arms + int(first.actions[t]) for t in rounds)
    return sorted(t for t in rounds if t <= last)


def _play(
    policy: Policy, rewards: np.ndarray, horizon: int, seed: int, recorded: list[Published] | None
) -> Play:
    choices, noise = stream(seed, "choices"), stream(seed, "noise")
    rng = Recorder(choices, noise) if recorded is None else Replayer(choices, recorded)
    return PLAY[policy.family](policy, rng, rewards, horizon)


def _differences(
    finding: Finding, policy: Policy, first: Play, rewards: np.ndarray, horizon: int, seed: int,
    where: str,
) -> list[tuple[Published, float]]:  # fmt: skip
    """Play again; return the releases that contain the changed reward. A leak goes to `finding`."""
    try:
        second = _play(policy, rewards, horizon, seed, first.releases)
        changes = list(differing(first, second))
    except Diverged as reason:
        finding.leak = finding.leak or f"{where}: {reason}"
        return []
    different = np.flatnonzero(first.actions != second.actions)
    if different.size:
        t = int(different[0])
        arms = f"arm {second.actions[t]} and not {first.actions[t]}"
        finding.leak = finding.leak or f"{where}: round {t + 1} plays {arms}"
        return []
    return changes


def _book(finding: Finding, changes: list[tuple[Published, float]], where: str) -> None:
    """Compare the releases that contain the changed reward with the ledger."""
    finding.attained = max(finding.attained, len(changes))
    finding.loss = max(finding.loss, sum(published.loss(value) for published, value in changes))
    if finding.account.ledger is None:
        return
    bounds = [published.bound(value) for published, value in changes]
    booked = finding.account.ledger.releases
    for (published, _), bound in zip(changes, bounds, strict=True):
        fitting = [each.loss for each in booked if each.law in (published.law, ANY)]
        if not fitting or bound > max(fitting) * (1 + TOLERANCE):
            scale = f"{published.law} of scale {published.scale:.6g}"
            most = f"{max(fitting):.6g}" if fitting else "nothing"
            says = f"{where}: a release ({scale}) loses {bound:.6g}, and {most} is booked"
            finding.unbooked = finding.unbooked or says
    if len(changes) > finding.booked:
        says = f"{where}: {len(changes)} releases contain it, and {finding.booked} are booked"
        finding.unbooked = finding.unbooked or says
    if any(published.law in UNBOUNDED for published, _ in changes):
        finding.bound = max(finding.bound, sum(bound**2 / 2 for bound in bounds))
        return
    finding.bound = max(finding.bound, sum(bounds))
    if finding.bound > finding.account.ledger.basic() * (1 + TOLERANCE):
        says = f"{where}: all releases lose {finding.bound:.6g}, and less is booked"
        finding.unbooked = finding.unbooked or says


def table(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """Replay the policies of these experiments that promise privacy, at an epsilon of 1.

    Returns
    -------
    DataFrame
        A row for each policy. `changes` says whether impossible rewards were tried, too. `booked`
        and `attained` are numbers of releases that contain one reward: the most in the ledger, and
        the most that an input reached.
    """
    entries = list(dict.fromkeys(policies(experiments)))
    rows = {mechanism: _row(mechanism.policy) for *_, mechanism, _ in entries}
    named = [[id, label, reading, *rows[each]] for id, label, reading, each, _ in entries]
    return pd.DataFrame(named, columns=COLUMNS)


def _row(policy: Policy) -> list[Any]:
    """The columns of a policy that follow from its class and parameters."""
    epsilon = policy.parameters.get("epsilon")
    if policy.family not in PLAY:
        return [epsilon, None, None, "none", *[None] * 5, "not replayed: a news log"]
    setting: Setting = settings_of(policy)[-1]
    changed = replace(policy, **setting.changes)
    arms, rounds = setting.arms, max(setting.horizon, SHORTEST)
    finding = find(changed, rounds, arms)
    changes = "legal" if policy.needs_legal_rewards else "any"
    numbers = [finding.bound, finding.loss, finding.account.spent, finding.booked]
    return [epsilon, arms, rounds, changes, *numbers, finding.attained, finding.verdict]


def in_plain_python(experiments: Sequence[Experiment]) -> pd.DataFrame:
    """Return the `table` of these experiments from a process that compiles nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "dpbandits.audit.replay"],
        input=pickle.dumps(list(experiments)),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    return pickle.loads(done.stdout)


if __name__ == "__main__":
    assert numba.config.DISABLE_JIT
    sys.stdout.buffer.write(pickle.dumps(table(pickle.load(sys.stdin.buffer))))

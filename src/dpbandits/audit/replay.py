"""Replay policies on neighbouring inputs: the ledger against the code.

A policy plays a game while its releases are recorded. It plays again on an input with one changed
reward, and the released values are frozen. If only released values decide what it does, it does the
same in both plays. The releases whose values differ are those that contain the changed reward. They
must be booked in the ledger.

A reward that is changed to +-1e6 shows what is not released at all: a raw sum that is compared, or
a threshold that reads a reward. Losses are computed from legal neighbours only.

Replays record in plain Python only (`plain_python`).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpbandits.audit.findings import (
    AS_BOOKED,
    MECHANISM,
    NOT_PRIVATE,
    NOT_REPLAYED,
    NOTHING_RELEASED,
    in_tables,
)
from dpbandits.audit.mechanisms import games_of, mechanisms
from dpbandits.audit.plain_python import in_plain_python
from dpbandits.audit.plays import Play, play
from dpbandits.audit.recording import BIT, CHOICE, Diverged, Published, Recorder
from dpbandits.errors import InputError, one_line
from dpbandits.policy import Policy
from dpbandits.privacy.games import SEED, SHORT, rewards_of
from dpbandits.privacy.ledger import ANY, UNBOUNDED, Account, Ledger
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream
from dpbandits.studies.experiment import Experiment

MEASURED = [
    "epsilon", "arms", "rounds", "changes", "bound", "loss", "spent", "booked", "attained",
    "finding",
]  # fmt: skip
# Rounds of a replay by family, which takes about a second for most policies.
ROUNDS = {"arms": 192, "games": 192, "logs": 48}
EVERY = 48  # rounds of a game in which every reward is changed, one after another
LARGE = 1e6
CLOSE = 1 + 1e-6  # values are differences of sums
BACKGROUNDS = {"rewards 0, 1, 0, 1, ...": "tie", "random rewards": "random"}  # as findings say
Change = tuple[int, Published, float]  # the place of a release, itself, its value after a change


class Trial(NamedTuple):
    """What is played again and again, with the same choices."""

    policy: Policy
    rewards: np.ndarray
    horizon: int

    def play(self, recorded: Sequence[Published] | None = None) -> Play:
        """Play, and get the recorded outputs where there are any."""
        noise = Releases(stream(SEED, "noise"))
        recorder = Recorder(stream(SEED, "choices"), noise, recorded)
        return play(self.policy, recorder, self.rewards, self.horizon)

    def replayed(self, first: Play, rewards: np.ndarray) -> list[Change]:
        """The releases that differ if these rewards are paid.

        Diverged if an action differs.
        """
        second = self._replace(rewards=rewards).play(first.releases)
        different = np.flatnonzero(first.actions != second.actions)
        if different.size:
            t = different[0]
            arms = f"arm {second.actions[t]} and not {first.actions[t]}"
            raise Diverged(f"round {t + 1} plays {arms}")
        values = [each.value for each in second.releases]
        if len(values) != len(first.releases):
            raise Diverged(f"there are {len(values)} releases, not {len(first.releases)}")
        return [
            (place, each, values[place])
            for place, each in enumerate(first.releases[: first.used])
            if not math.isclose(each.value, values[place], rel_tol=1e-12, abs_tol=1e-12)
        ]

    def is_used(self, first: Play, place: int) -> bool:
        """Whether another output of a release changes anything that follows."""
        if first.releases[place].law in (BIT, CHOICE):
            return True
        for far in (LARGE, -LARGE):
            recorded = list(first.releases)
            recorded[place] = recorded[place]._replace(output=recorded[place].output + far)
            try:
                if self.replayed(first._replace(releases=recorded), self.rewards):
                    return True
            except Diverged:
                return True
        return False


@dataclass
class Finding:
    """The result of the replays of a policy.

    `leak` is the first difference of actions, or the first release of two users' rewards where each
    user should report alone. `unbooked` is the first release that no entry of the ledger covers.
    `bound` is the largest loss of any output on any input, and `loss` that of the recorded outputs.
    `attained` is the largest number of releases that contain one reward.
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
        ledger = self.account.ledger or Ledger()
        return sum(each.times for each in ledger.worst(lambda each: each.times))

    @property
    def verdict(self) -> str:
        """The finding in words."""
        if self.account.ledger is None:
            return f"{NOT_PRIVATE}: {self.leak or 'no leak is found'}"
        return self.leak or self.unbooked or (AS_BOOKED if self.attained else NOTHING_RELEASED)

    def add(self, changes: list[Change], where: str) -> None:
        """Compare the releases that contain a changed reward with the ledger."""
        self.attained = max(self.attained, len(changes))
        self.loss = max(self.loss, sum(each.loss(value) for _, each, value in changes))
        if self.account.ledger is not None and not self.unbooked:
            self.bound = max(self.bound, _spent(self.account, changes))
            self.unbooked = next((f"{where}: {each}" for each in self._unbooked(changes)), "")

    def _unbooked(self, changes: list[Change]) -> Iterator[str]:
        """Describe the releases that the ledger does not cover."""
        for _, each, value in changes:
            bound = each.bound(value)
            losses = (
                one.loss for one in self.account.ledger.releases if one.law in (each.law, ANY)
            )
            if bound > (most := max(losses, default=0.0)) * CLOSE:
                booked = f"{most:.6g}" if most else "nothing"
                of = f"{each.law} of scale {each.scale:.6g}"
                yield f"a release ({of}) loses {bound:.6g}, and {booked} is booked"
        if len(changes) > self.booked:
            places = ", ".join(str(place + 1) for place, *_ in changes[: self.booked + 1])
            yield f"it is in the releases {places}, and in {self.booked} of the ledger"
        if self.bound > (spent := self.account.spent) * CLOSE:
            yield f"all releases lose {self.bound:.6g}, and {spent:.6g} is booked"


def _spent(account: Account, changes: list[Change]) -> float:
    """The epsilon that these releases cost, at the delta of the promise."""
    ledger = Ledger()
    for _, each, value in changes:
        law, scale = (each.law, each.scale) if each.law in UNBOUNDED else (ANY, 1.0)
        ledger.book(1, 1, each.bound(value) * scale, scale, law)
    return ledger.spent(account.delta)


def find(policy: Policy, horizon: int, number_of_arms: int, every: bool = False) -> Finding:
    """Replay a policy on neighbouring inputs.

    Parameters
    ----------
    policy : Policy
        A policy with a promise.
    horizon, number_of_arms : int
        The game.
    every : bool, default False
        Whether every reward of one game is changed, and not several ones of two games.
    """
    finding = Finding(policy.account(horizon, number_of_arms))
    # The audit draws reports, where a policy says how its users make them.
    is_local = finding.account.trust == "local" and not policy.reports(horizon, number_of_arms)
    games = policy.audit_games()
    impossible = () if games.legal_rewards_only or every else (LARGE, -LARGE)
    for name in ["random rewards"] if every else BACKGROUNDS:
        rewards = rewards_of(BACKGROUNDS[name], horizon, number_of_arms)
        trial = Trial(policy, rewards, horizon)
        first, reporter = trial.play(), {}
        for user in users(first, horizon, number_of_arms, every):
            for changed in (1 - rewards[user], *impossible):  # the user is paid for one arm only
                neighbour = rewards.copy()
                neighbour[user] = changed
                becomes = " or ".join(f"{reward:g}" for reward in np.unique(changed))
                where = f"{name}, of which reward {user + 1} becomes {becomes}"
                try:
                    changes = trial.replayed(first, neighbour)
                except Diverged as reason:
                    finding.leak = finding.leak or f"{where}: {reason}"
                    continue
                if np.ndim(changed):
                    if games.drops_releases:
                        changes = [each for each in changes if trial.is_used(first, each[0])]
                    finding.add(changes, where)
                    if is_local:
                        finding.leak = finding.leak or _shared(changes, user, reporter)
    return finding


def _shared(changes: list[Change], user: int, reporter: dict[int, int]) -> str:
    """Describe the first release that contains another user's reward, too; note the others."""
    for place, *_ in changes:
        if (other := reporter.setdefault(place, user)) != user:
            both = f"rewards {other + 1} and {user + 1}"
            return f"release {place + 1} contains {both}, and a user reports one"
    return ""


def users(first: Play, horizon: int, arms: int, every: bool) -> list[int]:
    """The users (from 0) whose reward is changed, at several places of the game."""
    rounds = {2**k - 1 for k in range(horizon.bit_length())} | {1, 2 * horizon // 3, horizon - 1}
    rounds = range(horizon) if every else sorted(t for t in rounds if t < horizon)
    if first.users == horizon * arms:  # all rewards of a round are drawn in advance
        return [t * arms + int(first.actions[t]) for t in rounds]
    return [t for t in rounds if t < first.users]


def table(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """Replay the policies of these experiments that promise privacy, at an epsilon of 1.

    Parameters
    ----------
    experiments : iterable of Experiment
        The experiments.

    Returns
    -------
    DataFrame
        A row for each policy. `changes` says whether impossible rewards were tried, too. `booked`
        and `attained` are numbers of releases that contain one reward: the most in the ledger, and
        the most that an input reached.
    """
    return _replayed(mechanisms(experiments))


def table_of_guest(mechanisms: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return `table` with one row for each mechanism, which names all studies of the guest."""
    rows = _replayed(pd.DataFrame(mechanisms, columns=[*MECHANISM, "plays"]))
    studies = rows.groupby("mechanism")["study"].transform(lambda x: ", ".join(x.unique()))
    return rows.assign(study=studies).drop_duplicates()


def _replayed(entries: pd.DataFrame) -> pd.DataFrame:
    rows = [{"plays": policy} | row(policy) for policy in entries["plays"].unique()]
    numbers = pd.DataFrame(rows, columns=["plays", *MEASURED])
    return entries.merge(numbers, on="plays").drop(columns="plays")


def of(policy: Policy) -> dict[str, Any]:
    """Replay a policy in a process of its own.

    Parameters
    ----------
    policy : Policy
        A policy that promises privacy. Its class is in a module that Python can import.

    Returns
    -------
    dict
        The columns of the table of replays that follow from the policy.

    Raises
    ------
    InputError
        If the class is in no module, or promises nothing.

    Examples
    --------
    >>> from dpbandits.audit import replay
    >>> from dpbandits.policies import DPSE
    >>> replay.of(DPSE(epsilon=1))["finding"]
    'as booked'
    """
    if type(policy).__module__ == "__main__":
        raise InputError(f"replay: {policy!r}: write its class into a module, and import it")
    if policy.account(SHORT.horizon, SHORT.arms) is None:
        raise InputError(f"replay: {policy!r} promises no privacy; write the method 'privacy'")
    return in_plain_python(row, policy)


def row(policy: Policy) -> dict[str, Any]:
    """The columns that follow from a policy."""
    result = {}
    try:
        games = games_of(policy)
        setting = games.settings[-1]
        changed, T = replace(policy, **setting.changes), max(setting.horizon, ROUNDS[policy.family])
        result = {
            "epsilon": in_tables(policy.account(T, setting.arms).epsilon),
            "arms": setting.arms,
            "rounds": T,
            "changes": "legal" if games.legal_rewards_only else "any",
        }
        changed.check(T, setting.arms)
        found = find(changed, T, setting.arms)
        short = find(changed, EVERY, setting.arms, every=True)
    except Exception as failure:  # a guest's first draft may fail in any way
        return result | {"finding": f"{NOT_REPLAYED}: {one_line(failure)}"}
    faults = [each.verdict for each in (found, short) if each.leak or each.unbooked]
    return result | {
        "bound": found.bound,
        "loss": found.loss,
        "spent": found.account.spent,
        "booked": found.booked,
        "attained": max(found.attained, short.attained),
        "finding": next(iter(faults), found.verdict),
    }

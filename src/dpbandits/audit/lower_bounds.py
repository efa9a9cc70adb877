"""The privacy of every policy, measured: a lower bound on its epsilon from what it publishes on neighbouring inputs.

Three taps are kept apart:

    action    the published actions, which the definitions of the papers promise to protect
    release   the noisy sums that the proofs publish, from which the actions follow
    report    what one user sends (local privacy)

A bound above the promise refutes the promise at the action and report taps, and the proof at the release tap. A bound
above the ledger would refute the ledger. The policy's own kernel plays (`kernels`); what it publishes is recorded (`tape`)
in short games (`settings`), and estimated (`estimation`).
"""

import inspect
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpbandits import algorithms
from dpbandits.audit import accounts, players, tape
from dpbandits.audit.audit_table import ABOVE_LEDGER, ABOVE_PROMISE, WITHIN
from dpbandits.audit.estimation import (
    Bound,
    Choice,
    best_level,
    best_set,
    bounds,
    level_bound,
    measured,
    resolvable,
    set_bound,
)
from dpbandits.audit.promises import account_of, promise_of
from dpbandits.audit.settings import settings_of
from dpbandits.errors import InputError, nearest
from dpbandits.kernels.streams import stream
from dpbandits.parameters import as_numbers
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.releases import SHORT, AuditSettings, Releases, Setting
from dpbandits.studies.model import Effort, is_of_the_paper
from dpbandits.studies.study import Experiment, Series

COLUMNS = [
    "policy", "label", "reading", "tap", "epsilon", "delta", "ledger", "drawn", "audited", "confidence", "games",
    "resolvable", "event", "pair", "finding",
]  # fmt: skip
CONFIDENCE = 0.999  # that no bound of a paper's table is too large
TAPS = ("action", "release", "report")
SEARCH, SUSPECTED_SEARCH = 16, 2  # times fewer games in the search for the pair of inputs (ledger above the promise: 2)
ONE_BY_ONE = 16  # times fewer games where a policy calls several kernels, which takes thirty times as long
COUNTED_AT_ONCE = 100_000  # games of which only the number of an event is kept


def effort(settings: Mapping[str, Any], grid: Iterable[float] = ()) -> Effort:
    """The effort of a scale in config/config.yaml, at the epsilons of this grid if it is not empty."""
    chosen, epsilons = Effort(**settings), list(grid)
    return chosen.model_copy(update={"epsilons": epsilons, "supplement": epsilons}) if epsilons else chosen


@dataclass(frozen=True)
class Mechanism:
    """An algorithm with all its parameters but epsilon, which the grid replaces where `budget` names it."""

    algorithm: str
    parameters: tuple[tuple[str, Any], ...]
    budget: str

    def with_epsilon(self, epsilon: float | None) -> dict[str, Any]:
        """The parameters at one epsilon of the grid."""
        return {**dict(self.parameters), **({} if epsilon is None else {self.budget: epsilon})}

    def releases(self, epsilon: float | None) -> Releases | None:
        """What is released, as `privacy` says."""
        account = self.account(SHORT, epsilon)
        return account and account.releases

    def settings(self, epsilon: float | None) -> AuditSettings:
        """The games that audit it."""
        return settings_of(self.algorithm, self.releases(epsilon), epsilon or 1.0, dict(self.parameters))

    def account(self, setting: Setting, epsilon: float | None) -> Account | None:
        """The promise and the ledger for games in this setting; None if nothing is promised."""
        given = {**self.with_epsilon(epsilon), **setting.changes}
        return promise_of(self.algorithm, given, setting.horizon, setting.arms)


@dataclass(frozen=True)
class Result:
    """What an audit measured, before it is assigned to the policies that it is about.

    `drawn` is the largest sum of losses of a game by the noise that the kernel drew; it is nan at the other taps.
    """

    tap: str
    account: Account
    bound: Bound
    games: int
    alpha: float
    event: str
    pair: str
    drawn: float = math.nan

    def row(self) -> dict[str, Any]:
        """The columns of the table, with as many digits as mean something."""
        account, ledger, bound = self.account, self.account.spent, self.bound
        pure = math.inf if account.ledger is None else account.ledger.basic()  # for delta = 0, as `drawn`
        could = resolvable(account.epsilon, bound.games, self.alpha, account.delta)
        audited = math.floor(bound.epsilon * 1e4) / 1e4
        if audited > ledger * (1 + 1e-9) or self.drawn > pure * (1 + 1e-9):
            verdict = ABOVE_LEDGER
        else:
            verdict = ABOVE_PROMISE if audited > account.epsilon else WITHIN
        return {
            "tap": self.tap,
            "epsilon": float(f"{account.epsilon:.6g}"),
            "delta": float(f"{account.delta:.6g}"),
            "ledger": float(f"{ledger:.9g}"),
            "drawn": float(f"{self.drawn:.9g}"),
            "audited": audited,
            "confidence": CONFIDENCE,
            "games": self.games,
            "resolvable": math.floor(could * 1e4) / 1e4,
            "event": f"{self.event}: {bound.hits[0]} against {bound.hits[1]} of {bound.games}",
            "pair": self.pair,
            "finding": verdict,
        }


def table(experiments: Iterable[Experiment], seed: int, effort: Effort) -> pd.DataFrame:
    """Audit every policy of these experiments that promises privacy; equal mechanisms are audited once."""
    experiments = list(experiments)
    entries = list(policies(experiments))
    mechanisms = list(dict.fromkeys(mechanism for _, mechanism in entries))
    of_the_paper = {m for _, m in policies(e for e in experiments if is_of_the_paper(e.id))}
    jobs = {m: list(_jobs(m, effort.epsilons if m in of_the_paper else effort.supplement)) for m in mechanisms}
    alpha = (1 - CONFIDENCE) / max(1, sum(len(each) for each in jobs.values()))
    results = {m: [audit(m, tap, epsilon, alpha, seed, effort) for tap, epsilon in jobs[m]] for m in mechanisms}
    rows = [{**entry, **result.row()} for entry, mechanism in entries for result in results[mechanism]]
    return pd.DataFrame(rows, columns=COLUMNS)


def policies(experiments: Iterable[Experiment]) -> Iterator[tuple[dict[str, str], Mechanism]]:
    """Every policy that promises privacy, with its label and reading, and its mechanism; each combination once."""
    known = set()
    for experiment in experiments:
        for policy in experiment.policies:
            alike: dict[tuple, list[Series]] = {}
            for series in policy.series:
                if promises(mechanism_of(series), series.parameters.get("epsilon")):
                    alike.setdefault(accounts.words_of(series), []).append(series)
            groups = list(alike.values())
            for label, members in zip(accounts.distinct_labels(groups) if groups else [], groups, strict=True):
                mechanism = mechanism_of(members[0])
                entry = {"policy": policy.id, "label": label, "reading": experiment.reading or "both"}
                if (*entry.values(), mechanism) not in known:
                    known.add((*entry.values(), mechanism))
                    yield entry, mechanism


def promises(mechanism: Mechanism, epsilon: float | None) -> bool:
    """Whether a mechanism promises privacy in the audit's own games."""
    return mechanism.account(SHORT, epsilon) is not None


def mechanism_of(series: Series) -> Mechanism:
    """The mechanism of a series: all values that its actions depend on, with the defaults of those not given."""
    play = algorithms.find(series.algorithm).play
    given = as_numbers(play, series.parameters)
    budget = "epsilon" if "epsilon" in inspect.signature(play).parameters else ""
    given.pop(budget, None)
    return Mechanism(series.algorithm, tuple(sorted(given.items())), budget)


def taps_of(mechanism: Mechanism) -> list[str]:
    """The taps that a mechanism has."""
    epsilon = 1.0 if mechanism.budget else None
    taps = ["action", *(["release"] if mechanism.settings(epsilon).releases else [])]
    return [*taps, "report"] if mechanism.releases(epsilon) == "reports" else taps


def check(mechanism: Mechanism, tap: str) -> None:
    """Raise InputError for an audit that cannot be done."""
    name, given = mechanism.algorithm, mechanism.with_epsilon(1.0 if mechanism.budget else None)
    account_of(name, given, SHORT.horizon, SHORT.arms)
    if tap not in TAPS:
        raise InputError(f"tap '{tap}': {nearest(tap, TAPS)}")
    if tap not in taps_of(mechanism):
        raise InputError(f"algorithm '{name}' has no tap '{tap}'; it has: {', '.join(taps_of(mechanism))}")


def _jobs(mechanism: Mechanism, epsilons: Sequence[float]) -> Iterator[tuple[str, float | None]]:
    for epsilon in epsilons if mechanism.budget else (None,):
        try:
            if mechanism.budget:
                _check_epsilon(mechanism, epsilon)
        except InputError:
            continue  # such as an epsilon for which DP-UCB-INT is not defined
        for tap in taps_of(mechanism):
            yield tap, epsilon


def _check_epsilon(mechanism: Mechanism, epsilon: float) -> None:
    """Raise InputError for an epsilon that the algorithm does not accept in the audit's own games."""
    module, settings = algorithms.find(mechanism.algorithm), mechanism.settings(epsilon)
    if hasattr(module, "check"):
        for setting in (*settings.actions, *settings.releases):
            module.check(setting.horizon, setting.arms, **{**mechanism.with_epsilon(epsilon), **setting.changes})


def audit(mechanism: Mechanism, tap: str, epsilon: float | None, alpha: float, seed: int, effort: Effort) -> Result:
    """Audit one tap of a mechanism at one epsilon: search for the pair of inputs, then measure on new games."""
    check(mechanism, tap)
    rng = stream(seed, "audit", mechanism.algorithm, repr(mechanism.parameters), tap, repr(epsilon))
    if tap == "report":
        return _audit_reports(mechanism, epsilon, alpha, rng, effort)
    settings, releases = mechanism.settings(epsilon), mechanism.releases(epsilon)
    kind, games = (tape.ACTIONS, settings.actions) if tap == "action" else (tape.KINDS[releases], settings.releases)
    pairs = [pair for setting in games for pair in _search(mechanism, tap, epsilon, setting, kind, alpha, rng, effort)]
    best = max(pairs, key=lambda pair: pair.score)
    bound, number, event = _measure(best, alpha, effort)
    if releases is None:
        event = f"{event} (actions only: its privacy says nothing about releases)"
    drawn = best.player.drawn if tap == "release" else math.nan
    return Result(tap, best.account, bound, number, alpha, event, str(best), drawn)


def number_of_games(effort: Effort, setting: Setting, fast: bool) -> int:
    """The number of games on either input in this setting: fewer where a game has many rounds."""
    number = min(effort.games, effort.rounds // (setting.played or setting.horizon))
    return max(64, number // (1 if fast else ONE_BY_ONE))


@dataclass(frozen=True)
class Pair:
    """Two neighbouring inputs in one order, and what the games of the search showed of them."""

    tap: str
    player: players.Player
    account: Any
    number: int  # games of the search on either input
    background: str
    canary: int
    order: int
    choice: Choice

    @property
    def score(self) -> float:
        """The bound from the games of the search, in units of the promise."""
        return self.choice.epsilon / self.account.epsilon

    @property
    def suspected(self) -> bool:
        """Whether the ledger is above the promise."""
        return self.account.spent > self.account.epsilon * (1 + 1e-9)

    def samples(self, number: int) -> tuple:
        """What is published in as many new games on either input."""
        tables = self.player.setting.rewards(self.background, self.canary)
        return _samples(self.player, tables, self.canary, number, self.tap)[self.order]

    def counted_again(self) -> "Pair":
        """The same with the event's frequency in new games: in those that it was chosen from it is too large."""
        samples = self.samples(self.number)
        event = self.choice.event
        hits = [int((np.isin(each, event) if self.tap == "action" else each >= event).sum()) for each in samples]
        return replace(self, choice=self.choice._replace(hits=tuple(hits)))

    def __str__(self) -> str:
        return f"{self.player.setting.words(self.background, self.canary)}; order {self.order + 1}"


def _search(
    mechanism: Mechanism,
    tap: str,
    epsilon: float | None,
    setting: Setting,
    kind: int,
    alpha: float,
    rng: Any,
    effort: Effort,
) -> Iterator[Pair]:
    """All pairs of inputs of a setting in either order, in fewer games than the best pair gets."""
    account = mechanism.account(setting, epsilon)
    player = players.player(mechanism.algorithm, mechanism.with_epsilon(epsilon), setting, kind, rng)
    best_event = best_set if tap == "action" else best_level
    for background in setting.backgrounds:
        for canary in setting.canaries:
            tables = setting.rewards(background, canary)
            pair = Pair(tap, player, account, 0, background, canary, 0, Choice(0.0, None, (0, 0)))
            fewer = SUSPECTED_SEARCH if pair.suspected else SEARCH
            number = max(32, number_of_games(effort, setting, player.fast) // fewer)
            for order, samples in enumerate(_samples(player, tables, canary, number, tap)):
                yield replace(pair, number=number, order=order, choice=best_event(*samples, alpha, account.delta))


def _measure(pair: Pair, alpha: float, effort: Effort) -> tuple[Bound, int, str]:
    """The bound from new games, their number, and the event.

    Where the ledger is above the promise there are as many as it takes to show that.
    """
    account, player = pair.account, pair.player
    number = number_of_games(effort, player.setting, player.fast)
    if pair.suspected:
        pair = pair.counted_again()
        if effort.certain and pair.tap == "action" and player.fast and pair.choice.hits == (pair.number, 0):
            return _count(pair, effort.certain, alpha)
        number = max(number, games_worth_playing(pair, number * effort.suspected, alpha))
    samples = pair.samples(number)
    if pair.tap == "action":
        bound, event = set_bound(*samples, alpha, account.delta)
        says = f"{len(event)} sequences of actions"
    else:
        bound, event = level_bound(*samples, alpha, account.delta)
        says = f"log-ratio of the releases at least {event:.4g}"
    return bound, 2 * number, says


def games_worth_playing(pair: Pair, most: int, alpha: float) -> int:
    """Twice the number of games that shows a loss a tenth above the promise if the event is as frequent as it was; `most`
    if that is close; 0 if `most` games show less than nine tenths of the promise."""
    promise, delta = pair.account.epsilon, pair.account.delta

    def shown(number: int) -> float:
        hits, other = (number // 2 * count / pair.number for count in pair.choice.hits)
        return float(bounds(hits, other, number // 2, alpha, delta))

    if shown(most) < 0.9 * promise:
        return 0
    few = next((each for each in (most // 32, most // 16, most // 8) if shown(each) > 1.1 * promise), most // 2)
    return 2 * few


def _count(pair: Pair, number: int, alpha: float) -> tuple[Bound, int, str]:
    """The same for the event that the search has chosen, which is counted in at least as many games."""
    hits = np.zeros(2, np.int64)
    times = -(-number // COUNTED_AT_ONCE)
    for _ in range(times):
        hits += [np.isin(each, pair.choice.event).sum() for each in pair.samples(COUNTED_AT_ONCE)]
    bound = measured(hits.tolist(), times * COUNTED_AT_ONCE, alpha, pair.account.delta)
    says = f"{len(pair.choice.event)} sequences of actions"
    return bound, 2 * bound.games, says


def _samples(player: players.Player, tables: tuple, canary: int, number: int, tap: str) -> list[tuple]:
    """What is published on both inputs, in both orders."""
    one, other = (player.sample(*pair, canary, number) for pair in (tables, tables[::-1]))
    if tap == "action":
        return [(one.actions, other.actions), (other.actions, one.actions)]
    return [(one.ratios, -other.ratios), (other.ratios, -one.ratios)]


def _audit_reports(mechanism: Mechanism, epsilon: float | None, alpha: float, rng: Any, effort: Effort) -> Result:
    """The reports of a user whose reward is 0 or 1: the event is that a report is at least, or at most, a level."""
    setting = Setting(arms=2, horizon=8)
    account = mechanism.account(setting, epsilon)
    rules = players.reporting_rules(mechanism.algorithm, mechanism.with_epsilon(epsilon))
    best: tuple = (-1.0,)
    for phase, rule in rules.items():
        sample = {r: players.reports(rule, r, effort.users // SEARCH, rng) for r in (0.0, 1.0)}
        for reward in (0.0, 1.0):
            sign = 2 * reward - 1
            score = best_level(sign * sample[reward], sign * sample[1 - reward], alpha, 0.0).epsilon
            if score > best[0]:
                best = (score, phase, reward)
    _, phase, reward = best
    sign = 2 * reward - 1
    bound, level = level_bound(
        *(sign * players.reports(rules[phase], r, effort.users, rng) for r in (reward, 1 - reward)), alpha, 0.0
    )
    event = f"a report of at {'least' if sign > 0 else 'most'} {sign * level:.4g}"
    pair = f"{phase}; reward {reward:g} or {1 - reward:g}"
    return Result("report", account, bound, 2 * effort.users, alpha, event, pair)

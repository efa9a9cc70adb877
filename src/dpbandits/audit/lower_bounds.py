"""The privacy of every policy, measured: a lower bound on its epsilon from what it publishes on neighbouring inputs.

Three taps are kept apart:

    action    the published actions, which the definitions of the papers promise to protect
    release   the noisy sums that the proofs publish, from which the actions follow
    report    what one user sends (local privacy)

A bound above the promise refutes the promise at the action and report taps, and the proof at the release tap. A bound
above the ledger would refute the ledger. The policy's own kernel plays (`_kernels`); what it publishes is recorded
(`_tape`) in games that a design describes (`designs`), and estimated (`estimation`).
"""

import inspect
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpbandits import algorithms
from dpbandits.audit import accounts, players
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
from dpbandits.audit.settings import GRID, Design, Setting, design
from dpbandits.errors import InputError, nearest
from dpbandits.kernels.streams import stream
from dpbandits.parameters import as_numbers
from dpbandits.privacy.ledger import Account
from dpbandits.studies.model import is_of_the_paper
from dpbandits.studies.study import Experiment, Series

COLUMNS = [
    "policy", "label", "reading", "tap", "epsilon", "delta", "ledger", "drawn", "audited", "confidence", "games",
    "resolvable", "event", "pair", "finding",
]  # fmt: skip
CONFIDENCE = 0.999  # that no bound of a paper's table is too large
TAPS = ("action", "release", "report")


@dataclass(frozen=True)
class Effort:
    """The number of games on either input; fewer where a game has many rounds, more where the ledger is above the promise."""

    games: int
    rounds: int
    users: int
    grid: tuple[float, ...] = GRID
    supplement: tuple[float, ...] = (GRID[1], GRID[-1])  # for policies that only supplementary figures show
    suspected: int = 16  # times as many at most, where the ledger is above the promise
    certain: int = 0  # games where all games of the search told the inputs apart: their number limits the bound
    search: int = 16  # times fewer in the search for the pair of inputs, twice where suspected
    one_by_one: int = 16  # times fewer where a policy calls several kernels, which takes thirty times as long

    def of(self, setting: Setting, fast: bool = True) -> int:
        """The number of games in this setting."""
        number = min(self.games, self.rounds // (setting.played or setting.horizon))
        return max(64, number // (1 if fast else self.one_by_one))

    def of_search(self, number: int, is_suspected: bool) -> int:
        """The number of games on each pair of inputs, where `number` are played on the best one."""
        return max(32, number // (self.search // 8 if is_suspected else self.search))


EFFORTS = {
    "paper": Effort(games=12_000, rounds=400_000, users=2_000_000, suspected=32, certain=2_100_000),
    "draft": Effort(games=4_000, rounds=200_000, users=400_000),
    "smoke": Effort(games=2_000, rounds=50_000, users=100_000, grid=(0.2, 1.0), supplement=(0.2, 1.0), suspected=4),
}
BLOCK = 100_000  # games of an event that is counted, whose samples are not kept


def effort(scale: str, grid: Iterable[float] = ()) -> Effort:
    """The effort of a scale, at the epsilons of this grid if it is not empty."""
    chosen = EFFORTS[scale]
    return replace(chosen, grid=tuple(grid), supplement=tuple(grid)) if grid else chosen


@dataclass(frozen=True)
class Mechanism:
    """An algorithm with all its parameters but epsilon, which the grid replaces where `budget` names it."""

    algorithm: str
    parameters: tuple[tuple[str, Any], ...]
    budget: str

    def with_epsilon(self, epsilon: float | None) -> dict[str, Any]:
        """The parameters at one epsilon of the grid."""
        return {**dict(self.parameters), **({} if epsilon is None else {self.budget: epsilon})}

    def account(self, setting: Setting, epsilon: float | None) -> Account | None:
        """The promise and the ledger for games in this setting; None if nothing is promised."""
        given = {**self.with_epsilon(epsilon), **setting.changes}
        return promise_of(self.algorithm, given, setting.horizon, setting.arms)


@dataclass(frozen=True)
class Finding:
    """A measured row, before it is assigned to the policies that it is about.

    `pure` is the ledger's sum of losses for delta = 0; `drawn` is the same sum from the noise that the kernel drew.
    """

    tap: str
    epsilon: float
    delta: float
    ledger: float
    pure: float
    drawn: float
    bound: Bound
    games: int
    resolvable: float
    event: str
    pair: str


def table(experiments: Iterable[Experiment], seed: int, effort: Effort) -> pd.DataFrame:
    """Audit every policy of these experiments that promises privacy; equal mechanisms are audited once."""
    experiments = list(experiments)
    entries = list(policies(experiments))
    mechanisms = list(dict.fromkeys(mechanism for _, mechanism in entries))
    of_the_paper = {m for _, m in policies(e for e in experiments if is_of_the_paper(e.id))}
    jobs = {m: list(_jobs(m, effort.grid if m in of_the_paper else effort.supplement)) for m in mechanisms}
    alpha = (1 - CONFIDENCE) / max(1, sum(len(each) for each in jobs.values()))
    found = {m: [audit(m, tap, epsilon, alpha, seed, effort) for tap, epsilon in jobs[m]] for m in mechanisms}
    rows = [{**entry, **_row(finding)} for entry, mechanism in entries for finding in found[mechanism]]
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
    return mechanism.account(_design(mechanism, epsilon).actions[0], epsilon) is not None


def mechanism_of(series: Series) -> Mechanism:
    """The mechanism of a series: all values that its actions depend on, with the defaults of those not given."""
    play = algorithms.find(series.algorithm).play
    given = as_numbers(play, series.parameters)
    budget = "epsilon" if "epsilon" in inspect.signature(play).parameters else ""
    given.pop(budget, None)
    return Mechanism(series.algorithm, tuple(sorted(given.items())), budget)


def taps_of(mechanism: Mechanism) -> list[str]:
    """The taps that a mechanism has."""
    epsilon = GRID[2] if mechanism.budget else None
    games_of = _design(mechanism, epsilon)
    has = {
        "action": bool(games_of.actions),
        "release": bool(games_of.releases),
        "report": bool(players.reporting_rules(mechanism.algorithm, mechanism.with_epsilon(epsilon))),
    }
    return [tap for tap in TAPS if has[tap]]


def check(mechanism: Mechanism, tap: str, effort: Effort) -> None:
    """Raise InputError for an audit that cannot be done."""
    name, epsilon = mechanism.algorithm, GRID[2] if mechanism.budget else None
    setting = _design(mechanism, epsilon).actions[0]
    account_of(name, mechanism.with_epsilon(epsilon), setting.horizon, setting.arms)
    if tap not in TAPS:
        raise InputError(f"tap '{tap}': {nearest(tap, TAPS)}")
    if tap not in taps_of(mechanism):
        raise InputError(f"algorithm '{name}' has no tap '{tap}'; it has: {', '.join(taps_of(mechanism))}")
    for key in ("games", "users", "rounds"):
        if getattr(effort, key) < 1:
            raise InputError(
                f"{key}: {getattr(effort, key)} should be at least 1; an audit without games finds nothing"
            )


def _jobs(mechanism: Mechanism, grid: tuple[float, ...]) -> Iterator[tuple[str, float | None]]:
    for epsilon in grid if mechanism.budget else (None,):
        try:
            if mechanism.budget == "epsilon":
                _check_epsilon(mechanism, epsilon)
        except InputError:
            continue  # such as an epsilon for which DP-UCB-INT is not defined
        for tap in taps_of(mechanism):
            yield tap, epsilon


def _check_epsilon(mechanism: Mechanism, epsilon: float) -> None:
    """Raise InputError for an epsilon that the algorithm does not accept in the audit's own games."""
    module = algorithms.find(mechanism.algorithm)
    for setting in (*_design(mechanism, epsilon).actions, *_design(mechanism, epsilon).releases):
        if hasattr(module, "check"):
            signature = inspect.signature(module.play).parameters
            defaults = {k: p.default for k, p in signature.items() if p.kind is p.KEYWORD_ONLY}
            module.check(
                setting.horizon, setting.arms, **{**defaults, **mechanism.with_epsilon(epsilon), **setting.changes}
            )


def _design(mechanism: Mechanism, epsilon: float | None) -> Design:
    return design(mechanism.algorithm, epsilon or 1.0, dict(mechanism.parameters))


def audit(mechanism: Mechanism, tap: str, epsilon: float | None, alpha: float, seed: int, effort: Effort) -> Finding:
    """Audit one tap of a mechanism at one epsilon: search for the pair of inputs, then measure on new games."""
    check(mechanism, tap, effort)
    rng = stream(seed, "audit", mechanism.algorithm, repr(mechanism.parameters), tap, repr(epsilon))
    if tap == "report":
        return _audit_reports(mechanism, epsilon, alpha, rng, effort)
    chosen = _design(mechanism, epsilon)
    kind, settings = (0, chosen.actions) if tap == "action" else (chosen.kind, chosen.releases)
    found = [
        each for setting in settings for each in _search(mechanism, tap, epsilon, setting, kind, alpha, rng, effort)
    ]
    best = max(found, key=lambda each: each.score)
    bound, number, event = _measure(best, alpha, effort)
    return _finding(tap, best.account, best.player.drawn, bound, number, alpha, event, str(best))


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
            number = effort.of_search(effort.of(setting, player.fast), pair.suspected)
            for order, samples in enumerate(_samples(player, tables, canary, number, tap)):
                yield replace(pair, number=number, order=order, choice=best_event(*samples, alpha, account.delta))


def _measure(pair: Pair, alpha: float, effort: Effort) -> tuple[Bound, int, str]:
    """The bound from new games, their number, and the event.

    Where the ledger is above the promise there are as many as it takes to show that.
    """
    account, player = pair.account, pair.player
    number = effort.of(player.setting, player.fast)
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
    """The same for an event that the search has chosen: it is counted in blocks of games."""
    hits = np.zeros(2, np.int64)
    blocks = -(-number // BLOCK)
    for _ in range(blocks):
        hits += [np.isin(each, pair.choice.event).sum() for each in pair.samples(BLOCK)]
    bound = measured(hits.tolist(), blocks * BLOCK, alpha, pair.account.delta)
    says = f"{len(pair.choice.event)} sequences of actions"
    return bound, 2 * bound.games, says


def _samples(player: players.Player, tables: tuple, canary: int, number: int, tap: str) -> list[tuple]:
    """What is published on both inputs, in both orders."""
    one, other = (player.sample(*pair, canary, number) for pair in (tables, tables[::-1]))
    player.drawn = max(getattr(player, "drawn", 0.0), one.drawn, other.drawn)
    if tap == "action":
        return [(one.actions, other.actions), (other.actions, one.actions)]
    return [(one.ratios, -other.ratios), (other.ratios, -one.ratios)]


def _audit_reports(mechanism: Mechanism, epsilon: float | None, alpha: float, rng: Any, effort: Effort) -> Finding:
    """The reports of a user whose reward is 0 or 1: the event is that a report is at least, or at most, a level."""
    setting = Setting(arms=2, horizon=8)
    account = mechanism.account(setting, epsilon)
    rules = players.reporting_rules(mechanism.algorithm, mechanism.with_epsilon(epsilon))
    best: tuple = (-1.0,)
    for phase, rule in rules.items():
        sample = {r: players.reports(rule, r, effort.users // effort.search, rng) for r in (0.0, 1.0)}
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
    return _finding("report", account, math.nan, bound, 2 * effort.users, alpha, event, pair)


def _finding(
    tap: str, account: Any, drawn: float, bound: Bound, number: int, alpha: float, event: str, pair: str
) -> Finding:
    can = resolvable(account.epsilon, bound.games, alpha, account.delta)
    drawn = drawn if tap == "release" else math.nan
    pure = math.inf if account.ledger is None else account.ledger.basic()
    return Finding(tap, account.epsilon, account.delta, account.spent, pure, drawn, bound, number, can, event, pair)


def _row(finding: Finding) -> dict[str, Any]:
    """The columns of a finding, with as many digits as mean something."""
    audited = math.floor(finding.bound.epsilon * 1e4) / 1e4
    if audited > finding.ledger * (1 + 1e-9) or finding.drawn > finding.pure * (1 + 1e-9):
        verdict = ABOVE_LEDGER
    else:
        verdict = ABOVE_PROMISE if audited > finding.epsilon else WITHIN
    return {
        "tap": finding.tap,
        "epsilon": float(f"{finding.epsilon:.6g}"),
        "delta": float(f"{finding.delta:.6g}"),
        "ledger": float(f"{finding.ledger:.9g}"),
        "drawn": float(f"{finding.drawn:.9g}"),
        "audited": audited,
        "confidence": CONFIDENCE,
        "games": finding.games,
        "resolvable": math.floor(finding.resolvable * 1e4) / 1e4,
        "event": f"{finding.event}: {finding.bound.hits[0]} against {finding.bound.hits[1]} of {finding.bound.games}",
        "pair": finding.pair,
        "finding": verdict,
    }

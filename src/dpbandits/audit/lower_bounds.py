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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpbandits import algorithms
from dpbandits.audit import accounts, players, tape
from dpbandits.audit.audit_table import ABOVE_LEDGER, ABOVE_PROMISE, NOT_AUDITED, WITHIN
from dpbandits.audit.estimation import (
    Bound,
    Choice,
    best_level,
    best_set,
    bound_of,
    bounds,
    hits_of,
    measured,
    resolvable,
)
from dpbandits.audit.kernels import NotAudited
from dpbandits.audit.promises import promise_of
from dpbandits.audit.settings import settings_of
from dpbandits.errors import InputError
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


@dataclass(frozen=True)
class NoResult:
    """A tap of a policy whose games cannot be played, and why."""

    tap: str
    account: Account
    reason: str

    def row(self) -> dict[str, Any]:
        """The columns of the table that do not come from games."""
        account = self.account
        return {
            "tap": self.tap,
            "epsilon": float(f"{account.epsilon:.6g}"),
            "delta": float(f"{account.delta:.6g}"),
            "ledger": float(f"{account.spent:.9g}"),
            "games": 0,
            "finding": f"{NOT_AUDITED}: {self.reason}",
        }


def table(experiments: Iterable[Experiment], seed: int, effort: Effort) -> pd.DataFrame:
    """Audit every policy of these experiments that promises privacy; equal mechanisms are audited once."""
    experiments = list(experiments)
    entries = list(policies(experiments))
    mechanisms = list(dict.fromkeys(mechanism for _, mechanism in entries))
    of_the_paper = {m for _, m in policies(e for e in experiments if is_of_the_paper(e.id))}
    jobs = {m: list(_jobs(m, effort.epsilons if m in of_the_paper else effort.supplement)) for m in mechanisms}
    alpha = (1 - CONFIDENCE) / max(1, sum(len(each) for each in jobs.values()))
    results = {m: [_audited(m, tap, epsilon, alpha, seed, effort) for tap, epsilon in jobs[m]] for m in mechanisms}
    rows = [{**entry, **result.row()} for entry, mechanism in entries for result in results[mechanism]]
    return pd.DataFrame(rows, columns=COLUMNS)


def policies(experiments: Iterable[Experiment]) -> Iterator[tuple[dict[str, str], Mechanism]]:
    """Every policy that promises privacy, with its label and reading, and its mechanism; each combination once."""
    known = set()
    for experiment in experiments:
        for policy in experiment.policies:
            private = [s for s in policy.series if mechanism_of(s).account(SHORT, s.parameters.get("epsilon"))]
            for label, members in accounts.labelled(private):
                mechanism = mechanism_of(members[0])
                entry = {"policy": policy.id, "label": label, "reading": experiment.reading or "both"}
                if (*entry.values(), mechanism) not in known:
                    known.add((*entry.values(), mechanism))
                    yield entry, mechanism


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


def _jobs(mechanism: Mechanism, epsilons: Sequence[float]) -> Iterator[tuple[str, float | None]]:
    """Every tap at every epsilon that the algorithm accepts in the audit's own games: DP-UCB-INT does not accept all."""
    module = algorithms.find(mechanism.algorithm)
    for epsilon in epsilons if mechanism.budget else (None,):
        try:
            settings = mechanism.settings(epsilon)
            if mechanism.budget and hasattr(module, "check"):
                for setting in (*settings.actions, *settings.releases):
                    module.check(
                        setting.horizon, setting.arms, **{**mechanism.with_epsilon(epsilon), **setting.changes}
                    )
        except InputError:
            continue
        for tap in taps_of(mechanism):
            yield tap, epsilon


def _audited(
    mechanism: Mechanism, tap: str, epsilon: float | None, alpha: float, seed: int, effort: Effort
) -> Result | NoResult:
    """The audit of one tap, or the reason why there is none."""
    try:
        return audit(mechanism, tap, epsilon, alpha, seed, effort)
    except NotAudited as reason:
        return NoResult(tap, mechanism.account(SHORT, epsilon), str(reason))


def audit(mechanism: Mechanism, tap: str, epsilon: float | None, alpha: float, seed: int, effort: Effort) -> Result:
    """Audit one tap of a mechanism at one epsilon: search for the pair of inputs, then measure on new games."""
    rng = stream(seed, "audit", mechanism.algorithm, repr(mechanism.parameters), tap, repr(epsilon))
    if tap == "report":
        return _audit_reports(mechanism, epsilon, alpha, rng, effort)
    settings, releases = mechanism.settings(epsilon), mechanism.releases(epsilon)
    kind, games = (tape.ACTIONS, settings.actions) if tap == "action" else (tape.KINDS[releases], settings.releases)
    pairs = []
    for setting in games:
        player = players.player(mechanism.algorithm, mechanism.with_epsilon(epsilon), setting, kind, rng)
        pairs += _search(player, mechanism.account(setting, epsilon), alpha, effort)
    best = max(pairs, key=lambda pair: pair.choice.epsilon / pair.account.epsilon)
    bound, number, event = _measure(best, alpha, effort)
    if releases is None:
        event = f"{event} (actions only: its privacy says nothing about releases)"
    drawn = best.player.drawn if tap == "release" else math.nan
    return Result(tap, best.account, bound, number, alpha, event, str(best), drawn)


def number_of_games(effort: Effort, player: players.Player) -> int:
    """The number of games on either input: fewer where a game has many rounds."""
    number = min(effort.games, effort.rounds // (player.setting.played or player.setting.horizon))
    return max(64, number // (1 if player.game else ONE_BY_ONE))


def events_of(player: players.Player) -> Callable[..., Choice]:
    """The choice of an event of what is published: a set of sequences of actions, or a level of the log-ratios."""
    return best_set if player.kind == tape.ACTIONS else best_level


@dataclass(frozen=True)
class Pair:
    """Two neighbouring inputs in one order, and the event that the games of the search showed of them."""

    player: players.Player
    account: Account
    number: int  # games of the search on either input
    background: str
    canary: int
    order: int
    choice: Choice

    def samples(self, number: int) -> tuple:
        """What is published in as many new games on either input."""
        return self.player.samples(self.background, self.canary, number)[self.order]

    def __str__(self) -> str:
        return f"{self.player.setting.words(self.background, self.canary)}; order {self.order + 1}"


def suspected(account: Account) -> bool:
    """Whether the ledger is above the promise."""
    return account.spent > account.epsilon * (1 + 1e-9)


def _search(player: players.Player, account: Account, alpha: float, effort: Effort) -> Iterator[Pair]:
    """All pairs of inputs of a setting in either order, in fewer games than the best pair gets."""
    fewer = SUSPECTED_SEARCH if suspected(account) else SEARCH
    number = max(32, number_of_games(effort, player) // fewer)
    for background in player.setting.backgrounds:
        for canary in player.setting.canaries:
            for order, samples in enumerate(player.samples(background, canary, number)):
                choice = events_of(player)(*samples, alpha, account.delta)
                yield Pair(player, account, number, background, canary, order, choice)


def _measure(pair: Pair, alpha: float, effort: Effort) -> tuple[Bound, int, str]:
    """The bound from new games, their number, and the event.

    Where the ledger is above the promise there are as many as it takes to show that.
    """
    account, player, (_, event) = pair.account, pair.player, pair.choice
    number, hits = number_of_games(effort, player), []
    if suspected(account):
        # Counted in new games: in those that the event was chosen from it is too frequent.
        hits = [hits_of(event, sample) for sample in pair.samples(pair.number)]
    if effort.certain and player.kind == tape.ACTIONS and player.game and hits == [pair.number, 0]:
        bound = _count(pair, effort.certain, alpha)
        number = bound.games
    else:
        if hits:
            number = max(number, games_worth_playing(pair, hits, number * effort.suspected, alpha))
        bound, event = bound_of(events_of(player), *pair.samples(number), alpha, account.delta)
    if player.kind == tape.ACTIONS:
        return bound, 2 * number, f"{len(event)} sequences of actions"
    return bound, 2 * number, f"log-ratio of the releases at least {event:.4g}"


def games_worth_playing(pair: Pair, hits: Sequence[int], most: int, alpha: float) -> int:
    """Twice the number of games that shows a loss a tenth above the promise if the event is as frequent as it was; `most`
    if that is close; 0 if `most` games show less than nine tenths of the promise."""
    promise, delta = pair.account.epsilon, pair.account.delta

    def shown(number: int) -> float:
        expected = (number // 2 * count / pair.number for count in hits)
        return float(bounds(*expected, number // 2, alpha, delta))

    if shown(most) < 0.9 * promise:
        return 0
    few = next((each for each in (most // 32, most // 16, most // 8) if shown(each) > 1.1 * promise), most // 2)
    return 2 * few


def _count(pair: Pair, number: int, alpha: float) -> Bound:
    """The bound from the event that the search has chosen, which is counted in at least as many games."""
    hits = np.zeros(2, np.int64)
    times = -(-number // COUNTED_AT_ONCE)
    for _ in range(times):
        hits += [hits_of(pair.choice.event, each) for each in pair.samples(COUNTED_AT_ONCE)]
    return measured(hits.tolist(), times * COUNTED_AT_ONCE, alpha, pair.account.delta)


def _audit_reports(mechanism: Mechanism, epsilon: float | None, alpha: float, rng: Any, effort: Effort) -> Result:
    """The reports of a user whose reward is 0 or 1: the event is that a report is at least, or at most, a level."""
    setting = Setting(arms=2, horizon=8)
    account = mechanism.account(setting, epsilon)
    rules = players.reporting_rules(mechanism.algorithm, mechanism.with_epsilon(epsilon))
    scores = {}
    for phase, rule in rules.items():
        sample = {r: players.reports(rule, r, effort.users // SEARCH, rng) for r in (0.0, 1.0)}
        for reward in (0.0, 1.0):
            sign = 2 * reward - 1
            scores[phase, reward] = best_level(sign * sample[reward], sign * sample[1 - reward], alpha, 0.0).epsilon
    phase, reward = max(scores, key=lambda pair: scores[pair])
    sign = 2 * reward - 1
    samples = (sign * players.reports(rules[phase], r, effort.users, rng) for r in (reward, 1 - reward))
    bound, level = bound_of(best_level, *samples, alpha, 0.0)
    event = f"a report of at {'least' if sign > 0 else 'most'} {sign * level:.4g}"
    pair = f"{phase}; reward {reward:g} or {1 - reward:g}"
    return Result("report", account, bound, 2 * effort.users, alpha, event, pair)

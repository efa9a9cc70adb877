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

import pandas as pd

from dpbandits import accounts, algorithms
from dpbandits.audit import games
from dpbandits.audit.designs import GRID, Design, Setting, design
from dpbandits.audit.estimation import Bound, best_level, best_set, level_bound, resolvable, set_bound
from dpbandits.errors import InputError, nearest
from dpbandits.papers.expanded import Experiment, Series
from dpbandits.randomness import stream

COLUMNS = [
    "policy", "label", "reading", "tap", "epsilon", "delta", "ledger", "drawn", "audited", "confidence", "games",
    "resolvable", "event", "pair", "finding",
]  # fmt: skip
CONFIDENCE = 0.999  # that no bound of a paper's table is too large
TAPS = ("action", "release", "report")
WITHIN, ABOVE_PROMISE, ABOVE_LEDGER = "within", "above the promise", "above the ledger"


@dataclass(frozen=True)
class Effort:
    """The number of games on either input; fewer where a game has many rounds, more where the ledger is above the promise."""

    games: int
    rounds: int
    users: int
    grid: tuple[float, ...] = GRID
    suspected: int = 16  # times as many
    search: int = 16  # times fewer in the search for the pair of inputs

    def of(self, setting: Setting, is_suspected: bool) -> int:
        """The number of games in this setting."""
        return max(64, min(self.games, self.rounds // (setting.played or setting.horizon))) * (
            self.suspected if is_suspected else 1
        )


EFFORTS = {
    "paper": Effort(games=12_000, rounds=400_000, users=2_000_000, suspected=32),
    "draft": Effort(games=4_000, rounds=200_000, users=400_000),
    "smoke": Effort(games=2_000, rounds=50_000, users=100_000, grid=(0.2, 1.0), suspected=4),
}


def effort(scale: str, grid: Iterable[float] = ()) -> Effort:
    """The effort of a scale, at the epsilons of this grid if it is not empty."""
    chosen = EFFORTS[scale]
    return replace(chosen, grid=tuple(grid)) if grid else chosen


@dataclass(frozen=True)
class Mechanism:
    """An algorithm with all its parameters but epsilon, which the grid replaces where `budget` names it."""

    algorithm: str
    parameters: tuple[tuple[str, Any], ...]
    budget: str

    def with_epsilon(self, epsilon: float | None) -> dict[str, Any]:
        """The parameters at one epsilon of the grid."""
        return {**dict(self.parameters), **({} if epsilon is None else {self.budget: epsilon})}

    def account(self, setting: Setting, epsilon: float | None) -> Any:
        """The promise and the ledger for games in this setting."""
        given = {**self.with_epsilon(epsilon), **setting.changes}
        return algorithms.find(self.algorithm).privacy(setting.horizon, setting.arms, **given)


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
    resolvable: float
    event: str
    pair: str


def table(experiments: Iterable[Experiment], seed: int, effort: Effort) -> pd.DataFrame:
    """Audit every policy of these experiments that promises privacy; equal mechanisms are audited once."""
    entries = list(policies(experiments))
    mechanisms = list(dict.fromkeys(mechanism for _, mechanism in entries))
    jobs = {m: list(_jobs(m, effort)) for m in mechanisms}
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
                if promises(series):
                    alike.setdefault(accounts.words_of(series), []).append(series)
            groups = list(alike.values())
            for label, members in zip(accounts.distinct_labels(groups) if groups else [], groups, strict=True):
                mechanism = mechanism_of(members[0])
                entry = {"policy": policy.id, "label": label, "reading": experiment.reading or "both"}
                if (*entry.values(), mechanism) not in known:
                    known.add((*entry.values(), mechanism))
                    yield entry, mechanism


def promises(series: Series) -> bool:
    """Whether a series promises privacy, and an audit has games for its family."""
    if callable(series.algorithm) or algorithms.family_of(series.algorithm) == "logs":
        return False
    return hasattr(algorithms.find(series.algorithm), "privacy")


def mechanism_of(series: Series) -> Mechanism:
    """The mechanism of a series: all values that its actions depend on, with the defaults of those not given."""
    play = inspect.signature(algorithms.find(series.algorithm).play).parameters.values()
    defaults = {p.name: p.default for p in play if p.kind is p.KEYWORD_ONLY and p.default is not p.empty}
    given = {**defaults, **series.parameters}
    budget = "epsilon" if "epsilon" in inspect.signature(algorithms.find(series.algorithm).play).parameters else ""
    kept = {k: v for k, v in given.items() if k not in (budget, "regret_against", "regret_count")}
    return Mechanism(series.algorithm, tuple(sorted(kept.items())), budget)


def taps_of(mechanism: Mechanism) -> list[str]:
    """The taps that a mechanism has."""
    epsilon = GRID[2] if mechanism.budget else None
    games_of = _design(mechanism, epsilon)
    has = {
        "action": bool(games_of.actions),
        "release": bool(games_of.releases),
        "report": games.reporting_rule(mechanism.algorithm, mechanism.with_epsilon(epsilon)) is not None,
    }
    return [tap for tap in TAPS if has[tap]]


def check(mechanism: Mechanism, tap: str, effort: Effort) -> None:
    """Raise InputError for an audit that cannot be done."""
    name = mechanism.algorithm
    if not hasattr(algorithms.find(name), "privacy"):
        raise InputError(
            f"algorithm '{name}' promises no privacy: it has no function `privacy`; audit another algorithm"
        )
    if tap not in TAPS:
        raise InputError(f"tap '{tap}': {nearest(tap, TAPS)}")
    if tap not in taps_of(mechanism):
        raise InputError(f"algorithm '{name}' has no tap '{tap}'; it has: {', '.join(taps_of(mechanism))}")
    for key in ("games", "users", "rounds"):
        if getattr(effort, key) < 1:
            raise InputError(
                f"{key}: {getattr(effort, key)} should be at least 1; an audit without games finds nothing"
            )


def _jobs(mechanism: Mechanism, effort: Effort) -> Iterator[tuple[str, float | None]]:
    for epsilon in effort.grid if mechanism.budget else (None,):
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
    best: tuple = (-1.0,)
    for setting in settings:
        account = mechanism.account(setting, epsilon)
        number = effort.of(setting, account.spent > account.epsilon * (1 + 1e-9))
        player = games.player(mechanism.algorithm, mechanism.with_epsilon(epsilon), setting, kind, rng)
        for background in setting.backgrounds:
            for canary in setting.canaries:
                tables = setting.rewards(background, canary)
                for order, samples in enumerate(
                    _samples(player, tables, canary, max(32, number // effort.search), tap)
                ):
                    score = (best_set if tap == "action" else best_level)(*samples, alpha, account.delta)[0]
                    score /= account.epsilon
                    if score > best[0]:
                        best = (score, setting, account, number, player, background, canary, order)
    _, setting, account, number, player, background, canary, order = best
    samples = _samples(player, setting.rewards(background, canary), canary, number, tap)[order]
    if tap == "action":
        bound, event = set_bound(*samples, alpha, account.delta)
        says = f"{len(event)} sequences of actions"
    else:
        bound, event = level_bound(*samples, alpha, account.delta)
        says = f"log-ratio of the releases at least {event:.4g}"
    pair = f"{setting.arms} arms; {setting.horizon} rounds; {background}; reward {canary} changed; order {order + 1}"
    return _finding(tap, account, player.drawn, bound, alpha, says, pair)


def _samples(player: games.Player, tables: tuple, canary: int, number: int, tap: str) -> list[tuple]:
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
    rule = games.reporting_rule(mechanism.algorithm, mechanism.with_epsilon(epsilon))
    best: tuple = (-1.0,)
    for phase in games.phases_of(rule):
        sample = {r: games.reports(rule, phase, r, effort.users // effort.search, rng) for r in (0.0, 1.0)}
        for reward in (0.0, 1.0):
            sign = 2 * reward - 1
            score, _ = best_level(sign * sample[reward], sign * sample[1 - reward], alpha, 0.0)
            if score > best[0]:
                best = (score, phase, reward)
    _, phase, reward = best
    sign = 2 * reward - 1
    bound, level = level_bound(
        *(sign * games.reports(rule, phase, r, effort.users, rng) for r in (reward, 1 - reward)), alpha, 0.0
    )
    event = f"a report of at {'least' if sign > 0 else 'most'} {sign * level:.4g}"
    return _finding("report", account, math.nan, bound, alpha, event, f"{phase}; reward {reward:g} or {1 - reward:g}")


def _finding(tap: str, account: Any, drawn: float, bound: Bound, alpha: float, event: str, pair: str) -> Finding:
    can = resolvable(account.epsilon, bound.games, alpha, account.delta)
    drawn = drawn if tap == "release" else math.nan
    pure = math.inf if account.ledger is None else account.ledger.basic()
    return Finding(tap, account.epsilon, account.delta, account.spent, pure, drawn, bound, can, event, pair)


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
        "games": 4 * finding.bound.games,
        "resolvable": math.floor(finding.resolvable * 1e4) / 1e4,
        "event": f"{finding.event}: {finding.bound.hits[0]} against {finding.bound.hits[1]} of {finding.bound.games}",
        "pair": finding.pair,
        "finding": verdict,
    }

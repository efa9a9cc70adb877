"""The privacy of every policy, measured: a lower bound on its epsilon from what it publishes on neighbouring inputs.

Three taps are kept apart:

    action    the published actions, which the definitions of the papers promise to protect
    release   the noisy sums that the proofs publish, from which the actions follow
    report    what one user sends (local privacy)

A bound above the promise refutes the promise at the action and report taps, and the proof at the release tap. A bound
above the ledger would refute the ledger. The policy's own kernel plays (`kernels`); what it publishes is recorded (`tape`)
in short games (`settings`), and estimated (`estimation`).

The same games with faults in the noise show what they could have found: without that, a small bound says nothing.
"""

import inspect
import itertools
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpbandits import algorithms
from dpbandits.audit import accounts, players, tape
from dpbandits.audit.audit_table import (
    ABOVE_LEDGER,
    ABOVE_PROMISE,
    FAULTS,
    NO_POWER,
    NOT_AS_DECLARED,
    NOT_AUDITED,
    WITHIN,
)
from dpbandits.audit.estimation import (
    CHOOSING,
    Bound,
    Choice,
    Loss,
    Sample,
    best_level,
    best_set,
    bound_of,
    log_bounds,
    resolvable,
    unseen,
)
from dpbandits.audit.kernels import NotAudited
from dpbandits.audit.promises import promise_of
from dpbandits.audit.settings import settings_of
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream
from dpbandits.parameters import as_numbers
from dpbandits.privacy.exact import exact_epsilon
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.releases import SHORT, AuditSettings, Releases, Setting
from dpbandits.studies.model import Effort, is_of_the_paper
from dpbandits.studies.study import Experiment, Series

COLUMNS = [
    "policy", "label", "reading", "tap", "epsilon", "delta", "arms", "ledger", "drawn", "exact", "tape", "audited", "confidence",
    "games", "resolvable", "disagreement", *FAULTS, "event", "pair", "finding",
]  # fmt: skip
CONFIDENCE = 0.999  # that no bound of a paper's table is too large
SEARCH = 2  # times fewer games in the search on the last pair of inputs; on earlier ones a quarter
LEAST = 400  # games in the search
USERS = 12  # times fewer reports in the search than in the bound
ONE_BY_ONE = 16  # times fewer games where a policy calls several kernels, which takes thirty times as long
FEW = 64  # games on each pair of inputs with a fault in the noise
NEAR = 0.4  # share of the promise, or of a smaller ledger, that more games must be able to show
ENOUGH = {"action": 0.8, "release": 0.5}  # share of what the most games would show that is worth playing for
AIM = 0.45  # share of the promise that is worth them
ALMOST, BEYOND_DOUBT = 0.9, 1.5  # times the promise that games are expected to show where the ledger is above it
CLEARLY = 1.1  # times the promise, or the ledger, that is looked for
DISAGREEMENT = 6.0  # standard errors: one tape in a million would disagree by chance


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

    `drawn` is the largest sum of losses of a game by the noise that the kernel drew; it is nan at the other taps. `faults`:
    the bounds with each fault in the noise.
    """

    tap: str
    account: Account
    arms: int
    bound: Bound
    games: int
    alpha: float
    event: str
    pair: str
    faults: tuple[float, ...]
    drawn: float = math.nan

    def row(self) -> dict[str, Any]:
        """The columns of the table, with as many digits as mean something."""
        account, ledger, bound = self.account, self.account.spent, self.bound
        could = resolvable(account.epsilon, bound.games, self.alpha, account.delta)
        return {
            "tap": self.tap,
            "epsilon": float(f"{account.epsilon:.6g}"),
            "delta": float(f"{account.delta:.6g}"),
            "arms": self.arms,
            "ledger": float(f"{ledger:.9g}"),
            "drawn": float(f"{self.drawn:.9g}"),
            "exact": _rounded_down(self.exact * (1 + 1e-9)),
            "tape": _rounded_down(bound.tape),
            "audited": _rounded_down(bound.epsilon),
            "confidence": CONFIDENCE,
            "games": self.games,
            "resolvable": _rounded_down(could),
            "disagreement": float(f"{bound.disagreement:.2f}"),
            **dict(zip(FAULTS, map(_rounded_down, self.faults), strict=True)),
            "event": f"{self.event}: {bound.hits[0]} against {bound.hits[1]} of {bound.games}",
            "pair": self.pair,
            "finding": self.finding,
        }

    @property
    def exact(self) -> float:
        """The epsilon of what the ledger books, exactly composed at the delta of the promise; where that is 0, of the events that as
        many games tell from impossible ones."""
        if self.account.ledger is None:
            return math.inf
        return exact_epsilon(self.account.ledger, self.account.delta, unseen(self.bound.games, self.alpha))

    @property
    def finding(self) -> str:
        """What the audit means for the promise. Noise that is removed must be found; what smaller faults would need is another
        question, which their columns answer."""
        account, audited = self.account, _rounded_down(self.bound.epsilon)
        pure = math.inf if account.ledger is None else account.ledger.basic()  # for delta = 0, as `drawn`
        if audited > account.spent * (1 + 1e-9) or self.drawn > pure * (1 + 1e-9):
            return ABOVE_LEDGER
        if self.bound.disagreement > DISAGREEMENT:
            return NOT_AS_DECLARED
        if audited > account.epsilon:
            return ABOVE_PROMISE
        return WITHIN if self.faults[0] > largest_allowed(account) else NO_POWER


def _rounded_down(bound: float) -> float:
    return math.floor(bound * 1e4) / 1e4 if math.isfinite(bound) else bound


def largest_allowed(account: Account) -> float:
    """What a fault must exceed to be found: the promise, or the ledger if that is finite and larger."""
    return max(account.epsilon, account.spent) if math.isfinite(account.spent) else account.epsilon


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
            "arms": SHORT.arms,
            "ledger": float(f"{account.spent:.9g}"),
            "games": 0,
            "finding": f"{NOT_AUDITED}: {self.reason}",
        }


def table(
    experiments: Iterable[Experiment],
    seed: int,
    effort: Effort,
    guests: Collection[str] = (),
    arena: Sequence[float] = (),
) -> pd.DataFrame:
    """Audit every policy of these experiments that promises privacy; equal mechanisms are audited once.

    `arena`: the epsilons of an arena, at all of which its policies are audited as printed. The bounds of all policies but
    the guests hold together with CONFIDENCE, and so do those of the guests: no guest changes another bound.
    """
    experiments = list(experiments)
    entries = list(policies(experiments))
    mechanisms = list(dict.fromkeys(mechanism for _, mechanism in entries))
    played = {} if arena else epsilons_of(experiments, effort)
    jobs = {m: list(jobs_of(m, arena or played[m])) for m in mechanisms}
    ours = {mechanism for entry, mechanism in entries if entry["policy"] not in guests}
    bounds = Counter()  # of ours, and of the guests: what is counted, and the tape's
    for m in mechanisms:
        bounds[m in ours] += 2 * len(jobs[m])
    results = {
        m: [_audited(m, tap, epsilon, (1 - CONFIDENCE) / bounds[m in ours], seed, effort) for tap, epsilon in jobs[m]]
        for m in mechanisms
    }
    rows = [{**entry, **result.row()} for entry, mechanism in entries for result in results[mechanism]]
    return pd.DataFrame(rows, columns=COLUMNS)


def epsilons_of(experiments: Sequence[Experiment], effort: Effort) -> dict[Mechanism, list[float]]:
    """The epsilons of the effort at which a mechanism plays in the paper's own figures, or else in supplementary ones; all of
    them if it plays at none."""
    grids = {}
    for own, grid in ((False, effort.supplement), (True, effort.epsilons)):  # those of the paper replace the others
        played: dict[Mechanism, set] = {}
        for experiment in (each for each in experiments if is_of_the_paper(each.id) == own):
            for series in experiment.series.values():
                mechanism = mechanism_of(series)
                played.setdefault(mechanism, set()).add(series.parameters.get(mechanism.budget))
        for mechanism, found in played.items():
            grids[mechanism] = [epsilon for epsilon in grid if epsilon in found] or list(grid)
    return grids


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


def jobs_of(mechanism: Mechanism, epsilons: Sequence[float]) -> Iterator[tuple[str, float | None]]:
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


def audit(
    mechanism: Mechanism, tap: str, epsilon: float | None, alpha: float, seed: int, effort: Effort, planted: bool = True
) -> Result:
    """Audit one tap of a mechanism at one epsilon: search for the pair of inputs, then measure on new games; and, unless none
    are `planted`, the same with faults in the noise."""
    rng = stream(seed, "audit", mechanism.algorithm, repr(mechanism.parameters), tap, repr(epsilon))
    if tap == "report":
        return _audit_reports(mechanism, epsilon, alpha, rng, effort, planted)
    settings, releases = mechanism.settings(epsilon), mechanism.releases(epsilon)
    # A visit to a log draws more numbers than a tape has room for, where there is more than one article.
    kind = tape.ACTIONS if releases is None or (tap, releases) == ("action", "visits") else tape.KINDS[releases]
    designs = []
    for setting in settings.actions if tap == "action" else settings.releases:
        player = players.player(mechanism.algorithm, mechanism.with_epsilon(epsilon), setting, kind, rng)
        designs.append(Design(player, tap, mechanism.account(setting, epsilon), alpha, effort))
    best, inputs = _search(designs)
    bound, number, event = best.measured()
    faults = [_with_fault(inputs, fault) if planted else math.nan for fault in (tape.REMOVED, tape.HALVED, tape.REUSED)]
    if releases is None:
        event = f"{event} (actions only: its privacy says nothing about releases)"
    design = best.design
    drawn = design.player.drawn if tap == "release" else math.nan
    arms = design.player.setting.arms
    return Result(tap, design.account, arms, bound, 2 * number, alpha, event, str(best), tuple(faults), drawn)


@dataclass(frozen=True)
class Design:
    """Games in one setting, of which one tap sees what it sees, and how many of them there may be."""

    player: players.Player
    tap: str
    account: Account
    alpha: float
    effort: Effort

    @property
    def usual(self) -> int:
        """The number of games on either input: fewer where a game has many rounds."""
        setting = self.player.setting
        number = min(self.effort.games, self.effort.rounds // (setting.played or setting.horizon))
        return max(64, number // (1 if self.player.game else ONE_BY_ONE))

    @property
    def most(self) -> int:
        """The number of games on either input where more of them show more. At the release the tape's bound needs no more, but
        what refutes is counted."""
        if not self.player.game or not (self.tap == "action" or self.suspected):
            return self.usual
        setting = self.player.setting
        times = self.effort.times * (2 if self.suspected else 1)
        return max(self.usual, times * (self.effort.rounds // (setting.played or setting.horizon)))

    @property
    def loss(self) -> Loss:
        """What the games may lose. A ledger without a bound has no tape: one input may publish what the other cannot."""
        ledger = self.account.ledger
        return Loss(math.inf if ledger is None else ledger.basic(), self.account.delta, not self.suspected)

    @property
    def suspected(self) -> bool:
        """Whether the ledger is above the promise."""
        return self.account.spent > self.account.epsilon * (1 + 1e-9)

    def in_search(self, fewer: int) -> int:
        """The number of games on either input in the search, so many times fewer than usual."""
        if self.suspected:  # counts choose, which need more
            return self.usual
        return max(self.usual // fewer, min(LEAST if self.player.game else FEW, self.usual))

    def inputs(self) -> Iterator["Inputs"]:
        """All pairs of inputs."""
        setting = self.player.setting
        return (Inputs(self, *each) for each in itertools.product(setting.backgrounds, setting.canaries))

    @property
    def choose(self) -> Callable[..., Choice]:
        """The choice of an event of what is published: a set of sequences of actions, or a level of the log-ratios."""
        return best_set if self.tap == "action" else best_level

    def samples(self, background: str, canary: int, number: int, fault: int) -> list[tuple[Sample, Sample]]:
        """What is published on either input in as many games, in both orders; what a fault does, no tape knows."""
        one, other = self.player.samples(background, canary, number, fault)
        if self.tap == "release" and self.player.full:
            raise NotAudited(
                f"a game of {self.player.setting.horizon} rounds draws more than {players.DRAWS} Laplace numbers"
            )
        by_tape = self.player.recorded and fault == tape.NONE
        return [
            (Sample(own.actions if self.tap == "action" else own.ratios, own.ratios if by_tape else None),
             Sample(theirs.actions if self.tap == "action" else -theirs.ratios, None))
            for own, theirs in ((one, other), (other, one))
        ]  # fmt: skip


class Inputs(NamedTuple):
    """Two neighbouring inputs."""

    design: Design
    background: str
    canary: int

    def best(self, number: int, fault: int = tape.NONE) -> "Pair":
        """The better order, with what as many games showed of it."""
        design = self.design
        samples = design.samples(self.background, self.canary, number, fault)
        choices = [design.choose(*each, design.alpha, design.loss, design.most) for each in samples]
        return max((Pair(*self, order, fault, each) for order, each in enumerate(choices)), key=lambda pair: pair.rank)


@dataclass(frozen=True)
class Pair:
    """Two neighbouring inputs in one order, and the event that the games of the search showed of them."""

    design: Design
    background: str
    canary: int
    order: int
    fault: int
    choice: Choice

    @property
    def inputs(self) -> Inputs:
        """The two inputs, in no order."""
        return Inputs(self.design, self.background, self.canary)

    @property
    def rank(self) -> tuple[float, float]:
        """The loss that the event is expected to show, in units of what is promised; then the guess of it."""
        promise = self.design.account.epsilon
        return max(self.choice.score, 0.0) / promise, self.choice.guess / promise

    def expected(self, games: int, alpha: float | None = None) -> float:
        """What as many games on either input would show if the event is as frequent as it was."""
        number = games - games // CHOOSING
        shares = np.minimum(self.choice.shares, 1.0)
        return float(log_bounds(*(number * shares), number, alpha or self.design.alpha, self.design.account.delta))

    def measured(self) -> tuple[Bound, int, str]:
        """The bound from new games, their number on either input, and the event."""
        design, number = self.design, self.games_worth_playing()
        bound, event = self.bound(number, design.alpha)
        if design.tap == "action":
            return bound, number, f"{len(event)} sequences of actions"
        return bound, number, f"log-ratio of the releases at least {event:.4g}"

    def bound(self, number: int, alpha: float) -> tuple[Bound, Any]:
        """The bound from as many new games on either input, and the event."""
        samples = self.design.samples(self.background, self.canary, number, self.fault)[self.order]
        return bound_of(self.design.choose, *samples, alpha, self.design.loss)

    def games_worth_playing(self) -> int:
        """The usual number of games, unless more of them can show a loss near the promise: then as few as show what is worth them,
        or clearly more than is promised."""
        design, promise = self.design, self.design.account.epsilon
        could = self.expected(design.most)
        if could < NEAR * min(promise, design.account.spent):
            return design.usual
        least = min(max(ENOUGH[design.tap] * could, min(could, AIM * promise)), CLEARLY * promise)
        if design.suspected and could > ALMOST * promise:  # they may refute it, with an event that they choose better
            least = BEYOND_DOUBT * promise
        return next(n for n in _doubling(design.usual, design.most) if n == design.most or self.expected(n) >= least)

    def __str__(self) -> str:
        return f"{self.design.player.setting.words(self.background, self.canary)}; order {self.order + 1}"


def _doubling(least: int, most: int) -> Iterator[int]:
    number = least
    while number < most:
        yield number
        number *= 2
    yield most


def _search(designs: Iterable[Design]) -> tuple[Pair, list[Inputs]]:
    """The best pair of inputs and its better order, and all pairs in the order of what they showed: the best quarter of them gets four
    times as many games, until one is left."""
    inputs = [each for design in designs for each in design.inputs()]
    numbers = [len(inputs)]
    while numbers[-1] > 1:
        numbers.append(math.ceil(numbers[-1] / 4))
    for stage, number in enumerate(numbers, 1):
        fewer = SEARCH * 4 ** (len(numbers) - stage)
        pairs = [each.best(each.design.in_search(fewer)) for each in inputs[:number]]
        pairs.sort(key=lambda pair: pair.rank, reverse=True)
        inputs[:number] = [pair.inputs for pair in pairs]
    return pairs[0], inputs


def _with_fault(inputs: Sequence[Inputs], fault: int) -> float:
    """The bound that is counted with this fault in the noise: on one pair of inputs after another, in as few games as may be
    expected to find it. If noise that is removed is not found in this way, in as many games as the policy itself usually has."""
    tried, found = [], 0.0
    for each in inputs:
        design, allowed = each.design, largest_allowed(each.design.account)
        alpha, few = design.alpha / (len(inputs) + 1), min(FEW, design.usual)  # all bounds hold together
        pair = each.best(few, fault)
        tried.append(pair)
        enough = [n for n in _doubling(few, design.usual) if pair.expected(n, alpha) >= CLEARLY * allowed]
        if enough:
            found = max(found, pair.bound(min(2 * enough[0], design.usual), alpha)[0].epsilon)
            if found > allowed:
                return found
    if fault == tape.REMOVED:
        best = max(tried, key=lambda pair: pair.choice.score / largest_allowed(pair.design.account))
        found = max(found, best.bound(best.design.usual, best.design.alpha / (len(inputs) + 1))[0].epsilon)
    return found


def _audit_reports(
    mechanism: Mechanism, epsilon: float | None, alpha: float, rng: Any, effort: Effort, planted: bool
) -> Result:
    """The reports of a user whose reward is 0 or 1: the event is that a report is at least, or at most, a level. Noise that is
    used again has the law of one report, and is no fault here."""
    setting = Setting(arms=2, horizon=8)
    account = mechanism.account(setting, epsilon)
    rules = players.reporting_rules(mechanism.algorithm, mechanism.with_epsilon(epsilon))

    def best(fault: int, search: int, users: int) -> tuple[Bound, str, str]:
        """The bound of the phase and the reward that the search shows most of, the event, and the pair."""
        scores = {}
        for phase, rule in rules.items():
            sample = {r: players.reports(rule, r, search, rng, fault) for r in (0.0, 1.0)}
            for reward in (0.0, 1.0):
                sign = 2 * reward - 1
                own, other = (Sample(sign * sample[r], None) for r in (reward, 1 - reward))
                scores[phase, reward] = best_level(own, other, alpha, loss, users).score
        phase, reward = max(scores, key=lambda pair: scores[pair])
        sign = 2 * reward - 1
        own, other = (
            Sample(sign * players.reports(rules[phase], r, users, rng, fault), None) for r in (reward, 1 - reward)
        )
        bound, level = bound_of(best_level, own, other, alpha, loss)
        event = f"a report of at {'least' if sign > 0 else 'most'} {sign * level:.4g}"
        return bound, event, f"{phase}; reward {reward:g} or {1 - reward:g}"

    loss = Loss(math.inf, 0.0)
    bound, event, pair = best(tape.NONE, effort.users // USERS, effort.users)
    faults = [
        best(fault, FEW, effort.users // USERS)[0].epsilon if planted else math.nan
        for fault in (tape.REMOVED, tape.HALVED)
    ]
    return Result("report", account, setting.arms, bound, 2 * effort.users, alpha, event, pair, (*faults, math.nan))

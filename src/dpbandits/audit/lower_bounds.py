"""Audits: lower bounds on epsilon from what policies publish on neighbouring inputs.

There are two channels: the published `actions`, which the papers promise to protect, and the
`reports` of users of locally private policies. A bound above the promise refutes it. One above the
ledger would refute the ledger. The same games without noise show what can be detected: if that is
little, a small bound says nothing.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpbandits.audit.clopper_pearson import Event, best_event, log_bounds
from dpbandits.audit.findings import (
    ABOVE_LEDGER,
    ABOVE_PROMISE,
    NO_POWER,
    NOT_AUDITED,
    NOT_KEPT,
    TEXTS,
    WITHIN,
    in_tables,
    worst,
)
from dpbandits.audit.games import actions, reports
from dpbandits.audit.mechanisms import games_of, mechanism_of, mechanisms
from dpbandits.errors import InputError, one_line
from dpbandits.policy import Policy
from dpbandits.privacy.games import SHORT
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream, stream
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.settings import Effort
from dpbandits.tables import read_table

MEASURED = [
    "channel", "epsilon", "delta", "spent", "measured", "power", "games", "event", "pair",
    "finding", "promise",
]  # fmt: skip
CONFIDENCE = 0.999  # that no bound of a study's table is too large
PILOT_SHARE = 20  # 1/20 of the games on each pair select the pair,
MAX_PILOT_GAMES = 10_000  # but not more than these
EVENT_SHARE = 4  # 1/4 of the games on that pair select the event
ALMOST_NOTHING = 1e-100  # in place of a promise of 0, in a game in which rewards decide nothing
SILENT_SHARE = 4  # 1/4 of the games are played without noise at first: actions hardly vary then


class Pair(NamedTuple):
    """Two neighbouring inputs, and a function that plays games on one of them.

    `publish(releases, input, number)` returns what is published in each game.
    """

    words: str
    account: Account
    inputs: tuple[Any, Any]
    publish: Callable[[Releases, Any, int], np.ndarray]


def pairs_of(policy: Policy, channel: str) -> Iterator[Pair]:
    """The neighbouring inputs of a policy.

    For actions these are the rewards of all settings. For reports they are a reward of 0 or 1, in
    every phase in which users report in another way.
    """
    if channel == "reports":
        account = policy.account(SHORT.horizon, SHORT.arms)
        for phase, user in policy.reports(SHORT.horizon, SHORT.arms).items():
            yield Pair(f"{phase}, reward 0 or 1", account, (0.0, 1.0), partial(reports, user))
        return
    if policy.family == "logs":
        raise InputError("short games on news logs show nothing, even without noise")
    for setting in games_of(policy).settings:
        arms, horizon = setting.arms, setting.horizon
        changed = replace(policy, **setting.changes)
        changed.check(horizon, arms)
        account, publish = changed.account(horizon, arms), partial(actions, changed, setting)
        for background, user in itertools.product(setting.backgrounds, setting.users):
            words = f"{arms} arms, {horizon} rounds, {background}, user {user} changed"
            yield Pair(words, account, setting.rewards(background, user), publish)


class Bound(NamedTuple):
    """A lower bound on epsilon, its pair of inputs, and how often the event happened."""

    epsilon: float
    pair: Pair
    event: Event
    hits: int  # on the first input
    other: int  # on the second
    games: int  # that count


def lower_bound(pairs: Iterable[Pair], releases: Releases, games: int, alpha: float) -> Bound:
    """A bound from `games` games on one pair of inputs, in one order.

    A pilot selects the pair and the order with the largest bound relative to the promise. The
    remaining games measure it.
    """
    scored = []
    for pair in pairs:
        pilot = [
            pair.publish(releases, each, min(games // PILOT_SHARE, MAX_PILOT_GAMES) // 2)
            for each in pair.inputs
        ]
        for order in (1, -1):
            score, _ = best_event(*pilot[::order], pair.account.delta)
            scored.append((score / max(pair.account.epsilon, ALMOST_NOTHING), pair, order))
    _, pair, order = max(scored, key=lambda each: each[0])
    ours, theirs = (pair.publish(releases, each, games // 2) for each in pair.inputs[::order])
    first, delta = len(ours) // EVENT_SHARE, pair.account.delta
    _, event = best_event(ours[:first], theirs[:first], delta)
    hits, other, number = event.count(ours[first:]), event.count(theirs[first:]), len(ours) - first
    epsilon = max(float(log_bounds(hits, other, number, alpha, delta)), 0.0)
    return Bound(math.floor(epsilon * 1e4) / 1e4, pair, event, hits, other, number)


def audit(policy: Policy, channel: str, rng: Stream, alpha: float, games: int) -> dict[str, Any]:
    """Audit a policy: a row of the table, without the first columns.

    Parameters
    ----------
    policy, channel
        What is audited.
    rng : Stream
        The random numbers of the games.
    alpha : float
        The probability that the bound is too large.
    games : int
        The number of games.
    """
    account = policy.account(SHORT.horizon, SHORT.arms)
    try:
        pairs = list(pairs_of(policy, channel))
        bound = lower_bound(pairs, Releases(rng), games, alpha)
        account = bound.pair.account
        # Games without noise have power if they exceed the promise and the ledger.
        allowed = max(account.epsilon, account.spent if math.isfinite(account.spent) else 0.0)
        silent = lower_bound(pairs, Releases(rng, 0.0), games // SILENT_SHARE, alpha)
        if silent.epsilon <= allowed:
            silent = lower_bound(pairs, Releases(rng, 0.0), games, alpha)
    except Exception as failure:  # a guest's first draft may fail in any way
        row = {"games": 0, "finding": f"{NOT_AUDITED}: {one_line(failure)}"}
    else:
        row = {
            "measured": bound.epsilon,
            "power": silent.epsilon,
            "games": games,
            "event": f"{bound.event}: {bound.hits} against {bound.other} of {bound.games}",
            "pair": bound.pair.words,
            "finding": finding(bound, silent, allowed),
        }
    promise = {name: in_tables(getattr(account, name)) for name in ("epsilon", "delta")}
    return {"channel": channel, **promise, "spent": float(f"{account.spent:.9g}"), **row}


def finding(bound: Bound, silent: Bound, allowed: float) -> str:
    """The finding that a bound means, if games without noise show `silent`.

    They have power if they show more than the `allowed` epsilon.
    """
    account = bound.pair.account
    if bound.epsilon > account.spent * (1 + 1e-9):
        return ABOVE_LEDGER
    if bound.epsilon > account.epsilon:
        return ABOVE_PROMISE
    if silent.epsilon > allowed:
        return WITHIN
    if silent.event.values.size == 1 and silent.hits == silent.other == silent.games:
        return f"{NO_POWER}: without noise its actions do not depend on rewards in these games"
    shown = f"show an epsilon of {silent.epsilon:.3g} without noise, and {allowed:.3g} is allowed"
    return f"{NO_POWER}: its own random choices hide a reward: these games {shown}"


def part(
    experiments: Sequence[Experiment],
    seed: int,
    effort: Effort,
    arena: Sequence[float] = (),
    share: tuple[int, int] = (0, 1),
) -> pd.DataFrame:
    """Audit the policies of these experiments that promise privacy: rows of the table.

    Equal mechanisms are audited once. The bounds of all shares hold together with CONFIDENCE.

    Parameters
    ----------
    experiments : sequence of Experiment
        Experiments of one study.
    seed : int
        The seed of the games.
    effort : Effort
        The numbers of games, and the default epsilons.
    arena : sequence of float, optional
        The epsilons at which the policies of an arena are audited.
    share : (int, int), optional
        Which share of the mechanisms, of how many.

    Returns
    -------
    DataFrame
        Its column `row` sorts the rows of all shares.
    """
    entries, played = mechanisms(experiments).reset_index(names="row"), {}
    for experiment in experiments:
        for series in experiment.series.values():
            played.setdefault(mechanism_of(series), []).append(series)
    jobs = {}
    for mechanism in entries["plays"].unique():
        own = {series.parameters.get("epsilon") for series in played[mechanism]}
        epsilons = arena or [each for each in effort.epsilons if each in own] or effort.epsilons
        jobs[mechanism] = jobs_of(mechanism, epsilons)
    alpha = (1 - CONFIDENCE) / max(sum(map(len, jobs.values())), 1)
    rows = []
    for mechanism in list(jobs)[share[0] :: share[1]]:
        for policy, channel, epsilon in jobs[mechanism]:
            rng = stream(seed, "audit", played[mechanism][0].name, channel, repr(epsilon))
            games = effort.games if channel == "actions" else effort.reports
            rows.append({"plays": mechanism} | audit(policy, channel, rng, alpha, games))
    bounds = pd.DataFrame(rows, columns=["plays", *MEASURED])
    return entries.merge(bounds, on="plays").drop(columns="plays")


def jobs_of(mechanism: Policy, epsilons: Sequence[float]) -> list[tuple[Policy, str, float | None]]:
    """Every channel of a mechanism at every epsilon, with the number as the file has it."""
    channels = ["actions", *["reports"] * bool(mechanism.reports(SHORT.horizon, SHORT.arms))]
    if "epsilon" not in mechanism.parameters:
        return [(mechanism, channel, None) for channel in channels]
    played = [(replace(mechanism, epsilon=epsilon), epsilon) for epsilon in epsilons]
    return [(policy, channel, epsilon) for policy, epsilon in played for channel in channels]


def table(parts: Sequence[str], guests: Sequence[str], promises: pd.DataFrame) -> pd.DataFrame:
    """The audits of a study from the files of their parts; those of guests last.

    `promises`: its table of accounts. The column `promise` has the worst verdict on a mechanism at
    an epsilon in all games that the study plays.
    """
    ours = pd.concat([read_table(file, TEXTS) for file in parts]).sort_values("row", kind="stable")
    rows = pd.concat([ours, *(read_table(file, TEXTS) for file in guests)]).drop(columns="row")
    at_epsilon, at_any = (
        promises.groupby(keys)["verdict"].agg(worst)
        for keys in (["mechanism", "epsilon"], "mechanism")
    )
    keys = rows[["mechanism", "epsilon"]].astype({"epsilon": float})
    verdicts = keys.join(at_epsilon, on=["mechanism", "epsilon"])["verdict"]
    refuted = rows["mechanism"].map(at_any) == NOT_KEPT  # a replay is about any epsilon
    return rows.assign(promise=verdicts.fillna("").mask(refuted, NOT_KEPT))

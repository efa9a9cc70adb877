"""The table of scores: the regret of every policy on every instance at every epsilon, its error, its lost runs and its privacy."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpbandits import environments
from dpbandits.audit import findings
from dpbandits.files import Entry, read_chunks, read_table
from dpbandits.privacy.promises import promise_of
from dpbandits.statistics.estimators import DECIDING_ERRORS, locked_in
from dpbandits.studies.experiment import Experiment, Series
from dpbandits.studies.model import Arena

PURE, APPROXIMATE, AGGREGATOR, LOCAL = PRIVATE = (
    "central pure",
    "central approximate",
    "aggregator",
    "local",
)
NONE = "none"
KEPT, EXCEEDED = "kept", "exceeded"
TEXTS = ("policy", "instance", "label", "league", "game", "promise")
COLUMNS = [
    "policy", "instance", "smallest_gap", "arms", "epsilon", "label", "league", "game", "horizon", "knows_horizon", "t", "runs", "mean",
    "standard_error", "median", "percentile_95", "locked_in", "over_yardstick", "best", "delta", "spent", "measured", "promise",
]  # fmt: skip
PLACE = ["instance", "horizon", "t"]  # regrets are compared where these are the same


class Promise(NamedTuple):
    """What a series promises, to whom (its league), what its ledger adds up, and what an audit finds at least."""

    league: str
    delta: float = 0.0
    spent: float = math.nan
    measured: float = math.nan  # nan where the audit's games cost more than is spent
    promise: str = ""


def scores(
    arena: Arena,
    experiments: Iterable[Experiment],
    traces: Mapping[str, Sequence[Entry]],
    audits: str | Path,
) -> pd.DataFrame:
    """One row for every policy, instance, epsilon, game and checkpoint. `game`: that of `all`, or a `short` or `long` one.
    `traces`: experiment -> its runs."""
    audited = list(read_table(audits, findings.TEXTS).itertuples())
    places = list(arena.instances)
    played = [e for e in experiments if e.instance in places]
    played.sort(key=lambda e: (places.index(e.instance), bool(e.stream), e.design.horizon))
    usual = {e.instance: e.design.horizon for e in played if not e.stream}
    # An audit plays a policy with the league's epsilon as its parameter, and says nothing of one that plays with another.
    others = {
        s.policy
        for e in played
        for s in e.series.values()
        if _epsilon(arena, s) != s.parameters.get("epsilon")
    }
    parts = []
    for experiment in played:
        regrets = {}
        for spec, files in traces[experiment.id]:
            regrets |= {series: of["regret"] for series, of in read_chunks(files, spec).by_series()}
        means = environments.make(experiment.environment).arms.means
        gap, horizon = float(np.diff(np.sort(means)[-2:])[0]), experiment.design.horizon
        shorter = horizon < usual.get(experiment.instance, 0)
        of = {
            "instance": experiment.instance,
            "smallest_gap": gap,
            "arms": len(means),
            "horizon": horizon,
        }
        of["game"] = "all" if not experiment.stream else "short" if shorter else "long"
        for series in experiment.series.values():
            member, epsilon = arena.members[series.policy], _epsilon(arena, series)
            about = {
                "policy": series.policy,
                "label": member.label,
                "knows_horizon": int(member.knows_horizon),
            }
            about["epsilon"] = math.nan if epsilon is None else epsilon
            known = [] if series.policy in others else audited
            promise = promise_of_series(series, horizon, len(means), epsilon, known)
            found = statistics(regrets[series.id], experiment.design.rounds, gap)
            parts.append(found.assign(**of, **about, **promise._asdict()))
    return compared(pd.concat(parts, ignore_index=True), arena.yardstick)


def _epsilon(arena: Arena, series: Series) -> float | None:
    """The league's epsilon; None for a policy that takes none."""
    return arena.epsilons[series.variant] if arena.members[series.policy].swept else None


def promise_of_series(
    series: Series, horizon: int, arms: int, epsilon: float | None, audited: Sequence[Any]
) -> Promise:
    """The promise of a series at the league's epsilon. It is exceeded by a ledger above it, or by a bound of an audit.

    A loss that is measured in games that cost more, such as those with fewer arms, says nothing about what is spent here.
    """
    account = promise_of(series.algorithm, series.parameters, horizon, arms)
    if account is None:
        return Promise(NONE)
    league = (
        account.trust if account.trust != "central" else APPROXIMATE if account.delta > 0 else PURE
    )
    spent, promised = float(account.spent), account.epsilon if epsilon is None else epsilon
    mine = (row for row in audited if row.policy == series.policy)
    found = [row for row in mine if math.isclose(row.epsilon, promised, rel_tol=1e-5)]
    bounds = (
        row.measured
        for row in found
        if row.spent <= spent * (1 + 1e-6) and not math.isnan(row.measured)
    )
    kept = spent <= promised * (1 + 1e-9) and not any(
        row.finding in findings.ALARMS for row in found
    )
    return Promise(
        league,
        float(account.delta),
        spent,
        max(bounds, default=math.nan),
        KEPT if kept else EXCEEDED,
    )


def statistics(runs: np.ndarray, checkpoints: Sequence[int], gap: float) -> pd.DataFrame:
    """Of the regrets (run, checkpoint), at every checkpoint: mean, error, median, tail, and the share of lost runs."""
    # A checkpoint's regrets beside each other: NumPy adds them pairwise, and equal ones exactly.
    at = np.ascontiguousarray(runs.T)
    return pd.DataFrame(
        {
            "t": checkpoints,
            "runs": len(runs),
            "mean": at.mean(axis=1),
            "standard_error": at.std(axis=1, ddof=1) / math.sqrt(len(runs)),
            "median": np.median(at, axis=1),
            "percentile_95": np.quantile(at, 0.95, axis=1),
            "locked_in": locked_in(runs, np.array(checkpoints), gap),
        }
    )


def compared(rows: pd.DataFrame, yardstick: str) -> pd.DataFrame:
    """The rows with the regret over the yardstick's, and whether no policy of the league that keeps its promise has less, by more
    than two errors (`best`)."""
    unit = rows[rows["policy"] == yardstick].set_index(PLACE)["mean"].rename("unit")
    rows = rows.assign(over_yardstick=rows["mean"] / rows.join(unit, on=PLACE)["unit"], best=0)
    here = rows[rows["promise"] != EXCEEDED]
    together = here.groupby(["league", "epsilon", *PLACE], dropna=False)
    first = rows.loc[together["mean"].transform("idxmin")].set_axis(here.index)
    errors = np.hypot(here["standard_error"], first["standard_error"])
    rows.loc[here.index[here["mean"] - first["mean"] <= DECIDING_ERRORS * errors], "best"] = 1
    return rows[COLUMNS]


def final_rows(scores: pd.DataFrame) -> pd.DataFrame:
    """The rows of the end of the game that everybody plays."""
    rows = scores[scores["game"] == "all"]
    return rows[rows["t"] == rows["t"].max()]


def read(path: str | Path) -> pd.DataFrame:
    """Read the table of scores; if the file is damaged, the error says what to do."""
    return read_table(path, TEXTS)

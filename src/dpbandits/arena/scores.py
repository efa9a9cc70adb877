"""The table of scores: each policy's regret, error, lost runs and privacy on each instance."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpbandits.arena import places
from dpbandits.audit import findings
from dpbandits.bandits.rewards import BERNOULLI
from dpbandits.files import Entry, read_chunks
from dpbandits.statistics.estimators import locked_in
from dpbandits.studies.experiment import Experiment, Series
from dpbandits.studies.model import Arena
from dpbandits.tables import read_table
from dpbandits.theory import lower_bounds

PURE, APPROXIMATE, AGGREGATOR, AGGREGATOR_APPROXIMATE, LOCAL = PRIVATE = (
    "central pure",
    "central approximate",
    "aggregator",
    "aggregator approximate",
    "local",
)
PROMISING_DELTA = {PURE: APPROXIMATE, AGGREGATOR: AGGREGATOR_APPROXIMATE}
NONE = "none"
BOUNDS = {  # column -> the lower bound for this trust, which the regret is divided by
    "over_operator_bound": lower_bounds.operator,
    "over_nobody_bound": lower_bounds.nobody,
}
SATURATED = 10.0  # units of regret: if uniform play has fewer, policies can hardly differ in it
TEXTS = (
    "policy",
    "instance",
    "family",
    "label",
    "source",
    "python",
    "mechanism",
    "league",
    "game",
    "promise",
)
COLUMNS = [
    "policy", "instance", "family", "smallest_gap", "arms", "epsilon", "label", "source", "python",
    "mechanism", "league", "game", "horizon", "knows_horizon", "t", "runs", "mean",
    "standard_error", "median", "percentile_95", "locked_in", "uniform", "over_yardstick", *BOUNDS,
    "best", "delta", "spent", "measured", "promise",
]  # fmt: skip
PLACE = ["instance", "horizon", "t"]  # regrets are compared where these are equal


class Promise(NamedTuple):
    """A series' promise and league, the total of its ledger, and the bound of its audit."""

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
    replays: Iterable[str | Path] = (),
) -> pd.DataFrame:
    """The table of scores: a row for every policy, instance, epsilon, game and checkpoint.

    A `game` is that of `all` policies, or a `short` or `long` one. `traces`: experiment -> its
    runs.
    """
    audit_rows, refuted = read_table(audits, findings.TEXTS), findings.refuted(replays)
    instances = list(arena.instances)
    played = [e for e in experiments if e.instance in instances]
    played.sort(key=lambda e: (instances.index(e.instance), bool(e.stream), e.design.horizon))
    family_of = {each: family for family, of in arena.families.items() for each in of}
    usual = {e.instance: e.design.horizon for e in played if not e.stream}
    parts = []
    for experiment in played:
        regrets = {
            series: values["regret"]
            for header, files in traces[experiment.id]
            for series, values in read_chunks(files, header).by_series()
        }
        arms, horizon = experiment.bandit.arms, experiment.design.horizon
        means = np.sort(arms.means)
        shorter = horizon < usual.get(experiment.instance, 0)
        of = {
            "instance": experiment.instance,
            "family": family_of.get(experiment.instance, experiment.instance),
            "smallest_gap": float(means[-1] - means[-2]),
            "arms": len(means),
            "horizon": horizon,
            "game": "all" if not experiment.stream else "short" if shorter else "long",
        }
        played_here = []
        for series in experiment.series.values():
            member, policy = arena.members[series.policy], series.as_policy
            epsilon = series.parameters.get("epsilon") if member.swept else None
            about = {
                "policy": series.policy,
                "label": member.label,
                "source": member.source,
                "python": repr(policy),
                "mechanism": policy.mechanism,
                "knows_horizon": int(member.knows_horizon),
                "epsilon": math.nan if epsilon is None else epsilon,
            }
            promise = promise_of_series(series, horizon, len(means), epsilon, audit_rows, refuted)
            numbers = statistics(regrets[series.id], experiment.design.rounds, of["smallest_gap"])
            played_here.append(numbers.assign(**of, **about, **promise._asdict()))
        parts.append(over_bounds(pd.concat(played_here), arms))
    return compared(pd.concat(parts, ignore_index=True), arena.yardstick)


def promise_of_series(
    series: Series,
    horizon: int,
    arms: int,
    epsilon: float | None,
    audits: pd.DataFrame,
    refuted: Mapping[str, str],
) -> Promise:
    """The promise of a series at the league's epsilon.

    A ledger above it exceeds it. An alarm of an audit refutes it, and so does a replay (`refuted`:
    mechanism -> verdict). A loss in games that cost more, such as those with fewer arms, says
    nothing about what is spent here.
    """
    account = series.as_policy.account(horizon, arms)
    if account is None:
        return Promise(NONE)
    league = PURE if account.trust == "central" else account.trust
    league = PROMISING_DELTA.get(league, league) if account.delta > 0 else league
    spent, promised = float(account.spent), account.epsilon if epsilon is None else epsilon
    # An audit plays with the league's epsilon as the parameter, this series with a calibrated one.
    mechanism = series.as_policy.mechanism
    rows = findings.audits_of(audits, mechanism, account.epsilon)
    measured = rows.loc[rows["spent"] <= spent * (1 + 1e-6), "measured"].max()
    alarm = "" if findings.alarms(rows).empty else findings.NOT_KEPT
    promise = findings.verdict(account, promised, refuted.get(mechanism, alarm))
    return Promise(league, float(account.delta), spent, float(measured), promise)


def statistics(runs: np.ndarray, checkpoints: Sequence[int], gap: float) -> pd.DataFrame:
    """The mean, error, median, tail and share of lost runs of regrets (run, checkpoint)."""
    # With the regrets of a checkpoint side by side, NumPy adds them pairwise, equal ones exactly.
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


def over_bounds(rows: pd.DataFrame, arms: Any) -> pd.DataFrame:
    """The rows with the regret of uniform play and, for Bernoulli arms, those over lower bounds.

    A bound that leaves uniform play less than SATURATED units says nothing yet after t rounds.
    """
    means, epsilons = arms.means, rows["epsilon"].fillna(math.inf)
    is_known = getattr(arms, "kind", None) == BERNOULLI
    rows = rows.assign(uniform=rows["t"] * float((means.max() - means).mean()))
    for name, over_log in BOUNDS.items():
        at = {each: over_log(means, each) if is_known else math.nan for each in epsilons.unique()}
        bound = np.log(rows["t"]) * epsilons.map(at)
        rows[name] = (rows["mean"] / bound).where(rows["uniform"] >= SATURATED * bound)
    return rows


def compared(rows: pd.DataFrame, yardstick: str) -> pd.DataFrame:
    """The rows with the regret over the yardstick's, and with `best`.

    The yardstick does not know the horizon: where it does not play a game, it is read after as many
    rounds of another one. A row is `best` if no policy of the league that keeps its promise has
    less regret by more than two errors.
    """
    yard = rows[rows["policy"] == yardstick]
    same_game, any_game = (
        rows[place].merge(yard.drop_duplicates(place), on=place, how="left")["mean"]
        for place in (PLACE, ["instance", "t"])
    )
    unit = same_game.fillna(any_game).to_numpy()
    rows = rows.assign(over_yardstick=rows["mean"] / unit, best=0)
    is_best = places.tied(
        rows[places.kept(rows)], ["league", "epsilon", *PLACE], "mean", "standard_error"
    )
    rows.loc[is_best.index[is_best], "best"] = 1
    return rows[COLUMNS]


def uniform_over_yardstick(scores: pd.DataFrame) -> pd.Series:
    """The regret of uniform play in units of the yardstick's; below SATURATED it decides little."""
    return scores["uniform"] * scores["over_yardstick"] / scores["mean"]


def final_rows(scores: pd.DataFrame) -> pd.DataFrame:
    """The rows of the end of the game that everybody plays."""
    rows = scores[scores["game"] == "all"]
    return rows[rows["t"] == rows["t"].max()]


def read(path: str | Path) -> pd.DataFrame:
    """Read the table of scores; if the file is damaged, the error says what to do."""
    return read_table(path, TEXTS)

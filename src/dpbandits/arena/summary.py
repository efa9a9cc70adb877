"""An arena in a few lines: one row per policy and epsilon, the README's table of which policy to use, and which means have
large errors.

Of several instances, regrets over the yardstick's have a geometric mean. Its error comes from the errors of the means of the
policy; that of the yardstick is common to all.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from dpbandits.arena.cells import AGGREGATOR, APPROXIMATE, LOCAL, PURE
from dpbandits.arena.scores import PRINTED, TIED, final_rows, ranked, tied
from dpbandits.arena.scores import read as read_scores
from dpbandits.files.tables import Table
from dpbandits.verdicts import scoreboard

PICTURE = "figures/gallery/{}.png"
LARGE = 0.03  # an error, relative to its mean
ENOUGH_LOST = 9  # runs: two standard errors of their number are less than a factor of two
TRUSTED = {
    PURE: "the one who runs it: ε",
    APPROXIMATE: "the same: (ε, δ), δ = {delta}",
    AGGREGATOR: "an aggregator of sums: ε",
    LOCAL: "nobody: ε",
}


@dataclass(frozen=True)
class Line:
    """A policy at one epsilon, over all instances that it plays."""

    policy: str
    label: str
    league: str
    epsilon: float  # nan without one
    instances: int
    score: float  # the geometric mean over the instances that have the unit of most of them
    worst: float  # the largest score
    worst_percentile: float  # the largest score of the 95th percentile of the runs
    locked_in: float  # the share of locked-in runs, the mean over the instances
    won: int  # the cells in which no policy of the league has less mean regret, by more than two standard errors
    over_yardstick: float  # the geometric mean of regret over the yardstick's
    measured: float  # the most on any instance; nan where the audit's games cost more than is spent
    promise: str
    error: float  # of over_yardstick
    delta: float
    printed: bool  # as printed, where it does not spend what its league spends


def lines(scores: Table) -> list[Line]:
    """One line per policy and epsilon, in the order of the table."""
    rows = final_rows(scores)
    found: dict[tuple[str, str], list[int]] = {}
    for i, (policy, epsilon) in enumerate(zip(rows["policy"], rows["epsilon"], strict=True)):
        found.setdefault((str(policy), f"{epsilon:g}"), []).append(i)
    winners = _winners(rows)
    result = []
    for (policy, _), places in found.items():
        mine = rows.rows(np.array(places))
        bounded = mine.rows(mine["unit"] == mine["unit"][0])
        over_yardstick = _geometric_mean(mine["over_yardstick"])
        relative = float(np.sqrt(np.sum((mine["standard_error"] / mine["mean"]) ** 2)))
        league, epsilon = str(mine["league"][0]), float(mine["epsilon"][0])
        result.append(
            Line(
                policy=policy,
                label=str(mine["label"][0]),
                league=league,
                epsilon=epsilon,
                instances=len(places),
                score=_geometric_mean(bounded["score"]),
                worst=float(bounded["score"].max()),
                worst_percentile=float(bounded["score_percentile_95"].max()),
                locked_in=float(mine["locked_in"].mean()),
                won=sum(policy in winners[league, f"{epsilon:g}", instance] for instance in mine["instance"]),
                over_yardstick=over_yardstick,
                measured=float(np.fmax.reduce(mine["measured"])),
                promise="exceeded" if (mine["promise"] == "exceeded").any() else str(mine["promise"][0]),
                error=over_yardstick * relative / len(places),
                delta=float(mine["delta"][0]),
                printed=mine["setting"][0] == PRINTED,
            )
        )
    return result


def _winners(rows: Table) -> dict[tuple[str, str, str], set[str]]:
    """(league, epsilon, instance) -> the policies with the least mean regret among those that are compared, ties included."""
    places: dict[tuple[str, str, str], list[int]] = {}
    for i, compared in enumerate(ranked(rows)):
        key = str(rows["league"][i]), f"{rows['epsilon'][i]:g}", str(rows["instance"][i])
        places.setdefault(key, []).extend([i] if compared else [])
    return {
        key: {str(rows["policy"][here[k]]) for k in tied(rows["mean"][here], rows["standard_error"][here])}
        for key, here in places.items()
    }


def _geometric_mean(values: np.ndarray) -> float:
    return float(np.exp(np.mean(np.log(values))))


def answers(scores: pd.DataFrame, arms: int | None = None, rounds: int | None = None) -> pd.DataFrame:
    """Every league's policies at every epsilon, those with the least regret first.

    `arms`: on the instances with so many arms; on all if None. `rounds`: after so many, in the shortest game that is long enough; at
    the end of the game that everybody plays if None. Regret, its error, median and percentile are geometric means over the
    instances, in units of the yardstick's mean regret; `lost` is the mean share of lost runs. A policy is `ranked` if it keeps
    its promise and plays all instances, `tied` if it is ranked and within two errors of the first, and `tuned_for` the longer
    horizon that it knows; `means` has its mean on every instance.
    """
    here = scores[scores["over_yardstick"].notna() & (scores["setting"] != PRINTED)]
    if arms is not None:
        here = here[here["arms"] == arms]
    here = here[here["t"] == (here.loc[here["game"] == "all", "t"].max() if rounds is None else rounds)]
    here = here.sort_values("horizon", kind="stable").drop_duplicates(["policy", "epsilon", "instance"])
    unit = here["mean"] / here["over_yardstick"]
    mine = here.assign(
        square=(here["standard_error"] / here["mean"]) ** 2,
        regret=_log(here["over_yardstick"]),
        median=_log(here["median"] / unit),
        percentile_95=_log(here["percentile_95"] / unit),
        tuned_for=here["horizon"].where((here["knows_horizon"] == 1) & (here["horizon"] > here["t"]), 0),
        exceeded=here["promise"] == "exceeded",
        means=[f"{one.instance} {one.mean:,.4g} ± {one.standard_error:.2g}" for one in here.itertuples()],
    )
    found = mine.groupby(["league", "epsilon", "policy"], sort=False, dropna=False).agg(
        label=("label", "first"), instances=("instance", "size"), regret=("regret", "mean"), error=("square", "sum"),
        median=("median", "mean"), percentile_95=("percentile_95", "mean"), lost=("locked_in", "mean"), delta=("delta", "max"),
        spent=("spent", "max"), measured=("measured", "max"), tuned_for=("tuned_for", "max"), exceeded=("exceeded", "max"),
        means=("means", "; ".join),
    )  # fmt: skip
    found[["regret", "median", "percentile_95"]] = np.exp(found[["regret", "median", "percentile_95"]])
    found["error"] = found["regret"] * np.sqrt(found["error"]) / found["instances"]
    found["ranked"] = ~found["exceeded"] & (found["instances"] == here["instance"].nunique())
    found = found.sort_values(["ranked", "regret", "label"], ascending=[False, True, True]).reset_index()
    best = found.groupby(["league", "epsilon"], dropna=False)[["regret", "error"]].transform("first")
    distance = found["regret"] - best["regret"]
    found["tied"] = found["ranked"] & (distance <= TIED * np.hypot(found["error"], best["error"]))
    return found


def answer(
    scores: pd.DataFrame, trust: str, epsilon: float, arms: int | None = None, rounds: int | None = None
) -> pd.DataFrame:
    """Which policy to use: `answers` for one league at one epsilon, which those without a promise do not have."""
    found = answers(scores, arms, rounds)
    return found[(found["league"] == trust) & (found["epsilon"].isna() | (found["epsilon"] == epsilon))]


def _log(values: pd.Series) -> pd.Series:
    with np.errstate(divide="ignore"):
        return np.log(values)


def recommended(scores: Table) -> dict[tuple[str, float], pd.DataFrame]:
    """(league, epsilon) -> the best policy of the answer, and all that are tied with it."""
    found = answers(pd.DataFrame(scores))
    found = found[found["tied"] & found["epsilon"].notna()]
    return dict(list(found.groupby(["league", "epsilon"])))


def as_markdown(scores: Table) -> str:
    """The README's answer to "which one should I use?"."""
    best = recommended(scores)
    epsilons = sorted({epsilon for _, epsilon in best})
    columns = ["whom you trust with rewards: promise", *(f"ε = {epsilon:g}" for epsilon in epsilons)]
    rows = []
    for league, words in TRUSTED.items():
        here = [best.get((league, epsilon)) for epsilon in epsilons]
        delta = next((found["delta"].iloc[0] for found in here if found is not None), 0.0)
        cells = ["–" if found is None else _names(found) for found in here]
        promise = words.format(delta=f"{delta:.0e}".replace("e-0", "e-"))
        rows.append([promise, *cells])
    return scoreboard.as_table(dict.fromkeys(columns, scoreboard.LEFT), rows)


def _names(found: pd.DataFrame) -> str:
    return " = ".join(f"{one.label} ({times(one.regret)})" for one in found.itertuples())


def errors_as_markdown(scores: Table) -> str:
    """How many means at the ends of games have large errors, and a table of those of which no share of lost runs is known."""
    rows = scores.rows((scores["t"] == scores["horizon"]) & (scores["setting"] != PRINTED))
    relative = rows["standard_error"] / rows["mean"]
    large, lost = relative > LARGE, np.round(rows["locked_in"] * rows["runs"]) >= ENOUGH_LOST
    found = (
        f"Of {len(relative)} means, policies as printed apart, {np.sum(~large)} have an error of at most {LARGE:.0%}. Of the others "
        f"{np.sum(large & lost)} are decided by lost runs, of which there are at least {ENOUGH_LOST}: their share is known within a "
        f"factor of two. {np.sum(large & ~lost)} remain:\n\n"
    )
    table = []
    for label in dict.fromkeys(rows["label"][large & ~lost].tolist()):
        mine = np.flatnonzero((rows["label"] == label) & large & ~lost)
        worst = mine[np.argmax(relative[mine])]
        table.append([
            label,
            f"{len(mine)} of {np.sum(rows['label'] == label)}",
            f"{np.median(relative[mine]):.1%}",
            f"{relative[worst]:.1%}: {rows['instance'][worst]}"
            + ("" if math.isnan(rows["epsilon"][worst]) else f", ε = {rows['epsilon'][worst]:g}")
            + f", T = {rows['horizon'][worst]:.0e}, {rows['runs'][worst]} runs".replace("e+0", "e"),
        ])  # fmt: skip
    columns = ["policy", "means", "median error", "largest error"]
    return found + scoreboard.as_table(dict.fromkeys(columns, scoreboard.LEFT), table)


def times(ratio: float) -> str:
    """A ratio in the README: 8.2, and from ten on a whole number."""
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"


def refresh(readme: Path, arena: str, scores: Path) -> bool:
    """Write the table of an arena and the place of its picture into the README, and the errors into its page, if the README has
    room for them; whether it has."""
    if scoreboard.BEGIN.format(arena) not in readme.read_text(encoding="utf-8"):
        return False
    picture = f"![the policies with the least regret, instance by instance]({PICTURE.format(arena)})"
    table = read_scores(scores)
    scoreboard.put_table(readme, arena, f"{as_markdown(table)}\n\n{picture}")
    scoreboard.put_table(readme.parent / f"docs/{arena}.md", f"{arena} errors", errors_as_markdown(table))
    return True

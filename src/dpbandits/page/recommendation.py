"""Which policy to use, by trust, epsilon, arms and rounds: for README, page and docs/arena.md.

The regret over several instances is a geometric mean, in units of the yardstick's regret. Its
error comes from the policy's means. The error of the yardstick is common to all and left out.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from dpbandits.arena.scores import (
    AGGREGATOR,
    AGGREGATOR_APPROXIMATE,
    APPROXIMATE,
    EXCEEDED,
    LOCAL,
    PURE,
    final_rows,
)
from dpbandits.arena.scores import read as read_scores
from dpbandits.checks import tables
from dpbandits.figures.heatmaps import number
from dpbandits.statistics.estimators import DECIDING_ERRORS

PICTURE = "figures/gallery/{}.png"
LARGE_ERROR = 0.03  # relative to the mean
ENOUGH_LOST = 9  # runs: two standard errors of this number are less than a factor of two
TRUSTED = {  # league -> who may see rewards, and the promise
    PURE: "the one who runs it: ε",
    APPROXIMATE: "the one who runs it: (ε, δ)",
    AGGREGATOR: "an aggregator of sums: ε",
    AGGREGATOR_APPROXIMATE: "an aggregator of sums: (ε, δ)",
    LOCAL: "nobody: ε",
}


def ranking(
    scores: pd.DataFrame, arms: int | None = None, rounds: int | None = None
) -> pd.DataFrame:
    """Rank every league's policies at every epsilon, the least regret first.

    Parameters
    ----------
    scores : DataFrame
        The arena's table of scores.
    arms : int, optional
        Use only the instances with this number of arms.
    rounds : int, optional
        Compare after this number of rounds, in the shortest game that is long enough. By default,
        at the end of the game that all policies play.

    Returns
    -------
    DataFrame
        `regret` and `error` are in units of the yardstick's regret, `lost` is the mean share of
        lost runs, and `means` lists the mean regrets by instance. `least` and `most` are
        regrets beyond the yardstick's. A policy is `ranked` if it keeps
        its promise and plays all instances. It is `tied` if it is ranked and within two errors of
        the first. `tuned_for` is a horizon that the policy knows if that is longer, else 0.
    """
    here = scores[scores["over_yardstick"].notna()]
    if arms is not None:
        here = here[here["arms"] == arms]
    if rounds is None:
        rounds = here.loc[here["game"] == "all", "t"].max()
    here = here[here["t"] == rounds]
    here = here.sort_values("horizon", kind="stable").drop_duplicates(
        ["policy", "epsilon", "instance"]
    )
    with np.errstate(divide="ignore"):
        logarithm = np.log(here["over_yardstick"])
    knows_longer = (here["knows_horizon"] == 1) & (here["horizon"] > here["t"])
    by_instance = here.assign(
        regret=logarithm,
        square=(here["standard_error"] / here["mean"]) ** 2,
        tuned_for=here["horizon"].where(knows_longer, 0),
        exceeded=here["promise"] == EXCEEDED,
        extra=here["mean"] * (1 - 1 / here["over_yardstick"]),
        means=[
            f"{row.instance} {with_error(row.mean, row.standard_error)}"
            for row in here.itertuples()
        ],
    )
    ranks = by_instance.groupby(["league", "epsilon", "policy"], sort=False, dropna=False).agg(
        label=("label", "first"), source=("source", "first"), python=("python", "first"),
        instances=("instance", "size"),
        regret=("regret", "mean"), error=("square", "sum"), lost=("locked_in", "mean"),
        delta=("delta", "max"), spent=("spent", "max"), measured=("measured", "max"),
        least=("extra", "min"), most=("extra", "max"),
        tuned_for=("tuned_for", "max"), exceeded=("exceeded", "max"), means=("means", "; ".join),
    )  # fmt: skip
    ranks["regret"] = np.exp(ranks["regret"])
    ranks["error"] = ranks["regret"] * np.sqrt(ranks["error"]) / ranks["instances"]
    ranks["ranked"] = ~ranks["exceeded"] & (ranks["instances"] == here["instance"].nunique())
    ranks = ranks.sort_values(
        ["ranked", "regret", "label"], ascending=[False, True, True]
    ).reset_index()
    first = ranks.groupby(["league", "epsilon"], dropna=False)[["regret", "error"]].transform(
        "first"
    )
    distance = ranks["regret"] - first["regret"]
    error = np.hypot(ranks["error"], first["error"])
    ranks["tied"] = ranks["ranked"] & (distance <= DECIDING_ERRORS * error)
    return ranks


def with_error(mean: float, error: float) -> str:
    """A mean with its error: 347.70 ± 1.10; from 1000 on without decimals."""
    decimals = 0 if mean >= 1000 else 2
    return f"{mean:,.{decimals}f} ± {error:,.{decimals}f}"


def recommended(scores: pd.DataFrame) -> pd.DataFrame:
    """The best policies of all leagues and epsilons, with those that are tied with them."""
    ranks = ranking(scores)
    return ranks[ranks["tied"] & ranks["epsilon"].notna()].sort_values(
        ["league", "epsilon"], kind="stable"
    )


def as_markdown(scores: pd.DataFrame) -> str:
    """The README's table under "Which one should I use?"."""
    best = recommended(scores)
    best = best.assign(cell=[f"{row.label} ({number(row.regret)})" for row in best.itertuples()])
    cells = best.groupby(["league", "epsilon"])["cell"].agg(" = ".join).unstack()
    cells = cells.reindex(TRUSTED).fillna("–")
    deltas = best.groupby("league")["delta"].max()
    words = deltas[deltas > 0].map(lambda delta: f", δ = {delta:.0e}".replace("e-0", "e-"))
    sources = best.groupby("league")["source"].agg(lambda each: ", ".join(each.unique()))
    cells["rests on"] = sources.reindex(TRUSTED).fillna("")
    cells.index = [promise + words.get(league, "") for league, promise in TRUSTED.items()]
    return _by_epsilon("whom you trust with rewards: promise", cells)


def _by_epsilon(title: str, cells: pd.DataFrame) -> str:
    """A table in Markdown with a column for each epsilon."""
    names = (name if isinstance(name, str) else f"ε = {name:g}" for name in cells)
    return tables.as_table([title, *names], cells.itertuples(name=None))


def lost_as_markdown(scores: pd.DataFrame) -> str:
    """The share of lost runs of each recommended policy: the mean and, in brackets, the largest."""
    played = recommended(scores)[["league", "epsilon", "policy", "lost"]].merge(final_rows(scores))
    worst = played.loc[
        played.groupby(["league", "epsilon", "policy"], sort=False)["locked_in"].idxmax()
    ]
    shares = [f"{row.lost:.1%} ({row.locked_in:.1%}, {row.instance})" for row in worst.itertuples()]
    cells = worst.assign(cell=shares).pivot(index="label", columns="epsilon", values="cell")
    return _by_epsilon("recommended", cells.reindex(worst["label"].unique()).fillna(""))


def errors_as_markdown(scores: pd.DataFrame) -> str:
    """The number of means with large errors, and the errors that lost runs do not explain."""
    rows = scores[scores["t"] == scores["horizon"]]
    rows = rows.assign(relative=rows["standard_error"] / rows["mean"])
    large = rows["relative"] > LARGE_ERROR
    lost = (rows["locked_in"] * rows["runs"]).round() >= ENOUGH_LOST
    remain = rows["relative"][large & ~lost]
    return (
        f"Of {len(rows)} means {(~large).sum()} have an error of at most {LARGE_ERROR:.0%}. "
        f"Of the others {(large & lost).sum()} are decided by lost runs, of which there are at "
        f"least {ENOUGH_LOST}: their share is known within a factor of two. "
        f"{len(remain)} remain, with errors of up to {remain.max():.0%}."
    )


def update(readme: Path, arena: str, scores: str | Path) -> bool:
    """Write the recommendation into README, and lost runs and errors into the arena's page.

    False if the README has no marks for this arena.
    """
    if tables.BEGIN.format(arena) not in readme.read_text(encoding="utf-8"):
        return False
    alt = "the policies with the least regret, instance by instance"
    picture = f"![{alt}]({PICTURE.format(arena)})"
    table = read_scores(scores)
    tables.put_table(readme, arena, f"{as_markdown(table)}\n\n{picture}")
    for name, make in (("lost", lost_as_markdown), ("errors", errors_as_markdown)):
        tables.put_table(readme.parent / f"docs/{arena}.md", f"{arena} {name}", make(table))
    return True

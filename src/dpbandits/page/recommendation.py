"""Which policy to use: by trust, epsilon, arms and rounds. The README's table, the page's chooser and docs/arena.md ask here.

Of several instances, regrets over the yardstick's have a geometric mean. Its error comes from the errors of the means of the
policy; that of the yardstick is common to all.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from dpbandits.arena.scores import AGGREGATOR, APPROXIMATE, EXCEEDED, LOCAL, PURE, final_rows
from dpbandits.arena.scores import read as read_scores
from dpbandits.checks import tables
from dpbandits.figures.heatmaps import number
from dpbandits.statistics.estimators import DECIDING_ERRORS

PICTURE = "figures/gallery/{}.png"
LARGE = 0.03  # an error, relative to its mean
ENOUGH_LOST = 9  # runs: two standard errors of their number are less than a factor of two
TRUSTED = {  # with rewards, and what is promised
    PURE: "the one who runs it: ε",
    APPROXIMATE: "the one who runs it: (ε, δ)",
    AGGREGATOR: "an aggregator of sums: ε",
    LOCAL: "nobody: ε",
}


def answers(
    scores: pd.DataFrame, arms: int | None = None, rounds: int | None = None
) -> pd.DataFrame:
    """Every league's policies at every epsilon, those with the least regret first.

    `arms`: on the instances with so many arms; on all if None. `rounds`: after so many, in the shortest game that is long enough; at
    the end of the game that everybody plays if None. `regret` and its `error` are geometric means over the instances, in units of the
    yardstick's mean regret; `lost` is the mean share of lost runs; `means` has the mean on every instance. A policy is `ranked` if it
    keeps its promise and plays all instances, `tied` if it is ranked and within two errors of the first, and `tuned_for` the longer
    horizon that it knows.
    """
    here = scores[scores["over_yardstick"].notna()]
    if arms is not None:
        here = here[here["arms"] == arms]
    here = here[
        here["t"] == (here.loc[here["game"] == "all", "t"].max() if rounds is None else rounds)
    ]
    here = here.sort_values("horizon", kind="stable").drop_duplicates(
        ["policy", "epsilon", "instance"]
    )
    with np.errstate(divide="ignore"):
        logarithm = np.log(here["over_yardstick"])
    mine = here.assign(
        regret=logarithm,
        square=(here["standard_error"] / here["mean"]) ** 2,
        tuned_for=here["horizon"].where(
            (here["knows_horizon"] == 1) & (here["horizon"] > here["t"]), 0
        ),
        exceeded=here["promise"] == EXCEEDED,
        means=[
            f"{one.instance} {with_error(one.mean, one.standard_error)}"
            for one in here.itertuples()
        ],
    )
    found = mine.groupby(["league", "epsilon", "policy"], sort=False, dropna=False).agg(
        label=("label", "first"), instances=("instance", "size"), regret=("regret", "mean"), error=("square", "sum"),
        lost=("locked_in", "mean"), delta=("delta", "max"), spent=("spent", "max"), measured=("measured", "max"),
        tuned_for=("tuned_for", "max"), exceeded=("exceeded", "max"), means=("means", "; ".join),
    )  # fmt: skip
    found["regret"] = np.exp(found["regret"])
    found["error"] = found["regret"] * np.sqrt(found["error"]) / found["instances"]
    found["ranked"] = ~found["exceeded"] & (found["instances"] == here["instance"].nunique())
    found = found.sort_values(
        ["ranked", "regret", "label"], ascending=[False, True, True]
    ).reset_index()
    best = found.groupby(["league", "epsilon"], dropna=False)[["regret", "error"]].transform(
        "first"
    )
    distance = found["regret"] - best["regret"]
    found["tied"] = found["ranked"] & (
        distance <= DECIDING_ERRORS * np.hypot(found["error"], best["error"])
    )
    return found


def with_error(mean: float, error: float) -> str:
    """347.70 ± 1.10, and from a thousand on whole numbers."""
    decimals = 0 if mean >= 1000 else 2
    return f"{mean:,.{decimals}f} ± {error:,.{decimals}f}"


def recommended(scores: pd.DataFrame) -> pd.DataFrame:
    """The best policies of all leagues and epsilons, with those that are tied with them."""
    found = answers(scores)
    return found[found["tied"] & found["epsilon"].notna()].sort_values(
        ["league", "epsilon"], kind="stable"
    )


def as_markdown(scores: pd.DataFrame) -> str:
    """The README's answer to "which one should I use?"."""
    best = recommended(scores)
    best = best.assign(cell=[f"{one.label} ({number(one.regret)})" for one in best.itertuples()])
    cells = (
        best.groupby(["league", "epsilon"])["cell"]
        .agg(" = ".join)
        .unstack()
        .reindex(TRUSTED)
        .fillna("–")
    )
    deltas = best.groupby("league")["delta"].max()
    words = {of: f", δ = {delta:.0e}".replace("e-0", "e-") for of, delta in deltas.items() if delta}
    cells.index = [said + words.get(league, "") for league, said in TRUSTED.items()]
    return _by_epsilon("whom you trust with rewards: promise", cells)


def _by_epsilon(title: str, cells: pd.DataFrame) -> str:
    """Rows of cells with a column for each epsilon, in Markdown."""
    return tables.as_table(
        [title, *(f"ε = {epsilon:g}" for epsilon in cells)], cells.itertuples(name=None)
    )


def lost_as_markdown(scores: pd.DataFrame) -> str:
    """The share of lost runs of every recommended policy: on average over the instances, and in brackets where it is largest."""
    played = recommended(scores)[["league", "epsilon", "policy", "lost"]].merge(final_rows(scores))
    worst = played.loc[
        played.groupby(["league", "epsilon", "policy"], sort=False)["locked_in"].idxmax()
    ]
    shares = [f"{one.lost:.1%} ({one.locked_in:.1%}, {one.instance})" for one in worst.itertuples()]
    cells = worst.assign(cell=shares).pivot(index="label", columns="epsilon", values="cell")
    return _by_epsilon("recommended", cells.reindex(worst["label"].unique()).fillna(""))


def errors_as_markdown(scores: pd.DataFrame) -> str:
    """How many means at the ends of games have large errors, and how large they are where no share of lost runs is known."""
    rows = scores[scores["t"] == scores["horizon"]]
    rows = rows.assign(relative=rows["standard_error"] / rows["mean"])
    large, lost = (
        rows["relative"] > LARGE,
        (rows["locked_in"] * rows["runs"]).round() >= ENOUGH_LOST,
    )
    remain = rows["relative"][large & ~lost]
    return (
        f"Of {len(rows)} means {(~large).sum()} have an error of at most {LARGE:.0%}. Of the others {(large & lost).sum()} are decided "
        f"by lost runs, of which there are at least {ENOUGH_LOST}: their share is known within a factor of two. "
        f"{len(remain)} remain, with errors of up to {remain.max():.0%}."
    )


def refresh(readme: Path, arena: str, scores: Path) -> bool:
    """Write the table and the picture of an arena into the README, and lost runs and errors into docs/; False if
    the README has no marks for them."""
    if tables.BEGIN.format(arena) not in readme.read_text(encoding="utf-8"):
        return False
    picture = (
        f"![the policies with the least regret, instance by instance]({PICTURE.format(arena)})"
    )
    table = read_scores(scores)
    tables.put_table(readme, arena, f"{as_markdown(table)}\n\n{picture}")
    for name, make in (("lost", lost_as_markdown), ("errors", errors_as_markdown)):
        tables.put_table(readme.parent / f"docs/{arena}.md", f"{arena} {name}", make(table))
    return True

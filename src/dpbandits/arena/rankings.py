"""Rankings of policies from the table of scores, by trust and privacy.

The regret over several instances is a geometric mean, in units of the yardstick's regret. Its
error comes from the policy's means. The error of the yardstick is common to all and left out.
"""

import numpy as np
import pandas as pd

from dpbandits.arena.scores import (
    AGGREGATOR,
    AGGREGATOR_APPROXIMATE,
    APPROXIMATE,
    LOCAL,
    PURE,
    final_rows,
)
from dpbandits.audit.findings import BROKEN
from dpbandits.statistics.estimators import DECIDING_ERRORS

TRUSTED = {  # league -> who may see rewards, and the promise
    PURE: "the operator: ε",
    APPROXIMATE: "the operator: (ε, δ)",
    AGGREGATOR: "an aggregator of sums: ε",
    AGGREGATOR_APPROXIMATE: "an aggregator of sums: (ε, δ)",
    LOCAL: "nobody: ε",
}
GAME = ["arms", "rounds"]
RANKED_TOGETHER = ["league", "epsilon", *GAME]


def ranking(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank the policies of each league at each epsilon in games of equal size, least regret first.

    Parameters
    ----------
    scores : DataFrame
        The arena's table of scores.

    Returns
    -------
    DataFrame
        `arms` and `rounds` are the size of the games: the instances with this number of arms, each
        after this number of rounds, in the shortest game that is long enough. `regret` and `error`
        are in units of the yardstick's regret, and `lost` is the mean share of lost runs. A policy
        is `ranked` if it keeps its promise and plays all instances. It is `tied` if it is ranked
        and within two errors of the first. `tuned_for` is a horizon that the policy knows if that
        is longer, else 0.
    """
    here = scores[scores["over_yardstick"].notna()].rename(columns={"t": "rounds"})
    here = here.sort_values("horizon", kind="stable").drop_duplicates(
        ["policy", "epsilon", "instance", "rounds"]
    )
    with np.errstate(divide="ignore"):
        logarithm = np.log(here["over_yardstick"])
    knows_longer = (here["knows_horizon"] == 1) & (here["horizon"] > here["rounds"])
    by_instance = here.assign(
        regret=logarithm,
        square=(here["standard_error"] / here["mean"]) ** 2,
        tuned_for=here["horizon"].where(knows_longer, 0),
        exceeded=here["promise"].isin(BROKEN),
        of=here.groupby(GAME)["instance"].transform("nunique"),
    )
    ranks = by_instance.groupby([*RANKED_TOGETHER, "policy"], sort=False, dropna=False).agg(
        label=("label", "first"), source=("source", "first"), python=("python", "first"),
        instances=("instance", "size"), of=("of", "first"),
        regret=("regret", "mean"), error=("square", "sum"), lost=("locked_in", "mean"),
        delta=("delta", "max"), spent=("spent", "max"), measured=("measured", "max"),
        tuned_for=("tuned_for", "max"), exceeded=("exceeded", "max"),
    )  # fmt: skip
    ranks["regret"] = np.exp(ranks["regret"])
    ranks["error"] = ranks["regret"] * np.sqrt(ranks["error"]) / ranks["instances"]
    ranks["ranked"] = ~ranks["exceeded"] & (ranks["instances"] == ranks["of"])
    ranks = ranks.sort_values(
        ["ranked", "regret", "label"], ascending=[False, True, True]
    ).reset_index()
    together = ranks.groupby(RANKED_TOGETHER, dropna=False)[["regret", "error"]]
    first = together.transform("first")
    distance = ranks["regret"] - first["regret"]
    error = np.hypot(ranks["error"], first["error"])
    ranks["tied"] = ranks["ranked"] & (distance <= DECIDING_ERRORS * error)
    return ranks


def overall_ranking(scores: pd.DataFrame) -> pd.DataFrame:
    """The ranking over all instances together, at the end of the game that all policies play."""
    return ranking(final_rows(scores).assign(arms=0))

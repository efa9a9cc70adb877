"""Rankings of policies from the table of scores, by trust and privacy.

The regret over several instances is a geometric mean, in units of the yardstick's regret. The
instances of a family count as one. The error comes from the policy's means. The error of the
yardstick is common to all and left out.
"""

import numpy as np
import pandas as pd

from dpbandits.arena.places import kept, tied
from dpbandits.arena.scores import (
    AGGREGATOR,
    AGGREGATOR_APPROXIMATE,
    APPROXIMATE,
    BOUNDS,
    LOCAL,
    NONE,
    PURE,
    SATURATED,
    final_rows,
    uniform_over_yardstick,
)

TRUSTED = {  # league -> who may see rewards, and the promise
    PURE: "the operator: ε",
    APPROXIMATE: "the operator: (ε, δ)",
    AGGREGATOR: "an aggregator of sums: ε",
    AGGREGATOR_APPROXIMATE: "an aggregator of sums: (ε, δ)",
    LOCAL: "nobody: ε",
}
LEAGUES = TRUSTED | {NONE: "everybody: none"}
# What is needed -> the leagues whose promise implies it. Who trusts nobody may also trust, and pure
# epsilon is (epsilon, delta).
IMPLIED_BY = {
    PURE: (PURE, AGGREGATOR, LOCAL),
    APPROXIMATE: (PURE, APPROXIMATE, AGGREGATOR, AGGREGATOR_APPROXIMATE, LOCAL),
    AGGREGATOR: (AGGREGATOR, LOCAL),
    AGGREGATOR_APPROXIMATE: (AGGREGATOR, AGGREGATOR_APPROXIMATE, LOCAL),
    LOCAL: (LOCAL,),
}
GAME = ["arms", "rounds"]
RANKED_TOGETHER = ["league", "epsilon", *GAME]
BOUNDED = {bound: f"{bound}_families" for bound in BOUNDS}  # the families with this bound
OPERATOR, NOBODY = BOUNDS
KNOWN_BOUND = {PURE: OPERATOR, NONE: OPERATOR, LOCAL: NOBODY}  # of a league or a need
UNUSABLE = 0.25  # a larger share of uniform play's regret, or of lost runs


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
        are in units of the yardstick's regret. `unsaturated` is the same without the instances in
        which uniform play has less than ten times the yardstick's regret. `over_bound` is the
        regret over the lower bound for the league: a mean over the `bounded` families where one is
        known that says something after so many rounds. `lost` is the mean share of lost runs. A
        policy is `ranked` if it keeps its promise and plays all instances. It is `tied` if it is
        ranked and within two errors of the first. Its `place` is one of `number`, those of the
        ranked policies. `of_uniform` is the regret over that of uniform play. `tuned_for` is a
        horizon that the policy knows if that is longer, else 0.
    """
    here = scores[scores["over_yardstick"].notna()].rename(columns={"t": "rounds"})
    here = here.sort_values("horizon", kind="stable").drop_duplicates(
        ["policy", "epsilon", "instance", "rounds"]
    )
    means = {
        "regret": here["over_yardstick"],
        "unsaturated": here["over_yardstick"].where(uniform_over_yardstick(here) >= SATURATED),
        "of_uniform": here["mean"] / here["uniform"],
        **here[list(BOUNDS)],
    }
    with np.errstate(divide="ignore"):
        logarithms = {name: np.log(column) for name, column in means.items()}
    knows_longer = (here["knows_horizon"] == 1) & (here["horizon"] > here["rounds"])
    by_instance = here.assign(
        **logarithms,
        square=(here["standard_error"] / here["mean"]) ** 2,
        lost=here["locked_in"],
        tuned_for=here["horizon"].where(knows_longer, 0),
        exceeded=~kept(here),
        instances=1,
        of=here.groupby(GAME)["instance"].transform("nunique"),
    )
    policy = [*RANKED_TOGETHER, "policy"]
    columns = dict.fromkeys(["label", "source", "python", "of"], "first")
    columns |= dict.fromkeys(["delta", "spent", "measured", "tuned_for", "exceeded"], "max")
    columns |= dict.fromkeys([*means, "lost"], "mean") | {"instances": "sum", "square": "sum"}
    by_family = by_instance.groupby([*policy, "family"], sort=False, dropna=False).agg(columns)
    by_family["square"] /= by_family["instances"] ** 2  # of the family's mean
    groups = by_family.groupby(policy, sort=False, dropna=False)
    ranks = groups.agg(columns).assign(families=groups.size())
    ranks[list(BOUNDED.values())] = groups[list(BOUNDED)].count()
    ranks[list(means)] = np.exp(ranks[list(means)])
    ranks["error"] = ranks["regret"] * np.sqrt(ranks["square"]) / ranks["families"]
    ranks["ranked"] = ~ranks["exceeded"] & (ranks["instances"] == ranks["of"])
    return _placed(ranks.reset_index(), RANKED_TOGETHER)


def why_unusable(policy: pd.Series) -> str:
    """Why none is usable if not even this policy, the best one of a ranking; "" if it is usable."""
    reasons = {
        "has {:.0%} of the regret of uniform play": policy["of_uniform"],
        "loses {:.0%} of its runs": policy["lost"],
    }
    shown = [words.format(share) for words, share in reasons.items() if share > UNUSABLE]
    return f"none is usable: {policy['label']} {' and '.join(shown)}" if shown else ""


def admissible(ranks: pd.DataFrame) -> pd.DataFrame:
    """Rank, for each need, all policies whose promise implies it: `need` is a league."""
    pairs = [(need, league) for need, leagues in IMPLIED_BY.items() for league in leagues]
    table = pd.DataFrame(pairs, columns=["need", "league"]).merge(ranks)
    return _placed(table, ["need", *RANKED_TOGETHER[1:]])


def _placed(ranks: pd.DataFrame, together: list[str]) -> pd.DataFrame:
    """The policies of each group in order, with those that are tied with the first."""
    ranks = ranks.sort_values(
        ["ranked", "regret", "label"], ascending=[False, True, True], kind="stable"
    ).reset_index(drop=True)
    groups = ranks.groupby(together, dropna=False)
    ranks["place"], ranks["number"] = groups.cumcount() + 1, groups["ranked"].transform("sum")
    is_tied = tied(ranks[ranks["ranked"]], together, "regret", "error")
    ranks["tied"] = is_tied.reindex(ranks.index, fill_value=False)
    ranks["over_bound"], ranks["bounded"] = np.nan, 0
    for league, bound in KNOWN_BOUND.items():
        here = ranks[together[0]] == league
        ranks.loc[here, ["over_bound", "bounded"]] = ranks[[bound, BOUNDED[bound]]].to_numpy()[here]
    return ranks


def overall_ranking(scores: pd.DataFrame) -> pd.DataFrame:
    """The ranking over all instances together, at the end of the game that all policies play."""
    return ranking(final_rows(scores).assign(arms=0))

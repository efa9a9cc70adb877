"""The recommendation of a policy, for README and docs/arena.md."""

from pathlib import Path

import pandas as pd

from dpbandits.arena.rankings import LEAGUES, TRUSTED, admissible, overall_ranking, why_unusable
from dpbandits.arena.scores import (
    LOCAL,
    NONE,
    PURE,
    SATURATED,
    final_rows,
    read,
    uniform_over_yardstick,
)
from dpbandits.checks import tables
from dpbandits.studies.model import Study
from dpbandits.tables import number

PICTURE = "figures/gallery/{}.png"
LARGE_ERROR = 0.05  # relative to the mean
ENOUGH_LOST = 9  # runs: two standard errors of this number are less than a factor of two


def recommended(scores: pd.DataFrame) -> pd.DataFrame:
    """The best policies for all needs and epsilons, with those that are tied with them.

    Of all policies that are `admissible`, and (`own`) of those whose promise is just the need.
    """
    ranks = overall_ranking(scores)
    ranks = ranks[ranks["epsilon"].notna() & ranks["league"].isin(TRUSTED)]
    best, own = (table[table["tied"]] for table in (admissible(ranks), ranks))
    best = best.assign(own=best["league"] == best["need"], best=True)
    own = own.assign(need=own["league"], own=True, best=False)
    found = pd.concat([best, own]).drop_duplicates(["need", "epsilon", "policy"])
    return found.sort_values(["need", "epsilon", "best"], ascending=[True, True, False])


def best(scores: pd.DataFrame) -> pd.DataFrame:
    """The best policies for each need at each epsilon: the table of README and page.

    In brackets is the regret over the yardstick's, and over the lower bound where one is known.
    """
    found = recommended(scores)
    in_brackets = found[["regret", "over_bound"]].map(lambda ratio: number(ratio, digits=2))
    known = found["over_bound"].notna()
    cells = found["label"] + " (" + in_brackets["regret"]
    named = found.assign(cell=cells + ("; " + in_brackets["over_bound"]).where(known, "") + ")")
    cells = {key: _cell(rows) for key, rows in named.groupby(["need", "epsilon"], sort=False)}
    table = pd.Series(cells).unstack().reindex(TRUSTED).fillna("–")
    own = found[found["own"]]
    deltas = own.groupby("need")["delta"].max()
    words = deltas[deltas > 0].map(lambda delta: f", δ = {delta:.0e}".replace("e-0", "e-"))
    sources = found.groupby("need")["source"].agg(lambda each: ", ".join(each.unique()))
    table["rests on"] = sources.reindex(TRUSTED).fillna("")
    table.index = [promise + words.get(league, "") for league, promise in TRUSTED.items()]
    return _by_epsilon("whom you trust with rewards: promise", table)


def _cell(rows: pd.DataFrame) -> str:
    """The best policies for a need at an epsilon, in words."""
    best, own = rows[rows["best"]], rows[~rows["best"]]
    if why := why_unusable(best.iloc[0]):
        return why
    of_this_kind = f"; of this kind {' = '.join(own['cell'])}" if len(own) else ""
    return " = ".join(best["cell"]) + of_this_kind


def _by_epsilon(title: str, cells: pd.DataFrame) -> pd.DataFrame:
    """A table with a column for each epsilon, after one with this title for the index."""
    names = {name: f"ε = {name:g}" for name in cells if not isinstance(name, str)}
    return cells.rename(columns=names).rename_axis(title).reset_index()


def as_markdown(scores: pd.DataFrame) -> str:
    """The README's table under "Which one should I use?"."""
    return _as_table(best(scores))


def _as_table(frame: pd.DataFrame) -> str:
    return tables.as_table(list(frame), frame.itertuples(index=False, name=None))


def scale_as_markdown(scores: pd.DataFrame, yardstick: str) -> str:
    """The regret of the best policies, and of the best one without privacy, in other units.

    `yardstick`: the label of the policy whose regret is the unit of scores.
    """
    ranks, found = overall_ranking(scores), recommended(scores)
    public = ranks[(ranks["league"] == NONE) & ranks["ranked"]].head(1).assign(need=NONE)
    found = found[found["best"] & found["need"].isin((PURE, LOCAL))]
    best = pd.concat([public, found.drop_duplicates(["need", "epsilon"])])
    ratios = best[["regret", "unsaturated", "over_bound"]].map(
        lambda ratio: number(ratio, digits=2)
    )
    has_bound = best["over_bound"].notna()
    finals = final_rows(scores)
    times = uniform_over_yardstick(finals)
    alike = finals.assign(times=times)[times < SATURATED].groupby("instance")["times"].median()
    without = {f"without {', '.join(alike.index)}": ratios["unsaturated"]} if len(alike) else {}
    table = pd.DataFrame(
        {
            "whom you trust: promise": best["need"].map(LEAGUES),
            "ε": best["epsilon"].map("{:g}".format).where(best["epsilon"].notna(), "–"),
            "best policy": best["label"],
            f"over {yardstick}’s regret": ratios["regret"],
            **without,
            "over the lower bound": ratios["over_bound"].where(has_bound, "–"),
            "bandits with a bound": best["bounded"].map("{:g}".format),
        }
    )
    words = [
        f"In {instance} uniform play has only {times:.1f} times {yardstick}’s regret, so that "
        "policies hardly differ."
        for instance, times in alike.items()
    ]
    return "\n\n".join([*words, _as_table(table)])


def lost_as_markdown(scores: pd.DataFrame) -> str:
    """The share of lost runs of each recommended policy: the mean and, in brackets, the largest."""
    found = recommended(scores)[["epsilon", "policy", "lost"]].drop_duplicates()
    played = found.merge(final_rows(scores))
    worst = played.loc[played.groupby(["epsilon", "policy"], sort=False)["locked_in"].idxmax()]
    shares = [f"{row.lost:.1%} ({row.locked_in:.1%}, {row.instance})" for row in worst.itertuples()]
    cells = worst.assign(cell=shares).pivot(index="label", columns="epsilon", values="cell")
    cells = cells.reindex(worst["label"].unique()).fillna("")
    return _as_table(_by_epsilon("recommended", cells))


def errors_as_markdown(scores: pd.DataFrame) -> str:
    """The number of means with large errors, and the errors that lost runs do not explain."""
    rows = scores[scores["t"] == scores["horizon"]]
    rows = rows.assign(relative=rows["standard_error"] / rows["mean"])
    large = rows["relative"] > LARGE_ERROR
    lost = (rows["locked_in"] * rows["runs"]).round() >= ENOUGH_LOST
    remain = rows["relative"][large & ~lost]
    return (
        f"Of {len(rows)} means {(~large).sum()} have an error of at most {LARGE_ERROR:.0%}. "
        f"In {(large & lost).sum()} more, {ENOUGH_LOST} or more lost runs cause the error, and "
        "their share is known within a factor of two. "
        f"The other {len(remain)} have errors of up to {remain.max():.0%}."
    )


def update(readme: Path, study: Study, scores: str | Path) -> bool:
    """Write the recommendation into README, and its scale and errors into the arena's page.

    False if the README has no marks for this arena.
    """
    arena, unit = study.id, study.arena.members[study.arena.yardstick].label
    if tables.BEGIN.format(arena) not in readme.read_text(encoding="utf-8"):
        return False
    alt = "the policies with the least regret, instance by instance"
    picture = f"![{alt}]({PICTURE.format(arena)})"
    table = read(scores)
    tables.put_table(readme, arena, f"{as_markdown(table)}\n\n{picture}")
    blocks = {
        "scale": scale_as_markdown(table, unit),
        "lost": lost_as_markdown(table),
        "errors": errors_as_markdown(table),
    }
    for name, block in blocks.items():
        tables.put_table(readme.parent / f"docs/{arena}.md", f"{arena} {name}", block)
    return True

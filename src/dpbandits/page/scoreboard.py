"""How many claims hold, and in which readings."""

import pandas as pd

TITLES = {
    "experiment": "claims about experiments",
    "theorem": "theorems",
    "privacy": "promises of privacy",
}
OPEN = "undecided or untested"
OUTCOMES = {  # verdicts as published and as corrected
    ("holds", "holds"): "in both readings", ("holds", "fails"): "only as published",
    ("fails", "holds"): "only as corrected", ("fails", "fails"): "in neither",
}  # fmt: skip


def by_reading(claims: pd.DataFrame) -> pd.DataFrame:
    """The table of claims with a row for each: its verdict in either reading, and where it holds."""
    wide = claims.pivot(index=["paper", "kind", "claim"], columns="reading", values="answer")
    wide = wide.reindex(columns=["published", "corrected", "both"])
    found = wide[["published", "corrected"]].apply(lambda verdicts: verdicts.fillna(wide["both"]))
    pairs = zip(found["published"], found["corrected"], strict=True)
    return found.assign(outcome=[OUTCOMES.get(pair, OPEN) for pair in pairs]).reset_index()


def counts(claims: pd.DataFrame, kind: str = "experiment") -> pd.DataFrame:
    """How many claims of a kind each paper has, by where they hold; papers without any are left out."""
    of_kind = by_reading(claims).query("kind == @kind")
    return pd.crosstab(of_kind["paper"], of_kind["outcome"]).reindex(
        columns=[*OUTCOMES.values(), OPEN], fill_value=0
    )


def headline(claims: pd.DataFrame) -> str:
    """What holds, in words: for the README, and on top of the page."""
    if claims.empty:
        return "No paper is among the studies."
    about_runs = claims.query("kind == 'experiment'")
    behind = {(row.paper, check) for row in about_runs.itertuples() for check in row.checks.split()}
    both, published, corrected, neither, unknown = outcomes = counts(claims).sum()
    promises = by_reading(claims).query("kind == 'privacy'")
    broken = [(promises[reading] == "fails").sum() for reading in ("published", "corrected")]
    return (
        f"Of {outcomes.sum()} claims that the papers write about their experiments, {both} hold in every reading, {published} only "
        f"as published, {corrected} only as corrected and {neither} in none; {unknown} are undecided or untested. Of {len(promises)} "
        f"promises of privacy {broken[0] or 'none'} are broken as published and {broken[1] or 'none'} as corrected. {len(behind)} checks stand "
        "behind the claims, some behind several."
    )

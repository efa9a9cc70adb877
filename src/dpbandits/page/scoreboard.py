"""How many claims hold, and in which readings."""

import pandas as pd

TITLES = {
    "experiment": "claims about experiments",
    "theorem": "theorems",
    "privacy": "promises of privacy",
}
OPEN = "undecided or untested"
OUTCOMES = {  # answers as published and as corrected
    ("holds", "holds"): "in both readings", ("holds", "fails"): "only as published",
    ("fails", "holds"): "only as corrected", ("fails", "fails"): "in neither",
}  # fmt: skip


def by_reading(claims: pd.DataFrame) -> pd.DataFrame:
    """One row for each claim: its answer in either reading, and where it holds."""
    wide = claims.pivot(index=["paper", "kind", "claim"], columns="reading", values="answer")
    wide = wide.reindex(columns=["published", "corrected", "both"])
    answers = wide[["published", "corrected"]].apply(lambda column: column.fillna(wide["both"]))
    pairs = zip(answers["published"], answers["corrected"], strict=True)
    return answers.assign(outcome=[OUTCOMES.get(pair, OPEN) for pair in pairs]).reset_index()


def counts(claims: pd.DataFrame, kind: str = "experiment") -> pd.DataFrame:
    """How many claims of a kind each paper has, by where they hold; only papers with any."""
    of_kind = by_reading(claims).query("kind == @kind")
    return pd.crosstab(of_kind["paper"], of_kind["outcome"]).reindex(
        columns=[*OUTCOMES.values(), OPEN], fill_value=0
    )


def headline(claims: pd.DataFrame) -> str:
    """The number of claims that hold, in words: for the README, and at the top of the page."""
    if claims.empty:
        return "No paper is among the studies."
    about_runs = claims.query("kind == 'experiment'")
    checks = {(row.paper, check) for row in about_runs.itertuples() for check in row.checks.split()}
    both, published, corrected, neither, unknown = outcomes = counts(claims).sum()
    promises = by_reading(claims).query("kind == 'privacy'")
    broken = [(promises[reading] == "fails").sum() for reading in ("published", "corrected")]
    return (
        f"Of {outcomes.sum()} claims that the papers write about their experiments, {both} hold "
        f"in every reading, {published} only as published, {corrected} only as corrected and "
        f"{neither} in none; {unknown} are undecided or untested. Of {len(promises)} promises of "
        f"privacy {broken[0] or 'none'} are broken as published and {broken[1] or 'none'} as "
        f"corrected. {len(checks)} checks stand behind the claims, some behind several."
    )

"""How many sentences hold, and in which readings."""

import pandas as pd

TITLES = {
    "sentence": "sentences about experiments",
    "theorem": "theorems",
    "privacy": "promises of privacy",
}
OPEN = "undecided or untested"
OUTCOMES = {  # verdicts as published and as corrected
    ("holds", "holds"): "in both readings", ("holds", "fails"): "only as published",
    ("fails", "holds"): "only as corrected", ("fails", "fails"): "in neither",
}  # fmt: skip


def by_reading(sentences: pd.DataFrame) -> pd.DataFrame:
    """The table of sentences with a row for each: its verdict in either reading, and where it holds."""
    wide = sentences.pivot(index=["paper", "kind", "sentence"], columns="reading", values="verdict")
    wide = wide.reindex(columns=["published", "corrected", "both"])
    found = wide[["published", "corrected"]].apply(lambda verdicts: verdicts.fillna(wide["both"]))
    pairs = zip(found["published"], found["corrected"], strict=True)
    return found.assign(outcome=[OUTCOMES.get(pair, OPEN) for pair in pairs]).reset_index()


def counts(sentences: pd.DataFrame, kind: str = "sentence") -> pd.DataFrame:
    """How many sentences of a kind each paper has, by where they hold; papers without any are left out."""
    of_kind = by_reading(sentences).query("kind == @kind")
    return pd.crosstab(of_kind["paper"], of_kind["outcome"]).reindex(
        columns=[*OUTCOMES.values(), OPEN], fill_value=0
    )


def headline(sentences: pd.DataFrame) -> str:
    """What holds, in words: for the README, and on top of the page."""
    if sentences.empty:
        return "No paper is among the studies."
    about_runs = sentences.query("kind == 'sentence'")
    behind = {(row.paper, test) for row in about_runs.itertuples() for test in row.claims.split()}
    both, published, corrected, neither, unknown = outcomes = counts(sentences).sum()
    promises = by_reading(sentences).query("kind == 'privacy'")
    broken = [(promises[reading] == "fails").sum() for reading in ("published", "corrected")]
    return (
        f"Of {outcomes.sum()} sentences that the papers write about their experiments, {both} hold in every reading, {published} only "
        f"as published, {corrected} only as corrected and {neither} in none; {unknown} are undecided or untested. Of {len(promises)} "
        f"promises of privacy {broken[0] or 'none'} are broken as published and {broken[1] or 'none'} as corrected. {len(behind)} tests stand "
        "behind the sentences, some behind several."
    )

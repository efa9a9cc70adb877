"""Counts of claims by their answers, as published and as corrected."""

import pandas as pd

from dpbandits.checks.tables import as_table
from dpbandits.studies.claim import ANSWERS, FAILS, HOLDS

TITLES = {
    "experiment": "claims about experiments",
    "theorem": "theorems",
    "privacy": "promises of privacy",
}
THROUGH = "holds through our reconstruction"  # counted apart
COUNTED = (HOLDS, THROUGH, *(answer for answer in ANSWERS if answer != HOLDS))
MARKS = dict(zip(COUNTED, "✓∗✗≈=?–", strict=True))


def by_reading(claims: pd.DataFrame) -> pd.DataFrame:
    """One row for each claim: its answer in either reading, one of COUNTED."""
    through = (claims["answer"] == HOLDS) & (claims["reconstruction"] != "")
    claims = claims.assign(answer=claims["answer"].mask(through, THROUGH))
    wide = claims.pivot(index=["paper", "kind", "claim"], columns="reading", values="answer")
    wide = wide.reindex(columns=["published", "corrected", "both"])
    answers = wide[["published", "corrected"]].apply(lambda column: column.fillna(wide["both"]))
    return answers.reset_index()


def counts(claims: pd.DataFrame, kind: str = "experiment") -> pd.DataFrame:
    """How many claims of a kind have which answers: a row for each as published."""
    of_kind = by_reading(claims).query("kind == @kind")
    table = pd.crosstab(of_kind["published"], of_kind["corrected"])
    rows, columns = ([name for name in COUNTED if name in axis] for axis in table.axes)
    return table.loc[rows, columns]


def block(claims: pd.DataFrame) -> str:
    """The counts of claims about experiments as a table in Markdown, and the headline below."""
    of_kind = counts(claims)
    rows = [
        [f"**{name}**", *(str(number or "") for number in row)]
        for name, row in zip(of_kind.index, of_kind.to_numpy(), strict=True)
    ]
    counted = as_table(["published (rows), corrected (columns)", *of_kind.columns], rows)
    return "\n".join([counted, "", *(f"- {sentence}" for sentence in headline(claims))])


def headline(claims: pd.DataFrame) -> list[str]:
    """The numbers of claims that hold and fail, a sentence for each kind of claim."""
    if claims.empty:
        return ["No paper is among the studies."]
    answers, sentences = by_reading(claims), []
    for kind, title in TITLES.items():
        of_kind = answers.loc[answers["kind"] == kind, ["published", "corrected"]]
        held, ours, failed = (
            (of_kind == answer).sum().tolist() for answer in (HOLDS, THROUGH, FAILS)
        )
        through = [f" ({ours[0]} only through our reconstruction)", f" ({ours[1]})"]
        published, corrected = through if any(ours) else ("", "")
        sentences.append(
            f"Of {len(of_kind)} {title}, {held[0] + ours[0]} hold as published{published} and "
            f"{failed[0]} fail. As corrected, {held[1] + ours[1]} hold{corrected} and "
            f"{failed[1]} fail."
        )
    return sentences

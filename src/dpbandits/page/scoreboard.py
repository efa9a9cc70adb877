"""Counts of claims by their answers, as published and as corrected."""

import pandas as pd

from dpbandits.checks.tables import as_table
from dpbandits.studies.claim import (
    ANSWERS,
    ANSWERS_TO_THEOREMS,
    EXPERIMENT,
    FAILS,
    HOLDS,
    PROVED,
    REFUTED,
)
from dpbandits.studies.things import BOTH, CORRECTED, PUBLISHED

TITLES = {
    EXPERIMENT: "claims about experiments",
    "theorem": "theorems",
    "privacy": "promises of privacy",
}
THROUGH = "holds through our reconstruction"  # counted apart
COUNTED = (HOLDS, THROUGH, *(answer for answer in ANSWERS if answer != HOLDS))
MARKS = dict(zip(COUNTED, "✓∗✗≈=?–", strict=True))
MARKS |= dict(zip(ANSWERS_TO_THEOREMS, "✓✗?∅–", strict=True))


def by_reading(claims: pd.DataFrame) -> pd.DataFrame:
    """One row for each claim: its answer in either reading, one of COUNTED."""
    through = (claims["answer"] == HOLDS) & (claims["reconstruction"] != "")
    claims = claims.assign(answer=claims["answer"].mask(through, THROUGH))
    wide = claims.pivot(index=["paper", "kind", "claim"], columns="reading", values="answer")
    wide = wide.reindex(columns=[PUBLISHED, CORRECTED, BOTH])
    answers = wide[[PUBLISHED, CORRECTED]].apply(lambda column: column.fillna(wide[BOTH]))
    return answers.reset_index()


def counts(claims: pd.DataFrame, kind: str = EXPERIMENT) -> pd.DataFrame:
    """How many claims of a kind have which answers: a row for each as published."""
    of_kind = by_reading(claims).query("kind == @kind")
    table = pd.crosstab(of_kind["published"], of_kind["corrected"])
    rows, columns = ([name for name in COUNTED if name in axis] for axis in table.axes)
    return table.loc[rows, columns]


def block(claims: pd.DataFrame) -> str:
    """The headline, and the counts of claims about experiments as a table, in Markdown."""
    of_kind = counts(claims)
    rows = [
        [f"**{name}**", *(str(number or "") for number in row)]
        for name, row in zip(of_kind.index, of_kind.to_numpy(), strict=True)
    ]
    counted = as_table(["published (rows), corrected (columns)", *of_kind.columns], rows)
    return "\n".join([*(f"- {paragraph}" for paragraph in headline(claims)), "", counted])


def headline(claims: pd.DataFrame) -> list[str]:
    """The numbers of claims with each answer, a paragraph for each kind of claim.

    The first sentence counts what holds without our reconstruction. No sentence has more than
    three numbers.
    """
    if claims.empty:
        return ["No paper is among the studies."]
    answers, paragraphs = by_reading(claims), []
    for kind, title in TITLES.items():
        of_kind = answers[answers["kind"] == kind]
        readings = {reading: of_kind[reading].tolist() for reading in ("published", "corrected")}
        best, verb, rest = (
            (HOLDS, ("holds", "hold"), _rest)
            if kind == EXPERIMENT
            else (PROVED, ("is proved", "are proved"), _rest_proofs)
        )
        published, corrected = (answers.count(best) for answers in readings.values())
        without = " without our reconstruction" if kind == EXPERIMENT else ""
        first = (
            f"Of {len(of_kind)} {title}, {_with_verb(published, *verb)} as published{without}, "
            f"and {corrected} as corrected."
        )
        paragraphs.append(" ".join([first, *(rest(*each) for each in readings.items())]))
    return paragraphs


def joint(claims: pd.DataFrame) -> str:
    """The claims whose answer would change if all checks had to agree with chance at once."""
    changed = claims[claims["joint_answer"] != claims["answer"]]
    names = [
        row.paper + " " + row.claim + ("" if row.reading == BOTH else f" ({row.reading})")
        for row in changed.itertuples()
    ]
    listed = "; ".join(
        f"{name}: {answer}" for name, answer in zip(names, changed["joint_answer"], strict=True)
    )
    return "At a level of 5% for all checks together, instead of two errors for each, " + (
        f"these answers would change. {listed}." if names else "no answer would change."
    )


def _rest_proofs(reading: str, answers: list[str]) -> str:
    """A sentence about the theorems or promises that are not proved."""
    refuted = answers.count(REFUTED)
    others = len(answers) - answers.count(PROVED) - refuted
    return (
        f"As {reading}, {_with_verb(refuted, 'is refuted', 'are refuted')}, and "
        f"{_with_verb(others, 'is neither', 'are neither')}."
    )


def _rest(reading: str, answers: list[str]) -> str:
    """A sentence about the claims that do not hold without our reconstruction."""
    through, failing = answers.count(THROUGH), answers.count(FAILS)
    others = len(answers) - answers.count(HOLDS) - through - failing
    return (
        f"As {reading}, {_with_verb(through, 'more holds', 'more hold')} only through it, "
        f"{_with_verb(failing, 'fails', 'fail')}, and "
        f"{_with_verb(others, 'has another answer', 'have another answer')}."
    )


def _with_verb(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"

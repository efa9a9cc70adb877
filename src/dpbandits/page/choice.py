"""The arena's question, which policy to use, and its rankings.

There is one ranking for each trust and each measured cell, which is an epsilon, a number of arms
and a number of rounds.
"""

from itertools import product
from typing import Any

import pandas as pd

from dpbandits.page import recommendation
from dpbandits.page.recommendation import TRUSTED
from dpbandits.page.recommender import CODE, candidates

# Question -> the column of the scores, and the number chosen first.
QUESTIONS = {"ε": ("epsilon", 0.5), "arms": ("arms", 10), "rounds": ("t", 100_000)}


def choices(scores: pd.DataFrame) -> dict[str, Any]:
    """The kinds of trust, each question with its first number, and the ranking of each cell.

    `candidates` has the label of each candidate of a ranking, the call that makes it, and whether
    it is one of the best.
    """
    played = scores[scores["league"].isin(TRUSTED) & scores["epsilon"].notna()]
    if played.empty:
        return {"trust": [], "questions": {}, "default": "", "rankings": {}, "code": CODE}
    rankings, cells = {}, {}
    for arms, rounds in product(*(sorted(played[column].unique()) for column in ("arms", "t"))):
        ranks = recommendation.ranking(scores, arms, rounds)
        private = ranks[ranks["league"].isin(TRUSTED)]
        for (league, epsilon), rows in private.groupby(["league", "epsilon"]):
            if rows["tied"].any():
                key = "|".join([league, *map(_text, (epsilon, arms, rounds))])
                best = candidates(rows)[["label", "python", "tied"]].to_numpy().tolist()
                rankings[key] = {"rows": rows.to_dict("records"), "candidates": best}
                cells[key] = league, epsilon, arms, rounds
    default = min(cells, key=lambda key: _distance(*cells[key]), default="")
    _, *first = cells.get(default, ("", *(usual for _, usual in QUESTIONS.values())))
    return {
        "trust": list(TRUSTED.items()),
        "questions": dict(zip(QUESTIONS, map(_text, first), strict=True)),
        "default": default,
        "rankings": rankings,
        "code": CODE,
    }


def _distance(league: str, *cell: float) -> tuple[float, ...]:
    """How far a cell is from the question that is asked first, of most trust."""
    usual = [number for _, number in QUESTIONS.values()]
    return [*TRUSTED].index(league), *(abs(a - b) for a, b in zip(cell, usual, strict=True))


def _text(value: float) -> str:
    return f"{value:.15g}"

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
    values = {column: sorted(played[column].unique().tolist()) for column, _ in QUESTIONS.values()}
    first = {
        question: min(values[column], key=lambda value: abs(value - usual))
        for question, (column, usual) in QUESTIONS.items()
    }
    rankings = {}
    for arms, rounds in product(values["arms"], values["t"]):
        ranks = recommendation.ranking(scores, arms, rounds)
        private = ranks[ranks["league"].isin(TRUSTED)]
        for (league, epsilon), rows in private.groupby(["league", "epsilon"]):
            if rows["tied"].any():
                key = "|".join([league, *map(_text, (epsilon, arms, rounds))])
                best = candidates(rows)[["label", "python", "tied"]].to_numpy().tolist()
                rankings[key] = {
                    "rows": rows.to_dict("records"),
                    "candidates": best,
                }
    return {
        "trust": list(TRUSTED.items()),
        "questions": {question: _text(value) for question, value in first.items()},
        "default": "|".join([next(iter(TRUSTED)), *map(_text, first.values())]),
        "rankings": rankings,
        "code": CODE,
    }


def _text(value: float) -> str:
    return f"{value:.15g}"

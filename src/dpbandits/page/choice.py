"""The arena's question, which policy to use, and its rankings.

There is one ranking for each trust, epsilon, number of arms and round in the scores.
"""

from itertools import product
from typing import Any

import pandas as pd

from dpbandits.page import recommendation
from dpbandits.page.recommendation import TRUSTED

# Question -> the column of the scores, and the answer chosen first.
QUESTIONS = {"ε": ("epsilon", 0.5), "arms": ("arms", 10), "rounds": ("t", 100_000)}


def choices(scores: pd.DataFrame) -> dict[str, Any]:
    """Each question with its options and the first choice, and the ranking for each choice."""
    played = scores[scores["league"].isin(TRUSTED) & scores["epsilon"].notna()]
    if played.empty:
        return {"options": [], "default": "", "rankings": {}}
    values = {column: sorted(played[column].unique().tolist()) for column, _ in QUESTIONS.values()}
    options = [("you trust", list(TRUSTED.items()), next(iter(TRUSTED)))]
    for question, (column, usual) in QUESTIONS.items():
        first = min(values[column], key=lambda value: abs(value - usual))
        options.append(
            (question, [(_text(value), f"{value:,}") for value in values[column]], _text(first))
        )
    rankings = {}
    for arms, rounds in product(values["arms"], values["t"]):
        ranks = recommendation.ranking(scores, arms, rounds)
        private = ranks[ranks["league"].isin(TRUSTED)]
        for (league, epsilon), rows in private.groupby(["league", "epsilon"]):
            key = "|".join([league, *map(_text, (epsilon, arms, rounds))])
            rankings[key] = rows.to_dict("records")
    return {
        "options": options,
        "default": "|".join(first for _, _, first in options),
        "rankings": rankings,
    }


def _text(value: float) -> str:
    return f"{value:.15g}"

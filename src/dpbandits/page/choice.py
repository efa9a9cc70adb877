"""The arena's question, which policy to use: an answer for every trust, epsilon, number of arms and round that was played."""

from itertools import product
from typing import Any

import pandas as pd

from dpbandits.page import recommendation
from dpbandits.page.recommendation import TRUSTED

QUESTIONS = {
    "ε": ("epsilon", 0.5),
    "arms": ("arms", 10),
    "rounds": ("t", 100_000),
}  # column, and what is asked first


def choices(scores: pd.DataFrame) -> dict[str, Any]:
    """What can be chosen, each question with its options and the one chosen first, and for each choice the ranking."""
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
        found = recommendation.answers(scores, arms, rounds)
        for (league, epsilon), rows in found[found["league"].isin(TRUSTED)].groupby(
            ["league", "epsilon"]
        ):
            rankings["|".join([league, *map(_text, (epsilon, arms, rounds))])] = rows.to_dict(
                "records"
            )
    return {
        "options": options,
        "default": "|".join(first for _, _, first in options),
        "rankings": rankings,
    }


def _text(value: float) -> str:
    return f"{value:.15g}"

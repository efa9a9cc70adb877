"""The arena's question, which policy to use: an answer for every trust, epsilon, number of arms and round that was played."""

from itertools import product
from typing import Any

import pandas as pd

from dpbandits.arena import recommendation
from dpbandits.arena.recommendation import TRUSTED

QUESTIONS = {"ε": ("epsilon", 0.5), "arms": ("arms", 10), "rounds": ("t", 100_000)}  # column, and what is asked first


def choices(scores: pd.DataFrame) -> dict[str, Any]:
    """What can be chosen, each question with its options and the one chosen first, and for each choice the ranking as rows of texts."""
    played = scores[scores["league"].isin(TRUSTED) & scores["epsilon"].notna()]
    if played.empty:
        return {"options": [], "default": "", "rankings": {}}
    options = [("you trust", list(TRUSTED.items()), next(iter(TRUSTED)))]
    for question, (column, usual) in QUESTIONS.items():
        values = sorted(played[column].unique().tolist())
        first = min(values, key=lambda value: abs(value - usual))
        options.append((question, [(_text(value), f"{value:,}") for value in values], _text(first)))
    rankings = {}
    for arms, rounds in product(sorted(played["arms"].unique()), sorted(played["t"].unique())):
        found = recommendation.answers(scores, arms, rounds)
        for (league, epsilon), rows in found[found["league"].isin(TRUSTED)].groupby(["league", "epsilon"]):
            key = "|".join([league, *map(_text, (epsilon, arms, rounds))])
            rankings[key] = [_row(line) for line in rows.itertuples()]
    return {"options": options, "default": "|".join(first for _, _, first in options), "rankings": rankings}


def _text(value: float) -> str:
    return f"{value:.15g}"


def _row(line: Any) -> dict[str, Any]:
    tuned = f"tuned for {line.tuned_for:,.0f} rounds" if line.tuned_for else ""
    return {
        "label": line.label,
        "ranked": line.ranked,
        "tied": line.tied,
        "regret": recommendation.with_error(line.regret, line.error),
        "lost": f"{line.lost:.1%}",
        "spent": f"{line.spent:.3g}",
        "measured": "–" if pd.isna(line.measured) else f"≥ {line.measured:.3g}",
        "note": "exceeds its promise" if line.exceeded else tuned,
        "means": line.means,
    }

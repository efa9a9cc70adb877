"""The arena's question, which policy to use: an answer for every trust, epsilon, number of arms and round that was played."""

from itertools import product
from typing import Any

import pandas as pd

from dpbandits.arena import recommendation
from dpbandits.arena.recommendation import TRUSTED

DEFAULT = {"ε": 0.5, "arms": 10, "rounds": 100_000}  # or what was played that is nearest to it


def choices(scores: pd.DataFrame) -> dict[str, Any]:
    """What can be chosen, and for each choice the ranking as rows of texts."""
    played = scores[scores["league"].isin(TRUSTED) & scores["epsilon"].notna()]
    columns = {"ε": "epsilon", "arms": "arms", "rounds": "t"}
    values = {name: sorted(played[column].unique().tolist()) for name, column in columns.items()}
    if played.empty:
        return {"options": {}, "default": "", "rankings": {}}
    nearest = [min(values[name], key=lambda value: abs(value - DEFAULT[name])) for name in values]
    rankings = {}
    for arms, rounds in product(values["arms"], values["rounds"]):
        found = recommendation.answers(scores, arms, rounds)
        for (league, epsilon), rows in found[found["league"].isin(TRUSTED)].groupby(["league", "epsilon"]):
            rankings[_key(league, epsilon, arms, rounds)] = [_row(line) for line in rows.itertuples()]
    options = {name: [(f"{value:.15g}", f"{value:,}") for value in found] for name, found in values.items()}
    return {
        "options": {"you trust": list(TRUSTED.items()), **options},
        "default": _key(next(iter(TRUSTED)), *nearest),
        "rankings": rankings,
    }


def _key(league: str, *numbers: float) -> str:
    return "|".join([league, *(f"{number:.15g}" for number in numbers)])


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

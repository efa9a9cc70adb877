"""The arena's question, which policy to use, and its rankings.

There is one ranking for each trust and each measured cell, which is an epsilon, a number of arms
and a number of rounds.
"""

from typing import Any

import pandas as pd

from dpbandits.arena.rankings import TRUSTED
from dpbandits.page.recommender import candidates, measured

# Question -> the number chosen first.
QUESTIONS = {"ε": 0.5, "arms": 10, "rounds": 100_000}


def choices(scores: pd.DataFrame) -> dict[str, Any]:
    """Each question with its first number, the first ranking, and the ranking of each cell.

    `candidates` has the label of each candidate of a ranking, the call that makes it, and whether
    it is one of the best.
    """
    cells = measured(scores)
    first = min(cells, key=_distance, default=("", *QUESTIONS.values()))
    return {
        "questions": dict(zip(QUESTIONS, map(_text, first[1:]), strict=True)),
        "default": _key(first),
        "rankings": {
            _key(cell): {
                "rows": ranks.to_dict("records"),
                "candidates": candidates(ranks)[["label", "python", "tied"]].to_numpy().tolist(),
            }
            for cell, ranks in cells.items()
        },
    }


def _distance(cell: tuple) -> tuple[float, ...]:
    """How far a cell is from the question that is asked first, of most trust."""
    league, *numbers = cell
    usual = QUESTIONS.values()
    return [*TRUSTED].index(league), *(abs(a - b) for a, b in zip(numbers, usual, strict=True))


def _key(cell: tuple) -> str:
    league, *numbers = cell
    return "|".join([league, *map(_text, numbers)])


def _text(value: float) -> str:
    return f"{value:.15g}"

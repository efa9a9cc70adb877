"""An arena in a few lines: one row per policy and epsilon, and the README's table of which policy to use."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.arena.cells import APPROXIMATE, LOCAL, PURE
from dpbandits.arena.scores import final_rows
from dpbandits.arena.scores import read as read_scores
from dpbandits.claims import scoreboard
from dpbandits.files.tables import Table

PROMISES = {
    PURE: "pure ε, central trust",
    APPROXIMATE: "(ε, δ), central trust",
    LOCAL: "ε, local trust",
}

VERDICTS = {
    "holds": "Of our claims about the arena these hold, with the measured number:",
    "fails": "These fail:",
    "undecided": "These are undecided:",
}


@dataclass(frozen=True)
class Line:
    """A policy at one epsilon, over all instances that it plays."""

    policy: str
    label: str
    league: str
    epsilon: float  # nan without one
    instances: int
    score: float  # the geometric mean over the instances
    worst: float  # the largest score
    worst_percentile: float  # the largest score of the 95th percentile of the runs
    locked_in: float  # the share of locked-in runs, the mean over the instances
    won: int  # the cells in which no policy of the league has less mean regret
    over_klucb: float  # the geometric mean of regret over KL-UCB's
    measured: float  # the most on any instance; nan where it was not audited with as many arms
    promise: str


def lines(scores: Table) -> list[Line]:
    """One line per policy and epsilon, in the order of the table."""
    rows = final_rows(scores)
    found: dict[tuple[str, str], list[int]] = {}
    for i, (policy, epsilon) in enumerate(zip(rows["policy"], rows["epsilon"], strict=True)):
        found.setdefault((str(policy), f"{epsilon:g}"), []).append(i)
    winners = _winners(rows)
    result = []
    for (policy, _), places in found.items():
        mine = rows.rows(np.array(places))
        league, epsilon = str(mine["league"][0]), float(mine["epsilon"][0])
        result.append(
            Line(
                policy=policy,
                label=str(mine["label"][0]),
                league=league,
                epsilon=epsilon,
                instances=len(places),
                score=_geometric_mean(mine["score"]),
                worst=float(mine["score"].max()),
                worst_percentile=float(mine["score_percentile_95"].max()),
                locked_in=float(mine["locked_in"].mean()),
                won=sum(winners[league, f"{epsilon:g}", instance] == policy for instance in mine["instance"]),
                over_klucb=_geometric_mean(mine["over_klucb"]),
                measured=float(np.fmax.reduce(mine["measured"])),
                promise="exceeded" if (mine["promise"] == "exceeded").any() else str(mine["promise"][0]),
            )
        )
    return result


def _winners(rows: Table) -> dict[tuple[str, str, str], str]:
    """(league, epsilon, instance) -> the policy with the least mean regret among those that keep their promise."""
    best: dict[tuple[str, str, str], tuple[float, str]] = {}
    for i in range(len(rows["policy"])):
        key = str(rows["league"][i]), f"{rows['epsilon'][i]:g}", str(rows["instance"][i])
        if rows["promise"][i] == "exceeded":
            best.setdefault(key, (math.inf, ""))
        else:
            best[key] = min(best.get(key, (math.inf, "")), (float(rows["mean"][i]), str(rows["policy"][i])))
    return {key: policy for key, (_, policy) in best.items()}


def _geometric_mean(values: np.ndarray) -> float:
    return float(np.exp(np.mean(np.log(values))))


def recommended(scores: Table) -> dict[tuple[str, float], Line]:
    """(league, epsilon) -> the policy with the lowest geometric mean of scores, of those that play all instances."""
    listed = [line for line in lines(scores) if line.promise == "kept" and not math.isnan(line.epsilon)]
    most = max((line.instances for line in listed), default=0)
    best: dict[tuple[str, float], Line] = {}
    for line in listed:
        key = line.league, line.epsilon
        if line.instances == most and (key not in best or line.score < best[key].score):
            best[key] = line
    return best


def as_markdown(scores: Table, claims: Sequence[Mapping[str, Any]]) -> str:
    """The README's answer to "which one should I use?", and below it the verdicts on the arena's claims."""
    best = recommended(scores)
    epsilons = sorted({epsilon for _, epsilon in best})
    head = [
        f"| privacy | {' | '.join(f'ε = {epsilon:g}' for epsilon in epsilons)} |",
        "| --- " * (len(epsilons) + 1) + "|",
    ]
    body = []
    for league, promise in PROMISES.items():
        cells = [
            f"{line.label} ({times(line.over_klucb)})" if (line := best.get((league, epsilon))) else "–"
            for epsilon in epsilons
        ]
        body.append(f"| {promise} | {' | '.join(cells)} |")
    verdicts = [
        f"{words} " + "; ".join(listed) + "."
        for verdict, words in VERDICTS.items()
        if (listed := [_in_words(row) for row in claims if row["verdict"] == verdict])
    ]
    return "\n".join([*head, *body, "", "\n\n".join(verdicts)])


def _in_words(row: Mapping[str, Any]) -> str:
    """A claim in the README: its statement, its id and the number."""
    return f"{row['statement']} ({row['claim']}: {scoreboard.number(row, 3)})"


def times(ratio: float) -> str:
    """A ratio in the README: 8.2, and from ten on a whole number."""
    return f"{ratio:.2g}" if ratio < 9.95 else f"{ratio:.0f}"


def refresh(readme: Path, arena: str, scores: Path, claims: Path) -> None:
    """Write the table of an arena into the README, if this has a place for it."""
    text = readme.read_text(encoding="utf-8")
    if scoreboard.BEGIN.format(arena) in text:
        table = as_markdown(read_scores(scores), scoreboard.read_claims(claims))
        scoreboard.put_table(readme, arena, table)

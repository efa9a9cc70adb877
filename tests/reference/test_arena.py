"""The README's answer to "which one should I use?" is what the reference's tables of the arena say."""

import csv
import math
import re
from collections import defaultdict
from pathlib import Path

from dpbandits.claims import scoreboard

ROOT = Path(__file__).parents[2]
INSIDE = (ROOT / "README.md").read_text(encoding="utf-8").split(scoreboard.BEGIN.format("arena"))[1]
INSIDE = INSIDE.split(scoreboard.END.format("arena"))[0]
LEAGUES = ("central pure", "central approximate", "local")


def rows_of(table):
    with open(ROOT / f"reference/{table}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def test_the_recommended_policies_have_the_lowest_scores_of_their_league():
    last = [row for row in rows_of("arena/scores") if row["game"] == "all"]
    end = max(int(row["t"]) for row in last)
    cells = defaultdict(list)
    for row in last:
        if int(row["t"]) == end and row["promise"] == "kept" and row["epsilon"]:
            cells[row["league"], float(row["epsilon"]), row["label"]].append(row)
    instances = max(map(len, cells.values()))
    epsilons = sorted({epsilon for _, epsilon, _ in cells})
    lines = [line.strip("| ").split(" | ") for line in INSIDE.splitlines() if line.startswith("| ")]
    assert lines[0][1:] == [f"ε = {epsilon:g}" for epsilon in epsilons]
    for league, line in zip(LEAGUES, lines[2:], strict=True):
        for epsilon, shown in zip(epsilons, line[1:], strict=True):
            found = {
                label: played for (of, at, label), played in cells.items() if (of, at, len(played)) == (league, epsilon, instances)
            }  # fmt: skip
            best = min(found, key=lambda label: geometric_mean([float(row["score"]) for row in found[label]]))
            ratio = geometric_mean([float(row["over_klucb"]) for row in found[best]])
            assert shown == f"{best} ({ratio:.2g})" if ratio < 9.95 else shown == f"{best} ({ratio:.0f})"


def test_the_verdicts_are_those_of_the_claims_table():
    listed = []
    for verdict, claims in re.findall(r"(hold|fail|undecided)[^:\n]*: (.*)", INSIDE):
        listed += [
            (claim, verdict, statement.strip("; "))
            for statement, claim in re.findall(r"(.*?) \((R\d+): [^)]*\)", claims)
        ]
    assert sorted(listed) == sorted(
        (row["claim"], row["verdict"].removesuffix("s"), row["statement"]) for row in rows_of("claims/arena")
    )

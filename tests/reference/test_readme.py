"""The README's tables, the gallery and the pages about readings show the reference."""

import math
import re
import subprocess
import sys

import pandas as pd
from project import PAPERS, ROOT
from reference_tables import REFERENCE, claims

from dpbandits.claims import scoreboard

README = (ROOT / "README.md").read_text(encoding="utf-8")
KINDS = ("sentence", "theorem", "privacy")
LEAGUES = ("central pure", "central approximate", "local")


def between(mark):
    """The text of the README between two marks."""
    return README.split(scoreboard.BEGIN.format(mark))[1].split(scoreboard.END.format(mark))[0]


def test_the_verdicts_that_flip_are_those_of_the_reference():
    """Counted from the claims tables alone: holds as published, fails as corrected, on the same panel."""
    inside = between("flips")
    shown = [tuple(row.split(" | ")) for row in re.findall(r"^\| (\w+\d{4} \| .*) \|$", inside, re.MULTILINE)]
    wanted = []
    for paper in PAPERS:
        rows = claims(paper)
        verdict = {(row["claim"], row["experiment"], row["reading"]): row for row in rows}
        flipped = dict.fromkeys(
            claim
            for (claim, panel, reading), row in verdict.items()
            if (reading, row["verdict"]) == ("published", "holds")
            # A claim may be about one reading only.
            and verdict.get((claim, panel, "corrected"), row)["verdict"] == "fails"
        )
        wanted += [(paper, claim) for claim in flipped]
    assert len(shown) == len(wanted) > 0
    assert [row[0] for row in shown] == [paper for paper, _ in wanted]
    assert all(row[-1] for row in shown)  # a cause for each


def test_the_readmes_scoreboard_agrees_with_the_reference():
    inside = between("scoreboard")
    cells = [line.strip("| ").split(" | ") for line in inside.strip().splitlines()[2:]]
    shown = {(paper, reading): counts for paper, reading, *counts in cells}
    wanted = {}
    for paper in PAPERS:
        rows = claims(paper)
        for reading in {row["reading"] for row in rows} - {"both"} or {"both"}:
            counted = [row for row in rows if row["reading"] in (reading, "both")]
            wanted[paper, reading] = [
                " / ".join(
                    str(sum(row["verdict"] == verdict and row["kind"] in kinds for row in counted))
                    for verdict in ("holds", "fails", "undecided")
                )
                for kinds in [*([kind] for kind in KINDS), KINDS]
            ]
    assert shown == wanted


def test_the_gallery_is_small_and_shown():
    previews = sorted((ROOT / "figures/gallery").glob("*.png"))
    assert {p.stem for p in previews} == set(PAPERS)
    for preview in previews:
        assert preview.stat().st_size < 450_000
        assert f"](figures/gallery/{preview.name})" in README


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def test_the_recommended_policies_have_the_lowest_scores_of_their_league():
    rows = pd.read_csv(REFERENCE / "arena/scores.csv")
    last = rows[(rows["game"] == "all") & (rows["promise"] == "kept") & rows["epsilon"].notna()]
    last = last[last["t"] == last["t"].max()]
    cells = dict(list(last.groupby(["league", "epsilon", "label"])))
    instances = max(map(len, cells.values()))
    epsilons = sorted({epsilon for _, epsilon, _ in cells})
    lines = [line.strip("| ").split(" | ") for line in between("arena").splitlines() if line.startswith("| ")]
    assert lines[0][1:] == [f"ε = {epsilon:g}" for epsilon in epsilons]
    for league, line in zip(LEAGUES, lines[2:], strict=True):
        for epsilon, shown in zip(epsilons, line[1:], strict=True):
            found = {
                label: played for (of, at, label), played in cells.items() if (of, at, len(played)) == (league, epsilon, instances)
            }  # fmt: skip
            best = min(found, key=lambda label: geometric_mean(found[label]["score"]))
            ratio = geometric_mean(found[best]["over_klucb"])
            assert shown == f"{best} ({ratio:.2g})" if ratio < 9.95 else shown == f"{best} ({ratio:.0f})"


def test_the_verdicts_on_the_arena_are_those_of_the_claims_table():
    listed = []
    for verdict, shown in re.findall(r"(hold|fail|undecided)[^:\n]*: (.*)", between("arena")):
        listed += [
            (claim, verdict, statement.strip("; "))
            for statement, claim in re.findall(r"(.*?) \((R\d+): [^)]*\)", shown)
        ]
    assert sorted(listed) == sorted(
        (row["claim"], row["verdict"].removesuffix("s"), row["statement"]) for row in claims("arena")
    )


def test_the_tables_on_the_pages_about_readings_are_those_of_the_reference():
    """`python benchmarks/readings.py` rewrites them."""
    done = subprocess.run(
        [sys.executable, "benchmarks/readings.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr

"""The README's tables and the gallery show the reference."""

import re

from project import PAPERS, ROOT
from reference_tables import claims

from dpbandits.claims import scoreboard

KINDS = ("sentence", "theorem", "privacy")


def between(text, mark):
    """The text between two marks."""
    return text.split(scoreboard.BEGIN.format(mark))[1].split(scoreboard.END.format(mark))[0]


def test_the_verdicts_that_flip_are_those_of_the_reference():
    """Counted from the claims tables alone: holds as published, fails as corrected, on the same panel."""
    inside = between((ROOT / "README.md").read_text(encoding="utf-8"), "flips")
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
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    inside = between(text, "scoreboard")
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
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    previews = sorted((ROOT / "figures/gallery").glob("*.png"))
    assert {p.stem for p in previews} == set(PAPERS)
    for preview in previews:
        assert preview.stat().st_size < 450_000
        assert f"](figures/gallery/{preview.name})" in text

"""Claims tables are read and counted; the README's tables of verdicts are written from them."""

import dataclasses

import pytest
from project import ROOT

from dpbandits import claims, studies
from dpbandits.claims import scoreboard
from dpbandits.errors import InputError


def test_a_damaged_claims_table_is_named(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("claim,figure\nA1,fig2a\n")
    with pytest.raises(InputError, match=r"c\.csv: not a claims table: it has no column 'kind'"):
        scoreboard.read_claims(path)
    row = "A1,sentence,f,f,both,s,s,{},0,at_most,1,,{},e,\n"
    for value, verdict, message in (
        ("1", "maybe", "'maybe' is no verdict"),
        ("one", "holds", r"not a claims table \(.*one"),
    ):
        path.write_text(",".join(claims.COLUMNS) + "\n" + row.format(value, verdict))
        with pytest.raises(InputError, match=message):
            scoreboard.read_claims(path)


def test_refreshing_changes_what_is_between_the_marks_only(tmp_path):
    readme, table = tmp_path / "README.md", tmp_path / "claims.csv"
    tossou2016 = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")
    because = {"f.corrected": "c", "g": "d"}
    claim = dataclasses.replace(tossou2016.claims[0], id="A", says="x < y", source="s", because=because)
    paper = dataclasses.replace(tossou2016, id="p2000", claims=(claim,))
    rows = [
        ("A", "sentence", "f", "published", "1.23456,0.1", "holds", ""),
        ("A", "sentence", "f", "corrected", "21,", "fails", "c"),
        ("A", "sentence", "g", "published", "1,", "holds", ""),
        ("A", "sentence", "g", "corrected", "2,", "undecided", "d"),
        ("B", "privacy", "g", "both", "1,0", "undecided", ""),
    ]
    lines = [f"{c},{k},{e},,{r},s,s,{numbers},at_most,1,,{v},,{cause}" for c, k, e, r, numbers, v, cause in rows]
    table.write_text("\n".join([",".join(claims.COLUMNS), *lines]) + "\n")
    marks = [sign.format(mark) for mark in ("scoreboard", "flips") for sign in (scoreboard.BEGIN, scoreboard.END)]
    readme.write_text("before\n{}\nold\n{}\nbetween\n{}\nold\n{}\nafter\n".format(*marks))
    scoreboard.refresh(readme, {"p2000": (paper, table)})
    text = readme.read_text()
    assert "| p2000 | published | 2 / 0 / 0 | – | 0 / 0 / 1 | 2 / 0 / 1 |\n" in text
    assert "| p2000 | corrected | 0 / 1 / 1 | – | 0 / 0 / 1 | 0 / 1 / 2 |\n" in text
    assert "| p2000 | x < y | s (1 of 2 panels) | 1.23 ± 0.1 | 21 | c |\n" in text
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "\nbetween\n" in text
    assert "\nold\n" not in text
    scoreboard.refresh(readme, {"p2000": (paper, table)})
    assert readme.read_text() == text
    readme.write_text("no marks\n")
    with pytest.raises(InputError, match="put them back"):
        scoreboard.refresh(readme, {"p2000": (paper, table)})

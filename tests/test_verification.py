"""Tables agree if words and, but for rounding, numbers are equal; pictures by their bytes."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest

from dpbandits import files, verification
from dpbandits.publish import copy_run
from dpbandits.verification import DIFFERS, IDENTICAL, MISSING, OTHER_BYTES, compare_tables

TABLE = (
    'check,value,threshold,evidence\nA1,0.618535,1,"a / b at t = 100"\n'
    "A2,,0.25,it speaks of later rounds\n"
)


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("0.618535", "0.61853500000001", ""),
        ("0.25", "2.5e-1", ""),
        ("0.618535", "0.618536", "row 2, value: 0.618536, not 0.618535"),
        ("A2,,", "A2,0,", "row 3, value: 0, not "),
        ("t = 100", "t = 100.0", "row 2, evidence: a / b at t = 100.0, not a / b at t = 100"),
        ("threshold", "limit", "2 rows, not 2, or other columns"),
        ("A2,,0.25,it speaks of later rounds\n", "", "1 rows, not 2, or other columns"),
        (TABLE, "", "no table: No columns to parse from file"),
    ],
)
def test_where_tables_differ(tmp_path, old, new, difference):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    assert compare_tables(ours, None)[0] == MISSING
    theirs.write_text(TABLE)
    assert compare_tables(ours, theirs)[0] == DIFFERS
    ours.write_text(TABLE)
    assert compare_tables(ours, theirs)[0] == IDENTICAL
    ours.write_text(TABLE.replace(old, new, 1))
    assert compare_tables(ours, theirs) == (
        (DIFFERS, f"{ours}: {difference}") if difference else (IDENTICAL, str(ours))
    )


def test_a_guest_may_be_the_best(tmp_path):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    theirs.write_text("policy,mean,best\nucb,3,1\n")
    ours.write_text("policy,mean,best\nmine,2,1\nucb,3,0\n")
    assert compare_tables(ours, theirs, ["mine"]) == (IDENTICAL, str(ours))
    assert compare_tables(ours, theirs)[0] == DIFFERS


def test_a_table_of_all_papers_is_compared_for_those_that_both_have(tmp_path):
    for name, papers, answer in (
        ("ours", "ab", "holds"),
        ("theirs", "ac", "holds"),
        ("other", "ac", "fails"),
    ):
        rows = [f"{paper},S1,{answer}" for paper in papers]
        (tmp_path / f"{name}.csv").write_text("\n".join(["paper,claim,answer", *rows, ""]))
    assert compare_tables(tmp_path / "ours.csv", tmp_path / "theirs.csv")[0] == IDENTICAL
    assert compare_tables(tmp_path / "ours.csv", tmp_path / "other.csv")[1].endswith(
        "row 2, answer: holds, not fails"
    )


@pytest.fixture
def toy(tmp_path):
    """A finished run of one figure and one more table, which is also the reference."""
    results, reference = tmp_path / "results", tmp_path / "reference"
    names = ["summaries/toy2020/fig1", "audits/toy2020"]
    tables = {name: results / f"{name}.csv" for name in names}
    pictures = [results / f"figures/toy2020/fig1.{kind}" for kind in ("pdf", "png")]
    pictures[0].parent.mkdir(parents=True)
    pictures[0].write_text("ours")
    curves = {"policy": ["ucb", "dp-ucb"], "t": [10, 10], "mean": [1.0, 2.0]}
    files.write(tables[names[0]], pd.DataFrame(curves))
    files.write(tables[names[1]], pd.DataFrame({"policy": ["dp-ucb"], "measured": [0.5]}))
    (reference / "checks").mkdir(parents=True)  # of an earlier run
    (reference / "published").mkdir()
    copy_run(tables, pictures, reference)

    def comparison(guests=()):
        sums = reference / "SHA256SUMS"
        return verification.verify_run(
            tables,
            {name: file for name in names if (file := reference / f"{name}.csv").exists()},
            {"toy2020/fig1": names[:1]},
            pictures,
            sums if sums.exists() else None,
            guests,
        )

    def lines(guests=()):
        *each, total = comparison(guests).splitlines()
        return [re.split("  +", line)[:2] for line in each], total

    return SimpleNamespace(results=results, reference=reference, lines=lines, comparison=comparison)


def test_a_run_is_its_own_reference(toy):
    lines_found, total = toy.lines()
    assert lines_found == [[IDENTICAL, "toy2020 fig1"], [IDENTICAL, "audits/toy2020"]]
    end = "2 identical, 0 with the same numbers in other bytes, 0 without a reference"
    assert total == f"0 differences from the reference: {end}"
    assert sorted(path.name for path in toy.reference.iterdir()) == [
        "SHA256SUMS",
        "audits",
        "published",
        "summaries",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "verdict"),
    [
        ("summaries/toy2020/fig1.csv", "10,2", "10,3", DIFFERS),
        ("summaries/toy2020/fig1.csv", "dp-ucb,10,2\n", "", DIFFERS),
        ("figures/toy2020/fig1.pdf", "ours", "other", OTHER_BYTES),
        ("audits/toy2020.csv", "0.5", "0.6", DIFFERS),
    ],
)
def test_a_change_is_found_in_its_line(file, old, new, verdict, toy, capsys):
    path = toy.results / file
    path.write_text(path.read_text().replace(old, new))
    lines_found, total = toy.lines()
    assert [line[0] for line in lines_found] == (
        [IDENTICAL, verdict] if "audits" in file else [verdict, IDENTICAL]
    )
    assert total.startswith(f"{int(verdict == DIFFERS)} differences")
    with pytest.raises(SystemExit) as end:
        verification.verify(toy.comparison())
    assert end.value.code == (verdict == DIFFERS)
    assert total in capsys.readouterr().out


def test_what_has_no_reference_is_no_difference(toy):
    (toy.reference / "SHA256SUMS").unlink()
    (toy.reference / "audits/toy2020.csv").unlink()
    assert [line[0] for line in toy.lines()[0]] == [MISSING, MISSING]


@pytest.mark.parametrize(
    ("added", "verdict"), [("mine-0.1,10,3\nmine-1,10,4\n", OTHER_BYTES), ("yours,10,3\n", DIFFERS)]
)
def test_the_rows_of_guests_are_left_out(added, verdict, toy):
    with open(toy.results / "summaries/toy2020/fig1.csv", "a") as file:
        file.write(added)
    (toy.results / "figures/toy2020/fig1.pdf").write_text("with guests")
    lines_found, total = toy.lines(["mine", "mine-0.1", "mine-1"])
    assert lines_found == [[verdict, "toy2020 fig1"], [IDENTICAL, "audits/toy2020"]]
    assert total.endswith("the curves of guests were left out")


def test_a_drawing_of_one_reading_says_nothing_about_the_other(tmp_path):
    drawn = [tmp_path / f"figures/toy2020/{name}.pdf" for name in ("fig1", "fig1.corrected")]
    drawn[0].parent.mkdir(parents=True)
    for file in drawn:
        file.write_text("ours")
    (tmp_path / "reference").mkdir()
    copy_run({}, drawn, tmp_path / "reference")
    drawn[1].write_text("other")
    figures = {"toy2020/fig1": [], "toy2020/fig1.corrected": []}
    sums = tmp_path / "reference/SHA256SUMS"
    text = verification.verify_run({}, {}, figures, drawn, sums, ())
    found = [re.split("  +", line)[:2] for line in text.splitlines()[:2]]
    assert found == [
        [IDENTICAL, "toy2020 fig1"],
        [OTHER_BYTES, "toy2020 fig1.corrected"],
    ]

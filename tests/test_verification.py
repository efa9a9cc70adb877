"""Runs and the reference agree if tables and drawn data do. What one of them lacks counts."""

import re
import subprocess
import sys

import pandas as pd
import pytest
from project import PAPERS

from dpbandits import files, verification
from dpbandits.publish import copy_run
from dpbandits.verification import DIFFERS, IDENTICAL, NO_REFERENCE, OTHER_BYTES, compare_tables

TABLE = (
    'check,value,threshold,evidence\nA1,0.618535,1e-9,"a / b at t = 100"\n'
    "A2,,0.25,it speaks of later rounds\n"
)


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("0.618535", "0.61853500000001", ""),
        ("0.25", "2.5e-1", ""),
        ("0.618535", "0.618536", "row 2, value: 0.618536, not 0.618535"),
        ("1e-9", "2e-9", "row 2, threshold: 2e-9, not 1e-9"),
        ("A2,,", "A2,0,", "row 3, value: 0, not "),
        ("t = 100", "t = 100.0", "row 2, evidence: a / b at t = 100.0, not a / b at t = 100"),
        ("threshold", "limit", "only one has limit, threshold"),
        ("value,threshold", "threshold,value", "columns are reordered"),
        ("A2,,0.25,it speaks of later rounds\n", "", "1 rows, not 2"),
        (TABLE, TABLE.partition("\n")[0] + "\n", "0 rows, not 2"),
        (TABLE, "", "truncated, altered or not a table (its last row is not complete); delete it"),
    ],
)
def test_where_tables_differ(tmp_path, old, new, difference):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    theirs.write_text(TABLE)
    assert compare_tables(ours, theirs)[0] == DIFFERS
    ours.write_text(TABLE)
    assert compare_tables(ours, theirs)[0] == IDENTICAL
    ours.write_text(TABLE.replace(old, new, 1))
    outcome, reason = compare_tables(ours, theirs)
    assert outcome == (DIFFERS if difference else IDENTICAL)
    assert reason.startswith(f"{ours}: {difference}" if difference else str(ours))


def test_a_guest_may_be_the_best(tmp_path):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    theirs.write_text("policy,mean,best\nucb,3,1\n")
    ours.write_text("policy,mean,best\nmine,2,1\nucb,3,0\n")
    assert compare_tables(ours, theirs, ["mine"]) == (IDENTICAL, str(ours))
    assert compare_tables(ours, theirs)[0] == DIFFERS


SHARED = ["tossou2016", "hu2022"]


@pytest.mark.parametrize(
    ("papers", "outcome"),
    [
        (SHARED, IDENTICAL),
        ([*SHARED, "mine2026"], IDENTICAL),  # a paper of the user's own
        (SHARED[:1], DIFFERS),
        ([*SHARED, "sarkar2025"], DIFFERS),  # which the reference lacks
        ([], DIFFERS),
    ],
)
def test_a_table_of_all_papers_has_the_papers_of_the_reference(papers, outcome, tmp_path):
    for name, chosen in (("ours", papers), ("theirs", SHARED)):
        rows = (f"{paper},S1,holds\n" for paper in chosen)
        (tmp_path / f"{name}.csv").write_text("".join(["paper,claim,answer\n", *rows]))
    assert compare_tables(tmp_path / "ours.csv", tmp_path / "theirs.csv")[0] == outcome


def test_the_shipped_studies_are_those_of_the_reference():
    assert sorted(verification.SHIPPED) == ["arena", *PAPERS]


STUDY = "tossou2016"
CURVES, AUDITS = f"summaries/{STUDY}/fig1", f"audits/{STUDY}"


class Toy:
    """A finished run of one figure and one more table, which is also the reference."""

    def __init__(self, folder):
        self.results, self.reference = folder / "results/paper", folder / "reference"
        curves = {"policy": ["ucb", "dp-ucb"], "t": [10, 10], "mean": [1.0, 2.0]}
        files.write(self.results / f"{CURVES}.csv", pd.DataFrame(curves))
        audits = pd.DataFrame({"policy": ["dp-ucb"], "measured": [0.5]})
        files.write(self.results / f"{AUDITS}.csv", audits)
        for kind in ("pdf", "png"):
            files.write(folder / f"figures/{STUDY}/fig1.{kind}", "ours")
        files.write(self.results / f"pictures/{STUDY}/fig1.digest", "of the curves\n")
        self.folder, self.figures = folder, {f"{STUDY}/fig1": [CURVES]}
        copy_run(self.tables, self.pictures, self.reference)

    @property
    def tables(self):
        return verification.tables_of(self.results)

    @property
    def pictures(self):
        return [*self.folder.glob("figures/*/*"), *self.results.glob("pictures/*/*")]

    def compare(self, **options):
        run = self.tables, self.figures, self.pictures, self.reference
        return verification.verify_run(*run, **options)

    def lines(self, **options):
        """The outcome of each figure and table, and the last line."""
        *each, total = self.compare(**options).splitlines()
        outcomes = (re.split("  +", line)[1::-1] for line in each)
        return dict(outcomes), total


@pytest.fixture
def toy(tmp_path):
    (tmp_path / "reference/checks").mkdir(parents=True)  # of an earlier run
    (tmp_path / "reference/published").mkdir()
    return Toy(tmp_path)


FIGURE = f"{STUDY} fig1"


def test_a_run_is_its_own_reference(toy):
    lines, total = toy.lines()
    assert lines == {FIGURE: IDENTICAL, AUDITS: IDENTICAL}
    end = "2 identical, 0 with the same numbers in other bytes, 0 not in the reference"
    assert total == f"0 differences from the reference: {end}"
    names = ["SHA256SUMS", "audits", "drawn-data.txt", "published", "summaries"]
    assert sorted(path.name for path in toy.reference.iterdir()) == names
    assert (toy.reference / "drawn-data.txt").read_text() == f"of the curves  {STUDY}/fig1\n"


PDF, DRAWN = f"figures/{STUDY}/fig1.pdf", f"results/paper/pictures/{STUDY}/fig1.digest"
OUR_CURVES, OUR_AUDITS = (f"results/paper/{name}.csv" for name in (CURVES, AUDITS))
SUMS, OTHER = "reference/SHA256SUMS", {PDF: ("ours", "other")}
OF_FIGURE = [  # changes, and the outcome of the figure
    ({OUR_CURVES: ("10,2", "10,3")}, DIFFERS),
    ({OUR_CURVES: ("dp-ucb,10,2\n", "")}, DIFFERS),
    (OTHER, OTHER_BYTES),
    (OTHER | {DRAWN: ("curves", "curve")}, DIFFERS),
    (OTHER | {DRAWN: None}, DIFFERS),
    # Whatever only one of them has.
    ({PDF: None}, DIFFERS),
    ({f"reference/{CURVES}.csv": None}, DIFFERS),
    ({SUMS: None}, DIFFERS),
    ({SUMS: ("fig1.pdf", "fig2.pdf")}, DIFFERS),
]
OF_TABLE = [{OUR_AUDITS: ("0.5", "0.6")}, {OUR_AUDITS: None}, {f"reference/{AUDITS}.csv": None}]


@pytest.mark.parametrize(
    ("changes", "outcomes"),
    [(changes, [outcome, IDENTICAL]) for changes, outcome in OF_FIGURE]
    + [(changes, [IDENTICAL, DIFFERS]) for changes in OF_TABLE],
)
def test_a_change_or_a_loss_is_found_in_its_line(changes, outcomes, toy, capsys):
    for file, change in changes.items():
        path = toy.folder / file
        path.write_text(path.read_text().replace(*change)) if change else path.unlink()
    lines, total = toy.lines()
    assert [lines[FIGURE], lines[AUDITS]] == outcomes
    differs = DIFFERS in outcomes
    assert (int(total.split()[0]) > 0) == differs
    log = toy.folder / "verify.log"
    with pytest.raises(SystemExit) as end:
        verification.verify(toy.compare(), log)
    assert end.value.code == differs
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == total
    assert printed[-2].startswith(DIFFERS) == differs  # a difference is not lost among other lines
    assert log.exists() == differs
    assert not differs or log.read_text().startswith(f"error: {total}\n")


def test_a_study_that_the_run_lacks_has_one_line(toy):
    of_hu = {f"{kind}/hu2022": toy.tables[AUDITS] for kind in ("checks", "audits")}
    copy_run(toy.tables | of_hu, toy.pictures, toy.reference)
    assert toy.lines()[0] == {FIGURE: IDENTICAL, AUDITS: IDENTICAL, "hu2022": DIFFERS}
    assert toy.lines(study=STUDY)[0] == {FIGURE: IDENTICAL, AUDITS: IDENTICAL}


def test_what_only_the_user_has_is_no_difference(toy):
    own = toy.results / "audits/mine2026.csv"
    own.write_text("policy,measured\nmine,0.1\n")
    files.write(toy.folder / "figures/mine2026/fig1.pdf", "mine")
    toy.figures["mine2026/fig1"] = []
    lines, total = toy.lines()
    new = {"mine2026 fig1": NO_REFERENCE, "audits/mine2026": NO_REFERENCE}
    assert lines == {FIGURE: IDENTICAL, AUDITS: IDENTICAL, **new}
    assert total.startswith("0 differences")
    toy.reference = toy.folder / "reference/seed-7/paper"
    assert set(toy.lines(is_usual=False)[0].values()) == {NO_REFERENCE}


def test_another_format_is_compared_by_its_data_and_another_setting_is_not_in_the_reference(toy):
    for kind in ("pdf", "png"):
        (toy.folder / f"figures/{STUDY}/fig1.{kind}").unlink()
    files.write(toy.folder / f"figures/{STUDY}/fig1.svg", "ours")
    assert toy.lines()[0][FIGURE] == DIFFERS
    assert toy.lines(formats=["svg"])[0][FIGURE] == OTHER_BYTES
    files.write(toy.folder / PDF, "other")
    drawn = toy.folder / DRAWN
    drawn.write_text("by another estimator")
    assert toy.lines(formats=["pdf"])[0][FIGURE] == DIFFERS
    assert toy.lines(formats=["pdf"], changed=[f"{STUDY}/fig1"])[0][FIGURE] == NO_REFERENCE


@pytest.mark.parametrize(
    ("added", "outcome"),
    [("mine-0.1,10,3\nmine-1,10,4\n", NO_REFERENCE), ("yours,10,3\n", DIFFERS)],
)
def test_the_rows_of_guests_are_left_out(added, outcome, toy):
    with open(toy.results / f"{CURVES}.csv", "a") as file:
        file.write(added)
    (toy.folder / PDF).write_text("with guests")
    lines, total = toy.lines(guests=["mine", "mine-0.1", "mine-1"], changed=[f"{STUDY}/fig1"])
    assert lines == {FIGURE: outcome, AUDITS: IDENTICAL}
    assert total.endswith("the curves of guests were left out")


def test_a_drawing_of_one_reading_says_nothing_about_the_other(toy):
    other = toy.folder / f"figures/{STUDY}/fig1.corrected.pdf"
    other.write_text("ours")
    toy.figures[f"{STUDY}/fig1.corrected"] = []
    copy_run(toy.tables, toy.pictures, toy.reference)
    other.write_text("other")
    lines, _ = toy.lines()
    assert lines == {FIGURE: IDENTICAL, f"{FIGURE}.corrected": OTHER_BYTES, AUDITS: IDENTICAL}


def test_a_folder_is_compared_as_it_is(toy):
    """Nothing runs, and no file changes."""

    def bytes_of_all():
        return {path: path.read_bytes() for path in toy.folder.rglob("*") if path.is_file()}

    def verify(*arguments):
        command = [sys.executable, "-m", "dpbandits.verification", *arguments]
        done = subprocess.run(command, cwd=toy.folder, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    before = bytes_of_all()
    for arguments, code, end in (
        ([], 0, "0 differences"),
        ([str(toy.results)], 0, "0 differences"),
        (["results/papr"], 1, "there is no such folder; name one such as results/paper"),
    ):
        found, printed = verify(*arguments)
        assert (found, end in printed) == (code, True)
    assert bytes_of_all() == before
    (toy.results / f"{AUDITS}.csv").write_text("policy,measured\ndp-ucb,0.51\n")
    found, printed = verify()
    assert found == 1
    assert f"audits/{STUDY}.csv: row 2, measured: 0.51, not 0.5" in printed

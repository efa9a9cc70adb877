"""Runs and the reference agree if tables and drawn data do. What one of them lacks counts."""

import re
import runpy
import sys

import pandas as pd
import pytest
from project import PAPERS

from dpbandits import files, verification
from dpbandits.publish import copy_run
from dpbandits.verification import DIFFERS, IDENTICAL, NO_REFERENCE, OTHER_BYTES, compare_tables

CHECKS = (
    'check,value,threshold,evidence\nA1,0.618535,1e-9,"a / b at t = 100"\n'
    "A2,,0.25,it speaks of later rounds\n"
)
ANSWERS = "paper,claim,answer\ntossou2016,S1,holds\nhu2022,S1,holds\n"
RANKS = "policy,mean,best\nucb,3,1\n"
CUT = "truncated, altered or not a table (its last row is not complete); delete it"
EDITS = [  # the reference's table, an edit that makes ours of it, how ours differs
    (CHECKS, "0.618535", "0.61853500000001", ""),
    (CHECKS, "0.618535", "0.618536", "row 2, value: 0.618536, not 0.618535"),
    (CHECKS, "1e-9", "2e-9", "row 2, threshold: 2e-9, not 1e-9"),
    (CHECKS, "A2,,", "A2,0,", "row 3, value: 0, not "),
    (CHECKS, "100", "100.0", "row 2, evidence: a / b at t = 100.0, not a / b at t = 100"),
    (CHECKS, "threshold", "limit", "only one has limit, threshold"),
    (CHECKS, "value,threshold", "threshold,value", "columns are reordered"),
    (CHECKS, "A2,,0.25,it speaks of later rounds\n", "", "1 rows, not 2"),
    (CHECKS, CHECKS[CHECKS.index("A1") :], "", "0 rows, not 2"),
    (CHECKS, CHECKS, "", CUT),
    # Papers of the user's own are left out, but not those of ours.
    (ANSWERS, "hu2022", "mine2026,S1,holds\nhu2022", ""),
    (ANSWERS, "hu2022", "sarkar2025,S1,holds\nhu2022", "3 rows, not 2"),
    (ANSWERS, "hu2022,S1,holds\n", "", "1 rows, not 2"),
    # A guest is left out, and may be the best.
    (RANKS, "ucb,3,1", "guest,2,1\nucb,3,0", ""),
    (RANKS, "ucb,3,1", "other,2,1\nucb,3,0", "2 rows, not 1"),
    (RANKS, "ucb,3,1", "ucb,3,0", "row 2, best: 0, not 1"),
]


@pytest.mark.parametrize(("reference", "old", "new", "difference"), EDITS)
def test_where_tables_differ(reference, old, new, difference, tmp_path):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    theirs.write_text(reference)
    assert compare_tables(ours, theirs)[0] == DIFFERS  # ours is missing
    ours.write_text(reference.replace(old, new, 1))
    guests = ["guest"] if "guest" in new else []
    outcome, reason = compare_tables(ours, theirs, guests)
    assert outcome == (DIFFERS if difference else IDENTICAL)
    assert reason.startswith(f"{ours}: {difference}" if difference else str(ours))


def test_the_shipped_studies_are_those_of_the_reference():
    assert sorted(verification.SHIPPED) == ["arena", *PAPERS]


STUDY = "tossou2016"
CURVES, AUDITS = f"summaries/{STUDY}/fig1", f"audits/{STUDY}"
FIGURE, CORRECTED = f"{STUDY} fig1", f"{STUDY} fig1.corrected"


class Toy:
    """A finished run of a figure in two readings and one more table, and the same as reference."""

    def __init__(self, folder):
        self.folder, self.results = folder, folder / "results/paper"
        self.reference = folder / "reference"
        curves = {"policy": ["ucb", "dp-ucb"], "t": [10, 10], "mean": [1.0, 2.0]}
        files.write(self.results / f"{CURVES}.csv", pd.DataFrame(curves))
        audits = pd.DataFrame({"policy": ["dp-ucb"], "measured": [0.5]})
        files.write(self.results / f"{AUDITS}.csv", audits)
        for name in ("fig1.pdf", "fig1.png", "fig1.corrected.pdf"):
            files.write(folder / f"figures/{STUDY}/{name}", "ours")
        files.write(self.results / f"pictures/{STUDY}/fig1.digest", "of the curves\n")
        copy_run(self.tables, self.pictures, self.reference)

    @property
    def tables(self):
        return verification.tables_of(self.results)

    @property
    def pictures(self):
        return [*self.folder.glob("figures/*/*"), *self.results.glob("pictures/*/*")]

    def change(self, changes):
        """Change files: a new content, a string and another one, or None to delete the file."""
        for name, change in changes.items():
            file = self.folder / name
            if isinstance(change, tuple):
                change = file.read_text().replace(*change)
            if change is None:
                file.unlink()
            else:
                files.write(file, change)

    def compare(self, reference="reference", **options):
        figures = {f"{STUDY}/fig1": [CURVES], f"{STUDY}/fig1.corrected": []}
        run = self.tables, figures, self.pictures, self.folder / reference
        return verification.verify_run(*run, **options)


def outcomes(comparison):
    """The outcome of each figure and table."""
    lines = (re.split("  +", line) for line in comparison.splitlines()[:-1])
    return {name: outcome for outcome, name, *_ in lines}


@pytest.fixture
def toy(tmp_path):
    (tmp_path / "reference/checks").mkdir(parents=True)  # of an earlier run
    (tmp_path / "reference/published").mkdir()
    return Toy(tmp_path)


SAME = dict.fromkeys([FIGURE, CORRECTED, AUDITS], IDENTICAL)


def test_a_run_is_its_own_reference(toy):
    comparison = toy.compare()
    assert outcomes(comparison) == SAME
    end = "3 identical, 0 with the same numbers in other bytes, 0 not in the reference\n"
    assert comparison.endswith(f"\n0 differences from the reference: {end}")
    names = ["SHA256SUMS", "audits", "drawn-data.txt", "published", "summaries"]
    assert sorted(path.name for path in toy.reference.iterdir()) == names
    assert (toy.reference / "drawn-data.txt").read_text() == f"of the curves  {STUDY}/fig1\n"
    sums = (toy.reference / "SHA256SUMS").read_text().split()
    assert sums[1::2] == [OTHER_READING, PDF, PNG]


PDF, PNG, OTHER_READING = (
    f"figures/{STUDY}/{name}" for name in ("fig1.pdf", "fig1.png", "fig1.corrected.pdf")
)
OUR_CURVES, OUR_AUDITS = (f"results/paper/{name}.csv" for name in (CURVES, AUDITS))
DRAWN, SUMS = f"results/paper/pictures/{STUDY}/fig1.digest", "reference/SHA256SUMS"
OF_USER = {"results/paper/audits/mine2026.csv": "policy\nmine\n", "figures/mine2026/fig1.pdf": ""}
AS_SVG = {PDF: None, PNG: None, f"figures/{STUDY}/fig1.svg": "ours"}
OTHER_DATA = {PDF: "other", DRAWN: "by another estimator"}
GUESTS = {"guests": ["mine", "mine-0.1", "mine-1"], "changed": [f"{STUDY}/fig1"]}
CASES = [  # changes of files, options, the outcomes that are not `identical`
    ({OUR_CURVES: ("10,2", "10,3")}, {}, {FIGURE: DIFFERS}),
    ({OUR_AUDITS: ("0.5", "0.6")}, {}, {AUDITS: DIFFERS}),
    ({PDF: "other"}, {}, {FIGURE: OTHER_BYTES}),
    ({OTHER_READING: "other"}, {}, {CORRECTED: OTHER_BYTES}),
    (OTHER_DATA, {}, {FIGURE: DIFFERS}),
    # Whatever only one of them has.
    ({DRAWN: None}, {}, {FIGURE: DIFFERS}),
    ({PDF: None}, {}, {FIGURE: DIFFERS}),
    ({OUR_AUDITS: None}, {}, {AUDITS: DIFFERS}),
    ({f"reference/{AUDITS}.csv": None}, {}, {AUDITS: DIFFERS}),
    ({f"reference/{CURVES}.csv": None}, {}, {FIGURE: DIFFERS}),
    ({SUMS: None}, {}, {FIGURE: DIFFERS, CORRECTED: DIFFERS}),
    ({SUMS: ("fig1.pdf", "fig2.pdf")}, {}, {FIGURE: DIFFERS, f"{STUDY} fig2": DIFFERS}),
    # A study that the run lacks has one line.
    (
        {"reference/audits/hu2022.csv": "", "reference/checks/hu2022.csv": ""},
        {},
        {"hu2022": DIFFERS},
    ),
    ({"reference/audits/hu2022.csv": ""}, {"study": STUDY}, {}),
    # What the reference cannot have: papers of the user's own, another seed.
    (OF_USER, {}, {"mine2026 fig1": NO_REFERENCE, "audits/mine2026": NO_REFERENCE}),
    ({}, {"reference": "seed-7", "is_usual": False}, dict.fromkeys(SAME, NO_REFERENCE)),
    # Another format is compared by its data, and another setting makes another picture.
    (AS_SVG, {}, {FIGURE: DIFFERS}),
    (AS_SVG, {"formats": ["svg"]}, {FIGURE: OTHER_BYTES, CORRECTED: OTHER_BYTES}),
    (OTHER_DATA, {"formats": ["pdf"]}, {FIGURE: DIFFERS}),
    (OTHER_DATA, {"formats": ["pdf"], "changed": [f"{STUDY}/fig1"]}, {FIGURE: NO_REFERENCE}),
    # The rows of guests and of their series are left out.
    (
        {PDF: "other", OUR_CURVES: ("dp-ucb", "mine-0.1,10,3\nmine-1,10,4\ndp-ucb")},
        GUESTS,
        {FIGURE: NO_REFERENCE},
    ),
    ({PDF: "other", OUR_CURVES: ("dp-ucb", "yours,10,3\ndp-ucb")}, GUESTS, {FIGURE: DIFFERS}),
]


@pytest.mark.parametrize(("changes", "options", "wanted"), CASES)
def test_a_change_or_a_loss_is_found_in_its_line(changes, options, wanted, toy, capsys):
    toy.change(changes)
    comparison, log = toy.compare(**options), toy.folder / "verify.log"
    assert outcomes(comparison) == SAME | wanted
    n_differences = [*wanted.values()].count(DIFFERS)
    with pytest.raises(SystemExit) as end:
        verification.verify(comparison, log)
    assert end.value.code == (n_differences > 0)
    assert capsys.readouterr().out == comparison
    *_, last, total = comparison.splitlines()
    assert last.startswith(DIFFERS) == (n_differences > 0)  # not lost among other lines
    assert total.startswith(f"{n_differences} differences from the reference: ")
    assert total.endswith("the curves of guests were left out") == (options is GUESTS)
    written = log.read_text() if log.exists() else ""
    assert written == (f"error: {total}\n\n{comparison}" if n_differences else "")


def test_a_folder_is_compared_as_it_is(toy, monkeypatch, capsys):
    """By `python -m dpbandits.verification`. Nothing runs, and no file changes."""
    monkeypatch.chdir(toy.folder)

    def verify(*arguments):
        monkeypatch.setattr(sys, "argv", ["", *arguments])
        monkeypatch.delitem(sys.modules, "dpbandits.verification", raising=False)
        with pytest.raises(SystemExit) as end:
            runpy.run_module("dpbandits.verification", run_name="__main__")
        return end.value.code, capsys.readouterr().out

    def contents():
        return {path: path.read_bytes() for path in toy.folder.rglob("*") if path.is_file()}

    before = contents()
    for arguments in ([], [str(toy.results)]):
        code, printed = verify(*arguments)
        assert (code, outcomes(printed).items() >= SAME.items()) == (0, True)
    refusal, _ = verify("results/papr")
    assert "papr: there is no such folder; name one such as results/paper" in refusal
    assert contents() == before
    toy.change({OUR_AUDITS: ("0.5", "0.51")})
    code, printed = verify()
    assert code == 1
    assert f"audits/{STUDY}.csv: row 2, measured: 0.51, not 0.5" in printed

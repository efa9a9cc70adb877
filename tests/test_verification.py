"""Two tables agree when their words are equal and their numbers differ in rounding at most."""

import os

import pytest

from dpbandits import verification
from dpbandits.verification import first_difference

TABLE = 'claim,value,border,evidence\nA1,0.618535,1,"a / b at t = 100"\nA2,,0.25,it speaks of later rounds\n'


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("", "", ""),
        ("0.618535", "0.61853500000001", ""),
        ("0.25", "2.5e-1", ""),
        ("0.618535", "0.618536", "row 2, value: 0.618536, not 0.618535"),
        ("A2,,", "A2,0,", "row 3, value: 0, not "),
        ("t = 100", "t = 100.0", "row 2, evidence: a / b at t = 100.0, not a / b at t = 100"),
        ("border", "limit", "other columns"),
        ("A2,,0.25,it speaks of later rounds\n", "", "1 rows, not 2"),
    ],
)
def test_first_difference(tmp_path, old, new, difference):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    theirs.write_text(TABLE)
    ours.write_text(TABLE.replace(old, new, 1) if old else TABLE)
    assert first_difference(ours, theirs) == difference


def test_the_closing_lines_do_not_repeat_an_old_verification(tmp_path):
    """After another paper's run the file still tells of the one before."""
    for folder in ("summaries/toy2020", "claims"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "verification.txt").write_text("0 differences from the reference: 3 identical\n")
    table = tmp_path / "summaries/toy2020/fig1.csv"
    table.write_text("x\n")
    os.utime(table, ns=(1, 1))
    assert "verify:  0 differences" in verification.closing([], tmp_path, tmp_path)
    os.utime(tmp_path / "verification.txt", ns=(0, 0))
    assert "verify:  not verified since these tables were made" in verification.closing([], tmp_path, tmp_path)

"""The tables of checks and of claims, in words, and tables in Markdown between their marks."""

import math

import pytest

from dpbandits.checks import tables
from dpbandits.errors import InputError


def test_a_damaged_table_is_named(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("check,figure\nA1,fig2a\n")
    with pytest.raises(InputError, match=r"c\.csv: .*it has no column"):
        tables.read_checks(path)
    path.write_text(
        ",".join(tables.CHECKS) + "\nA1,experiment,f,f,both,s,s,one,0,at_most,1,,holds,e,\n"
    )
    with pytest.raises(InputError, match="its column value should hold numbers"):
        tables.read_checks(path)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.484321, 0.0168, "0.484 ± 0.017"),
        (0.999531, 0.00015, "0.99953 ± 0.00015"),
        (0.54488, 19.0, "1 ± 19"),
        (2867.2, 230.4, "2867 ± 230"),
        (1.37e-11, 1.2e-10, "1.4e-11 ± 1.2e-10"),
        (2.442695, None, "2.4427"),
        (2.442695, 0.0, "2.4427"),
        (math.inf, None, "infinite"),
        (None, None, "not measured"),
        (math.nan, math.nan, "not measured"),  # as pandas reads it
    ],
)
def test_a_number_has_as_many_digits_as_its_error(value, error, text):
    assert tables.measured({"value": value, "standard_error": error}) == text


def test_refreshing_changes_what_is_between_the_marks_only(tmp_path):
    page, table = tmp_path / "README.md", tables.as_table(["x", "y"], [["a|b", "1"]])
    assert table == "| x | y |\n|---|---|\n| a/b | 1 |"

    def text(scoreboard):
        parts = {"scoreboard": scoreboard, "other": "old"}
        marked = (
            f"{tables.BEGIN.format(name)}\n{part}\n{tables.END.format(name)}\n"
            for name, part in parts.items()
        )
        return "before\n" + "between\n".join(marked) + "after\n"

    page.write_text(text("old"))
    for _ in range(2):
        tables.put_table(page, "scoreboard", table)
        assert page.read_text() == text(table)
    page.write_text("no marks\n")
    with pytest.raises(InputError, match="put them back"):
        tables.put_table(page, "scoreboard", table)

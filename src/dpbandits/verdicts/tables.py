"""The tables of tests and of sentences: how they are read, written in words, and counted."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from dpbandits.errors import InputError
from dpbandits.files import read_table
from dpbandits.studies.sentence import KINDS

TESTS = [
    "claim", "kind", "experiment", "figures", "reading", "statement", "source", "value", "standard_error",
    "relation", "border", "border_high", "verdict", "evidence", "cause",
]  # fmt: skip
SENTENCES = ["paper", "sentence", "kind", "place", "says", "reading", "verdict", "claims", "reason"]
NUMBERS = ("value", "standard_error", "border", "border_high")
VERDICTS = ("holds", "fails", "undecided")
RELATIONS = {"at_most": "at most", "at_least": "at least", "below": "below", "above": "above"}
Row = dict[str, Any]  # of a table: texts, and numbers or None


def as_frame(rows: Iterable[Row]) -> pd.DataFrame:
    """The table of tests of these rows."""
    return pd.DataFrame(rows, columns=TESTS).astype(dict.fromkeys(NUMBERS, float))


def read_tests(path: str | Path) -> list[Row]:
    """The rows of a table of tests."""
    return _checked(path, read_table(path, [name for name in TESTS if name not in NUMBERS], TESTS))


def read_sentences(path: str | Path) -> list[Row]:
    """The rows of the table of sentences."""
    return _checked(path, read_table(path, columns=SENTENCES))


def _checked(path: str | Path, table: pd.DataFrame) -> list[Row]:
    for column, known in (("kind", KINDS.values()), ("verdict", (*VERDICTS, "untested"))):
        for value in table[column]:
            if value not in known:
                raise InputError(f"{path}: '{value}' is no {column}; delete the file and run the same command again")
    return table.to_dict("records")


def number(row: Row) -> str:
    """The measured number as text, with as many digits as its error has: 0.484 ± 0.017."""
    value, error = row["value"], row["standard_error"]
    if pd.isna(value):
        return "not measured"
    if pd.isna(error) or not error:
        return f"{value:.6g}"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{value:.{decimals}f} ± {error:.{decimals}f}" if decimals < 10 else f"{value:.2g} ± {error:.2g}"


def expected(row: Row) -> str:
    """The expected range of the number as text: at most 1."""
    if row["relation"] in RELATIONS:
        return f"{RELATIONS[row['relation']]} {row['border']:.10g}"
    return f"{row['border']:.10g} to {row['border_high']:.10g}"


def verdicts_as_text(rows: Iterable[Row], test: str) -> str:
    """A test, and for each of its verdicts among these rows the number, its threshold, the evidence and the cause."""
    rows = [row for row in rows if row["claim"] == test]
    paragraphs = [f"{rows[0]['claim']}: {rows[0]['statement']}\n({rows[0]['source']})"]
    for row in rows:
        reading = "" if row["reading"] == "both" else f", {row['reading']} reading"
        first = f"{row['verdict']}: {row['experiment']}{reading}: {number(row)}, expected {expected(row)}"
        paragraphs.append("\n".join(line for line in (first, row["evidence"], row["cause"]) if line))
    return "\n\n".join(paragraphs) + "\n"

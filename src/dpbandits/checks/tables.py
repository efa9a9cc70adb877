"""The tables of checks and of claims, their rows in words, and tables in Markdown files."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from dpbandits.errors import InputError
from dpbandits.studies.claim import LARGE_IS_HARD
from dpbandits.studies.things import BOTH
from dpbandits.tables import number, read_table

CHECKS = [
    "check", "kind", "experiment", "figures", "reading", "statement", "source", "value",
    "standard_error", "interval_low", "interval_high", "relation", "threshold", "threshold_high",
    "critical_threshold", "p_value", "share", "verdict", "evidence", "cause",
]  # fmt: skip
CLAIMS = [
    "paper", "claim", "kind", "place", "says", "reading", "answer", "joint_answer", "checks",
    "reason", "reconstruction", "value", "interval_low", "interval_high", "critical_threshold",
]  # fmt: skip
NUMBERS = ("value", "standard_error", "interval_low", "interval_high")
NUMBERS += ("threshold", "threshold_high", "critical_threshold", "p_value", "share")
Row = Mapping[str, Any]  # of a table
BEGIN, END = "<!-- {}: begin (made by `make reference`) -->", "<!-- {}: end -->"


def read_checks(path: str | Path) -> pd.DataFrame:
    """Read a table of checks."""
    return read_table(path, [name for name in CHECKS if name not in NUMBERS], CHECKS)


def read_claims(path: str | Path) -> pd.DataFrame:
    """Read the table of claims."""
    return read_table(path, [name for name in CLAIMS if name not in NUMBERS], CLAIMS)


def measured(row: Row) -> str:
    """The measured number in words: 0.484 ± 0.017."""
    value, error = row["value"], row["standard_error"]
    if pd.isna(value):
        return "not measured"
    return "infinite" if value == math.inf else number(value, error or 0)


def expected(row: Row) -> str:
    """The expected range of the number in words: at most 1."""
    if pd.isna(row["threshold"]):
        return f"{row['relation'].replace('_', ' ')} an unnamed number"
    if pd.isna(row["threshold_high"]):
        return f"{row['relation'].replace('_', ' ')} {row['threshold']:.10g}"
    return f"{row['threshold']:.10g} to {row['threshold_high']:.10g}"


def critical(relation: str, threshold: float) -> str:
    """A critical threshold in words: holds for every threshold above 0.31."""
    side = "above" if relation in LARGE_IS_HARD else "below"
    return f"holds for every threshold {side} {threshold:.4g}"


def as_text(rows: pd.DataFrame) -> str:
    """A check in words, with a paragraph for each row of its table."""
    first = rows.iloc[0]
    paragraphs = [f"{first['check']}: {first['statement']}\n({first['source']})"]
    for row in rows.to_dict("records"):
        reading = "" if row["reading"] == BOTH else f", {row['reading']} reading"
        place = f"{row['verdict']}: {row['experiment']}{reading}"
        heading = f"{place}: {measured(row)}, expected {expected(row)}"
        paragraphs.append(
            "\n".join(line for line in (heading, row["evidence"], row["cause"]) if line)
        )
    return "\n\n".join(paragraphs) + "\n"


def as_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    head, *body = [
        "| " + " | ".join(cell.replace("|", "/") for cell in line) + " |"
        for line in (columns, *rows)
    ]
    return "\n".join([head, f"|{'---|' * len(columns)}", *body])


def put_table(file: Path, name: str, table: str) -> None:
    """Write a table between the two comments with its name in a Markdown file."""
    text, begin, end = file.read_text(encoding="utf-8"), BEGIN.format(name), END.format(name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise InputError(
            f"{file}: the lines '{begin}' and '{end}' should each occur once; put them back"
        )
    before, rest = text.split(begin)
    file.write_text(f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}", encoding="utf-8")

"""How many claims hold: the count that the report and the README show.

A row of a claims table is a verdict: one claim, on one panel (or on several together), in one reading. A verdict on what is
the same in both readings (`both`) counts in both of them.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dpbandits.errors import InputError
from dpbandits.papers import CORRECTED, PUBLISHED

VERDICTS = ("holds", "fails", "undecided")
BEGIN, END = "<!-- scoreboard: begin (made by `make reference`) -->", "<!-- scoreboard: end -->"


@dataclass(frozen=True)
class Score:
    """The verdicts of a paper in one reading; `reading` is "both" where the paper has only one."""

    paper: str
    reading: str
    holds: int
    fails: int
    undecided: int

    @property
    def total(self) -> int:
        """All verdicts."""
        return self.holds + self.fails + self.undecided


def read_claims(path: str | Path) -> pd.DataFrame:
    """A claims table, or which file is not one and what to do."""
    remedy = "run the workflow to make it: snakemake --cores 2 claims"
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such claims table; {remedy}") from None
    except ValueError as error:
        raise InputError(f"{path}: not a claims table ({error}); delete it and {remedy}") from None
    missing = [
        name for name in ("claim", "figure", "reading", "measured", "expected", "verdict", "where") if name not in table
    ]
    if missing:
        raise InputError(f"{path}: not a claims table: it has no column '{missing[0]}'; delete it and {remedy}")
    unknown = sorted(set(table["verdict"]) - set(VERDICTS))
    if unknown:
        raise InputError(f"{path}: '{unknown[0]}' is no verdict; delete the file and {remedy}")
    return table


def scores(paper: str, table: pd.DataFrame) -> list[Score]:
    """One line for each reading of a paper."""
    present = [reading for reading in (PUBLISHED, CORRECTED) if (table["reading"] == reading).any()]
    found = []
    for reading in present or ["both"]:
        verdicts = table.loc[table["reading"].isin([reading, "both"]), "verdict"]
        found.append(Score(paper, reading, *(int((verdicts == verdict).sum()) for verdict in VERDICTS)))
    return found


def as_markdown(lines: Iterable[Score]) -> str:
    """The table between the README's marks."""
    rows = [f"| {s.paper} | {s.reading} | {s.holds} | {s.fails} | {s.undecided} | {s.total} |" for s in lines]
    return "\n".join(
        [
            "| paper | reading | holds | fails | undecided | verdicts |",
            "| --- | --- | ---: | ---: | ---: | ---: |",
            *rows,
        ]
    )


def refresh(readme: Path, tables: Mapping[str, Path]) -> None:
    """Put the count of these claims tables (paper -> file) between the README's marks."""
    text = readme.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise InputError(f"{readme}: the lines '{BEGIN}' and '{END}' should stand there once each; put them back")
    lines = [score for paper, path in tables.items() for score in scores(paper, read_claims(path))]
    inside = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    whole = f"{BEGIN}\n{as_markdown(lines)}\n{END}"
    readme.write_text(inside.sub(lambda _: whole, text), encoding="utf-8")

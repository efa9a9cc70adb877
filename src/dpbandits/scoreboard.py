"""How many claims hold, and which turn round between the readings: the tables that the report and the README show.

A row of a claims table is a verdict: one claim, on one panel (or on several together), in one reading. A verdict on what is
the same in both readings (`both`) counts in both of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dpbandits.errors import InputError
from dpbandits.papers import CORRECTED, PUBLISHED, Claim, Paper

VERDICTS = ("holds", "fails", "undecided")
BEGIN, END = "<!-- {}: begin (made by `make reference`) -->", "<!-- {}: end -->"


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


@dataclass(frozen=True)
class Turn:
    """A claim that holds as published and fails as corrected: on which panels, and the numbers on the first of them."""

    paper: str
    claim: Claim
    panels: tuple[str, ...]
    judged: int  # on how many panels, in both readings
    published: str
    corrected: str
    cause: str


def turns(paper: Paper, table: pd.DataFrame) -> list[Turn]:
    """The claims of a paper that turn round, in its order."""
    found = []
    for claim in paper.claims:
        mine = table[table["claim"] == claim.id]
        by_reading = [mine[mine["reading"] == r].set_index("figure") for r in (PUBLISHED, CORRECTED)]
        published, corrected = by_reading
        both = [panel for panel in published.index if panel in corrected.index]
        turned = [p for p in both if (published["verdict"][p], corrected["verdict"][p]) == ("holds", "fails")]
        if turned:
            panel = turned[0]
            keys = (f"{panel}.{CORRECTED}", panel, CORRECTED)
            found.append(
                Turn(
                    paper.id,
                    claim,
                    tuple(turned),
                    len(both),
                    published["measured"][panel],
                    corrected["measured"][panel],
                    next((claim.because[key] for key in keys if key in claim.because), ""),
                )
            )
    return found


def turns_as_markdown(lines: Iterable[Turn]) -> str:
    """The table between the README's other marks."""
    rows = []
    for it in lines:
        where = it.claim.source + (f" ({len(it.panels)} of {it.judged} panels)" if it.judged > 1 else "")
        cells = [it.paper, it.claim.says, where, _rounded(it.published), _rounded(it.corrected), it.cause]
        rows.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    return "\n".join(
        [
            "| paper | what is said | where | as published | as defined | what makes the difference |",
            "| --- | --- | --- | ---: | ---: | --- |",
            *rows,
        ]
    )


def _rounded(measured: str) -> str:
    """0.483912 ± 0.017 -> 0.484 ± 0.017."""
    number, *error = measured.split(" ± ")
    return " ± ".join([f"{float(number):.3g}", *error])


def refresh(readme: Path, tables: Mapping[str, tuple[Paper, Path]]) -> None:
    """Put what these claims tables (paper -> the paper and the file) say between the README's marks."""
    read = {name: (paper, read_claims(path)) for name, (paper, path) in tables.items()}
    text = readme.read_text(encoding="utf-8")
    for mark, inside in (
        ("scoreboard", as_markdown(score for name, (_, table) in read.items() for score in scores(name, table))),
        ("turns", turns_as_markdown(turn for paper, table in read.values() for turn in turns(paper, table))),
    ):
        begin, end = BEGIN.format(mark), END.format(mark)
        if text.count(begin) != 1 or text.count(end) != 1:
            raise InputError(f"{readme}: the lines '{begin}' and '{end}' should stand there once each; put them back")
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{inside}\n{end}{rest.split(end)[1]}"
    readme.write_text(text, encoding="utf-8")

"""Counts verdicts, and lists those that flip between the readings: the tables of the report and the README.

A row of a claims table is a verdict: one claim, on one experiment (or on several together), in one reading. A verdict
that is the same in both readings (`both`) counts in each. Sentences, theorems and privacy are counted separately.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.studies.study import CORRECTED, PUBLISHED, Claim, Paper

COLUMNS = [
    "claim", "kind", "experiment", "figures", "reading", "statement", "source", "value", "standard_error",
    "relation", "border", "border_high", "verdict", "evidence", "cause",
]  # fmt: skip
Row = dict[str, Any]  # of a claims table: texts, and numbers or None
VERDICTS = ("holds", "fails", "undecided")
KINDS = {"sentence": "sentences", "theorem": "theorems", "privacy": "privacy"}
OURS = "ours"  # the kind of a question of our own, which counts for no paper
NUMBERS = ("value", "standard_error", "border", "border_high")
WORDS = tuple(name for name in COLUMNS if name not in NUMBERS)
RELATIONS = {"at_most": "at most", "at_least": "at least", "below": "below", "above": "above"}
LEFT, RIGHT = "---", "---:"  # alignments in Markdown
BEGIN, END = "<!-- {}: begin (made by `make reference`) -->", "<!-- {}: end -->"


def read_claims(path: str | Path, checksum: bool = True) -> list[Row]:
    """Read the rows of a claims table (see `tables.cells`)."""
    rows = tables.rows(path, WORDS, NUMBERS, checksum)
    for column, known in (("verdict", VERDICTS), ("kind", (*KINDS, OURS))):
        if unknown := sorted({row[column] for row in rows} - set(known)):
            raise InputError(f"{path}: '{unknown[0]}' is no {column}; delete the file and judge the claims again")
    return rows


def number(row: Row, digits: int = 6) -> str:
    """The measured number as text: 0.484 ± 0.017."""
    if row["value"] is None:
        return "not measured"
    return f"{row['value']:.{digits}g}" + (f" ± {row['standard_error']:.2g}" if row["standard_error"] else "")


def expected(row: Row) -> str:
    """The expected range of the number as text: at most 1."""
    if row["relation"] in RELATIONS:
        return f"{RELATIONS[row['relation']]} {row['border']:.10g}"
    return f"{row['border']:.10g} to {row['border_high']:.10g}"


def verdicts_as_text(claim: Claim, rows: Iterable[Row]) -> str:
    """The statement of a claim, and for each verdict the number, its border, the evidence and the cause."""
    paragraphs = [f"{claim.id}: {claim.says}\n({claim.source})"]
    for row in rows:
        reading = "" if row["reading"] == "both" else f", {row['reading']} reading"
        first = f"{row['verdict']}: {row['experiment']}{reading}: {number(row)}, expected {expected(row)}"
        paragraphs.append("\n".join(line for line in (first, row["evidence"], row["cause"]) if line))
    return "\n\n".join(paragraphs) + "\n"


@dataclass(frozen=True)
class Score:
    """The verdicts of a paper in one reading; `reading` is "both" where the paper has only one."""

    paper: str
    reading: str
    counts: Mapping[tuple[str, str], int]  # (kind, verdict) -> how many

    def count(self, verdict: str = "", kind: str = "") -> int:
        """The number of verdicts, of one outcome and one kind if these are given."""
        return sum(n for (k, v), n in self.counts.items() if verdict in ("", v) and kind in ("", k))


def scores(paper: str, rows: Sequence[Row]) -> list[Score]:
    """One score for each reading of a paper."""
    present = [reading for reading in (PUBLISHED, CORRECTED) if any(row["reading"] == reading for row in rows)]
    return [
        Score(
            paper,
            reading,
            Counter((row["kind"], row["verdict"]) for row in rows if row["reading"] in (reading, "both")),
        )
        for reading in present or ["both"]
    ]


def as_markdown(lines: Iterable[Score]) -> str:
    """The README's scoreboard: for each kind, how many hold / fail / are undecided."""

    def cell(score: Score, kind: str) -> str:
        return " / ".join(str(score.count(verdict, kind)) for verdict in VERDICTS) if score.count(kind=kind) else "–"

    rows = [[line.paper, line.reading, *(cell(line, kind) for kind in (*KINDS, ""))] for line in lines]
    return _table({"paper": LEFT, "reading": LEFT} | dict.fromkeys([*KINDS.values(), "all"], RIGHT), rows)


def flips_as_markdown(papers: Iterable[tuple[Paper, Sequence[Row]]]) -> str:
    """The README's table of claims that hold as published and fail as corrected, with the rows of the first experiment."""
    cells = []
    for paper, rows in papers:
        for claim in paper.claims:
            published, corrected = (
                {row["experiment"]: row for row in rows if (row["claim"], row["reading"]) == (claim.id, reading)}
                for reading in (PUBLISHED, CORRECTED)
            )
            both = [(published[name], corrected[name]) for name in published if name in corrected]
            flipped = [pair for pair in both if [row["verdict"] for row in pair] == ["holds", "fails"]]
            if flipped:
                where = claim.source + (f" ({len(flipped)} of {len(both)} panels)" if len(both) > 1 else "")
                numbers = [number(row, digits=3) for row in flipped[0]]
                cells.append([paper.id, claim.says, where, *numbers, flipped[0][1]["cause"]])
    left = dict.fromkeys(["paper", "statement", "where"], LEFT)
    return _table(left | {"as published": RIGHT, "as defined": RIGHT, "what makes the difference": LEFT}, cells)


def _table(columns: Mapping[str, str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; `columns`: name -> alignment."""
    lines = [columns.keys(), columns.values(), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def with_table(text: str, name: str, table: str, file: Path) -> str:
    """The text of a Markdown file with a new table between the two comments that bear the table's name."""
    begin, end = BEGIN.format(name), END.format(name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise InputError(f"{file}: the lines '{begin}' and '{end}' should each occur once; put them back")
    before, rest = text.split(begin)
    return f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}"


def refresh(readme: Path, tables: Mapping[str, tuple[Paper, Path]]) -> None:
    """Write the scoreboard and the flips of these claims tables (paper -> the paper and the file) into the README."""
    read = {name: (paper, read_claims(path)) for name, (paper, path) in tables.items()}
    counted = as_markdown(score for name, (_, rows) in read.items() for score in scores(name, rows))
    text = with_table(readme.read_text(encoding="utf-8"), "scoreboard", counted, readme)
    text = with_table(text, "flips", flips_as_markdown(read.values()), readme)
    readme.write_text(text, encoding="utf-8")

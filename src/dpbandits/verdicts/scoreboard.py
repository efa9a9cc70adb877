"""Reads and words claims tables; counts the sentences of papers, and lists those that flip between the readings.

A row of a claims table is a verdict: one claim, on one experiment (or on several together), in one reading. What is counted
are sentences (`dpbandits.verdicts.sentences`), apart from theorems and promises of privacy. Questions of our own never are, nor
are sentences of a paper that is known from a summary only.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.studies.study import CORRECTED, PUBLISHED, Claim

COLUMNS = [
    "claim", "kind", "experiment", "figures", "reading", "statement", "source", "value", "standard_error",
    "relation", "border", "border_high", "verdict", "evidence", "cause",
]  # fmt: skip
Row = dict[str, Any]  # of a claims table: texts, and numbers or None
VERDICTS = ("holds", "fails", "undecided")
PROMISES = ("proved", "refuted", "open")  # the same of a promise of privacy
UNTESTED = "untested"  # a sentence that no claim tests
SUMMARY = "summary"  # the kind of a sentence that is known from a summary of its paper only: judged, but not counted
KINDS = ("sentence", "theorem", "privacy", SUMMARY)
OURS = "ours"  # the kind of a question of our own, which counts for no paper
NUMBERS = ("value", "standard_error", "border", "border_high")
WORDS = tuple(name for name in COLUMNS if name not in NUMBERS)
RELATIONS = {"at_most": "at most", "at_least": "at least", "below": "below", "above": "above"}
LEFT, RIGHT = "---", "---:"  # alignments in Markdown
BEGIN, END = "<!-- {}: begin (made by `make reference`) -->", "<!-- {}: end -->"


def read_claims(path: str | Path, checksum: bool = True) -> list[Row]:
    """Read the rows of a claims table (see `tables.cells`)."""
    rows = tables.rows(path, WORDS, NUMBERS, checksum)
    for row in rows:
        for column, known in (("kind", (*KINDS, OURS)), ("verdict", words_of(row["kind"]))):
            if row[column] not in known:
                raise InputError(f"{path}: '{row[column]}' is no {column}; delete the file and judge the claims again")
    return rows


def words_of(kind: str) -> tuple[str, str, str]:
    """The three verdicts on what is of this kind: the good one, the bad one, and neither."""
    return PROMISES if kind == "privacy" else VERDICTS


def outcome(row: Row) -> str:
    """holds, fails or undecided, also of a promise."""
    return VERDICTS[words_of(row["kind"]).index(row["verdict"])]


def number(row: Row) -> str:
    """The measured number as text, with as many digits as its error has: 0.484 ± 0.017."""
    value, error = row["value"], row["standard_error"]
    if value is None:
        return "not measured"
    if not error:
        return f"{value:.6g}"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{value:.{decimals}f} ± {error:.{decimals}f}" if decimals < 10 else f"{value:.2g} ± {error:.2g}"


def expected(row: Row) -> str:
    """The expected range of the number as text: at most 1."""
    if row["relation"] in RELATIONS:
        return f"{RELATIONS[row['relation']]} {row['border']:.10g}"
    return f"{row['border']:.10g} to {row['border_high']:.10g}"


def verdicts_as_text(claim: Claim, rows: Iterable[Row]) -> str:
    """The statement of a claim, and for each of its verdicts the number, its border, the evidence and the cause."""
    paragraphs = [f"{claim.id}: {claim.says}\n({claim.source})"]
    for row in (row for row in rows if row["claim"] == claim.id):
        reading = "" if row["reading"] == "both" else f", {row['reading']} reading"
        first = f"{row['verdict']}: {row['experiment']}{reading}: {number(row)}, expected {expected(row)}"
        paragraphs.append("\n".join(line for line in (first, row["evidence"], row["cause"]) if line))
    return "\n\n".join(paragraphs) + "\n"


@dataclass(frozen=True)
class Score:
    """The verdicts on the sentences of a paper, or of several."""

    paper: str
    verdicts: Mapping[str, Sequence[Mapping[str, str]]]  # kind -> of each sentence, reading -> verdict

    @property
    def sentences(self) -> dict[str, int]:
        """How many sentences about experiments hold in which readings; the last are those with another verdict in one."""
        found = Counter(_outcome(*each.values()) for each in self.verdicts["sentence"])
        return {outcome: found[outcome] for outcome in OUTCOMES}

    def count(self, kind: str, reading: str = CORRECTED) -> dict[str, int]:
        """How many theorems or promises have each verdict in a reading; untested counts with the last."""
        words = words_of(kind)
        found = Counter(each.get(reading, each.get("both")) for each in self.verdicts[kind])
        return {word: found[word] + (found[UNTESTED] if word == words[-1] else 0) for word in words}

    @property
    def cells(self) -> list[str]:
        """What a scoreboard shows below HEADS: the theorems as defined, and the promises in both readings if they differ."""

        def triple(counts: Mapping[str, int]) -> str:
            return " / ".join(map(str, counts.values())) if any(counts.values()) else "–"

        promises = dict.fromkeys(triple(self.count("privacy", reading)) for reading in (PUBLISHED, CORRECTED))
        numbers = [sum(self.sentences.values()), *self.sentences.values()]
        return [*map(str, numbers), triple(self.count("theorem")), " → ".join(promises)]


BOTH, ONLY_PUBLISHED, ONLY_DEFINED, NEITHER, OPEN = OUTCOMES = (
    "in both readings", "only as published", "only as defined", "in neither", "undecided or untested",
)  # fmt: skip
HEADS = (
    "sentences", f"hold {BOTH}", *OUTCOMES[1:], "theorems: hold / fail / undecided or untested",
    "promises: proved / refuted / open or untested",
)  # fmt: skip


def _outcome(published: str, defined: str = "") -> str:
    """Where a sentence holds; with one reading the second verdict is the first."""
    verdicts = (published == "holds", (defined or published) == "holds")
    if not {published, defined or published} <= {"holds", "fails"}:
        return OPEN
    return {(True, True): BOTH, (True, False): ONLY_PUBLISHED, (False, True): ONLY_DEFINED}.get(verdicts, NEITHER)


def score(paper: str, rows: Iterable[Row]) -> Score:
    """The score of these rows of the table of sentences."""
    verdicts: dict[str, dict[tuple[str, str], dict[str, str]]] = {kind: {} for kind in KINDS}
    for row in rows:
        sentence = verdicts[row["kind"]].setdefault((row["paper"], row["sentence"]), {})
        sentence[row["reading"]] = row["verdict"]
    return Score(paper, {kind: list(found.values()) for kind, found in verdicts.items()})


def scores(rows: Sequence[Row]) -> list[Score]:
    """A score for each paper of the table of sentences that was read, and the one of all of them."""
    papers = dict.fromkeys(row["paper"] for row in rows if row["kind"] != SUMMARY)
    return [*(score(paper, [row for row in rows if row["paper"] == paper]) for paper in papers), score("all", rows)]


def in_words(rows: Sequence[Row]) -> list[str]:
    """The closing lines of a run on a study: on the sentences of a paper, or on our questions if there are none."""
    if not rows:
        return []
    if "sentence" not in rows[0]:
        counts = Counter(row["verdict"] for row in rows)
        return [f"questions of our own: {_listed({v: counts[v] for v in VERDICTS})}"]
    found = score("", rows)
    counts = found.sentences
    lines = [f"{sum(counts.values())} sentences: {_listed(counts)}"] if any(counts.values()) else []
    named = {"theorem": "theorems", "privacy": "promises of privacy", SUMMARY: "sentences of a summary, not counted"}
    for kind, name in named.items():
        counts = found.count(kind)
        lines += [f"{sum(counts.values())} {name}, as defined: {_listed(counts)}"] if any(counts.values()) else []
    return lines


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def as_markdown(rows: Sequence[Row]) -> str:
    """The README's scoreboard: where the sentences hold; then the theorems, and the promises in both readings."""
    return as_table({"paper": LEFT} | dict.fromkeys(HEADS, RIGHT), [[each.paper, *each.cells] for each in scores(rows)])


def as_table(columns: Mapping[str, str], rows: Iterable[Sequence[str]]) -> str:
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


def put_table(file: Path, name: str, table: str) -> None:
    """Write a new table between the two comments that bear its name in a Markdown file."""
    file.write_text(with_table(file.read_text(encoding="utf-8"), name, table, file), encoding="utf-8")

"""The sentences that hold in one reading and fail in the other, with the numbers that decide: the table of docs/flips.md."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dpbandits.studies.study import CORRECTED, PUBLISHED, Paper, Sentence
from dpbandits.verdicts.scoreboard import LEFT, Row, as_table, expected, number, words_of
from dpbandits.verdicts.sentences import ON_AVERAGE, judged, mean_of, rows_of

COLUMNS = ("paper", "sentence", "place", "measured by", "as published", "as defined", "cause", "evidence")


@dataclass(frozen=True)
class Flip:
    """A sentence, the deciding row of its claims in each reading (None where there is none), and in how many panels."""

    paper: str
    sentence: Sentence
    published: Row | None
    defined: Row | None
    panels: int
    of: int


def flips(paper: Paper, rows: Sequence[Row]) -> Iterator[Flip]:
    """The flips of a paper, from the rows of its claims table."""
    for sentence in paper.sentences:
        verdicts = {row["reading"]: row["verdict"] for row in judged(sentence, paper, rows)}
        if {*verdicts.values()} != {*words_of(sentence.kind)[:2]}:
            continue
        here, there = (rows_of(sentence, reading, rows) for reading in (PUBLISHED, CORRECTED))
        if sentence.rule == ON_AVERAGE:
            yield Flip(paper.id, sentence, mean_of(here), mean_of(there), len(here), len(here))
            continue
        other = {(row["claim"], row["experiment"]): row for row in there}
        pairs = [(row, other.get((row["claim"], row["experiment"]))) for row in here]
        changed = [(a, b) for a, b in pairs if b and {a["verdict"], b["verdict"]} == {*verdicts.values()}]
        if changed:
            yield Flip(paper.id, sentence, *max(changed, key=_change), len(changed), len(pairs))
        else:  # the readings have no panel in common that changes: the first that decides in each
            deciding = [
                next((row for row in found if row["verdict"] == verdicts[reading]), None)
                for reading, found in ((PUBLISHED, here), (CORRECTED, there))
            ]
            yield Flip(paper.id, sentence, *deciding, 1, max(len(here), len(there)))


def _change(pair: tuple[Row, Row]) -> float:
    """How much a number changes, relative to the smaller of the two; without numbers not at all."""
    a, b = (row["value"] for row in pair)
    if a is None or b is None:
        return 0.0
    return abs(a - b) / min(abs(a), abs(b)) if a and b else math.inf


def as_markdown(papers: Iterable[tuple[Paper, Sequence[Row]]]) -> str:
    """The table of docs/flips.md; each paper comes with the rows of its claims table."""
    lines = [_cells(flip) for paper, rows in papers for flip in flips(paper, rows)]
    return as_table(dict.fromkeys(COLUMNS, LEFT), lines)


def _cells(flip: Flip) -> list[str]:
    rows = [row for row in (flip.published, flip.defined) if row]
    bad = words_of(flip.sentence.kind)[1]
    if flip.sentence.rule == ON_AVERAGE:
        measured = f"the mean of {flip.of} numbers"
    else:
        measured = f"{rows[0]['claim']} on {rows[0]['experiment']}"
    others = f"; {flip.panels} of {flip.of} verdicts change" if flip.of > 1 and flip.sentence.rule != ON_AVERAGE else ""
    return [
        flip.paper,
        f"{flip.sentence.id}: {flip.sentence.says}",
        flip.sentence.place,
        f"{measured}, expected {expected(rows[0])}{others}",
        *(_measured(row, flip) for row in (flip.published, flip.defined)),
        next((row["cause"] for row in rows if row["verdict"] == bad and row["cause"]), ""),
        flip.sentence.evidence,
    ]


def _measured(row: Row | None, flip: Flip) -> str:
    if row is None:
        return "–"
    if flip.sentence.rule == ON_AVERAGE:
        return number(row)
    return f"{row['verdict']}: {number(row)} ({row['evidence']})"

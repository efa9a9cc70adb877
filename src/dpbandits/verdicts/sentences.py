"""The verdict on every sentence of a paper, in each of its readings, from the verdicts on the claims that test it.

A sentence's rule says how: it holds `in all panels` if every verdict of its claims does, `on average` if the mean of their
numbers respects their common border, `in most panels` if more than half of the verdicts do, and `somewhere` if one does.
A promise of privacy is proved, refuted or open by the same rules. What no claim tests in a reading is untested there.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.studies.study import Paper, Sentence
from dpbandits.verdicts.measurement import MEASURES, TWO_BORDERS, decide
from dpbandits.verdicts.scoreboard import KINDS, UNTESTED, Row, number, read_claims, words_of

COLUMNS = ["paper", "sentence", "kind", "place", "says", "reading", "verdict", "claims", "reason"]
ON_AVERAGE = "on average"


def check(sentence: Sentence, paper: Paper) -> None:
    """Raise InputError if a sentence cannot have a verdict by its rule."""
    where = f"{paper.file}: sentences.{sentence.id}"
    claims = [claim for claim in paper.claims if claim.id in sentence.claims]
    if set(sentence.untested) - {"", *paper.judged_in}:
        raise InputError(f"{where}.untested: the paper has one reading; write the reason without the reading's name")
    if sentence.rule == ON_AVERAGE and any(claim.expect != claims[0].expect for claim in claims):
        raise InputError(f"{where}.rule: the borders of its claims differ; 'on average' needs one border for all")
    if sentence.kind != "privacy":
        return
    if sentence.rule == ON_AVERAGE:
        raise InputError(
            f"{where}.rule: a promise is not kept 'on average'; write in all panels, or leave the rule out"
        )
    for claim in claims:
        if set(claim.expect) != {"at_most"} or not MEASURES[claim.measure].deterministic:
            raise InputError(
                f"{where}.claims: {claim.id} does not compare a ledger with a promise: measure what is spent, and expect "
                "it at_most what is promised"
            )


def table(papers: Iterable[tuple[Paper, Sequence[Row]]]) -> list[Row]:
    """The rows of the table of sentences; each paper comes with the rows of its claims table."""
    return [row for paper, rows in papers for sentence in paper.sentences for row in judged(sentence, paper, rows)]


def as_frame(papers: Mapping[str, Paper], claims: Sequence[str | Path]) -> pd.DataFrame:
    """The table of sentences, from the files of the claims of these papers."""
    return pd.DataFrame(table(zip(papers.values(), map(read_claims, claims), strict=True)), columns=COLUMNS)


def judged(sentence: Sentence, paper: Paper, rows: Sequence[Row]) -> list[Row]:
    """The verdict on a sentence in each reading of its paper."""
    found = []
    for reading in paper.judged_in:
        verdict, reason = verdict_of(sentence, reading, rows_of(sentence, reading, rows))
        about = (paper.id, sentence.id, sentence.kind, sentence.place, sentence.says)
        cells = (*about, reading, verdict, " ".join(sentence.claims), reason)
        found.append(dict(zip(COLUMNS, cells, strict=True)))
    return found


def rows_of(sentence: Sentence, reading: str, rows: Iterable[Row]) -> list[Row]:
    """The verdicts of a sentence's claims that count in a reading."""
    return [row for row in rows if row["claim"] in sentence.claims and row["reading"] in (reading, "both")]


def verdict_of(sentence: Sentence, reading: str, rows: Sequence[Row]) -> tuple[str, str]:
    """The verdict of a sentence on these rows of its claims, and which of them decide it, or why nothing tests it."""
    if reason := sentence.untested.get("") or sentence.untested.get(reading):
        return UNTESTED, reason
    if not rows:
        return UNTESTED, "its claims are not judged in this reading"
    holds, fails, undecided = words_of(sentence.kind)
    of = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in (holds, fails, undecided)}
    if sentence.rule == ON_AVERAGE:
        return _on_average(rows)
    if sentence.rule == "in all panels":
        verdict = fails if of[fails] else undecided if of[undecided] else holds
    elif sentence.rule == "somewhere":
        verdict = holds if of[holds] else undecided if of[undecided] else fails
    elif 2 * of[holds] > len(rows):
        verdict = holds
    else:
        verdict = undecided if 2 * (of[holds] + of[undecided]) > len(rows) else fails
    return verdict, _which(verdict, rows)


def _which(verdict: str, rows: Sequence[Row]) -> str:
    """The verdicts that decide, by claim, in words."""
    if len(rows) == 1:
        return f"{rows[0]['claim']}: {number(rows[0])}"
    places: dict[str, list[str]] = {}
    for row in rows:
        if row["verdict"] == verdict:
            places.setdefault(row["claim"], []).append(row["experiment"])
    count = sum(map(len, places.values()))
    where = "; ".join(f"{claim} on {', '.join(experiments)}" for claim, experiments in places.items())
    return f"{count} of {len(rows)} verdicts" + (f": {where}" if count < len(rows) else "")


def mean_of(rows: Sequence[Row]) -> Row:
    """The mean of the rows' numbers, as a row with the first one's border; without a number if one of them has none."""
    values, n = [row["value"] for row in rows], len(rows)
    if None in values:
        return {**rows[0], "value": None, "standard_error": None}
    error = math.sqrt(sum((row["standard_error"] or 0.0) ** 2 for row in rows)) / n
    return {**rows[0], "value": sum(values) / n, "standard_error": error}


def _on_average(rows: Sequence[Row]) -> tuple[str, str]:
    mean = mean_of(rows)
    if mean["value"] is None:
        return "undecided", "not all of its claims are measurable at this scale"
    borders = {"at_least": mean["border"], "at_most": mean["border_high"]}
    expect = borders if mean["relation"] == TWO_BORDERS else {mean["relation"]: mean["border"]}
    verdict = decide(mean["value"], mean["standard_error"], expect)
    if mean["standard_error"] == 0 and any(row["verdict"] == "undecided" for row in rows):
        verdict = "undecided"  # runs that all agree
    return verdict, f"the mean of {len(rows)} numbers is {number(mean)}"


def read(path: str | Path, checksum: bool = True) -> list[Row]:
    """Read the rows of the table of sentences (see `tables.cells`)."""
    rows = tables.rows(path, COLUMNS, checksum=checksum)
    for row in rows:
        if row["kind"] not in KINDS or row["verdict"] not in (*words_of(row["kind"]), UNTESTED):
            raise InputError(
                f"{path}: '{row['verdict']}' is no verdict on a sentence of kind '{row['kind']}'; delete the file and run "
                "the same command again"
            )
    return rows


def as_text(sentence: Sentence, rows: Iterable[Row]) -> str:
    """A sentence, where it is, and its verdict in each reading; the rows are those of `judged`."""
    rule = f"; {sentence.rule}" if sentence.claims else ""
    lines = [f"{sentence.id}: {sentence.says}", f"({sentence.place}{rule})"]
    for row in rows:
        reading = "" if row["reading"] == "both" else f"{row['reading']} reading: "
        lines.append(f"{reading}{row['verdict']} ({row['reason']})")
    return "\n".join(lines) + "\n"

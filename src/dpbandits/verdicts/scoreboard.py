"""Counts the sentences of papers by where they hold, and puts tables into Markdown files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from dpbandits.errors import InputError
from dpbandits.verdicts.tables import VERDICTS, Row

OUTCOMES = BOTH, ONLY_PUBLISHED, ONLY_CORRECTED, NEITHER, OPEN = (
    "in both readings", "only as published", "only as corrected", "in neither", "undecided or untested",
)  # fmt: skip
BEGIN, END = "<!-- {}: begin (made by `make reference`) -->", "<!-- {}: end -->"


def by_reading(rows: Iterable[Row]) -> pd.DataFrame:
    """The table of sentences with a row for each: its verdict in either reading, and where it holds."""
    table = pd.DataFrame(rows)
    wide = table.pivot(index=["paper", "kind", "sentence"], columns="reading", values="verdict")
    wide = wide.reindex(columns=["published", "corrected", "both"])
    found = wide[["published", "corrected"]].apply(lambda verdicts: verdicts.fillna(wide["both"]))
    found["outcome"] = [_outcome(*pair) for pair in zip(found["published"], found["corrected"], strict=True)]
    return found.reset_index()


def _outcome(published: str, corrected: str) -> str:
    if not {published, corrected} <= {"holds", "fails"}:
        return OPEN
    holds = (published == "holds", corrected == "holds")
    return {(True, True): BOTH, (True, False): ONLY_PUBLISHED, (False, True): ONLY_CORRECTED}.get(holds, NEITHER)


def counts(rows: Iterable[Row], kind: str = "sentence", column: str = "outcome") -> pd.DataFrame:
    """How many sentences of a kind each paper has by outcome, or by verdict in a reading; the last row is that of all."""
    table = by_reading(rows)
    names = OUTCOMES if column == "outcome" else VERDICTS
    of_kind = table[table["kind"] == kind]
    values = of_kind[column].replace({"untested": VERDICTS[-1]})
    found = pd.crosstab(of_kind["paper"], values).reindex(
        index=sorted(set(table["paper"])), columns=names, fill_value=0
    )
    found.loc["all"] = found.sum()
    return found


def headline(rows: Sequence[Row]) -> str:
    """What holds, in words: for the README, and on top of the page."""
    if not rows:
        return "No paper is among the studies."
    behind = {(r["paper"], test) for r in rows if r["kind"] == "sentence" for test in r["claims"].split()}
    outcomes = counts(rows).loc["all"]
    broken = [counts(rows, "privacy", reading).loc["all", "fails"] for reading in ("published", "corrected")]
    promises = counts(rows, "privacy").loc["all"].sum()
    return (
        f"Of {outcomes.sum()} sentences that the papers write about their experiments, {outcomes[BOTH]} hold in every reading, "
        f"{outcomes[ONLY_PUBLISHED]} only as published, {outcomes[ONLY_CORRECTED]} only as corrected and {outcomes[NEITHER]} in none; "
        f"{outcomes[OPEN]} are undecided or untested. Of {promises} promises of privacy {broken[0]} are broken as "
        f"published and {broken[1] or 'none'} as corrected. {len(behind)} tests stand behind the sentences, some behind several."
    )


def in_words(rows: Sequence[Row]) -> list[str]:
    """The closing lines of a run on a paper, from its rows of the table of sentences."""
    if not rows:
        return []
    found = counts(rows).loc["all"].rename({BOTH: f"hold {BOTH}"})
    lines = [f"{found.sum()} sentence{'s' if found.sum() != 1 else ''}: {_listed(found)}"]
    for kind, name in {"theorem": "theorems", "privacy": "promises of privacy"}.items():
        found = counts(rows, kind, "corrected").loc["all"].rename({"holds": "hold", "fails": "fail", "undecided": OPEN})
        lines += [f"{found.sum()} {name}, as corrected: {_listed(found)}"] if found.any() else []
    return lines


def _listed(found: pd.Series) -> str:
    return ", ".join(f"{count} {what}" for what, count in found.items())


def as_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    head, *body = ["| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in (columns, *rows)]
    return "\n".join([head, f"|{'---|' * len(columns)}", *body])


def put_table(file: Path, name: str, table: str) -> None:
    """Write a new table between the two comments that bear its name in a Markdown file."""
    text, begin, end = file.read_text(encoding="utf-8"), BEGIN.format(name), END.format(name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise InputError(f"{file}: the lines '{begin}' and '{end}' should each occur once; put them back")
    before, rest = text.split(begin)
    file.write_text(f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}", encoding="utf-8")

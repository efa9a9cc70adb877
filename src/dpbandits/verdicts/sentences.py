"""The verdict on every sentence of a paper, in each of its readings, from the verdicts on its tests.

A sentence's rule says how: it holds `in all panels` if every verdict of its tests does, `on average` if the mean of their
numbers respects their common threshold, `in most panels` if more than half of the verdicts do, and `somewhere` if one does.
What nothing tests is `untested`, and so is what fails only through our reconstruction of an experiment. Questions of our own are in
no table of sentences.
"""

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from dpbandits.studies.sentence import OURS, Sentence, Test, kind_of
from dpbandits.studies.study import Study
from dpbandits.verdicts.judging import series_named
from dpbandits.verdicts.measurement import TWO_BORDERS, border_of, decide
from dpbandits.verdicts.tables import SENTENCES, Row, number, read_tests

ON_AVERAGE = "on average"
UNTESTED = "untested"
# The first of these verdicts that a test has is the sentence's.
DECIDES = {"in all panels": ("fails", "undecided", "holds"), "somewhere": ("holds", "undecided", "fails")}


def table(papers: Mapping[str, Study], tests: Sequence[str]) -> pd.DataFrame:
    """The table of sentences, from the files of the tables of these papers' tests."""
    rows = [row for paper, path in zip(papers.values(), tests, strict=True) for row in rows_of(paper, read_tests(path))]
    return pd.DataFrame(rows, columns=SENTENCES)


def rows_of(paper: Study, rows: Sequence[Row]) -> list[Row]:
    """A paper's rows of the table of sentences, from those of its tests."""
    return [row for name in paper.sentences if kind_of(name) != OURS for row in judged(paper, name, rows)]


def judged(paper: Study, name: str, rows: Sequence[Row]) -> list[Row]:
    """The verdict on a sentence in each reading of its paper."""
    sentence = paper.sentences[name]
    found = []
    for reading in paper.judged_in:
        mine = [r for r in rows if r["claim"] in sentence.all_tests and r["reading"] in (reading, "both")]
        verdict, reason = _whatever_our_thresholds(paper, sentence, mine)
        if verdict == "fails" and (ours := _only_through(paper, mine, reading, kind_of(name))):
            if sentence.fails_under_every_candidate:
                reason += f"; under every candidate: {sentence.fails_under_every_candidate}"
            else:
                verdict, reason = UNTESTED, f"fails only through our reconstruction of {ours} ({reason})"
        if why := sentence.untested_in(reading):
            verdict, reason = UNTESTED, why
        about = {"paper": paper.id, "sentence": name, "kind": kind_of(name), "place": sentence.place}
        judgement = {"says": sentence.says, "reading": reading, "verdict": verdict}
        found.append({**about, **judgement, "claims": " ".join(sentence.all_tests), "reason": reason})
    return found


def _whatever_our_thresholds(paper: Study, sentence: Sentence, rows: Sequence[Row]) -> tuple[str, str]:
    """The verdict of a sentence; undecided if it is another one with half or twice the distance of the thresholds that are ours."""
    verdict, reason = verdict_of(sentence, rows)
    for factor, name in ((0.5, "half"), (2, "twice")) if verdict in ("holds", "fails") else ():
        other, why = verdict_of(sentence, [_by_moved_threshold(row, paper.tests[row["claim"]], factor) for row in rows])
        if other != verdict:
            hangs = f"depends on a threshold of ours: {verdict} ({reason}), {other} at {name} its distance ({why})"
            return "undecided", hangs
    return verdict, reason


def _by_moved_threshold(row: Row, test: Test, factor: float) -> Row:
    """A row judged by the moved threshold, without its error; what was undecided stays so."""
    if test.ours_from is None or row["verdict"] == "undecided":
        return row
    relation, border, border_high = border_of(moved := test.moved(factor))
    verdict = decide(row["value"], 0, moved)
    return {**row, "verdict": verdict, "relation": relation, "border": border, "border_high": border_high}


def _only_through(paper: Study, rows: Sequence[Row], reading: str, kind: str) -> str:
    """What of our reconstruction every failing test rests on; "" if one rests on nothing of ours. A theorem or a promise speaks of
    every instance, so that ours refutes it, too, but not of every algorithm."""
    found: dict[str, None] = {}
    for row in rows:
        if row["verdict"] == "fails":
            experiments = [paper.experiments[id] for id in row["experiment"].split()]
            named = [name for _, name in series_named(paper.tests[row["claim"]])]
            instances = [f"{e.id}: {e.reconstructed}" for e in experiments if e.reconstructed and kind == "sentence"]
            ours = instances + [
                policy.id
                for each in experiments
                for policy in each.policies
                if reading in policy.reconstructed and {policy.id, *(s.name for s in policy.series)} & {*named}
            ]
            if not ours:
                return ""
            found |= dict.fromkeys(ours)
    return ", ".join(found)


def verdict_of(sentence: Sentence, rows: Sequence[Row]) -> tuple[str, str]:
    """The verdict of a sentence on these rows of its tests, and which of them decide it, or why nothing tests it."""
    if not rows:
        return UNTESTED, "no test measures it in this reading"
    if sentence.rule == ON_AVERAGE:
        return _on_average(rows)
    found = [row["verdict"] for row in rows]
    if sentence.rule in DECIDES:
        verdict = next(verdict for verdict in DECIDES[sentence.rule] if verdict in found)
    elif 2 * found.count("holds") > len(found):
        verdict = "holds"
    else:
        verdict = "fails" if 2 * found.count("fails") >= len(found) else "undecided"
    return verdict, _which(verdict, rows)


def _which(verdict: str, rows: Sequence[Row]) -> str:
    """The verdicts that decide, by test, in words."""
    if len(rows) == 1:
        return f"{rows[0]['claim']}: {number(rows[0])}"
    places: dict[str, list[str]] = {}
    for row in rows:
        if row["verdict"] == verdict:
            places.setdefault(row["claim"], []).append(row["experiment"])
    count = sum(map(len, places.values()))
    where = "; ".join(f"{test} on {', '.join(experiments)}" for test, experiments in places.items())
    return f"{count} of {len(rows)} verdicts" + (f": {where}" if count < len(rows) else "")


def _on_average(rows: Sequence[Row]) -> tuple[str, str]:
    table, first = pd.DataFrame(rows), rows[0]
    if table["value"].isna().any():
        return "undecided", "not all of its tests are measurable at this scale"
    mean, n = table["value"].sum() / len(rows), len(rows)
    error = math.sqrt((table["standard_error"].astype(float).fillna(0.0) ** 2).sum()) / n
    two = {"at_least": first["border"], "at_most": first["border_high"]}
    verdict = decide(mean, error, two if first["relation"] == TWO_BORDERS else {first["relation"]: first["border"]})
    if error == 0 and (table["verdict"] == "undecided").any():
        verdict = "undecided"  # runs that all agree
    return verdict, f"the mean of {n} numbers is {number({'value': mean, 'standard_error': error})}"


def as_text(paper: Study, name: str, rows: Sequence[Row]) -> str:
    """A sentence, where it is, and its verdict in each reading; `rows`: those of its tests."""
    sentence = paper.sentences[name]
    rule = f"; {sentence.rule}" if sentence.all_tests else ""
    lines = [f"{name}: {sentence.says}", f"({sentence.place}{rule})"]
    for row in judged(paper, name, rows):
        reading = "" if row["reading"] == "both" else f"{row['reading']} reading: "
        lines.append(f"{reading}{row['verdict']} ({row['reason']})")
    return "\n".join(lines) + "\n"

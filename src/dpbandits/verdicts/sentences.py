"""The verdict on every sentence of a paper, in each of its readings, from the verdicts on its tests, by its `Sentence.rule`.

What nothing tests is `untested`, and so is what fails only through our reconstruction of an experiment. Questions of our own are in
no table of sentences.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from dpbandits.studies.experiment import CORRECTED, PUBLISHED
from dpbandits.studies.model import Study
from dpbandits.studies.sentence import OURS, Sentence, Test, kind_of
from dpbandits.verdicts import judging, tables
from dpbandits.verdicts.measurement import decide
from dpbandits.verdicts.tables import SENTENCES, Row, number, read_tests

UNTESTED = "untested"


def table(papers: Mapping[str, Study], files: Sequence[str]) -> pd.DataFrame:
    """The table of sentences, from the tables of these papers' tests, whose `files` are in the same order."""
    rows = []
    for paper, path in zip(papers.values(), files, strict=True):
        tests = read_tests(path).to_dict("records")
        for name in paper.sentences:
            rows += verdicts_on(paper, name, tests) if kind_of(name) != OURS else []
    return pd.DataFrame(rows, columns=SENTENCES)


def verdicts_on(paper: Study, name: str, tests: Sequence[Row]) -> list[Row]:
    """The rows of a sentence in the table of sentences: its verdict in each reading of the paper."""
    sentence, found = paper.sentences[name], []
    has_two = any(len(experiment.by_reading) > 1 for experiment in paper.experiments.values())
    for reading in (PUBLISHED, CORRECTED) if has_two else ("both",):
        mine = [
            row
            for row in tests
            if row["claim"] in sentence.all_tests and row["reading"] in (reading, "both")
        ]
        verdict, reason = _robust_verdict(paper, sentence, mine)
        if verdict == "fails" and (ours := _excused_by(paper, mine, reading, kind_of(name))):
            if sentence.fails_under_every_candidate:
                reason += f"; under every candidate: {sentence.fails_under_every_candidate}"
            else:
                verdict, reason = (
                    UNTESTED,
                    f"fails only through our reconstruction of {ours} ({reason})",
                )
        if why := sentence.untested_in(reading):
            verdict, reason = UNTESTED, why
        about = [paper.id, name, kind_of(name), sentence.place, sentence.says, reading]
        row = [*about, verdict, " ".join(sentence.all_tests), reason]
        found.append(dict(zip(SENTENCES, row, strict=True)))
    return found


def _robust_verdict(paper: Study, sentence: Sentence, tests: Sequence[Row]) -> tuple[str, str]:
    """The verdict of a sentence; undecided if it is another one with half or twice the distance of the thresholds that are ours. Tests
    are judged by these without their errors; what was undecided stays so."""
    verdict, reason = verdict_by(sentence.rule, tests)
    for factor, name in ((0.5, "half"), (2, "twice")):
        other, why = verdict_by(
            sentence.rule, [_moved(row, paper.tests[row["claim"]], factor) for row in tests]
        )
        if verdict in ("holds", "fails") and other != verdict:
            hangs = f"depends on a threshold of ours: {verdict} ({reason}), {other} at {name} its distance ({why})"
            return "undecided", hangs
    return verdict, reason


def _moved(row: Row, test: Test, factor: float) -> Row:
    """The row with so many times the distance of the thresholds from `ours_from`, in logarithms where both are positive."""
    at = test.ours_from
    if at is None or row["verdict"] == "undecided":
        return row
    moved = {
        relation: at * (number / at) ** factor
        if min(at, number) > 0
        else at + (number - at) * factor
        for relation, number in test.thresholds.items()
    }
    return row | {"verdict": decide(row["value"], 0, moved)}


def _excused_by(paper: Study, tests: Sequence[Row], reading: str, kind: str) -> str:
    """What of our reconstruction every failing test rests on; "" if one rests on nothing of ours. A theorem or a promise speaks of
    every instance, so that ours refutes it, too, but not of every algorithm."""
    found: dict[str, None] = {}
    for row in (row for row in tests if row["verdict"] == "fails"):
        experiments = [paper.experiments[id] for id in row["experiment"].split()]
        named = set(paper.tests[row["claim"]].series)
        ours = [
            f"{e.id}: {e.reconstructed}"
            for e in experiments
            if e.reconstructed and kind == "sentence"
        ]
        played = (policy for each in experiments for policy in each.policies.values())
        for policy in (policy for policy in played if reading in policy.reconstructed):
            ours += (
                [policy.id]
                if named & {policy.id, *(series.name for series in policy.series)}
                else []
            )
        if not ours:
            return ""
        found |= dict.fromkeys(ours)
    return ", ".join(found)


def verdict_by(rule: str, tests: Sequence[Row]) -> tuple[str, str]:
    """The verdict of a sentence on these rows of its tests, and which of them decide it, or why nothing does."""
    if not tests:
        return UNTESTED, "no test measures it in this reading"
    verdicts = [row["verdict"] for row in tests]
    needed = {"in all panels": len(tests), "in most panels": len(tests) // 2 + 1}[rule]
    if verdicts.count("holds") >= needed:
        verdict = "holds"
    else:  # it fails if the undecided ones would not suffice, either
        verdict = "fails" if len(tests) - verdicts.count("fails") < needed else "undecided"
    return verdict, _which(verdict, tests)


def _which(verdict: str, tests: Sequence[Row]) -> str:
    """The verdicts that decide, by test, in words."""
    if len(tests) == 1:
        return f"{tests[0]['claim']}: {number(tests[0])}"
    deciding: dict[str, list[str]] = {}
    for row in tests:
        if row["verdict"] == verdict:
            deciding.setdefault(row["claim"], []).append(row["experiment"])
    where = "; ".join(f"{test} on {', '.join(each)}" for test, each in deciding.items())
    count = sum(map(len, deciding.values()))
    return f"{count} of {len(tests)} verdicts" + (f": {where}" if count < len(tests) else "")


def said(study: Study, names: Sequence[str], **judged: Any) -> str:
    """Judge cases, and print the verdicts on these sentences and on all tests, in words."""
    tests = judging.table(**judged)
    texts = [as_text(study, name, tests) for name in names]
    text = "\n".join(
        [*texts, *(tables.as_text(rows) for _, rows in tests.groupby("claim", sort=False))]
    )
    print(text, end="")
    return text


def as_text(paper: Study, name: str, tests: pd.DataFrame) -> str:
    """A sentence, where it is, and its verdict in each reading; `tests`: the table of its tests."""
    sentence = paper.sentences[name]
    rule = f"; {sentence.rule}" if sentence.all_tests else ""
    lines = [f"{name}: {sentence.says}", f"({sentence.place}{rule})"]
    for row in verdicts_on(paper, name, tests.to_dict("records")):
        reading = "" if row["reading"] == "both" else f"{row['reading']} reading: "
        lines.append(f"{reading}{row['verdict']} ({row['reason']})")
    return "\n".join(lines) + "\n"

"""The verdict on every sentence of a paper, in each of its readings, from the verdicts on its tests, by its `Sentence.rule`.

What nothing tests is `untested`, and so is what fails only through our reconstruction of an experiment. Questions of our own are in
no table of sentences.
"""

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from dpbandits.studies.model import Study
from dpbandits.studies.sentence import OURS, Sentence, kind_of
from dpbandits.verdicts.judging import series_named
from dpbandits.verdicts.measurement import columns_of, decide, thresholds_of
from dpbandits.verdicts.tables import SENTENCES, number, read_tests

ON_AVERAGE = "on average"
UNTESTED = "untested"
NOTHING = pd.DataFrame(columns=SENTENCES)


def table(papers: Mapping[str, Study], files: Sequence[str]) -> pd.DataFrame:
    """The table of sentences, from the tables of these papers' tests, whose `files` are in the same order."""
    found = (of_paper(paper, read_tests(path)) for paper, path in zip(papers.values(), files, strict=True))
    return pd.concat([NOTHING, *found])


def of_paper(paper: Study, tests: pd.DataFrame) -> pd.DataFrame:
    """A paper's rows of the table of sentences, from the table of its tests."""
    names = [name for name in paper.sentences if kind_of(name) != OURS]
    return pd.concat([NOTHING, *(verdicts_on(paper, name, tests) for name in names)])


def verdicts_on(paper: Study, name: str, tests: pd.DataFrame) -> pd.DataFrame:
    """The rows of a sentence in the table of sentences: its verdict in each reading of the paper."""
    sentence, found = paper.sentences[name], []
    for reading in paper.judged_in:
        mine = tests[tests["claim"].isin(sentence.all_tests) & tests["reading"].isin([reading, "both"])]
        verdict, reason = _robust_verdict(paper, sentence, mine)
        if verdict == "fails" and (ours := _excused_by(paper, mine, reading, kind_of(name))):
            if sentence.fails_under_every_candidate:
                reason += f"; under every candidate: {sentence.fails_under_every_candidate}"
            else:
                verdict, reason = UNTESTED, f"fails only through our reconstruction of {ours} ({reason})"
        if why := sentence.untested_in(reading):
            verdict, reason = UNTESTED, why
        about = [paper.id, name, kind_of(name), sentence.place, sentence.says, reading]
        found.append([*about, verdict, " ".join(sentence.all_tests), reason])
    return pd.DataFrame(found, columns=SENTENCES)


def _robust_verdict(paper: Study, sentence: Sentence, tests: pd.DataFrame) -> tuple[str, str]:
    """The verdict of a sentence; undecided if it is another one with half or twice the distance of the thresholds that are ours."""
    verdict, reason = verdict_by(sentence.rule, tests)
    ours = any(paper.tests[id].ours_from is not None for id in sentence.all_tests)
    for factor, name in ((0.5, "half"), (2, "twice")) if ours and verdict in ("holds", "fails") else ():
        other, why = verdict_by(sentence.rule, _by_moved_thresholds(paper, tests, factor))
        if other != verdict:
            hangs = f"depends on a threshold of ours: {verdict} ({reason}), {other} at {name} its distance ({why})"
            return "undecided", hangs
    return verdict, reason


def _by_moved_thresholds(paper: Study, tests: pd.DataFrame, factor: float) -> pd.DataFrame:
    """The tests judged by the moved thresholds, without their errors; what was undecided stays so."""
    rows = tests.to_dict("records")
    for row in rows:
        test = paper.tests[row["claim"]]
        if test.ours_from is not None and row["verdict"] != "undecided":
            thresholds = test.moved(factor)
            row |= {**columns_of(thresholds), "verdict": decide(row["value"], 0, thresholds)}
    return pd.DataFrame(rows)


def _excused_by(paper: Study, tests: pd.DataFrame, reading: str, kind: str) -> str:
    """What of our reconstruction every failing test rests on; "" if one rests on nothing of ours. A theorem or a promise speaks of
    every instance, so that ours refutes it, too, but not of every algorithm."""
    found: dict[str, None] = {}
    for row in tests[tests["verdict"] == "fails"].itertuples():
        experiments = [paper.experiments[id] for id in row.experiment.split()]
        named = {name for _, name in series_named(paper.tests[row.claim])}
        ours = [f"{e.id}: {e.reconstructed}" for e in experiments if e.reconstructed and kind == "sentence"]
        played = (policy for each in experiments for policy in each.policies.values())
        for policy in (policy for policy in played if reading in policy.reconstructed):
            ours += [policy.id] if named & {policy.id, *(series.name for series in policy.series)} else []
        if not ours:
            return ""
        found |= dict.fromkeys(ours)
    return ", ".join(found)


def verdict_by(rule: str, tests: pd.DataFrame) -> tuple[str, str]:
    """The verdict of a sentence on these rows of its tests, and which of them decide it, or why nothing tests it."""
    if tests.empty:
        return UNTESTED, "no test measures it in this reading"
    if rule == ON_AVERAGE:
        return _on_average(tests)
    count = tests["verdict"].value_counts()
    needed = {"in all panels": len(tests), "in most panels": len(tests) // 2 + 1}[rule]
    if count.get("holds", 0) >= needed:
        verdict = "holds"
    else:  # it fails if the undecided ones would not suffice, either
        verdict = "fails" if len(tests) - count.get("fails", 0) < needed else "undecided"
    return verdict, _which(verdict, tests)


def _which(verdict: str, tests: pd.DataFrame) -> str:
    """The verdicts that decide, by test, in words."""
    if len(tests) == 1:
        return f"{tests['claim'].iloc[0]}: {number(tests.iloc[0])}"
    deciding = tests[tests["verdict"] == verdict]
    by_test = deciding.groupby("claim", sort=False)["experiment"]
    where = "; ".join(f"{test} on {', '.join(experiments)}" for test, experiments in by_test)
    return f"{len(deciding)} of {len(tests)} verdicts" + (f": {where}" if len(deciding) < len(tests) else "")


def _on_average(tests: pd.DataFrame) -> tuple[str, str]:
    if tests["value"].isna().any():
        return "undecided", "not all of its tests are measurable at this scale"
    mean = tests["value"].sum() / len(tests)
    error = math.sqrt((tests["standard_error"].fillna(0) ** 2).sum()) / len(tests)
    verdict = decide(mean, error, thresholds_of(tests.iloc[0]))
    if error == 0 and (tests["verdict"] == "undecided").any():
        verdict = "undecided"  # runs that all agree
    return verdict, f"the mean of {len(tests)} numbers is {number({'value': mean, 'standard_error': error})}"


def as_text(paper: Study, name: str, tests: pd.DataFrame) -> str:
    """A sentence, where it is, and its verdict in each reading; `tests`: the table of its tests."""
    sentence = paper.sentences[name]
    rule = f"; {sentence.rule}" if sentence.all_tests else ""
    lines = [f"{name}: {sentence.says}", f"({sentence.place}{rule})"]
    for row in verdicts_on(paper, name, tests).itertuples():
        reading = "" if row.reading == "both" else f"{row.reading} reading: "
        lines.append(f"{reading}{row.verdict} ({row.reason})")
    return "\n".join(lines) + "\n"

"""The answer to every claim of a paper in each reading, from the verdicts of its checks and its `rule`.

What nothing checks is `untested`, and so is what fails only through our reconstruction of an experiment. Questions of our own are in
no table of claims.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from dpbandits.checks import judging, tables
from dpbandits.checks.measurement import decide
from dpbandits.checks.tables import CLAIMS, Row, number, read_checks
from dpbandits.studies.claim import OURS, Check, Claim, kind_of
from dpbandits.studies.experiment import CORRECTED, PUBLISHED
from dpbandits.studies.model import Study

UNTESTED = "untested"


def table(papers: Mapping[str, Study], files: Sequence[str]) -> pd.DataFrame:
    """The table of claims, from the tables of these papers' checks, whose `files` are in the same order."""
    rows = []
    for paper, path in zip(papers.values(), files, strict=True):
        checks = read_checks(path).to_dict("records")
        for name in paper.claims:
            rows += answers_to(paper, name, checks) if kind_of(name) != OURS else []
    return pd.DataFrame(rows, columns=CLAIMS)


def answers_to(paper: Study, name: str, checks: Sequence[Row]) -> list[Row]:
    """The rows of a claim in the table of claims: its answer in each reading of the paper."""
    claim, found = paper.claims[name], []
    has_two = any(len(experiment.by_reading) > 1 for experiment in paper.experiments.values())
    for reading in (PUBLISHED, CORRECTED) if has_two else ("both",):
        mine = [
            row
            for row in checks
            if row["check"] in claim.all_checks and row["reading"] in (reading, "both")
        ]
        answer, reason = _robust_answer(paper, claim, mine)
        if answer == "fails" and (ours := _excused_by(paper, mine, reading, kind_of(name))):
            if claim.fails_under_every_candidate:
                reason += f"; under every candidate: {claim.fails_under_every_candidate}"
            else:
                answer, reason = (
                    UNTESTED,
                    f"fails only through our reconstruction of {ours} ({reason})",
                )
        if why := claim.untested_in(reading):
            answer, reason = UNTESTED, why
        about = [paper.id, name, kind_of(name), claim.place, claim.says, reading]
        row = [*about, answer, " ".join(claim.all_checks), reason]
        found.append(dict(zip(CLAIMS, row, strict=True)))
    return found


def _robust_answer(paper: Study, claim: Claim, checks: Sequence[Row]) -> tuple[str, str]:
    """The answer to a claim; undecided if it is another one with half or twice the distance of the thresholds that are ours. Checks
    are judged by these without their errors; what was undecided stays so."""
    answer, reason = answer_by(claim.rule, checks)
    for factor, name in ((0.5, "half"), (2, "twice")):
        other, why = answer_by(
            claim.rule, [_moved(row, paper.checks[row["check"]], factor) for row in checks]
        )
        if answer in ("holds", "fails") and other != answer:
            hangs = f"depends on a threshold of ours: {answer} ({reason}), {other} at {name} its distance ({why})"
            return "undecided", hangs
    return answer, reason


def _moved(row: Row, check: Check, factor: float) -> Row:
    """The row with so many times the distance of the thresholds from `ours_from`, in logarithms where both are positive."""
    at = check.ours_from
    if at is None or row["verdict"] == "undecided":
        return row
    moved = {
        relation: at * (number / at) ** factor
        if min(at, number) > 0
        else at + (number - at) * factor
        for relation, number in check.thresholds.items()
    }
    return row | {"verdict": decide(row["value"], 0, moved)}


def _excused_by(paper: Study, checks: Sequence[Row], reading: str, kind: str) -> str:
    """What of our reconstruction every failing check rests on; "" if one rests on nothing of ours. A theorem or a promise speaks of
    every instance, so that ours refutes it, too, but not of every algorithm."""
    found: dict[str, None] = {}
    for row in (row for row in checks if row["verdict"] == "fails"):
        experiments = [paper.experiments[id] for id in row["experiment"].split()]
        named = set(paper.checks[row["check"]].series)
        ours = [
            f"{e.id}: {e.reconstructed}"
            for e in experiments
            if e.reconstructed and kind == "experiment"
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


def answer_by(rule: str, checks: Sequence[Row]) -> tuple[str, str]:
    """The answer to a claim by these rows of its checks, and which of them decide it, or why nothing does."""
    if not checks:
        return UNTESTED, "no check measures it in this reading"
    verdicts = [row["verdict"] for row in checks]
    needed = {"in all panels": len(checks), "in most panels": len(checks) // 2 + 1}[rule]
    if verdicts.count("holds") >= needed:
        verdict = "holds"
    else:  # it fails if the undecided ones would not suffice, either
        verdict = "fails" if len(checks) - verdicts.count("fails") < needed else "undecided"
    return verdict, _which(verdict, checks)


def _which(verdict: str, checks: Sequence[Row]) -> str:
    """The verdicts that decide, by check, in words."""
    if len(checks) == 1:
        return f"{checks[0]['check']}: {number(checks[0])}"
    deciding: dict[str, list[str]] = {}
    for row in checks:
        if row["verdict"] == verdict:
            deciding.setdefault(row["check"], []).append(row["experiment"])
    where = "; ".join(f"{check} on {', '.join(each)}" for check, each in deciding.items())
    count = sum(map(len, deciding.values()))
    return f"{count} of {len(checks)} verdicts" + (f": {where}" if count < len(checks) else "")


def said(study: Study, names: Sequence[str], **judged: Any) -> str:
    """Judge cases, and print the verdicts on these claims and on all checks, in words."""
    checks = judging.table(**judged)
    texts = [as_text(study, name, checks) for name in names]
    text = "\n".join(
        [*texts, *(tables.as_text(rows) for _, rows in checks.groupby("check", sort=False))]
    )
    print(text, end="")
    return text


def as_text(paper: Study, name: str, checks: pd.DataFrame) -> str:
    """A claim, where it is, and its answer in each reading; `checks`: the table of its checks."""
    claim = paper.claims[name]
    rule = f"; {claim.rule}" if claim.all_checks else ""
    lines = [f"{name}: {claim.says}", f"({claim.place}{rule})"]
    for row in answers_to(paper, name, checks.to_dict("records")):
        reading = "" if row["reading"] == "both" else f"{row['reading']} reading: "
        lines.append(f"{reading}{row['answer']} ({row['reason']})")
    return "\n".join(lines) + "\n"

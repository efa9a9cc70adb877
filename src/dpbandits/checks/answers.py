"""The answer to every claim of a paper in each reading, from the verdicts of its checks.

A claim without a check is `untested`. So is one that fails only through our reconstruction of an
experiment. The table of claims has no questions of ours.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from dpbandits.checks import judging, tables
from dpbandits.checks.judging import PlacedCheck
from dpbandits.checks.measurement import decide
from dpbandits.checks.tables import CLAIMS, Row, number, read_checks
from dpbandits.files import Entry
from dpbandits.studies.claim import OURS, Check, Claim, kind_of
from dpbandits.studies.experiment import CORRECTED, PUBLISHED
from dpbandits.studies.model import Study

UNTESTED = "untested"


def table(papers: Mapping[str, Study], files: Sequence[str]) -> pd.DataFrame:
    """The table of claims; `files`: the papers' tables of checks, in the same order."""
    rows = []
    for paper, path in zip(papers.values(), files, strict=True):
        checks = read_checks(path).to_dict("records")
        for name in paper.claims:
            rows += answers_to(paper, name, checks) if kind_of(name) != OURS else []
    return pd.DataFrame(rows, columns=CLAIMS)


def answers_to(paper: Study, name: str, checks: Sequence[Row]) -> list[Row]:
    """The rows of a claim in the table of claims: its answer in each reading of the paper."""
    claim, answers = paper.claims[name], []
    has_two = any(len(experiment.by_reading) > 1 for experiment in paper.experiments.values())
    for reading in (PUBLISHED, CORRECTED) if has_two else ("both",):
        own = [
            row
            for row in checks
            if row["check"] in claim.all_checks and row["reading"] in (reading, "both")
        ]
        answer, reason = _robust_answer(paper, claim, own)
        if answer == "fails" and (ours := _excused_by(paper, own, reading, kind_of(name))):
            if claim.fails_under_every_candidate:
                reason += f"; under every candidate: {claim.fails_under_every_candidate}"
            else:
                answer = UNTESTED
                reason = f"fails only through our reconstruction of {ours} ({reason})"
        if why := claim.untested_in(reading):
            answer, reason = UNTESTED, why
        about = [paper.id, name, kind_of(name), claim.place, claim.says, reading]
        row = [*about, answer, " ".join(claim.all_checks), reason]
        answers.append(dict(zip(CLAIMS, row, strict=True)))
    return answers


def _robust_answer(paper: Study, claim: Claim, checks: Sequence[Row]) -> tuple[str, str]:
    """The answer to a claim, and the reason.

    It is undecided if thresholds of ours, at half or twice their distance, give another answer.
    At the moved thresholds errors are ignored, and an undecided check stays undecided.
    """
    answer, reason = answer_by(claim.rule, checks)
    for factor, name in ((0.5, "half"), (2, "twice")):
        moved = [_moved(row, paper.checks[row["check"]], factor) for row in checks]
        other, why = answer_by(claim.rule, moved)
        if answer in ("holds", "fails") and other != answer:
            change = f"{answer} ({reason}), {other} at {name} its distance ({why})"
            return "undecided", f"depends on a threshold of ours: {change}"
    return answer, reason


def _moved(row: Row, check: Check, factor: float) -> Row:
    """The row with thresholds at so many times their distance from `ours_from`.

    The distance is in logarithms where both numbers are positive.
    """
    origin = check.ours_from
    if origin is None or row["verdict"] == "undecided":
        return row
    moved = {
        relation: origin * (threshold / origin) ** factor
        if min(origin, threshold) > 0
        else origin + (threshold - origin) * factor
        for relation, threshold in check.thresholds.items()
    }
    return row | {"verdict": decide(row["value"], 0, moved)}


def _excused_by(paper: Study, checks: Sequence[Row], reading: str, kind: str) -> str:
    """The parts of our reconstruction that the failing checks rest on.

    "" if one of these checks rests on nothing of ours. A theorem or a promise is about every
    instance, so that our instance refutes it, too. It is not about every algorithm.
    """
    parts: dict[str, None] = {}
    for row in (row for row in checks if row["verdict"] == "fails"):
        experiments = [paper.experiments[id] for id in row["experiment"].split()]
        names = set(paper.checks[row["check"]].series)
        ours = [
            f"{experiment.id}: {experiment.reconstructed}"
            for experiment in experiments
            if experiment.reconstructed and kind == "experiment"
        ]
        ours += [
            policy.id
            for experiment in experiments
            for policy in experiment.policies.values()
            if reading in policy.reconstructed
            and names & {policy.id, *(series.name for series in policy.series)}
        ]
        if not ours:
            return ""
        parts |= dict.fromkeys(ours)
    return ", ".join(parts)


def answer_by(rule: str, checks: Sequence[Row]) -> tuple[str, str]:
    """The answer to a claim from the rows of its checks, and the verdicts that decide it."""
    if not checks:
        return UNTESTED, "no check measures it in this reading"
    verdicts = [row["verdict"] for row in checks]
    needed = {"in all panels": len(checks), "in most panels": len(checks) // 2 + 1}[rule]
    if verdicts.count("holds") >= needed:
        answer = "holds"
    else:  # it fails if the undecided checks would not suffice, either
        answer = "fails" if len(checks) - verdicts.count("fails") < needed else "undecided"
    return answer, _deciding_checks(answer, checks)


def _deciding_checks(answer: str, checks: Sequence[Row]) -> str:
    """The verdicts that decide an answer, by check, in words."""
    if len(checks) == 1:
        return f"{checks[0]['check']}: {number(checks[0])}"
    deciding: dict[str, list[str]] = {}
    for row in checks:
        if row["verdict"] == answer:
            deciding.setdefault(row["check"], []).append(row["experiment"])
    where = "; ".join(f"{check} on {', '.join(each)}" for check, each in deciding.items())
    count = sum(map(len, deciding.values()))
    return f"{count} of {len(checks)} verdicts" + (f": {where}" if count < len(checks) else "")


def print_answer(
    study: Study,
    claims: Sequence[str],
    checks: Sequence[PlacedCheck],
    traces: Mapping[str, Sequence[Entry]],
    seed: int,
    audits: str = "",
) -> str:
    """Judge checks; print the answers to these claims and the verdicts, and return the text.

    `claims` are ids; the other arguments are those of `judging.table`.
    """
    rows = judging.table(checks, traces, seed, audits)
    answers = [as_text(study, claim, rows) for claim in claims]
    verdicts = [tables.as_text(each) for _, each in rows.groupby("check", sort=False)]
    text = "\n".join([*answers, *verdicts])
    print(text, end="")
    return text


def as_text(paper: Study, name: str, checks: pd.DataFrame) -> str:
    """A claim, its place, and its answer in each reading; `checks`: the table of its checks."""
    claim = paper.claims[name]
    rule = f"; {claim.rule}" if claim.all_checks else ""
    lines = [f"{name}: {claim.says}", f"({claim.place}{rule})"]
    for row in answers_to(paper, name, checks.to_dict("records")):
        reading = "" if row["reading"] == "both" else f"{row['reading']} reading: "
        lines.append(f"{reading}{row['answer']} ({row['reason']})")
    return "\n".join(lines) + "\n"

"""The answer to every claim of a paper in each reading, from the verdicts of its checks.

A claim that fails only through our reconstruction is undecided. One that holds only through it is
marked. The table of claims leaves out our own questions.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from dpbandits.checks import tables
from dpbandits.checks.tables import CLAIMS, Row, measured, read_checks
from dpbandits.studies.claim import (
    ANSWERS,
    ANSWERS_TO_THEOREMS,
    BY_CONSTRUCTION,
    DEGREE,
    EXPERIMENT,
    FAILS,
    HOLDS,
    IN_ALL,
    LARGE_IS_HARD,
    NOT_REFUTED,
    OURS,
    PRIVACY,
    PROVED,
    REFUTED,
    STATED,
    UNDECIDED,
    Claim,
    kind_of,
    readings_in,
    without_ledger,
)
from dpbandits.studies.model import Study
from dpbandits.studies.sentences import BOUND
from dpbandits.studies.things import BOTH

OF_A_NUMBER = ("value", "interval_low", "interval_high", "critical_threshold")
TWO_ERRORS = 0.0455  # the probability of a number that is further off
JOINT_LEVEL = 0.05  # of all checks together


def table(papers: Mapping[str, Study], checks: Sequence[str]) -> pd.DataFrame:
    """The table of claims; `checks`: the papers' tables of checks, in the same order."""
    tables_of_checks = [read_checks(path) for path in checks]
    uncertain = sum((each["p_value"] > 0).sum() for each in tables_of_checks)
    rows = []
    for paper, of_paper in zip(papers.values(), tables_of_checks, strict=True):
        unsure = of_paper["p_value"] > JOINT_LEVEL / max(uncertain, 1)
        together = of_paper.assign(verdict=of_paper["verdict"].mask(unsure, UNDECIDED))
        alone, jointly = (each.to_dict("records") for each in (of_paper, together))
        for name in paper.claims:
            if kind_of(name) != OURS:
                answers = (answers_to(paper, name, each) for each in (alone, jointly))
                rows += [
                    row | {"joint_answer": joint["answer"]}
                    for row, joint in zip(*answers, strict=True)
                ]
    return pd.DataFrame(rows, columns=CLAIMS).astype(dict.fromkeys(OF_A_NUMBER, float))


def answers_to(paper: Study, name: str, checks: Sequence[Row]) -> list[Row]:
    """The rows of a claim in the table of claims: its answer in each reading of the paper."""
    claim, kind, answers = paper.claims[name], kind_of(name), []
    is_theorem = kind not in (EXPERIMENT, OURS)  # or a promise
    about = {"paper": paper.id, "claim": name, "kind": kind}
    about |= {"place": claim.place, "says": claim.says}
    for reading in paper.readings_of_claims:
        if stated := claim.stated_in(reading):
            ((key, text),) = stated.items()
            reason = f"{key}: {text}" if key in ("proof", "refutation") else text
            result = {"answer": STATED[key][is_theorem], "checks": "", "reason": reason}
        else:
            own = [
                row | {"ours": _parts_of_ours(paper, row, reading)}
                for row in checks
                if row["check"] in claim.all_checks and row["reading"] in (reading, BOTH)
            ]
            result = {"checks": " ".join(claim.all_checks), **_judged(claim, own)}
            if is_theorem:
                result |= _of_theorem(paper, result, own)
        answers.append({**about, "reading": reading, "reconstruction": "", **result})
    return answers


def _judged(claim: Claim, checks: Sequence[Row]) -> Row:
    """The columns of an answer that checks give.

    `checks`: the rows of this reading, each with the parts of our reconstruction (`ours`).
    """
    criterion = claim.criterion
    checks = _without_chance_failures(criterion, checks)
    answer = _answer(criterion, checks)
    wanted = (HOLDS, BY_CONSTRUCTION) if answer == HOLDS else (answer,)
    deciding, hardest = [], []  # rows, and of each check the one whose number decides
    for rows in _by_check(checks):
        if answer_by(criterion, [row["verdict"] for row in rows]) in wanted:
            those = [row for row in rows if row["verdict"] in wanted]
            deciding += those
            hardest.append(_hardest(answer, criterion, those, rows))
    reason = _reason(answer, checks, deciding, hardest)
    result = {"answer": answer, "reason": reason, **{key: hardest[0][key] for key in OF_A_NUMBER}}
    if answer == DEGREE and len(hardest) > 1:  # thresholds of different numbers
        result["critical_threshold"] = None
    without = [row | {"verdict": UNDECIDED} if row["ours"] else row for row in checks]
    if answer == UNDECIDED or _answer(criterion, without) == answer:
        return result
    ours = ", ".join(dict.fromkeys(part for row in deciding for part in row["ours"]))
    fails, holds = claim.fails_under_every_candidate, claim.holds_under_every_candidate
    if every := {FAILS: fails, HOLDS: holds}.get(answer):
        return result | {"reason": f"{reason}; under every candidate: {every}"}
    if answer != FAILS:
        return result | {"reconstruction": ours}
    excuse = f"fails only through our reconstruction of {ours} ({reason})"
    return result | {"answer": UNDECIDED, "reason": f"{excuse}; the authors' own would decide"}


def _of_theorem(paper: Study, result: Row, rows: Sequence[Row]) -> Row:
    """The answer to a theorem or a promise, and its reason, from that of its checks.

    A number without chance proves what it measures, and ledgers prove a promise. Games within a
    bound, or a loss within a promise, prove nothing. Neither does our reconstruction of an
    algorithm, because theorems and promises are about the authors' algorithm.
    """
    if result["answer"] == FAILS:
        return {"answer": REFUTED}
    if result["answer"] not in (HOLDS, BY_CONSTRUCTION) or "reconstruction" in result:
        return {"answer": NOT_REFUTED}
    definitions = [paper.checks[row["check"]] for row in rows]
    if rows[0]["kind"] == PRIVACY:
        is_proved = not without_ledger(definitions)
        reason = f"proof by the ledger: {result['reason']}"
    else:
        is_proved = all(
            pd.isna(row["standard_error"]) and each.sentence != BOUND
            for row, each in zip(rows, definitions, strict=True)
        )
        reason = result["reason"]
    return {"answer": PROVED, "reason": reason} if is_proved else {"answer": NOT_REFUTED}


def _without_chance_failures(criterion: str, rows: Sequence[Row]) -> list[Row]:
    """The rows, of which those that fail are undecided where one of so many may fail by chance.

    Only where all must hold. The smallest of n p-values is below TWO_ERRORS/n no more often than
    a single one below TWO_ERRORS. Numbers so far away that p is 0 are decided first and no longer
    count, as in Holm's procedure.
    """
    if criterion != IN_ALL:
        return list(rows)
    level = TWO_ERRORS / max(sum(row["p_value"] > 0 for row in rows), 1)
    return [
        row | {"verdict": UNDECIDED} if row["verdict"] == FAILS and row["p_value"] > level else row
        for row in rows
    ]


def _parts_of_ours(paper: Study, row: Row, reading: str) -> list[str]:
    """The parts of our reconstruction that a check rests on.

    A theorem or a promise is about every instance, so an instance that we chose can refute it. An
    algorithm that we reconstructed cannot. A verdict by construction rests on no run.
    """
    if row["verdict"] == BY_CONSTRUCTION:
        return []
    experiments = [paper.experiments[id] for id in row["experiment"].split()]
    names, instances = set(paper.checks[row["check"]].series), []
    if row["kind"] == EXPERIMENT:
        instances = [each.reconstructed for each in experiments if each.reconstructed]
    return instances + [
        policy.id
        for experiment in experiments
        for policy in experiment.policies.values()
        if {*readings_in(reading)} & {*policy.reconstructed}
        and names & {policy.id, *(series.name for series in policy.series)}
    ]


def _answer(criterion: str, checks: Sequence[Row]) -> str:
    """The answer to a claim: each check over its panels by the criterion, then all checks."""
    panels = [[row["verdict"] for row in rows] for rows in _by_check(checks)]
    return answer_by(IN_ALL, [answer_by(criterion, verdicts) for verdicts in panels])


def answer_by(criterion: str, verdicts: Sequence[str]) -> str:
    """The answer that follows from verdicts by a criterion."""
    count, needed = verdicts.count, _needed(criterion, len(verdicts))
    if count(HOLDS) + count(BY_CONSTRUCTION) >= needed:
        return BY_CONSTRUCTION if count(BY_CONSTRUCTION) == len(verdicts) else HOLDS
    if len(verdicts) - count(FAILS) < needed:
        return FAILS
    return UNDECIDED if count(UNDECIDED) else DEGREE


def _needed(criterion: str, number: int) -> int:
    """How many of a number of verdicts must hold; most are more than half."""
    return number if criterion == IN_ALL else number // 2 + 1


def _by_check(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each check."""
    names = dict.fromkeys(row["check"] for row in rows)
    return [[row for row in rows if row["check"] == name] for name in names]


def _hardest(answer: str, criterion: str, deciding: Sequence[Row], rows: Sequence[Row]) -> Row:
    """The row of a check whose number decides the answer.

    Rows are sorted by difficulty. If the check holds or is a matter of degree, it is the last row
    that the criterion needs, otherwise the last row that fails or is undecided.
    """
    needed = _needed(criterion, len(rows)) if answer in (HOLDS, DEGREE) else len(rows)
    if answer == DEGREE:
        needed -= sum(row["verdict"] in (HOLDS, BY_CONSTRUCTION) for row in rows)
    return sorted(deciding, key=_difficulty)[min(needed, len(deciding)) - 1]


def _difficulty(row: Row) -> float:
    """The critical threshold, or without one the number; the harder it is to meet, the larger."""
    end = row["value"] if pd.isna(row["critical_threshold"]) else row["critical_threshold"]
    return end if row["relation"] in LARGE_IS_HARD else -end


def _reason(
    answer: str, checks: Sequence[Row], deciding: Sequence[Row], hardest: Sequence[Row]
) -> str:
    """The verdicts that decide an answer, by check, in words."""
    words = f"{len(deciding)} of {len(checks)} verdicts"
    if len(checks) == 1:
        words = f"{hardest[0]['check']}: {measured(hardest[0])}"
    elif len(deciding) < len(checks):
        places = [(rows[0]["check"], rows) for rows in _by_check(deciding)]
        words += ": " + "; ".join(
            f"{check} on {', '.join(row['experiment'] for row in rows)}" for check, rows in places
        )
    for row in hardest:
        if pd.notna(row["share"]):
            words += f"; {row['check']}: {row['share']:g} of such figures look like it"
    for row in hardest if answer == DEGREE else ():
        end = tables.critical(row["relation"], row["critical_threshold"])
        words += f"; {row['check']} {end}"
    return words


def first_look(scale: str) -> str:
    """What to say of numbers that are not at the papers' scale."""
    says = ", in shorter games and fewer runs than in the papers: only a first look"
    return "" if scale == "paper" else says


def in_words(study: Study, claims: Sequence[str], checks: pd.DataFrame, scale: str) -> str:
    """The answers to these claims and the verdicts of a table of checks, at a scale."""
    answers = [as_text(study, claim, checks) for claim in claims]
    verdicts = [tables.as_text(rows) for _, rows in checks.groupby("check", sort=False)]
    return "\n".join([f"scale {scale}{first_look(scale)}\n", *answers, *verdicts])


def as_text(paper: Study, name: str, checks: pd.DataFrame) -> str:
    """A claim, its place, and its answer in each reading; `checks`: the table of its checks."""
    claim = paper.claims[name]
    criterion = f"; {claim.criterion}" if claim.all_checks else ""
    lines = [f"{name}: {claim.says}", f"({claim.place}{criterion})"]
    rows = answers_to(paper, name, checks.to_dict("records"))
    for row in rows:
        reading = "" if row["reading"] == BOTH else f"{row['reading']} reading: "
        ours = f"; through our reconstruction of {row['reconstruction']}"
        reason = row["reason"] + (ours if row["reconstruction"] else "")
        lines.append(f"{reading}{row['answer']} ({reason})")
    lines += [
        f"{answer}: {meaning}"
        for answer, meaning in (ANSWERS | ANSWERS_TO_THEOREMS).items()
        if answer in {row["answer"] for row in rows} - {HOLDS, FAILS}
    ]
    return "\n".join(lines) + "\n"

"""Judge the checks of a study's claims on its runs: the table of checks."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from dpbandits.audit import findings
from dpbandits.checks import general, tables
from dpbandits.checks.measurement import (
    OFTEN,
    Measurement,
    NotMeasured,
    Runs,
    chance_of_figure,
    read_series,
    with_error,
)
from dpbandits.checks.placing import PlacedCheck, compares_experiments, keys_of, needs_runs
from dpbandits.checks.tables import CHECKS, NUMBERS, Row
from dpbandits.errors import in_one_line, within
from dpbandits.files import Entry
from dpbandits.random import stream
from dpbandits.statistics.estimators import DECIDING_ERRORS
from dpbandits.studies.claim import (
    BY_CONSTRUCTION,
    DEGREE,
    FAILS,
    HOLDS,
    LARGE_IS_HARD,
    PRIVACY,
    RELATIONS,
    UNDECIDED,
)
from dpbandits.tables import read_table

BY_REPLAY = (findings.NOT_KEPT, findings.NOT_PRIVATE)  # promises that a replay refutes


def table(
    checks: Sequence[PlacedCheck],
    traces: Mapping[str, Sequence[Entry]],
    seed: int,
    audits: str = "",
) -> pd.DataFrame:
    """The table of checks.

    Checks of the same experiments are judged together, so that each trace is read once.

    Parameters
    ----------
    checks : sequence of PlacedCheck
        One for each row.
    traces : mapping
        Experiment id -> the traces of its runs.
    seed : int
        The seed of the bootstrap.
    audits : str, optional
        The file of the study's table of audits, which decides promises of privacy.
    """
    audit_rows = read_table(audits, findings.TEXTS) if audits else None
    rows = {}
    for ids in dict.fromkeys(check.ids for check in checks):
        together = {n: check for n, check in enumerate(checks) if check.ids == ids}
        series = {
            series.id
            for check in together.values()
            for each in check.experiments
            for series in check.series_of(each)
        }
        quantities = {id: read_series(traces.get(id, ()), series) for id in ids.split()}
        for n, check in together.items():
            place, measure = f"{check.file}: {check.id} on {ids}", check.definition.measure
            with within(place), in_one_line(f"expect.{measure}"):
                parts = [check.runs_of(each, quantities[each.id]) for each in check.experiments]
                rows[n] = judge(check, parts, seed, audit_rows)
    frame = pd.DataFrame([rows[n] for n in sorted(rows)], columns=CHECKS)
    numbers = frame.astype(dict.fromkeys(NUMBERS, float))
    numbers[list(NUMBERS)] += 0.0  # no -0
    finite = [name for name in NUMBERS if name != "value"]  # a loss may be infinite
    numbers[finite] = numbers[finite].replace([math.inf, -math.inf], math.nan)
    return numbers


def judge(
    check: PlacedCheck, parts: Sequence[Runs], seed: int, audits: pd.DataFrame | None = None
) -> Row:
    """One row of the table of checks; `parts`: the runs of its experiments.

    The thresholds are those of the check's kind of sentence (`studies.sentences.SENTENCES`), or its
    own, if `departs` says why. The number is compared with them. If the check is about a figure of
    so many runs, the share of figures that look like it is compared with `OFTEN`.
    """
    definition, thresholds = check.definition, check.definition.thresholds
    measurement, chance = _measure(check, parts, seed)
    value, error = measurement.value, measurement.error
    verdict, evidence = _verdict(check, measurement, chance, audits)
    low, high = (float(f"{value + side * measurement.spread:.6g}") for side in (-1, 1))
    threshold, *second = sorted(thresholds.values())
    relation = "within" if second else next(iter(thresholds))
    critical = None if second else high if relation in LARGE_IS_HARD else low
    # A shorter game may fail for another reason than the cause in the file.
    has_cause = verdict in (FAILS, UNDECIDED) and not check.horizon_of_paper
    if verdict == DEGREE:
        words = tables.critical(relation, critical)
        evidence += f"; {definition.degree!r} has no number: it {words}"
    evidence += "".join(
        f"; {key}: {text}"
        for key in ("departs", "window")
        if (text := getattr(definition, key)) and not math.isnan(value)
    )
    return {
        "check": check.id,
        "kind": check.kind,
        "experiment": check.ids,
        "figures": " ".join(check.figures),
        "reading": check.reading,
        "statement": definition.says,
        "source": check.place,
        "value": float(f"{value:.6g}"),  # digits that do not depend on the C library
        "standard_error": error and float(f"{error:.2g}"),
        "interval_low": low,
        "interval_high": high,
        "relation": relation,
        "threshold": threshold,
        "threshold_high": second[0] if second else None,
        "critical_threshold": critical,
        "p_value": float(f"{p_value(measurement, thresholds, chance):.3g}"),
        "share": chance and float(f"{chance.value:.3g}"),
        "verdict": verdict,
        "evidence": evidence,
        "cause": check.text(definition.cause) if has_cause else "",
    }


def _verdict(
    check: PlacedCheck,
    measurement: Measurement,
    chance: Measurement | None,
    audits: pd.DataFrame | None,
) -> tuple[str, str]:
    """The verdict, with its evidence."""
    definition, evidence = check.definition, measurement.evidence
    if chance:
        verdict = decide(chance, OFTEN)
        evidence += f"; {chance.evidence}"
    else:
        verdict = decide(measurement, definition.thresholds)
    by_construction = check.text(definition.by_construction)
    if measurement.error == 0 and not chance:  # no variance: rare outcomes may be missing
        # A reason is about games of the paper's horizon.
        excuse = "" if check.horizon_of_paper else check.text(definition.zero_error_because)
        reason = excuse or by_construction
        verdict = verdict if reason else UNDECIDED
        evidence += f"; {reason or 'zero bootstrap variance: rare events may be missing'}"
    elif by_construction:
        evidence += f"; {by_construction}"
    elif not chance:
        evidence += runs_needed(measurement, definition.thresholds)
    is_ledger = check.measure is general.privacy_spent and check.kind == PRIVACY
    if is_ledger and not math.isnan(measurement.value):
        verdict, evidence = _on_promise(check, verdict, evidence, audits)
    if verdict == HOLDS and (by_construction or definition.degree):
        verdict = BY_CONSTRUCTION if by_construction else DEGREE
    return verdict, evidence


def decide(measurement: Measurement, thresholds: Mapping[str, float]) -> str:
    """The verdict: holds, fails, or undecided if a threshold is within the spread."""
    # The distance of an infinite threshold is nan if the error is infinite.
    if math.isnan(measurement.value) or not _distance(measurement, thresholds) >= 1:
        return UNDECIDED
    meets = (RELATIONS[key](measurement.value, end) for key, end in thresholds.items())
    return HOLDS if all(meets) else FAILS


def _measure(
    check: PlacedCheck, parts: Sequence[Runs], seed: int
) -> tuple[Measurement, Measurement | None]:
    """The number with its standard error, and the chance of a figure that looks like the sentence.

    Where the games are too short the number is nan, with an infinite error.
    """
    measure, definition, first = check.measure, check.definition, check.experiments[0]
    arguments = definition.arguments
    try:
        if definition.needs_horizon and check.horizon_of_paper:
            raise NotMeasured(
                f"it needs games of T = {check.horizon_of_paper}, and this scale's are shorter"
            )
        if not needs_runs(measure):
            return measure(first, **arguments), None
        several = compares_experiments(measure)
        fewest = min(len(runs.values) for part in parts for runs in part.of.values())
        if fewest < definition.drawn_runs:
            about = f"it is about {definition.drawn_runs} runs"
            raise NotMeasured(f"{about}, and this scale has {fewest}")
        key = (seed, first.paper, keys_of(first)[0], check.id)

        def of_runs(runs: Sequence[Runs]) -> Measurement:
            return measure(runs if several else runs[0], **arguments)

        measurement = with_error(of_runs, parts, stream(*key, "bootstrap").numpy())
        if not definition.drawn_runs:
            return measurement, None
        rng = stream(*key, "figures").numpy()
        return measurement, chance_of_figure(
            of_runs, parts, definition.drawn_runs, definition.thresholds, rng
        )
    except NotMeasured as reason:
        return Measurement(math.nan, f"not measurable at this scale: {reason}", math.inf), None


def _on_promise(
    check: PlacedCheck, verdict: str, evidence: str, audits: pd.DataFrame | None
) -> tuple[str, str]:
    """The verdict on a promise of privacy, with its evidence.

    A ledger within the promise proves it, unless an audit or a replay contradicts the ledger. An
    audit above the promise refutes it. A ledger above the promise decides nothing, since a ledger
    is an upper bound. Other measures of promises are losses that occur, which refute a promise
    without this.
    """
    evidence, (audit, replay) = f"ledger: {evidence}", _contradicting(check, audits)
    doubts = [f"replay: {replay}"] if replay else []
    if audit is not None:
        measured, number = f"at least {audit['measured']:g}", f"{audit['games']:,.0f}"
        if audit["measured"] > audit["epsilon"]:
            reports, games = f"{number} reports of users", f"the actions in {number} games"
            observations = reports if audit["channel"] == "reports" else games
            return FAILS, f"{evidence}; audit: {observations} show {measured}"
        if audit["finding"] == findings.ABOVE_LEDGER:
            doubts.append(f"audit: {measured}, {findings.ABOVE_LEDGER}")
        elif verdict != HOLDS:
            evidence += f"; audit: {measured}"
    if doubts:
        return UNDECIDED, f"{evidence}; {'; '.join(doubts)}: a wrong ledger proves nothing"
    if verdict == FAILS:
        return UNDECIDED, f"{evidence}; a composition bound above epsilon proves no violation"
    return verdict, evidence


def _contradicting(check: PlacedCheck, audits: pd.DataFrame | None) -> tuple[pd.Series | None, str]:
    """What may contradict the promise or the ledger: an audit, and the verdict of a replay.

    The audit is that with the largest lower bound at this epsilon, of those that raise an alarm if
    one does. A replay is about any epsilon. It contradicts no infinite ledger.
    """
    if audits is None:
        return None, ""
    experiment, (name, *_) = check.experiments[0], check.definition.series
    account = general.account_of(experiment, name)
    mechanism = experiment.by_name[name].as_policy.mechanism
    of_mechanism = audits["mechanism"] == mechanism
    replays = audits.loc[of_mechanism & audits["promise"].isin(BY_REPLAY), "promise"]
    replay = "" if replays.empty or math.isinf(account.spent) else replays.iloc[0]
    rows = findings.audits_of(audits, mechanism, account.epsilon).dropna(subset="measured")
    alarms = findings.alarms(rows)
    rows = rows if alarms.empty else alarms
    return None if rows.empty else rows.loc[rows["measured"].idxmax()], replay


def runs_needed(measurement: Measurement, thresholds: Mapping[str, float]) -> str:
    """How many times as many runs would decide, in words, if the number stayed; else ""."""
    spreads = _distance(measurement, thresholds)
    if not 0 < spreads < 1:
        return ""
    times = max(float(f"{1 / spreads**2:.2g}"), 1.1)
    return f"; {times:,.6g} times as many runs would decide it, if the number stayed"


def p_value(
    measurement: Measurement, thresholds: Mapping[str, float], chance: Measurement | None
) -> float:
    """The probability of a number as far from its nearest threshold, were the truth there.

    A sentence about a figure is contradicted with the probability of such a figure (`chance`).
    """
    if chance is None:
        return _tail(measurement, thresholds)
    by_runs = _tail(chance, OFTEN)
    return max(chance.value, by_runs) if decide(chance, OFTEN) == FAILS else by_runs


def _tail(measurement: Measurement, thresholds: Mapping[str, float]) -> float:
    """The two-sided tail of the normal law from the nearest threshold on, in units of errors."""
    if math.isnan(measurement.value):
        return 1.0
    errors = DECIDING_ERRORS * _distance(measurement, thresholds)
    return math.erfc(errors / math.sqrt(2))


def _distance(measurement: Measurement, thresholds: Mapping[str, float]) -> float:
    """The distance from the nearest threshold in spreads; 1 decides."""
    distance = min(abs(measurement.value - threshold) for threshold in thresholds.values())
    return distance / measurement.spread if measurement.spread else math.inf

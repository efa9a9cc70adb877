"""Judges claims on runs, or on the cells of an arena, and writes the verdicts into the claims table."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dpbandits import parameters
from dpbandits.arena.cells import LEAGUES, Field
from dpbandits.arena.cells import read as read_cells
from dpbandits.errors import InputError, check_known, nearest
from dpbandits.files import tables
from dpbandits.files.tables import Table
from dpbandits.random import stream
from dpbandits.statistics.estimators import students_t
from dpbandits.studies.study import CORRECTED, Arena, Claim, Experiment, Paper, Series
from dpbandits.theory import bounds
from dpbandits.verdicts.measurement import MEASURES, TWO_BORDERS, Measurement, NotMeasured, decide
from dpbandits.verdicts.measures.general import account_of
from dpbandits.verdicts.recordings import Entry, Recordings, Request, series_in
from dpbandits.verdicts.runs import Runs, Together
from dpbandits.verdicts.scoreboard import COLUMNS, PROMISES, Row

RESAMPLES = 200
FEW = 15  # runs: the error of a bootstrap over fewer needs Student's t
SERIES = ("of", "to", "minus")  # the arguments of measures that name series


def check(claim: Claim, paper: Paper) -> None:
    """Raise InputError if a claim cannot be measured: unknown measure, argument, series or bound."""
    where = f"{paper.file}: claims.{claim.id}"
    on_cells = not claim.experiments
    known = [name for name, measure in MEASURES.items() if (measure.compares == "cells") == on_cells]
    check_known(f"{where}.measure", "measure", [claim.measure], known)
    measure = MEASURES[claim.measure]
    parameters.check(measure.function, claim.arguments, f"{where}.measure.{claim.measure}")
    for key, known in (("bound", bounds.BOUNDS), ("theorem", bounds.THEOREMS)):
        if claim.arguments.get(key) is not None:
            check_known(f"{where}.measure", key, [claim.arguments[key]], known)
    experiments = [paper.experiments[id] for id in claim.experiments]
    in_any = measure.compares == "series of experiments"
    for key, series in _named(claim):
        without = [e for e in experiments if series not in e.by_name and series not in {p.id for p in e.policies}]
        if without and (not in_any or len(without) == len(experiments)):
            known = nearest(series, without[0].by_name)
            raise InputError(f"{where}.measure.{key}: {without[0].id} has no series '{series}'; {known}")
    if on_cells:
        _check_on_cells(claim, paper.arena, where)
    elif measure.compares != "series" and not claim.together:
        raise InputError(f"{where}: '{claim.measure}' compares experiments with each other; add together: true")
    if measure.compares == "series" and claim.together:
        raise InputError(f"{where}: '{claim.measure}' measures one experiment at a time; leave out together: true")
    if len(claim.expect) > 1 and (
        set(claim.expect) != {"at_least", "at_most"} or border_of(claim)[1] > border_of(claim)[2]
    ):
        raise InputError(f"{where}.expect: two borders are written {{at_least: <low>, at_most: <high>}}")
    names = {name for each in experiments for e in each.by_reading for name in _names_of(e)} or {paper.id}
    for key, texts in (("cause", claim.cause), ("zero_error_because", claim.zero_error_because)):
        unknown = [name for name in texts if name not in names]
        check_known(f"{where}.{key}", "experiment or reading", unknown, names - {""})


def _names_of(experiment: Experiment) -> tuple[str, ...]:
    """An experiment in its reading, in any, and its reading: for all of these a claim may say why it fails."""
    return (_with_reading(experiment), experiment.id, experiment.reading)


def _with_reading(experiment: Experiment) -> str:
    return f"{experiment.id}.{CORRECTED}" if experiment.reading == CORRECTED else experiment.id


def _check_on_cells(claim: Claim, arena: Arena, where: str) -> None:
    """Raise InputError if a claim about the cells of an arena names nobody in it, or has keys of claims about runs."""
    known = {*arena.members, *(member.family for member in arena.members.values()), *LEAGUES}
    for key, name in _named(claim):
        check_known(f"{where}.measure.{claim.measure}.{key}", "policy, family or league", [name], known)
    for key in ("together", "reading", "needs_horizon"):
        if getattr(claim, key):
            raise InputError(f"{where}.{key}: a claim about the cells of an arena has no such key; remove it")


def _named(claim: Claim) -> Iterator[tuple[str, str]]:
    """The arguments of a claim's measure that name series, with each of the names."""
    for key in SERIES:
        names = claim.arguments.get(key, [])
        for name in names if isinstance(names, list) else [names]:
            yield key, name


def series_of(claim: Claim) -> list[str]:
    """The series that a claim is about."""
    return list(dict.fromkeys(name for _, name in _named(claim)))


Audits = Sequence[Mapping[str, str]]  # the rows of a table of audits


def judge(
    claim: Claim, runs: Runs | Together | Field, seed: int, figures: Iterable[str] = (), audits: Audits = ()
) -> Row:
    """One row of the claims table: a claim in one experiment, in several together, or about the cells of an arena."""
    experiments = [part.experiment for part in runs.parts]
    if experiments:
        first = experiments[0]  # its reading is that of all
        names, place, reading = _names_of(first), (first.paper, _with_reading(first)), first.reading
    else:
        names, place, reading = (runs.arena.id,), (runs.arena.id,), ""
    value = error = None
    try:
        _is_within_reach(claim, runs)
        value, evidence, error, needed = _with_error(claim, runs, stream(seed, *place, claim.id, "bootstrap").numpy())
        verdict = decide(value, error or 0.0, claim.expect, needed)
        if error == 0:
            reason = _first_of(claim.zero_error_because, names)
            verdict = verdict if reason else "undecided"
            evidence += f"; {reason or 'all runs agree, which says nothing of rarer ones'}"
        error = None if error == math.inf else error
    except NotMeasured as reason:
        verdict, evidence = "undecided", f"not measurable at this scale: {reason}"
    if claim.kind == "privacy":
        verdict, evidence = _on_promise(claim, runs, verdict, evidence, audits)
    relation, border, border_high = border_of(claim)
    return {
        "claim": claim.id,
        "kind": claim.kind,
        "experiment": " ".join(e.id for e in experiments) or runs.arena.id,
        "figures": " ".join(figures),
        "reading": reading or "both",
        "statement": claim.says,
        "source": claim.source,
        "value": _rounded(value, 6),
        "standard_error": _rounded(error, 2),
        "relation": relation,
        "border": border,
        "border_high": border_high,
        "verdict": verdict,
        "evidence": evidence,
        "cause": _first_of(claim.cause, names) if claim.explained and verdict not in ("holds", "proved") else "",
    }


def _first_of(texts: Mapping[str, str], names: Iterable[str]) -> str:
    """The text under the first of these names that has one."""
    return next((texts[name] for name in names if name in texts), "")


def _with_error(claim: Claim, runs: Runs | Together | Field, rng: np.random.Generator) -> Measurement:
    """A claim's measurement of runs, or of an arena's cells, with the bootstrap's error unless it has one or needs none."""
    measure = MEASURES[claim.measure]
    found = measure.function(runs, **claim.arguments)
    if found.error is not None or measure.deterministic:
        return found
    needed = max(found.needed, _errors_of_few(runs.fewest)) if runs.fewest < FEW else found.needed
    try:
        resampled = [measure.function(runs.resampled(rng), **claim.arguments).value for _ in range(RESAMPLES)]
    except NotMeasured as reason:
        return found._replace(evidence=f"{found.evidence}; in a resample of the runs, {reason}", error=math.inf)
    error = float(np.std(resampled, ddof=1))
    error = error if error > 1e-12 * abs(found.value) else 0.0  # they differ in last bits only
    return found._replace(error=error, needed=needed)


def _errors_of_few(runs: int) -> float:
    """As many errors of a bootstrap decide as Student's t asks for, whose error is larger by the root of n/(n - 1)."""
    return students_t(runs - 1) * math.sqrt(runs / (runs - 1)) if runs > 1 else math.inf


def _on_promise(claim: Claim, runs: Runs | Together, verdict: str, evidence: str, audits: Audits) -> tuple[str, str]:
    """proved, refuted or open, and the evidence: a ledger above the promise is a bound, which proves no violation."""
    proved, refuted, is_open = PROMISES
    name = claim.arguments.get("of")
    for part in runs.parts:
        series = part.experiment.by_name.get(name) if isinstance(name, str) else None
        row = series and _strongest_audit(part, series, audits)
        if row and float(row["measured"]) > float(row["epsilon"]):
            number = f"{int(row['games']):,}"
            seen = f"{number} reports of users" if row["channel"] == "reports" else f"the actions in {number} games"
            return refuted, f"{evidence}; {seen} show at least {float(row['measured']):g}"
        if row and verdict != "holds":
            evidence += f"; an audit shows at least {float(row['measured']):g}"
    if verdict == "fails":
        evidence += "; a composition bound above epsilon proves no violation"
    return proved if verdict == "holds" else is_open, evidence


def _strongest_audit(runs: Runs, series: Series, audits: Audits) -> Mapping[str, str] | None:
    """The audit with the largest bound of what this series publishes, at its epsilon in its reading; None without one.

    An audit plays the first series of a policy, at several epsilons; a series that differs in more is another mechanism.
    """
    experiment, account = runs.experiment, account_of(runs, series.name)
    first = experiment.policy(series.policy).series[0]
    if {**series.parameters, "epsilon": 0} != {**first.parameters, "epsilon": 0}:
        return None
    channel = "reports" if account.trust == "local" else "actions"
    wanted = (series.policy, experiment.reading or "both", channel, f"{account.epsilon:.6g}")
    mine = [
        row
        for row in audits
        if row["measured"] and (row["policy"], row["reading"], row["channel"], f"{float(row['epsilon']):.6g}") == wanted
    ]
    return max(mine, key=lambda row: float(row["measured"]), default=None)


def _is_within_reach(claim: Claim, runs: Runs | Together | Field) -> None:
    """Raise NotMeasured if a claim needs the paper's horizon, or a regret that no game of this one can have."""
    relation, border, _ = border_of(claim)
    is_regret = MEASURES[claim.measure].regret and relation in ("at_least", "above", TWO_BORDERS)
    for part in runs.parts:
        design = part.experiment.design
        if claim.needs_horizon and design.horizon_of_paper:
            raise NotMeasured(
                f"it needs games of T = {design.horizon_of_paper}, and this scale's end at t = {design.horizon}"
            )
        if is_regret and border > (most := float(part.gaps.max() * design.horizon)):
            raise NotMeasured(f"it speaks of a regret of {border:g}, and this scale's games have at most {most:g}")


def border_of(claim: Claim) -> tuple[str, float, float | None]:
    """relation, border, and the upper border of a claim that has two."""
    if len(claim.expect) == 1:
        ((relation, border),) = claim.expect.items()
        return relation, border, None
    return TWO_BORDERS, claim.expect["at_least"], claim.expect["at_most"]


def _rounded(value: float | None, digits: int) -> float | None:
    """Rounded to digits that do not depend on the C library."""
    return None if value is None else float(f"{value:.{digits}g}")


def judge_all(
    claims: Sequence[Claim],
    experiments: Sequence[Experiment],
    entries: Mapping[str, Sequence[Entry]],
    seed: int,
    figures: Mapping[tuple[str, str], Sequence[str]],
    cells: Field | None = None,
    audits: Audits = (),
    **options: Any,
) -> list[Row]:
    """The verdicts on every claim on these experiments, each in one reading.

    `entries`: experiment id -> its traces (specification, files, series); `figures`: experiment id and reading -> the figures
    that draw it; `cells`: of the arena, for claims about these; `audits`: of the policies, for promises of privacy;
    `options`: of `Recordings`.
    """
    judgements = [(claim, together) for claim in claims for together in _judged_together(claim, experiments)]
    requests = [[request for e in concerned for request in _requests(claim, e)] for claim, concerned in judgements]
    # Experiment by experiment, then claims on several experiments, which read the traces once more: so runs are in memory
    # for a short time only.
    place = {experiment.id: n for n, experiment in enumerate(experiments)}
    rows: list[Row] = [{}] * len(judgements)
    for several in (False, True):
        chosen = [n for n, (_, concerned) in enumerate(judgements) if concerned and (len(concerned) > 1) == several]
        recordings = Recordings(entries, [request for n in chosen for request in requests[n]], **options)
        for n in sorted(chosen, key=lambda n: max(place[e.id] for e in judgements[n][1])):
            claim, concerned = judgements[n]
            parts = tuple(
                Runs(
                    e,
                    np.array(e.design.checkpoints),
                    {
                        e.series[request.series].name: recordings.of(request)
                        for request in requests[n]
                        if request.experiment == e.id
                    },
                    claim.statistic,
                )
                for e in concerned
            )
            drawing = dict.fromkeys(figure for e in concerned for figure in figures[e.id, e.reading])
            rows[n] = judge(claim, Together(parts) if claim.together else parts[0], seed, drawing, audits)
            recordings.release(requests[n])
    for n, (claim, concerned) in enumerate(judgements):
        if not concerned:
            rows[n] = judge(claim, cells, seed)
    return rows


def table(
    claims: Sequence[Claim],
    experiments: Sequence[Experiment],
    traces: Mapping[str, Sequence[Entry]],
    seed: int,
    figures: Mapping[str, Sequence[str]],
    arena: Arena | None,
    audits: str,
) -> Table:
    """The verdicts on claims, from the files of the runs; `audits`: the table of audits, "" if no claim needs it."""
    return as_table(rows_of(claims, experiments, traces, seed, figures, arena, audits))


def rows_of(
    claims: Sequence[Claim],
    experiments: Sequence[Experiment],
    traces: Mapping[str, Sequence[Entry]],
    seed: int,
    figures: Mapping[str, Sequence[str]],
    arena: Arena | None,
    audits: str,
) -> list[Row]:
    """The rows of that table."""
    field = read_cells(arena, experiments, traces, audits) if arena and audits else None
    measured = tables.rows(audits) if audits else []
    return judge_all(claims, experiments, traces, seed, figures, field, measured)


def as_table(rows: Sequence[Row]) -> Table:
    """The claims table of these rows."""
    return Table({name: np.array([row[name] for row in rows], dtype=object) for name in COLUMNS})


def is_judged(claim: Claim, experiment: Experiment) -> bool:
    """Whether a claim is judged in the reading of this experiment; one that both readings share belongs to either."""
    return not claim.reading or experiment.reading in ("", claim.reading)


def _requests(claim: Claim, experiment: Experiment) -> list[Request]:
    """A claim's requests to an experiment: its quantity, or the claim's own, of every series in the claim.

    A measure that does not depend on the runs needs none of them.
    """
    if MEASURES[claim.measure].deterministic:
        return []
    nash = claim.statistic == "nash_regret"
    quantity = claim.arguments.get("quantity", "nash_regret" if nash else experiment.design.quantity)
    chosen = [experiment.by_name[name].id for name in series_in(experiment, series_of(claim))]
    return [Request(claim.id, experiment.id, series, quantity, nash) for series in chosen]


def _judged_together(claim: Claim, experiments: Sequence[Experiment]) -> list[tuple[Experiment, ...]]:
    """The experiments of each of a claim's verdicts: one, or if the claim compares them, all of a reading; none for cells.

    An experiment with a single reading belongs to every group.
    """
    if not claim.experiments:
        return [()]
    experiments = [e for e in experiments if e.id in claim.experiments and is_judged(claim, e)]
    if not claim.together:
        return [(experiment,) for experiment in experiments]
    experiments = sorted(experiments, key=lambda experiment: claim.experiments.index(experiment.id))
    readings = dict.fromkeys(experiment.reading for experiment in experiments)
    if len(readings) > 1:
        readings.pop("", None)
    return [tuple(e for e in experiments if e.reading in ("", reading)) for reading in readings]

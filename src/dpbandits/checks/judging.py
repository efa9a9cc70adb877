"""Judges the checks of a study's claims on runs: the table of checks."""

import inspect
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpbandits.audit import findings
from dpbandits.checks import (
    azize2022,
    general,
    measurement,
    mishra2015,
    sarkar2025,
    tossou2016,
    tossou2017,
)
from dpbandits.checks.measurement import (
    Measurement,
    NotMeasured,
    Quantities,
    Runs,
    decide,
    with_error,
)
from dpbandits.checks.tables import CHECKS, NUMBERS, Row
from dpbandits.files import Entry, read_table
from dpbandits.random import stream
from dpbandits.studies.claim import PRIVACY, Check, kind_of
from dpbandits.studies.experiment import Experiment, id_in
from dpbandits.studies.model import Study

MODULES = (
    general,
    azize2022,
    mishra2015,
    sarkar2025,
    tossou2016,
    tossou2017,
)  # add the module of a new paper here
Measure = Callable[..., Measurement]
MEASURES: dict[str, Measure] = {
    name: function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__
    and function.__annotations__.get("return") is Measurement
}


def needs_runs(measure: Measure) -> bool:
    """Whether a measure depends on the runs; otherwise there is no bootstrap."""
    return _input_of(measure) is not Experiment


def compares_experiments(measure: Measure) -> bool:
    """Whether a measure compares several experiments, so that there is one verdict on all of them."""
    return _input_of(measure) == list[Runs]


def _input_of(measure: Measure) -> object:
    return next(iter(measure.__annotations__.values()))


@dataclass(frozen=True)
class Case:
    """A check on one experiment, or on several that it compares, in one reading: one row of the table of checks."""

    id: str  # of the check
    check: Check
    kind: str  # of the claim that it checks
    place: str  # of that claim
    experiments: tuple[Experiment, ...]
    figures: tuple[str, ...] = ()  # that draw them in this reading

    @property
    def measure(self) -> Measure:
        """The function that measures it."""
        return MEASURES[self.check.measure]

    @property
    def reading(self) -> str:
        """That of the experiments that have two; "both" if none has."""
        return next(
            (experiment.reading for experiment in self.experiments if experiment.reading), "both"
        )

    @property
    def horizon_of_paper(self) -> int:
        """The paper's horizon if this scale's is shorter, else 0."""
        return max(experiment.design.horizon_of_paper or 0 for experiment in self.experiments)

    def text(self, texts: Mapping[str, str]) -> str:
        """The first text for its experiments or its reading."""
        return next(
            (texts[name] for each in self.experiments for name in keys_of(each) if name in texts),
            "",
        )

    def series_of(self, experiment: Experiment) -> dict[str, str]:
        """The series of an experiment whose runs are measured: name -> id."""
        names = self.check.series if needs_runs(self.measure) else ()
        return {
            name: experiment.by_name[name].id for name in measurement.series_in(experiment, names)
        }

    def measured(self, experiment: Experiment, found: Mapping[str, Quantities]) -> Runs:
        """The runs of an experiment that are measured."""
        design, series = experiment.design, self.series_of(experiment).items()
        quantity = self.check.arguments.get("quantity", design.quantity)
        runs = {
            name: measurement.sampled(found[id], id, quantity, design.judged, design.groups)
            for name, id in series
        }
        return Runs(experiment, np.array(design.rounds), runs)


def cases(study: Study) -> list[Case]:
    """All cases of a study, in the order of the file."""
    return [
        Case(id, check, kind_of(name), claim.place, experiments, _drawn_in(study, experiments))
        for name, claim in study.claims.items()
        for id, check in claim.checks.items()
        for experiments in _experiments_by_case(check, study)
    ]


def _experiments_by_case(check: Check, study: Study) -> Iterator[tuple[Experiment, ...]]:
    """The experiments of each case of a check, in their reading; what has one reading is in both."""
    experiments = [study.experiments[id] for id in study.experiments_of(check.experiments)]
    several = compares_experiments(MEASURES[check.measure])
    for together in [experiments] if several else [[experiment] for experiment in experiments]:
        readings = dict.fromkeys(
            part.reading for experiment in together for part in experiment.by_reading
        )
        for reading in [reading for reading in readings if reading] or [""]:
            yield tuple(experiment.in_reading(reading) for experiment in together)


def _drawn_in(study: Study, experiments: Collection[Experiment]) -> tuple[str, ...]:
    """The figures that draw these experiments in their reading."""
    drawn = {
        figure.id: None
        for experiment in experiments
        for figure in study.figures.values()
        if experiment.id in figure.experiments and experiment.reading in ("", figure.reading)
    }
    return tuple(drawn)


def keys_of(experiment: Experiment) -> tuple[str, ...]:
    """Its name in its reading, its id, and its reading: under these a file may say `cause` or `zero_error_because`."""
    return id_in(experiment.reading, experiment.id), experiment.id, experiment.reading


def table(
    cases: Sequence[Case], traces: Mapping[str, Sequence[Entry]], seed: int, audits: str = ""
) -> pd.DataFrame:
    """The table of checks, with a row for each case. `traces`: experiment -> its runs; `audits`: the file of the table of audits."""
    audited = read_table(audits, findings.TEXTS) if audits else None
    alike: dict[
        tuple[str, ...], dict[int, Case]
    ] = {}  # cases of the same experiments read their files once
    for n, case in enumerate(cases):
        alike.setdefault(tuple(experiment.id for experiment in case.experiments), {})[n] = case
    rows: dict[int, Row] = {}
    for ids, numbered in alike.items():
        wanted = {
            id
            for case in numbered.values()
            for each in case.experiments
            for id in case.series_of(each).values()
        }
        found = {id: measurement.read_series(traces.get(id, ()), wanted) for id in ids}
        for n, case in numbered.items():
            parts = [
                case.measured(experiment, found[experiment.id]) for experiment in case.experiments
            ]
            rows[n] = judge(case, parts, seed, audited)
    return pd.DataFrame([rows[n] for n in sorted(rows)], columns=CHECKS).astype(
        dict.fromkeys(NUMBERS, float)
    )


def judge(case: Case, parts: Sequence[Runs], seed: int, audits: pd.DataFrame | None = None) -> Row:
    """One row of the table of checks; `parts`: the runs of its experiments."""
    check = case.check
    value, evidence, error, needed = _measured(case, parts, seed)
    verdict = decide(value, error or 0.0, check.thresholds, needed)
    if error == 0:  # no spread at all: rarer outcomes may just not have been drawn
        reason = case.text(check.zero_error_because)
        verdict = verdict if reason else "undecided"
        evidence += f"; {reason or 'all runs agree, which says nothing of rarer ones'}"
    if case.kind == PRIVACY and not math.isnan(value):
        verdict, evidence = _on_promise(case, verdict, evidence, audits)
    threshold, *high = sorted(check.thresholds.values())
    explained = (
        verdict != "holds" and not case.horizon_of_paper
    )  # a shorter game may fail for another reason
    return {
        "check": case.id,
        "kind": case.kind,
        "experiment": " ".join(experiment.id for experiment in case.experiments),
        "figures": " ".join(case.figures),
        "reading": case.reading,
        "statement": check.says,
        "source": case.place,
        "value": float(f"{value:.6g}"),  # digits that do not depend on the C library
        "standard_error": None if error in (None, math.inf) else float(f"{error:.2g}"),
        "relation": "within" if high else next(iter(check.thresholds)),
        "threshold": threshold,
        "threshold_high": high[0] if high else None,
        "verdict": verdict,
        "evidence": evidence,
        "cause": case.text(check.cause) if explained else "",
    }


def _measured(case: Case, parts: Sequence[Runs], seed: int) -> Measurement:
    """The number of a case with its standard error; nan, with an infinite one, where the games are too short for it."""
    measure, arguments, first = case.measure, case.check.arguments, case.experiments[0]
    try:
        if case.check.needs_horizon and case.horizon_of_paper:
            raise NotMeasured(
                f"it needs games of T = {case.horizon_of_paper}, and this scale's are shorter"
            )
        if not needs_runs(measure):
            return measure(first, **arguments)
        several = compares_experiments(measure)
        rng = stream(seed, first.paper, keys_of(first)[0], case.id, "bootstrap").numpy()
        return with_error(
            lambda runs: measure(runs if several else runs[0], **arguments), parts, rng
        )
    except NotMeasured as reason:
        return Measurement(math.nan, f"not measurable at this scale: {reason}", math.inf)


def _on_promise(
    case: Case, verdict: str, evidence: str, audits: pd.DataFrame | None
) -> tuple[str, str]:
    """The verdict on a promise, with its evidence. A ledger within the promise proves it, and an audit above it refutes it. A ledger
    above the promise decides nothing, since it is an upper bound."""
    evidence, audit = f"ledger: {evidence}", _strongest_audit(case, audits)
    if audit is not None:
        number = f"{audit['games']:,.0f}"
        seen = (
            f"{number} reports of users"
            if audit["channel"] == "reports"
            else f"the actions in {number} games"
        )
        if audit["measured"] > audit["epsilon"]:
            return "fails", f"{evidence}; audit: {seen} show at least {audit['measured']:g}"
        if verdict != "holds":
            evidence += f"; audit: at least {audit['measured']:g}"
    if verdict == "fails":
        return "undecided", f"{evidence}; a composition bound above epsilon proves no violation"
    return verdict, evidence


def _strongest_audit(case: Case, audits: pd.DataFrame | None) -> pd.Series | None:
    """The audit with the largest bound of what this series publishes, at its epsilon in its reading; None without one. An audit plays a
    policy's first series, at several epsilons; a series that differs in more than epsilon is another mechanism."""
    experiment, names = case.experiments[0], case.check.series
    if audits is None or len(names) != 1:
        return None
    series = experiment.by_name[names[0]]
    first = experiment.policies[series.policy].series[0]
    if {**series.parameters, "epsilon": 0} != {**first.parameters, "epsilon": 0}:
        return None
    mine = audits.query("policy == @series.policy and reading == @case.reading").dropna(
        subset="measured"
    )
    mine = mine[np.isclose(mine["epsilon"], general.account_of(experiment, names[0]).epsilon)]
    return None if mine.empty else mine.loc[mine["measured"].idxmax()]

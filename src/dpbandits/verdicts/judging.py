"""Judges tests of sentences on runs: the rows of the table of tests."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpbandits.files import Entry, Trace, read_table
from dpbandits.random import stream
from dpbandits.studies.sentence import PRIVACY, Test, kind_of
from dpbandits.studies.study import CORRECTED, NASH_REGRET, Experiment, Study
from dpbandits.verdicts.bootstrap import with_error
from dpbandits.verdicts.general import account_of
from dpbandits.verdicts.measurement import Measurement, NotMeasured, border_of, decide
from dpbandits.verdicts.measures import Measure, compares_experiments, measures_of, needs_runs
from dpbandits.verdicts.runs import Runs, quantity_of, read_series, series_in
from dpbandits.verdicts.tables import Row, as_frame

SERIES = ("of", "to", "minus")  # the arguments of measures that name series
Audits = Sequence[Mapping[str, str]]  # the rows of a table of audits


@dataclass(frozen=True)
class Judgement:
    """What is judged at once: a test on one experiment, or on several that it compares, in one reading."""

    id: str  # of the test
    kind: str  # of the sentence that it tests
    place: str  # of that sentence
    test: Test
    experiments: tuple[Experiment, ...]

    @property
    def measure(self) -> Measure:
        """The function that measures."""
        return measures_of(self.experiments[0].paper)[self.test.measure]

    @property
    def reading(self) -> str:
        """That of the experiments that have two; "both" if none has."""
        return next((experiment.reading for experiment in self.experiments if experiment.reading), "both")

    @property
    def statistic(self) -> str:
        """That of the test, or else the one that the first experiment's figures show."""
        return self.test.statistic or self.experiments[0].design.judged

    def series_of(self, experiment: Experiment) -> dict[str, str]:
        """The series of an experiment whose runs are measured: name -> id."""
        names = series_in(experiment, [name for _, name in series_named(self.test)]) if needs_runs(self.measure) else ()
        return {name: experiment.by_name[name].id for name in names}


def judgements(study: Study, tests: Collection[str] | None = None) -> list[Judgement]:
    """All that is judged of a study, or of some of its tests, in the order of the file."""
    return [
        Judgement(id, kind_of(name), sentence.place, test, experiments)
        for name, sentence in study.sentences.items()
        for id, test in sentence.tests.items()
        if tests is None or id in tests
        for experiments in _judged_at_once(test, study)
    ]


def _judged_at_once(test: Test, study: Study) -> list[tuple[Experiment, ...]]:
    """The experiments of each verdict on a test, in their reading; one without readings belongs to both."""
    experiments = [study.experiments[id] for id in study.experiments_of(test.experiments)]
    if not compares_experiments(measures_of(study.id)[test.measure]):
        return [(each,) for experiment in experiments for each in experiment.by_reading]
    readings = dict.fromkeys(reading for experiment in experiments for reading in experiment.readings)
    if len(readings) > 1:
        readings.pop("", None)
    return [tuple(experiment.in_reading(reading) for experiment in experiments) for reading in readings]


def names_of(experiment: Experiment) -> tuple[str, ...]:
    """Its name in its reading, its id, and its reading: under these a file may say `cause` or `zero_error_because`."""
    in_reading = f"{experiment.id}.{CORRECTED}" if experiment.reading == CORRECTED else experiment.id
    return in_reading, experiment.id, experiment.reading


def series_named(test: Test) -> Iterator[tuple[str, str]]:
    """The arguments of a test's measure that name series, with each of the names."""
    for key in SERIES:
        names = test.arguments.get(key, [])
        for name in names if isinstance(names, list) else [names]:
            yield key, name


def table(asked: Sequence[Judgement], **given: Any) -> pd.DataFrame:
    """The table of tests; `given`: as of `rows_of`."""
    return as_frame(rows_of(asked, **given))


def rows_of(
    asked: Sequence[Judgement],
    traces: Mapping[str, Sequence[Entry]],
    seed: int,
    figures: Mapping[tuple[str, str], Sequence[str]],
    audits: str = "",
) -> list[Row]:
    """The rows of the table of tests.

    `traces`: experiment -> its runs (`files.Entry`), one entry per batch; `figures`: experiment and reading -> the figures that draw
    it; `audits`: the table of audits, "" if no test needs it.
    """
    measured = read_table(audits).to_dict("records") if audits else []
    groups: dict[tuple[str, ...], list[int]] = {}  # tests of the same experiments read their files once
    for n, each in enumerate(asked):
        groups.setdefault(tuple(experiment.id for experiment in each.experiments), []).append(n)
    rows: dict[int, Row] = {}
    for ids, group in groups.items():
        wanted = {id for n in group for e in asked[n].experiments for id in asked[n].series_of(e).values()}
        found = {id: read_series(traces.get(id, ()), wanted) for id in ids}
        for n in group:
            parts = [_runs(asked[n], experiment, found[experiment.id]) for experiment in asked[n].experiments]
            drawn = dict.fromkeys(figure for e in asked[n].experiments for figure in figures[e.id, e.reading])
            rows[n] = judge(asked[n], parts, seed, drawn, measured)
    return [rows[n] for n in range(len(asked))]


def _runs(asked: Judgement, experiment: Experiment, found: Mapping[str, Trace]) -> Runs:
    """The runs of an experiment that a test measures."""
    usual = NASH_REGRET if asked.statistic == NASH_REGRET else experiment.design.recorded
    quantity = asked.test.arguments.get("quantity", usual)
    values = {name: quantity_of(found[id], id, quantity) for name, id in asked.series_of(experiment).items()}
    return Runs(experiment, np.array(experiment.design.rounds), values, asked.statistic)


def judge(asked: Judgement, parts: Sequence[Runs], seed: int, figures: Iterable[str] = (), audits: Audits = ()) -> Row:
    """One row of the table of tests; `parts`: the runs of its experiments."""
    test, first = asked.test, asked.experiments[0]
    value = error = None
    shorter = next((e.design for e in asked.experiments if e.design.horizon_of_paper), None)
    try:
        if test.needs_horizon and shorter:
            why = f"it needs games of T = {shorter.horizon_of_paper}, and this scale's end at t = {shorter.horizon}"
            raise NotMeasured(why)
        rng = stream(seed, first.paper, names_of(first)[0], asked.id, "bootstrap").numpy()
        value, evidence, error, needed = _measured(asked, parts, rng)
        verdict = decide(value, error or 0.0, test.thresholds, needed)
        if error == 0:  # no spread at all: rarer outcomes may just not have been drawn
            reason = _text_for(first, test.zero_error_because)
            verdict = verdict if reason else "undecided"
            evidence += f"; {reason or 'all runs agree, which says nothing of rarer ones'}"
        error = None if error == math.inf else error
    except NotMeasured as reason:
        verdict, evidence = "undecided", f"not measurable at this scale: {reason}"
    if asked.kind == PRIVACY and value is not None:
        verdict, evidence = _on_promise(asked, verdict, evidence, audits)
    relation, border, border_high = border_of(test.thresholds)
    explained = verdict != "holds" and not shorter  # a shorter game may fail for another reason
    return {
        "claim": asked.id,
        "kind": asked.kind,
        "experiment": " ".join(experiment.id for experiment in asked.experiments),
        "figures": " ".join(figures),
        "reading": asked.reading,
        "statement": test.says,
        "source": asked.place,
        "value": _rounded(value, 6),
        "standard_error": _rounded(error, 2),
        "relation": relation,
        "border": border,
        "border_high": border_high,
        "verdict": verdict,
        "evidence": evidence,
        "cause": _text_for(first, test.cause) if explained else "",
    }


def _text_for(experiment: Experiment, texts: Mapping[str, str]) -> str:
    """The first text for an experiment or its reading."""
    return next((texts[name] for name in names_of(experiment) if name in texts), "")


def _measured(asked: Judgement, parts: Sequence[Runs], rng: np.random.Generator) -> Measurement:
    """The number of a test, with its standard error."""
    measure, arguments = asked.measure, asked.test.arguments
    if not needs_runs(measure):
        return measure(asked.experiments[0], **arguments)
    several = compares_experiments(measure)
    return with_error(lambda runs: measure(list(runs) if several else runs[0], **arguments), parts, rng)


def _on_promise(asked: Judgement, verdict: str, evidence: str, audits: Audits) -> tuple[str, str]:
    """The verdict on a promise, with its evidence. A ledger within the promise proves it, and an audit above it refutes it. A ledger
    above the promise decides nothing, since it is an upper bound."""
    evidence, audit = f"ledger: {evidence}", _strongest_audit(asked, audits)
    if audit:
        epsilon, number = float(audit["measured"]), f"{int(audit['games']):,}"
        seen = f"{number} reports of users" if audit["channel"] == "reports" else f"the actions in {number} games"
        if epsilon > float(audit["epsilon"]):
            return "fails", f"{evidence}; audit: {seen} show at least {epsilon:g}"
        if verdict != "holds":
            evidence += f"; audit: at least {epsilon:g}"
    if verdict == "fails":
        return "undecided", f"{evidence}; a composition bound above epsilon proves no violation"
    return verdict, evidence


def _strongest_audit(asked: Judgement, audits: Audits) -> Mapping[str, str] | None:
    """The audit with the largest bound of what this series publishes, at its epsilon in its reading; None without one.

    An audit plays the first series of a policy, at several epsilons; a series that differs in more is another mechanism.
    """
    experiment, name = asked.experiments[0], asked.test.arguments.get("of")
    if not isinstance(name, str) or name not in experiment.by_name:
        return None
    series, account = experiment.by_name[name], account_of(experiment, name)
    first = experiment.policy(series.policy).series[0]
    if {**series.parameters, "epsilon": 0} != {**first.parameters, "epsilon": 0}:
        return None
    channel = "reports" if account.trust == "local" else "actions"
    wanted = (series.policy, asked.reading, channel, f"{account.epsilon:.6g}")
    mine = [
        row
        for row in audits
        if row["measured"] and (row["policy"], row["reading"], row["channel"], f"{float(row['epsilon']):.6g}") == wanted
    ]
    return max(mine, key=lambda row: float(row["measured"]), default=None)


def _rounded(value: float | None, digits: int) -> float | None:
    """Rounded to digits that do not depend on the C library."""
    return None if value is None else float(f"{value:.{digits}g}")

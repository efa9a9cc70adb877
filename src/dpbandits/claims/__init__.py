"""The claims of a paper: what they are measured by, and the verdict.

A predicate turns the runs of an experiment into one number. Its standard error comes from the bootstrap over runs, so
it needs no formula and knows the dependence between the rounds of a run; a predicate that pairs the runs of several
series gives its own instead. A verdict is `holds` or `fails` when the
number is at least two standard errors away from where the sentence would change its truth, else `undecided`.

A predicate is a public function of one of the modules below; `measure: {final_ratio: {of: [...], to: [...]}}` in a paper
file names it and its keyword parameters.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpbandits import bounds, parameters
from dpbandits.claims import curves, estimates, lock_in, mechanisms, nash, paired, privacy, sweeps, theorems
from dpbandits.claims.recordings import Entry, LazyRuns, Recordings, Request, series_in
from dpbandits.claims.runs import (
    Measurement,
    NotMeasured,
    Runs,
    Together,
    does_compare_experiments,
    is_deterministic,
)
from dpbandits.errors import InputError, nearest
from dpbandits.papers import Claim, Experiment, Paper
from dpbandits.randomness import stream

RESAMPLES = 200
DECIDED = 2.0  # standard errors
COLUMNS = ["claim", "figure", "reading", "statement", "measured", "expected", "verdict", "where"]
PREDICATES: dict[str, Callable[..., Measurement]] = {
    name: function
    for module in (curves, sweeps, theorems, estimates, paired, privacy, lock_in, mechanisms, nash)
    for name, function in vars(module).items()
    if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
}


def check(claim: Claim, paper: Paper) -> None:
    """Raise InputError if a claim cannot be measured: unknown predicate, argument, series or bound."""
    where = f"{paper.file}: claims.{claim.id}"
    if claim.predicate not in PREDICATES:
        raise InputError(
            f"{where}.measure: unknown predicate '{claim.predicate}'; {nearest(claim.predicate, PREDICATES)}"
        )
    predicate = PREDICATES[claim.predicate]
    parameters.check(predicate, claim.arguments, f"{where}.measure.{claim.predicate}")
    if "bound" in claim.arguments and claim.arguments["bound"] not in bounds.BOUNDS:
        known = nearest(claim.arguments["bound"], bounds.BOUNDS)
        raise InputError(f"{where}.measure: unknown bound '{claim.arguments['bound']}'; {known}")
    if "theorem" in claim.arguments and claim.arguments["theorem"] not in bounds.THEOREMS:
        known = nearest(claim.arguments["theorem"], bounds.THEOREMS)
        raise InputError(f"{where}.measure: unknown theorem '{claim.arguments['theorem']}'; {known}")
    experiments = [e for base in claim.experiments for e in paper.readings_of(base)]
    for key in ("of", "to", "minus"):
        for series in _listed(claim.arguments.get(key, [])):
            without = [e for e in experiments if series not in e.series and series not in {p.id for p in e.policies}]
            if without and (not does_compare_experiments(predicate) or len(without) == len(experiments)):
                known = nearest(series, without[0].series)
                raise InputError(f"{where}.measure.{key}: {without[0].id} has no series '{series}'; {known}")
    if does_compare_experiments(predicate) and not claim.together:
        raise InputError(f"{where}: '{claim.predicate}' compares experiments with each other; add together: true")
    names = {name for e in experiments for name in (e.id, e.base, e.reading)}
    for name in claim.because:
        if name not in names:
            raise InputError(f"{where}.because: unknown experiment or reading '{name}'; {nearest(name, names - {''})}")


def _listed(value: Any) -> list:
    return value if isinstance(value, list) else [value]


def series_of(claim: Claim) -> list[str]:
    """The series that a claim speaks of."""
    return list(dict.fromkeys(s for key in ("of", "to", "minus") for s in _listed(claim.arguments.get(key, []))))


def judge(claim: Claim, runs: Runs | Together, seed: int) -> dict[str, str]:
    """One row of the claims table: a claim in one experiment."""
    predicate, experiment = PREDICATES[claim.predicate], runs.experiment
    bases = [part.experiment.base for part in (runs.parts if isinstance(runs, Together) else [runs])]
    error = 0.0
    try:
        measured, where, *own = predicate(runs, **claim.arguments)
        if own:
            (error,) = own
        elif not is_deterministic(predicate):
            rng = stream(seed, experiment.paper, experiment.id, claim.id, "bootstrap")
            resampled = [predicate(runs.resampled(rng), **claim.arguments)[0] for _ in range(RESAMPLES)]
            error = float(np.std(resampled, ddof=1))
            error = error if error > 1e-12 * abs(measured) else 0.0  # all runs equal, but for the last bits
        verdict = decide(measured, error, claim.expect)
        number = f"{measured:.6g}" + (f" ± {error:.2g}" if error else "")
    except NotMeasured as reason:
        verdict, number, where = "undecided", "not measured", str(reason)
    if verdict != "holds":
        reasons = (claim.because.get(key) for key in (experiment.id, experiment.base, experiment.reading))
        where = "; ".join([where, *filter(None, [next(filter(None, reasons), None)])])
    return {
        "claim": claim.id,
        "figure": " ".join(bases),
        "reading": experiment.reading or "both",
        "statement": f"{claim.says} [{claim.source}]",
        "measured": number,
        "expected": " and ".join(f"{_SAYS[key]} {value:g}" for key, value in claim.expect.items()),
        "verdict": verdict,
        "where": where,
    }


_SAYS = {"at_most": "at most", "at_least": "at least", "below": "below", "above": "above"}


def decide(measured: float, error: float, expect: Mapping[str, float]) -> str:
    """holds, fails, or undecided when the measurement is within two standard errors of the border."""
    verdicts = []
    for relation, border in expect.items():
        true = {
            "at_most": measured <= border,
            "at_least": measured >= border,
            "below": measured < border,
            "above": measured > border,
        }[relation]
        decided = error == 0 or abs(measured - border) >= DECIDED * error
        verdicts.append(("holds" if true else "fails") if decided else "undecided")
    return next((verdict for verdict in ("fails", "undecided") if verdict in verdicts), "holds")


def table(
    claims: Sequence[Claim],
    experiments: Sequence[Experiment],
    entries: Mapping[str, Sequence[Entry]],
    seed: int,
    **how: Any,
) -> pd.DataFrame:
    """Every claim in every reading of its experiments; `entries`: experiment id -> what its traces must be, and their files."""
    concerned = [(claim, [e for e in experiments if e.base in claim.experiments]) for claim in claims]
    asked = {(claim.id, e.id): _requests(claim, e) for claim, its in concerned for e in its}
    recordings = Recordings(entries, [request for requests in asked.values() for request in requests], **how)
    rows: list[dict[str, str]] = []
    for claim, its in concerned:
        runs: list = [
            Runs(e, np.array(e.design.checkpoints), LazyRuns(recordings, asked[claim.id, e.id]), claim.statistic, seed)
            for e in its
        ]
        if claim.together:
            runs.sort(key=lambda part: claim.experiments.index(part.experiment.base))
            runs = _by_reading(runs)
        rows += [judge(claim, one, seed) for one in runs]
    return pd.DataFrame(rows, columns=COLUMNS)


def _requests(claim: Claim, experiment: Experiment) -> list[Request]:
    """What a claim asks of an experiment: its quantity, or the one that the claim names, of the series it speaks of."""
    nash = claim.statistic == "nash_regret"
    quantity = claim.arguments.get("quantity", "nash_regret" if nash else experiment.design.quantity)
    return [
        Request(claim.id, experiment.id, series, quantity, nash) for series in series_in(experiment, series_of(claim))
    ]


def _by_reading(runs: Sequence[Runs]) -> list[Together]:
    """Experiments joined: once for each reading that any of them has, an experiment that has only one in all of them."""
    readings = dict.fromkeys(it.experiment.reading for it in runs)
    if len(readings) > 1:
        readings.pop("", None)
    return [Together(tuple(it for it in runs if it.experiment.reading in ("", reading))) for reading in readings]

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
from dpbandits.claims.runs import ACROSS, WITHOUT_CHANCE, Measurement, Runs, Together, TooShort
from dpbandits.errors import InputError, nearest
from dpbandits.estimators import nash_runs
from dpbandits.papers import Claim, Experiment, Paper
from dpbandits.randomness import stream
from dpbandits.traces import Trace

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
    parameters.check(PREDICATES[claim.predicate], claim.arguments, f"{where}.measure.{claim.predicate}")
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
            if without and (claim.predicate not in ACROSS or len(without) == len(experiments)):
                known = nearest(series, without[0].series)
                raise InputError(f"{where}.measure.{key}: {without[0].id} has no series '{series}'; {known}")
    if claim.predicate in ACROSS and not claim.together:
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
    error = 0.0
    try:
        measured, where, *own = predicate(runs, **claim.arguments)
        if own:
            (error,) = own
        elif claim.predicate not in WITHOUT_CHANCE:
            rng = stream(seed, experiment.paper, experiment.id, claim.id, "bootstrap")
            resampled = [predicate(runs.resampled(rng), **claim.arguments)[0] for _ in range(RESAMPLES)]
            error = float(np.std(resampled, ddof=1))
            error = error if error > 1e-12 * abs(measured) else 0.0  # all runs equal, but for the last bits
        verdict = decide(measured, error, claim.expect)
        number = f"{measured:.6g}" + (f" ± {error:.2g}" if error else "")
    except TooShort as reason:
        verdict, number, where = "undecided", "not measured", str(reason)
    if verdict != "holds":
        reasons = (claim.because.get(key) for key in (experiment.id, experiment.base, experiment.reading))
        where = "; ".join([where, *filter(None, [next(filter(None, reasons), None)])])
    return {
        "claim": claim.id,
        "figure": runs.figures,
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
    traces: Mapping[str, Sequence[Trace]],
    seed: int,
) -> pd.DataFrame:
    """Every claim in every reading of its experiments; `traces`: experiment id -> the traces of its policies."""
    rows: list[dict[str, str]] = []
    for claim in claims:
        concerned: list = [_runs(claim, e, traces[e.id]) for e in experiments if e.base in claim.experiments]
        if claim.together:
            concerned.sort(key=lambda runs: claim.experiments.index(runs.experiment.base))
            concerned = _by_reading(concerned)
        rows += [judge(claim, runs, seed) for runs in concerned]
    return pd.DataFrame(rows, columns=COLUMNS)


def _runs(claim: Claim, experiment: Experiment, blocks: Sequence[Trace]) -> Runs:
    """The runs of the series, and of the policies, that a claim speaks of: the experiment's quantity, or the one it asks for."""
    nash = claim.statistic == "nash_regret"
    usual = "nash_regret" if nash else experiment.design.quantity
    spoken_of, quantity = series_of(claim), claim.arguments.get("quantity", usual)
    values = {}
    for block in blocks:
        for i, series in enumerate(block.header["series"]):
            if series in spoken_of or experiment.series[series].policy in spoken_of:
                values[series] = nash_runs(block.t, block.values, i) if nash else None
                if values[series] is not None:
                    continue
                if quantity not in block.values:
                    known = nearest(quantity, block.values)
                    raise InputError(f"claim {claim.id}: the runs of {series} have no quantity '{quantity}'; {known}")
                values[series] = block.values[quantity][i]
    # In the order of the experiment, whatever traces they came from: the bootstrap draws for one after the other.
    values = {series: values[series] for series in experiment.series if series in values}
    return Runs(experiment, blocks[0].t, values, claim.statistic)


def _by_reading(runs: Sequence[Runs]) -> list[Together]:
    """Experiments joined: once for each reading that any of them has, an experiment that has only one in all of them."""
    readings = dict.fromkeys(it.experiment.reading for it in runs)
    if len(readings) > 1:
        readings.pop("", None)
    return [Together(tuple(it for it in runs if it.experiment.reading in ("", reading))) for reading in readings]

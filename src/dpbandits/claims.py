"""The predicates that claims are written in, and the verdict on a claim.

A predicate turns the runs of an experiment into one number. Its standard error comes from the bootstrap over runs, so
it needs no formula and knows the dependence between the rounds of a run. A verdict is `holds` or `fails` when the
number is at least two standard errors away from where the sentence would change its truth, else `undecided`.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd

from dpbandits import algorithms, bounds, parameters, simulation
from dpbandits.algorithms import interval_ucb
from dpbandits.algorithms._tuning import gamma_of
from dpbandits.errors import InputError, nearest
from dpbandits.estimators import mean, median_of_means, one_sided_deviations
from dpbandits.papers import Claim, Experiment, Paper, Series
from dpbandits.privacy import exp3_loss
from dpbandits.randomness import stream
from dpbandits.traces import Trace

RESAMPLES = 200
DECIDED = 2.0  # standard errors
COLUMNS = ["claim", "figure", "reading", "statement", "measured", "expected", "verdict", "where"]


@dataclass(frozen=True)
class Runs:
    """The runs of an experiment, as a predicate sees them: curves of a statistic, over all runs or over a resample."""

    experiment: Experiment
    t: np.ndarray
    values: Mapping[str, np.ndarray]  # series -> (run, checkpoint)
    statistic: str
    chosen: Mapping[str, np.ndarray] = field(default_factory=dict)  # series -> indices of the resampled runs

    @cached_property
    def gaps(self) -> np.ndarray:
        """mu* - mu_a of every arm."""
        return simulation.make_environment(self.experiment.environment).gaps

    @cached_property
    def number_of_arms(self) -> int:
        """K, which a game without gaps has as well."""
        return simulation.make_environment(self.experiment.environment).number_of_arms

    def of(self, series: str) -> np.ndarray:
        """The runs of a series."""
        runs = self.values[series]
        return runs[self.chosen[series]] if series in self.chosen else runs

    def curve(self, series: str) -> np.ndarray:
        """The claim's statistic of a series at every checkpoint."""
        runs = self.of(series)
        return mean(runs) if self.statistic == "mean" else median_of_means(runs, self.experiment.design.groups)

    def known(self, series: str) -> Series:
        """What the series is."""
        return self.experiment.series[series]

    def resampled(self, rng: np.random.Generator) -> "Runs":
        """As many runs, drawn with replacement, for every series on its own."""
        chosen = {name: rng.integers(0, len(runs), len(runs)) for name, runs in self.values.items()}
        return Runs(self.experiment, self.t, self.values, self.statistic, chosen)


@dataclass(frozen=True)
class Several:
    """The runs of several experiments, for a predicate that compares them; judged under the last one's name."""

    parts: tuple[Runs, ...]

    @property
    def experiment(self) -> Experiment:
        """The experiment under whose name the verdict stands."""
        return self.parts[-1].experiment

    def resampled(self, rng: np.random.Generator) -> "Several":
        """Every experiment resampled on its own."""
        return Several(tuple(part.resampled(rng) for part in self.parts))


Measurement = tuple[float, str]


class TooShort(Exception):
    """The run ended before the rounds that a claim speaks of (at scales below the paper's)."""


def _window(runs: Runs, since: int, until: float = 1.0) -> np.ndarray:
    """The checkpoints from round `since` to the fraction `until` of the horizon."""
    window = (runs.t >= since) & (runs.t <= until * runs.t[-1])
    if not window.any():
        raise TooShort(f"it speaks of rounds from t = {since} on, and this scale ends at t = {runs.t[-1]}")
    return window


def final_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of a final regret of `of` to one of `to`."""
    pairs = [(runs.curve(a)[-1] / runs.curve(b)[-1], f"{a} / {b}") for a in of for b in to]
    value, pair = max(pairs)
    return value, f"{pair} at t = {runs.t[-1]}"


def largest_ratio(runs: Runs, *, of: str, to: str, since: int, until: float) -> Measurement:
    """The largest ratio of two curves over the rounds from `since` to the fraction `until` of the horizon."""
    window = _window(runs, since, until)
    ratio = (runs.curve(of) / runs.curve(to))[window]
    return float(ratio.max()), f"{of} / {to} at t = {runs.t[window][ratio.argmax()]}"


def final_over_largest_ratio(runs: Runs, *, of: str, to: str, since: int) -> Measurement:
    """The ratio of two curves at the end, relative to its largest value from `since` on: below 1, `of` catches up."""
    ratio = (runs.curve(of) / runs.curve(to))[_window(runs, since)]
    return float(ratio[-1] / ratio.max()), f"{of} / {to}: {ratio.max():.4g} at its largest, {ratio[-1]:.4g} at the end"


def growth_of_gap(runs: Runs, *, of: str, minus: str, since: int) -> Measurement:
    """How much the difference of two curves grows after round `since`: its largest value later, relative to then."""
    late = _window(runs, since)
    gap = (runs.curve(of) - runs.curve(minus))[late]
    return float(
        gap.max() / gap[0]
    ), f"{of} - {minus}: {gap[0]:.4g} at t = {runs.t[late][0]}, {gap.max():.4g} at most later"


def final_spread(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest difference between two runs' final regrets, over the series `of`."""
    value, series = max((float(np.ptp(runs.of(name)[:, -1])), name) for name in of)
    return value, f"{series}, best against worst run at t = {runs.t[-1]}"


def largest_over_bound(runs: Runs, *, of: str, bound: str) -> Measurement:
    """The largest ratio of a curve to a theorem's bound, over the checkpoints from the second round on."""
    later = runs.t >= 2
    limit = _bound_curve(runs, of, bound)[later]
    ratio = runs.curve(of)[later] / limit
    return float(
        ratio.max()
    ), f"{of} against {bound} at t = {runs.t[later][ratio.argmax()]}; bound at T: {limit[-1]:.5g}"


def departure_from_round_robin(runs: Runs, *, of: str) -> Measurement:
    """The largest distance of any run from the regret of plain round robin, during the K W_1 rounds that it lasts."""
    series, gaps = runs.known(of), runs.gaps
    given = series.parameters
    epsilon = interval_ucb.input_epsilon(given["epsilon"], given["delta"], given.get("v", 1.1))
    first = interval_ucb.first_update(given.get("schedule", "series_y"), epsilon, given.get("v", 1.1))
    until = len(gaps) * first
    during = runs.t <= until
    exact = [gaps.sum() * (t // len(gaps)) + gaps[: t % len(gaps)].sum() for t in runs.t[during]]
    return float(np.abs(runs.of(of)[:, during] - exact).max()), f"{of} until t = K W_1 = {until}"


def privacy_spent(runs: Runs, *, of: str) -> Measurement:
    """The epsilon that the ledger adds up for a policy, relative to the epsilon that it promises."""
    series = runs.known(of)
    account = algorithms.find(series.algorithm).privacy(
        runs.experiment.design.horizon, runs.number_of_arms, **series.parameters
    )
    delta = f", delta {account.delta:.3g}" if account.delta else ""
    ratio = round(account.spent / account.epsilon, 9)  # a sum of some twenty losses is off by a few last bits
    return ratio, f"{of}: promised epsilon {account.epsilon:g}{delta}, spent {account.spent:.6g}"


def final_over_theorem(runs: Runs, *, of: list[str], theorem: str) -> Measurement:
    """The largest ratio of a final regret to what a theorem on the whole game says of it."""
    T, K = runs.experiment.design.horizon, runs.number_of_arms
    function = bounds.THEOREMS[theorem]
    asked = inspect.signature(function).parameters
    ratios = []
    for name in of:
        limit = function(T, K, **{k: v for k, v in runs.known(name).parameters.items() if k in asked})
        ratios.append((runs.curve(name)[-1] / limit, f"{name}: {runs.curve(name)[-1]:.5g} against {limit:.5g}"))
    value, where = max(ratios)
    return float(value), f"{where} ({theorem})"


def final_value(runs: Runs, *, of: str, quantity: str) -> Measurement:
    """A quantity's final value."""
    return float(runs.curve(of)[-1]), f"{quantity} of {of} at t = {runs.t[-1]}"


def largest_difference(runs: Runs, *, of: str, to: list[str], quantity: str) -> Measurement:
    """The largest difference between a series' curve of a quantity and another's in the same run, over runs and rounds."""
    value, name = max((float(np.abs(runs.of(of) - runs.of(name)).max()), name) for name in to)
    return value, f"{quantity} of {of} and {name}, {len(runs.of(of))} runs, {len(runs.t)} checkpoints"


def departure_over_proposition_4_1(runs: Runs, *, of: list[str]) -> Measurement:
    """The distance of median of means and mean at the end, relative to what tossou2017's Proposition 4.1 allows."""
    groups, ratios = runs.experiment.design.groups, []
    for name in of:
        final = runs.of(name)[:, -1:]
        width = bounds.tossou2017_proposition_4_1(len(final), groups)[0] * final.std(ddof=1)
        ratios.append((float(np.abs(median_of_means(final, groups) - mean(final))[0] / width), name))
    value, name = max(ratios)
    return value, f"{name} at t = {runs.t[-1]}"


def smallest_error_bar(runs: Runs, *, of: list[str]) -> Measurement:
    """The smallest of Gini's mean differences below and above the median of means at the end."""
    design, bars = runs.experiment.design, []
    for name in of:
        final = runs.of(name)[:, -1:]
        below, above = one_sided_deviations(final, median_of_means(final, design.groups), design.gmd_scale)
        bars += [(float(below[0]), f"{name}, below"), (float(above[0]), f"{name}, above")]
    value, where = min(bars)
    return value, where


def promised_epsilon(runs: Runs, *, of: str) -> Measurement:
    """The epsilon that a policy promises for the whole game."""
    account = _account(runs, of)
    delta = f" at delta = {account.delta:.3g}" if account.delta else ""
    return account.epsilon, f"{of}: (epsilon = {account.epsilon:.6g}){delta}; odds change by e^{account.epsilon:.4g}"


def promised_ratio(runs: Runs, *, of: str, to: str) -> Measurement:
    """The epsilon that one policy promises relative to another's."""
    one, other = _account(runs, of).epsilon, _account(runs, to).epsilon
    return one / other, f"{of}: {one:.6g}, {to}: {other:.6g}"


def _account(runs: Runs, series: str) -> Any:
    known = runs.known(series)
    module = algorithms.find(known.algorithm)
    return module.privacy(runs.experiment.design.horizon, runs.number_of_arms, **known.parameters)


def largest_per_round_loss(runs: Runs, *, of: str) -> Measurement:
    """The largest |ln p_i/p'_i| of EXP3 that a search over histories with one changed gain finds."""
    gamma = gamma_of(runs.experiment.design.horizon, runs.number_of_arms)
    value, later = exp3_loss.largest_loss(gamma, runs.number_of_arms)
    return value, f"{of}, {later} rounds after the changed gain, gamma = {gamma:.4g}"


def growth_exponent(runs: Several, *, of: str) -> Measurement:
    """The slope of ln(final regret) in ln T over games of different lengths, by least squares."""
    T = [part.experiment.design.horizon for part in runs.parts]
    finals = [part.curve(of)[-1] for part in runs.parts]
    slope = np.polyfit(np.log(T), np.log(finals), 1)[0]
    return float(slope), f"{of}, T = {min(T)} to {max(T)}"


PREDICATES: dict[str, Callable[..., Measurement]] = {
    function.__name__: function
    for function in (
        final_ratio,
        largest_ratio,
        final_over_largest_ratio,
        growth_of_gap,
        final_spread,
        largest_over_bound,
        departure_from_round_robin,
        privacy_spent,
        final_over_theorem,
        final_value,
        largest_difference,
        departure_over_proposition_4_1,
        smallest_error_bar,
        promised_epsilon,
        promised_ratio,
        largest_per_round_loss,
        growth_exponent,
    )
}
WITHOUT_CHANCE = {
    privacy_spent,
    largest_difference,
    departure_over_proposition_4_1,
    smallest_error_bar,
    promised_epsilon,
    promised_ratio,
    largest_per_round_loss,
}
ACROSS = {growth_exponent}  # one verdict on all experiments of a claim together


def _bound_curve(runs: Runs, series: str, bound: str) -> np.ndarray:
    """A bound at every checkpoint, with the parameters that its theorem asks for taken from the series."""
    wanted = set(inspect.signature(bounds.find(bound)).parameters) - {"gaps", "t"}
    given = tuple((key, value) for key, value in runs.known(series).parameters.items() if key in wanted)
    gaps = tuple(runs.gaps.tolist())
    return np.array([_bound_at(bound, gaps, int(t), given) if t >= 2 else np.inf for t in runs.t])


@cache
def _bound_at(bound: str, gaps: tuple[float, ...], t: int, given: tuple[tuple[str, Any], ...]) -> float:
    return bounds.find(bound)(np.array(gaps), t, **dict(given))


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
    for experiment in experiments:
        for key in ("of", "to", "minus"):
            for series in _listed(claim.arguments.get(key, [])):
                if series not in experiment.series:
                    known = nearest(series, experiment.series)
                    raise InputError(f"{where}.measure.{key}: {experiment.id} has no series '{series}'; {known}")
    names = {name for e in experiments for name in (e.id, e.base, e.reading)}
    for name in claim.because:
        if name not in names:
            raise InputError(f"{where}.because: unknown experiment or reading '{name}'; {nearest(name, names - {''})}")


def _listed(value: Any) -> list:
    return value if isinstance(value, list) else [value]


def series_of(claim: Claim) -> list[str]:
    """The series that a claim speaks of."""
    return list(dict.fromkeys(s for key in ("of", "to", "minus") for s in _listed(claim.arguments.get(key, []))))


def judge(claim: Claim, runs: Runs, seed: int) -> dict[str, str]:
    """One row of the claims table: a claim in one experiment."""
    predicate, experiment = PREDICATES[claim.predicate], runs.experiment
    error = 0.0
    try:
        measured, where = predicate(runs, **claim.arguments)
        if predicate not in WITHOUT_CHANCE:
            rng = stream(seed, experiment.paper, experiment.id, claim.id, "bootstrap")
            resampled = [predicate(runs.resampled(rng), **claim.arguments)[0] for _ in range(RESAMPLES)]
            error = float(np.std(resampled, ddof=1))
        verdict = decide(measured, error, claim.expect)
        number = f"{measured:.6g}" + (f" ± {error:.2g}" if error else "")
    except TooShort as reason:
        verdict, number, where = "undecided", "not measured", str(reason)
    if verdict != "holds":
        reasons = (claim.because.get(key) for key in (experiment.id, experiment.base, experiment.reading))
        where = "; ".join([where, *filter(None, [next(filter(None, reasons), None)])])
    return {
        "claim": claim.id,
        "figure": experiment.base,
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
    rows = []
    for claim in claims:
        spoken = [_runs(claim, e, traces[e.id]) for e in experiments if e.base in claim.experiments]
        across = PREDICATES[claim.predicate] in ACROSS
        rows += [judge(claim, runs, seed) for runs in ([Several(tuple(spoken))] if across else spoken)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _runs(claim: Claim, experiment: Experiment, blocks: Sequence[Trace]) -> Runs:
    """The series of an experiment that a claim speaks of: their regret, or the quantity that it asks for."""
    spoken_of, quantity = series_of(claim), claim.arguments.get("quantity", "regret")
    values = {}
    for block in blocks:
        for i, series in enumerate(block.header["series"]):
            if series in spoken_of:
                if quantity not in block.values:
                    known = nearest(quantity, block.values)
                    raise InputError(f"claim {claim.id}: the runs of {series} have no quantity '{quantity}'; {known}")
                values[series] = block.values[quantity][i]
    return Runs(experiment, blocks[0].t, values, claim.statistic)

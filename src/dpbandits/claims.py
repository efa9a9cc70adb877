"""The predicates that claims are written in, and the verdict on a claim.

A predicate turns the runs of an experiment into one number. Its standard error comes from the bootstrap over runs, so
it needs no formula and knows the dependence between the rounds of a run. A verdict is `holds` or `fails` when the
number is at least two standard errors away from where the sentence would change its truth, else `undecided`.
"""

import inspect
import itertools
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

    @property
    def figures(self) -> str:
        """What the claims table calls the experiment."""
        return self.experiment.base

    @cached_property
    def means(self) -> np.ndarray:
        """mu_a of every arm."""
        return np.array(self.experiment.environment["means"], dtype=float)

    def finals(self, names: Sequence[str]) -> dict[str, float]:
        """The statistic at T of the series of these names, and of every series of the policies of these names."""
        chosen = [s.id for s in self.experiment.series.values() if s.id in names or s.policy in names]
        return {series: float(self.curve(series)[-1]) for series in chosen}

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
class Together:
    """The runs of several experiments, for a claim that compares them."""

    parts: tuple[Runs, ...]

    @property
    def experiment(self) -> Experiment:
        """The first of them, whose reading is that of all."""
        return self.parts[0].experiment

    @property
    def figures(self) -> str:
        """What the claims table calls the experiments."""
        return " ".join(part.figures for part in self.parts)

    def resampled(self, rng: np.random.Generator) -> "Together":
        """Every experiment on its own."""
        return Together(tuple(part.resampled(rng) for part in self.parts))


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
    account = _account(runs, of)
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


def growth_exponent(runs: Together, *, of: str) -> Measurement:
    """The slope of ln(final regret) in ln T over games of different lengths, by least squares."""
    T = [part.experiment.design.horizon for part in runs.parts]
    finals = [part.curve(of)[-1] for part in runs.parts]
    slope = np.polyfit(np.log(T), np.log(finals), 1)[0]
    return float(slope), f"{of}, T = {min(T)} to {max(T)}"


def largest_final_over_bound(runs: Runs, *, of: list[str], bound: str) -> Measurement:
    """The largest ratio of a final regret to a theorem's bound."""
    return max((value, f"{name} against {bound}") for name, value in _finals_over_bound(runs, of, bound).items())


def smallest_final_over_bound(runs: Runs, *, of: list[str], bound: str) -> Measurement:
    """The smallest ratio of a final regret to a theorem's bound."""
    return min((value, f"{name} against {bound}") for name, value in _finals_over_bound(runs, of, bound).items())


def _finals_over_bound(runs: Runs, of: list[str], bound: str) -> dict[str, float]:
    means, T = tuple(runs.means.tolist()), int(runs.t[-1])
    return {
        name: value / _bound_at(bound, means, T, tuple(runs.known(name).parameters.items()))
        for name, value in runs.finals(of).items()
    }


def _along(runs: Runs, of: list[str], along: str, least: float, most: float) -> list[tuple[float, float]]:
    """(value, final regret) of a sweep's series whose parameter `along` is between two values, in its order."""
    pairs = [(runs.known(name).parameters[along], final) for name, final in runs.finals(of).items()]
    return sorted(pair for pair in pairs if least <= pair[0] <= most)


def range_along(runs: Runs, *, of: list[str], along: str, least: float, most: float) -> Measurement:
    """The largest final regret of a sweep between two values of its parameter, relative to the smallest."""
    (top, at_top), (low, at_low) = (
        extreme((final, value) for value, final in _along(runs, of, along, least, most)) for extreme in (max, min)
    )
    return top / low, f"{top:.5g} at {along} = {at_top:g}, {low:.5g} at {along} = {at_low:g}"


def smallest_rise_along(runs: Runs, *, of: list[str], along: str, least: float, most: float) -> Measurement:
    """The smallest ratio of final regrets at neighbouring values of a sweep's parameter: above 1, they increase."""
    pairs = _along(runs, of, along, least, most)
    ratios = [(b / a, f"from {along} = {x:g} to {y:g}") for (x, a), (y, b) in itertools.pairwise(pairs)]
    return min(ratios)


def largest_window(runs: Runs, *, of: str, width: float, since: float) -> Measurement:
    """The largest share of the final regret that a window of `width` T holds, in the rounds after `since` T."""
    curve, T = runs.curve(of), runs.t[-1]
    start = np.flatnonzero(runs.t >= since * T)
    end = np.searchsorted(runs.t, runs.t[start] + width * T, side="right") - 1
    share = (curve[end] - curve[start]) / curve[-1]
    return float(share.max()), f"{of} after t = {runs.t[start[share.argmax()]]}"


def late_change_of_slope(runs: Runs, *, of: str, since: float) -> Measurement:
    """The largest change in any run of the regret per round between neighbouring checkpoints after `since` T."""
    late = runs.t >= since * runs.t[-1]
    slope = np.diff(runs.of(of)[:, late], axis=1) / np.diff(runs.t[late])
    return float(np.abs(np.diff(slope, axis=1)).max()), f"{of} after t = {runs.t[late][0]}"


def largest_rise(runs: Together, *, of: list[str]) -> Measurement:
    """The largest ratio of a series' final regret in an experiment to that in the one before it."""
    return max(
        (later.finals([name])[name] / earlier.finals([name])[name], f"{name}, {later.figures} / {earlier.figures}")
        for name in of
        for earlier, later in itertools.pairwise(runs.parts)
    )


def relative_range(runs: Together, *, of: str) -> Measurement:
    """The range of a series' final regrets over experiments, relative to the smallest."""
    finals = [part.finals([of])[of] for part in runs.parts]
    return (max(finals) - min(finals)) / min(finals), f"{of}: " + ", ".join(f"{final:.5g}" for final in finals)


def departure_of_prefix(runs: Runs, *, of: list[str], share: float) -> Measurement:
    """How far a run that ends at `share` T is from the beginning of the run of T rounds from the same stream."""
    experiment, horizon = runs.experiment, int(share * runs.t[-1])
    apart = []
    for name in of:
        whole = experiment.spec(runs.known(name).policy, seed=0)
        short = {
            **whole,
            "horizon": horizon,
            "checkpoints": [t for t in whole["checkpoints"] if t < horizon] + [horizon],
        }
        curves = [simulation.simulate(spec, 0, 4).values["regret"] for spec in (whole, short)]
        common = len(short["checkpoints"]) - 1
        apart.append((float(np.abs(curves[0][..., :common] - curves[1][..., :common]).max()), f"{name}, 5 runs"))
    return max(apart)


def over_crossing(runs: Runs, *, of: str) -> Measurement:
    """epsilon relative to the largest epsilon_a: above 1, all arms are in their low-privacy regime."""
    crossing = float(bounds.azize2022_crossings(runs.means).max())
    epsilon = runs.known(of).parameters["epsilon"]
    return epsilon / crossing, f"epsilon {epsilon:g}, largest crossing {crossing:.4g}"


def crossing_of_example(runs: Runs, *, number_of_arms: int, horizon: int) -> Measurement:
    """The crossing epsilon of Theorem 2's regimes as the example in the text computes it."""
    true = bounds.azize2022_t2_crossing(number_of_arms, horizon)
    here = bounds.azize2022_t2_crossing(len(runs.gaps), int(runs.t[-1]))
    printed = bounds.azize2022_t2_example(number_of_arms, horizon)
    return printed, f"the parts of the bound cross at {true:.4g} (K = {number_of_arms}), in this figure at {here:.4g}"


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
        largest_final_over_bound,
        smallest_final_over_bound,
        range_along,
        smallest_rise_along,
        largest_window,
        late_change_of_slope,
        largest_rise,
        relative_range,
        departure_of_prefix,
        over_crossing,
        crossing_of_example,
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
    departure_of_prefix,
    over_crossing,
    crossing_of_example,
}


def _bound_curve(runs: Runs, series: str, bound: str) -> np.ndarray:
    """A bound at every checkpoint, with the parameters that its theorem asks for taken from the series."""
    given = tuple(runs.known(series).parameters.items())
    means = tuple(runs.means.tolist())
    return np.array([_bound_at(bound, means, int(t), given) if t >= 2 else np.inf for t in runs.t])


@cache
def _bound_at(bound: str, means: tuple[float, ...], t: int, given: tuple[tuple[str, Any], ...]) -> float:
    return bounds.at(bound, np.array(means), t, dict(given))


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
                if series not in experiment.series and series not in {p.id for p in experiment.policies}:
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


def judge(claim: Claim, runs: Runs | Together, seed: int) -> dict[str, str]:
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
    """The runs of the series, and of the policies, that a claim speaks of: their regret, or the quantity it asks for."""
    spoken_of, quantity = series_of(claim), claim.arguments.get("quantity", "regret")
    values = {}
    for block in blocks:
        for i, series in enumerate(block.header["series"]):
            if series in spoken_of or experiment.series[series].policy in spoken_of:
                if quantity not in block.values:
                    known = nearest(quantity, block.values)
                    raise InputError(f"claim {claim.id}: the runs of {series} have no quantity '{quantity}'; {known}")
                values[series] = block.values[quantity][i]
    return Runs(experiment, blocks[0].t, values, claim.statistic)


def _by_reading(runs: Sequence[Runs]) -> list[Together]:
    """Experiments joined: once for each reading that any of them has, an experiment that has only one in all of them."""
    readings = dict.fromkeys(it.experiment.reading for it in runs)
    if len(readings) > 1:
        readings.pop("", None)
    return [Together(tuple(it for it in runs if it.experiment.reading in ("", reading))) for reading in readings]

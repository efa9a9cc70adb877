"""Negative controls: every check of a claim that holds fails on runs that contradict the claim."""

import numpy as np
import pytest
from project import ROOT, all_papers

from dpbandits.checks import judging, placing, tables
from dpbandits.checks.measurement import Runs, Sampled, series_in
from dpbandits.statistics.estimators import mean
from dpbandits.studies.claim import PRIVACY

PAPERS = all_papers()
# No runs decide these: a formula, the ledger or likelihoods (tests/theory, tests/privacy, and
# measures.yaml); A15 fails in the corrected reading.
WITHOUT_RUNS = {"D14", "D24", "B8", "B20", "A15", "C16"}


def names_in(check, key, part):
    """The series that an argument of a check names in an experiment."""
    names = check.arguments.get(key, [])
    return series_in(part.experiment, names if isinstance(names, list) else [names])


def factor(check, name, part):
    """Nine for series that the check expects to be smaller, one for larger ones."""
    if name == check.arguments.get("minus"):
        return 0
    of, to = (name in names_in(check, key, part) for key in ("of", "to"))
    expects_less = {"below", "at_most"} & set(check.thresholds)
    return 4 if of and to else 9 if of == bool(expects_less) else 1


def along(part, name):
    return part.experiment.by_name[name].parameters["epsilon"]


def exponent(check, name, part):
    """1/epsilon where the exponent should be near 0, and no dependence where there should be one.

    A constant rises where the exponent should be below 0, since 0 is at the threshold.
    """
    if name == check.arguments.get("minus"):
        return 1
    if "below" in check.thresholds:
        return along(part, name)
    steep = "at_least" in check.thresholds and "minus" not in check.arguments
    return 1 / along(part, name) if steep else 2


def false_world(check, name, part, rank):
    """The curve of a series in a world where the statement is false: regret at t.

    `part`: its experiment's runs; `rank`: that of the experiment among those of the check.
    """
    t, root, constant, of = part.t, part.t**0.5, np.ones(len(part.t)), check.arguments.get("of")
    is_minus, is_first = name == check.arguments.get("minus"), name == of
    match check.measure:
        case (
            "over_bound"
            | "mean_of"
            | "regret_at"
            | "share_that_still_loses"
            | "share_that_loses"
            | "late_share_towards_linear"
            | "final_over_earlier"
            | "later_over_earlier"
            | "locked_in_share_less_half"
            | "error_of_gini_over_deviation"
        ):  # all lose all the time, but for a series that they are compared with
            return t**0.1 if is_minus or name == check.arguments.get("to") else 1e12 * t
        case "growth_exponent":
            return t ** (0.2 if "at_least" in check.thresholds else 1.0)
        case "rise_between_experiments":
            return (1 + rank) * root
        case "lead":  # the first two are alike
            return 10.0 ** max(0, [*dict.fromkeys(of), name].index(name) - 1) * constant
        case "likeness":  # the first of a pair is like the third values, which are about 1
            return (1.1 if name in of[::2] else 2 if name in of else 1) * constant
        case "likeness_of_shapes":
            return t ** {"ucb1": 0.2, "dp-ucb": 1.0}.get(name, 0.3)
        case "change_point":  # at an epsilon of 2
            return constant / min(along(part, name), 2)
        case "exponent_over_exponent":  # one power at every epsilon
            return constant / along(part, name)
        case "exponent_along":
            return exponent(check, name, part) * constant
        case "harm_of_delay":
            names = of if name in of else check.arguments["to"]
            return (1 + (2 if name in of else 1) * names.index(name)) * root
        case "ratio_of_log_gains":  # AdaP-KLUCB gains nothing
            return (0.8 if name == "kl-ucb-as-ucb1" else 1) * root
        case "smallest_step_of_slopes":
            return t ** (-0.2 * (1 + of.index(name)))
        case "exponent_between_experiments":  # it rises as the gap falls
            return (2 if is_first else 1e-3) / part.smallest_gap * root
        case "ratio_of_exponents":  # both fall with the parameter
            if check.arguments.get("along") == "epsilon":
                return root / along(part, name)
            return (1e-3 if is_minus else 2 * part.smallest_gap) * root
        case "difference_left":  # with and without the cause the curve falls as slowly
            return t ** (-0.5 if is_minus else -0.2)
        case "final_spread" | "likeness_of_spreads":
            return root
        case "ratio" | "ratio_over_log_time" | "ratio_between_experiments" | "paired_ratio":
            return factor(check, name, part) * root


RUNS = {"final_spread": 1000, "likeness_of_spreads": 1000}  # of which figures are drawn


def checks_of_claims_that_hold():
    claims = tables.read_claims(ROOT / "reference/claims.csv")
    holding = claims[(claims["answer"] == "holds") & (claims["kind"] != PRIVACY)]
    pairs = {(row.paper, check) for row in holding.itertuples() for check in row.checks.split()}
    return sorted(
        (paper, check)
        for paper, check in pairs
        if check in PAPERS[paper].checks and check not in WITHOUT_RUNS
    )


@pytest.mark.parametrize(
    ("paper", "id"),
    [*checks_of_claims_that_hold(), ("azize2022", "D17-c1"), ("tossou2016", "A14-bound")],
)
def test_it_fails_where_the_statement_is_false(paper, id):
    check = next(check for check in placing.placed_checks(PAPERS[paper]) if check.id == id)
    measure = check.definition.measure
    number = max(RUNS.get(measure, 20), 3 * check.definition.drawn_runs)
    rng, parts = np.random.default_rng(1), []
    for rank, experiment in enumerate(check.experiments):
        bare = Runs(experiment, np.array(experiment.design.rounds, float), {})
        names = series_in(experiment, check.definition.series)
        values = {}
        for name in names:
            curve = false_world(check.definition, name, bare, rank)
            values[name] = curve * (1 + 1e-3 * rng.standard_normal((number, len(bare.t))))
            if "spread" in measure and name != "ucb":
                values[name] += (
                    45_000 * (np.arange(number) % 3 == 0)[:, None]
                )  # a third of the runs lose all the time
        runs = {name: Sampled(value, mean) for name, value in values.items()}
        parts.append(Runs(experiment, bare.t.astype(int), runs))
    assert judging.judge(check, parts, 1)["verdict"] == "fails"

"""Negative controls: every check of a claim that holds fails on runs that contradict the claim."""

import csv

import numpy as np
import pytest
from project import ROOT, all_papers

from dpbandits.checks import judging, placing
from dpbandits.checks.measurement import Runs, Sampled, series_in
from dpbandits.statistics.estimators import mean
from dpbandits.studies.claim import PRIVACY

PAPERS = all_papers()
# No runs decide these: a formula, the ledger or likelihoods (tests/theory, tests/privacy, and
# measures.yaml); A15 fails in the corrected reading.
WITHOUT_RUNS = {"D14", "D24", "B8", "B20", "A15", "C16"}


def as_list(names):
    return names if isinstance(names, list) else [names]


def role(check, name, part):
    """The rank of a series: 1 if the check expects it to be larger, 3 if smaller, 2 if both.

    It is 0 for `minus`.
    """
    if is_minus(check, name):
        return 0
    of, to = (
        name in series_in(part.experiment, as_list(check.arguments[key])) for key in ("of", "to")
    )
    expects_less = {"below", "at_most"} & set(check.thresholds)
    return 2 if of and to else (3 if of else 1) if expects_less else (1 if of else 3)


def is_minus(check, name):
    return name == check.arguments.get("minus")


def exponent(check, name, part):
    """1/epsilon where the exponent should be near 0, and no dependence where there should be one.

    A constant rises where the exponent should be below 0, since 0 is at the threshold.
    """
    if is_minus(check, name):
        return 1
    if "below" in check.thresholds:
        return along(part, name)
    steep = "at_least" in check.thresholds and "minus" not in check.arguments
    return 1 / along(part, name) if steep else 2


def along(part, name):
    return part.experiment.by_name[name].parameters["epsilon"]


def false_world(check, name, part, rank):
    """The curve of a series in a world where the statement is false: regret at t.

    `part`: its experiment's runs; `rank`: that of the experiment among those of the check.
    """
    t, root, is_first = part.t, part.t**0.5, name == check.arguments.get("of")
    match check.measure:
        case "over_bound":
            return 1e15 * root
        case "rise_between_experiments":
            return (1 + rank) * root
        case "mean_of":
            return 5 + 0 * t
        case "share_that_still_loses":
            return 0.1 * t
        case "lead":  # the first two are alike
            rank = [*dict.fromkeys(check.arguments["of"]), name].index(name)
            return 10.0 ** max(0, rank - 1) + 0 * t
        case "likeness":  # the first of a pair is like the third values, which are about 1
            names = check.arguments["of"]
            return (1.1 if names[::2].count(name) else 2 if name in names else 1) + 0 * t
        case "likeness_of_shapes":
            return t ** {"ucb1": 0.2, "dp-ucb": 1.0}.get(name, 0.3)
        case "share_that_loses":
            return 0.5 * part.smallest_gap * t
        case "regret_at":
            return 1e6 + 0 * t
        case "change_point":  # at an epsilon of 2
            return 1 / min(along(part, name), 2) + 0 * t
        case "exponent_over_exponent":  # one power at every epsilon
            return 1 / along(part, name) + 0 * t
        case "late_share_towards_linear":
            return t ** (0.1 if name == check.arguments["to"] else 1.0)
        case "harm_of_delay":
            names = (
                check.arguments["of"] if name in check.arguments["of"] else check.arguments["to"]
            )
            return (1 + (2 if name in check.arguments["of"] else 1) * names.index(name)) * root
        case "exponent_along":
            return exponent(check, name, part) + 0 * t
        case "ratio_of_log_gains":  # AdaP-KLUCB gains nothing
            return (0.8 if name == "kl-ucb-as-ucb1" else 1) * root
        case "final_over_earlier":
            return t ** (0.1 if is_minus(check, name) else 0.5)
        case "later_over_earlier":
            return t**0.2
        case "smallest_step_of_slopes":
            return t ** (-0.2 * (1 + check.arguments["of"].index(name)))
        case "exponent_between_experiments":  # it rises as the gap falls
            return (2 if is_first else 1e-3) / part.smallest_gap * root
        case "ratio_of_exponents":  # both fall with the parameter
            if check.arguments.get("along") == "epsilon":
                return root / along(part, name)
            return (1e-3 if is_minus(check, name) else 2 * part.smallest_gap) * root
        case "difference_left":  # with and without the cause the curve falls as slowly
            return t ** (-0.5 if is_minus(check, name) else -0.2)
        case "error_of_gini_over_deviation":
            return 1 + 0 * t
        case "locked_in_share_less_half":  # Private-UCB alone does not lose
            return t ** (0.1 if is_minus(check, name) else 1)
        case "growth_exponent":
            return t ** (0.2 if "at_least" in check.thresholds else 1.0)
        case "final_spread" | "likeness_of_spreads":
            return root
        case "ratio" | "ratio_over_log_time" | "ratio_between_experiments" | "paired_ratio":
            return role(check, name, part) ** 2 * root


RUNS = {"final_spread": 1000, "likeness_of_spreads": 1000}  # of which figures are drawn


def checks_of_claims_that_hold():
    with (ROOT / "reference/claims.csv").open() as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if row["answer"] == "holds" and row["kind"] != PRIVACY
        ]
    pairs = {(row["paper"], check) for row in rows for check in row["checks"].split()}
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

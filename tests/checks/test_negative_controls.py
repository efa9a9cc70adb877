"""Negative controls: every test of a claim that holds fails on runs of which the claim is false."""

import csv

import numpy as np
import pytest
from project import ROOT, all_papers

from dpbandits.checks import judging
from dpbandits.checks.measurement import Runs, Sampled, series_in
from dpbandits.statistics.estimators import mean
from dpbandits.studies.claim import PRIVACY

PAPERS = all_papers()
# No runs decide these: a formula, or the ledger (tests/theory, tests/privacy); A15 fails in the corrected reading.
WITHOUT_RUNS = {"D14", "B8", "A15"}


def listed(names):
    return names if isinstance(names, list) else [names]


def role(test, name, part):
    """1 for a series that the test expects to be the larger one, 3 for the smaller one, 2 for one that is both; 0 for `minus`."""
    if is_minus(test, name):
        return 0
    of, to = (
        name in series_in(part.experiment, listed(test.arguments[key])) for key in ("of", "to")
    )
    expects_less = {"below", "at_most"} & set(test.thresholds)
    return 2 if of and to else (3 if of else 1) if expects_less else (1 if of else 3)


def is_minus(test, name):
    return name == test.arguments.get("minus")


def exponent(test, name, part):
    """Like 1/epsilon where the exponent should be near 0, else the same at every epsilon."""
    steep = "at_least" in test.thresholds and "minus" not in test.arguments
    return 1 if is_minus(test, name) else 1 / along(part, name) if steep else 2


def place(test, name):
    return test.arguments["of"].index(name)


def along(part, name):
    return part.experiment.by_name[name].parameters["epsilon"]


# measure -> the curve of a series in a world where the statement is false: (test, series, its experiment's runs, rank of the
# experiment) -> regret at t.
WORLDS = {
    **dict.fromkeys(["ratio", "ratio_over_log_time", "ratio_between_experiments", "paired_ratio", "smallest_paired_ratio"],
                    lambda test, name, part, rank: role(test, name, part) * part.t**0.5),
    "over_bound": lambda test, name, part, rank: 1e15 * part.t**0.5,
    **dict.fromkeys(["rise_between_experiments", "range_over_experiments"], lambda test, name, part, rank: (1 + rank) * part.t**0.5),
    "ratio_over_log2_of_T": lambda test, name, part, rank: 1000.0 ** role(test, name, part) * part.t**0.5,
    "mean_of": lambda test, name, part, rank: 5 + 0 * part.t,
    **dict.fromkeys(["share_that_still_loses", "late_share"], lambda test, name, part, rank: 0.1 * part.t),  # it does not saturate
    "exponent_along": lambda test, name, part, rank: exponent(test, name, part) + 0 * part.t,
    "ratio_of_log_gains": lambda test, name, part, rank: (0.8 if name == "kl-ucb-as-ucb1" else 1) * part.t**0.5,  # AdaP-KLUCB gains nothing
    "final_over_earlier": lambda test, name, part, rank: part.t ** (0.1 if is_minus(test, name) else 0.5),
    "later_over_earlier": lambda test, name, part, rank: part.t**0.2,
    "smallest_step_of_slopes": lambda test, name, part, rank: part.t ** (-0.2 * (1 + place(test, name))),
    "chance_of_no_growth": lambda test, name, part, rank: part.t ** (0.5 if name == test.arguments["of"] else 0.1),
    "slope_of_ratio_in_gap": lambda test, name, part, rank: (part.smallest_gap if name == test.arguments["of"] else 1) * part.t**0.5,
    "growth_exponent": lambda test, name, part, rank: part.t ** (0.2 if "at_least" in test.thresholds else 1.0),
    **dict.fromkeys(["final_spread", "chance_of_spread_below"], lambda test, name, part, rank: part.t**0.5),
}  # fmt: skip
RUNS = {"chance_of_spread_below": 1000, "chance_of_no_growth": 10_000}


def of_what_holds():
    with (ROOT / "reference/claims.csv").open(encoding="utf-8") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if row["verdict"] == "holds" and row["kind"] != PRIVACY
        ]
    found = {(row["paper"], test) for row in rows for test in row["checks"].split()}
    return sorted(
        (paper, test)
        for paper, test in found
        if test in PAPERS[paper].checks and test not in WITHOUT_RUNS
    )


@pytest.mark.parametrize(
    ("paper", "id"), [*of_what_holds(), ("azize2022", "D17-c1"), ("tossou2016", "A14")]
)
def test_it_fails_where_the_statement_is_false(paper, id):
    check = next(check for check in judging.placed_checks(PAPERS[paper]) if check.id == id)
    measure = check.definition.measure
    rng, number, parts = np.random.default_rng(1), RUNS.get(measure, 20), []
    for rank, experiment in enumerate(check.experiments):
        bare = Runs(experiment, np.array(experiment.design.rounds, float), {})
        names = series_in(experiment, check.definition.series)
        values = {}
        for name in names:
            curve = WORLDS[measure](check.definition, name, bare, rank)
            values[name] = curve * (1 + 1e-3 * rng.standard_normal((number, len(bare.t))))
            if measure == "chance_of_spread_below":
                values[name] += (
                    45_000 * (np.arange(number) % 3 == 0)[:, None]
                )  # a third of the runs lose all the time
        runs = {name: Sampled(value, mean) for name, value in values.items()}
        parts.append(Runs(experiment, bare.t.astype(int), runs))
    assert judging.judge(check, parts, 1)["verdict"] == "fails"

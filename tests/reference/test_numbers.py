"""The last full run against curves that authors drew, and against cells.csv.

The numbers of cells.csv are from other code or from a formula.

A row names a value, the standard deviation of a run and the number of runs of the other code
(empty: as ours), how many standard errors of the difference are allowed (0: none), what is allowed
besides (rounding, rare runs) and by how much few runs are too high.
"""

import math

import numpy as np
import pandas as pd
import pytest
from project import ROOT
from reference_tables import REFERENCE, checks, summary

CELLS = pd.read_csv(ROOT / "tests/reference/cells.csv").to_dict("records")
# What of a column's error is known beside the standard deviation of the runs; a median of normal
# means has sqrt(pi/2) of a mean's.
OF_A_RUN = {"mean": 1.0, "median_of_means": math.sqrt(math.pi / 2)}


def difference(cell):
    """Ours less the other number, and its standard error."""
    sd, runs, column = cell["sd"], cell["runs"], cell["column"]
    if column == "check":  # a ratio within runs, whose errors are known as such
        key = (cell["policy"], cell["experiment"])
        (row,) = [row for row in checks(cell["paper"]) if (row["check"], row["experiment"]) == key]
        return float(row["value"]) - cell["value"], math.hypot(float(row["standard_error"]), sd)
    table = summary(cell["paper"], cell["experiment"])
    table = table[table["policy"] == cell["policy"]]
    ours = {
        name: np.interp(math.log(cell["t"]), np.log(table["t"]), table[name])
        for name in table.select_dtypes("number")
    }
    if column == "nash_regret":
        error = ours["nash_regret_error"]
        theirs = sd if sd == sd else error * math.sqrt(ours["runs"] / runs)
        return ours[column] + np.nan_to_num(cell["bias"]) - cell["value"], math.hypot(error, theirs)
    sd = max(sd, ours["std"]) * OF_A_RUN[column] if column in OF_A_RUN else sd
    return ours[column] - cell["value"], sd * math.sqrt(1 / runs + 1 / ours["runs"])


@pytest.mark.parametrize(
    "cell", CELLS, ids=lambda cell: "/".join(str(cell[key]) for key in list(cell)[:5])
)
def test_a_number_is_that_of_other_code(cell):
    distance, error = difference(cell)
    allowed = np.nan_to_num(cell["allowance"]) + (cell["errors"] * error if cell["errors"] else 0)
    assert abs(distance) <= allowed, (
        f"{distance:g} from {cell['value']:g}, more than {allowed:g}; {cell['why']}"
    )


def by_curve(path):
    rows = pd.read_csv(path).to_dict("records")
    return {(row["paper"], row["figure"], row["series"]): row for row in rows}


DISTANCES = by_curve(REFERENCE / "distances.csv")
# The largest permitted median and largest difference, relative to the drawn points. Those of
# curves.csv are the larger of the distances that two sets of random numbers gave, plus their
# difference.
USUAL = {"median": 0.02, "largest": 0.04}
OTHERS = by_curve(ROOT / "tests/reference/curves.csv")
SINGLE_RUNS = [curve for curve, row in DISTANCES.items() if row["runs"] > 0]


@pytest.mark.parametrize("curve", sorted(DISTANCES.keys() - SINGLE_RUNS), ids="/".join)
def test_a_curve_is_drawn_as_published(curve):
    limits = OTHERS.get(curve, USUAL)
    assert DISTANCES[curve]["points"] > 50
    for column in USUAL:
        assert DISTANCES[curve][column] <= limits[column]


@pytest.mark.parametrize("curve", SINGLE_RUNS, ids="/".join)
def test_a_single_run_ends_among_ours(curve):
    """Within three standard deviations."""
    row = DISTANCES[curve]
    assert abs(row["end"] - row["mean"]) <= 3 * row["std"] + 1e-9


def test_every_curve_that_is_known_as_numbers_is_compared():
    known = set()
    for file in sorted((REFERENCE / "published").glob("*/*.csv")):
        series = pd.read_csv(file, dtype=str)["series"].dropna()
        known |= {(file.parent.name, file.stem, name) for name in series}
    assert set(DISTANCES) == known
    assert set(OTHERS) <= known

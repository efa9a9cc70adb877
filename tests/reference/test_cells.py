"""The last full run against cells.csv: numbers that code of others measured, or that follow from a formula.

A row names a value, the standard deviation of a run and the number of runs of the other code (empty: as ours), how many standard
errors of the difference are allowed (0: none), what is allowed besides (rounding, rare runs) and by how much few runs are too high.
"""

import math

import numpy as np
import pandas as pd
import pytest
from project import ROOT
from reference_tables import claims, summary

CELLS = pd.read_csv(ROOT / "tests/reference/cells.csv").to_dict("records")
# What of a column's error is known beside the standard deviation of the runs; a median of normal means has sqrt(pi/2) of a mean's.
OF_A_RUN = {"mean": 1.0, "median_of_means": math.sqrt(math.pi / 2)}


def difference(cell):
    """Ours less the other number, and its standard error."""
    sd, runs, column = cell["sd"], cell["runs"], cell["column"]
    if column == "claim":  # a ratio within runs, whose errors are known as such
        key = (cell["policy"], cell["experiment"])
        (row,) = [row for row in claims(cell["paper"]) if (row["claim"], row["experiment"]) == key]
        return float(row["value"]) - cell["value"], math.hypot(float(row["standard_error"]), sd)
    table = summary(cell["paper"], cell["experiment"])
    table = table[table["policy"] == cell["policy"]]
    ours = {name: np.interp(math.log(cell["t"]), np.log(table["t"]), table[name]) for name in table.select_dtypes("number")}  # fmt: skip
    if column == "nash_regret":
        error = ours["nash_regret_error"]
        theirs = sd if sd == sd else error * math.sqrt(ours["runs"] / runs)
        return ours[column] + np.nan_to_num(cell["bias"]) - cell["value"], math.hypot(error, theirs)
    sd = max(sd, ours["std"]) * OF_A_RUN[column] if column in OF_A_RUN else sd
    return ours[column] - cell["value"], sd * math.sqrt(1 / runs + 1 / ours["runs"])


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "/".join(str(cell[key]) for key in list(cell)[:5]))
def test_a_number_is_that_of_other_code(cell):
    found, error = difference(cell)
    allowed = np.nan_to_num(cell["allowance"]) + (cell["errors"] * error if cell["errors"] else 0)
    assert abs(found) <= allowed, f"{found:g} from {cell['value']:g}, more than {allowed:g}; {cell['why']}"

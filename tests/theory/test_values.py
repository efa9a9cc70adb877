"""The bounds against values.csv: numbers that were computed independently, to their last digit."""

import numpy as np
import pandas as pd
import pytest
from project import ROOT

from dpbandits.theory import bounds

ARMS = {
    "C1": [0.75, 0.70, 0.70, 0.70, 0.70],
    "C2": [0.75, 0.625, 0.5, 0.375, 0.25],
    "C3": [0.75, 0.53125, 0.375, 0.28125, 0.25],
    "C4": [0.75, 0.71875, 0.625, 0.46875, 0.25],
    "F3": [0.8, 0.1, 0.1, 0.1, 0.1],
    "two": [0.9, 0.6],
    "three": [0.9, 0.9, 0.6],
    "ten": [0.1] * 8 + [0.2, 0.55],
    "nine": [0.9, 0.4, 0.4, 0.4, 0.4],
}
VALUES = pd.read_csv(ROOT / "tests/theory/values.csv", dtype={"given": str}, keep_default_na=False)


@pytest.mark.parametrize("bound", VALUES["bound"].unique())
def test_a_bound_has_the_values_that_were_computed_independently(bound):
    """Of games that have no gaps the table has the number of arms."""
    for row in VALUES[VALUES["bound"] == bound].itertuples():
        given = {name: float(value) for name, value in (pair.split("=") for pair in row.given.split())}
        if bound in bounds.THEOREMS:
            found = bounds.THEOREMS[bound](row.t, int(row.arms), **given)
        else:
            found = bounds.at(bound, np.array(ARMS[row.arms]), row.t, given)
        assert found == pytest.approx(row.value, abs=row.tolerance), row

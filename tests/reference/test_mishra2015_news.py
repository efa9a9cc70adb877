"""The tracked reference against a table of click rates from independent code: ratios within a run, so that articles cancel.

The claims table has them with standard errors over the article seeds; the table's own are 0.006 to 0.03.
"""

import pytest
from reference_tables import claims

# (claim, experiment): ratio, standard error; whole logs.
TABLE = {
    # The private policy over the other; of the claim on both policies the smaller ratio.
    ("E10-undelayed", "fig2"): (0.969, 0.015),
    ("E10-undelayed-ts", "fig2"): (0.937, 0.006),
    ("E10-setting", "s-setting-articles"): (0.56, 0.015),
    # The click rate at a delay of 1000 relative to that without delay, of the non-private policy over the private one.
    ("E11", "fig2"): (1.029 / 1.011, 0.02),
    ("E11-ts", "fig2"): (1.0026, 0.0096),
}


def measured(claim, experiment):
    (row,) = [row for row in claims("mishra2015") if (row["claim"], row["experiment"]) == (claim, experiment)]
    return float(row["value"]), float(row["standard_error"])


@pytest.mark.parametrize(("claim", "experiment"), TABLE)
def test_paired_ratios(claim, experiment):
    wanted, table_error = TABLE[claim, experiment]
    value, error = measured(claim, experiment)
    assert abs(value - wanted) <= 3 * (error**2 + table_error**2) ** 0.5, (value, error, wanted)

"""Correct policies, one for each kind of release, raise no alarm whatever the seed."""

import itertools

import pytest

from dpbandits.audit import lower_bounds
from dpbandits.audit.findings import ALARMS
from dpbandits.studies.settings import Effort
from dpbandits.studies.study import Series

EFFORT = Effort(epsilons=[1.0], games=4000, reports=20_000)
POLICIES = {
    "means": "adap_ucb", "Gaussian means": "adac_ucb", "means of all rewards": "dp_ucb_int",
    "sums": "dp_klucb", "sums of an aggregator": "dist_dp_se", "tree": "private_ucb", "hybrid": "dp_ucb_bound",
    "episodes": "gdp_ncb", "reports": "ldp_ucb", "responses": "rr_kl_ucb", "gains": "dp_exp3_lap",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", POLICIES)
def test_no_alarm_in_two_hundred_seeds(kind):
    """With a confidence of 95% for each bound, one in twenty may be too large. With that of a table none is: 200 tables of these
    policies allow 0.2 alarms."""
    mechanism = lower_bounds.mechanism_of(Series("a", "a", POLICIES[kind], {"epsilon": 1.0}, "a", 0))
    asked = list(itertools.product(range(200), mechanism.jobs([1.0])))

    def alarms(asked, alpha):
        rows = [lower_bounds.audit(mechanism, *job, alpha, seed, EFFORT) for seed, job in asked]
        assert all(row["games"] for row in rows)
        return [each for each, row in zip(asked, rows, strict=True) if row["finding"] in ALARMS]

    suspected = alarms(asked, 0.05)
    assert len(suspected) <= 0.05 * len(asked)
    assert alarms(suspected, (1 - lower_bounds.CONFIDENCE) / (2 * len(POLICIES))) == []

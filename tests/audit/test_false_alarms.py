"""Correct policies, one for each kind of release, raise no alarm whatever the seed."""

import itertools

import pytest

from dpbandits.audit import lower_bounds
from dpbandits.audit.findings import ALARMS
from dpbandits.random import stream
from dpbandits.studies.study import Series

GAMES = {"actions": 1000, "reports": 5000}
POLICIES = {
    "means": "adap_ucb", "Gaussian means": "adac_ucb", "means of all rewards": "dp_ucb_int",
    "sums": "dp_klucb", "sums of an aggregator": "dist_dp_se", "tree": "private_ucb", "hybrid": "dp_ucb_bound",
    "episodes": "gdp_ncb", "reports": "ldp_ucb", "responses": "rr_kl_ucb", "gains": "dp_exp3_lap",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", POLICIES)
def test_no_alarm_in_two_hundred_seeds(kind):
    """With a confidence of 95% for each bound, one in twenty may be too large. With that of a table none is: 200 tables of these
    policies allow 0.2 alarms. With fewer games than a table's, wrong bounds exceed what is lost by more."""
    mechanism = lower_bounds.mechanism_of(Series("a", "a", POLICIES[kind], {"epsilon": 1.0}, "a", 0))
    jobs = [(channel, list(lower_bounds.pairs_of(mechanism, channel, each))) for channel, each in mechanism.jobs([1.0])]
    asked = list(itertools.product(range(200), jobs))

    def is_alarm(seed, job, alpha):
        channel, pairs = job
        found = lower_bounds.lower_bound(pairs, stream(seed, "alarm", channel), GAMES[channel], alpha)
        return lower_bounds.finding(found.pair.account, found.bound, True) in ALARMS

    suspected = [each for each in asked if is_alarm(*each, 0.05)]
    assert len(suspected) <= 0.05 * len(asked)
    assert not any(is_alarm(*each, (1 - lower_bounds.CONFIDENCE) / (2 * len(POLICIES))) for each in suspected)

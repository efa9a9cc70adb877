"""The audits of a finished run: no bound exceeds the ledger, known violations are found."""

import pandas as pd
import pytest
from project import PAPERS

from dpbandits.audit.findings import ABOVE_LEDGER, ABOVE_PROMISE, ALARMS, NO_POWER

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables(finished):
    folder = finished.folder / "results/smoke/audits"
    return {
        paper: pd.read_csv(folder / f"{paper}.csv", keep_default_na=False, na_values=[""])
        for paper in PAPERS
    }


def test_no_bound_exceeds_the_ledger_and_every_corrected_reading_keeps_its_promise(tables):
    for paper, table in tables.items():
        wrong = table[
            (table["finding"] == ABOVE_LEDGER) | (table["measured"] > table["spent"] * (1 + 1e-9))
        ]
        assert wrong.empty, f"{paper}:\n{wrong.to_string()}"
        as_drawn = table["policy"].eq(
            "adap-ucb-same-runs"
        )  # in either reading, to be compared with
        assert not table[table["reading"].eq("corrected") & ~as_drawn]["finding"].isin(ALARMS).any()


def test_a_row_that_would_miss_missing_noise_has_no_power(tables):
    """Some do at the smoke scale, but most are found, and all reports."""
    everything = pd.concat(tables.values()).dropna(subset="measured")
    allowed = (
        everything["spent"]
        .where(everything["spent"] < float("inf"), 0)
        .clip(lower=everything["epsilon"])
    )
    quiet = ~everything["finding"].isin(ALARMS)
    assert (everything["finding"].str.startswith(NO_POWER) == (everything["power"] <= allowed))[
        quiet
    ].all()
    assert (everything["power"] > allowed)[everything["channel"] == "reports"].all()
    assert everything["finding"].str.startswith(NO_POWER).mean() < 0.2


def test_the_known_violations_are_found(tables):
    """That of DP-UCB needs more games than this scale has."""
    table = tables["sarkar2025"]
    broken = table[table["finding"] == ABOVE_PROMISE]
    violations = set(zip(broken["policy"], broken["reading"], broken["channel"], strict=True))
    assert {("adap-ucb", "published", "actions"), ("ldp-ncb", "published", "reports")} <= violations
    assert ("gdp-theory", "both", "actions") in violations

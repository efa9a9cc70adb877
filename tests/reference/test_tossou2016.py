"""Our full run against a table that other people's code measured (100 runs each, T = 1e5), and the claims' verdicts.

Numbers of the specification; two independent samples of 100 runs agree within three standard errors of their difference.
"""

import math
from pathlib import Path

import pandas as pd
import pytest

REFERENCE = Path(__file__).parents[2] / "reference"
MEASURED = {
    "fig2a.corrected": {"ucb": 70.3, "dp-ucb-int": 108, "dp-ucb-bound": 307.2, "dp-ucb": 521, "private-ucb": 9172},
    "fig2b.corrected": {"ucb": 70.3, "dp-ucb-int": 525.3, "dp-ucb-bound": 2457.6, "dp-ucb": 2691, "private-ucb": 14287},
    "fig2c.corrected": {"ucb": 442.9, "dp-ucb-int": 850, "dp-ucb-bound": 2901, "dp-ucb": 4644, "private-ucb": 39270},
    "fig2d.corrected": {
        "ucb": 442.9,
        "dp-ucb-int": 6916.4,
        "dp-ucb-bound": 16437,
        "dp-ucb": 23432,
        "private-ucb": 39476,
    },
    "fig2a": {"dp-ucb": 263, "dp-ucb-bound": 307, "private-ucb": 14400},
    "fig2b": {"dp-ucb": 1261, "dp-ucb-bound": 2458, "private-ucb": 14100},
    "fig2c": {"dp-ucb": 2246, "dp-ucb-bound": 2780, "private-ucb": 39750},
    "fig2d": {"dp-ucb": 11443, "dp-ucb-bound": 16208, "private-ucb": 40850},
    "s-hybrid-a": {"dp-ucb-by-hybrid-full-log2": 329, "bound-by-hybrid-full-log2": 307},
    "s-hybrid-b": {"dp-ucb-by-hybrid-full-log2": 1645, "bound-by-hybrid-full-log2": 2458},
    "s-hybrid-c": {"dp-ucb-by-hybrid-full-log2": 2863, "bound-by-hybrid-full-log2": 2782},
    "s-hybrid-d": {"dp-ucb-by-hybrid-full-log2": 14867, "bound-by-hybrid-full-log2": 16208},
    "s-interval-a": {"int-redrawn": 1116},
    "s-interval-b": {"int-by-schedule-simple": 6477},
    "s-interval-d": {"int-by-schedule-simple": 39500, "int-redrawn": 24767},
}
CELLS = [(experiment, policy, value) for experiment, row in MEASURED.items() for policy, value in row.items()]


def finals(experiment):
    table = pd.read_csv(REFERENCE / f"summaries/tossou2016/{experiment}.csv")
    return table[table["t"] == 100_000].set_index("policy")


@pytest.mark.parametrize(("experiment", "policy", "value"), CELLS)
def test_final_regret_agrees_with_independent_code(experiment, policy, value):
    row = finals(experiment).loc[policy]
    assert row["runs"] == 100
    error = math.sqrt(2) * row["std"] / math.sqrt(row["runs"])
    rounding = 0.5 * 10 ** -(len(str(value).split(".")[1]) if "." in str(value) else 0)
    rare = 0.003 * value  # a level that some runs in a hundred leave, so that a sample of 100 may have none of them
    assert abs(row["mean"] - value) <= 3 * error + rounding + rare


@pytest.mark.parametrize(("panel", "value"), [("a", 1266), ("b", 7627), ("c", 10904), ("d", 37175)])
def test_without_the_power_of_two_rule(panel, value):
    """The specification does not say how many runs these four are from; panel b is 3% off (ours, 1,500 runs: 7,845 +- 13)."""
    assert finals(f"s-power-of-two-{panel}").loc["bound-by-rule-false", "mean"] == pytest.approx(value, rel=0.035)


def test_dp_ucb_int_stays_at_its_exact_value():
    """W_1 sum_a gap_a in panels b and d, by the median of means and in almost every run."""
    for experiment, exact in [("fig2b", 1751 * 0.3), ("fig2d", 1751 * (8 * 0.45 + 0.35))]:
        row = finals(experiment).loc["dp-ucb-int"]
        assert row["median_of_means"] == pytest.approx(exact, rel=1e-9)
        assert row["min"] == pytest.approx(exact, rel=1e-9)
        assert row["mean"] == pytest.approx(exact, rel=0.1)


def test_dp_ucb_bound_starves_the_bad_arm_at_a_power_of_two():
    assert finals("fig2a.corrected").loc["dp-ucb-bound", ["min", "max"]].tolist() == pytest.approx([307.2, 307.2])
    assert finals("fig2b.corrected").loc["dp-ucb-bound", "median_of_means"] == pytest.approx(2457.6)


def verdicts():
    table = pd.read_csv(REFERENCE / "claims/tossou2016.csv")
    return table.set_index(["claim", "experiment", "reading"])["verdict"].to_dict()


PANELS = ["fig2a", "fig2b", "fig2c", "fig2d"]


@pytest.mark.parametrize("claim", ["A1", "A4-weak", "A5", "A8", "A9", "A10", "A11", "A12", "P3", "P4"])
def test_claims_that_hold_in_every_panel_and_reading(claim):
    found = verdicts()
    assert {found[claim, panel, reading] for panel in PANELS for reading in ("published", "corrected")} == {"holds"}


def test_claims_on_which_the_readings_part():
    found = verdicts()
    for panel in PANELS:
        assert (found["A4", panel, "published"], found["A4", panel, "corrected"]) == ("fails", "holds")
        assert (found["P1", panel, "published"], found["P1", panel, "corrected"]) == ("fails", "holds")
        assert (found["P2", panel, "published"], found["P2", panel, "corrected"]) == ("fails", "holds")
        assert found["A3", panel, "published"] == "holds"
        assert found["A2", panel, "corrected"] in ("holds", "undecided")
    for panel in ("fig2a", "fig2b"):
        assert (found["A7", panel, "published"], found["A7", panel, "corrected"]) == ("holds", "fails")
    assert found["A6", "fig2b", "corrected"] == "fails"
    assert [found["A3-strong", panel, "corrected"] for panel in PANELS][2:] == ["fails", "fails"]


def test_every_claim_that_does_not_hold_says_why():
    table = pd.read_csv(REFERENCE / "claims/tossou2016.csv")
    for row in table[table["verdict"] != "holds"].itertuples():
        assert isinstance(row.cause, str), f"{row.claim} {row.experiment} {row.reading}: {row.evidence}"

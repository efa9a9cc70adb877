"""What captions, causes and pages say in words about the last full run."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from playing import AZIZE2022
from project import ROOT
from reference_tables import REFERENCE, checks, rows_at, summary

from dpbandits import studies
from dpbandits.theory import azize2022, tossou2016

EPSILONS = (0.1, 0.25, 0.5, 1)
ENVIRONMENTS = ("c1", "c2", "c3", "c4")


def ratios(of, to):
    """(environment, epsilon) -> the ratio of two policies' mean regrets at T."""
    rows = {c: rows_at("azize2022", f"s-slip-{c}") for c in ENVIRONMENTS}
    return {
        (c, e): rows[c][f"{of}-{e:g}"]["mean"] / rows[c][f"{to}-{e:g}"]["mean"]
        for c in ENVIRONMENTS
        for e in EPSILONS
    }


def spread(values):
    return (max(values) - min(values)) / min(values)


def test_azize2022_the_captions_of_the_slip():
    result = ratios("se-skip-by-eps", "se-all-by-eps")
    costs = f"{min(result.values()):.1f} to {max(result.values()):.1f} times"
    assert costs == "3.4 to 8.8 times"
    paper = studies.load(ROOT / "config/papers/azize2022.yaml")
    assert all(costs in paper.figures[f"s-slip-{c}"].caption for c in ENVIRONMENTS)
    rows = {c: rows_at("azize2022", f"s-slip-{c}") for c in ENVIRONMENTS}
    over_epsilon = {
        c: spread([rows[c][f"se-skip-by-eps-{e:g}"]["mean"] for e in EPSILONS])
        for c in ENVIRONMENTS
    }
    assert {c for c, value in over_epsilon.items() if value <= 0.1} == {"c1", "c2", "c3"}
    for index in ("ucb-by-eps", "klucb-by-eps"):
        above = {at for at, value in ratios(index, "se-all-by-eps").items() if value > 1}
        assert above == {("c1", 0.1), ("c2", 0.1), ("c3", 0.1)}
    assert (
        spread([rows_at("azize2022", f"fig7{letter}")["dp-se"]["median"] for letter in "abcd"])
        <= 0.02
    )


def test_azize2022_the_captions_of_equation_8():
    for other in ("ucb-by-eps", "se-all-by-eps"):
        assert max(ratios("klucb-one-panels", other).values()) < 1
    half = {
        at for at, value in ratios("klucb-half-budget-panels", "se-all-by-eps").items() if value > 1
    }
    assert half == {("c2", 0.1), ("c3", 0.1)}
    rows = rows_at("azize2022", "s-cap")
    eq8, one, cap = (
        {
            float(name.rpartition("-")[2]): row["mean"]
            for name, row in rows.items()
            if name.startswith(series)
        }
        for series in ("klucb-eq8-by-eps", "klucb-one-by-eps", "klucb-cap-by-eps")
    )
    assert eq8[10] < 0.96 * eq8[9.00556]  # it still falls at epsilon = 10
    beyond = [e for e in cap if e > 1]
    assert spread([cap[e] for e in beyond]) < 0.05 < 0.25 < spread([one[e] for e in beyond])


def test_azize2022_where_all_runs_agree_hidden_ones_do_not_reach_the_bound():
    """D12 in fig4a: the share of lost runs that would bring the mean to the smallest bound."""
    gaps = 0.75 - np.array(AZIZE2022["C1"])
    largest, bound = gaps.max() * 1e7, azize2022.azize2022_theorem_7(gaps, 10**7, 0.1, 3.1)
    for experiment in ("fig4a", "fig4a.corrected"):
        row = rows_at("azize2022", experiment)["adap-ucb"]
        needed = (bound - row["mean"]) / (largest - row["mean"])
        assert needed > 1 / 11
        assert (1 - needed) ** row["runs"] < 1e-40  # the probability that none of them was drawn


@pytest.mark.parametrize(
    ("experiment", "policy", "grid", "parameter"),
    [
        ("fig1a", "private-ucb", "ucb-by-c", "relax_c"),
        ("fig1b", "private-thompson", "thompson-by-m", "explore_c"),
        ("s-interval", "private-ucb1-interval", "ucb1-by-c", "relax_c"),
    ],
)
def test_mishra2015_the_tuned_constants_are_no_choice_of_ours(experiment, policy, grid, parameter):
    """Each has the least mean regret at T of its grid, or one that cannot be told from it.

    No check judges the runs of the grid.
    """
    paper = studies.load(ROOT / "config/papers/mishra2015.yaml")
    grids = {
        0.1: "s-tuning-a",
        0.5: "s-tuning-b",
        1: "s-tuning-c",
        2: "s-tuning-d",
        10: "s-tuning-e",
    }
    for series in paper.experiments[experiment].policies[policy].series:
        tuning = grids[series.parameters["epsilon"]]
        values = {
            s.id: s.parameters[parameter] for s in paper.experiments[tuning].policies[grid].series
        }
        rows = {
            values[name]: row
            for name, row in rows_at("mishra2015", tuning).items()
            if name in values
        }
        assert len(rows) == len(values)
        chosen, least = (
            rows[series.parameters[parameter]],
            min(rows.values(), key=lambda row: row["mean"]),
        )
        error = math.sqrt(chosen["std"] ** 2 / chosen["runs"] + least["std"] ** 2 / least["runs"])
        assert chosen["mean"] - least["mean"] <= 2 * error, (
            series.id,
            chosen["mean"],
            least["mean"],
        )


def nash(experiment, policy):
    """The Nash regret at T."""
    return rows_at("sarkar2025", experiment)[policy]["nash_regret"]


def test_sarkar2025_without_a_private_mean_the_constants_of_the_theorems_lock_an_arm_in():
    """At T = 1e8 Phase II ends as it begins, at a random arm.

    With the private means of Phase I, only the regret of Phase I is left.
    """
    zero, raw, tested = (
        nash("s-theory-8", f"gdp-theory{kind}-2") for kind in ("", "-private-mean", "-private-test")
    )
    assert raw < 0.35 < zero
    assert tested == pytest.approx(raw, rel=0.02)


def test_sarkar2025_the_noise_alone_costs_nothing():
    """The share of GDP-NCB's excess over NCB that is left with a thousandth of noise and terms.

    Without the terms alone it is larger.
    """
    ncb, run, silent, public = (
        nash("s-noise", policy)
        for policy in ("ncb", "gdp-noise", "gdp-hardly-noise", "gdp-hardly-privacy")
    )
    assert run < silent
    assert nash("s-noise", "gdp-hardly-terms") > 3 * nash("s-noise", "gdp-noise-private-mean")
    assert (public - ncb) / (run - ncb) == pytest.approx(0.131, abs=0.01)


def test_sarkar2025_no_nash_regret_is_below_the_average_regret():
    """AM-GM on every curve; a regret measured against a mean of 1 is that much larger in both."""
    for path in (REFERENCE / "summaries/sarkar2025").glob("*.csv"):
        table = pd.read_csv(path)
        assert (table["nash_regret"] >= table["mean"] / table["t"] - 1e-9).all()


def test_tossou2016_dp_ucb_bound_starves_the_bad_arm_at_a_power_of_two():
    for experiment in ("fig2a", "fig2b"):
        row = rows_at("tossou2016", experiment)["dp-ucb-bound"]
        for extreme in (row["min"], row["max"]):
            assert math.log2(extreme / 0.3) == pytest.approx(
                round(math.log2(extreme / 0.3)), abs=1e-6
            )


def test_tossou2016_private_ucb_without_relaxation_ends_at_either_end():
    for panel in "ab":
        row = rows_at("tossou2016", f"fig2{panel}")["private-ucb"]
        assert (row["min"] < 300, row["max"] > 29_700) == (True, True)


def test_tossou2016_dp_ucb_int_loses_some_runs_for_a_long_time():
    """Theorem 3.5 fails at epsilon = 5: the mean exceeds its bound.

    The median stays far below. Lost runs return, but late.
    """
    table = summary("tossou2016", "s-lost-runs").set_index("t")
    bound = tossou2016.tossou2016_dp_ucb_int(np.array([0, 0.3]), 10**5, 5.0, math.exp(-10))
    assert table.loc[100_000, "median"] < bound < table.loc[100_000, "mean"]
    assert 0.01 < table.loc[100_000, "locked_in"] < table.loc[10_000, "locked_in"] < 0.04


def test_tossou2016_numbers_in_words():
    values = {
        (row["check"], row["experiment"], row["reading"]): float(row["value"])
        for row in checks("tossou2016")
        if row["value"]
    }
    for panel in "abcd":  # the noise as printed spends more than it says
        assert values["P1", f"fig2{panel}", "published"] == pytest.approx(
            1 + 1 / math.log(2), rel=1e-5
        )
        assert values["P1", f"fig2{panel}", "corrected"] == pytest.approx(1, rel=1e-5)
    (similar,) = [
        float(re.search(r"a share of ([\d.]+)", row["evidence"])[1])
        for row in checks("tossou2016")
        if (row["check"], row["experiment"], row["reading"]) == ("A6", "fig2a", "published")
    ]
    assert 0.4 < similar < 0.6  # "about one half"
    assert (
        0.7 < (1 - rows_at("tossou2016", "fig2a")["dp-ucb-int"]["locked_in"]) ** 100 < 0.8
    )  # "about three of four"
    gaps = " ".join(f"s-gaps-{gap}" for gap in (50, 30, 20, 10, 5))
    for reading, slope in (("published", 0.2354), ("corrected", 0.2369)):
        assert values["A14", gaps, reading] == pytest.approx(slope, abs=5e-4)


def test_tossou2017_panels_b_and_c_are_the_same_in_law():
    """The panels have the same law.

    A gain whose mean is drawn independently in each round is Bernoulli(0.55) or Bernoulli(0.5).
    """
    for policy in ("exp3", "dp-exp3-lap", "exp3-tau"):
        b, c = (rows_at("tossou2017", experiment)[policy] for experiment in ("fig6b", "fig6c"))
        error = math.hypot(b["std"] / math.sqrt(b["runs"]), c["std"] / math.sqrt(c["runs"]))
        assert abs(b["mean"] - c["mean"]) <= 4 * error

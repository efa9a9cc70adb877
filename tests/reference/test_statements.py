"""What captions, causes and pages say in words about the last full run."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from playing import AZIZE2022
from project import PAPERS, ROOT, study_of
from reference_tables import REFERENCE, checks, rows_at, summary

from dpbandits.theory import azize2022, tossou2016

EPSILONS = (0.1, 0.25, 0.5, 1)
ENVIRONMENTS = ("c1", "c2", "c3", "c4")


def means_in_slip(environment, series):
    """epsilon -> the mean regret at T of a series of azize2022's s-slip."""
    rows = rows_at("azize2022", f"s-slip-{environment}")
    return {epsilon: rows[f"{series}-{epsilon:g}"]["mean"] for epsilon in EPSILONS}


def ratios(of, to):
    """(environment, epsilon) -> the ratio of two series' mean regrets at T."""
    return {
        (c, epsilon): mean / means_in_slip(c, to)[epsilon]
        for c in ENVIRONMENTS
        for epsilon, mean in means_in_slip(c, of).items()
    }


def epsilon_in(series):
    return float(series.rpartition("-")[2])


def spread(values):
    return max(values) / min(values) - 1


def standard_error(row):
    return row["std"] / math.sqrt(row["runs"])


def test_azize2022_the_captions_of_the_slip():
    result = ratios("se-skip-by-eps", "se-all-by-eps").values()
    costs = f"{min(result):.1f} to {max(result):.1f} times"
    assert costs == "3.4 to 8.8 times"
    figures = study_of("azize2022").figures
    assert all(costs in figures[f"s-slip-{c}"].caption for c in ENVIRONMENTS)
    for c in ENVIRONMENTS:
        over_epsilon = spread(means_in_slip(c, "se-skip-by-eps").values())
        assert (over_epsilon <= 0.1) == (c != "c4")
    for index in ("ucb-by-eps", "klucb-by-eps"):
        above = {at for at, value in ratios(index, "se-all-by-eps").items() if value > 1}
        assert above == {("c1", 0.1), ("c2", 0.1), ("c3", 0.1)}
    medians = [rows_at("azize2022", f"fig7{panel}")["dp-se"]["median"] for panel in "abcd"]
    assert spread(medians) <= 0.02


def test_azize2022_the_captions_of_equation_8():
    for other in ("ucb-by-eps", "se-all-by-eps"):
        assert max(ratios("klucb-one-panels", other).values()) < 1
    half = ratios("klucb-half-budget-panels", "se-all-by-eps")
    assert {at for at, value in half.items() if value > 1} == {("c2", 0.1), ("c3", 0.1)}
    means = {name: row["mean"] for name, row in rows_at("azize2022", "s-cap").items()}
    # It still falls at epsilon = 10.
    assert means["klucb-eq8-by-eps-10"] < 0.96 * means["klucb-eq8-by-eps-9.00556"]
    one, cap = (
        [means[name] for name in means if name.startswith(series) and epsilon_in(name) > 1]
        for series in ("klucb-one", "klucb-cap")
    )
    assert spread(cap) < 0.05 < 0.25 < spread(one)


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
    experiments = study_of("mishra2015").experiments
    panels = dict(zip((0.1, 0.5, 1, 2, 10), "abcde", strict=True))
    for series in experiments[experiment].policies[policy].series:
        tuning = f"s-tuning-{panels[series.parameters['epsilon']]}"
        of_run = rows_at("mishra2015", tuning)
        rows = {
            tried.parameters[parameter]: of_run[tried.id]
            for tried in experiments[tuning].policies[grid].series
        }
        chosen = rows[series.parameters[parameter]]
        least = min(rows.values(), key=lambda row: row["mean"])
        error = math.hypot(standard_error(chosen), standard_error(least))
        assert chosen["mean"] - least["mean"] <= 2 * error, series.id


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
    ncb, run, silent, public, terms, private = (
        nash("s-noise", policy if policy == "ncb" else f"gdp-{policy}")
        for policy in (
            "ncb", "noise", "hardly-noise", "hardly-privacy", "hardly-terms", "noise-private-mean"
        )
    )  # fmt: skip
    assert run < silent
    assert terms > 3 * private
    assert (public - ncb) / (run - ncb) == pytest.approx(0.131, abs=0.01)


def test_sarkar2025_no_nash_regret_is_below_the_average_regret():
    """AM-GM on every curve; a regret measured against a mean of 1 is that much larger in both."""
    for path in (REFERENCE / "summaries/sarkar2025").glob("*.csv"):
        table = pd.read_csv(path)
        assert (table["nash_regret"] >= table["mean"] / table["t"] - 1e-9).all()


@pytest.mark.parametrize("panel", "ab")
def test_tossou2016_the_best_and_worst_runs(panel):
    """DP-UCB-BOUND plays the bad arm for a power of two rounds.

    Private-UCB without relaxation ends at either end.
    """
    rows = rows_at("tossou2016", f"fig2{panel}")
    for extreme in ("min", "max"):
        power = math.log2(rows["dp-ucb-bound"][extreme] / 0.3)
        assert power == pytest.approx(round(power), abs=1e-6)
    assert rows["private-ucb"]["min"] < 300
    assert rows["private-ucb"]["max"] > 29_700


def test_tossou2016_dp_ucb_int_loses_some_runs_for_a_long_time():
    """Theorem 3.5 fails at epsilon = 5: the mean exceeds its bound.

    The median stays far below. Lost runs return, but late.
    """
    table = summary("tossou2016", "s-lost-runs").set_index("t")
    bound = tossou2016.tossou2016_dp_ucb_int(np.array([0, 0.3]), 10**5, 5.0, math.exp(-10))
    assert table.loc[100_000, "median"] < bound < table.loc[100_000, "mean"]
    assert 0.01 < table.loc[100_000, "locked_in"] < table.loc[10_000, "locked_in"] < 0.04


def test_tossou2016_numbers_in_words():
    rows = {(row["check"], row["experiment"], row["reading"]): row for row in checks("tossou2016")}
    evidence = rows["A6", "fig2a", "published"]["evidence"]
    similar = float(re.search(r"a share of ([\d.]+)", evidence)[1])
    assert 0.4 < similar < 0.6  # "about one half"
    locked_in = rows_at("tossou2016", "fig2a")["dp-ucb-int"]["locked_in"]
    assert 0.7 < (1 - locked_in) ** 100 < 0.8  # "about three of four"
    expected = {("A14", "s-gaps-50 s-gaps-30 s-gaps-20 s-gaps-10 s-gaps-5"): (0.2354, 0.2369)}
    # The noise as printed spends more than it says.
    expected |= {("P1", f"fig2{panel}"): (1 + 1 / math.log(2), 1) for panel in "abcd"}
    for place, values in expected.items():
        for reading, value in zip(("published", "corrected"), values, strict=True):
            assert float(rows[*place, reading]["value"]) == pytest.approx(value, abs=5e-5)


ID = r"\b[STP]\d+"
ANSWER = re.compile(
    rf"(?P<claims>{ID}(?:(?:,| and) {ID})*) (?:is |are )?"
    r"(?P<answer>hold|fail|undecided|not refuted|refuted|proved)s?\b"
    r"(?: as (?P<reading>published|corrected))?"
)


@pytest.mark.parametrize("paper", PAPERS)
def test_what_a_page_says_of_a_claim_is_its_answer(paper):
    """`S9 and S14 hold`, `T8 is refuted as corrected`; without a reading, in one of them."""
    claims = pd.read_csv(REFERENCE / "claims.csv").query("paper == @paper")
    text = " ".join((ROOT / f"docs/readings/{paper}.md").read_text().split())
    for found in ANSWER.finditer(text):
        for claim in re.findall(ID, found["claims"]):
            rows = claims[claims["claim"] == claim]
            if found["reading"]:
                rows = rows[rows["reading"].isin([found["reading"], "both"])]
            assert found["answer"] in {*rows["answer"].str.removesuffix("s")}, (claim, found[0])


def test_tossou2017_panels_b_and_c_are_the_same_in_law():
    """The panels have the same law.

    A gain whose mean is drawn independently in each round is Bernoulli(0.55) or Bernoulli(0.5).
    """
    for policy in ("exp3", "dp-exp3-lap", "exp3-tau"):
        b, c = (rows_at("tossou2017", experiment)[policy] for experiment in ("fig6b", "fig6c"))
        error = math.hypot(standard_error(b), standard_error(c))
        assert abs(b["mean"] - c["mean"]) <= 4 * error

"""The tracked reference against a table of final regrets, which comes from independent code.

400 runs, standard deviation over the runs beside each mean; DP-UCB 3 to 5 runs, within 1% or so.
"""

import math
from functools import cache

import numpy as np
import pytest
from project import ROOT
from reference_tables import rows_at

from dpbandits import studies
from dpbandits.theory import azize2022

HORIZON, RUNS_OF_TABLE = 10**7, 400
# (environment, epsilon): DP-UCB, then DP-SE, AdaP-UCB, AdaP-KLUCB with their standard deviations.
TABLE = {
    ("C1", 0.1): (366_700, (11_839, 626), (13_115, 164), (13_107, 0)),
    ("C1", 0.25): (295_100, (11_690, 0), (8_692, 1508), (6_902, 755)),
    ("C1", 0.5): (200_800, (11_690, 0), (6_687, 464), (6_404, 370)),
    ("C1", 1): (115_800, (11_656, 282), (6_414, 353), (5_556, 777)),
    ("C2", 0.1): (967_000, (5_696, 1098), (7_735, 316), (7_680, 0)),
    ("C2", 0.25): (433_300, (4_468, 0), (4_301, 523), (3_960, 327)),
    ("C2", 0.5): (229_800, (4_455, 129), (3_041, 287), (2_831, 264)),
    ("C2", 1): (118_900, (4_319, 414), (2_163, 274), (1_895, 265)),
    ("C3", 0.1): (1_025_000, (6_863, 625), (7_335, 244), (7_300, 77)),
    ("C3", 0.25): (446_700, (3_974, 160), (3_760, 294), (3_662, 106)),
    ("C3", 0.5): (229_700, (3_962, 0), (2_629, 116), (2_525, 217)),
    ("C3", 1): (118_900, (3_962, 0), (1_733, 234), (1_575, 175)),
    ("C4", 0.1): (756_100, (11_419, 351), (10_532, 269), (10_476, 204)),
    ("C4", 0.25): (391_800, (10_526, 1438), (6_664, 1113), (5_588, 718)),
    ("C4", 0.5): (218_500, (9_659, 2331), (4_411, 673), (4_124, 243)),
    ("C4", 1): (117_500, (8_938, 2668), (3_917, 423), (3_356, 513)),
}
# DP-SE with the elimination that skips the next arm: mean and standard deviation.
SLIP = {
    "C1": [(66_122, 469), (65_994, 0), (65_874, 2385), (65_397, 5305)],
    "C2": [(25_042, 529), (24_661, 0), (24_802, 1055), (25_606, 2591)],
    "C3": [(32_639, 1001), (34_815, 167), (34_823, 0), (34_823, 0)],
    "C4": [(38_896, 1726), (47_921, 26_539), (59_814, 36_980), (65_748, 43_130)],
}
EPSILONS = (0.1, 0.25, 0.5, 1)
MEANS = {
    "C1": [0.75, 0.70, 0.70, 0.70, 0.70],
    "C2": [0.75, 0.625, 0.5, 0.375, 0.25],
    "C3": [0.75, 0.53125, 0.375, 0.28125, 0.25],
    "C4": [0.75, 0.71875, 0.625, 0.46875, 0.25],
}


def panel(environment, epsilon):
    name = f"fig{3 + int(environment[1])}{'abcd'[EPSILONS.index(epsilon)]}"
    return "fig2" if name == "fig5d" else name


def finals(experiment):
    """policy -> its row at T."""
    return rows_at("azize2022", experiment, HORIZON)


def close(row, mean, std):
    """Three standard errors of the difference; the larger deviation, since twenty runs may miss a rare branch."""
    sigma, runs = max(std, row["std"]), row["runs"]
    return abs(row["mean"] - mean) <= 3 * sigma * math.sqrt(1 / runs + 1 / RUNS_OF_TABLE) + 1  # 1: rounding


@pytest.mark.parametrize(("environment", "epsilon"), TABLE)
def test_final_regrets(environment, epsilon):
    rows = finals(panel(environment, epsilon) + ".corrected")
    tree, *episodic = TABLE[environment, epsilon]
    assert rows["dp-ucb"]["mean"] == pytest.approx(tree, rel=0.02)
    for policy, (mean, std) in zip(("dp-se", "adap-ucb", "adap-klucb"), episodic, strict=True):
        assert close(rows[policy], mean, std), (policy, rows[policy]["mean"], mean)


@pytest.mark.parametrize(("environment", "epsilon"), TABLE)
def test_final_regrets_of_the_slip(environment, epsilon):
    mean, std = SLIP[environment][EPSILONS.index(epsilon)]
    assert close(finals(panel(environment, epsilon))["dp-se"], mean, std)


def test_along_the_way_on_c2():
    """Means at t = 1e6, epsilon = 1; the table gives no deviations there: those of the end are larger."""
    rows = rows_at("azize2022", "fig2.corrected", 10**6)
    for policy, mean, std in (("adap-ucb", 1657, 274), ("adap-klucb", 1534, 265), ("dp-se", 4331, 414)):
        assert close(rows[policy], mean, std)
    assert rows["dp-ucb"]["mean"] == pytest.approx(98_912, rel=0.02)


# Numbers in captions and causes of the paper file.

ENVIRONMENTS = ("c1", "c2", "c3", "c4")


@cache
def panels(environment):
    """policy and epsilon -> mean regret at T, in the supplementary experiment on an environment."""
    return {name: row["mean"] for name, row in finals(f"s-slip-{environment}").items()}


def ratios(of, to):
    """(environment, epsilon) -> the ratio of two policies' mean regrets at T."""
    return {
        (environment, epsilon): panels(environment)[f"{of}-{epsilon:g}"] / panels(environment)[f"{to}-{epsilon:g}"]
        for environment in ENVIRONMENTS
        for epsilon in EPSILONS
    }


def along_epsilon(series):
    """epsilon -> mean regret at T of a policy of s-cap."""
    rows = finals("s-cap")
    return {float(name.removeprefix(f"{series}-")): rows[name]["mean"] for name in rows if name.startswith(series)}


def spread(values):
    return (max(values) - min(values)) / min(values)


def test_what_the_captions_say_of_the_slip():
    found = ratios("se-skip-by-eps", "se-all-by-eps")
    costs = f"{min(found.values()):.1f} to {max(found.values()):.1f} times"
    assert costs == "3.4 to 8.8 times"
    paper = studies.load(ROOT / "config/papers/azize2022.yaml")
    assert all(costs in paper.figures[f"s-slip-{environment}"].caption for environment in ENVIRONMENTS)
    over_epsilon = {c: spread([panels(c)[f"se-skip-by-eps-{e:g}"] for e in EPSILONS]) for c in ENVIRONMENTS}
    assert {c for c, value in over_epsilon.items() if value <= 0.1} == {"c1", "c2", "c3"}
    for index in ("ucb-by-eps", "klucb-by-eps"):
        above = {at for at, value in ratios(index, "se-all-by-eps").items() if value > 1}
        assert above == {("c1", 0.1), ("c2", 0.1), ("c3", 0.1)}


def test_what_the_captions_say_of_eq_8():
    for other in ("ucb-by-eps", "se-all-by-eps"):
        assert max(ratios("klucb-one-panels", other).values()) < 1
    half = {at for at, value in ratios("klucb-half-budget-panels", "se-all-by-eps").items() if value > 1}
    assert half == {("c2", 0.1), ("c3", 0.1)}
    eq8 = along_epsilon("klucb-eq8-by-eps")
    assert eq8[10] < 0.96 * eq8[9.00556]  # it still falls at epsilon = 10
    one, cap = along_epsilon("klucb-one-by-eps"), along_epsilon("klucb-cap-by-eps")
    beyond = [e for e in cap if e > 1]
    assert spread([cap[e] for e in beyond]) < 0.05 < 0.25 < spread([one[e] for e in beyond])


def test_what_is_said_of_bounds_where_all_runs_agree():
    """D12 in fig4a: the share of runs with the largest possible regret that would bring the mean to the smallest bound."""
    means = np.array([0.75, 0.70, 0.70, 0.70, 0.70])
    largest = (means.max() - means.min()) * HORIZON
    bound = azize2022.azize2022_theorem_7(means.max() - means, HORIZON, 0.1, 3.1)
    for experiment in ("fig4a", "fig4a.corrected"):
        row = finals(experiment)["adap-ucb"]
        needed = (bound - row["mean"]) / (largest - row["mean"])
        assert needed > 1 / 11
        assert (1 - needed) ** row["runs"] < 1e-40  # the probability that none of them was drawn


def test_what_the_causes_say():
    medians = [finals(f"fig7{letter}")["dp-se"]["median"] for letter in "abcd"]
    assert spread(medians) <= 0.02


def test_why_two_theorems_are_not_tested():
    """Theorem 3 is a limit, and Theorem 12 so far above every run that none could violate it."""
    over_lower, under_upper = [], []
    for environment, epsilon in TABLE:
        means = np.array(MEANS[environment])
        lower = azize2022.azize2022_theorem_3(means, HORIZON, epsilon)
        upper = azize2022.azize2022_theorem_12(means.max() - means, HORIZON, epsilon, 3.1)
        for reading in ("", ".corrected"):
            rows = finals(panel(environment, epsilon) + reading)
            over_lower += [row["mean"] / lower for row in rows.values()]
            under_upper.append(upper / rows["adap-ucb"]["mean"])
    assert min(over_lower) > 10
    assert [round(min(under_upper)), round(max(under_upper))] == [34, 237]

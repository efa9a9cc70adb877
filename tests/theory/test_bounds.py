"""The bounds of all papers against values.csv, and the tables of azize2022.

The values were computed independently, and are compared to their last digit.
"""

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from playing import AZIZE2022, FIVE
from project import ROOT, study_of
from scipy.optimize import brentq, linprog

from dpbandits.theory import azize2022, bounds, lower_bounds

T = 10**7
ARMS = AZIZE2022 | {
    "F3": [0.8, 0.1, 0.1, 0.1, 0.1],
    "nine": FIVE,
    "two": [0.9, 0.6],
    "three": [0.9, 0.9, 0.6],
    "ten": [0.1] * 8 + [0.2, 0.55],
}
VALUES = pd.read_csv(ROOT / "tests/theory/values.csv", dtype={"given": str}, keep_default_na=False)


def test_the_lower_bound_over_ln_t_takes_the_smaller_information():
    """Means .5 and .4: that of a private pull at a small epsilon, else kl."""
    d = 0.4 * math.log(0.8) + 0.6 * math.log(1.2)
    for epsilon in (0.1, 5.0):
        m = math.log((0.4 + 0.6 * math.exp(epsilon)) / (0.5 + 0.5 * math.exp(epsilon)))
        assert (m < d) == (epsilon < 1)
        found = azize2022.lower_bound_over_log(np.array([0.5, 0.4]), epsilon)
        assert found == pytest.approx(0.1 / min(d, m))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_operators_bound_is_the_least_sum_of_a_transport_and_an_information(epsilon):
    means = np.array([0.75, 0.5, 0.25])
    z = np.linspace(0.25, 0.75, 200_001)
    kl = z * np.log(z / 0.75) + (1 - z) * np.log((1 - z) / 0.25)
    least = [(epsilon * np.abs(z - mean) + kl).min() for mean in (0.5, 0.25)]
    found = lower_bounds.operator(means, epsilon)
    assert found == pytest.approx(0.25 / least[0] + 0.5 / least[1], rel=1e-6)
    assert found >= azize2022.lower_bound_over_log(means, epsilon)  # which is weaker


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_no_private_report_of_a_bit_tells_more_than_a_randomised_response(epsilon):
    """Laplace noise of scale 1/epsilon, by numerical integration."""
    worse, best = 0.5, 0.7
    x, step = np.linspace(-400, 401, 2_000_001, retstep=True)
    zero, one = (epsilon / 2 * np.exp(-epsilon * np.abs(x - bit)) for bit in (0, 1))
    p, q = ((1 - mean) * zero + mean * one for mean in (worse, best))
    seen = p > 0
    information = (p[seen] * np.log(p[seen] / q[seen])).sum() * step
    found = lower_bounds.nobody(np.array([best, worse]), epsilon)
    assert found <= (best - worse) / information * (1 + 1e-6)
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    p, q = (mean * truth + (1 - mean) * (1 - truth) for mean in (worse, best))
    told = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
    assert found == pytest.approx((best - worse) / told)


def test_without_privacy_both_bounds_are_that_of_lai_and_robbins():
    for bound in (lower_bounds.operator, lower_bounds.nobody):
        assert bound(np.array(FIVE), math.inf) == pytest.approx(
            azize2022.azize2022_theorem_3_no_privacy(np.array(FIVE), 10) / math.log(10)
        )


def test_the_crossing_of_theorem_2():
    epsilon = azize2022.azize2022_theorem_2_crossing(5, T)
    assert 4 / (131 * epsilon) == pytest.approx(math.sqrt(T * 4) / 27)
    assert epsilon < 0.05 / 100  # below every epsilon that is drawn


@pytest.mark.parametrize(
    ("epsilon", "factor"), [(1.0, 0.1353353), (1 / 1200, 0.1353353), (1 / 2400, 0.3678794)]
)
def test_theorem_4(epsilon, factor):
    """By hand: sqrt(T) = 100, d = 4; the exponent is -2 at 1/(3 d sqrt(T)) = 1/1200."""
    assert azize2022.azize2022_theorem_4(4, 10**4, epsilon) == pytest.approx(50 * factor)


@pytest.mark.parametrize(
    ("name", "d", "crossings"),
    [
        ("C1", [0.006401] * 4, [0.02134] * 4),
        ("C2", [0.038098, 0.143841, 0.312752, 0.549306], [0.05080, 0.09589, 0.13900, 0.18310]),
        ("C3", [0.111464, 0.312752, 0.483180, 0.549306], [0.08492, 0.13900, 0.17180, 0.18310]),
        ("C4", [0.002537, 0.038098, 0.180127, 0.549306], [0.01353, 0.05080, 0.10674, 0.18310]),
        ("F3", [1.145726] * 4, [0.27279] * 4),
    ],
)
def test_distinguishability_and_regimes(name, d, crossings):
    means = np.array(ARMS[name])
    assert azize2022.distinguishability(means)[1] == pytest.approx(d, abs=6e-7)
    assert azize2022.azize2022_crossings(means) == pytest.approx(crossings, abs=6e-6)
    if name == "F3":  # the line as drawn has 5 for 6
        assert 6 / 5 * azize2022.azize2022_crossings(means) == pytest.approx([0.3273] * 4, abs=6e-5)


@pytest.mark.parametrize("epsilon", [0.02, 1.0])
def test_theorem_5_on_an_orthonormal_basis(epsilon):
    """The infimum of the theorem's own program: only pulls of the two worse actions cost."""
    means = np.array([0.9, 0.6, 0.5])
    gap = 0.9 - means[1:]
    # |a|^2 of H^-1 is at most this; rho_a = |a - a*|_1 = 2.
    limit = np.minimum(gap**2 / 2, 3 * epsilon * 2 * gap)
    result = linprog(gap, A_ub=-np.eye(2), b_ub=-1 / limit)
    assert azize2022.azize2022_theorem_5(means, T, epsilon) == pytest.approx(
        math.log(T) * result.fun, rel=1e-9
    )


def test_theorem_7_is_implied_by_its_safe_form_except_around_epsilon_equal_to_the_gap():
    """One arm: the safe form's leading term is at most 1.31 times the stated one."""

    def excess(ratio):
        gap = np.array([0.0, 1e-3])
        game = gap, T, 1e-3 / ratio, 1e9
        return azize2022.azize2022_theorem_7_safe(*game) / azize2022.azize2022_theorem_7(*game)

    assert excess(1.0) == pytest.approx(1.31, abs=0.005)
    assert max(map(excess, np.linspace(0.05, 20, 400))) == pytest.approx(excess(1.0), rel=2e-2)
    assert excess(0.5) < 1 < excess(0.7)
    assert excess(1.9) > 1 > excess(2.1)


def test_which_panels_have_an_arm_in_the_high_privacy_regime():
    """Figures 4 to 7 at epsilon = 0.1, but on C1: the bound's regimes hardly show in them."""
    paper = study_of("azize2022")
    high = set()
    for name in (f"fig{number}{letter}" for number in "4567" for letter in "abcd"):
        (panel,) = paper.figures[name].panels
        played = paper.experiments[panel.experiment]
        crossing = azize2022.azize2022_crossings(np.array(played.environment["means"])).max()
        high |= {
            name for series in played.series.values() if series.parameters["epsilon"] < crossing
        }
    assert high == {"fig5a", "fig6a", "fig7a"}


MEANS = ARMS["C2"]  # of both tables
GAPS = [0.125, 0.25, 0.375, 0.5]


def means_released_by_dp_se():
    """Each of two arms is pulled R times in an epoch, and an epoch that T cuts releases nothing."""
    e, t = 0, 0
    while True:
        log = math.log(4 * 2 * (e + 1) ** 2 * T)
        R = math.ceil(max(32 * (log + math.log(2)) * 4 ** (e + 1), 8 * log * 2 ** (e + 1)) + 1)
        if t + 2 * R > T:
            return e
        e, t = e + 1, t + 2 * R


def means_released_by_adap():
    """One after the first pull, and one after each episode, which doubles the pulls; T cuts one."""
    pulls, released = 1, 1
    while pulls < T:
        pulls, released = 2 * pulls, released + 1
    return released


def test_every_cell_of_table_1():
    """Orders and facts as section 5 of the paper prints them, numbers from its definitions."""
    nodes = 24  # of a tree over 10^7 < 2^24 rewards; each has noise of scale 24 K/epsilon
    theorem_7 = sum(16 * 3.1 * math.log(T) / gap + 3 * 31 for gap in GAPS)  # gap < epsilon
    episodes = 8192, 2048, 1024, 512  # the shortest ones for which the proof of Theorem 8 holds
    theorem_8 = sum(gap * (2 * n + 3 / 2 + 31) for gap, n in zip(GAPS, episodes, strict=True))
    expected = [
        ("DP-UCB", "ln(T)^2.5/eps + sum ln(T)/gap_a", "K T", "yes", "no", "no",
         T, nodes / (24 * 5), math.nan),
        ("DP-SE", "K ln(T)/eps + sum ln(T)/gap_a", "O(ln T)", "no", "no", "yes",
         means_released_by_dp_se(), 1, math.nan),
        ("AdaP-UCB", "sum gap_a ln(T)/min(gap_a^2, eps gap_a)", "O(ln T)", "yes", "yes", "yes",
         means_released_by_adap(), 1, theorem_7),
        ("AdaP-KLUCB", "sum gap_a ln(T)/min(d_a, eps gap_a)", "O(ln T)", "yes", "yes", "yes",
         means_released_by_adap(), 1, theorem_8),
    ]  # fmt: skip
    table = azize2022.table1()
    assert list(table)[:6] == [
        "algorithm", "regret", "private means", "anytime", "anytime as simulated", "forgetful"
    ]  # fmt: skip
    assert table.iloc[:, :6].to_numpy().tolist() == [list(row[:6]) for row in expected]
    assert list(table)[6:] == [
        "private means of one arm that is always played", "epsilon spent", "upper bound"
    ]  # fmt: skip
    np.testing.assert_allclose(
        table.iloc[:, 6:].to_numpy(float), [row[6:] for row in expected], rtol=1e-9
    )
    # R = 2,420, 10,383, 43,190, 177,467, 724,488, 2,945,740; the next one is 11,944,595.
    assert expected[1][6] == 6


@pytest.mark.parametrize("reading", ["published", "corrected"])
@pytest.mark.parametrize("policy", ["dp-ucb", "dp-se", "adap-ucb", "adap-klucb"])
def test_table_1_says_who_needs_the_horizon(policy, reading):
    """Without it, a run that ends at 0.3 T is the beginning of the run of T rounds.

    DP-SE needs the horizon, by beta = 1/T, and so does DP-UCB, whose trees and relaxation are for T
    rounds, although the paper calls it anytime.
    """
    paper = study_of("azize2022", "smoke")
    fig2 = paper.experiments["fig2"].in_reading(reading)
    whole = fig2.simulation([policy], 1, "test")
    end = int(0.3 * whole.horizon)
    common = [t for t in whole.checkpoints if t < end]
    short = replace(whole, horizon=end, checkpoints=(*common, end))
    long, beginning = (
        each.run(0, 4).values["regret"][..., : len(common)] for each in (whole, short)
    )
    apart = np.abs(long - beginning).max()
    (label,) = {series.label for series in fig2.policies[policy].series}
    anytime = azize2022.table1().set_index("algorithm")["anytime as simulated"]
    assert (apart == 0) == (anytime[label.split(" (")[0]] == "yes")


def test_every_cell_of_table_2():
    """Theorem 4 is on [-1, 1]^5; Theorem 5 has a test of its own, and the others are in VALUES."""
    on = np.array([0.0, *GAPS]), np.array(MEANS), 5, np.array(MEANS)
    functions = [getattr(azize2022, f"azize2022_theorem_{n}") for n in (2, 3, 4, 5)]
    rows = [
        ("Theorem 2", "stochastic, minimax", "max(sqrt(T(K-1))/27, (K-1)/(131 eps))"),
        ("Theorem 3", "stochastic, problem-dependent", "ln(T) sum gap_a/min(d_a, 6 eps t_a)"),
        ("Theorem 4", "linear, minimax", "max(e^-2, exp(-6 eps d sqrt(T))) d sqrt(T)/8"),
        ("Theorem 5", "linear, problem-dependent",
         "ln(T) inf sum alpha(a) gap_a, |a|^2 <= min(gap_a^2/2, 3 eps rho_a gap_a)"),
    ]  # fmt: skip
    table = azize2022.table2()
    assert list(table) == [
        "theorem", "setting", "lower bound", "epsilon = 0.1", "epsilon = 1", "no privacy"
    ]  # fmt: skip
    assert list(table.iloc[:, :3].itertuples(index=False, name=None)) == rows
    cells = [
        [f(of, T, epsilon) for epsilon in (0.1, 1, 1e12)]
        for f, of in zip(functions, on, strict=True)
    ]
    np.testing.assert_allclose(table.iloc[:, 3:].to_numpy(float), cells, rtol=1e-9)


@pytest.mark.parametrize("bound", VALUES["bound"].unique())
def test_a_bound_has_the_values_that_were_computed_independently(bound):
    """Of games that have no gaps the table has the number of arms."""
    for row in VALUES[VALUES["bound"] == bound].itertuples():
        arguments = {
            name: float(value) for name, value in (pair.split("=") for pair in row.given.split())
        }
        arms = {"means": ARMS[row.arms]} if row.arms in ARMS else {"number_of_arms": int(row.arms)}
        result = bounds.at(bound, arms, row.t, arguments)
        assert result == pytest.approx(row.value, abs=row.tolerance), row


def kl_of(lack, short):
    """kl(1 - lack, 1 - short), also where `short` is lost in 1 - short."""
    first = (1 - lack) * math.log((1 - lack) / (1 - short)) if lack < 1 else 0.0
    return first + lack * math.log(lack / short)


# What the mean of a worse arm and the best mean lack to 1
ARM_PAIRS = [
    (lack, short)
    for lack in [1.0, *(1 - np.geomspace(1e-9, 0.5, 8)), *np.geomspace(0.4, 1e-6, 6)]
    for short in [*np.geomspace(1e-300, 0.5, 12), *(1 - np.geomspace(0.4, 1e-6, 6))]
    if lack > short + 1e-9
]


def largest_ratio(policy, alpha=3.1):
    """The largest upper bound over Theorem 3's lower one, per ln T, as T grows.

    With n = x ln T released pulls a worse arm's index is the best mean. The arm is pulled at most
    4x ln T times: deviations are too rare to count for all larger n together.
    """
    ratios = []
    for (lack, short), epsilon in itertools.product(ARM_PAIRS, np.geomspace(1e-3, 1e3, 13)):
        gap = lack - short

        def below(x, short=short, epsilon=epsilon, gap=gap):
            left = gap - alpha / (epsilon * x)
            if policy == "adap-ucb":
                return left - math.sqrt(alpha / (2 * x))
            return kl_of(short + left, short) - alpha / x if left > 0 else -1.0

        low = alpha / (epsilon * gap)
        high = next(low * 2.0**k for k in range(1, 200) if below(low * 2.0**k) > 0)
        lower = min(kl_of(lack, short), 6 * epsilon * gap)
        ratios.append(4 * brentq(below, low, high) * lower)
    return max(ratios)


def test_theorem_8_s_bound_is_a_constant_times_theorem_3_s_for_all_bernoulli_arms():
    """kl((p + q)/2, q) >= kl(p, q)/12, and so 4x is at most 48 alpha times the lower bound.

    Take x = alpha max(12/d, 2/(epsilon gap)): the noise term is half a gap or less.
    """
    halves = [kl_of((lack + short) / 2, short) / kl_of(lack, short) for lack, short in ARM_PAIRS]
    assert min(halves) == pytest.approx((1 - math.log(2)) / 2, abs=1e-3)  # of 0 and q to 0
    assert min(halves) > 1 / 12
    assert 100 < largest_ratio("adap-klucb") < 48 * 3.1
    # AdaP-UCB's index knows no relative entropy: there is no such constant.
    assert largest_ratio("adap-ucb") > 5 * 48 * 3.1


def test_theorem_12_follows_from_the_safe_form_of_theorem_7():
    """Gaps below 2 sqrt(2 alpha K ln T/T) cost at most T times this, and the others the bound."""
    K, t, alpha = 5, 10**7, 3.1
    L = alpha * math.log(t)
    for epsilon, share in itertools.product((0.01, 0.1, 1.0), np.geomspace(0.01, 100, 30)):
        gap = min(1.0, share * 2 * math.sqrt(2 * K * L / t))
        gaps = np.array([0.0] + [gap] * (K - 1))
        regret = min(gap * t, azize2022.azize2022_theorem_7_safe(gaps, t, epsilon, alpha))
        assert regret <= azize2022.azize2022_theorem_12(gaps, t, epsilon, alpha)

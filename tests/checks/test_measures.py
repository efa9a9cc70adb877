"""Every measure by hand, on curves that are known exactly."""

import math

import numpy as np
import pytest
from checks.known_runs import judge, runs_of
from project import study_of

from dpbandits.checks import general, mishra2015
from dpbandits.checks.judging import MEASURES, MODULES, compares_experiments, needs_runs
from dpbandits.checks.measurement import Measurement, NotMeasured
from dpbandits.statistics.estimators import locked_in, share_of_subsets_within, students_t
from dpbandits.theory.tossou2017 import tossou2017_corollary_3_1

approx = pytest.approx


def measured(measure, runs, arguments):
    """The number of a measure of runs, of several experiments, or of one without its runs."""
    function = MEASURES[measure]
    assert compares_experiments(function) == isinstance(runs, list)
    return function(runs if needs_runs(function) else runs.experiment, **arguments)


def of_games(*finals, **further):
    """Experiments fig0, fig1, ... with one final regret for each series."""
    return [
        runs_of({n: [0, 0, 0, it] for n, it in each.items()}, experiment=f"fig{i}", **further)
        for i, each in enumerate(finals)
    ]


def along_epsilon(finals, means=(0.8, 0.1, 0.1, 0.1, 0.1), **further):
    """One policy's series by their epsilon, and their final regrets."""
    curves = {value: [0, 0, 0, final] for value, final in finals.items()}
    return runs_of(
        curves, along="epsilon", algorithm="adap_klucb", alpha=3.1, means=means, **further
    )


LATE = (10, 100, 1000, 10_000)
THREE = runs_of({"a": [4, 2, 1, 0.5], "b": [3, 3, 2, 1], "c": [9, 9, 8, 5]}, LATE)
POWERS = runs_of(
    {
        name: c * np.array(LATE) ** p
        for name, c, p in (("one", 9.0, -1.0), ("half", 3, -0.5), ("third", 2, -1 / 3))
    },
    LATE,
)
AT_LAST = runs_of({"a": [9, 1, 1, 4], "b": [1, 1, 1, 1]})
OPENING = runs_of({"a": [1, 5, 9, 11], "b": [1, 1, 1, 1]})
HALF_POWER = along_epsilon(
    {0.25: 16.0, 1.0: 8.0, 4.0: 4.0, 16.0: 4.0}
)  # 8/epsilon^0.5 below 4, constant from there on
# T3 on means .8 and .1: at epsilon = .1 the coefficient is 6.667, from .273 on 2.444.
THEOREM_3 = along_epsilon({0.1: 6.6667 * np.log(1000) * 3, 1.0: 2.44387 * np.log(1000) * 2})
UCB1 = [
    8 * math.log(t) / 0.3 + (1 + math.pi**2 / 3) * 0.3 for t in (10, 100, 1000)
]  # with one gap of 0.3
BELOW_UCB1 = runs_of({"a": [50, 0.1 * UCB1[0], 0.4 * UCB1[1], 0.2 * UCB1[2]]})
# Three runs without further regret and one that loses half the gap (0.25) per round in its second
# half.
SOME = [[4, 100, 100], [4, 100, 104], [4, 80, 80], [4, 80, 205]]
FIVE_ARMS = {"t": (10, 500, 1000), "means": (0.9, 0.4, 0.4, 0.4, 0.4), "along": "epsilon"}


def mishra(curves, algorithm="private_ucb_tuned", **further):
    return runs_of(curves, algorithm=algorithm, **FIVE_ARMS, **further)


LOSING = mishra({1: SOME})
LOSING_OR_LINEAR = mishra({1: SOME, 2: [[0, 50, 100]] * 4})
TWO_FIGURES = [
    mishra({0.1: [[0, 0, 80]] * 4, 1: [[0, 0, 20]] * 4, 7: [[0, 0, 1]] * 4}),
    mishra({1: [[0, 0, 10]] * 4, 0.1: [[0, 0, 20]] * 4}, experiment="fig2", policy="q"),
]
PRICES = along_epsilon({0.5: 7.0, 1.0: 5.0, 2.0: 4.0, 100.0: 3.0})  # 2/epsilon more than the last
# The gap is 0.3. Two of four runs lose .2 per round from t = 10 to 100 (the last checkpoint up to
# 50), one to 1000.
RECOVERING = runs_of({"a": [[0, 0.3, 19, 199], [0, 0.3, 19, 30], [5, 5.3, 8, 9], [0, 0.3, 2, 3]]})
# Of the ten pairs of five runs, 1 and 2, 2 and 3, 3 and 4 are less than 1.5 apart; of the ten
# triples, {1, 2, 3}, {2, 3, 4}, {1, 2, 4} and {1, 3, 4} are within 3.5. b's runs agree.
FIVE_RUNS = runs_of({"a": np.tile([[4.0], [1], [3], [2], [40]], 4), "b": np.zeros((5, 4))})
WIDE = runs_of({"a": [0, 0, 0, 5]}, spread=2.0)
GAMES = {
    "environment": {
        "kind": "stochastic_adversary",
        "number_of_arms": 4,
        "best": 0.55,
        "others": 0.5,
    },
    "t": (1, 256, 4096),
}
EXP3_BOUND = 2 * math.sqrt((math.e - 1) * 4096 * 4 * math.log(4))
EXP3 = runs_of(
    {"a": [0, 0, 0.1 * EXP3_BOUND], "b": [0, 0, 0.4 * EXP3_BOUND]}, algorithm="exp3", **GAMES
)
EXP3_LAP = runs_of({"a": [0, 0, 100.0]}, algorithm="dp_exp3_lap", epsilon=2.0, **GAMES)
EXP3_TAU = runs_of({"a": [0, 0, 100.0]}, algorithm="exp3_tau", tau=9, **GAMES)
PAIRS = runs_of(
    {
        "a": np.array([[0, 1, 1, rise] for rise in (5.0, 5, 1, 5, 1, 1)]),
        "b": np.tile([0.0, 0, 0, 0.5], (4, 1)),
    }
)
GAPS = [
    runs_of({"a": [0, 0, 0, x], "b": [0, 0, 0, 1]}, means=(0.9, mean))
    for x, mean in ((2.0, 0.5), (4.0, 0.8))
]
# Group means 1, 4 and 10: their median is 4, the mean of all is 5.
GROUPS = {
    "a": np.array([[0, 0, 1.0]] * 7 + [[0, 0, 4.0]] * 7 + [[0, 0, 10.0]] * 7),
    "b": np.full((21, 3), 2.0),
}
HALF = runs_of({"a": [0, 0, 0, 1]}, algorithm="dp_ucb", epsilon=1.0, hybrid_split="half_log2")
HYBRID = runs_of({"a": [0, 0, 0, 1]}, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
# gdp_ncb with ln T: T = 10 has at most 1 episode, 100 has 5, 1000 has 8, 10 000 has 12 (of 2, 4, 8,
# ... rounds).
EPISODES = runs_of({"a": [0] * 4}, LATE, algorithm="gdp_ncb", epsilon=0.2, noise_log="ln")
IN_TURN = {"of": ["a", "b"], "to": ["b", "c"], "pairs": "in_turn"}
ALL = {"of": ["a", "b", "c"]}
ALONG = {"of": ["p"], "along": "epsilon"}


def growing(exponent):
    """Games of four lengths whose final regret is 3 T^exponent."""
    lengths = (256, 512, 1024, 4096)
    return [
        runs_of({"a": [0, 0, 0, 3 * T**exponent]}, horizon=T, environment=GAMES["environment"])
        for T in lengths
    ]


def paired(values, kind="news"):
    return runs_of(
        {n: np.array(v, float)[:, None] for n, v in values.items()},
        (10,),
        environment={"kind": kind},
    )


A_TO_B, FOUR = (
    {"of": ["a"], "to": ["b"]},
    paired({"a": [1.0, 2.2], "b": [2.0, 4.0], "c": [1.0, 2.0], "d": [1.0, 2.0]}),
)
BY_HAND = [
    (
        "mean_of",
        runs_of(GROUPS, **GAMES),
        {"of": ["a"], "quantity": "ignored"},
        5,
        "ignored of a at T",
    ),
    # Relative to 2, the median of the groups' means.
    (
        "ratio",
        runs_of(GROUPS, statistic="median_of_means", groups=3, **GAMES),
        A_TO_B,
        2,
        "a / b at t = 4096",
    ),
    ("ratio", THREE, {"of": ["c"], "to": ["b", "a"]}, approx(10), "c / a at t = 10000"),
    (
        "ratio",
        THREE,
        {"of": ["a"], "to": ["b", "c"], "since": 10},
        approx(4 / 3),
        "a / b at t = 10",
    ),
    ("ratio", THREE, IN_TURN, approx(0.5), None),
    ("ratio", THREE, {**IN_TURN, "take": "min"}, approx(0.2), None),
    (
        "exponent_along",
        HALF_POWER,
        {**ALONG, "least": 0.25, "most": 4},
        approx(-0.5),
        "16 at epsilon = 0.25, 4 at epsilon = 4",
    ),
    ("exponent_along", HALF_POWER, {**ALONG, "least": 4, "most": 16}, approx(0.0, abs=1e-12), None),
    (
        "rise_between_experiments",
        of_games(*({"a": it} for it in (100, 50, 60, 10))),
        {"of": ["a"]},
        approx(1.2),
        "a, fig2 / fig1",
    ),
    # The first round is left out: ln 1 = 0.
    (
        "over_bound",
        BELOW_UCB1,
        {"of": ["a"], "bound": "ucb1", "since": 2},
        approx(0.4),
        f"a at t = 100: {0.4 * UCB1[1]:.5g} against {UCB1[1]:.5g} (ucb1)",
    ),
    (
        "over_bound",
        THEOREM_3,
        {"of": ["p"], "bound": "azize2022_theorem_3"},
        approx(3.0, rel=1e-4),
        "p-0.1 at t = 1000: 138.16 against 46.052 (azize2022_theorem_3)",
    ),
    ("privacy_spent", HYBRID, {"of": ["a"]}, 2.0, "a: promised epsilon 0.5, spent 1"),
    ("privacy_spent", EPISODES, {"of": ["a"]}, approx(12 / math.log(10_000)), None),
    ("share_that_still_loses", LOSING, {"of": "p-1"}, 0.5, "p-1, 4 runs after t = 500"),
    (
        "range_over_experiments",
        of_games(*({"a": it} for it in (100, 110, 105))),
        {"of": "a"},
        approx(0.1),
        "a: 100, 110, 105",
    ),
    # The mean of ln(3/6) and ln(2/1) is 0, no gain; that of ln(3/6) twice is the logarithm of a
    # half.
    (
        "ratio_of_log_gains",
        of_games({"a": 3, "b": 6}, {"a": 4, "b": 2}, {"c": 1, "d": 2}),
        {"of": ["a", "b"], "to": ["c", "d"]},
        approx(0.0),
        "a / b 1, c / d 0.5",
    ),
    (
        "ratio_of_log_gains",
        of_games({"a": 3, "b": 6}, {"c": 1, "d": 4}),
        {"of": ["a", "b"], "to": ["c", "d"]},
        approx(0.5),
        "a / b 0.5, c / d 0.25",
    ),
    ("late_share", LOSING_OR_LINEAR, {"of": ["p"], "since": 0.5}, 0.5, "p-2 after t = 500"),
    ("late_share", LOSING_OR_LINEAR, {"of": ["p-1"], "since": 0.5}, approx(1 - 90 / 122.25), None),
    # Equal values of epsilon only.
    (
        "ratio_between_experiments",
        TWO_FIGURES,
        {"of": ["q"], "to": ["p"], "along": "epsilon"},
        0.375,
        "q / p at T, 0.25 at epsilon = 0.1, 0.5 at epsilon = 1",
    ),
    (
        "ratio_between_experiments",
        TWO_FIGURES,
        {"of": ["q"], "to": ["p"], "along": "epsilon", "take": "geometric_mean"},
        approx(math.sqrt(0.5 * 0.25)),
        None,
    ),
    (
        "ratio_between_experiments",
        TWO_FIGURES,
        {"of": ["q-1"], "to": ["p-0.1"]},
        approx(10 / 80),
        None,
    ),
    (
        "privacy_spent",
        runs_of(
            {c: SOME for c in range(3)},
            algorithm="private_ucb_tuned",
            epsilon=2.0,
            **FIVE_ARMS | {"along": "relax_c"},
        ),
        {"of": ["p-0", "p-1", "p-2"]},
        approx(3 / 5),
        "p-0, p-1, p-2: promised epsilon 2, spent 1.2",
    ),
    (
        "ratio_over_log2_of_T",
        THREE,
        {"of": ["a", "b"], "to": ["b", "c"]},
        approx(0.5 / math.log2(10_000)),
        None,
    ),
    (
        "exponent_along",
        PRICES,
        {**ALONG, "of": ["p-0.5", "p-1", "p-2"], "minus": "p-100"},
        approx(-1),
        "4 at epsilon = 0.5, 1 at epsilon = 2",
    ),
    (
        "ratio",
        THREE,
        {"of": ["b"], "to": ["c"], "minus": "a"},
        approx(0.5 / 4.5),
        "(b - a) / (c - a) at t = 10000",
    ),
    (
        "later_over_earlier",
        THREE,
        {"of": "a", "earlier": [10, 100], "later": [900, 20_000]},
        approx(0.25),
        None,
    ),
    (
        "final_over_earlier",
        THREE,
        {**ALL, "since": 100},
        approx(5 / 9),
        "c: 9 at t = 100, 5 at t = 10000",
    ),
    (
        "smallest_step_of_slopes",
        POWERS,
        {"of": ["one", "half", "third"], "since": 100},
        approx(1 / 2 - 1 / 3),
        "slopes from 100 to 10000: one -1.000, half -0.500, third -0.333",
    ),
    (
        "final_over_earlier",
        OPENING,
        {"of": ["a"], "minus": "b", "since": 10},
        approx(2.5),
        "a - b: 4 at t = 10, 10 at t = 1000",
    ),
    ("final_over_earlier", OPENING, {"of": ["a"], "minus": "b", "since": 100}, approx(1.25), None),
    # Of three pairs of runs the first two lose 4 and 2 more since t = 10, the third nothing; the
    # fourth run of b is in no group of three.
    (
        "chance_of_no_growth",
        PAIRS,
        {"of": "a", "minus": "b", "since": 10, "runs_each": 2},
        approx(1 / 3),
        "a - b, 3 groups of 2 runs: no larger at t = 1000 than at 10 in 0.333 of them",
    ),
    (
        "chance_of_no_growth",
        PAIRS,
        {"of": "a", "minus": "b", "since": 10, "runs_each": 3},
        approx(0.0),
        None,
    ),
    # Linear in ln t from 1 to 4 between t = 100 and 1000: the mean of ln(1 + 3u) is 4/3 ln 4 - 1;
    # before, ln 1 = 0.
    (
        "ratio_over_log_time",
        AT_LAST,
        {"of": "a", "to": "b", "since": 100, "until": 1000},
        approx(math.exp(4 / 3 * math.log(4) - 1), rel=1e-4),
        "a / b on average over ln t from t = 100 to 1000",
    ),
    (
        "ratio_over_log_time",
        AT_LAST,
        {"of": "a", "to": "b", "since": 10, "until": 1000},
        approx(math.exp((4 / 3 * math.log(4) - 1) / 2), rel=1e-3),
        None,
    ),
    # Of EXP3 1 in each of 4096 rounds, of EXP3_tau 1/9 in each batch.
    ("largest_per_round_loss", EXP3, {"of": "a"}, approx(1), None),
    ("largest_per_round_loss", EXP3_TAU, {"of": "a"}, approx(1 / 9), None),
    (
        "privacy_spent",
        EPISODES,
        {"of": ["a"], "in_any_game": True},
        approx(12 / math.log(10_000)),
        "a: promised epsilon 0.2, spent 0.260577 at T = 10000, of 4 games",
    ),
    # At epsilon = 1 the noise has the variance 17 x 8 + 16 x 2 x 32^2, and the bound is 2.6 of its
    # deviations; four errors of 20,000 draws.
    (
        "chance_of_larger_error",
        HALF,
        {"of": "a", "draws": 20_000},
        approx(0.0106 * 131_071, rel=0.28),
        None,
    ),
    ("final_spread", WIDE, {"of": ["a"]}, approx(4.0), None),
    (
        "chance_of_spread_below",
        FIVE_RUNS,
        {"of": ["a"], "runs_each": 2, "below": 1.5},
        approx(0.3),
        "probability that 2 runs differ by less: 0.3 for a",
    ),
    (
        "chance_of_spread_below",
        FIVE_RUNS,
        {"of": ["a", "b"], "runs_each": 3, "below": 3.5},
        approx(0.4),
        None,
    ),
    (
        "locked_in_share_over_earlier",
        RECOVERING,
        {"of": "a", "since": 100},
        approx(0.5),
        "a: 0.5 up to t = 100, 0.25 up to t = 1000",
    ),
    (
        "over_bound",
        EXP3,
        {"of": ["a", "b"], "bound": "tossou2017_exp3"},
        approx(0.4),
        f"b at t = 4096: {0.4 * EXP3_BOUND:.5g} against {EXP3_BOUND:.5g} (tossou2017_exp3)",
    ),
    (
        "over_bound",
        EXP3_LAP,
        {"of": ["a"], "bound": "tossou2017_corollary_3_1"},
        approx(100 / tossou2017_corollary_3_1(4096, 4, 2.0)),
        None,
    ),
    (
        "over_bound",
        EXP3_TAU,
        {"of": ["a"], "bound": "tossou2017_theorem_3_4"},
        approx(100 / (math.sqrt(7 * 4096 * 9 * 4 * math.log(4)) + 9)),
        None,
    ),
    (
        "growth_exponent",
        growing(0.75),
        {"of": "a", "bound": "tossou2017_exp3"},
        approx(0.25),
        "a, T = 256 to 4096: exponent 0.750, of the bound 0.500 (tossou2017_exp3); "
        "1.94 of the bound at first, 3.89 at last",
    ),
    (
        "crossing_of_example",
        THREE,
        {"number_of_arms": 100, "horizon": 10**6},
        approx(0.002051, abs=5e-7),
        "0.04828 with the constants exchanged",
    ),
    # The first runs of each are paired.
    (
        "paired_ratio",
        paired({"a": [2.0, 4.0], "b": [1, 2, 30]}),
        A_TO_B,
        2.0,
        "a / b, 2 paired runs",
    ),
    (
        "paired_ratio",
        paired({"a": [1.0, 2.0], "b": [1.0, 1.0]}, "news_log"),
        A_TO_B,
        1.5,
        "a / b, 2 paired runs on one log: the error does not include what another log would change",
    ),
    (
        "smallest_paired_ratio",
        FOUR,
        {"of": ["a", "b"], "to": ["c", "d"]},
        approx(1.05),
        "a / c, 2 paired runs; all: 1.05, 2",
    ),
    (
        "slope_of_ratio_in_gap",
        GAPS,
        {"of": "a", "to": "b"},
        approx(-0.5),
        "a / b: 2 at gap 0.4, 4 at gap 0.1",
    ),
]
NOT_MEASURED = [
    ("ratio", OPENING, {"of": ["a"], "to": ["b"], "since": 5000}, "t = 5000"),
    (
        "ratio_over_log_time",
        AT_LAST,
        {"of": "a", "to": "b", "since": 10, "until": 5000},
        "up to t = 5000",
    ),
    (
        "final_over_earlier",
        OPENING,
        {"of": ["a"], "minus": "b", "since": 1000},
        "rounds from t = 1000 on",
    ),
    (
        "chance_of_spread_below",
        FIVE_RUNS,
        {"of": ["a"], "runs_each": 6, "below": 1.5},
        "at this scale there are 5",
    ),
    (
        "chance_of_no_growth",
        PAIRS,
        {"of": "a", "minus": "b", "since": 10, "runs_each": 5},
        "at this scale there are 4",
    ),
    (
        "locked_in_share_over_earlier",
        RECOVERING,
        {"of": "a", "since": 1000},
        "rounds from t = 1000 on",
    ),
    (
        "locked_in_share_over_earlier",
        RECOVERING,
        {"of": "a", "since": 10},
        "no run of a loses up to t = 10",
    ),
    ("exponent_along", PRICES, {**ALONG, "minus": "p-1"}, "at T p-1 is not below all of p"),
    (
        "later_over_earlier",
        THREE,
        {"of": "a", "earlier": [11, 99], "later": [900, 20_000]},
        "the rounds 11 to 99",
    ),
]


@pytest.mark.parametrize(
    ("measure", "runs", "arguments", "value", "evidence"),
    BY_HAND,
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_a_measure_by_hand(measure, runs, arguments, value, evidence):
    measurement = measured(measure, runs, arguments)
    assert measurement.value == value
    assert evidence is None or measurement.evidence == evidence


@pytest.mark.parametrize(("measure", "runs", "arguments", "message"), NOT_MEASURED)
def test_what_shorter_games_do_not_show(measure, runs, arguments, message):
    with pytest.raises(NotMeasured, match=message):
        measured(measure, runs, arguments)


def test_every_measure_is_tried_by_hand_and_has_a_name_of_its_own():
    functions = [
        one
        for module in MODULES
        for one in vars(module).values()
        if getattr(one, "__module__", "") == module.__name__
    ]
    measures = [one.__name__ for one in functions if one.__annotations__["return"] is Measurement]
    assert sorted(measures) == sorted(MEASURES)
    assert MEASURES.keys() == {measure for measure, *_ in BY_HAND}


def test_pairs_in_turn_are_as_many():
    with pytest.raises(ValueError, match="shorter"):
        general.ratio(THREE, of=["a", "b"], to=["c"], pairs="in_turn")


def test_chance_of_spread_below_is_the_share_of_random_subsets():
    rng = np.random.default_rng(5)
    values = np.round(rng.normal(0, 2, 60), 1)  # with ties
    subsets = np.array([np.ptp(rng.choice(values, 4, replace=False)) < 3.0 for _ in range(4000)])
    exact = share_of_subsets_within(values, 4, 3.0)
    assert abs(subsets.mean() - exact) < 4 * math.sqrt(exact * (1 - exact) / 4000)
    assert (
        share_of_subsets_within(values, 4, 0.0) == 0
    )  # no two values are nearer than 0, equal ones neither


def test_locked_in_by_hand():
    """A quarter of the gap 0.5 over the 500 rounds since t/2: 62.5.

    At t = 500 the rounds since 10, at 10 all ten.
    """
    rounds = np.array(FIVE_ARMS["t"])
    assert locked_in(np.array(SOME, float), rounds, 0.5).tolist() == [1.0, 1.0, 0.25]
    threshold = np.array([[0, 0, 62.5], [0, 0, 62.4]])
    assert locked_in(threshold, rounds, 0.5)[-1] == 0.5


def test_the_worst_game_of_figure_1a():
    """The worst game is not the longest.

    At T = 535 there are 8 episodes, as at T = 1002, beside a smaller logarithm.
    """
    paper = study_of("sarkar2025")
    for reading, value, worst in (
        ("published", 8 / math.log(535), 535),
        ("corrected", 8 / math.log2(535), 535),
    ):
        fig1a = paper.experiments["fig1a"].in_reading(reading)
        measurement = general.privacy_spent(fig1a, of=["gdp-ncb"], in_any_game=True)
        assert measurement.value == approx(value)
        assert f"T = {worst}, of 1000 games" in measurement.evidence
        assert measurement.value > general.privacy_spent(fig1a, of=["gdp-ncb"]).value


def test_a_paired_ratio_and_its_error():
    runs = paired({"a": [1.0, 2.2, 3.6], "b": [1, 2, 3], "c": [2, 2, 2], "d": [1, 1, 1]})
    value, where, error, needed = mishra2015.paired_ratio(runs, of=["a"], to=["b"])
    assert value == approx(1.1)
    assert error == approx(0.1 / math.sqrt(3))
    assert where == "a / b, 3 paired runs"
    assert needed == approx(
        4.5266, abs=1e-3
    )  # Student's t of 2 degrees of freedom at 2 sigma, 97.72%
    assert [students_t(degrees) for degrees in (3, 11, 10**6)] == approx(
        [3.307, 2.255, 2.0], abs=1e-3
    )
    assert mishra2015.paired_ratio(runs, of=["a", "d"], to=["b", "c"]).value == approx(0.55)
    assert mishra2015.smallest_paired_ratio(runs, of=["a", "c"], to=["b", "d"]).error == error


def test_where_a_resample_cannot_be_measured_the_number_stays_without_a_verdict():
    losing = runs_of({"a": RECOVERING.of["a"].values}, paper="tossou2016")
    row = judge("locked_in_share_over_earlier", {"of": "a", "since": 100}, {"at_most": 0.9}, losing)
    assert (row["value"], row["standard_error"], row["verdict"]) == (approx(0.5), None, "undecided")
    assert row["evidence"].endswith("; in a resample of the runs, no run of a loses up to t = 100")

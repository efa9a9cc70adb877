"""Every measure by hand, on curves that are known exactly."""

import math
from pathlib import Path

import numpy as np
import pytest
from checks.known_runs import SOME, judge, runs_of
from playing import FIVE
from project import study_of

from dpbandits.checks import general, mishra2015
from dpbandits.checks.judging import MEASURES, MODULES, compares_experiments, needs_runs
from dpbandits.checks.measurement import Measurement, NotMeasured
from dpbandits.statistics.estimators import locked_in, share_of_subsets_within, students_t
from dpbandits.studies import strict_yaml

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
SHAPES = [
    runs_of({"b": [0, 2, 2, 4], "c": [0, 1, 4, 4]}),
    runs_of({"a": [0, 1, 1, 4]}, experiment="fig2"),
]
LOW_INDEX = runs_of({"a": [0, 0, 0, 1]}, algorithm="adap_ucb", epsilon=0.1, alpha=3.1)
AT_EPSILON_1 = runs_of({"a": [0, 0, 0, 1]}, algorithm="private_thompson_gap", epsilon=1.0)
DELAYED = runs_of({n: [0, 0, 0, x] for n, x in zip("abcdef", (1, 3, 6, 2, 6, 22), strict=True)})
UCB1 = [
    8 * math.log(t) / 0.3 + (1 + math.pi**2 / 3) * 0.3 for t in (10, 100, 1000)
]  # with one gap of 0.3
BELOW_UCB1 = runs_of({"a": [50, 0.1 * UCB1[0], 0.4 * UCB1[1], 0.2 * UCB1[2]]})
HALVES = (10, 500, 1000)


def mishra(curves, along="epsilon", **further):
    """Runs of tuned Private-UCB on the arms of mishra2015."""
    return runs_of(
        curves, HALVES, along=along, algorithm="private_ucb_tuned", means=FIVE, **further
    )


LOSING = mishra({1: SOME})
LOSING_OR_LINEAR = mishra({1: SOME, 2: [[0, 50, 100]] * 4})
SATURATING = mishra({1: SOME, 2: [[0, 70, 80]] * 4})  # of p-2 an eighth comes in the second half
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
UNEVEN = runs_of(
    {"a": np.tile([[4.0], [1], [3], [2], [40]], 4), "b": np.tile([[0.0], [6], [1], [1], [9]], 4)}
)
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
EXP3_LITTLE_NOISE = runs_of({"a": [0, 0, 1]}, algorithm="dp_exp3_lap", epsilon=2000.0, **GAMES)
EXP3_SHORT = runs_of({"a": [0, 0, 1]}, algorithm="exp3", **(GAMES | {"t": (1, 2, 3)}))
EXP3_TAU = runs_of({"a": [0, 0, 100.0]}, algorithm="exp3_tau", tau=9, **GAMES)
PAIRS = runs_of(
    {
        "a": np.array([[0, 1, 1, rise] for rise in (5.0, 5, 1, 5, 1, 1)]),
        "b": np.tile([0.0, 0, 0, 0.5], (4, 1)),
    }
)
GAPS = [
    runs_of({"a": [0, 0, 0, x], "b": [0, 0, 0, 1], "c": [0, 0, 0, y]}, means=(0.9, mean))
    for x, y, mean in ((2.0, 2.0, 0.5), (4.0, 10.0, 0.8))
]
# Group means 1, 4 and 10: their median is 4, the mean of all is 5.
GROUPS = {
    "a": np.repeat([1.0, 4.0, 10.0], 7)[:, None] * [0, 0, 1],
    "b": np.full((21, 3), 2.0),
}
GROUPED = runs_of(GROUPS, **GAMES)
GROUPED_MEDIAN = runs_of(GROUPS, statistic="median_of_means", groups=3, **GAMES)
HALF = runs_of({"a": [0, 0, 0, 1]}, algorithm="dp_ucb", epsilon=1.0, hybrid_split="half_log2")
HYBRID = runs_of({"a": [0, 0, 0, 1]}, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
BOUND = runs_of(
    {"a": [0, 0, 0, 1]}, algorithm="dp_ucb_bound", epsilon=0.5, hybrid_split="full_log2"
)
BOUND_CORRECTED = runs_of({"a": [0, 0, 0, 1]}, algorithm="dp_ucb_bound", epsilon=0.5)
# gdp_ncb with ln T: T = 10 has at most 1 episode, 100 has 5, 1000 has 8, 10 000 has 12 (of 2, 4, 8,
# ... rounds).
EPISODES = runs_of({"a": [0] * 4}, LATE, algorithm="gdp_ncb", epsilon=0.2, noise_log="ln")
LONG_EPISODES = runs_of({"a": [0]}, (10**8,), algorithm="gdp_ncb", epsilon=0.2, noise_log="ln")
INTERVALS = runs_of({"a": [0, 0, 0, 1]}, algorithm="dp_ucb_int", epsilon=1.0)
MULTIPLES = runs_of({"a": [0, 0, 0, 1]}, algorithm="dp_ucb_int", epsilon=1.0, schedule="simple")
LOST = runs_of({"a": SOME, "b": [[0, 50, 100]] * 4}, HALVES)
RELAXED = mishra({c: SOME for c in range(3)}, "relax_c", epsilon=2.0)
RISING = of_games(*({"a": it} for it in (100, 50, 60, 10)))
WITHIN_A_TENTH = of_games(*({"a": it} for it in (100, 110, 105)))
NO_GAIN = of_games({"a": 3, "b": 6}, {"a": 4, "b": 2}, {"c": 1, "d": 2})
GAIN = of_games({"a": 3, "b": 6}, {"c": 1, "d": 4})
# Games of four lengths whose final regret is 3 T^0.75.
GROWING = [
    runs_of({"a": [0, 0, 0, 3 * T**0.75]}, horizon=T, environment=GAMES["environment"])
    for T in (256, 512, 1024, 4096)
]


def paired(values, kind="news"):
    return runs_of(
        {n: np.array(v, float)[:, None] for n, v in values.items()},
        (10,),
        environment={"kind": kind},
    )


PAIRED = paired({"a": [2.0, 4.0], "b": [1, 2, 30]})
ON_ONE_LOG = paired({"a": [1.0, 2.0], "b": [1.0, 1.0]}, "news_log")
FOUR = paired({"a": [1.0, 2.2], "b": [2.0, 4.0], "c": [1.0, 2.0], "d": [1.0, 2.0]})
TABLE = strict_yaml.read_yaml(Path(__file__).with_name("measures.yaml"))


def rows(kind):
    """Parametrize by the rows of the table: (measure, row)."""
    pairs = [(measure, row) for measure, of_it in TABLE[kind].items() for row in of_it]
    return pytest.mark.parametrize(("measure", "row"), pairs, ids=str)


@rows("by_hand")
def test_a_measure_by_hand(measure, row):
    runs, arguments, value, evidence, *tolerance = row
    measurement = measured(measure, globals()[runs], arguments)
    assert measurement.value == approx(value, *tolerance)
    assert evidence is None or measurement.evidence == evidence


@rows("not_measured")
def test_what_shorter_games_do_not_show(measure, row):
    runs, arguments, message = row
    with pytest.raises(NotMeasured, match=message):
        measured(measure, globals()[runs], arguments)


def test_every_measure_is_tried_by_hand_and_has_a_name_of_its_own():
    functions = [
        one
        for module in MODULES
        for one in vars(module).values()
        if getattr(one, "__module__", "") == module.__name__
    ]
    measures = [one.__name__ for one in functions if one.__annotations__["return"] is Measurement]
    assert sorted(measures) == sorted(MEASURES)
    assert MEASURES.keys() == TABLE["by_hand"].keys()


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
    """A quarter of the gap 0.5 over the 500 rounds since t/2: 62.5."""
    threshold = np.array([[0, 0, 62.5], [0, 0, 62.4]])
    assert locked_in(threshold, np.array(HALVES), 0.5)[-1] == 0.5


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

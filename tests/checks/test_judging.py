"""Verdicts around a threshold, their errors, and the rows of the table of checks."""

import dataclasses
import math
import re

import numpy as np
import pytest
from checks.known_runs import TEST, VERDICTS, judge, placed, runs_of, table
from project import ROOT, study_of

from dpbandits import studies
from dpbandits.checks import judging, placing
from dpbandits.checks.judging import decide, p_value, runs_needed
from dpbandits.checks.measurement import Measurement, chance_of_figure
from dpbandits.files import Trace

A_TO_B = {"of": ["a"], "to": ["b"]}
AT_MOST_2 = {"at_most": 2}
MEAN = {"of": ["a"], "quantity": "regret"}
FIVE = {"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}  # a / b is 5


def trace(runs, **values):
    """The trace of an experiment's only series: its regret, or these quantities."""
    (only,), (name,) = runs.of.values(), runs.experiment.series
    values = {
        quantity: np.asarray(of)[None]
        for quantity, of in (values or {"regret": only.values}).items()
    }
    return Trace({"series": {name: {}}, "runs": [0, 0]}, runs.t, values)


@pytest.mark.parametrize("verdict", VERDICTS["verdicts"])
def test_verdicts(verdict):
    for measured, error, expect in VERDICTS["verdicts"][verdict]:
        measurement = Measurement(measured, "", error)
        assert decide(measurement, expect) == verdict, (measurement, expect)


def test_the_bootstrap_finds_the_standard_error_of_a_mean():
    """Final values lie evenly in [-6, 6] around 100, in ten runs.

    The standard error of the mean is sd/sqrt(10) = 1.2 (population sd 3.83).
    """
    finals = 100 + np.linspace(-6.0, 6.0, 10)[:, None] * np.ones(4)
    row = judge("ratio", A_TO_B, AT_MOST_2, runs_of({"a": finals, "b": np.full((10, 4), 100.0)}))
    assert row["value"] == pytest.approx(1.0)
    assert row["standard_error"] == pytest.approx(3.83 / math.sqrt(10) / 100, rel=0.2)
    assert row["standard_error"] == float(
        f"{row['standard_error']:.2g}"
    )  # digits that are worth writing
    assert row["verdict"] == "holds"


def test_a_bootstrap_over_few_runs_needs_students_t():
    """Ten runs need 2.446 errors, four need 3.818.

    2.446 is 2.32 times the root of 10/9: Student's t of nine degrees with the level of two normal
    errors. 3.818 is 3.307 times the root of 4/3. Errors are about 8 and 16, so that their rounding
    changes 2% at most.
    """
    for number, errors, decided in [
        (10, 2.4, False),
        (10, 2.5, True),
        (4, 3.6, False),
        (4, 4, True),
        (40, 2.2, True),
    ]:
        runs = runs_of(
            {"a": 100 + np.outer(np.linspace(-40, 40, number), np.ones(4))}, paper="tossou2017"
        )
        there = judge("mean_of", MEAN, {"at_most": 0}, runs)
        threshold = there["value"] - errors * there["standard_error"]
        row = judge("mean_of", MEAN, {"at_most": threshold}, runs)
        assert row["standard_error"] == there["standard_error"] > 0
        assert row["verdict"] == ("fails" if decided else "undecided")


def shorter(runs, horizon):
    """The same runs, as those of a scale whose games are shorter than the paper's."""
    design = dataclasses.replace(runs.experiment.design, horizon_of_paper=horizon)
    return dataclasses.replace(runs, experiment=dataclasses.replace(runs.experiment, design=design))


def test_a_failing_check_says_why_at_the_papers_scale_only():
    """At a smaller one it may fail for another reason.

    A check that holds has no cause, and may have two thresholds.
    """
    because, it = {"published": "of the slip", "fig1": "of this panel"}, runs_of(FIVE, spread=0.01)
    row = judge("ratio", A_TO_B, AT_MOST_2, it, cause=because)
    wanted = {
        "verdict": "fails",
        "evidence": "a / b at t = 1000",
        "cause": "of this panel",
        "experiment": "fig1",
        "reading": "both",
        "relation": "at_most",
        "threshold": 2,
        "threshold_high": None,
        "check": "A1",
        "statement": "says",
        "source": "section 4",
        "kind": "experiment",
    }
    assert wanted.items() <= row.items()
    row = judge("ratio", A_TO_B, AT_MOST_2, shorter(it, 100_000), cause=because)
    assert (row["verdict"], row["cause"]) == ("fails", "")
    row = judge(
        "ratio", A_TO_B, {"at_least": 4, "at_most": 6}, it, cause=because, figures=["fig1", "fig2"]
    )
    wanted = {
        "verdict": "holds",
        "cause": "",
        "figures": "fig1 fig2",
        "relation": "within",
        "threshold": 4,
        "threshold_high": 6,
    }
    assert wanted.items() <= row.items()


def test_runs_that_all_agree_decide_nothing_unless_the_paper_file_says_why():
    row = judge("ratio", A_TO_B, AT_MOST_2, runs_of(FIVE))
    assert (row["value"], row["standard_error"], row["verdict"]) == (5, 0, "undecided")
    assert (
        row["evidence"] == "a / b at t = 1000; zero bootstrap variance: rare events may be missing"
    )
    last_bits = np.outer([5, 5 + 1e-15] * 5, [0, 0, 0, 1])
    assert (
        judge("ratio", A_TO_B, AT_MOST_2, runs_of({**FIVE, "a": last_bits}))["standard_error"] == 0
    )
    why = {"fig1": "round robin has no chance in it"}
    row = judge("ratio", A_TO_B, AT_MOST_2, runs_of(FIVE), zero_error_because=why)
    assert (row["verdict"], row["evidence"]) == (
        "fails",
        "a / b at t = 1000; round robin has no chance in it",
    )
    short = shorter(runs_of(FIVE), 100_000)  # the reason is about longer games
    row = judge("ratio", A_TO_B, AT_MOST_2, short, zero_error_because=why)
    assert row["verdict"] == "undecided"
    assert row["evidence"].endswith("; zero bootstrap variance: rare events may be missing")


A_AND_B = {"of": ["a", "b"], "to": ["c"]}
NOT_FINITE = [  # measure, arguments, final values of ten runs, whether their own number is finite
    ("likeness", A_AND_B, {"a": 5, "b": 0, "c": 3}, False),
    ("likeness", A_AND_B, {"a": 5, "b": -1, "c": 3}, False),
    ("ratio", A_TO_B, {"a": 0, "b": 0}, False),
    ("ratio", A_TO_B, {"a": 5, "b": 0}, False),
    # A third of the resamples lack the only run that is not 0 or not negative.
    ("ratio", A_TO_B, {"a": 5, "b": [0] * 9 + [10]}, True),
    ("ratio", A_TO_B, {"a": 0, "b": [0] * 9 + [10]}, True),
    ("likeness", A_AND_B, {"a": [-1] * 9 + [20], "b": 1, "c": 9}, True),
]


@pytest.mark.parametrize(("measure", "arguments", "finals", "is_finite"), NOT_FINITE)
def test_a_number_that_is_not_finite_is_undecided(measure, arguments, finals, is_finite):
    """So is one that is not finite in a resample. Nothing excuses its infinite error."""
    values = {name: np.zeros((10, 4)) for name in finals}
    for name, final in finals.items():
        values[name][:, -1] = final
    row = judge(measure, arguments, {"below": 9}, runs_of(values), zero_error_because={"fig1": "x"})
    assert (row["verdict"], row["standard_error"]) == ("undecided", math.inf)
    assert math.isfinite(row["value"]) == is_finite
    where = "in a resample of the runs, " if is_finite else "not measurable at this scale: "
    assert f"{where}a logarithm or a ratio is not finite" in row["evidence"]


def with_error(value, error):
    """Runs of `a` whose bootstrap over 100 runs has about this error, and of `b` at 1."""
    around = error * np.sqrt(100 / 99) * 10 * np.tile([-1, 1], 50)[:, None]
    return runs_of({"a": value + around * np.ones(4), "b": np.ones((100, 4))})


def test_the_evidence_says_how_many_runs_would_decide():
    """1.05 is half of a spread of 0.1 from the threshold, so that four times as many decide."""
    check = placed("ratio", A_TO_B, {"at_most": 1}, runs := with_error(1.05, 0.05))
    row = judging.judge(check, [runs], 1)
    assert row["verdict"] == "undecided"
    times = float(re.search(r"([\d.]+) times as many runs would decide it", row["evidence"])[1])
    needed = 2 * row["standard_error"] / (row["value"] - 1)
    assert times == pytest.approx(needed**2, rel=0.1)
    assert runs_needed(Measurement(1.2, "", 0.05), {"at_most": 1}) == ""
    assert runs_needed(Measurement(1.2, "", math.inf), {"at_most": 1}) == ""


def test_the_evidence_says_why_a_threshold_or_a_window_is_not_the_usual_one():
    check = placed("ratio", {**A_TO_B, "since": 10}, {"at_most": 2}, with_error(1.1, 0.1))
    row = judging.judge(check, [with_error(1.1, 0.1)], 1)
    assert row["verdict"] == "holds"
    assert row["evidence"].endswith(f"; departs: {TEST}; window: {TEST}")
    assert row["critical_threshold"] == row["interval_high"]


@pytest.mark.parametrize(
    ("sentence", "value", "verdict"),
    [
        ("much better", 0.5, "a matter of degree"),
        ("much better", 0.9, "undecided"),
        ("much better", 1.4, "fails"),
        ("similar", 0.5, "a matter of degree"),
        ("similar", 9, "a matter of degree"),
    ],
)
def test_a_word_without_a_number_is_a_matter_of_degree_on_its_right_side(sentence, value, verdict):
    """Its critical threshold is the end of the interval towards the side on which it fails."""
    word = {"degree": "slightly"}
    row = judge("ratio", A_TO_B, sentence, with_error(value, 0.1), **word)
    assert row["verdict"] == verdict
    assert row["interval_high"] == pytest.approx(value + 0.2, abs=0.05)
    assert row["critical_threshold"] == row["interval_high"]
    critical = f"above {row['interval_high']:.4g}"
    words = f"'slightly' has no number: it holds for every threshold {critical}"
    assert (words in row["evidence"]) == (verdict == "a matter of degree")
    agreeing = judge("ratio", A_TO_B, "similar", runs_of(FIVE), **word)
    assert agreeing["verdict"] == "undecided"  # all runs agree
    short = shorter(with_error(0.5, 0.1), 10_000)
    row = judge("ratio", A_TO_B, sentence, short, needs_horizon=True, **word)
    assert row["verdict"] == "undecided"
    assert math.isnan(row["critical_threshold"])


@pytest.mark.parametrize(
    ("final", "share", "verdict"), [(0.7, 0.757, "holds"), (1.0, 0.5, "holds"), (3.0, 0, "fails")]
)
def test_a_sentence_about_a_figure_fails_if_such_figures_are_rare(final, share, verdict):
    """Final regrets of a have a deviation of 0.86, so their means of four runs have 0.43.

    Those of b are 1. The probability of a smaller mean is that of the normal law.
    """
    rng = np.random.default_rng(3)
    curves = {
        "a": rng.normal(final, 0.86, (400, 1)) * np.array([0, 0, 0, 1]),
        "b": np.ones((400, 4)),
    }
    row = judge("ratio", A_TO_B, "better", runs_of(curves), drawn_runs=4)
    assert row["verdict"] == verdict
    found = float(re.search(r"share of ([\d.]+) ± ([\d.]+)", row["evidence"])[1])
    assert found == pytest.approx(share, abs=0.08)
    assert row["p_value"] < 1e-6


def test_a_figure_has_its_number_of_runs_of_each_series():
    """Of series with as many runs the same ones, since runs may be pairs."""
    values = {
        name: np.arange(n)[:, None] * np.ones(4) for name, n in (("a", 40), ("b", 40), ("c", 9))
    }
    drawn = []

    def measure(parts):
        drawn.append([parts[0].runs_of(name, -1).tolist() for name in values])
        return Measurement(0.0, "")

    rng = np.random.default_rng(1)
    chance_of_figure(measure, [runs_of(values)], 9, {"below": 1.0}, rng)
    assert {len(runs) for figure in drawn for runs in figure} == {9}
    assert all(a == b for a, b, _ in drawn)
    assert {n for *_, c in drawn for n in c} == set(range(9))


def test_a_figure_of_equal_curves_contradicts_nothing_and_needs_enough_runs():
    equal = runs_of({"a": np.ones((30, 4)), "b": np.ones((30, 4))})
    assert judge("ratio", A_TO_B, "better", equal, drawn_runs=30)["verdict"] == "holds"
    row = judge("ratio", A_TO_B, "better", equal, drawn_runs=31)
    assert row["verdict"] == "undecided"
    assert "it is about 31 runs, and this scale has 30" in row["evidence"]


def test_a_p_value_is_the_tail_of_the_normal_law():
    """Three errors from the threshold, of which two decide; a number without chance has none."""
    measurement = Measurement(1.3, "", 0.1)
    assert p_value(measurement, {"at_most": 1.0}, None) == pytest.approx(0.0027, rel=0.01)
    assert p_value(measurement._replace(needed=3), {"at_most": 1.0}, None) == pytest.approx(
        0.0455, rel=0.01
    )
    assert p_value(measurement._replace(error=None), {"at_most": 1.0}, None) == 0
    assert p_value(measurement._replace(value=math.nan), {"at_most": 1.0}, None) == 1


def test_what_no_run_could_contradict_holds_by_construction_unless_it_does_not():
    reason = "both are constants"
    for because in (reason, {"fig1": reason}):
        for most, verdict in ((5, "by construction"), (4, "fails")):
            row = judge("ratio", A_TO_B, {"at_most": most}, runs_of(FIVE), by_construction=because)
            assert (row["verdict"], row["evidence"]) == (verdict, f"a / b at t = 1000; {reason}")
    row = judge(
        "ratio", A_TO_B, AT_MOST_2, with_error(0.5, 0.1), by_construction={"corrected": reason}
    )
    assert row["verdict"] == "holds"


def test_a_promise_reads_no_runs_and_has_no_standard_error():
    it = runs_of(FIVE, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
    (row,) = table([placed("privacy_spent", {"of": "a"}, AT_MOST_2, it)], {})
    assert row["value"] == 2
    assert math.isnan(row["standard_error"])


def test_what_needs_the_papers_horizon_is_not_measurable_in_shorter_games():
    it = runs_of(FIVE, spread=0.01, paper="azize2022")
    assert judge("ratio", A_TO_B, AT_MOST_2, it, needs_horizon=True)["verdict"] == "fails"
    short = shorter(it, 100_000)
    message = (
        "not measurable at this scale: it needs games of T = 100000, and this scale's are shorter"
    )
    several = ("rise_between_experiments", {"of": ["a"]}, [it, short])
    for measure, arguments, parts in (("ratio", A_TO_B, [short]), several):
        row = judge(measure, arguments, AT_MOST_2, *parts, needs_horizon=True)
        assert [row[key] for key in ("verdict", "standard_error", "evidence")] == [
            "undecided",
            math.inf,
            message,
        ]
        assert math.isnan(row["value"])


@pytest.mark.parametrize(
    "path", sorted((ROOT / "config/papers").glob("*.yaml")), ids=lambda path: path.stem
)
def test_only_shorter_games_have_a_horizon_of_the_paper(path):
    """At the paper's scale no check is kept from its verdict."""
    whole, smoke = (studies.load(path, scale).experiments for scale in ("paper", "smoke"))
    assert {e.design.horizon_of_paper for e in whole.values()} == {None}
    for id, e in smoke.items():
        longer = whole[id].design.horizon
        assert e.design.horizon_of_paper == (longer if e.design.horizon < longer else None)


def test_a_check_of_several_experiments_is_judged_once_per_reading():
    """fig1 has two readings, fig2 one: each is judged with fig2."""
    published, corrected = (
        runs_of({"a": [0, 0, 0, final]}, reading=reading, spread=1, paper="azize2022")
        for reading, final in (("published", 100), ("corrected", 200))
    )
    both = runs_of({"a": [0, 0, 0, 150]}, experiment="fig2", spread=1, paper="azize2022")
    checks = [
        placed("rise_between_experiments", {"of": ["a"]}, {"at_most": 1}, it, both)
        for it in (published, corrected)
    ]
    result = table(checks, {"fig1": [trace(published), trace(corrected)], "fig2": [trace(both)]})
    assert [
        [row[key] for key in ("reading", "experiment", "verdict", "value")] for row in result
    ] == [
        ["published", "fig1 fig2", "fails", 1.5],
        ["corrected", "fig1 fig2", "holds", 0.75],
    ]


def test_a_slope_over_four_experiments_is_one_verdict_with_an_error():
    """Games of four lengths, each with six runs, whose final regret is 3 times T.

    The bound of EXP3 grows as the root of T.
    """
    game = {"kind": "stochastic_adversary", "number_of_arms": 4, "best": 1.0, "others": 0.5}
    lengths = {
        T: np.outer(3 * T * (1 + np.linspace(-0.1, 0.1, 6)), [0, 0.5, 0.5, 1])
        for T in (256, 512, 1024, 4096)
    }
    parts = [
        runs_of({"a": curves}, experiment=f"s-{T}", horizon=T, paper="tossou2017", environment=game)
        for T, curves in lengths.items()
    ]
    arguments = {"of": "a", "bound": "tossou2017_exp3"}
    check = placed("growth_exponent", arguments, {"at_least": 0.3, "at_most": 0.7}, *parts)
    (row,) = table([check], {part.experiment.id: [trace(part)] for part in parts})
    assert (row["experiment"], row["verdict"]) == ("s-256 s-512 s-1024 s-4096", "holds")
    assert row["value"] == pytest.approx(0.5)
    # ln(final) has a standard error of 0.068/sqrt(6) = 0.028 at each length; ln T = 5.55, 6.24,
    # 6.93, 8.32 spreads by 2.05 around its mean, root of the sum of squares: the slope's error is
    # 0.028/2.05.
    assert row["standard_error"] == pytest.approx(0.0136, rel=0.25)


def test_a_check_of_the_nash_regret_reads_what_the_traces_have():
    """A sweep has one Nash regret per run, from its own games. Other runs have one together.

    A check may measure another quantity.
    """
    it = runs_of({"a": [0] * 4}, (10, 100, 1000, 10_000), paper="tossou2017")
    design = dataclasses.replace(it.experiment.design, quantity="nash_regret")
    vars(design)["rounds"] = it.experiment.design.rounds
    it = dataclasses.replace(it, experiment=dataclasses.replace(it.experiment, design=design))
    each = np.arange(40.0).reshape(10, 4)
    ignored = placed("mean_of", {"of": ["a"], "quantity": "ignored"}, {"at_most": 7}, it)
    (row,) = table([ignored], {"fig1": [trace(it, regret=each, ignored=each * 0 + 7)]})
    assert row["value"] == 7
    check = placed("final_over_earlier", {"of": ["a"], "since": 1000}, {"at_most": 1}, it)
    (row,) = table([check], {"fig1": [trace(it, regret=each**2, nash_regret=each)]})
    assert row["value"] == 21 / 20
    assert row["standard_error"] > 0
    kept = {
        "regret": each,
        "measured_against": np.full((10, 1), 0.8),
        "means": np.tile([0.8, 0.2], (10, 1)),
    }
    kept |= {"first_played": np.zeros((10, 10_000), np.uint8)}
    kept |= dict.fromkeys(("mean_played", "variance_played"), np.zeros((10, 0), np.float32))
    kept["first_played"][:, 500:] = 1  # from then on the arm that is worth 0.2, all runs at once
    (row,) = table([check], {"fig1": [trace(it, **kept)]})
    assert row["value"] == pytest.approx(
        (0.8 - 0.8**0.05 * 0.2**0.95) / (0.8 - 0.8**0.5 * 0.2**0.5), rel=1e-5
    )
    assert (row["standard_error"], row["verdict"]) == (
        0,
        "undecided",
    )  # all runs are the same, and nothing says why


AZIZE = study_of("azize2022")


def test_what_is_judged_of_a_study_follows_its_file():
    result = [
        check for check in placing.placed_checks(AZIZE) if check.id in ("D1", "D5-c1", "D16-dp-se")
    ]
    wanted = [
        ("D1", "experiment", "fig2"),
        ("D5-c1", "experiment", "fig4a fig4d"),
        ("D16-dp-se", "privacy", "fig2"),
        ("D16-dp-se", "privacy", "fig4a"),
    ]
    assert [
        (one.id, one.kind, " ".join(e.id for e in one.experiments), one.reading) for one in result
    ] == [(*each, reading) for each in wanted for reading in ("published", "corrected")]
    assert {one.id for one in placing.placed_checks(AZIZE)} == AZIZE.checks.keys()

"""The measures on curves that are known exactly, and the verdicts around a border."""

import dataclasses
import math

import numpy as np
import pytest
from project import ROOT

from dpbandits import claims, studies
from dpbandits.claims.measures import general, tossou2016
from dpbandits.statistics.estimators import mean, share_of_subsets_within
from dpbandits.studies import Claim, Design, Experiment, Policy, Series

T = np.array([1, 10, 100, 1000])


def runs(curves, spread=0.0, number=10, parameters=None, algorithm="ucb"):
    """Experiments whose runs lie symmetrically around the given curves."""
    offsets = np.linspace(-spread, spread, number)[:, None]
    values = {name: np.asarray(curve, float)[None, :] + offsets for name, curve in curves.items()}
    series = [Series(name, name, algorithm, parameters or {}, name, 0) for name in curves]
    experiment = Experiment(
        id="fig1",
        base="fig1",
        reading="",
        paper="toy2020",
        environment={"kind": "bernoulli", "means": [0.9, 0.6]},
        policies=tuple(Policy(s.id, "fig1", (s,), number) for s in series),
        design=Design(1000, number, 5, 10, tuple(T), "mean", "sigma"),
    )
    return claims.Runs(experiment, T, values, "mean")


def claim(predicate, arguments, expect, cause=None):
    return Claim("A1", "says", "source", ("fig1",), "mean", predicate, arguments, expect, cause or {})


def test_a_ratio_is_that_of_the_worst_pair():
    value, where, *_ = general.ratio(
        runs({"a": [0, 1, 2, 3], "b": [0, 1, 2, 6], "c": [0, 1, 2, 4]}), of=["a"], to=["b", "c"]
    )
    assert value == pytest.approx(0.75)
    assert where == "a / c at t = 1000"


def test_a_ratio_looks_at_its_window_only():
    it = runs({"a": [9, 4, 3, 50], "b": [1, 2, 2, 1]})
    assert general.ratio(it, of=["a"], to=["b"], since=10, until=0.5)[0] == pytest.approx(2.0)
    with pytest.raises(claims.NotMeasured, match="t = 5000"):
        general.ratio(it, of=["a"], to=["b"], since=5000)


def test_ratio_over_log_time_weighs_every_factor_of_t_alike():
    """Linear in ln t from 1 to 4 between t = 100 and 1000: the mean of ln(1 + 3u) is 4/3 ln 4 - 1; before, ln 1 = 0."""
    it = runs({"a": [9, 1, 1, 4], "b": [1, 1, 1, 1]})
    value, where, *_ = tossou2016.ratio_over_log_time(it, of="a", to="b", since=100, until=1000)
    assert value == pytest.approx(math.exp(4 / 3 * math.log(4) - 1), rel=1e-4)
    assert where == "a / b on average over ln t from t = 100 to 1000"
    half = tossou2016.ratio_over_log_time(it, of="a", to="b", since=10, until=1000)[0]
    assert half == pytest.approx(math.sqrt(value), rel=1e-3)
    with pytest.raises(claims.NotMeasured, match="up to t = 5000"):
        tossou2016.ratio_over_log_time(it, of="a", to="b", since=10, until=5000)


def test_growth_of_gap():
    it = runs({"a": [1, 5, 9, 11], "b": [1, 1, 1, 1]})
    assert tossou2016.growth_of_gap(it, of="a", minus="b", since=10)[0] == pytest.approx(2.5)
    assert tossou2016.growth_of_gap(it, of="a", minus="b", since=100)[0] == pytest.approx(1.25)
    assert tossou2016.growth_of_gap(it, of="b", minus="a", since=100)[0] == pytest.approx(1.25)
    falling = runs({"a": [9, 7, 5, 4], "b": [1, 1, 1, 1]})
    assert tossou2016.growth_of_gap(falling, of="a", minus="b", since=100)[0] == pytest.approx(0.75)
    with pytest.raises(claims.NotMeasured, match="rounds from t = 1000 on"):
        tossou2016.growth_of_gap(it, of="a", minus="b", since=1000)


def test_final_spread_takes_the_widest_series():
    it = runs({"a": [0, 0, 0, 5]}, spread=2.0)
    assert tossou2016.final_spread(it, of=["a"])[0] == pytest.approx(4.0)


def test_over_bound():
    """UCB's bound at t = 10, 100, 1000 with one gap of 0.3."""
    limit = [8 * math.log(t) / 0.3 + (1 + math.pi**2 / 3) * 0.3 for t in T[1:]]
    it = runs({"a": [50, 0.1 * limit[0], 0.4 * limit[1], 0.2 * limit[2]]})
    value, where, *_ = general.over_bound(it, of=["a"], bound="ucb1", since=2)
    assert value == pytest.approx(0.4)  # the first round is left out: ln 1 = 0
    assert "t = 100;" in where


def test_chance_of_spread_below():
    """Of the ten pairs of five runs, 1 and 2, 2 and 3, 3 and 4 are less than 1.5 apart."""
    it = runs({"a": [0] * 4, "b": [0] * 4}, number=5)
    finals = np.array([4.0, 1, 3, 2, 40])
    wide = claims.Runs(it.experiment, it.t, {"a": np.tile(finals[:, None], 4), "b": it.values["b"]}, "mean")
    value, where, *_ = tossou2016.chance_of_spread_below(wide, of=["a"], runs_each=2, below=1.5)
    assert value == pytest.approx(0.3)
    assert where == "probability that 2 runs differ by less: 0.3 for a"
    # Of the ten triples, three are within 3.5: {1, 2, 3}, {2, 3, 4}, {1, 2, 4}, {1, 3, 4} make four. b's runs agree.
    assert tossou2016.chance_of_spread_below(wide, of=["a", "b"], runs_each=3, below=3.5)[0] == pytest.approx(0.4)
    assert tossou2016.chance_of_spread_below(wide, of=["a"], runs_each=3, below=1.0)[0] == 0
    with pytest.raises(claims.NotMeasured, match="at this scale there are 5"):
        tossou2016.chance_of_spread_below(wide, of=["a"], runs_each=6, below=1.5)


def test_chance_of_spread_below_is_the_share_of_random_subsets():
    rng = np.random.default_rng(5)
    values = np.round(rng.normal(0, 2, 60), 1)  # with ties
    subsets = np.array([np.ptp(rng.choice(values, 4, replace=False)) < 3.0 for _ in range(4000)])
    exact = share_of_subsets_within(values, 4, 3.0)
    assert abs(subsets.mean() - exact) < 4 * math.sqrt(exact * (1 - exact) / 4000)


def test_locked_in_share_over_earlier():
    """The gap is 0.3. Two of four runs lose .2 per round from t = 10 to 100 (the last checkpoint up to 50), one to 1000."""
    it = runs({"a": [0] * 4}, number=4)
    lost, recovered, good = [0, 0.3, 19, 199], [0, 0.3, 19, 30], [0, 0.3, 2, 3]
    few = claims.Runs(it.experiment, it.t, {"a": np.array([lost, recovered, good, good], float)}, "mean")
    value, where, *_ = tossou2016.locked_in_share_over_earlier(few, of="a", since=100)
    assert value == pytest.approx(0.5)
    assert where == "a: 0.5 up to t = 100, 0.25 up to t = 1000"
    with pytest.raises(claims.NotMeasured, match="rounds from t = 1000 on"):
        tossou2016.locked_in_share_over_earlier(few, of="a", since=1000)
    with pytest.raises(claims.NotMeasured, match="no run of a loses up to t = 10"):
        tossou2016.locked_in_share_over_earlier(few, of="a", since=10)


def test_privacy_spent():
    given = {"epsilon": 0.5, "hybrid_split": "full_log2"}
    it = runs({"a": [0, 0, 0, 1]}, parameters=given, algorithm="dp_ucb")
    assert general.privacy_spent(it, of="a")[0] == 2.0


@pytest.mark.parametrize(
    ("measured", "error", "expect", "verdict"),
    [
        (1.0, 0.0, {"at_most": 1.0}, "holds"),
        (1.0, 0.0, {"below": 1.0}, "fails"),
        (0.9, 0.04, {"at_most": 1.0}, "holds"),
        (0.9, 0.06, {"at_most": 1.0}, "undecided"),
        (1.1, 0.06, {"at_most": 1.0}, "undecided"),
        (1.1, 0.04, {"at_most": 1.0}, "fails"),
        (2.0, 0.1, {"at_least": 1.5}, "holds"),
        (2.0, 0.1, {"above": 2.5}, "fails"),
        (5.0, 0.1, {"at_least": 4.0, "at_most": 6.0}, "holds"),
        (7.0, 0.1, {"at_least": 4.0, "at_most": 6.0}, "fails"),
        (5.9, 0.1, {"at_least": 4.0, "at_most": 6.0}, "undecided"),
    ],
)
def test_verdicts(measured, error, expect, verdict):
    assert claims.decide(measured, error, expect) == verdict


def test_the_bootstrap_finds_the_standard_error_of_a_mean():
    """Final values evenly in [-6, 6] around 100, ten runs: s.e. of the mean is sd/sqrt(10) = 1.2 (population sd 3.83)."""
    it = runs({"a": [1, 1, 1, 100], "b": [1, 1, 1, 100]}, spread=6.0)
    fixed = claims.Runs(it.experiment, it.t, {**it.values, "b": np.full((10, 4), 100.0)}, "mean")
    row = claims.judge(claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_most": 2}), fixed, seed=1)
    assert row["value"] == pytest.approx(1.0)
    assert row["standard_error"] == pytest.approx(3.83 / math.sqrt(10) / 100, rel=0.2)
    assert row["verdict"] == "holds"


def test_the_mean_of_a_resample_is_the_mean_of_the_chosen_runs_bit_for_bit():
    rng = np.random.default_rng(3)
    for shape in [(1000, 40), (37, 5), (8, 2)]:
        values = rng.exponential(1, shape).cumsum(axis=1)
        it = claims.Runs(runs({"a": [0] * 4}).experiment, np.arange(shape[1]), {"a": values}, "mean")
        sample = it.resampled(rng)
        assert sample.curve("a").tolist() == mean(values[sample.resample["a"]]).tolist()
        assert sample.curve("a")[-1] == sample.final("a")


def test_a_failing_claim_says_why():
    it = runs({"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}, spread=0.01)
    cause = {"published": "of the slip", "fig1": "of this panel"}
    row = claims.judge(claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_most": 2}, cause), it, seed=1)
    assert row["verdict"] == "fails"
    assert (row["evidence"], row["cause"]) == ("a / b at t = 1000", "of this panel")
    assert (row["experiment"], row["reading"]) == ("fig1", "both")
    assert (row["relation"], row["border"], row["border_high"]) == ("at_most", 2, None)
    assert (row["statement"], row["source"], row["kind"]) == ("says", "source", "sentence")


def test_a_claim_about_later_rounds_is_undecided_at_a_small_scale():
    it = runs({"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]})
    row = claims.judge(claim("growth_of_gap", {"of": "a", "minus": "b", "since": 30000}, {"at_most": 1}), it, seed=1)
    assert (row["verdict"], row["value"], row["standard_error"]) == ("undecided", None, None)
    message = "not measurable at this scale: it speaks of rounds from t = 30000 on, and this scale ends at t = 1000"
    assert row["evidence"] == message


def test_the_last_round_alone_is_not_a_window():
    """Of "from t = 1000 on" a game of 1000 rounds shows one round."""
    it = runs({"a": [1, 2, 3, 5], "b": [1, 1, 1, 1]}, spread=0.01)
    for predicate, arguments in (("ratio", {"of": ["a"], "to": ["b"]}), ("over_bound", {"of": ["a"], "bound": "ucb1"})):
        for since, verdict in ((1000, "undecided"), (5000, "undecided"), (100, "fails")):
            said = claim(predicate, {**arguments, "since": since}, {"at_most": -10})
            assert claims.judge(said, it, seed=1)["verdict"] == verdict


def test_a_claim_that_needs_the_papers_horizon_is_not_measurable_in_shorter_games():
    it = runs({"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}, spread=0.01)
    said = dataclasses.replace(claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_most": 2}), needs_horizon=True)
    assert claims.judge(said, it, seed=1)["verdict"] == "fails"
    design = dataclasses.replace(it.experiment.design, horizon_of_paper=100_000)
    short = dataclasses.replace(it, experiment=dataclasses.replace(it.experiment, design=design))
    row = claims.judge(said, short, seed=1)
    assert (row["verdict"], row["value"], row["standard_error"]) == ("undecided", None, None)
    message = "not measurable at this scale: it needs games of T = 100000, and this scale's end at t = 1000"
    assert row["evidence"] == message
    together = dataclasses.replace(said, together=True, predicate="rise_between_experiments", arguments={"of": ["a"]})
    assert claims.judge(together, claims.Together((it, short)), seed=1)["verdict"] == "undecided"


@pytest.mark.parametrize("path", sorted((ROOT / "config/papers").glob("*.yaml")), ids=lambda path: path.stem)
def test_only_shorter_games_have_a_horizon_of_the_paper(path):
    """At the paper's scale no claim is kept from its verdict."""
    whole = studies.load(path, "paper").experiments
    assert {e.design.horizon_of_paper for e in whole.values()} == {None}
    for scale in ("draft", "smoke"):
        for id, e in studies.load(path, scale).experiments.items():
            longer = whole[id].design.horizon
            assert e.design.horizon_of_paper == (longer if e.design.horizon < longer else None)


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [({"at_least": 299}, "fails"), ({"at_least": 301}, "undecided"), ({"at_least": 301, "at_most": 400}, "undecided"),
     ({"at_most": 301}, "holds")],
)  # fmt: skip
def test_a_regret_that_no_game_of_this_length_has_is_not_measurable(expect, verdict):
    """Two arms with a gap of 0.3 cost at most 300 in the 1000 rounds of `runs`."""
    it = runs({"a": [0, 0, 0, 200]}, spread=6.0)
    experiment = dataclasses.replace(it.experiment, environment={"kind": "bernoulli", "means": [0.9, 0.6]})
    it = claims.Runs(experiment, it.t, it.values, "mean")
    row = claims.judge(claim("final_spread", {"of": ["a"]}, expect), it, seed=1)
    assert row["verdict"] == verdict
    message = "not measurable at this scale: it speaks of a regret of 301, and this scale's games have at most 300"
    assert (row["evidence"] == message) == (verdict == "undecided")


def test_a_cause_is_given_at_the_papers_scale_only():
    """At a smaller one a claim may fail for another reason."""
    for scale, explained in (("paper", True), ("draft", False), ("smoke", False)):
        paper = studies.load(ROOT / "config/papers/tossou2016.yaml", scale)
        assert {c.explained for c in paper.claims} == {explained}
    it = runs({"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}, spread=0.01)
    said = claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_most": 2}, {"fig1": "of this panel"})
    assert claims.judge(dataclasses.replace(said, explained=False), it, seed=1)["cause"] == ""


def test_a_claim_that_holds_has_no_cause_and_may_have_two_borders():
    it = runs({"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}, spread=0.01)
    said = claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_least": 4, "at_most": 6}, {"fig1": "of this panel"})
    row = claims.judge(said, it, 1, ["fig1", "fig2"])
    assert (row["verdict"], row["cause"], row["figures"]) == ("holds", "", "fig1 fig2")
    assert (row["relation"], row["border"], row["border_high"]) == ("within", 4, 6)


def test_runs_that_all_agree_decide_nothing_unless_the_paper_file_says_why():
    it = runs({"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]})
    said = claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_most": 2})
    row = claims.judge(said, it, 1)
    assert (row["value"], row["standard_error"], row["verdict"]) == (5, 0, "undecided")
    assert row["evidence"] == "a / b at t = 1000; all runs agree, which says nothing of rarer ones"
    row = claims.judge(dataclasses.replace(said, zero_error_because={"fig1": "round robin has no chance in it"}), it, 1)
    assert (row["verdict"], row["evidence"]) == ("fails", "a / b at t = 1000; round robin has no chance in it")


def test_two_measures_of_one_name_are_refused():
    def ratio(runs):
        """Another ratio."""

    with pytest.raises(
        ValueError, match="two measures are called 'ratio', in dpbandits[.]claims[.]measures[.]general and "
    ):
        claims.measure()(ratio)


def test_only_what_has_no_chance_in_it_has_no_standard_error():
    """Runs that are all equal have an error of 0, a promise has none."""
    given = {"epsilon": 0.5, "hybrid_split": "full_log2"}
    it = runs({"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}, parameters=given, algorithm="dp_ucb")
    ratio = claims.judge(claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_most": 2}), it, seed=1)
    promise = claims.judge(claim("promised_epsilon", {"of": "a"}, {"at_most": 2}), it, seed=1)
    assert (ratio["value"], ratio["standard_error"]) == (5, 0)
    assert (promise["value"], promise["standard_error"]) == (0.5, None)


def test_numbers_are_written_with_the_digits_that_are_worth_writing():
    it = runs({"a": [0, 0, 0, 1], "b": [0, 0, 0, 3]}, spread=0.5)
    row = claims.judge(claim("ratio", {"of": ["a"], "to": ["b"]}, {"at_most": 2}), it, seed=1)
    assert row["value"] == 0.333333
    assert row["standard_error"] == float(f"{row['standard_error']:.2g}") > 0

"""The measures of claims about the arena by hand, and verdicts on cells whose law is known."""

import math

import numpy as np
import pytest
from arena.fields import MEANS, NO_EPSILON, cell, claim, field, steady

from dpbandits import verdicts
from dpbandits.arena.cells import LOWER_BOUNDS
from dpbandits.verdicts import MEASURES, NotMeasured
from dpbandits.verdicts.measures import arena as measures

VALUES = {
    ("pure-a", "wide", 0.1): 10.0, ("pure-a", "narrow", 0.1): 40.0, ("pure-a", "wide", 1): 6.0,
    ("pure-b", "wide", 0.1): 20.0, ("pure-b", "narrow", 0.1): 20.0, ("pure-b", "wide", 1): 18.0,
    ("broken", "wide", 0.1): 1.0, ("rescaled-printed", "wide", 0.1): 2.0,
    ("local", "wide", 0.1): 80.0,
    ("kl-ucb", "wide", NO_EPSILON): 5.0, ("kl-ucb", "narrow", NO_EPSILON): 5.0,
}  # fmt: skip
FIELD = steady(VALUES)


def bound(instance, league):
    """The lower bound of a league at epsilon = .1; their values are checked in tests/theory."""
    return LOWER_BOUNDS[league][1](np.array(MEANS[instance]), 200, 0.1)


@pytest.mark.parametrize(
    ("measure", "arguments", "value"),
    [
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "largest"}, 2.0),  # 40/20 on narrow
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "smallest"}, 1 / 3),
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "smallest", "epsilons": [0.1]}, 0.5),
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "geometric_mean"}, (0.5 * 2 / 3) ** (1 / 3)),
        ("ratio_of_best", {"of": ["local"], "to": ["central pure"], "take": "smallest"}, 8.0),
        ("ratio_of_best", {"of": ["broken"], "to": ["kl-ucb"], "take": "largest"}, 0.2),  # by name it counts
        ("ratio_of_best", {"of": ["rescaled-printed"], "to": ["kl-ucb"], "take": "largest"}, 0.4),
        ("lowest_score", {"of": ["central pure"], "epsilons": [0.1]}, 10 / bound("wide", "central pure")),
        ("lowest_score", {"of": ["local"]}, 80 / bound("wide", "local")),
        ("share_won", {"of": ["central pure"]}, 2 / 3),  # pure-a twice on wide, pure-b on narrow
    ],
)
def test_measures_by_hand(measure, arguments, value):
    assert MEASURES[measure].function(FIELD, **arguments)[0] == pytest.approx(value)


def test_the_evidence_names_the_cell():
    _, evidence, *_ = measures.ratio_of_best(FIELD, of=["episodes"], to=["trees"], take="largest")
    assert evidence == "Pure A / Pure B on Narrow, ε = 0.1; 2 of 3 cells below 1"
    assert measures.share_won(FIELD, of=["central pure"])[1] == "cells won: Pure A 2, Pure B 1"


def test_a_guest_counts_only_where_it_is_named():
    joined = steady({**VALUES, ("mine", "wide", 0.1): 0.5})
    for measure in (measures.lowest_score, measures.share_won):
        assert measure(joined, of=["central pure"]) == measure(FIELD, of=["central pure"])
    assert measures.lowest_score(joined, of=["mine"])[0] < measures.lowest_score(FIELD, of=["central pure"])[0]


def test_rare_disasters_lift_the_mean_above_the_median():
    runs = [1.0] * 9 + [91.0]
    found = field([cell("pure-a", "wide", 0.1, runs), cell("pure-b", "wide", 0.1, [10.0] * 10)])
    assert measures.mean_to_median(found, of=["central pure"])[0] == pytest.approx(10.0)


def test_another_game_is_compared_with_the_yardstick_in_that_game():
    """T = 2000 against 200: regret 100 over 20, and 10 over 4."""
    found = field([
        cell("pure-a", "wide", 0.1, [10.0] * 3), cell("pure-a", "wide", 0.1, [100.0] * 3, game=2000),
        cell("kl-ucb", "wide", NO_EPSILON, [4.0] * 3), cell("kl-ucb", "wide", NO_EPSILON, [20.0] * 3, game=2000),
        cell("pure-b", "wide", 0.1, [50.0] * 3, game=2000),
    ])  # fmt: skip
    assert measures.longer_game(found, of=["pure-a"], horizon=2000)[0] == pytest.approx(2.0)
    ratio = measures.ratio_of_best(found, of=["pure-a"], to=["pure-b"], take="largest", horizon=2000)
    assert ratio[0] == pytest.approx(2.0)
    with pytest.raises(NotMeasured):
        measures.longer_game(found, of=["pure-a"], horizon=1000)
    with pytest.raises(NotMeasured):
        measures.ratio_of_best(found, of=["pure-a"], to=["pure-b"], take="largest")


def noisy(mean, seed, policy="pure-a"):
    return cell(policy, "wide", 0.1, np.random.default_rng(seed).normal(mean, 0.2 * mean, 400))


@pytest.mark.parametrize(("factor", "verdict"), [(0.5, "holds"), (2.0, "fails"), (1.0, "undecided")])
def test_a_verdict_and_its_error(factor, verdict):
    found = field([noisy(100 * factor, 1), noisy(100, 3, "pure-b")])
    row = verdicts.judge(
        claim("ratio_of_best", {"below": 1}, of=["pure-a"], to=["pure-b"], take="largest"), found, seed=1
    )
    assert row["verdict"] == verdict
    assert row["value"] == pytest.approx(factor, rel=0.05)
    assert row["standard_error"] == pytest.approx(row["value"] * 0.2 * math.sqrt(2 / 400), rel=0.2)
    assert row["cause"] == ("" if verdict == "holds" else "a cause")


def test_what_this_scale_does_not_have_is_undecided():
    row = verdicts.judge(claim("lowest_score", {"above": 2}, of=["pure-a"], epsilons=[0.5]), FIELD, seed=1)
    assert (row["verdict"], row["value"]) == ("undecided", None)
    assert row["evidence"] == "not measurable at this scale: it speaks of cells that this scale does not have"

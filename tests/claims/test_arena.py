"""The measures of claims about the arena by hand, and verdicts on cells whose law is known."""

import math

import numpy as np
import pytest
from arena.fields import NO_EPSILON, cell, claim, field, steady

from dpbandits import claims
from dpbandits.claims import MEASURES, NotMeasured
from dpbandits.claims.measures import arena as measures

VALUES = {
    ("pure-a", "wide", 0.1): 10.0, ("pure-a", "narrow", 0.1): 40.0, ("pure-a", "wide", 1): 6.0,
    ("pure-b", "wide", 0.1): 20.0, ("pure-b", "narrow", 0.1): 20.0, ("pure-b", "wide", 1): 18.0,
    ("broken", "wide", 0.1): 1.0, ("broken-kept", "wide", 0.1): 2.0,
    ("local", "wide", 0.1): 80.0,
    ("kl-ucb", "wide", NO_EPSILON): 5.0, ("kl-ucb", "narrow", NO_EPSILON): 5.0,
}  # fmt: skip
FIELD = steady(VALUES)
KL = 0.5 * math.log(0.5 / 0.6) + 0.5 * math.log(0.5 / 0.4)  # below 6 epsilon gap = 0.06


@pytest.mark.parametrize(
    ("measure", "arguments", "value"),
    [
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "largest"}, 2.0),  # 40/20 on narrow
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "smallest"}, 1 / 3),
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "smallest", "epsilons": [0.1]}, 0.5),
        ("ratio_of_best", {"of": ["episodes"], "to": ["trees"], "take": "geometric_mean"}, (0.5 * 2 / 3) ** (1 / 3)),
        ("ratio_of_best", {"of": ["local"], "to": ["central pure"], "take": "smallest"}, 8.0),
        ("ratio_of_best", {"of": ["broken"], "to": ["kl-ucb"], "take": "largest"}, 0.2),  # by name it counts
        ("ratio_of_best", {"of": ["broken-kept"], "to": ["kl-ucb"], "take": "largest"}, 0.4),
        ("lowest_score", {"of": ["central pure"], "epsilons": [0.1]}, 20 / (math.log(200) * 0.1 / KL)),  # on narrow
        ("lowest_score", {"of": ["local"]}, 16.0),
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


def test_the_score_of_a_longer_game_has_its_own_unit():
    """T = 2000 against 200: the bound grows with ln T, the regret tenfold."""
    found = field([cell("pure-a", "wide", 0.1, [10.0] * 3), cell("pure-a", "wide", 0.1, [100.0] * 3, long=True)])
    wanted = 10 * math.log(200) / math.log(2000)
    assert measures.longer_game(found, of=["pure-a"])[0] == pytest.approx(wanted)
    with pytest.raises(NotMeasured):
        measures.longer_game(FIELD, of=["pure-a"])


def noisy(mean, seed, policy="pure-a"):
    return cell(policy, "wide", 0.1, np.random.default_rng(seed).normal(mean, 0.2 * mean, 400))


@pytest.mark.parametrize(("factor", "verdict"), [(0.5, "holds"), (2.0, "fails"), (1.0, "undecided")])
def test_a_verdict_and_its_error(factor, verdict):
    found = field([noisy(100 * factor, 1), noisy(100, 3, "pure-b")])
    row = claims.judge(
        claim("ratio_of_best", {"below": 1}, of=["pure-a"], to=["pure-b"], take="largest"), found, seed=1
    )
    assert row["verdict"] == verdict
    assert row["value"] == pytest.approx(factor, rel=0.05)
    assert row["standard_error"] == pytest.approx(row["value"] * 0.2 * math.sqrt(2 / 400), rel=0.2)
    assert row["cause"] == ("" if verdict == "holds" else "a cause")


def test_what_this_scale_does_not_have_is_undecided():
    row = claims.judge(claim("lowest_score", {"above": 2}, of=["pure-a"], epsilons=[0.5]), FIELD, seed=1)
    assert (row["verdict"], row["value"]) == ("undecided", None)
    assert row["evidence"] == "not measurable at this scale: it speaks of cells that this scale does not have"

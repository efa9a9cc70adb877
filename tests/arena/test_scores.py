"""The table of scores and the recommended policies, beside numbers worked out by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from arena.fields import NO_EPSILON, cell, steady, table

from dpbandits import files
from dpbandits.arena import rankings, scores
from dpbandits.page import recommendation
from dpbandits.policies import AdaPUCB
from dpbandits.studies.experiment import Series


def answer(result, league, epsilon, rounds=None):
    """The ranking of one league at one epsilon, overall or of two arms after some rounds."""
    ranks = rankings.ranking(result) if rounds else rankings.overall_ranking(result)
    ranks = ranks[ranks["rounds"].isin([rounds]) | (rounds is None)]
    return ranks[
        (ranks["league"] == league) & (ranks["epsilon"].isna() | (ranks["epsilon"] == epsilon))
    ]


def row(frame, **wanted):
    """The one row with these values."""
    for name, value in wanted.items():
        frame = frame[frame[name] == value]
    (result,) = frame.to_dict("records")
    return result


def test_a_score_by_hand():
    result = table(
        cell("pure-a", "wide", 0.1, [10.0, 20.0, 30.0, 40.0], halves=[10.0, 19.0, 20.0, 20.0]),
        cell("kl-ucb", "wide", NO_EPSILON, [4.0, 6.0, 4.0, 6.0]),
    )
    pure = row(result, policy="pure-a", t=200)
    statistics = pure["mean"], pure["median"], pure["over_yardstick"], pure["best"]
    assert statistics == (25.0, 25.0, 5.0, 1)
    # 0.85 of the way from the third run to the fourth.
    assert pure["percentile_95"] == pytest.approx(38.5)
    assert pure["standard_error"] == pytest.approx(math.sqrt(500 / 3 / 4))
    # A quarter of the gap is 10 in the second half: the last two runs lose 10 and 20.
    assert pure["locked_in"] == 0.5
    assert row(result, policy="pure-a", t=100)["over_yardstick"] == pytest.approx(17.25 / 2.5)


def test_a_game_without_the_yardstick_has_no_score():
    result = table(
        cell("pure-a", "wide", 0.1, [10.0, 20.0]), cell("kl-ucb", "narrow", NO_EPSILON, [4.0, 6.0])
    )
    assert math.isnan(row(result, policy="pure-a", t=200)["over_yardstick"])
    assert answer(result, "central pure", 0.1).empty


def test_ties_are_all_that_are_within_two_standard_errors_of_the_best_that_keeps_its_promise():
    # Mean 10, error .459: apart from 2 hypot(.459, .459) = 1.30 on.
    runs = np.array([8.0, 12.0] * 10)
    result = table(
        cell("pure-a", "wide", 0.1, runs + 1.2),
        cell("pure-b", "wide", 0.1, runs),
        cell("broken", "wide", 0.1, runs - 7),
        cell("pure-a", "narrow", 0.1, runs + 1.4),
        cell("pure-b", "narrow", 0.1, runs),
        cell("local", "wide", 0.1, runs + 50),
        cell("kl-ucb", "wide", NO_EPSILON, runs),
        cell("kl-ucb", "narrow", NO_EPSILON, runs),
    )
    best = result[(result["best"] == 1) & (result["t"] == 200)]
    assert sorted(zip(best["instance"], best["policy"], strict=True)) == [
        ("narrow", "kl-ucb"),
        ("narrow", "pure-b"),
        ("wide", "kl-ucb"),
        ("wide", "local"),
        ("wide", "pure-a"),
        ("wide", "pure-b"),
    ]


MINE, OTHER = (AdaPUCB(epsilon=1, alpha=alpha).mechanism for alpha in (3.1, 2))
AUDITED = [
    (MINE, 0.1, 0.1, 0.05, "within"),
    (MINE, 0.1, 0.2, 0.17, "above the promise"),
    (MINE, 1.0, 0.5, 0.4, "no power: why"),
    (MINE, 1.0, 2.0, 0.9, "within"),  # in games that cost more, which says nothing of these
    (MINE, 1.0, 1.0, math.nan, "not audited: why"),
    (OTHER, 1.0, 1.0, 0.8, "above the promise"),
]
AUDITS = pd.DataFrame(AUDITED, columns=["mechanism", "epsilon", "spent", "measured", "finding"])
PROMISES = [
    (0.1, 0.1, 0.05, "not kept"),  # a bound of the audit is above the promise
    (1.0, 1.0, 0.4, "kept"),
    (0.5, 0.5, math.nan, "kept"),  # not audited there
    (0.1, 1.0, 0.4, "exceeded"),  # the ledger is above the promise of the league
    (1.5, 1.0, 0.4, "kept"),  # and below this one, with the parameter of an audit
    (1.0, 1.5, math.nan, "exceeded"),  # with another parameter than the audit at the league's
]


@pytest.mark.parametrize(("league_epsilon", "parameter", "measured", "verdict"), PROMISES)
def test_a_promise_is_held_against_the_ledger_and_the_audit(
    league_epsilon, parameter, measured, verdict
):
    series = Series("mine", "Mine", "adap_ucb", {"epsilon": parameter}, "mine", 0)
    result = scores.promise_of_series(series, 1000, 2, league_epsilon, AUDITS)
    assert (result.league, result.spent, result.promise) == ("central pure", parameter, verdict)
    assert result.measured == pytest.approx(measured, nan_ok=True)


def test_a_promise_that_a_replay_contradicts_is_not_kept_and_not_ranked():
    series = Series("mine", "Mine", "adap_ucb", {"epsilon": 1.0}, "mine", 0)
    result = [scores.promise_of_series(series, 1000, 2, 1.0, AUDITS, {m}) for m in (MINE, OTHER)]
    assert [each.promise for each in result] == ["not kept", "kept"]
    scored = steady({("pure-a", "wide", 0.1): 10.0, ("pure-b", "wide", 0.1): 20.0,
                     ("kl-ucb", "wide", NO_EPSILON): 5.0})  # fmt: skip
    refuted = scored["promise"].mask(scored["policy"] == "pure-a", "not kept")
    scored = scores.compared(scored.assign(promise=refuted), "kl-ucb")
    assert set(scored.loc[scored["best"] == 1, "policy"]) == {"pure-b", "kl-ucb"}
    ranks = answer(scored, "central pure", 0.1).set_index("policy")["ranked"]
    assert ranks.to_dict() == {"pure-b": True, "pure-a": False}


LEAGUES = [
    ("ucb", "none"),
    ("adap_ucb", "central pure"),
    ("adac_ucb", "central approximate"),
    ("dist_dp_se", "aggregator"),
    ("dist_rdp_se", "aggregator approximate"),
    ("ldp_ucb", "local"),
]


@pytest.mark.parametrize(("algorithm", "league"), LEAGUES)
def test_leagues_are_whom_one_trusts(algorithm, league):
    series = Series("a", "A", algorithm, {} if league == "none" else {"epsilon": 1.0}, "a", 0)
    assert scores.promise_of_series(series, 1000, 2, 1.0, AUDITS).league == league


# ---- which one to use


def test_an_answer_by_hand():
    result = steady({
        ("pure-a", "wide", 0.1): 10.0, ("pure-a", "narrow", 0.1): 40.0,
        ("pure-b", "wide", 0.1): 20.0, ("pure-b", "narrow", 0.1): 20.0,
        ("broken", "wide", 0.1): 1.0, ("broken", "narrow", 0.1): 1.0,
        ("local", "wide", 0.1): 90.0, ("local", "narrow", 0.1): 90.0, ("pure-b", "wide", 1): 1.0,
        ("kl-ucb", "wide", NO_EPSILON): 5.0, ("kl-ucb", "narrow", NO_EPSILON): 5.0,
    })  # fmt: skip
    ranking = answer(result, "central pure", 0.1).set_index("policy")
    ours = ranking.loc["pure-a"]
    assert ours["regret"] == pytest.approx(4.0)
    assert (ours["instances"], ours["means"]) == (2, "wide 10; narrow 40")
    # Both have 20, geometrically.
    assert ranking["tied"].to_dict() == {"pure-a": True, "pure-b": True, "broken": False}
    assert list(ranking.index)[-1] == "broken"
    assert not ranking.loc["broken", "ranked"]
    assert answer(result, "local", 0.1)["policy"].tolist() == ["local"]
    assert answer(result, "none", 0.1)["policy"].tolist() == ["kl-ucb"]
    assert not answer(result, "central pure", 1).iloc[0]["ranked"]  # it plays one instance of two
    assert rankings.ranking(result)["arms"].unique().tolist() == [2]


def test_a_ranking_ties_what_is_within_two_standard_errors_and_no_more():
    """Mean 10, error .459: the distance is 1.2 (1.8 errors of a difference), then 1.4 (2.2)."""
    runs = np.array([8.0, 12.0] * 10)
    cells = [
        cell(policy, instance, 0.1, runs + more)
        for instance, distance in (("wide", 1.2), ("narrow", 1.4))
        for policy, more in (("pure-a", distance), ("pure-b", 0.0))
    ]
    units = [cell("kl-ucb", instance, NO_EPSILON, runs) for instance in ("wide", "narrow")]
    for instance, tied in (("wide", True), ("narrow", False)):
        scored = table(*cells, *units)
        ranks = answer(scored[scored["instance"] == instance], "central pure", 0.1)
        assert dict(zip(ranks["policy"], ranks["tied"], strict=True)) == {
            "pure-b": True,
            "pure-a": tied,
        }


def test_the_yardstick_of_a_short_game_is_read_in_the_long_one():
    result = table(
        cell("sums", "wide", 0.1, [6.0, 6.0], halves=[3.0, 3.0], horizon=100),
        cell("kl-ucb", "wide", NO_EPSILON, [5.0, 5.0], halves=[2.0, 2.0]),
    )
    assert row(result, policy="sums", t=100)["over_yardstick"] == 3
    assert math.isnan(row(result, policy="sums", t=50)["over_yardstick"])


def test_errors_are_those_of_the_policys_own_runs():
    runs = np.array([8.0, 12.0] * 10)
    relative = np.std(runs, ddof=1) / 10 / math.sqrt(20)
    cells = []  # of one instance, then of two
    for instance, error in (("wide", 2 * relative), ("narrow", math.sqrt(2) * relative)):
        cells += [
            cell("pure-a", instance, 0.1, runs),
            cell("kl-ucb", instance, NO_EPSILON, [4.0, 6.0]),
        ]
        (ours,) = answer(table(*cells), "central pure", 0.1).to_dict("records")
        assert ours["regret"] == pytest.approx(2)
        assert ours["error"] == pytest.approx(error)
        # All runs lose a quarter of the small gap.
        assert ours["lost"] == (0 if instance == "wide" else 0.5)


def test_rounds_are_those_of_the_shortest_game_that_is_long_enough():
    result = table(
        cell("sums", "wide", 0.1, [10.0, 10.0]),
        cell("sums", "wide", 0.1, [60.0, 60.0], halves=[30.0, 30.0], horizon=400),
        cell("kl-ucb", "wide", NO_EPSILON, [5.0, 5.0]),
        cell("kl-ucb", "wide", NO_EPSILON, [12.0, 12.0], [6.0, 6.0], 400),
    )
    for rounds, regret in ((None, [2]), (100, [2]), (200, [2]), (400, [5]), (300, [])):
        at = answer(result, "aggregator", 0.1, rounds=rounds).round(9)
        assert at["regret"].tolist() == regret
        if rounds in (100, 200):  # it knows a horizon of 200
            assert at["tuned_for"].tolist() == [200 if rounds == 100 else 0]


def test_errors_of_3_percent_are_not_large():
    """An error of 3% is not large; one of 3.2% is."""
    rows = {"t": 9, "horizon": 9, "mean": 100.0, "locked_in": 0.0, "runs": 10}
    table = pd.DataFrame([rows | {"standard_error": error} for error in (1.0, 3.0, 3.2)])
    says = recommendation.errors_as_markdown(table)
    assert says.startswith("Of 3 means 2 have an error of at most 3%.")
    assert says.endswith("1 remain, with errors of up to 3%.")


def test_only_a_policy_that_plays_everywhere_is_recommended(tmp_path):
    result = steady({
        ("pure-a", "wide", 0.1): 10.0,
        ("pure-b", "wide", 0.1): 20.0, ("pure-b", "narrow", 0.1): 20.0,
        ("kl-ucb", "wide", NO_EPSILON): 5.0, ("kl-ucb", "narrow", NO_EPSILON): 5.0,
    })  # fmt: skip
    text = recommendation.as_markdown(result)
    assert text.splitlines()[2] == "| the operator: ε | Pure b (4) | authors' text |"
    assert text.splitlines()[-1] == "| nobody: ε | – |  |"
    files.write(tmp_path / "scores.csv", result)
    readme, page = tmp_path / "README.md", tmp_path / "docs/arena.md"
    readme.write_text(
        "before <!-- arena: begin (made by `make reference`) -->\nold\n<!-- arena: end --> after",
        "utf-8",
    )
    page.parent.mkdir()
    marks = "<!-- arena {0}: begin (made by `make reference`) -->\n<!-- arena {0}: end -->\n"
    page.write_text(marks.format("lost") + marks.format("errors"))
    assert recommendation.update(readme, "arena", tmp_path / "scores.csv")
    assert recommendation.lost_as_markdown(result) in page.read_text()
    assert recommendation.errors_as_markdown(result) in page.read_text()
    written = readme.read_text()
    assert text in written
    assert "](figures/gallery/arena.png)" in written
    assert not recommendation.update(readme, "another", tmp_path / "scores.csv")
    assert readme.read_text() == written


def test_large_errors_by_hand():
    """Twenty runs of 8 or 12 have an error of 0.46 in 10.

    The share of lost runs is known if twelve of twenty are lost, and unknown if one is lost.
    """
    runs = np.array([8.0, 12.0] * 10)
    # 50 is half the gap in all 100 rounds.
    lost, one = np.array([1.0] * 8 + [50.0] * 12), np.array([1.0] * 19 + [50.0])
    text = recommendation.errors_as_markdown(
        table(
            cell("pure-a", "wide", 0.1, runs * 0.01 + 10),
            cell("pure-b", "wide", 0.1, lost, halves=0 * lost),
            cell("local", "wide", 0.1, one, halves=0 * one),
        )
    )
    assert text.startswith("Of 3 means 1 have an error of at most 3%. Of the others 1 are decided")
    error = one.std(ddof=1) / math.sqrt(20) / one.mean()
    assert text.endswith(f"1 remain, with errors of up to {error:.0%}.")


def test_lost_runs_of_a_recommended_policy_by_hand():
    # 50 is more than a quarter of the gap of .4 in the last 100 rounds, 10.
    lost = np.array([1.0] * 15 + [50.0] * 5)
    text = recommendation.lost_as_markdown(
        table(
            cell("pure-a", "wide", 0.1, lost, halves=0 * lost),
            cell("pure-a", "narrow", 0.1, [1.0] * 20),
            cell("pure-b", "wide", 0.1, [90.0, 90.0]),
            cell("pure-b", "narrow", 0.1, [90.0, 90.0]),
            cell("kl-ucb", "wide", NO_EPSILON, [5.0, 5.0]),
            cell("kl-ucb", "narrow", NO_EPSILON, [5.0, 5.0]),
        )
    )
    assert text.splitlines()[2:] == ["| Pure a | 12.5% (25.0%, wide) |"]

"""The table of scores and the recommended policies, beside numbers worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from arena.fields import ARENA, RUNS, cell, steady, table

from dpbandits import files
from dpbandits.arena import rankings, scores
from dpbandits.bandits import Bernoulli, Beta
from dpbandits.page import recommendation
from dpbandits.policies import AdaPUCB
from dpbandits.studies.experiment import Series
from dpbandits.studies.model import Study

PURE = "central pure"


def answer(result, league=PURE, epsilon=0.1, rounds=None):
    """The ranking of one league at one epsilon, overall or of two arms after some rounds."""
    ranks = rankings.ranking(result) if rounds else rankings.overall_ranking(result)
    here = ranks["rounds"].isin([rounds]) | (rounds is None)
    here &= (ranks["league"] == league) & (ranks["epsilon"].isna() | (ranks["epsilon"] == epsilon))
    return ranks[here].set_index("policy")


def row(frame, policy, t=200):
    """The one row of a policy after t rounds."""
    (result,) = frame[(frame["policy"] == policy) & (frame["t"] == t)].to_dict("records")
    return result


def test_a_score_by_hand():
    """Without the yardstick in its game a policy has none."""
    result = table(
        cell("pure-a", "wide", [10, 20, 30, 40], halves=[10, 19, 20, 20]),
        cell("kl-ucb", "wide", [4, 6, 4, 6]),
        cell("pure-b", "narrow", [1, 2]),
    )
    pure = row(result, "pure-a")
    values = pure["mean"], pure["median"], pure["over_yardstick"], pure["best"]
    assert values == (25, 25, 5, 1)
    # 0.85 of the way from the third run to the fourth.
    assert pure["percentile_95"] == pytest.approx(38.5)
    assert pure["standard_error"] == pytest.approx(math.sqrt(500 / 3 / 4))
    # A quarter of the gap is 10 in the second half: the last two runs lose 10 and 20.
    assert pure["locked_in"] == 0.5
    assert row(result, "pure-a", 100)["over_yardstick"] == pytest.approx(17.25 / 2.5)
    assert math.isnan(row(result, "pure-b")["over_yardstick"])
    assert answer(result).index.tolist() == ["pure-a"]


@pytest.mark.parametrize(
    ("instance", "distance", "is_tied"), [("wide", 1.2, 1), ("narrow", 1.4, 0)]
)
def test_ties_are_all_that_are_within_two_errors_of_the_best_that_keeps_its_promise(
    instance, distance, is_tied
):
    """In the table and in the rankings. The error of a difference is hypot(.459, .459) = 0.65."""
    ends = {"pure-a": distance, "pure-b": 0, "broken": -7, "local": 50, "kl-ucb": 0}
    result = table(*(cell(policy, instance, RUNS + more) for policy, more in ends.items()))
    best = result.loc[(result["best"] == 1) & (result["t"] == 200), "policy"]
    assert {*best} == {"pure-b", "kl-ucb", "local", *["pure-a"] * is_tied}
    tied = answer(result)["tied"].to_dict()
    assert tied == {"pure-b": True, "pure-a": bool(is_tied), "broken": False}


MINE, OTHER = (AdaPUCB(epsilon=1, alpha=alpha).mechanism for alpha in (3.1, 2))
AUDITED = [
    (MINE, 0.1, 0.1, 0.05, "within"),
    (MINE, 0.1, 0.2, 0.17, "above the promise"),
    (MINE, 2e-9, 2e-9, 0.1, "above the promise"),
    (MINE, 1.0, 0.5, 0.4, "no power: why"),
    (MINE, 1.0, 2.0, 0.9, "within"),  # in games that cost more, which says nothing of these
    (MINE, 1.0, 1.0, math.nan, "not audited: why"),
    (OTHER, 1.0, 1.0, 0.8, "above the promise"),
]
AUDITS = pd.DataFrame(AUDITED, columns=["mechanism", "epsilon", "spent", "measured", "finding"])


def promise(algorithm="adap_ucb", parameter=1.0, league_epsilon=1.0, refuted=None):
    parameters = {} if parameter is None else {"epsilon": parameter}
    series = Series("mine", "Mine", algorithm, parameters, "mine")
    return scores.promise_of_series(series, 1000, 2, league_epsilon, AUDITS, refuted or {})


@pytest.mark.parametrize(
    ("league_epsilon", "parameter", "measured", "verdict"),
    [
        (0.1, 0.1, 0.05, "not kept"),  # a bound of the audit is above the promise
        (1.0, 1.0, 0.4, "kept"),
        (0.5, 0.5, math.nan, "kept"),  # not audited there
        (1e-9, 1e-9, math.nan, "kept"),  # nor here, but at another small one
        (0.1, 1.0, 0.4, "exceeded"),  # the ledger is above the promise of the league
        (1.5, 1.0, 0.4, "kept"),  # and below this one, with the parameter of an audit
        (1.0, 1.5, math.nan, "exceeded"),  # with another parameter than the audit at the league's
    ],
)
def test_a_promise_is_held_against_the_ledger_and_the_audit(
    league_epsilon, parameter, measured, verdict
):
    result = promise("adap_ucb", parameter, league_epsilon)
    assert (result.league, result.spent, result.promise) == (PURE, parameter, verdict)
    assert result.measured == pytest.approx(measured, nan_ok=True)


LEAGUES = {
    "adap_ucb": PURE,
    "adac_ucb": "central approximate",
    "dist_dp_se": "aggregator",
    "dist_rdp_se": "aggregator approximate",
    "ldp_ucb": "local",
}


def test_leagues_are_whom_one_trusts():
    assert {algorithm: promise(algorithm).league for algorithm in LEAGUES} == LEAGUES
    assert promise("ucb", None, None).league == "none"


def test_a_promise_that_a_replay_contradicts_is_not_kept_and_not_ranked():
    verdicts = [promise(refuted={mechanism: "not kept"}).promise for mechanism in (MINE, OTHER)]
    assert verdicts == ["not kept", "kept"]
    scored = steady({"pure-a": (10, None), "pure-b": (20, None), "kl-ucb": (5, None)})
    refuted = scored["promise"].mask(scored["policy"] == "pure-a", "not kept")
    scored = scores.compared(scored.assign(promise=refuted), "kl-ucb")
    assert {*scored.loc[scored["best"] == 1, "policy"]} == {"pure-b", "kl-ucb"}
    assert answer(scored)["ranked"].to_dict() == {"pure-b": True, "pure-a": False}


# ---- which one to use


def test_an_answer_by_hand():
    low = {"pure-a": (10, 40), "pure-b": (20, 20), "broken": (1, 1), "local": (90, 90)}
    result = steady(low | {"kl-ucb": (5, 5)}, {"pure-b": (1, None)})
    ranking = answer(result)
    ours = ranking.loc["pure-a"]
    assert ours["regret"] == pytest.approx(4)
    assert ours["instances"] == 2
    # Both have 20, geometrically.
    assert ranking["tied"].to_dict() == {"pure-a": True, "pure-b": True, "broken": False}
    assert ranking.index[-1] == "broken"
    assert not ranking.loc["broken", "ranked"]
    assert answer(result, "local").index.tolist() == ["local"]
    assert answer(result, "none").index.tolist() == ["kl-ucb"]
    assert not answer(result, PURE, 1)["ranked"].any()  # it plays one instance of two
    assert rankings.ranking(result)["arms"].unique().tolist() == [2]


def test_errors_are_those_of_the_policys_own_runs():
    relative, cells = np.std(RUNS, ddof=1) / 10 / math.sqrt(20), []
    for instance, factor, lost in (("wide", 2, 0), ("narrow", math.sqrt(2), 0.5)):
        cells += [cell("pure-a", instance, RUNS), cell("kl-ucb", instance, [4, 6])]
        ours = answer(table(*cells)).loc["pure-a"]  # of one instance, then of two
        assert ours["regret"] == pytest.approx(2)
        assert ours["error"] == pytest.approx(factor * relative)
        assert ours["lost"] == lost  # all runs lose a quarter of the small gap
    rows = table(*cells)
    twin = rows[rows["instance"] == "wide"].assign(instance="twin")  # of the same family
    ours = answer(pd.concat([rows, twin])).loc["pure-a"]
    assert ours["error"] == pytest.approx(math.sqrt(1.5) * relative)


def test_a_family_counts_as_one_instance():
    """A twin of an instance changes nothing; outside the family it would."""
    once = steady({"pure-a": (10, 40), "kl-ucb": (5, 5)})
    twin = once[once["instance"] == "wide"].assign(instance="twin")
    for family, regret in (("wide", 4), ("twin", (2 * 2 * 8) ** (1 / 3))):
        ours = answer(pd.concat([once, twin.assign(family=family)])).loc["pure-a"]
        assert ours["regret"] == pytest.approx(regret)
        assert (ours["ranked"], ours["instances"]) == (True, 3)
        assert ours["families"] == (2 if family == "wide" else 3)


def test_regrets_over_lower_bounds_by_hand():
    """Gap .3, kl(.6, .9) = .3112, and its reports at epsilon = ln 3 have means .55 and .7."""
    rows = pd.DataFrame({"t": [10, 10_000, 200_000], "mean": [1.0, 20.0, 50.0]})
    arms = Bernoulli([0.9, 0.6]).arms
    log_t, reports = np.log([10_000, 200_000]), 0.55 * math.log(0.55 / 0.7) + 0.45 * math.log(1.5)
    for epsilon, bounds in (
        (math.inf, {"operator": 0.3 / 0.311239, "nobody": 0.3 / 0.311239}),
        (math.log(3), {"nobody": 0.3 / reports}),
    ):
        found = scores.over_bounds(rows.assign(epsilon=epsilon), arms)
        assert found["uniform"].tolist() == pytest.approx([1.5, 1500, 30_000])
        for name, over_log in bounds.items():
            ratios = found[f"over_{name}_bound"]
            assert math.isnan(ratios[0])  # 1.5 is not ten times the bound
            assert ratios[1:].tolist() == pytest.approx([20, 50] / (over_log * log_t), rel=1e-5)
    of_others = scores.over_bounds(rows.assign(epsilon=1.0), Beta([4, 0.25]).arms)
    assert of_others[list(scores.BOUNDS)].isna().all(axis=None)


def test_a_mean_leaves_out_saturated_instances_and_those_without_a_bound():
    """Uniform play has 8 and 20 times the yardstick's regret of 5."""
    low = {"pure-a": (10, 40), "local": (20, 40), "kl-ucb": (5, 5)}
    result = steady(low).assign(over_nobody_bound=3.0)
    result.loc[result["instance"] == "narrow", "uniform"] = 100.0
    result["over_operator_bound"] = np.where(result["instance"] == "wide", 2.0, math.nan)
    ours, theirs = answer(result).loc["pure-a"], answer(result, "local").loc["local"]
    assert (ours["unsaturated"], ours["over_bound"], ours["bounded"]) == pytest.approx((8, 2, 1))
    assert (theirs["over_bound"], theirs["bounded"]) == pytest.approx((3, 2))
    served = rankings.admissible(rankings.overall_ranking(result))
    served = served[served["policy"] == "local"].set_index("need")["over_bound"]
    assert served["central pure"] == pytest.approx(2)
    assert served[["aggregator", "central approximate"]].isna().all()
    scale = recommendation.scale_as_markdown(result, "KL-UCB").splitlines()
    assert scale[0].startswith("In wide uniform play has only 8.0 times KL-UCB’s regret, ")
    assert scale[2].split(" | ")[4] == "without wide"
    assert scale[-2:] == [
        "| the operator: ε | 0.1 | Pure a | 4 | 8 | 2 | 1 |",
        "| nobody: ε | 0.1 | Local | 5.7 | 8 | 3 | 2 |",
    ]


def test_rounds_are_those_of_the_shortest_game_that_is_long_enough():
    result = table(
        cell("sums", "wide", [10, 10]),
        cell("sums", "wide", [60, 60], horizon=400),
        cell("kl-ucb", "wide", [5, 5]),
        cell("kl-ucb", "wide", [12, 12], horizon=400),
    )
    # A policy may know a longer horizon.
    for rounds, regret, tuned_for in ((None, 2, 0), (100, 2, 200), (200, 2, 0), (400, 5, 0)):
        at = answer(result, "aggregator", rounds=rounds).loc["sums"]
        assert (at["regret"], at["tuned_for"]) == (pytest.approx(regret), tuned_for)
    assert answer(result, "aggregator", rounds=300).empty


def test_the_yardstick_of_a_short_game_that_it_does_not_play_is_read_in_the_long_one():
    short = cell("sums", "wide", [6, 6], horizon=100)
    long = cell("kl-ucb", "wide", [5, 5], halves=[2, 2])
    result = table(short, long)
    assert row(result, "sums", 100)["over_yardstick"] == 3
    assert math.isnan(row(result, "sums", 50)["over_yardstick"])
    both = table(short, long, cell("kl-ucb", "wide", [4, 4], horizon=100))
    assert row(both, "sums", 100)["over_yardstick"] == 6 / 4  # in its own game


def test_only_a_policy_that_plays_everywhere_is_recommended(tmp_path):
    result = steady({"pure-a": (10, None), "pure-b": (20, 20), "kl-ucb": (5, 5)})
    text = recommendation.as_markdown(result)
    why = "Pure b has 100% of the regret of uniform play and loses 100% of its runs"
    row = f"| the operator: ε | none is usable: {why} | authors' text |"
    assert text.splitlines()[2] == row
    assert text.splitlines()[-1] == "| nobody: ε | – |  |"
    files.write(tmp_path / "scores.csv", result)
    readme, page = tmp_path / "README.md", tmp_path / "docs/arena.md"
    marks = "<!-- {0}: begin (made by `make reference`) -->\nold\n<!-- {0}: end -->\n"
    readme.write_text(f"before {marks.format('arena')} after", "utf-8")
    page.parent.mkdir()
    blocks = "scale", "lost", "errors"
    page.write_text("".join(marks.format(f"arena {name}") for name in blocks))
    study = Study(id="arena", arena=ARENA)
    assert recommendation.update(readme, study, tmp_path / "scores.csv")
    assert recommendation.scale_as_markdown(result, "Kl ucb") in page.read_text()
    for make in (recommendation.lost_as_markdown, recommendation.errors_as_markdown):
        assert make(result) in page.read_text()
    written = readme.read_text()
    assert text in written
    assert "](figures/gallery/arena.png)" in written
    assert "old" not in written + page.read_text()
    assert not recommendation.update(readme, replace(study, id="another"), tmp_path / "scores.csv")
    assert readme.read_text() == written


def test_a_policy_serves_all_needs_that_its_promise_implies():
    """Who needs less trust may also be trusted, and epsilon is (epsilon, delta)."""
    leagues, trust = list(LEAGUES.values()), ["local", "aggregator", "central"]

    def serves(league, need):
        needed, trusted = (trust.index(each.split()[0]) for each in (league, need))
        return needed <= trusted and ("approximate" in need or "approximate" not in league)

    ranks = pd.DataFrame(
        {
            "policy": league, "label": league, "league": league, "epsilon": 1.0, "arms": 0,
            "rounds": 9, "regret": place, "error": 0.1, "ranked": True,
            **dict.fromkeys([*scores.BOUNDS, *rankings.BOUNDED.values()], 1.0),
        }
        for place, league in enumerate(leagues)
    )  # fmt: skip
    found = rankings.admissible(ranks)
    for need in leagues:
        rows = found[found["need"] == need]
        assert rows["league"].tolist() == [each for each in leagues if serves(each, need)]
        assert rows["tied"].tolist() == [place == 0 for place in range(len(rows))]


def test_large_errors_by_hand():
    """An error of 5% is not large, one of 5.2% is. Twelve lost runs explain one, a single does not.

    50 is more than half the gap in all 100 rounds of the second half.
    """
    ends = [10 + RUNS * 0.01, [1] * 8 + [50] * 12, [1] * 19 + [50]]
    policies = ("pure-a", "pure-b", "local")
    cells = [cell(p, "wide", end, halves=[0] * 20) for p, end in zip(policies, ends, strict=True)]
    result = table(*cells)
    bounds = result[:2].assign(t=9, horizon=9, mean=100.0, locked_in=0.0, standard_error=[5.0, 5.2])
    text = recommendation.errors_as_markdown(pd.concat([result, bounds]))
    assert text.startswith("Of 5 means 2 have an error of at most 5%. In 1 more, 9 or more lost")
    error = np.std(ends[2], ddof=1) / math.sqrt(20) / np.mean(ends[2])
    assert text.endswith(f"The other 2 have errors of up to {error:.0%}.")


def test_lost_runs_of_a_recommended_policy_by_hand():
    """50 is more than a quarter of the gap of .4 in the last 100 rounds, 10."""
    lost = cell("pure-a", "wide", [1] * 15 + [50] * 5, halves=[0] * 20)
    others = [cell(p, "wide", [n] * 2) for p, n in (("pure-b", 90), ("kl-ucb", 5))]
    others += [
        cell(p, "narrow", [n] * 20) for p, n in (("pure-a", 1), ("pure-b", 90), ("kl-ucb", 5))
    ]
    text = recommendation.lost_as_markdown(table(lost, *others))
    assert text.splitlines()[2:] == ["| Pure a | 12.5% (25.0%, wide) |"]

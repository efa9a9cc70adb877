"""Scores, differences and the lines of the overview, beside numbers worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from arena.fields import NO_EPSILON, cell, field, steady

from dpbandits.arena import cells, scores, summary
from dpbandits.files import tables


def kl(p, q):
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def bound(worse, best, t, epsilon):
    """ln T gap/d_epsilon for two arms, by a search for the z of d_epsilon."""
    z = np.linspace(worse, best, 200_001)[:-1]
    d = epsilon * (z - worse) + z * np.log(z / best) + (1 - z) * np.log((1 - z) / (1 - best))
    return math.log(t) * (best - worse) / min(d.min(), epsilon * (best - worse))


def bound_of_reports(worse, best, t, epsilon):
    """The same with the relative entropy of two randomised responses."""
    g = [(1 + q * (math.exp(epsilon) - 1)) / (1 + math.exp(epsilon)) for q in (worse, best)]
    return math.log(t) * (best - worse) / kl(*g)


def row(table, **wanted):
    chosen = np.all([table[key] == value for key, value in wanted.items()], axis=0)
    (place,) = np.flatnonzero(chosen)
    return {name: column[place] for name, column in table.items()}


def test_a_score_by_hand():
    runs = [10.0, 20.0, 30.0, 40.0]
    table = scores.table(
        field([
            cell("pure-a", "wide", 0.1, runs, halves=[10.0, 19.0, 20.0, 20.0]),
            cell("local", "wide", 0.1, runs),
            cell("kl-ucb", "wide", NO_EPSILON, [4.0, 6.0, 4.0, 6.0]),
        ])
    )  # fmt: skip
    pure, local = (row(table, policy=policy, t=200) for policy in ("pure-a", "local"))
    unit = bound(0.5, 0.9, 200, 0.1)
    assert unit == pytest.approx(math.log(200) / 0.1, rel=0.02)  # at small epsilon d is nearly epsilon gap
    assert (pure["mean"], pure["median"], pure["unit"]) == (25.0, 25.0, "lower bound")
    assert pure["score"] == pytest.approx(25 / unit, rel=1e-6)
    assert pure["score_median"] == pytest.approx(25 / unit, rel=1e-6)
    assert pure["percentile_95"] == pytest.approx(38.5)  # 0.85 of the way from the third run to the fourth
    assert pure["standard_error"] == pytest.approx(math.sqrt(500 / 3 / 4))
    # A quarter of the gap, 0.1 per round, is 10 in the second half: the last two runs lose 10 and 20.
    assert pure["locked_in"] == 0.5
    assert pure["over_yardstick"] == 5.0
    assert local["unit"] == "lower bound of randomised response"
    unit = bound_of_reports(0.5, 0.9, 200, 0.1)
    assert local["score"] == pytest.approx(25 / unit)
    assert local["score_error"] == pytest.approx(local["standard_error"] / unit)
    half = row(table, policy="pure-a", t=100)
    assert half["score"] == pytest.approx(17.25 / bound(0.5, 0.9, 100, 0.1), rel=1e-6)


def test_continuous_rewards_have_no_lower_bound():
    table = scores.table(
        field([
            cell("pure-a", "wide", 0.1, [10.0, 20.0], is_binary=False),
            cell("kl-ucb", "wide", NO_EPSILON, [4.0, 6.0], is_binary=False),
        ])
    )  # fmt: skip
    found = row(table, policy="pure-a", t=200)
    assert (found["unit"], found["score"], found["over_yardstick"]) == ("KL-UCB", 3.0, 3.0)


def test_a_row_says_of_which_game_it_is_and_whether_the_policy_knew_its_length():
    table = scores.table(
        field([
            cell("sums", "wide", 0.1, [10.0, 20.0]), cell("sums", "wide", 0.1, [10.0, 20.0], game=2000),
            cell("rescaled-printed", "wide", 0.1, [10.0, 20.0], game=100),
            cell("rescaled-printed", "wide", 0.1, [10.0, 20.0]),
        ])
    )  # fmt: skip
    keys = ("policy", "game", "horizon", "t", "knows_horizon", "setting")
    listed = list(zip(*(table[key].tolist() for key in keys), strict=True))
    assert listed[1] == ("sums", "all", 200, 200, 1, "equal")
    assert listed[3] == ("sums", "long", 2000, 2000, 1, "equal")
    assert listed[4] == ("rescaled-printed", "short", 100, 50, 0, "printed")
    assert scores.ranked(table).tolist() == [True] * 4 + [False] * 4


def test_the_bound_without_much_privacy_is_that_of_lai_and_robbins():
    table = scores.table(field([cell("pure-a", "narrow", 1, [10.0, 10.0])]))
    wanted = math.log(200) * 0.1 / kl(0.5, 0.6)
    assert row(table, t=200)["unit_regret"] == pytest.approx(wanted, rel=1e-12)


def test_ties_are_all_that_are_within_two_standard_errors_of_the_best():
    values, errors = np.array([12.0, 10.0, 10.9, 13.0]), np.array([1.0, 0.3, 0.3, 0.1])
    assert scores.tied(values, errors) == [1, 0]  # 2 < 2 hypot(1, .3) = 2.09, but .9 > 2 hypot(.3, .3) = .85
    assert scores.tied(values[:0], errors[:0]) == []


def test_a_table_comes_back_as_it_was_written(tmp_path):
    table = scores.table(steady({("pure-a", "wide", 0.1): 10.0, ("kl-ucb", "wide", NO_EPSILON): 5.0}))
    path = tmp_path / "scores.csv"
    tables.write(path, table)
    back = scores.read(path)
    assert list(back) == list(table)
    for name, column in table.items():
        if column.dtype.kind == "f":
            np.testing.assert_allclose(back[name], column, rtol=1e-11)
        else:
            assert back[name].tolist() == column.tolist()


def test_a_bound_of_the_audit_above_the_promise_breaks_it(tmp_path):
    rows = [
        {"policy": "a", "epsilon": 0.1, "spent": 0.1, "measured": 0.05, "finding": "within"},
        {"policy": "a", "epsilon": 0.1, "spent": 0.2, "measured": 0.17, "finding": "above the promise"},
        {"policy": "a", "epsilon": 1, "spent": 0.5, "measured": 0.4, "finding": "no power"},
        {"policy": "a", "epsilon": 1, "spent": 1, "measured": 0.9, "finding": "within"},
    ]
    tables.write(tmp_path / "audits.csv", pd.DataFrame(rows))
    audits = cells.measured(tmp_path / "audits.csv")
    at = {
        epsilon: cells.as_measured(cells.Promise(cells.PURE, 0.0, spent), audits.get(("a", epsilon), []))
        for epsilon, spent in (("0.1", 0.1), ("0.5", 0.5), ("1", 0.5))
    }
    # Broken, but what is measured in games that cost more than these says nothing about them.
    assert [(at[epsilon].kept, at[epsilon].measured) for epsilon in ("0.1", "1")] == [(False, 0.05), (True, 0.4)]
    assert (at["0.5"].kept, math.isnan(at["0.5"].measured)) == (True, True)  # not audited there
    assert not cells.as_measured(replace(at["1"], kept=False), audits["a", "1"]).kept  # the ledger has refuted it


def test_a_difference_is_the_mean_logarithm_of_ratios():
    found = scores.differences(
        steady({
            ("pure-a", "wide", 0.1): 10.0, ("pure-a", "narrow", 1): 30.0,
            ("pure-b", "wide", 0.1): 20.0, ("pure-b", "narrow", 1): 30.0, ("pure-b", "wide", 1): 7.0,
        }), 1
    )  # fmt: skip
    ours = row(found, policy="pure-a", other="pure-b")
    assert ours["cells"] == 2  # the cells that both play
    assert ours["log_ratio"] == pytest.approx(-math.log(2) / 2)
    assert ours["standard_error"] < 1e-12
    assert row(found, policy="pure-b", other="pure-a")["log_ratio"] == pytest.approx(math.log(2) / 2)


def test_the_error_of_a_difference_uses_the_pairs():
    """Regrets that rise and fall together: the ratio is constant, so its error is 0, unlike that of independent runs."""
    runs = np.random.default_rng(1).uniform(50, 150, 40)
    pair = [cell("pure-a", "wide", 0.1, runs), cell("pure-b", "wide", 0.1, 3 * runs)]
    paired = row(scores.differences(field(pair), 1), policy="pure-b", other="pure-a")
    assert paired["log_ratio"] == pytest.approx(math.log(3))
    assert paired["standard_error"] < 1e-12
    other = np.random.default_rng(2).uniform(50, 150, 200)  # of more runs, the first 40 are compared
    mixed = row(
        scores.differences(field([pair[0], cell("pure-b", "wide", 0.1, other)]), 1), policy="pure-b", other="pure-a"
    )
    both = [values.std(ddof=1) / values.mean() / math.sqrt(40) for values in (runs, other[:40])]
    assert mixed["log_ratio"] == pytest.approx(math.log(other[:40].mean() / runs.mean()))
    assert mixed["standard_error"] == pytest.approx(math.hypot(*both), rel=0.2)


def test_an_overview_line_by_hand():
    field_ = steady({
        ("pure-a", "wide", 0.1): 10.0, ("pure-a", "narrow", 0.1): 40.0,
        ("pure-b", "wide", 0.1): 20.0, ("pure-b", "narrow", 0.1): 20.0,
        ("broken", "wide", 0.1): 1.0, ("broken", "narrow", 0.1): 1.0,
        ("kl-ucb", "wide", NO_EPSILON): 5.0, ("kl-ucb", "narrow", NO_EPSILON): 5.0,
    })  # fmt: skip
    listed = {line.policy: line for line in summary.lines(scores.table(field_))}
    ours = listed["pure-a"]
    units = bound(0.5, 0.9, 200, 0.1), bound(0.5, 0.6, 200, 0.1)
    assert ours.score == pytest.approx(math.sqrt(10 / units[0] * 40 / units[1]), rel=1e-6)
    assert ours.worst == pytest.approx(40 / units[1], rel=1e-6)
    assert ours.over_yardstick == pytest.approx(4.0)  # sqrt(2 x 8)
    assert (ours.instances, ours.won, listed["pure-b"].won) == (2, 1, 1)
    assert (listed["broken"].won, listed["broken"].promise) == (0, "exceeded")
    best = summary.recommended(scores.table(field_))["central pure", 0.1]
    assert best["policy"].tolist() == ["pure-a", "pure-b"]  # both have 20, in the geometric mean


def test_only_a_policy_that_plays_everywhere_is_recommended(tmp_path):
    table = scores.table(
        steady({
            ("pure-a", "wide", 0.1): 10.0,
            ("pure-b", "wide", 0.1): 20.0, ("pure-b", "narrow", 0.1): 20.0,
            ("kl-ucb", "wide", NO_EPSILON): 5.0, ("kl-ucb", "narrow", NO_EPSILON): 5.0,
        })
    )  # fmt: skip
    text = summary.as_markdown(table)
    assert text.splitlines()[2] == "| the one who runs it: ε | Pure B (4.0) |"
    assert text.splitlines()[-1] == "| nobody: ε | – |"
    tables.write(tmp_path / "scores.csv", table)
    readme = tmp_path / "README.md"
    readme.write_text(
        "before <!-- arena: begin (made by `make reference`) -->\nold\n<!-- arena: end --> after", "utf-8"
    )
    page = tmp_path / "docs/arena.md"
    page.parent.mkdir()
    page.write_text("<!-- arena errors: begin (made by `make reference`) -->\n<!-- arena errors: end -->", "utf-8")
    assert summary.refresh(readme, "arena", tmp_path / "scores.csv")
    assert summary.errors_as_markdown(table) in page.read_text("utf-8")
    written = readme.read_text("utf-8")
    assert text in written
    assert "](figures/gallery/arena.png)" in written
    assert not summary.refresh(readme, "another", tmp_path / "scores.csv")
    assert readme.read_text("utf-8") == written


def test_large_errors_by_hand():
    """Twenty runs of 8 or 12 have an error of 0.46 in 10; of twelve lost runs among 20 the share is known, of one it is not."""
    runs = np.array([8.0, 12.0] * 10)
    lost, one = np.array([1.0] * 8 + [50.0] * 12), np.array([1.0] * 19 + [50.0])  # 50 is half the gap in all 100 rounds
    table = scores.table(
        field([
            cell("pure-a", "wide", 0.1, runs * 0.01 + 10), cell("pure-b", "wide", 0.1, lost, halves=0 * lost),
            cell("local", "wide", 0.1, one, halves=0 * one), cell("rescaled-printed", "wide", 0.1, one),
        ])
    )  # fmt: skip
    text = summary.errors_as_markdown(table)
    assert text.startswith(
        "Of 3 means, policies as printed apart, 1 have an error of at most 3%. Of the others 1 are decided"
    )
    error = one.std(ddof=1) / math.sqrt(20) / one.mean()
    assert text.splitlines()[-1] == (
        f"| Local | 1 of 1 | {error:.1%} | {error:.1%}: wide, ε = 0.1, T = {table['horizon'][0]:.0e}, 20 runs |".replace(
            "e+0", "e"
        )
    )


def test_a_tie_has_all_its_names_and_a_policy_as_printed_is_not_recommended():
    runs = np.array([8.0, 12.0] * 10)  # mean 10, error 0.46
    table = scores.table(
        field([
            cell("pure-a", "wide", 0.1, runs + 0.5), cell("pure-b", "wide", 0.1, runs), cell("rescaled", "wide", 0.1, runs + 9),
            cell("rescaled-printed", "wide", 0.1, runs - 7), cell("broken", "wide", 0.1, runs - 7),
            cell("kl-ucb", "wide", NO_EPSILON, [4.0, 6.0]),
        ])
    )  # fmt: skip
    assert "| Pure B (2.0) = Pure A (2.1) |" in summary.as_markdown(table)
    won = {line.policy: line.won for line in summary.lines(table)}
    assert won == {"pure-a": 1, "pure-b": 1, "rescaled": 0, "rescaled-printed": 0, "broken": 0, "kl-ucb": 1}
    best = summary.recommended(table)["central pure", 0.1]
    assert best["error"].iloc[0] == pytest.approx(2 * np.std(runs, ddof=1) / 10 / math.sqrt(20))

"""The figures of the arena show what its tables say."""

import numpy as np
import pytest
from arena.fields import ARENA, NO_EPSILON, cell, field, steady

from dpbandits.arena import pictures, scores
from dpbandits.figures import style
from dpbandits.figures.heatmaps import number
from dpbandits.figures.profiles import profile
from dpbandits.theory.azize2025 import azize2025_lower_bound

VALUES = {
    ("pure-a", "wide", 0.1): 10.0, ("pure-a", "wide", 1): 6.0, ("pure-a", "narrow", 0.1): 40.0, ("pure-a", "narrow", 1): 40.0,
    ("pure-b", "wide", 0.1): 20.0, ("pure-b", "wide", 1): 18.0, ("pure-b", "narrow", 0.1): 20.0, ("pure-b", "narrow", 1): 20.0,
    ("broken", "wide", 0.1): 1.0, ("broken", "wide", 1): 1.0, ("broken", "narrow", 0.1): 1.0, ("broken", "narrow", 1): 1.0,
    ("rescaled", "wide", 0.1): 25.0, ("rescaled", "wide", 1): 25.0, ("rescaled", "narrow", 0.1): 45.0, ("rescaled", "narrow", 1): 45.0,
    ("rescaled-printed", "wide", 0.1): 50.0, ("rescaled-printed", "wide", 1): 40.0,
    ("local", "wide", 0.1): 80.0, ("local", "wide", 1): 80.0,
    ("kl-ucb", "wide", NO_EPSILON): 5.0, ("kl-ucb", "narrow", NO_EPSILON): 5.0,
}  # fmt: skip


def of(values):
    made = values if not isinstance(values, dict) else steady(values)
    return {"scores": scores.table(made), "differences": scores.differences(made, 1)}


def cells_of(ax):
    """(column, row) -> the text there."""
    return {tuple(map(round, text.get_position())): text.get_text() for text in ax.texts}


def test_the_heat_map_has_every_score_once():
    style.use()
    first, second, without, *_ = pictures.scores(ARENA, of(VALUES)).axes
    assert [ax.get_title() for ax in (first, second, without)] == ["ε = 0.1", "ε = 1", "without ε"]
    assert [label.get_text() for label in first.get_xticklabels()] == ["Narrow", "Wide"]  # the smallest gap first
    rows = [label.get_text() for label in first.get_yticklabels()]
    pure = ["Pure A", "Pure B", "Broken", "Rescaled", "Rescaled, as printed"]
    assert rows == ["", *pure, "", "Local"]  # each league after a line with its name
    assert cells_of(first)[1, 7] == "16"  # 80 over KL-UCB's 5
    assert cells_of(first)[0, 7] == "–"  # left out
    assert cells_of(first)[1, 1] == "2.0"  # 10 over 5
    colours = {label.get_text(): label.get_color() for label in first.get_yticklabels()}
    assert colours["Broken"] == colours["Rescaled, as printed"] == "0.55" != colours["Pure A"] == colours["Rescaled"]
    assert cells_of(without)[0, 1] == "1.0"


@pytest.mark.parametrize(("value", "text"), [(0.5, "0.5"), (2.04, "2.0"), (9.96, "10"), (1234.0, "1,234")])
def test_numbers_have_two_digits(value, text):
    assert number(value) == text


def test_a_profile_is_the_share_of_scores_up_to_x():
    x, share = profile([3.0, 1.0, 2.0, 2.0])
    assert x.tolist() == [1, 2, 2, 3]
    assert share.tolist() == [0.25, 0.5, 0.75, 1]
    style.use()
    pure, local, none = pictures.profile(ARENA, of(VALUES)).axes
    legends = [[text.get_text() for text in ax.get_legend().get_texts()] for ax in (pure, local, none)]
    assert legends == [
        ["Pure A", "Pure B", "Rescaled"],
        ["Local"],
        ["KL-UCB"],
    ]  # who spends another epsilon is not in it


def test_the_winner_map_hatches_what_the_errors_leave_open():
    runs = np.array([8.0, 12.0] * 10)  # mean 10, error 0.46
    other = {"close": 10.5, "far": 13.0}
    rows = scores.final_rows(
        scores.table(
            field([
                cell("pure-a", "wide", 0.1, runs), cell("pure-b", "wide", 0.1, runs - 10 + other["close"]),
                cell("pure-a", "narrow", 0.1, runs), cell("pure-b", "narrow", 0.1, runs - 10 + other["far"]),
                cell("broken", "wide", 0.1, runs - 9),
            ])
        )
    )  # fmt: skip
    rows = rows.rows(scores.ranked(rows))
    assert pictures._winner(rows, "central pure", "wide", 0.1) == ("pure-a", True)
    assert pictures._winner(rows, "central pure", "narrow", 0.1) == ("pure-a", False)
    assert pictures._winner(rows, "local", "narrow", 0.1) is None
    style.use()
    left, right, below, _ = pictures.winner_map(ARENA, of(VALUES)).axes
    assert [ax.get_title() for ax in (left, right)] == ["pure central privacy", "local privacy"]
    assert [label.get_text() for label in left.get_yticklabels()] == ["Narrow: 0.1", "Wide: 0.4"]
    names = [text.get_text() for text in below.get_legend().get_texts()]
    assert names == ["Pure A", "Pure B", "the second is within two errors"]


def test_the_winner_map_has_no_panel_for_a_promise_that_nobody_makes():
    style.use()
    values = {key: value for key, value in VALUES.items() if key[0] in ("local", "broken", "kl-ucb")}
    ax, _ = pictures.winner_map(ARENA, of(values)).axes
    assert ax.get_title() == "local privacy"
    assert len(ax.patches) == 2  # the local policy is left out of one instance


def test_regret_against_epsilon_is_over_that_of_kl_ucb():
    style.use()
    narrow, wide, _ = pictures.against_epsilon(ARENA, of(VALUES)).axes
    lines = {line.get_label(): list(line.get_ydata()) for line in wide.get_lines()}
    assert lines["Pure A (pure central privacy)"] == pytest.approx([2, 1.2])
    bounds = [azize2025_lower_bound(np.array([0.9, 0.5]), 200, epsilon) / 5 for epsilon in (0.1, 1)]
    assert lines["lower bound (pure central privacy)"] == pytest.approx(bounds)
    assert (
        sum(name.startswith("_") for name in lines) == 2
    )  # "Local" is grey, since it does not play everywhere; and a line at 1
    assert len(narrow.get_lines()) == len(wide.get_lines()) - 1


def test_colours_are_for_the_best_of_every_league_and_more_of_the_largest():
    values = {**VALUES, **{("local", "narrow", epsilon): 80.0 for epsilon in (0.1, 1)}}
    values |= {("sums", instance, epsilon): 70.0 for instance in ("wide", "narrow") for epsilon in (0.1, 1)}
    rows = scores.final_rows(of(values)["scores"])
    found = pictures._best_of_leagues(rows.rows(scores.ranked(rows)))
    assert found == {
        "pure-a": "central pure", "local": "local", "sums": "aggregator", "pure-b": "central pure", "rescaled": "central pure",
    }  # fmt: skip


def test_pairs_are_ordered_from_the_best_and_leave_out_who_breaks_the_promise():
    style.use()
    ax = pictures.pairs(ARENA, of(VALUES)).axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Pure A", "Pure B", "Rescaled", "Local"]
    assert cells_of(ax)[3, 0] == "0.097"  # Pure A over Local: sqrt(10/80 x 6/80)


def test_the_same_tables_give_the_same_bytes(tmp_path):
    made = of(VALUES)
    first, second = (tmp_path / f"{name}.pdf" for name in ("first", "second"))
    for path in (first, second):
        pictures.draw("winners", ARENA, made, [path])
    assert first.read_bytes() == second.read_bytes()
    assert first.stat().st_size > 5000

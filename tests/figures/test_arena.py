"""The figures of the arena show what its scores say."""

import numpy as np
from arena.fields import ARENA, NO_EPSILON, cell, steady, table
from figures.toys import labels

from dpbandits.figures import arena

PLACES = [("wide", 0.1), ("wide", 1), ("narrow", 0.1), ("narrow", 1)]
EVERYWHERE = {"pure-a": [10, 6, 40, 40], "pure-b": [20, 18, 20, 20], "broken": [1, 1, 1, 1]}
VALUES = {
    (policy, *place): value
    for policy, values in EVERYWHERE.items()
    for place, value in zip(PLACES, values, strict=True)
} | {
    ("local", "wide", 0.1): 80,
    ("local", "wide", 1): 80,
    ("unpromised", "wide", 0.1): 15,
    ("kl-ucb", "wide", NO_EPSILON): 5,
    ("kl-ucb", "narrow", NO_EPSILON): 5,
}


def draw_map(name, values):
    return arena.draw(name, ARENA, steady(values) if isinstance(values, dict) else values)


def cells_of(ax):
    """(row, column) -> the number there."""
    rows, columns = labels(ax.yaxis), labels(ax.xaxis)
    places = {text.get_position(): text.get_text() for text in ax.texts}
    return {(rows[int(y)], columns[int(x)]): words for (x, y), words in places.items()}


def test_the_heat_map_has_every_score_of_who_spends_what_the_league_spends():
    first, second, without, *_ = draw_map("scores", VALUES).axes
    assert [ax.get_title() for ax in (first, second, without)] == ["ε = 0.1", "ε = 1", "without ε"]
    assert labels(first.xaxis) == ["Narrow", "Wide"]  # the smallest gap first
    pure = ["pure central privacy:", "Pure a", "Pure b"]  # not who breaks the promise
    assert labels(first.yaxis) == [*pure, "local privacy:", "Local", "no promise:", "Unpromised"]
    cells = cells_of(first)
    assert cells["Local", "Wide"] == "16"  # 80 over KL-UCB's 5
    assert ("Local", "Narrow") not in cells  # left out
    assert cells["Pure a", "Wide"] == "2"
    assert cells_of(second)["Pure a", "Wide"] == "1.2"
    assert cells_of(without)["KL-UCB", "Narrow"] == "1"


def marks(ax):
    """(column, row) -> marker of the winner, and whether it is open."""
    points = [line for line in ax.get_lines() if len(line.get_xdata()) == 1]
    shown = [(line.get_marker(), line.get_markerfacecolor() == "none") for line in points]
    return {
        (int(*line.get_xdata()), int(*line.get_ydata())): look
        for line, look in zip(points, shown, strict=True)
    }


def test_the_winner_map_has_an_open_mark_where_the_errors_leave_it_open():
    left, right, below, _ = draw_map("winners", VALUES).axes
    assert [ax.get_title() for ax in (left, right)] == ["pure central privacy", "local privacy"]
    assert labels(left.yaxis) == ["Narrow: 0.1", "Wide: 0.4"]
    assert labels(left.xaxis) == ["0.1", "1"]
    names = [text.get_text() for text in below.get_legend().get_texts()]
    assert names == ["Pure a", "Pure b"]
    assert len(marks(right)) == 2  # the local policy is left out of one instance
    runs = np.array([8.0, 12.0] * 10)  # mean 10, error 0.46
    close = table(
        cell("pure-a", "wide", 0.1, runs), cell("pure-b", "wide", 0.1, runs + 0.5),
        cell("pure-a", "narrow", 0.1, runs + 3), cell("pure-b", "narrow", 0.1, runs),
        cell("broken", "wide", 0.1, runs - 9),
    )  # fmt: skip
    ax, below = draw_map("winners", close).axes
    result, looks = marks(ax), arena._looks(ARENA)
    assert arena.CLOSE in [text.get_text() for text in below.get_legend().get_texts()]
    assert result == {
        (0, 0): (looks["pure-b"].marker, False),
        (0, 1): (looks["pure-a"].marker, True),
    }


def test_the_winner_map_has_no_panel_for_a_promise_that_nobody_makes():
    values = {
        key: value for key, value in VALUES.items() if key[0] in ("local", "broken", "kl-ucb")
    }
    ax, _ = draw_map("winners", values).axes
    assert ax.get_title() == "local privacy"

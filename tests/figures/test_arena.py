"""The figures of the arena show what its scores say."""

from arena.fields import ARENA, GAPS, RUNS, cell, steady, table
from figures.toys import labels, legend

from dpbandits.figures import arena

LOCAL = {"local": (80, None)}  # left out of one instance
LOW = {"pure-a": (10, 40), "pure-b": (20, 20), "broken": (1, 1), "unpromised": (15, None)}
LOW |= {"kl-ucb": (5, 5), **LOCAL}
HIGH = {"pure-a": (6, 40), "pure-b": (18, 20), "broken": (1, 1), **LOCAL}
STEADY = steady(LOW, HIGH)
ENDS = {"pure-a": (10, 13), "pure-b": (10.5, 10), "broken": (1, 19)}  # with an error of 0.459
CLOSE = table(
    *(
        cell(policy, instance, RUNS - 10 + end)
        for policy, ends in ENDS.items()
        for instance, end in zip(GAPS, ends, strict=True)
    )
)


def test_the_heat_map_has_every_score_of_who_spends_what_the_league_spends():
    first, second, without, *_ = arena.draw("scores", ARENA, STEADY).axes
    assert [ax.get_title() for ax in (first, second, without)] == ["ε = 0.1", "ε = 1", "without ε"]
    assert labels(first.xaxis) == ["Narrow", "Wide"]  # the smallest gap first
    pure = ["the operator: ε", "Pure a", "Pure b"]  # not who breaks the promise
    assert labels(first.yaxis) == [*pure, "nobody: ε", "Local", "everybody: none", "Unpromised"]

    def cells(ax):
        rows, columns = labels(ax.yaxis), labels(ax.xaxis)
        places = {text.get_position(): text.get_text() for text in ax.texts}
        return {(rows[int(y)], columns[int(x)]): words for (x, y), words in places.items()}

    # The unit is KL-UCB's 5.
    pure = {("Pure a", "Wide"): "2", ("Pure a", "Narrow"): "8", ("Pure b", "Wide"): "4"}
    pure |= {("Pure b", "Narrow"): "4", ("Local", "Wide"): "16", ("Unpromised", "Wide"): "3"}
    assert cells(first) == pure
    assert cells(second)["Pure a", "Wide"] == "1.2"
    assert cells(without)["Kl ucb", "Narrow"] == "1"


def winners(ax):
    """(column, row) -> whether the mark of the winner is open."""
    return {
        (int(*line.get_xdata()), int(*line.get_ydata())): line.get_markerfacecolor() == "none"
        for line in ax.get_lines()
    }


def test_the_winner_map_has_an_open_mark_where_the_errors_leave_it_open():
    left, right, below, _ = arena.draw("winners", ARENA, STEADY).axes
    assert [ax.get_title() for ax in (left, right)] == ["the operator: ε", "nobody: ε"]
    assert labels(left.yaxis) == ["Narrow: 0.1", "Wide: 0.4"]
    assert labels(left.xaxis) == ["0.1", "1"]
    assert legend(below) == ["Pure a", "Pure b"]
    assert len(winners(right)) == 2
    ax, below = arena.draw("winners", ARENA, CLOSE).axes
    assert winners(ax) == {(0, 1): True, (0, 0): False}
    assert legend(below) == ["Pure a", "Pure b", arena.CLOSE]


def test_the_winner_map_has_no_panel_for_a_promise_that_nobody_makes():
    values = {name: LOW[name] for name in ("local", "broken", "kl-ucb")}
    ax, _ = arena.draw("winners", ARENA, steady(values)).axes
    assert ax.get_title() == "nobody: ε"

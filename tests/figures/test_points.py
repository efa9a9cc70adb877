"""Points with errors: their places, groups, errors and labels."""

import pytest
from figures.toys import PLAYED, draw, labels

from dpbandits import figures
from figures import toys

FINAL = 0.9 * 9999


def markers(ax):
    return [container.lines[0] for container in ax.containers]


def test_panels_of_one_title_are_groups_of_one_pair_of_axes():
    groups = [toys.panel(PLAYED, toys.LINEAR, group=group, baseline=1.0) for group in ("x", "y")]
    drawing = draw(*groups, toys.panel(PLAYED, toys.LINEAR, "Another", group="x"), kind="points")
    ax, another, below = drawing.axes
    assert (ax.get_title(), another.get_title()) == ("A panel", "Another")
    assert labels(ax.xaxis) == ["x", "y"]
    assert [text.get_text() for text in below.get_legend().get_texts()] == [
        "label of a",
        "label of b",
    ]
    for order, (points, container) in enumerate(
        zip(markers(ax), ax.containers, strict=True), start=1
    ):
        (errors,) = container.lines[2]
        assert points.get_ydata() == pytest.approx([order * FINAL] * 2)
        assert [round(x) for x in points.get_xdata()] == [0, 1]
        ends = errors.get_segments()[0][:, 1]
        assert ends == pytest.approx([0.9 * order * FINAL, 1.2 * order * FINAL])
        assert points.get_gid() == "ab"[order - 1]
    (baseline,) = (line for line in ax.get_lines() if set(line.get_ydata()) == {1.0})
    assert baseline.get_color() != markers(ax)[0].get_color()
    assert drawing.get_supxlabel() == (
        "50 runs; point: median of means of 5 groups; error bar: Gini's mean differences"
    )


def test_along_a_parameter_each_value_is_a_group_and_a_policy_has_one_label():
    sweep = [toys.series(f"{p}-{d}", "lin_ucb", p, delay=d) for p in "ab" for d in (0, 100)]
    played = toys.experiment(*sweep)
    names = {each.name: f"policy {each.policy}" for each in sweep}
    (ax,) = draw(
        toys.panel(played, toys.LINEAR, along="delay", labels=names), played=played, kind="points"
    ).axes
    assert labels(ax.xaxis) == ["0", "100"]
    assert [container.get_label() for container in ax.containers] == ["policy a", "policy b"]


def test_games_of_different_lengths_stand_beside_known_slopes():
    short = toys.summary(PLAYED)
    longer = short.assign(t=4 * short["t"])
    panels = [toys.panel(PLAYED, toys.LOG, group=group) for group in ("T", "4 T")]
    figure, parts = toys.figure_of(*panels, kind="points")
    (ax,) = figures.draw(figure, [parts[0], parts[1]._replace(summary=longer)]).axes
    assert (ax.get_xscale(), ax.get_yscale()) == (
        "linear",
        "log",
    )  # groups, and what the panel says
    slopes = {
        line.get_label(): line.get_ydata()
        for line in ax.get_lines()
        if line.get_label().startswith("$T")
    }
    growth = {name: y[1] / y[0] for name, y in slopes.items()}
    assert growth == pytest.approx({"$T^{1/2}$": 2, "$T^{2/3}$": 4 ** (2 / 3)})

"""Points with errors: their places, groups, errors and labels."""

import pytest
from figures.toys import END, LINEAR, LOG, draw, labels, legend

from dpbandits import figures
from figures import toys


def test_panels_of_one_title_are_groups_of_one_pair_of_axes():
    """The mean is drawn beside the median of means where it is 5% away."""
    numbers = toys.summary()
    numbers.loc[numbers["policy"] == "b", "mean"] *= 1.1
    groups = [toys.panel(axes=LINEAR, group=group) for group in ("x", "y")]
    other = toys.panel(axes=LINEAR, title="Another", group="x")
    drawing = draw(*groups, other, kind="points", numbers=numbers)
    ax, another, below = drawing.axes
    assert (ax.get_title(), another.get_title()) == ("A panel", "Another")
    assert labels(ax.xaxis) == ["x", "y"]
    assert legend(below) == ["label of a", "label of b"]
    for order, name, container in zip((1, 2), "ab", ax.containers, strict=True):
        points, (errors,) = container.lines[0], container.lines[2]
        assert points.get_ydata() == pytest.approx([order * END] * 2)
        assert [round(x) for x in points.get_xdata()] == [0, 1]
        ends = errors.get_segments()[0][:, 1]
        assert ends == pytest.approx([0.9 * order * END, 1.2 * order * END])
        assert points.get_gid() == name
    (beside,) = (line for line in ax.lines if line.get_markerfacecolor() == "none")
    assert beside.get_ydata() == pytest.approx([2 * 1.122 * END] * 2)
    says = "50 runs; point: median of means of 5 groups; error bar: Gini's mean differences"
    assert drawing.get_supxlabel() == f"{says}\nopen: mean, 5% or more away"


def test_along_a_parameter_each_value_is_a_group_and_a_policy_has_one_label():
    sweeps = [each for p in "ab" for each in toys.sweep("lin_ucb", "delay", (0, 100), p)]
    played = toys.experiment(*sweeps)
    names = {each.name: f"policy {each.policy}" for each in sweeps}
    panel = toys.panel(played, LINEAR, along="delay", labels=names)
    (ax,) = draw(panel, played=played, kind="points").axes
    assert labels(ax.xaxis) == ["0", "100"]
    assert legend(ax) == ["policy a", "policy b"]


@pytest.mark.parametrize(("below", "is_empty"), [(0.1, False), (0, True)])
def test_a_footnote_says_why_an_error_bar_has_one_side(below, is_empty):
    numbers = toys.summary(gmd_below=below)
    note = draw(toys.panel(axes=LINEAR), numbers=numbers, kind="points").get_supxlabel()
    assert ("no error bar on a side" in note) == is_empty


def test_games_of_different_lengths_stand_beside_known_slopes():
    panels = [toys.panel(axes=LOG, group=group) for group in ("T", "4 T")]
    figure, (short, longer) = toys.figure_of(*panels, kind="points")
    longer = longer._replace(summary=short.summary.assign(t=4 * short.summary["t"]))
    (ax,) = figures.draw(figure, [short, longer]).axes
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "log")  # groups, and the panel's
    slopes = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    growth = {name: y[1] / y[0] for name, y in slopes.items() if name.startswith("$T")}
    assert growth == pytest.approx({"$T^{1/2}$": 2, "$T^{2/3}$": 4 ** (2 / 3)})

"""Curves: numbers of the summary, bounds, the authors' points, labels, legends, axes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from figures.toys import END, LINEAR, LOG, PLAYED, draw, legend

from dpbandits.studies.drawn_points import ID_IN_SVG
from dpbandits.studies.model import Axis
from dpbandits.theory import bounds
from figures import toys


def drawn(axes=LINEAR, played=PLAYED, numbers=None, points=None, estimator="default", **options):
    """The axes of one panel."""
    panel = toys.panel(played, axes, **options)
    return draw(panel, played=played, numbers=numbers, points=points, estimator=estimator).axes[0]


def lines(ax, id):
    """The lines of a series, of a policy or of the authors."""
    return [line for line in ax.get_lines() if line.get_gid() == id]


def words(ax):
    """The footnote in one line."""
    return " ".join(ax.figure.get_supxlabel().split())


def test_a_panel_shows_what_its_definition_says():
    ax = drawn(LOG, title="Regret", series=("b", "a"), labels={"a": "its name here"})
    assert legend(ax) == ["label of b", "its name here"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("Regret", "time step t", "regret")
    assert ax.get_xlim()[0] == 1  # although the axis has no place for the regret of 0 there
    ax = drawn((Axis("", "log", least=100), replace(LOG[1], limits=[1, 9])))
    assert (ax.get_xlim()[0], ax.get_ylim()) == (100, (1, 9))
    # Of 10,000 rounds the first 50 are none of its 200 places.
    assert lines(drawn(), "a")[0].get_xdata()[0] == 100


def test_curves_are_the_summary_and_everything_of_a_curve_has_the_id_of_its_series():
    numbers = toys.summary(median=0.5, mean=1.3)
    ax = drawn(LOG, numbers=numbers)
    for name, band in zip("ab", ax.collections, strict=True):
        rows = numbers[(numbers["policy"] == name) & (numbers["mean"] > 0)]
        columns = ("median_of_means", "mean", "median")
        for line, column in zip(lines(ax, name), columns, strict=True):
            assert line.get_xdata().tolist() == rows["t"].tolist()
            assert line.get_ydata().tolist() == rows[column].tolist()
        assert band.get_gid() == name
        at_end = [y for x, y in band.get_paths()[0].vertices if x == 10_000]
        end = rows["median_of_means"].iloc[-1]
        assert (min(at_end), max(at_end)) == pytest.approx((0.9 * end, 1.2 * end))
    assert words(ax).endswith(" dash-dot-dotted: mean, 5% or more away; dotted: median")


SWEEP = toys.experiment(*toys.sweep("dp_se", "epsilon", (10.0, 0.1, 1.0)))
BOUND = {"overlay": {"bound": "azize2022_theorem_3"}, "regimes": "azize2022_crossings"}


def test_along_a_parameter_a_policy_is_a_line_with_the_policys_id():
    ax = drawn(LOG, SWEEP, toys.summary(SWEEP, median=2), along="epsilon", regimes=BOUND["regimes"])
    (line,) = lines(ax, "a")
    assert line.get_xdata().tolist() == [0.1, 1, 10]
    assert line.get_ydata() == pytest.approx([2 * END, 3 * END, END])  # by their order


@pytest.mark.parametrize(("along", "place"), [("", -1), ("epsilon", 1)])
def test_a_bound_is_that_of_the_panels_series_and_regimes_are_named_only_amid_the_curve(
    along, place
):
    ax = drawn(LOG, SWEEP, series=("a-1", "a-10"), along=along, **BOUND)
    bound = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))["bound"]
    arms = SWEEP.environment
    at_1 = bounds.at("azize2022_theorem_3", arms, 10_000, {"epsilon": 1.0})
    assert bound.get_ydata()[place] == at_1
    assert not ax.texts


ONE, OTHER = toys.panel(series=("b",)), toys.panel(series=("a",))
RENAMED = toys.panel(series=("a",), labels={"a": "another name for one look"})
LEGENDS = [  # panels, the common legend, as their curves come
    ([toys.panel(), toys.panel(axes=LINEAR)], ["label of a", "label of b"]),
    ([ONE, ONE, OTHER, OTHER], ["label of b", "label of a"]),
    ([ONE, OTHER], []),
    ([OTHER, OTHER, RENAMED, RENAMED], []),
]


@pytest.mark.parametrize(("panels", "common"), LEGENDS)
def test_panels_with_the_same_curves_share_a_legend_below_them(panels, common):
    drawing = draw(*panels)
    found = [legend(ax) for ax in drawing.axes if ax.get_legend()]
    assert len(found) == len(drawing.axes) if not common else found == [common]
    assert drawing.get_suptitle() == "A title"


@pytest.mark.parametrize(
    ("kind", "axes"), [("curves", LOG), ("curves", LINEAR), ("points", LINEAR)]
)
def test_the_axis_reaches_as_far_in_either_reading(kind, axes):
    shared = toys.series("b")
    mine, theirs = (replace(toys.series("a"), reading=each) for each in ("published", "corrected"))
    played = toys.experiment(mine, shared, theirs)
    numbers = toys.summary(played)
    numbers.loc[numbers["policy"] == "a.corrected", [*toys.COLUMNS]] *= 3  # the most regret
    limits = [
        draw(toys.panel(played, axes, series=of), kind=kind, played=played, numbers=numbers)
        .axes[0]
        .get_ylim()
        for of in (("a", "b"), ("a.corrected", "b"))
    ]
    assert limits[0] == limits[1]
    assert limits[0][1] > numbers["median_of_means"].max()


@pytest.mark.parametrize("kind", ["curves", "points"])
@pytest.mark.parametrize(("ours", "titles"), [(0, ["(a) A", "(b) B"]), (1, ["A", "B"]), (0, ["A"])])
def test_panels_of_the_papers_own_figures_have_letters(kind, ours, titles):
    panels = [toys.panel(title=title[-1]) for title in titles]
    drawing = draw(*panels, kind=kind, ours=bool(ours))
    assert [ax.get_title() for ax in drawing.axes][: len(titles)] == titles


@pytest.mark.parametrize(("label", "rows"), [("a", 2), ("a name", 3), ("a long name " * 4, 8)])
def test_a_legend_has_as_few_rows_as_fit(label, rows):
    names = [f"{label}{n}" for n in range(8)]
    ax = drawn(
        LOG, toys.experiment(*map(toys.series, names)), labels={name: name for name in names}
    )
    assert legend(ax) == names
    assert math.ceil(8 / ax.get_legend()._ncols) == rows
    assert ax.get_legend().get_window_extent().width <= ax.figure.bbox.width or rows == 8


def test_circles_are_evenly_spaced_along_a_curve_and_move_no_axis():
    """A curve that rises in the first hundredth of the game has about half of them there.

    Without bands, with which matplotlib would compute the limits of the axes.
    """
    numbers = toys.summary()
    numbers = numbers.assign(**{name: numbers[name] / 1000 for name in toys.COLUMNS})
    t = np.concatenate([np.linspace(0, 100, 200), np.linspace(100, 10_000, 200)])
    points = {"fig1": {"b": np.array([t, np.minimum(t, 100) / 100 * END / 500])}}
    bare, ax = (
        drawn(LINEAR, PLAYED, numbers, each, "paper", drawn_as="fig1") for each in ({}, points)
    )
    (circles,) = lines(ax, ID_IN_SVG)
    assert 0.4 < np.mean(circles.get_xdata() <= 100) < 0.6
    assert circles.get_color() == lines(ax, "b")[0].get_color()
    assert (ax.get_xlim(), ax.get_ylim()) == (bare.get_xlim(), bare.get_ylim())


DRAWN = "circles: drawn by the authors"
ONE_RUN = "circles: one run, drawn by the authors; its end minus our mean, in SDs: label of b "
REMARKS = [  # design, estimator, std and their points in units of our mean, the end of the footnote
    ({}, "default", 0.5, 1 / 1.09, f"dotted: median; {DRAWN}"),
    ({}, "default", 0.5, 1 / 1.13, f"{DRAWN} (away from them: label of b up to 13%)"),
    # Only means have values over the paper's number of runs.
    ({"runs_of_paper": 20}, "paper", 0.5, 1.3, f"20 runs; line: mean {DRAWN}"),
    (
        {"runs_of_paper": 20, "statistic": "median_of_means"},
        "paper",
        0.5,
        1.3,
        f"Gini's mean differences {DRAWN} (away from them: label of b up to 23%)",
    ),
    ({"runs_of_paper": 1}, "default", 0.5, 1.2, f"{ONE_RUN}+0.4"),
    ({"runs_of_paper": 1}, "default", 0.5, 0.4, f"{ONE_RUN}-1.2 (below all)"),
    ({"runs_of_paper": 1}, "default", 0.5, 2.5, f"{ONE_RUN}+3.0 (above all)"),
    ({"runs_of_paper": 1}, "default", 0, 1, f"{ONE_RUN}equal"),
    ({"runs_of_paper": 1}, "default", 0, 2, f"{ONE_RUN}35996.4, ours all 17998.2"),
]


@pytest.mark.parametrize(("design", "estimator", "std", "ratio", "says"), REMARKS)
def test_a_footnote_says_how_far_the_curves_are_from_the_circles(
    design, estimator, std, ratio, says
):
    """Our runs are between half of the mean and twice as much."""
    played = replace(PLAYED, design=replace(PLAYED.design, **design))
    numbers = toys.summary(mean=1, std=std, mean_of_paper=1.3, median=2)
    ours = numbers[(numbers["policy"] == "b") & (numbers["t"] >= 1000)]
    points = {"fig1": {"b": np.array([ours["t"], ratio * ours["mean"]])}}
    assert words(drawn(LOG, played, numbers, points, estimator, drawn_as="fig1")).endswith(says)

"""Curves: numbers of the summary, bands, bounds, the authors' points, labels, legends, axes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from figures.toys import PLAYED, draw
from project import all_papers

from dpbandits.figures import curves
from dpbandits.figures.bands import Part, footnote
from dpbandits.studies.drawn_points import ID_IN_SVG
from dpbandits.studies.model import Axis
from dpbandits.theory import bounds
from figures import toys

NUMBERS = toys.summary(PLAYED)


def lines(ax):
    """Label -> line; those without a label are left out."""
    return {
        line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")
    }


def axes_of(*panels, **keys):
    """The only axes of a drawing."""
    (ax,) = draw(*panels, **keys).axes
    return ax


def test_a_panel_shows_what_its_definition_says():
    labels = {"a": "its name here"}
    ax = axes_of(toys.panel(PLAYED, title="Regret", series=("b", "a"), labels=labels))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "label of b",
        "its name here",
    ]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("Regret", "time step t", "regret")
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert (
        ax.get_xlim()[0] == 1
    )  # although a logarithmic axis has no place for the regret of 0 there
    axes = Axis("", "log", least=100), replace(toys.LOG[1], limits=[1, 9])
    ax = axes_of(toys.panel(PLAYED, axes))
    assert (ax.get_xlim()[0], ax.get_ylim()) == (100, (1, 9))
    # Of 10,000 rounds the first 50 are none of its 200 places.
    ax = axes_of(toys.panel(PLAYED, toys.LINEAR))
    assert [line.get_xdata()[0] for line in lines(ax).values()] == [100, 100]


def test_curves_are_the_summary_and_everything_of_a_curve_has_the_id_of_its_series():
    ax = axes_of(toys.panel(PLAYED), numbers=toys.summary(PLAYED, median=0.5, mean=1.3))
    for name, band in zip(("a", "b"), ax.collections, strict=True):
        rows = NUMBERS[(NUMBERS["policy"] == name) & (NUMBERS["mean"] > 0)]
        centre = rows["median_of_means"]
        line, beside, median = (line for line in ax.get_lines() if line.get_gid() == name)
        for shown, factor in ((line, 1), (beside, 1.3), (median, 0.5)):
            assert shown.get_xdata().tolist() == rows["t"].tolist()
            assert shown.get_ydata() == pytest.approx(factor * centre)
            assert shown.get_color() == line.get_color()
        assert median.get_linewidth() < beside.get_linewidth() < line.get_linewidth()
        assert band.get_gid() == name
        ends = band.get_paths()[0].vertices
        at_end = ends[ends[:, 0] == rows["t"].iloc[-1], 1]
        end = centre.iloc[-1]
        assert (at_end.min(), at_end.max()) == pytest.approx((0.9 * end, 1.2 * end))


@pytest.mark.parametrize(("mean", "is_drawn"), [(1.04, False), (1.06, True), (0.94, True)])
def test_a_mean_is_drawn_beside_the_median_of_means_where_it_is_5_percent_away(mean, is_drawn):
    """The footnote says so, and names the mean if checks judge it. One late round is enough."""
    numbers = toys.summary(PLAYED)
    is_late = (numbers["policy"] == "b") & (numbers["t"] == 1000)
    numbers.loc[is_late, "mean"] = mean * numbers["median_of_means"]
    for judged in (True, False):
        drawing = draw(toys.panel(PLAYED, judged=judged), numbers=numbers)
        drawn = [line.get_gid() for line in drawing.axes[0].get_lines()]
        assert drawn == ["a", "b"] + ["b"] * is_drawn
        words = ["checks judge the mean"] * judged
        words += ["dash-dot-dotted: mean, 5% or more away"] * is_drawn
        assert "; ".join(drawing.get_supxlabel().splitlines()[1:]) == "; ".join(words)
    early = toys.summary(PLAYED)
    early.loc[early["t"] < 1000, "mean"] *= 2
    assert len(axes_of(toys.panel(PLAYED), numbers=early).get_lines()) == 2


def test_the_mean_is_drawn_beside_points():
    numbers = toys.summary(PLAYED)
    numbers.loc[numbers["policy"] == "b", "mean"] *= 1.1
    drawing = draw(toys.panel(PLAYED, toys.LINEAR), numbers=numbers, kind="points")
    (open_mark,) = (line for line in drawing.axes[0].lines if line.get_markerfacecolor() == "none")
    finals = numbers.set_index(["policy", "t"])["mean"]
    assert open_mark.get_ydata().tolist() == [finals["b", 10_000]]
    assert drawing.get_supxlabel().endswith("\nopen: mean, 5% or more away")


def test_a_nash_regret_has_the_median_of_means_of_its_shares_and_the_papers_own_beside_it():
    played = toys.experiment(toys.series("a"), quantity="nash_regret")
    nash = {
        "nash_regret": 1.1, "nash_regret_error": 0.01, "nash_median_of_means": 0.9,
        "nash_gmd_below": 0.3, "nash_gmd_above": 0.4,
    }  # fmt: skip
    numbers = toys.summary(played, **nash)
    (end,) = numbers.loc[numbers["t"] == 10_000, "median_of_means"]
    drawing = draw(toys.panel(played, toys.LINEAR, judged=True), played=played, numbers=numbers)
    line, beside = drawing.axes[0].get_lines()
    assert [each.get_ydata()[-1] / end for each in (line, beside)] == pytest.approx([0.9, 1.1])
    (band,) = drawing.axes[0].collections
    extent = band.get_paths()[0].vertices[:, 1] / end
    assert extent.max() == pytest.approx(1.3)
    first, second = (
        drawing.get_supxlabel().splitlines()[0],
        " ".join(drawing.get_supxlabel().splitlines()[1:]),
    )
    assert first.startswith("50 runs; line: Nash regret, median of means of 5 groups; band: Gini's")
    says = "checks judge the Nash regret; dash-dot-dotted: Nash regret, 5% or more away"
    assert second.endswith(says)


ERRORS, DEVIATION = 2 * 0.5 / np.sqrt(50), 0.5 / 1.02
KINDS = [
    ({"band": "errors"}, "default", 1 + ERRORS),
    ({"statistic": "mean_std"}, "paper", 1.02 * (1 + DEVIATION)),
    ({}, "paper", 0),
]


@pytest.mark.parametrize(("design", "estimator", "edge"), KINDS)
def test_other_bands(design, estimator, edge):
    played = toys.experiment(toys.series("a"), **design)
    panel, numbers = toys.panel(played, toys.LINEAR), toys.summary(played)
    ax = axes_of(panel, played=played, numbers=numbers, estimator=estimator)
    highest = [band.get_paths()[0].get_extents().ymax for band in ax.collections]
    assert highest == pytest.approx([edge * 0.9 * 9999] if edge else [])


SWEEP = toys.experiment(
    *(toys.series(f"a-{e:g}", "dp_se", "a", epsilon=e) for e in (10.0, 0.1, 1.0))
)
SWEPT, ARMS = toys.summary(SWEEP), {"means": [0.9, 0.6]}
BOUND = {"overlay": {"bound": "azize2022_theorem_3"}, "regimes": "azize2022_crossings"}


def test_along_a_parameter_a_policy_is_a_line_with_the_policys_id():
    ax = axes_of(toys.panel(SWEEP, along="epsilon", **BOUND), played=SWEEP, numbers=SWEPT)
    assert list(lines(ax)) == ["bound", "label of a-0.1"]  # bounds lie below
    line, finals = lines(ax)["label of a-0.1"], SWEPT.groupby("policy")["median_of_means"].last()
    assert line.get_gid() == "a"
    assert line.get_xdata().tolist() == [0.1, 1, 10]
    assert line.get_ydata().tolist() == [finals[f"a-{e:g}"] for e in line.get_xdata()]
    assert lines(ax)["bound"].get_ydata()[1] == bounds.at(
        "azize2022_theorem_3", ARMS, 10_000, {"epsilon": 1.0}
    )
    (crossing,) = (
        line.get_xdata()[0] for line in ax.get_lines() if len(set(line.get_xdata())) == 1
    )
    assert crossing == pytest.approx(
        bounds.REGIMES["azize2022_crossings"](np.array(ARMS["means"]))[0]
    )
    assert [text.get_text().strip() for text in ax.texts] == ["high privacy", "low privacy"]


@pytest.mark.parametrize("along", ["", "epsilon"])
def test_a_bound_is_that_of_the_panels_series_and_regimes_are_named_only_amid_the_curve(along):
    ax = axes_of(
        toys.panel(SWEEP, series=("a-1", "a-10"), along=along, **BOUND), played=SWEEP, numbers=SWEPT
    )
    where = -1 if not along else 1
    assert lines(ax)["bound"].get_ydata()[where] == bounds.at(
        "azize2022_theorem_3", ARMS, 10_000, {"epsilon": 1.0}
    )
    assert not ax.texts


def test_panels_with_the_same_curves_share_a_legend_below_them():
    drawing = draw(toys.panel(PLAYED), toys.panel(PLAYED, toys.LINEAR))
    legends = [ax.get_legend() for ax in drawing.axes if ax.get_legend()]
    assert (len(drawing.axes), len(legends), drawing.get_suptitle()) == (3, 1, "A title")
    one, other = toys.panel(PLAYED, series=("b",)), toys.panel(PLAYED, series=("a",))
    (legend,) = (ax.get_legend() for ax in draw(one, one, other, other).axes if ax.get_legend())
    assert [text.get_text() for text in legend.get_texts()] == ["label of b", "label of a"]
    renamed = toys.panel(PLAYED, series=("a",), labels={"a": "another name for one look"})
    for different in ([one, other], [other, other, renamed, renamed]):
        assert all(ax.get_legend() for ax in draw(*different).axes)


def test_the_axis_reaches_as_far_in_either_reading():
    mine, shared, theirs = (
        toys.series("a"),
        toys.series("b"),
        replace(toys.series("a"), reading="corrected"),
    )
    played = toys.experiment(replace(mine, reading="published"), shared, theirs)
    numbers = toys.summary(played)
    factors = {"a": 1, "a.corrected": 3, "b": 1}  # the corrected reading has the most regret
    for column in ("mean", "median_of_means"):
        numbers[column] *= numbers["policy"].map(factors)
    options = {"played": played, "numbers": numbers, "points": {"fig1": toys.points("a")}}
    for kind, axes in (("curves", toys.LOG), ("curves", toys.LINEAR), ("points", toys.LINEAR)):
        published = toys.panel(played, axes, series="ab", drawn_as="fig1")
        corrected = toys.panel(played, axes, series=("a.corrected", "b"))
        one, other = (
            draw(panel, kind=kind, **options).axes[0].get_ylim() for panel in (published, corrected)
        )
        assert one == other
        assert one[1] > numbers["median_of_means"].max()


@pytest.mark.parametrize("kind", ["curves", "points"])
def test_panels_of_the_papers_own_figures_have_letters(kind):
    panels = [toys.panel(PLAYED, title=title) for title in ("one", "two")]
    for ours, shown, titles in (
        (False, panels, ["(a) one", "(b) two"]),
        (True, panels, ["one", "two"]),
        (False, panels[:1], ["one"]),
    ):  # fmt: skip
        assert [ax.get_title() for ax in draw(*shown, kind=kind, ours=ours).axes][
            : len(titles)
        ] == titles


@pytest.mark.parametrize(("label", "rows"), [("a", 2), ("a name", 3), ("a long name " * 4, 8)])
def test_a_legend_has_as_few_rows_as_fit(label, rows):
    names = [f"{label}{n}" for n in range(8)]
    played = toys.experiment(*map(toys.series, names))
    labels = {name: name for name in names}
    drawing = draw(toys.panel(played, labels=labels), played=played)
    (ax,) = drawing.axes
    legend = ax.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == names
    assert math.ceil(8 / legend._ncols) == rows, legend._ncols
    assert legend.get_window_extent().width <= drawing.bbox.width or rows == 8


def test_circles_are_the_authors_points_in_the_colour_of_their_curve_and_move_no_axis():
    panel = toys.panel(PLAYED, toys.LINEAR, drawn_as="fig1")
    points = {"fig1": toys.points("b")}
    (bare,), with_circles = draw(panel).axes, draw(panel, points=points)
    (ax,) = with_circles.axes
    (circles,) = (line for line in ax.get_lines() if line.get_gid() == ID_IN_SVG)
    assert set(circles.get_xdata()) <= set(toys.T)
    assert circles.get_color() == lines(ax)["label of b"].get_color()
    assert (ax.get_xlim(), ax.get_ylim()) == (bare.get_xlim(), bare.get_ylim())
    assert with_circles.get_supxlabel().splitlines()[-1].startswith("circles: drawn by the authors")


@pytest.mark.parametrize(("away", "words"), [(0.09, ""), (0.13, "label of b up to 13%")])
def test_a_footnote_says_which_curves_are_a_tenth_from_the_authors_points(away, words):
    panel = toys.panel(PLAYED, toys.LINEAR, drawn_as="fig1")
    (mean,) = NUMBERS.loc[(NUMBERS["policy"] == "b") & (NUMBERS["t"] == 1000), "mean"]
    near = np.array([[1000.0, 1000.0], [mean, mean / (1 + away)]])
    last = draw(panel, points={"fig1": {"b": near}}).get_supxlabel().splitlines()[-1]
    more = f" (away from them: {words})" if words else ""
    assert last == f"circles: drawn by the authors{more}"


@pytest.mark.parametrize(
    ("end", "place"),
    [(1.2, "+0.4"), (0.4, "-1.2 (below all)"), (2.5, "+3.0 (above all)")],
)
def test_where_one_run_is_drawn_a_footnote_says_where_it_ends_among_ours(end, place):
    """The deviation is half of the mean; our runs are between half of it and twice as much."""
    played = replace(PLAYED, design=replace(PLAYED.design, runs_of_paper=1, band="range"))
    numbers = toys.summary(PLAYED, mean=1)
    (mean,) = numbers.loc[(numbers["policy"] == "b") & (numbers["t"] == 10_000), "mean"]
    points = {"fig1": {"b": np.array([[1000.0, 10_000.0], [mean / 10, end * mean]])}}
    panel = toys.panel(played, drawn_as="fig1")
    drawing = draw(panel, played=played, numbers=numbers, points=points)
    first, *rest = drawing.get_supxlabel().splitlines()
    assert first == "50 runs; line: median of means of 5 groups; band: range of the runs"
    says = "circles: one run, drawn by the authors; its end minus our mean, in SDs"
    assert " ".join(rest) == f"{says}: label of b {place}"
    (band,) = (each for each in drawing.axes[0].collections if each.get_gid() == "b")
    assert band.get_paths()[0].vertices[:, 1].max() == pytest.approx(2 * mean)


def test_the_end_of_a_drawn_run_among_runs_that_all_end_alike():
    played = replace(PLAYED, design=replace(PLAYED.design, runs_of_paper=1))
    numbers = NUMBERS.assign(std=0.0, mean=7.0)
    for end, place in ((7.0, "equal"), (9.0, "9, ours all 7")):
        points = {"fig1": {"b": np.array([[10_000.0], [end]])}}
        drawing = draw(
            toys.panel(played, drawn_as="fig1"), played=played, numbers=numbers, points=points
        )
        words = " ".join(drawing.get_supxlabel().split())
        assert words.endswith(f"in SDs: label of b {place}")


OF_PAPER = [  # design, panel, the line over the median of means, the footnote, how far away
    ({}, {}, 1.3, "20 runs; line: mean", ""),
    (
        {"statistic": "median_of_means"},
        {},
        1,
        "50 runs; line: median of means of 5 groups",
        " (away from them: label of a up to 23%)",
    ),
    ({}, {"column": "locked_in"}, 0.5, "50 runs; line: share", ""),
]


@pytest.mark.parametrize(("design", "options", "factor", "footnote", "away"), OF_PAPER)
def test_the_footnote_has_the_number_of_runs_that_are_drawn(
    design, options, factor, footnote, away
):
    """Only means have values over the paper's number of runs; circles are compared with these."""
    played = toys.experiment(toys.series("a"), runs_of_paper=20, **design)
    numbers = toys.summary(played, mean_of_paper=1.3, locked_in=0.5, median=2)
    (end,) = numbers.loc[numbers["t"] == 10_000, "median_of_means"]
    drawn = {"a": np.array([[1000.0, 10_000.0], [1.3 * end / 10, 1.3 * end]])}
    panel = toys.panel(played, drawn_as="fig1", **options)
    points = {} if "column" in options else {"fig1": drawn}
    drawing = draw(panel, played=played, numbers=numbers, estimator="paper", points=points)
    assert drawing.axes[0].get_lines()[0].get_ydata()[-1] == pytest.approx(factor * end)
    words = " ".join(drawing.get_supxlabel().split())
    assert words.startswith(footnote)
    assert "dotted: median" not in words
    if points:
        assert words.endswith(f"circles: drawn by the authors{away}")


def test_a_legend_marks_our_reconstruction():
    policies = dict(PLAYED.policies)
    policies["b"] = replace(policies["b"], reconstructed=["published"])
    played = replace(PLAYED, policies=policies, reconstructed="its log")
    drawing = draw(toys.panel(played, labels={"b": "B"}), played=played)
    assert {*lines(drawing.axes[0])} == {"label of a", "B ∗"}
    assert drawing.get_supxlabel().splitlines()[-1] == (
        "∗ our reconstruction; our reconstruction: its log"
    )


def test_a_footnote_says_runs_and_statistic_in_one_line_and_the_log():
    drawing = draw(toys.panel(PLAYED), reading_name="published reading")
    gini = "band: Gini's mean differences"
    line = "line: median of means of 5 groups"
    assert drawing.get_supxlabel() == f"50 runs; {line}; {gini}\npublished reading"
    assert draw(toys.panel(PLAYED), estimator="paper").get_supxlabel() == "50 runs; line: mean"
    papers = all_papers()
    for paper, figure, estimator, words in (
        ("azize2022", "fig2", "paper", "20 runs; line: mean; band: standard deviation"),
        ("tossou2017", "fig6a", "default", f"line: median of means of 24 groups; {gini}"),
        (
            "tossou2017",
            "s-feedback",
            "paper",
            f"median of means of 24 groups or median of means of 6 groups; {gini}",
        ),
        (
            "azize2022",
            "fig2",
            "default",
            f"median of means of 25 groups or mean of 20 runs; {gini}",
        ),
        ("tossou2017", "s-small-epsilon", "default", f"18 runs; line: mean of 18 runs; {gini}"),
        ("sarkar2025", "fig1a", "default", f"line: Nash regret, mean of 10 runs; {gini}"),
        ("sarkar2025", "fig1c", "default", f"Nash regret, median of means of 5 groups; {gini}"),
        ("sarkar2025", "fig1c", "paper", "50 runs; line: Nash regret; band: two standard errors"),
    ):
        known = papers[paper].experiments
        parts = [
            Part(p, known[p.experiment], None, estimator, {})
            for p in papers[paper].figures[figure].panels
        ]
        result = footnote(parts, "", curves.WORDS, ()).splitlines()[0]
        assert result.endswith(words), (figure, result)
    environment = {"kind": "news_log", "source": "Yahoo! R6A", "tables": "tables.npz", "live": 9}
    log = replace(PLAYED, environment=environment)
    found = footnote([Part(toys.panel(log), log, None, "default", {})], "", curves.WORDS, ())
    assert found.endswith("\nYahoo! R6A (the same log in all runs)")


def test_a_footnote_names_the_policies_whose_ledger_exceeds_their_promise():
    paper, notes = all_papers()["sarkar2025"], {}
    for id in ("fig1b", "fig1b.corrected"):
        figure = paper.figures[id]
        parts = [
            Part(p, paper.experiments[p.experiment].in_reading(figure.reading), None, "default", {})
            for p in figure.panels
        ]
        notes[id] = footnote(parts, "", curves.WORDS, ())
    says = "the ledger adds up to more than the promise: "
    assert f"{says}AdaP-UCB, GDP-NCB, LDP-NCB" in notes["fig1b"]
    assert says not in notes["fig1b.corrected"]

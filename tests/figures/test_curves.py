"""Curves: numbers of the summary, bands, bounds, the authors' points, labels, legends, axes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from figures.toys import LINEAR, LOG, PLAYED, draw, legend
from project import study_of

from dpbandits.figures import curves
from dpbandits.figures.bands import Part, footnote
from dpbandits.studies.drawn_points import ID_IN_SVG
from dpbandits.studies.model import Axis
from dpbandits.theory import bounds
from figures import toys

NUMBERS = toys.summary()
END = 0.9 * 9999  # of the median of means of the first series


def drawn(axes=LINEAR, played=PLAYED, numbers=None, points=None, estimator="default", **options):
    """The drawing of one panel."""
    panel = toys.panel(played, axes, **options)
    return draw(panel, played=played, numbers=numbers, points=points, estimator=estimator)


def lines(drawing):
    """Label -> line of the first axes, without those that have no label."""
    of_axes = drawing.axes[0].get_lines()
    return {each.get_label(): each for each in of_axes if not each.get_label().startswith("_")}


def words(drawing):
    """The first line of the footnote, and what follows in one line."""
    first, *rest = drawing.get_supxlabel().splitlines()
    return first, " ".join(rest)


def test_a_panel_shows_what_its_definition_says():
    (ax,) = drawn(LOG, title="Regret", series=("b", "a"), labels={"a": "its name here"}).axes
    assert legend(ax) == ["label of b", "its name here"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("Regret", "time step t", "regret")
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert ax.get_xlim()[0] == 1  # although the axis has no place for the regret of 0 there
    (ax,) = drawn((Axis("", "log", least=100), replace(LOG[1], limits=[1, 9]))).axes
    assert (ax.get_xlim()[0], ax.get_ylim()) == (100, (1, 9))
    # Of 10,000 rounds the first 50 are none of its 200 places.
    assert [line.get_xdata()[0] for line in lines(drawn()).values()] == [100, 100]


def test_curves_are_the_summary_and_everything_of_a_curve_has_the_id_of_its_series():
    (ax,) = drawn(LOG, numbers=toys.summary(median=0.5, mean=1.3)).axes
    for name, band in zip("ab", ax.collections, strict=True):
        rows = NUMBERS[(NUMBERS["policy"] == name) & (NUMBERS["mean"] > 0)]
        centre = rows["median_of_means"]
        line, beside, median = (line for line in ax.get_lines() if line.get_gid() == name)
        for shown, factor in ((line, 1), (beside, 1.3), (median, 0.5)):
            assert shown.get_xdata().tolist() == rows["t"].tolist()
            assert shown.get_ydata() == pytest.approx(factor * centre)
            assert shown.get_color() == line.get_color()
        assert median.get_linewidth() < beside.get_linewidth() < line.get_linewidth()
        assert band.get_gid() == name
        at_end = [y for x, y in band.get_paths()[0].vertices if x == 10_000]
        end = centre.iloc[-1]
        assert (min(at_end), max(at_end)) == pytest.approx((0.9 * end, 1.2 * end))


@pytest.mark.parametrize(("mean", "is_drawn"), [(1.04, False), (1.06, True), (0.94, True)])
def test_a_mean_is_drawn_beside_the_median_of_means_where_it_is_5_percent_away(mean, is_drawn):
    """The footnote says so, and names the mean if checks judge it. One late round is enough."""
    numbers, early = toys.summary(), toys.summary()
    is_late = (numbers["policy"] == "b") & (numbers["t"] == 1000)
    numbers.loc[is_late, "mean"] = mean * numbers["median_of_means"]
    for judged in (True, False):
        drawing = drawn(LOG, numbers=numbers, judged=judged)
        ids = [line.get_gid() for line in drawing.axes[0].get_lines()]
        assert ids == ["a", "b"] + ["b"] * is_drawn
        says = ["checks judge the mean"] * judged
        says += ["dash-dot-dotted: mean, 5% or more away"] * is_drawn
        assert words(drawing)[1] in ("; ".join(says), " ".join(says))
    early.loc[early["t"] < 1000, "mean"] *= 2
    assert len(drawn(LOG, numbers=early).axes[0].get_lines()) == 2


def test_a_nash_regret_has_the_median_of_means_of_its_shares_and_the_papers_own_beside_it():
    played = toys.experiment(toys.series("a"), quantity="nash_regret")
    nash = {"nash_regret": 1.1, "nash_regret_error": 0.01, "nash_median_of_means": 0.9}
    numbers = toys.summary(played, **nash, nash_gmd_below=0.3, nash_gmd_above=0.4)
    drawing = drawn(played=played, numbers=numbers, judged=True)
    line, beside = drawing.axes[0].get_lines()
    assert [each.get_ydata()[-1] / END for each in (line, beside)] == pytest.approx([0.9, 1.1])
    (band,) = drawing.axes[0].collections
    assert band.get_paths()[0].vertices[:, 1].max() / END == pytest.approx(1.3)
    first, rest = words(drawing)
    assert first.startswith("50 runs; line: Nash regret, median of means of 5 groups; band: Gini's")
    says = "checks judge the Nash regret; dash-dot-dotted: Nash regret, 5% or more away"
    assert rest.endswith(says)


KINDS = [
    ({"band": "errors"}, "default", 1 + 2 * 0.5 / np.sqrt(50)),
    ({"statistic": "mean_std"}, "paper", 1.02 + 0.5),
    ({}, "paper", 0),
]


@pytest.mark.parametrize(("design", "estimator", "edge"), KINDS)
def test_other_bands(design, estimator, edge):
    (ax,) = drawn(
        played=toys.experiment(toys.series("a"), **design),
        numbers=toys.summary(toys.experiment(toys.series("a"))),
        estimator=estimator,
    ).axes
    highest = [band.get_paths()[0].get_extents().ymax for band in ax.collections]
    assert highest == pytest.approx([edge * END] if edge else [])


SWEEP = toys.experiment(*toys.sweep("dp_se", "epsilon", (10.0, 0.1, 1.0)))
ARMS = {"means": [0.9, 0.6]}
BOUND = {"overlay": {"bound": "azize2022_theorem_3"}, "regimes": "azize2022_crossings"}
AT_1 = bounds.at("azize2022_theorem_3", ARMS, 10_000, {"epsilon": 1.0})


def test_along_a_parameter_a_policy_is_a_line_with_the_policys_id():
    drawing = drawn(LOG, SWEEP, along="epsilon", **BOUND)
    bound, line = lines(drawing).values()  # bounds lie below
    assert line.get_gid() == "a"
    assert line.get_xdata().tolist() == [0.1, 1, 10]
    assert line.get_ydata() == pytest.approx([2 * END, 3 * END, END])  # by their order
    assert bound.get_ydata()[1] == AT_1
    (ax,) = drawing.axes
    (crossing,) = (each.get_xdata()[0] for each in ax.get_lines() if len({*each.get_xdata()}) == 1)
    (first, *_) = bounds.REGIMES["azize2022_crossings"](np.array(ARMS["means"]))
    assert crossing == pytest.approx(first)
    assert [text.get_text().strip() for text in ax.texts] == ["high privacy", "low privacy"]


@pytest.mark.parametrize(("along", "place"), [("", -1), ("epsilon", 1)])
def test_a_bound_is_that_of_the_panels_series_and_regimes_are_named_only_amid_the_curve(
    along, place
):
    drawing = drawn(LOG, SWEEP, series=("a-1", "a-10"), along=along, **BOUND)
    assert lines(drawing)["bound"].get_ydata()[place] == AT_1
    assert not drawing.axes[0].texts


def test_panels_with_the_same_curves_share_a_legend_below_them():
    one, other = toys.panel(series=("b",)), toys.panel(series=("a",))
    renamed = toys.panel(series=("a",), labels={"a": "another name for one look"})
    for panels in ([toys.panel(), toys.panel(axes=LINEAR)], [one, one, other, other]):
        drawing = draw(*panels)
        (found,) = (legend(ax) for ax in drawing.axes if ax.get_legend())
        assert {*found} == {"label of a", "label of b"}
        assert (len(drawing.axes), drawing.get_suptitle()) == (len(panels) + 1, "A title")
    assert found == ["label of b", "label of a"]  # as they come
    for different in ([one, other], [other, other, renamed, renamed]):
        assert all(ax.get_legend() for ax in draw(*different).axes)


def test_the_axis_reaches_as_far_in_either_reading():
    shared = toys.series("b")
    mine, theirs = (replace(toys.series("a"), reading=each) for each in ("published", "corrected"))
    played = toys.experiment(mine, shared, theirs)
    numbers = toys.summary(played)
    factors = {"a": 1, "a.corrected": 3, "b": 1}  # the corrected reading has the most regret
    for column in ("mean", "median_of_means"):
        numbers[column] *= numbers["policy"].map(factors)
    options = {"played": played, "numbers": numbers, "points": {"fig1": toys.points("a")}}
    for kind, axes in (("curves", LOG), ("curves", LINEAR), ("points", LINEAR)):
        published = toys.panel(played, axes, series="ab", drawn_as="fig1")
        corrected = toys.panel(played, axes, series=("a.corrected", "b"))
        one, other = (
            draw(panel, kind=kind, **options).axes[0].get_ylim() for panel in (published, corrected)
        )
        assert one == other
        assert one[1] > numbers["median_of_means"].max()


@pytest.mark.parametrize("kind", ["curves", "points"])
@pytest.mark.parametrize(("ours", "titles"), [(0, ["(a) A", "(b) B"]), (1, ["A", "B"]), (0, ["A"])])
def test_panels_of_the_papers_own_figures_have_letters(kind, ours, titles):
    panels = [toys.panel(title=title[-1]) for title in titles]
    drawing = draw(*panels, kind=kind, ours=bool(ours))
    assert [ax.get_title() for ax in drawing.axes][: len(titles)] == titles


@pytest.mark.parametrize(("label", "rows"), [("a", 2), ("a name", 3), ("a long name " * 4, 8)])
def test_a_legend_has_as_few_rows_as_fit(label, rows):
    names = [f"{label}{n}" for n in range(8)]
    played = toys.experiment(*map(toys.series, names))
    drawing = drawn(LOG, played, labels={name: name for name in names})
    (ax,) = drawing.axes
    assert legend(ax) == names
    assert math.ceil(8 / ax.get_legend()._ncols) == rows
    assert ax.get_legend().get_window_extent().width <= drawing.bbox.width or rows == 8


@pytest.mark.parametrize(("away", "says"), [(0.09, ""), (0.13, "label of b up to 13%")])
def test_circles_are_the_authors_points_in_the_colour_of_their_curve_and_move_no_axis(away, says):
    """A footnote says which curves are a tenth from them."""
    (mean,) = NUMBERS.loc[(NUMBERS["policy"] == "b") & (NUMBERS["t"] == 1000), "mean"]
    points = {"b": np.array([[1000.0, 1000.0], [mean, mean / (1 + away)]])}
    bare, drawing = (drawn(drawn_as="fig1", points=given) for given in ({}, {"fig1": points}))
    (ax,) = drawing.axes
    (circles,) = (line for line in ax.get_lines() if line.get_gid() == ID_IN_SVG)
    assert {*circles.get_xdata()} == {1000}
    assert circles.get_color() == lines(drawing)["label of b"].get_color()
    assert (ax.get_xlim(), ax.get_ylim()) == (bare.axes[0].get_xlim(), bare.axes[0].get_ylim())
    more = f" (away from them: {says})" if says else ""
    assert words(drawing)[1] == f"circles: drawn by the authors{more}"


def test_circles_are_evenly_spaced_along_a_curve_as_it_is_drawn():
    """A curve that rises in the first hundredth of the game has about half of them there.

    Without bands, with which matplotlib would compute the limits of the axes.
    """
    numbers = NUMBERS.assign(**{name: NUMBERS[name] / 1000 for name in toys.COLUMNS})
    t = np.concatenate([np.linspace(0, 100, 200), np.linspace(100, 10_000, 200)])
    points = {"fig1": {"b": np.array([t, np.minimum(t, 100) / 100 * END / 500])}}
    drawing = drawn(LINEAR, PLAYED, numbers, points, "paper", drawn_as="fig1")
    (circles,) = (line for line in drawing.axes[0].get_lines() if line.get_gid() == ID_IN_SVG)
    rising = np.mean(circles.get_xdata() <= 100)
    assert 0.4 < rising < 0.6


ONE_RUN = [  # its end in units of our mean, the factor of our deviation, and the words
    (1.2, 1, "+0.4"),
    (0.4, 1, "-1.2 (below all)"),
    (2.5, 1, "+3.0 (above all)"),
    (1.0, 0, "equal"),
    (2.0, 0, "1.8e+04, ours all 1.8e+04"),
]


@pytest.mark.parametrize(("end", "deviation", "place"), ONE_RUN)
def test_where_one_run_is_drawn_a_footnote_says_where_it_ends_among_ours(end, deviation, place):
    """The deviation is half of the mean; our runs are between half of it and twice as much."""
    played = replace(PLAYED, design=replace(PLAYED.design, runs_of_paper=1, band="range"))
    numbers = toys.summary(mean=1, std=deviation / 2)
    points = {"fig1": {"b": np.array([[1000.0, 10_000.0], [END / 5, end * 2 * END]])}}
    drawing = drawn(LOG, played, numbers, points, drawn_as="fig1")
    first, rest = words(drawing)
    assert first == "50 runs; line: median of means of 5 groups; band: range of the runs"
    says = "circles: one run, drawn by the authors; its end minus our mean, in SDs"
    assert rest.startswith(f"{says}: label of b ")
    assert deviation == 0 or rest.endswith(f" {place}")
    assert deviation or ("equal" in rest) == (end == 1) != ("ours all" in rest)
    (band,) = (each for each in drawing.axes[0].collections if each.get_gid() == "b")
    assert band.get_paths()[0].vertices[:, 1].max() == pytest.approx(4 * END)


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


@pytest.mark.parametrize(("design", "options", "factor", "begin", "away"), OF_PAPER)
def test_the_footnote_has_the_number_of_runs_that_are_drawn(design, options, factor, begin, away):
    """Only means have values over the paper's number of runs; circles are compared with these."""
    played = toys.experiment(toys.series("a"), runs_of_paper=20, **design)
    numbers = toys.summary(played, mean_of_paper=1.3, locked_in=0.5, median=2)
    circles = {"fig1": {"a": np.array([[1000.0, 10_000.0], [0.13 * END, 1.3 * END]])}}
    points = {} if options else circles
    drawing = drawn(LINEAR, played, numbers, points, "paper", drawn_as="fig1", **options)
    assert drawing.axes[0].get_lines()[0].get_ydata()[-1] == pytest.approx(factor * END)
    says = " ".join(words(drawing))
    assert says.startswith(begin)
    assert "dotted: median" not in says
    assert says.endswith(f"circles: drawn by the authors{away}" if points else "")


def test_a_legend_marks_our_reconstruction():
    policies = PLAYED.policies | {"b": replace(PLAYED.policies["b"], reconstructed=["published"])}
    played = replace(PLAYED, policies=policies, reconstructed="its log")
    drawing = drawn(played=played, labels={"b": "B"})
    assert {*lines(drawing)} == {"label of a", "B ∗"}
    assert words(drawing)[1] == "∗ our reconstruction; our reconstruction: its log"


GINI = "band: Gini's mean differences"
OF_PAPERS = [  # paper, figure, estimator, how the first line of its footnote ends
    ("azize2022", "fig2", "paper", "20 runs; line: mean; band: standard deviation"),
    ("azize2022", "fig2", "default", "median of means of 25 groups or mean of 20 runs; "),
    ("tossou2017", "fig6a", "default", "line: median of means of 24 groups; "),
    (
        "tossou2017",
        "s-feedback",
        "paper",
        "median of means of 24 groups or median of means of 6 groups; ",
    ),
    ("tossou2017", "s-small-epsilon", "default", "18 runs; line: mean of 18 runs; "),
    ("sarkar2025", "fig1a", "default", "line: Nash regret, mean of 10 runs; "),
    ("sarkar2025", "fig1c", "default", "Nash regret, median of means of 5 groups; "),
    ("sarkar2025", "fig1c", "paper", "50 runs; line: Nash regret; band: two standard errors"),
]


def note_of(paper, figure, estimator="default"):
    """The footnote of a paper's figure."""
    study = study_of(paper)
    figure = study.figures[figure]
    played = [study.experiments[p.experiment].in_reading(figure.reading) for p in figure.panels]
    parts = [Part(*each, None, estimator, {}) for each in zip(figure.panels, played, strict=True)]
    return footnote(parts, "", curves.WORDS, ())


def test_a_footnote_says_once_what_several_panels_remark_with_what_each_adds():
    part = Part(toys.panel(), PLAYED, None, "default", {})
    remarks = [("circles", ""), ("0 (zero)", ""), *(("circles", each) for each in "aba")]
    second = footnote([part] * 2, "read", curves.WORDS, remarks).splitlines()[1]
    assert second == "read; circles (a; b); 0 (zero)"


@pytest.mark.parametrize(("paper", "figure", "estimator", "says"), OF_PAPERS)
def test_a_footnote_says_runs_and_statistic_in_one_line(paper, figure, estimator, says):
    first = note_of(paper, figure, estimator).splitlines()[0]
    assert first.endswith(says + GINI * says.endswith("; "))


def test_a_footnote_names_the_reading_the_log_and_policies_above_their_promise():
    drawing = draw(toys.panel(), reading_name="published reading")
    line = f"50 runs; line: median of means of 5 groups; {GINI}"
    assert words(drawing) == (line, "published reading")
    environment = {"kind": "news_log", "source": "Yahoo! R6A", "tables": "tables.npz", "live": 9}
    log = replace(PLAYED, environment=environment)
    says = footnote([Part(toys.panel(log), log, None, "default", {})], "", curves.WORDS, ())
    assert says.endswith("\nYahoo! R6A (the same log in all runs)")
    says = "the ledger adds up to more than the promise: "
    assert f"{says}AdaP-UCB, GDP-NCB, LDP-NCB" in note_of("sarkar2025", "fig1b")
    assert says not in note_of("sarkar2025", "fig1b.corrected")

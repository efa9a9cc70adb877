"""Medians beside centre lines, and curves along a parameter."""

from dataclasses import replace

import numpy as np
import pytest
from project import ROOT
from reference_tables import at_smoke_scale

from dpbandits import studies
from dpbandits.figures import curves, screen, style
from dpbandits.studies import published
from dpbandits.theory import bounds


@pytest.fixture(scope="module")
def drawn():
    """Two figures of mishra2015 at the smoke scale, and the medians of the first along epsilon, with the summaries of each."""
    paper = studies.load(ROOT / "config/papers/mishra2015.yaml", "smoke")
    figures = [paper.figures[name] for name in ("s-literal", "s-interval")]
    along = replace(figures[0].panels[0], along="epsilon", column="median", line="median")
    figures.append(replace(figures[0], id="medians", panels=(along,)))
    made = {name: at_smoke_scale("mishra2015", name) for figure in figures for name in figure.experiments}
    style.use()
    return {
        figure.id: (curves.panels(figure, paper.experiments, made, "default"), made[figure.panels[0].experiment])
        for figure in figures
    }


def test_a_thin_line_of_the_same_colour_is_the_median(drawn):
    drawing, table = drawn["s-literal"]
    thick, thin = (drawing.axes[0].get_lines()[first::2] for first in (0, 1))
    assert [line.get_label() for line in thick][:2] == ["Algorithm 1, ε = 1", "Algorithm 1, ε = 10"]
    assert len({line.get_color() for line in thick}) == 4  # two sweeps: one colour per curve
    for line, median, policy in zip(thick, thin, dict.fromkeys(table["policy"]), strict=True):
        rows = table.of(policy)
        assert median.get_color() == line.get_color()
        assert median.get_linewidth() < line.get_linewidth()
        assert median.get_ydata().tolist() == rows["median"].tolist()
        assert line.get_ydata().tolist() == rows["mean"].tolist()
    assert drawing._supxlabel.get_text().endswith("thin: median")


def test_a_panel_along_a_parameter_draws_the_column_that_it_names(drawn):
    drawing, table = drawn["medians"]
    (ax,) = drawing.axes
    for line, policy in zip(ax.get_lines(), ("literal-ucb", "literal-thompson"), strict=True):
        assert line.get_xdata().tolist() == [1, 10]
        assert line.get_ydata().tolist() == [table.of(f"{policy}-{e:g}")["median"][-1] for e in line.get_xdata()]
    assert "line: median" in drawing._supxlabel.get_text()
    assert not ax.collections


@pytest.fixture(scope="module")
def budgets():
    """azize2022's fig3, fig4 and s-bounds-c1 at the smoke scale, drawn."""
    paper = studies.load(ROOT / "config/papers/azize2022.yaml", "smoke")
    figures = {name: paper.figures[name] for name in ("fig3", "fig4", "s-bounds-c1")}
    made = {name: at_smoke_scale("azize2022", name) for figure in figures.values() for name in figure.experiments}
    style.use()
    found = {name: curves.panels(figure, paper.experiments, made, "default") for name, figure in figures.items()}
    return paper, found


def test_along_a_parameter_bounds_precede_the_curve_and_its_regime_line_is_dashed(budgets):
    (ax,) = budgets[1]["fig3"].axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "lower bound, no privacy",
        "lower bound, ε-global DP",
        "AdaP-KLUCB",
    ]
    (regime,) = [line for line in ax.get_lines() if len(set(line.get_xdata())) == 1]
    assert regime.get_linestyle() == "--"
    assert [(text.get_text().strip(), text.get_position()[1]) for text in ax.texts] == [
        ("high privacy", 0.5),
        ("low privacy", 0.5),
    ]


def test_every_panel_of_a_grid_has_its_legend_in_the_corner_that_the_paper_file_names(budgets):
    drawing = budgets[1]["fig4"]
    assert len(drawing.axes) == 4
    assert [ax.get_legend()._loc for ax in drawing.axes] == [4] * 4  # lower right


def test_bounds_are_those_of_the_epsilon_of_the_panel(budgets):
    paper, found = budgets
    panels = paper.figures["s-bounds-c1"].panels
    for panel, ax in zip(panels, found["s-bounds-c1"].axes, strict=False):
        (epsilon,) = {paper.experiments[panel.experiment].series[name].parameters["epsilon"] for name in panel.series}
        assert panel.title == f"ε = {epsilon:g}"
        (line,) = [line for line in ax.get_lines() if line.get_label() == "T3, lower"]
        means = np.array(paper.experiments[panel.experiment].environment["means"])
        horizon = paper.experiments[panel.experiment].design.horizon
        assert line.get_ydata()[-1] == bounds.at("azize2022_theorem_3", means, horizon, {"epsilon": epsilon})
        (upper,) = [line for line in ax.get_lines() if line.get_label() == "T8, AdaP-KLUCB"]
        assert upper.get_ydata()[-1] == bounds.at(
            "azize2022_theorem_8", means, horizon, {"epsilon": epsilon, "alpha": 3.1}
        )


def with_design(paper, name, **changes):
    """The experiments of a paper, with another design of one of them."""
    experiment = paper.experiments[name]
    return {**paper.experiments, name: replace(experiment, design=replace(experiment.design, **changes))}


def test_a_band_of_two_standard_errors(drawn):
    drawing, table = drawn["s-interval"]
    rows = table.of("private-ucb-0.1").last()  # the largest regret of the line
    band = drawing.axes[0].collections[0].get_paths()[0].get_extents()
    assert band.ymax == pytest.approx((rows["mean"] + 2 * rows["std"] / rows["runs"] ** 0.5)[0])
    assert "band: two standard errors" in drawing.get_supxlabel().replace("\n", " ")


@pytest.fixture
def slip():
    """azize2022's fig2 at the smoke scale; the median of means of AdaP-UCB is 6% below its mean, that of DP-SE 4%."""
    paper = studies.load(ROOT / "config/papers/azize2022.yaml", "smoke")
    table = at_smoke_scale("azize2022", "fig2")
    for policy, share in (("adap-ucb", 0.94), ("dp-se", 0.96)):
        chosen = table["policy"] == policy
        table["median_of_means"] = np.where(chosen, share * table["mean"], table["median_of_means"])
    style.use()
    return paper, table


def test_the_line_is_what_claims_judge_and_the_median_of_means_stands_beside_it_where_it_differs(slip):
    paper, table = slip
    figure = paper.figures["fig2"]
    drawing = curves.panels(figure, paper.experiments, {"fig2": table}, "default")
    (ax,) = drawing.axes
    lines = {line.get_label(): line for line in ax.get_lines()}
    for name in figure.panels[0].series:
        rows = table.of(name)
        line = lines[paper.experiments["fig2"].series[name].label]
        assert line.get_ydata().tolist() == rows["mean"][rows["mean"] > 0].tolist()
    (beside,) = [line for line in ax.get_lines() if line.get_linewidth() == curves.OTHER["linewidth"]]
    rows = table.of("adap-ucb")
    assert beside.get_ydata().tolist() == rows["median_of_means"][rows["mean"] > 0].tolist()
    note = drawing.get_supxlabel().replace("\n", " ")
    assert note.endswith("dash-dotted: median of means, where it differs by 5%")
    assert {panel.line for panel in figure.panels} == {"mean"}
    unjudged = {panel.line for panel in paper.figures["s-cap"].panels}
    assert unjudged == {"median_of_means"}
    other = replace(figure, panels=tuple(replace(panel, line="median_of_means") for panel in figure.panels))
    drawing = curves.panels(other, paper.experiments, {"fig2": table}, "default")
    assert drawing.get_supxlabel().replace("\n", " ").endswith("dash-dotted: mean, where it differs by 5%")


def test_a_band_is_ginis_mean_difference_about_the_median_of_means(slip):
    paper, table = slip
    (ax,) = curves.panels(paper.figures["fig2"], paper.experiments, {"fig2": table}, "default").axes
    rows = table.of("adap-ucb")
    corners = ax.collections[2].get_paths()[0].vertices
    at_end = corners[corners[:, 0] == rows["t"][-1], 1]
    middle, below, above = (rows[name][-1] for name in ("median_of_means", "gmd_below", "gmd_above"))
    assert (at_end.min(), at_end.max()) == pytest.approx((middle - below, middle + above))


def test_the_footnote_counts_groups_per_series():
    paper = studies.load(ROOT / "config/papers/azize2022.yaml")
    note = curves.footnote(paper.figures["fig2"], paper.experiments, "default")
    assert "1000 runs (DP-UCB (γ = 0.1): 20); line: mean; band" in note
    assert note.endswith("below and above the median of means of 25 groups (DP-UCB (γ = 0.1): the mean)")
    note = curves.footnote(paper.figures["s-cap"], with_design(paper, "s-cap", groups=1), "default")
    assert note.endswith("100 runs; line: mean; band: Gini's mean difference below and above")
    games = studies.load(ROOT / "config/papers/tossou2017.yaml")
    note = curves.footnote(games.figures["fig6a"], games.experiments, "default")
    assert note.endswith("line: median of means of 24 groups; band: Gini's mean difference below and above")
    assert curves.footnote(paper.figures["fig4a"], paper.experiments, "paper").endswith("; 20 runs; line: mean")
    note = curves.footnote(paper.figures["fig2"], paper.experiments, "paper")
    assert note.endswith("; 20 runs; line: mean; band: standard deviation")


def test_circles_are_the_drawn_points_in_the_colour_of_their_curve_and_move_no_axis():
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml", "smoke")
    made = {"fig1a": at_smoke_scale("sarkar2025", "fig1a")}
    drawn = {"fig1a": published.read(ROOT / "reference/published/sarkar2025/fig1a.csv")}
    style.use()
    without, with_circles = (
        curves.panels(paper.figures["fig1a"], paper.experiments, made, "default", points) for points in (None, drawn)
    )
    (bare,), (ax,) = without.axes, with_circles.axes
    assert (ax.get_xlim(), ax.get_ylim()) == (bare.get_xlim(), bare.get_ylim())
    circles = [line for line in ax.get_lines() if line.get_gid() == screen.POINTS]
    assert len(ax.get_lines()) - len(circles) == len(bare.get_lines())
    lines = {line.get_label(): line for line in ax.get_lines()}
    for line, (name, curve) in zip(circles, drawn["fig1a"].items(), strict=True):
        assert 15 <= len(line.get_xdata()) <= curves.CIRCLES
        assert {*zip(*line.get_data(), strict=True)} <= {*zip(curve.x, curve.y, strict=True)}
        assert line.get_xdata()[[0, -1]].tolist() == curve.x[[0, -1]].tolist()
        assert line.get_color() == lines[paper.experiments["fig1a"].series[name].label].get_color()
    assert with_circles.get_supxlabel().endswith("circles: drawn by the authors")
    assert "circles" not in without.get_supxlabel()


def test_circles_of_a_policy_lie_on_its_line_along_a_parameter(budgets):
    paper, _ = budgets
    made = {"fig3": at_smoke_scale("azize2022", "fig3")}
    drawn = {"fig3": published.read(ROOT / "reference/published/azize2022/fig3.csv")}
    (ax,) = curves.panels(paper.figures["fig3"], paper.experiments, made, "default", drawn).axes
    (circles,) = [line for line in ax.get_lines() if line.get_gid() == screen.POINTS]
    (line,) = [line for line in ax.get_lines() if line.get_label() == "AdaP-KLUCB"]
    assert circles.get_color() == line.get_color()


def test_a_panel_may_rename_series_and_draw_nash_regrets_along_a_parameter():
    """sarkar2025: fig1e names its series without epsilon; s-large-epsilon has Gini's mean difference about each final value."""
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml", "smoke")
    made = {name: at_smoke_scale("sarkar2025", name) for name in ("fig1c", "s-large-epsilon", "fig1a")}
    (ax,) = curves.panels(paper.figures["fig1e"], paper.experiments, made, "default").axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Non-Private NCB", "GDP-NCB", "LDP-NCB"]
    (ax,) = curves.panels(paper.figures["s-large-epsilon"], paper.experiments, made, "default").axes
    for line, band, policy in zip(ax.get_lines(), ax.collections, ("gdp-large", "gdp-large-private-mean"), strict=True):
        finals = [made["s-large-epsilon"].of(f"{policy}-{e:g}").last() for e in line.get_xdata()]
        assert line.get_ydata().tolist() == [row["nash_regret"][0] for row in finals]
        middle = finals[0]["nash_median_of_means"]
        ends = band.get_paths()[0].vertices[:, 1]
        assert {*(middle - finals[0]["nash_gmd_below"]), *(middle + finals[0]["nash_gmd_above"])} <= set(ends)


def test_the_footnote_counts_sweeps_and_their_games():
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml")
    message = curves.footnote(paper.figures["fig1a"], paper.experiments, "default")
    assert "10 sweeps of 50 runs; line: mean of the sweeps' Nash regrets; band" in message
    message = curves.footnote(paper.figures["fig1"], paper.experiments, "default")
    assert (
        "10 sweeps of 50 or 50 runs; line: mean of the sweeps' Nash regrets, or Nash regret over all runs;" in message
    )
    message = curves.footnote(paper.figures["fig1c"], paper.experiments, "default")
    assert "50 runs; line: Nash regret over all runs; band" in message
    assert message.endswith("the median of means of 5 groups of the runs' shares in its logarithm")
    message = curves.footnote(paper.figures["fig1c"], paper.experiments, "paper")
    assert message.endswith("50 runs; line: Nash regret over all runs; band: two standard errors")

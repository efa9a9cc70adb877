"""Medians beside centre lines, and curves along a parameter."""

import numpy as np
import pytest
from project import ROOT
from reference_tables import at_smoke_scale

from dpbandits import studies
from dpbandits.figures import curves, style
from dpbandits.theory import bounds


@pytest.fixture(scope="module")
def drawn():
    """fig1a and s-budget's two axes at the smoke scale, with their summaries."""
    paper = studies.load(ROOT / "config/papers/mishra2015.yaml", "smoke")
    made = {name: at_smoke_scale("mishra2015", name) for name in ("fig1a", "s-budget")}
    style.use()
    return {name: (curves.panels(paper.figures[name], paper.experiments, made, "default"), made[name]) for name in made}


def test_a_thin_line_of_the_same_colour_is_the_median(drawn):
    drawing, table = drawn["fig1a"]
    (ax,) = drawing.axes
    thick, thin = ax.get_lines()[::2], ax.get_lines()[1::2]
    assert [line.get_label() for line in thick][:2] == ["not private", "private, ε = 0.1"]
    assert len({line.get_color() for line in thick}) == 6  # one sweep beside a single curve: one colour per curve
    for line, median, policy in zip(thick, thin, dict.fromkeys(table["policy"]), strict=True):
        rows = table.of(policy)
        assert median.get_color() == line.get_color()
        assert median.get_linewidth() < line.get_linewidth()
        assert median.get_ydata().tolist() == rows["median"].tolist()
        assert line.get_ydata().tolist() == rows["median_of_means"].tolist()
    assert drawing._supxlabel.get_text().endswith("thin: median")


def test_a_panel_along_a_parameter_draws_the_column_that_it_names(drawn):
    drawing, table = drawn["s-budget"]
    left = drawing.axes[0]
    for line, policy in zip(left.get_lines(), ("split-ucb", "parallel-ucb"), strict=True):
        assert line.get_xdata().tolist() == [0.1, 0.5, 1, 2, 10]
        assert line.get_ydata().tolist() == [table.of(f"{policy}-{e:g}")["median"][-1] for e in line.get_xdata()]
    assert "line: median" in drawing._supxlabel.get_text()
    assert not left.collections


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
        "AdaP-KLUCB (α = 2.4)",
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


def test_a_band_of_two_standard_errors(drawn):
    drawing, table = drawn["fig1a"]
    rows = table.of("private-ucb-10")
    band = drawing.axes[0].collections[-1].get_paths()[0].get_extents()
    assert band.ymax == pytest.approx((rows["median_of_means"] + 2 * rows["std"] / rows["runs"] ** 0.5).max())
    assert "band: two standard errors; thin: median" in drawing._supxlabel.get_text().replace("\n", " ")


def test_a_panel_may_rename_series_and_draw_nash_regrets_along_a_parameter():
    """sarkar2025: fig1e names its series without epsilon; s-large-epsilon has two standard errors about each final value."""
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml", "smoke")
    made = {name: at_smoke_scale("sarkar2025", name) for name in ("fig1c", "s-large-epsilon", "fig1a")}
    (ax,) = curves.panels(paper.figures["fig1e"], paper.experiments, made, "default").axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Non-Private NCB", "GDP-NCB", "LDP-NCB"]
    (ax,) = curves.panels(paper.figures["s-large-epsilon"], paper.experiments, made, "default").axes
    for line, band, policy in zip(ax.get_lines(), ax.collections, ("gdp-large", "gdp-large-private-mean"), strict=True):
        finals = [made["s-large-epsilon"].of(f"{policy}-{e:g}").last() for e in line.get_xdata()]
        assert line.get_ydata().tolist() == [row["nash_regret"][0] for row in finals]
        reach = 2 * finals[0]["nash_regret_error"]
        ends = band.get_paths()[0].vertices[:, 1]
        assert {*(finals[0]["nash_regret"] - reach), *(finals[0]["nash_regret"] + reach)} <= set(ends)


def test_the_footnote_counts_sweeps_and_their_games():
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml")
    message = curves.footnote(paper.figures["fig1a"], paper.experiments, "default")
    assert "10 sweeps of 50 runs; line: mean of the sweeps' Nash regrets; band" in message
    message = curves.footnote(paper.figures["fig1"], paper.experiments, "default")
    assert "10 sweeps of 50 or 50 runs; line: Nash regret over all of them, in sweeps the mean of each one's" in message
    message = curves.footnote(paper.figures["fig1c"], paper.experiments, "default")
    assert "50 runs; line: Nash regret over all of them; band" in message

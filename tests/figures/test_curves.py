"""Medians beside centre lines, and curves along a parameter."""

import pytest
from project import ROOT

from dpbandits import papers, simulation, tables
from dpbandits.figures import curves, style


@pytest.fixture(scope="module")
def drawn():
    """fig1a and s-budget's two axes at the smoke scale, with their summaries."""
    paper = papers.load(ROOT / "config/papers/mishra2015.yaml", "smoke")
    made = {}
    for name in ("fig1a", "s-budget"):
        experiment = paper.experiments[name]
        traces = [simulation.simulate(experiment.spec(policy.id, 1), 0, 9) for policy in experiment.policies]
        made[name] = tables.summary(traces, 5, "sigma", experiment.design.columns)
    style.use()
    return {name: (curves.panels(paper.figures[name], paper.experiments, made, "default"), made[name]) for name in made}


def test_a_thin_line_of_the_same_colour_is_the_median(drawn):
    drawing, table = drawn["fig1a"]
    (ax,) = drawing.axes
    thick, thin = ax.get_lines()[::2], ax.get_lines()[1::2]
    assert [line.get_label() for line in thick][:2] == ["UCB (not private)", "private UCB, ε = 0.1"]
    assert len({line.get_color() for line in thick}) == 6  # one sweep beside a single curve: a colour a curve
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

"""The content of a figure: labels in the order of the paper, axes, readings, and bytes that do not move."""

from dataclasses import replace

import matplotlib as mpl
import pytest
from project import ROOT
from reference_tables import at_smoke_scale

from dpbandits import figures, studies
from dpbandits.figures import curves, diagrams, style


@pytest.fixture(scope="module")
def paper():
    return studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")


@pytest.fixture(scope="module")
def summaries(paper):
    """Summaries of the experiments that fig2a, its corrected reading, s-hybrid and s-lost-runs draw."""
    drawn = ("fig2a", "s-hybrid", "s-lost-runs")
    return {name: at_smoke_scale("tossou2016", name) for name in paper.experiments if name.startswith(drawn)}


def drawn(paper, summaries, figure, estimator="default"):
    style.use()
    return curves.panels(paper.figures[figure], paper.experiments, summaries, estimator)


def test_a_panel_shows_what_the_paper_file_says(paper, summaries):
    (ax,) = drawn(paper, summaries, "fig2a.corrected").axes
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["UCB", "Private-UCB (1)", "DP-UCB-BOUND (1)", "DP-UCB (1)", "DP-UCB-INT (1)"]
    assert ax.get_title() == "Regret for ε = 1, 2 arms"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time step t", "regret")
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_lines_are_the_summary_and_bands_surround_them(paper, summaries):
    (ax,) = drawn(paper, summaries, "fig2a").axes
    table = summaries["fig2a"]
    for line, policy in zip(ax.get_lines(), paper.figures["fig2a"].panels[0].series, strict=True):
        rows = table.of(policy)
        rows = rows.rows(rows["mean"] > 0)
        assert line.get_xdata().tolist() == rows["t"].tolist()
        assert line.get_ydata().tolist() == rows["mean"].tolist()
    assert len(ax.collections) == 5  # a band of each


def test_the_papers_own_statistic_is_the_mean_without_a_band(paper, summaries):
    (ax,) = drawn(paper, summaries, "fig2a", "paper").axes
    table = summaries["fig2a"]
    mean = table.of("dp-ucb")["mean"]
    assert ax.get_lines()[3].get_ydata().tolist() == mean[mean > 0].tolist()
    assert not ax.collections


def test_every_curve_of_a_panel_looks_different(paper, summaries):
    for figure in ("fig2a", "s-hybrid"):
        (ax, *_) = drawn(paper, summaries, figure).axes
        looks = {(line.get_color(), line.get_linestyle(), line.get_marker()) for line in ax.get_lines()}
        assert len(looks) == len(ax.get_lines())
        assert len({line.get_marker() for line in ax.get_lines()}) == len(ax.get_lines())


def test_a_figure_says_its_reading_and_statistic(paper, summaries):
    note = drawn(paper, summaries, "fig2a.corrected").get_supxlabel().replace("\n", " ")
    assert note.startswith("corrected reading; 10 runs; line: mean")
    assert note.endswith("band: Gini's mean difference below and above")
    narrow = {
        name: replace(experiment, design=replace(experiment.design, band="deviations"))
        for name, experiment in paper.experiments.items()
    }
    style.use()
    note = curves.panels(paper.figures["fig2a.corrected"], narrow, summaries, "default").get_supxlabel()
    assert note.replace("\n", " ").endswith("band: Gini's mean difference below and above")


def test_all_panels_on_logarithmic_axes_begin_at_the_first_round(paper, summaries):
    """With two arms the first round, which plays the good one, has regret 0."""
    (ax,) = drawn(paper, summaries, "fig2a").axes
    assert ax.get_xlim()[0] == 1
    assert min(line.get_xdata()[0] for line in ax.get_lines()) == 2


def test_the_share_of_lost_runs_over_time(paper, summaries):
    """A column of the summary in place of the regret; the median, the bound and no second median."""
    drawing = drawn(paper, summaries, "s-lost-runs")
    regret, share = drawing.axes
    assert len(share.get_lines()) == 1
    rows = summaries["s-lost-runs"]
    positive = (rows["t"] >= 100) & (rows["locked_in"] > 0)
    assert share.get_lines()[0].get_ydata().tolist() == rows["locked_in"][positive].tolist()
    assert not share.collections
    assert [text.get_text() for text in regret.get_legend().get_texts()] == ["DP-UCB-INT (5)", "Theorem 3.5"]
    assert len(regret.get_lines()) == 3
    note = drawing.get_supxlabel().replace("\n", " ")
    assert "Gini's mean difference" in note
    assert note.endswith("from t/2 to t; band: Gini's mean difference below and above; thin: median")


def test_panels_with_the_same_legend_share_it(paper, summaries):
    drawing = drawn(paper, summaries, "s-hybrid")
    legends = [ax.get_legend() for ax in drawing.axes if ax.get_legend()]
    assert len(drawing.axes) == 5
    assert len(legends) == 1
    budgets = ("ε for each part, ln", "ε for each part, log₂", "ε/2 for each part, log₂")
    named = [f"{policy}, {budget}" for policy in ("DP-UCB-BOUND", "DP-UCB") for budget in budgets]
    assert [t.get_text() for t in legends[0].get_texts()] == named


@pytest.mark.parametrize("name", ["s-hybrid", "fig2a"])
def test_nothing_is_clipped_and_no_text_lies_on_another(paper, summaries, name):
    long_named = replace(paper.figures[name], reading_name="published reading, a reconstruction of what was drawn")
    drawing = curves.panels(long_named, paper.experiments, summaries, "default")
    style.lay_out(drawing)
    drawing.canvas.draw()
    renderer, frame = drawing.canvas.get_renderer(), drawing.bbox
    boxes = [ax.get_tightbbox(renderer) for ax in drawing.axes]
    boxes += [text.get_window_extent(renderer) for text in drawing.texts if text.get_text()]
    assert len(boxes) > len(drawing.axes)  # the footnote is among them
    for box in boxes:
        assert frame.x0 - 1 <= box.x0
        assert box.x1 <= frame.x1 + 1
        assert frame.y0 - 1 <= box.y0
        assert box.y1 <= frame.y1 + 1
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            width = min(one.x1, other.x1) - max(one.x0, other.x0)
            height = min(one.y1, other.y1) - max(one.y0, other.y0)
            assert width < 2 or height < 2


def test_the_diagram_has_the_papers_nodes(paper):
    (ax,) = diagrams.interaction(paper.figures["fig1"]).axes
    texts = {text.get_text() for text in ax.texts}
    assert {"$P_i$", "$r_t$", "$Y$", "$X$", "$a_t$", r"$t \in [T]$"} <= texts


@pytest.mark.parametrize("kind", ["pdf", "png", "svg"])
def test_a_figure_drawn_twice_has_the_same_bytes(kind, paper, summaries, tmp_path):
    for name in ("one", "two"):
        output = tmp_path / f"{name}.{kind}"
        figures.draw(paper.figures["fig2a"], paper.experiments, summaries, "default", [output])
        mpl.rcParams.update({"lines.linewidth": 9, "font.size": 20})  # what is set in between must not matter
    assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()


def test_a_preview_is_small(paper, summaries, tmp_path):
    picture = tmp_path / "fig2a.png"
    figures.draw(paper.figures["fig2a"], paper.experiments, summaries, "default", [picture])
    figures.preview([picture, picture], tmp_path / "preview.png")
    assert 10_000 < (tmp_path / "preview.png").stat().st_size < 450_000
    for preview in (ROOT / "figures/gallery").glob("*.png"):
        assert preview.stat().st_size < 450_000

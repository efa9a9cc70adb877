"""Bars, upright in groups or lying as contrasts: their lengths, errors, and the labels beside them."""

import numpy as np
import pytest
from project import ROOT
from reference_tables import at_smoke_scale

from dpbandits import studies
from dpbandits.figures import bars, contrasts, curves, style
from dpbandits.files.tables import Table

PAPER = studies.load(ROOT / "config/papers/mishra2015.yaml", "smoke")


def summary(experiment, finals):
    """Two checkpoints of every series; `finals`: series -> (mean, std) at the last."""
    rows = []
    for name in PAPER.experiments[experiment].series:
        mean, std = finals.get(name, (1.1, 0.05))
        for t, value in ((100, 9.0), (200, mean)):
            rows.append({"policy": name, "t": t, "runs": 4, "mean": value, "std": std, "median_of_means": value,
                         "gmd_below": 0.01, "gmd_above": 0.02, "min": value, "max": value})  # fmt: skip
    return Table({name: np.array([row[name] for row in rows]) for name in rows[0]})


def drawn(figure, estimator="default", **finals):
    style.use()
    summaries = {e: summary(e, finals.get(e.replace("-", "_"), {})) for e in PAPER.figures[figure].experiments}
    return bars.panels(PAPER.figures[figure], PAPER.experiments, summaries, estimator)


def test_a_group_for_each_value_and_a_colour_for_each_policy():
    (ax,) = drawn("fig2a", fig2={"lin-ucb-100": (1.4, 0.2), "private-lin-ucb-1000": (0.9, 0.1)}).axes
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "100", "1000"]
    assert ax.get_title() == "LinUCB, synthetic log"
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["LinUCB", "private LinUCB", "the same without information (ε₀ = 1e-05)"]
    boxes = sorted(ax.patches, key=lambda box: box.get_x())
    assert len(boxes) == 7  # without information there is nothing to wait for
    assert all(box.get_y() == 1 for box in boxes)  # the rate of random choices is the ground
    assert boxes[3].get_height() == pytest.approx(0.4)  # second group, first policy
    assert boxes[6].get_height() == pytest.approx(-0.1)  # worse than random hangs down
    assert [round(box.get_x() + box.get_width() / 2) for box in boxes] == [0, 0, 0, 1, 1, 2, 2]
    colours = [box.get_facecolor() for box in boxes]
    assert colours[:2] == colours[3:5] == colours[5:]
    assert len(set(colours)) == 3


def test_error_bars_are_those_of_the_statistic():
    for estimator, reach in (("default", (1.09, 1.12)), ("paper", (1.05, 1.15))):
        (ax,) = drawn("fig2a", estimator).axes
        segments = [line.get_segments()[0] for line in ax.collections]
        assert len(segments) == 7
        assert [point[1] for point in segments[0]] == pytest.approx(list(reach))


def test_panels_of_one_title_are_groups_of_one_pair_of_axes():
    one, other = drawn(
        "s-setting",
        s_setting_article={"other-private-lin-ucb-0": (1.2, 0.1)},
        s_setting_constants_1={"other-private-lin-ucb-0": (1.5, 0.1)},
    ).axes
    groups = [tick.get_text() for tick in one.get_xticklabels()]
    assert [groups[0], groups[5]] == ["article", "1"]
    assert (one.get_title(), other.get_title()) == ("LinUCB, synthetic log", "LinTS, synthetic log")
    heights = [box.get_height() for box in sorted(one.patches, key=lambda box: box.get_x())]
    assert heights == pytest.approx([0.1, 0.2, *[0.1] * 14, 0.5, 0.1])  # three groups of two bars, three of four


def test_it_says_whose_log_it_is_and_what_the_bars_are():
    note = drawn("fig2").get_supxlabel()
    assert note == "synthetic log; 4 runs; bar: mean; error bar: Gini's mean difference below and above"


def test_on_a_recorded_log_it_says_how_much_there_is_and_what_the_runs_share(tmp_path):
    (tmp_path / "report.json").write_text('{"lines": 150000}')
    log = {"kind": "news_log", "source": "Yahoo! R6A", "folder": str(tmp_path), "live": 20}
    experiments = studies.study.replace_environment(PAPER, "news", log).experiments
    note = curves.footnote(PAPER.figures["fig2"], experiments, "default")
    assert note.startswith("Yahoo! R6A (150,000 lines, not 200,000); 4 runs; ")
    assert note.endswith("the runs share one log and differ in the policies' random numbers only")
    (tmp_path / "report.json").write_text('{"lines": 45811883}')
    assert curves.footnote(PAPER.figures["fig2"], experiments, "default").startswith("Yahoo! R6A; 4 runs")


def test_contrasts_show_final_values_with_ginis_mean_difference():
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml", "smoke")
    figure = paper.figures["s-noise"]
    summaries = {name: at_smoke_scale("sarkar2025", name) for name in figure.experiments}
    drawing = contrasts.panels(figure, paper.experiments, summaries, "default")
    assert [ax.get_title() for ax in drawing.axes] == [panel.title for panel in figure.panels]
    for ax, panel in zip(drawing.axes, figure.panels, strict=True):
        finals = [summaries[panel.experiment].of(name).last() for name in panel.series]
        values = [row["nash_regret"][0] for row in finals]
        assert [bar.get_width() for bar in ax.patches] == values
        assert [text.get_text() for text in ax.texts] == [f"{value:.3g}" for value in values]
        (whiskers,) = ax.collections
        middle, below, above = (finals[0][f"nash_{name}"][0] for name in ("median_of_means", "gmd_below", "gmd_above"))
        assert whiskers.get_segments()[0][:, 0] == pytest.approx([middle - below, middle + above])
    assert "whisker: Gini's mean difference below and above" in drawing.get_supxlabel().replace("\n", " ")

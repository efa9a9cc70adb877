"""Bars of final values with their errors."""

import pandas as pd
import pytest
from project import ROOT

from dpbandits import papers
from dpbandits.figures import contrasts

SCHEMA = ROOT / "workflow/schemas/paper.schema.yaml"


def test_contrasts_show_final_values_with_two_standard_errors():
    paper = papers.load(ROOT / "config/papers/sarkar2025.yaml", SCHEMA, "smoke")
    figure = paper.figures["s-deviations"]
    summaries = {
        name: pd.DataFrame({
            "policy": [series for series in paper.experiments[name].series for _ in range(2)],
            "t": [1, 2] * len(paper.experiments[name].series),
            "nash_regret": [9.0, 0.25] * len(paper.experiments[name].series),
            "nash_regret_error": [9.0, 0.01] * len(paper.experiments[name].series),
        })
        for name in figure.experiments
    }  # fmt: skip
    drawing = contrasts.panels(figure, paper.experiments, summaries, "default")
    assert [ax.get_title() for ax in drawing.axes] == [panel.title for panel in figure.panels]
    for ax, panel in zip(drawing.axes, figure.panels, strict=True):
        assert [bar.get_width() for bar in ax.patches] == [0.25] * len(panel.series)
        assert [text.get_text() for text in ax.texts] == ["0.25"] * len(panel.series)
        (whiskers,) = (c for c in ax.collections)
        assert whiskers.get_segments()[0][:, 0] == pytest.approx([0.23, 0.27])
    assert "two standard errors" in drawing.get_supxlabel()

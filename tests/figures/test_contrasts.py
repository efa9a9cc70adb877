"""Bars of final values with their errors."""

import numpy as np
import pytest
from project import ROOT

from dpbandits import studies
from dpbandits.figures import contrasts
from dpbandits.files import tables


def test_contrasts_show_final_values_with_two_standard_errors():
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml", "smoke")
    figure = paper.figures["s-deviations"]
    summaries = {
        name: tables.Table({
            "policy": np.repeat(list(paper.experiments[name].series), 2),
            "t": np.tile([1, 2], len(paper.experiments[name].series)),
            "nash_regret": np.tile([9.0, 0.25], len(paper.experiments[name].series)),
            "nash_regret_error": np.tile([9.0, 0.01], len(paper.experiments[name].series)),
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

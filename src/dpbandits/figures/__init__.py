"""Draws figures from summaries, theorems and the authors' points, in one style."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure as Drawing
from PIL import Image, ImageOps

from dpbandits.figures import diagrams, panels, style
from dpbandits.figures.bands import Part
from dpbandits.files import written_whole
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies.drawn_points import Curves
from dpbandits.studies.drawn_points import read as read_points
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Figure


def draw(
    figure: Figure,
    experiments: Mapping[str, Experiment],
    summaries: Mapping[str, pd.DataFrame],
    estimator: str,
    outputs: Iterable[str | Path] = (),
    published: Mapping[str, Curves] | None = None,
) -> Drawing:
    """Draw a figure into `outputs`, whose suffixes give the formats, and return it.

    `published`: panel of the paper -> the points that its authors drew, to be shown as circles.
    """
    parts = []
    for panel in figure.panels:
        points, id = (published or {}).get(panel.drawn_as, {}), panel.experiment
        parts.append(Part(panel, experiments[id], summaries[id], estimator, points))
    with style.applied():
        drawing = diagrams.draw(figure) if figure.kind in diagrams.DIAGRAMS else panels.draw(figure, parts)
        style.save(drawing, outputs)
    return drawing


def make(
    figure: Figure,
    experiments: Sequence[Experiment],
    summaries: Sequence[str],
    published: Sequence[str],
    estimator: str,
    outputs: Sequence[str],
) -> None:
    """Draw a figure from the files of its experiments' summaries and of the points that its authors drew."""
    tables = {e.id: read_summary(file) for e, file in zip(experiments, summaries, strict=True)}
    points = {Path(file).stem: read_points(file) for file in published}
    draw(figure, {e.id: e for e in experiments}, tables, estimator, outputs, points)


def preview(pictures: Sequence[str | Path], output: str | Path, width: int = 672) -> None:
    """Place PNG pictures side by side, small enough for a page that shows all papers; `width`: pixels of each."""
    shown = [ImageOps.contain(Image.open(picture).convert("RGB"), (width, 4 * width)) for picture in pictures]
    together = Image.new("RGB", (sum(each.width for each in shown), max(each.height for each in shown)), "white")
    for place, each in enumerate(shown):
        together.paste(each, (place * each.width, (together.height - each.height) // 2))
    with written_whole(output) as file:
        together.save(file, format="png")

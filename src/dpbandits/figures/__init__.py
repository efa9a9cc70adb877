"""Figures from summaries, theorems and the authors' points, in one style."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib.figure import Figure as Drawing
from PIL import Image

from dpbandits.figures import diagrams, panels, style
from dpbandits.figures.bands import Part
from dpbandits.files import written_whole
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies.drawn_points import read as read_points
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Figure


def draw(figure: Figure, parts: Sequence[Part], outputs: Iterable[str | Path] = ()) -> Drawing:
    """Draw a figure from its panels and return it; the suffixes of `outputs` give the formats."""
    with style.applied():
        is_diagram = figure.kind in diagrams.DIAGRAMS
        drawing = diagrams.draw(figure) if is_diagram else panels.draw(figure, parts)
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
    """Draw a figure from files.

    Parameters
    ----------
    figure : Figure
        What is drawn.
    experiments : sequence of Experiment
        The experiments of its panels.
    summaries : sequence of path
        Their summaries, in the same order.
    published : sequence of path
        The points that the authors drew, a file for each panel.
    estimator : str
        `default` or `paper`: whose statistic is drawn.
    outputs : sequence of path
        The pictures; their suffixes give the formats.
    """
    numbers = {
        e.id: (e, read_summary(file)) for e, file in zip(experiments, summaries, strict=True)
    }
    points = {Path(file).stem: read_points(file) for file in published}
    parts = [
        Part(p, *numbers[p.experiment], estimator, points.get(p.drawn_as, {}))
        for p in figure.panels
    ]
    draw(figure, parts, outputs)


def preview(pictures: Sequence[str | Path], output: str | Path) -> None:
    """Place PNG pictures side by side as one picture of half their size."""
    images = [Image.open(picture).convert("RGB").reduce(2) for picture in pictures]
    widths, height = [image.width for image in images], max(image.height for image in images)
    together = Image.new("RGB", (sum(widths), height), "white")
    for place, image in enumerate(images):
        together.paste(image, (sum(widths[:place]), (height - image.height) // 2))
    with written_whole(output) as file:
        together.save(file, format="png")

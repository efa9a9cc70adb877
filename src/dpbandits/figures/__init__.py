"""Draws figures: one style, few kinds of chart, and only numbers that a summary has."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib.figure import Figure as Drawing
from matplotlib.image import imread

from dpbandits.figures import bars, contrasts, curves, diagrams, growth, screen, style
from dpbandits.files.traces import written_whole
from dpbandits.studies.study import Figure

DIAGRAMS = {"interaction_diagram": diagrams.interaction, "episodes_diagram": diagrams.episodes}
CURVES = ("curves", "grid")
CHARTS = {"growth": growth.panels, "bars": bars.panels, "contrasts": contrasts.panels}


def draw(
    figure: Figure,
    experiments: curves.Experiments,
    summaries: curves.Summaries,
    estimator: str,
    outputs: Iterable[str | Path],
    for_screen: tuple[str | Path, str | Path] | None = None,
    drawn: curves.Drawn | None = None,
) -> Drawing:
    """Draw a figure into `outputs`, whose suffixes give the formats, and return it.

    `for_screen`: picture and JSON for the report. `drawn`: the points that the authors drew, to be shown as circles.
    """
    style.use()
    if figure.kind in DIAGRAMS:
        drawing = DIAGRAMS[figure.kind](figure)
    elif figure.kind in CURVES:
        drawing = curves.panels(figure, experiments, summaries, estimator, drawn)
    else:
        drawing = CHARTS[figure.kind](figure, experiments, summaries, estimator)
    save(drawing, outputs, for_screen)
    return drawing


def save(
    drawing: Drawing, outputs: Iterable[str | Path], for_screen: tuple[str | Path, str | Path] | None = None
) -> None:
    """Lay out a drawing and write it into `outputs` and, for the report, as a picture and JSON."""
    style.simplify_ticks(drawing)
    style.lay_out(drawing)
    kinds = {output: Path(output).suffix[1:] for output in outputs}
    picture = style.pixels(drawing) if for_screen or "png" in kinds.values() else None
    for output, kind in kinds.items():
        with written_whole(output) as file:
            if kind == "png":
                picture.save(file, format="png", dpi=(style.DPI, style.DPI))
            else:
                drawing.savefig(file, format=kind, metadata=style.METADATA[kind])
    if for_screen:
        screen.save(drawing, picture, *for_screen)


def preview(pictures: Sequence[str | Path], output: str | Path, width: float = 5.6) -> None:
    """Place PNG pictures side by side, small enough for a page that shows all papers; `width`: inches of each."""
    shown = [imread(picture) for picture in pictures]
    height = max(picture.shape[0] / picture.shape[1] for picture in shown)
    drawing = style.new_figure(width * len(shown), width * height)
    axes = drawing.subplots(1, len(shown), squeeze=False)
    for ax, picture in zip(axes.flat, shown, strict=True):
        ax.imshow(picture, interpolation="lanczos")
        ax.axis("off")
    style.lay_out(drawing, dpi=120)
    with written_whole(output) as file:
        style.pixels(drawing, dpi=120).save(file, format="png")

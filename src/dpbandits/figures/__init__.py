"""Drawing. One style, few kinds of chart, and no number that is not in a summary already."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd

from dpbandits.figures import bars, contrasts, curves, diagrams, growth, screen, style
from dpbandits.papers import Experiment, Figure
from dpbandits.traces import written_whole

DIAGRAMS = {"interaction_diagram": diagrams.interaction, "episodes_diagram": diagrams.episodes}
CHARTS = {
    "curves": curves.panels,
    "grid": curves.panels,
    "growth": growth.panels,
    "bars": bars.panels,
    "contrasts": contrasts.panels,
}


def draw(
    figure: Figure,
    experiments: Mapping[str, Experiment],
    summaries: Mapping[str, pd.DataFrame],
    estimator: str,
    outputs: Iterable[str | Path],
    for_screen: tuple[str | Path, str | Path] | None = None,
) -> None:
    """Draw a figure into every one of `outputs`, whose endings say the format; for the report, also into two files."""
    style.use()
    if figure.kind in DIAGRAMS:
        drawing = DIAGRAMS[figure.kind](figure)
    else:
        drawing = CHARTS[figure.kind](figure, experiments, summaries, estimator)
    for output in outputs:
        with written_whole(output) as file:
            kind = Path(output).suffix[1:]
            drawing.savefig(file, format=kind, metadata=style.METADATA[kind])
    if for_screen:
        screen.save(drawing, *for_screen)
    plt.close(drawing)


def preview(pictures: Sequence[str | Path], output: str | Path) -> None:
    """PNG pictures side by side, small enough for a page that shows all papers."""
    shown = [plt.imread(picture) for picture in pictures]
    height = max(picture.shape[0] / picture.shape[1] for picture in shown)
    drawing, axes = plt.subplots(
        1, len(shown), figsize=(5.6 * len(shown), 5.6 * height), squeeze=False, layout="constrained"
    )
    for ax, picture in zip(axes.flat, shown, strict=True):
        ax.imshow(picture, interpolation="lanczos")
        ax.axis("off")
    with written_whole(output) as file:
        drawing.savefig(file, format="png", dpi=120, metadata=style.METADATA["png"])
    plt.close(drawing)

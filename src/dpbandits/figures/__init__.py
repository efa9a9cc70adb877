"""Drawing. One style, few kinds of chart, and no number that is not in a summary already."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd

from dpbandits.figures import bars, curves, diagrams, growth, style
from dpbandits.papers import Experiment, Figure
from dpbandits.traces import written_whole


def draw(
    figure: Figure,
    experiments: Mapping[str, Experiment],
    summaries: Mapping[str, pd.DataFrame],
    estimator: str,
    outputs: Iterable[str | Path],
) -> None:
    """Draw a figure into every one of `outputs`, whose endings say the format."""
    style.use()
    if figure.kind == "interaction_diagram":
        drawing = diagrams.interaction(figure)
    elif figure.kind == "growth":
        drawing = growth.panels(figure, experiments, summaries, estimator)
    elif figure.kind == "bars":
        drawing = bars.panels(figure, experiments, summaries, estimator)
    elif figure.kind == "episodes_diagram":
        drawing = diagrams.episodes(figure)
    else:
        drawing = curves.panels(figure, experiments, summaries, estimator)
    for output in outputs:
        with written_whole(output) as file:
            kind = Path(output).suffix[1:]
            drawing.savefig(file, format=kind, metadata=style.METADATA[kind])
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

"""Drawing. One style, few kinds of chart, and no number that is not in a summary already."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402
import pandas as pd  # noqa: E402

from dpbandits.figures import curves, diagrams, style  # noqa: E402
from dpbandits.papers import Experiment, Figure  # noqa: E402
from dpbandits.traces import written_whole  # noqa: E402


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
    else:
        drawing = curves.panels(figure, experiments, summaries, estimator)
    for output in outputs:
        with written_whole(output) as file:
            kind = Path(output).suffix[1:]
            drawing.savefig(file, format=kind, metadata=style.METADATA[kind])
    plt.close(drawing)

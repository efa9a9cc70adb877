"""Final values side by side: one bar per series of a panel; the first one, without hatch, is what the others are compared
with."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, style
from dpbandits.figures.curves import band, footnote, nash_band, shows_nash
from dpbandits.files.tables import Table
from dpbandits.studies.study import Experiment, Figure


def panels(
    figure: Figure,
    experiments: Mapping[str, Experiment],
    summaries: Mapping[str, Table],
    estimator: str,
) -> Drawing:
    """Draw all panels of a figure, row by row."""
    columns = min(figure.columns, len(figure.panels))
    rows = [figure.panels[i : i + columns] for i in range(0, len(figure.panels), columns)]
    heights = [0.8 + 0.28 * max(len(panel.series) for panel in row) for row in rows]
    drawing = style.new_figure(6.2 * columns, sum(heights) + 0.7)
    grid = drawing.add_gridspec(len(rows), columns, height_ratios=heights)
    for place, panel in enumerate(figure.panels):
        ax = drawing.add_subplot(grid[divmod(place, columns)])
        experiment, summary = experiments[panel.experiment], summaries[panel.experiment]
        ends = []
        for name in panel.series:
            last = summary.of(name).last()
            centre, lower, upper = nash_band(last) if shows_nash(panel) else band(last, experiment, estimator)
            ends.append(
                [
                    float(side[0])
                    for side in (centre, centre if lower is None else lower, centre if upper is None else upper)
                ]
            )
        centre, lower, upper = np.array(ends).T
        y = np.arange(len(centre))
        hues = [
            colours.looks([experiment.series[name]], experiment.series.values())[name].colour for name in panel.series
        ]
        hatches = ["", *["///"] * (len(y) - 1)]
        whiskers = {"capsize": 2, "ecolor": style.ERROR_BARS}
        sides = [centre - lower, upper - centre]
        ax.barh(y, centre, xerr=sides, color=hues, hatch=hatches, edgecolor="white", height=0.65, error_kw=whiskers)
        for position, value, end in zip(y, centre, upper, strict=True):
            ax.annotate(
                f"{value:.3g}", (end, position), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
            )
        ax.set_yticks(y, [experiment.series[name].label for name in panel.series])
        ax.set(title=panel.title, xlabel=panel.y["label"], xlim=(0, 1.15 * upper.max()))
        ax.invert_yaxis()
        ax.grid(False, axis="y")
    if figure.title:
        drawing.suptitle(figure.title, fontsize=11)
    note = footnote(figure, experiments, estimator).replace("line:", "bar:").replace("band:", "whisker:")
    drawing.supxlabel(note, fontsize=7, color="0.35", x=0.01, ha="left")
    return drawing

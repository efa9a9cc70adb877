"""Final regret against the length of the game: panels of the same title are the points on one pair of axes."""

import numpy as np
from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, style
from dpbandits.figures.curves import Experiments, Summaries, band, footnote, lengths
from dpbandits.files.tables import Table
from dpbandits.studies.study import Figure

GUIDES = {"$T^{1/2}$": (1 / 2, ":"), "$T^{2/3}$": (2 / 3, "-.")}


def panels(figure: Figure, experiments: Experiments, summaries: Summaries, estimator: str) -> Drawing:
    """Draw one pair of logarithmic axes per title, with grey lines of known slope for comparison."""
    titles = list(dict.fromkeys(panel.title for panel in figure.panels))
    width, height = style.PANEL
    drawing = style.new_figure(width * len(titles), height + 0.35)
    axes = drawing.subplots(1, len(titles), squeeze=False)
    for title, ax in zip(titles, axes.flat, strict=True):
        on_axes = [panel for panel in figure.panels if panel.title == title]
        experiment = experiments[on_axes[0].experiment]
        highest, looks = 0.0, colours.of_panel(on_axes[0], experiment)
        for name in on_axes[0].series:
            rows = Table.joined([summaries[panel.experiment].of(name).last() for panel in on_axes])
            t, sides = rows["t"], band(rows, on_axes[0], experiment, estimator)
            centre = sides[0]
            highest = max(highest, centre.max())
            ax.errorbar(
                t,
                centre,
                yerr=lengths(sides),
                label=experiment.series[name].label,
                markersize=4.5,
                capsize=2.5,
                **looks[name].line,
            )
        for label, (slope, dashes) in GUIDES.items():
            ax.plot(t, 1.6 * highest * (t / t[-1]) ** slope, color="0.5", linestyle=dashes, linewidth=1, label=label)
        ax.set(xscale="log", yscale="log", title=title, xlabel=on_axes[0].x["label"], ylabel=on_axes[0].y["label"])
        ax.set_xticks(t, [f"$2^{{{round(np.log2(each))}}}$" for each in t])
        ax.minorticks_off()
        ax.legend(loc="best", framealpha=0.85)
    style.annotate(drawing, figure.title, footnote(figure, experiments, estimator))
    return drawing

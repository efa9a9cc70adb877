"""Final values as points with error bars, in groups along the x axis: by setting, by a parameter, or by the length of the game.

Panels of the same title share a pair of axes. A panel is one group, named by its `group`; with `along`, it is one group per
value of that parameter.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, style
from dpbandits.figures.bands import Experiments, Summaries, footnote, with_band
from dpbandits.figures.curves import in_other_reading, label, make_room, title_of
from dpbandits.studies.study import Figure, Panel

WIDTH = 0.6  # of a group, of the space between two
SLOPES = {"$T^{1/2}$": (1 / 2, ":"), "$T^{2/3}$": (2 / 3, "-.")}


def draw(figure: Figure, experiments: Experiments, summaries: Summaries, estimator: str) -> Drawing:
    """Draw all pairs of axes in a row, each above its legend."""
    titles = list(dict.fromkeys(panel.title for panel in figure.panels))
    width, height = style.PANEL
    drawing = style.new_figure(width * len(titles), height + 1.1)
    axes = drawing.subplots(1, len(titles), squeeze=False, sharey=True)
    for place, (title, ax) in enumerate(zip(titles, axes.flat, strict=True)):
        panels, looks = [panel for panel in figure.panels if panel.title == title], {}
        for panel in panels:
            looks |= colours.of_panel(panel, experiments[panel.experiment])
        points = pd.concat([_points(panel, experiments, summaries, estimator) for panel in panels])
        _draw_points(ax, points, looks, panels[0])
        for panel in panels:
            other = in_other_reading(panel, experiments[panel.experiment])
            make_room(ax, _points(other, experiments, summaries, estimator).assign(x=0))
        ax.set_title(title_of(figure, place, title))
        style.legend_below(ax, width)
    style.annotate(drawing, figure.title, footnote(figure, experiments, estimator, words=("point", "error bar")))
    return drawing


def _points(panel: Panel, experiments: Experiments, summaries: Summaries, estimator: str) -> pd.DataFrame:
    """One row per series of a panel: its final values, its group, and its label."""
    experiment, summary = experiments[panel.experiment], summaries[panel.experiment]
    shown = [experiment.series[name] for name in panel.series]
    rows = summary.groupby("policy").tail(1).set_index("policy").loc[list(panel.series)].reset_index()
    groups = [panel.group + (f"{series.parameters[panel.along]:g}" if panel.along else "") for series in shown]
    return with_band(rows, panel, experiment, estimator).assign(
        group=groups, label=[label(panel, series) for series in shown]
    )


def _draw_points(ax: Axes, points: pd.DataFrame, looks: dict[str, colours.Look], panel: Panel) -> None:
    groups, labels = points["group"].unique().tolist(), points["label"].unique().tolist()
    offsets = dict(zip(labels, np.linspace(-WIDTH / 2, WIDTH / 2, len(labels) + 2)[1:-1], strict=True))
    for name, rows in points.groupby("label", sort=False):
        look = looks[rows["policy"].iloc[0]]
        x = [groups.index(group) + offsets[name] for group in rows["group"]]
        shown = {"color": look.colour, "gid": rows["policy"].iloc[0], "linestyle": "none"}
        sides = [rows["centre"] - rows["lower"], rows["upper"] - rows["centre"]]
        ax.errorbar(x, rows["centre"], sides, capsize=2.5, marker=look.marker, markersize=5, label=name, **shown)
    if points["t"].nunique() > 1:  # games of different lengths: grey lines show how fast regret grows
        t = points.groupby("group", sort=False)["t"].first()
        for name, (slope, dashes) in SLOPES.items():
            line = 1.6 * points["centre"].max() * (t / t.max()) ** slope
            ax.plot(range(len(t)), line, label=name, color="0.5", linestyle=dashes, linewidth=1)
    if panel.baseline:
        ax.axhline(panel.baseline, color="0.3", linewidth=0.8)
    ax.set(xlabel=panel.x.label, ylabel=panel.y.label, yscale=panel.y.scale)
    ax.set(xticks=range(len(groups)), xticklabels=groups, xlim=(-0.5, len(groups) - 0.5))
    ax.label_outer()
    ax.grid(False, axis="x")

"""Final values as points with error bars, in groups along the x axis.

A group is a setting, a value of a parameter, or the length of a game. A panel is one group, named
by its `group`. With `along`, it is one group for each value of that parameter.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dpbandits.figures.bands import Part, Remark

WORDS = "point", "error bar", "open"
MARK = {"markersize": 5, "linestyle": "none"}
WIDTH = 0.6  # of a group, of the space between two
EMPTY = "no error bar on a side where all runs are equal"
SLOPES = {"$T^{1/2}$": (1 / 2, ":"), "$T^{2/3}$": (2 / 3, "-.")}


def values(part: Part) -> pd.DataFrame:
    """One row per series of a panel: its final values, its group, and its label."""
    panel = part.panel
    rows = (
        part.summary.groupby("policy").tail(1).set_index("policy").loc[panel.series].reset_index()
    )
    parameters = [part.experiment.series[id].parameters for id in panel.series]
    groups = [
        panel.group + (f"{values[panel.along]:g}" if panel.along else "") for values in parameters
    ]
    labels = [part.label(id) for id in panel.series]
    return part.with_band(rows.assign(x=0, group=groups, label=labels), by="policy")


def draw(ax: Axes, parts: list[Part]) -> list[Remark]:
    """Draw the points of panels that share their axes; return the footnote's remarks."""
    points, panel = pd.concat(map(values, parts)), parts[0].panel
    looks = {id: look for part in parts for id, look in part.looks.items()}
    groups, labels = points["group"].unique().tolist(), points["label"].unique().tolist()
    offsets = dict(
        zip(labels, np.linspace(-WIDTH / 2, WIDTH / 2, len(labels) + 2)[1:-1], strict=True)
    )
    points["x"] = points["group"].map(groups.index) + points["label"].map(offsets)
    for name, rows in points.groupby("label", sort=False):
        first = rows["policy"].iloc[0]
        look = {"color": looks[first].colour, "marker": looks[first].marker, "gid": first}
        sides = [rows["centre"] - rows["lower"], rows["upper"] - rows["centre"]]
        bars = ax.errorbar(rows["x"], rows["centre"], sides, capsize=2.5, **MARK, **look)
        bars[0].set_label(name)  # the legend has the marker alone, since bars would hide it
        if rows["beside"].notna().any():
            ax.plot(rows["x"], rows["beside"], markerfacecolor="none", **MARK, **look)
    if points["t"].nunique() > 1:  # grey lines show how fast regret grows with the length of games
        t = points.groupby("group", sort=False)["t"].first()
        for name, (slope, dashes) in SLOPES.items():
            line = 1.6 * points["centre"].max() * (t / t.max()) ** slope
            ax.plot(range(len(t)), line, label=name, color="0.5", linestyle=dashes, linewidth=1)
    if panel.baseline:
        ax.axhline(panel.baseline, color="0.3", linewidth=0.8)
    is_left = ax.get_subplotspec().is_first_col()
    ax.set(xlabel=panel.x.label, ylabel=panel.y.label if is_left else "", yscale=panel.y.scale)
    ax.tick_params(labelleft=is_left)
    ax.set(xticks=range(len(groups)), xticklabels=groups, xlim=(-0.5, len(groups) - 0.5))
    ax.grid(False, axis="x")
    is_empty = points[["lower", "upper"]].eq(points["centre"], axis=0).any(axis=None)
    return parts[0].remarks_beside(WORDS[2], points) + ([(EMPTY, "")] if is_empty else [])

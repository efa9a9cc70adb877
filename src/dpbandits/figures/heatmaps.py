"""Heat maps by seaborn: numbers in coloured cells, and which policy wins in each cell."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.lines import Line2D

from dpbandits.figures.colours import Look
from dpbandits.tables import number

COLOURS = "mako_r"
MARK = {"linestyle": "none", "markersize": 6.5, "markeredgewidth": 1.2}


def numbers(ax: Axes, table: pd.DataFrame, norm: LogNorm) -> None:
    """Draw one cell for each value with its number; nan is empty. Columns are named above."""
    cells = table.map(lambda value: number(value, digits=2))
    text = {"annot": cells, "annot_kws": {"fontsize": 5}}
    _heatmap(ax, table, fontsize=7, norm=norm, cmap=COLOURS, linewidths=0.4, **text)
    for cell in ax.texts:
        cell.set_in_layout(False)  # thousands of cells within the axes need no place of their own
    ax.tick_params(axis="x", labeltop=True, labelbottom=False)
    for label in ax.get_xticklabels():
        label.set(rotation=45, ha="left", rotation_mode="anchor")


def names(ax: Axes, table: pd.DataFrame, colours: Mapping[str, str], **options: Any) -> None:
    """Colour every cell by the name in it; other names have no colour.

    `options`: of seaborn.heatmap, and the font size of labels.
    """
    places = table.map(lambda name: list(colours).index(name) if name in colours else np.nan)
    palette = ListedColormap(list(colours.values()))
    _heatmap(ax, places, cmap=palette, vmin=-0.5, vmax=len(colours) - 0.5, **options)


def winners(
    ax: Axes, best: pd.DataFrame, close: pd.DataFrame, looks: Mapping[str, Look]
) -> dict[str, Line2D]:
    """Colour and mark every cell by its winner; return the legend's handles.

    The marker is open where the second policy is `close`.
    """
    won = [name for name in looks if name in set(best.to_numpy().ravel())]
    names(ax, best, {name: looks[name].colour for name in won}, linewidths=1)
    for (i, j), name in np.ndenumerate(best.to_numpy()):
        if name in won:
            face = "none" if close.iloc[i, j] else "white"
            ax.plot(
                j + 0.5,
                i + 0.5,
                marker=looks[name].marker,
                color="white",
                markerfacecolor=face,
                **MARK,
            )
    return {
        name: Line2D([], [], marker=looks[name].marker, color=looks[name].colour, **MARK)
        for name in won
    }


def _heatmap(ax: Axes, table: pd.DataFrame, fontsize: float | None = None, **options: Any) -> None:
    """Draw seaborn's heat map with labels of our own.

    For labels of its own, seaborn would draw the whole figure to see whether they overlap.
    """
    sns.heatmap(table, cbar=False, xticklabels=False, yticklabels=False, fmt="", ax=ax, **options)
    ax.set_xticks(np.arange(len(table.columns)) + 0.5, table.columns, fontsize=fontsize)
    ax.set_yticks(np.arange(len(table)) + 0.5, table.index, fontsize=fontsize)
    ax.set(xlabel="", ylabel="")
    ax.grid(False)

"""Matrices of coloured cells with a number in each: scores on a logarithmic scale, and differences on either side of one."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LogNorm, Normalize
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from dpbandits.figures import style

MISSING = "0.93"
FAINT = "0.55"
# A cell is within its axes, so that the layout need not ask for the place of each of thousands.
IN_CELL = {"in_layout": False}


def coloured(
    ax: Axes,
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    norm: Normalize,
    colours: Colormap,
    *,
    headings: Mapping[int, str] | None = None,
    faint: Sequence[int] = (),
    hatched: np.ndarray | None = None,
    empty: str = "",
    fontsize: float = 6.5,
) -> None:
    """One cell per value, with its number; nan is an empty cell, with the text `empty`.

    `headings`: row -> a line of text in place of cells. `faint`: rows without colour. `hatched`: cells with a hatch.
    """
    headings = headings or {}
    text = {"ha": "center", "va": "center", "fontsize": fontsize, **IN_CELL}
    for i in range(len(rows)):
        if i in headings:
            ax.text(-0.45, i + 0.25, headings[i], fontsize=fontsize + 0.5, va="center", color="0.25", **style.BOLD)
            continue
        for j in range(len(columns)):
            value = values[i, j]
            if np.isnan(value):
                ax.add_patch(Rectangle(**cell(i, j), facecolor="white", edgecolor=MISSING))
                ax.text(j, i, empty, **text, color=FAINT)
                continue
            face = (1.0, 1.0, 1.0, 1.0) if i in faint else colours(norm(value))
            hatch = "////" if hatched is not None and hatched[i, j] else None
            edge = FAINT if hatch else "white"
            ax.add_patch(Rectangle(**cell(i, j), facecolor=face, edgecolor=edge, hatch=hatch))
            dark = 0.3 * face[0] + 0.59 * face[1] + 0.11 * face[2] < 0.5
            ink = FAINT if i in faint else "white" if dark else "0.1"
            ax.text(j, i, number(value), **text, color=ink)
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor", fontsize=fontsize + 1)
    ax.set_yticks(range(len(rows)), rows, fontsize=fontsize + 0.5)
    for i, tick in enumerate(ax.get_yticklabels()):
        tick.set_color(FAINT if i in faint else "0.15")
    ax.grid(False)
    for side in ax.spines.values():
        side.set_visible(False)


def cell(i: int, j: int) -> dict[str, Any]:
    """The frame of the cell in row i and column j."""
    return {"xy": (j - 0.5, i - 0.5), "width": 1, "height": 1, "linewidth": 0.4, **IN_CELL}


def number(value: float) -> str:
    """Two digits, and whole numbers from ten on: 0.53, 2.1, 140."""
    return f"{value:,.0f}" if value >= 9.95 else f"{value:.2g}" if value < 0.995 else f"{value:.1f}"


def colour_bar(drawing: Drawing, axes: Sequence[Axes], norm: Normalize, colours: Colormap, label: str) -> None:
    """The scale of the colours, beside these axes."""
    bar = drawing.colorbar(ScalarMappable(norm, colours), ax=list(axes), shrink=0.4, aspect=30, pad=0.01)
    bar.set_label(label, fontsize=8)
    bar.outline.set_visible(False)


def logarithmic(values: np.ndarray, least: float, most: float) -> LogNorm:
    """A logarithmic scale over all finite values, within these limits."""
    finite = values[np.isfinite(values)]
    return LogNorm(max(least, float(finite.min())), min(most, float(finite.max())), clip=True)

"""The panels of a figure: a grid of axes, titles, legends and a footnote.

`curves` and `points` fill the axes.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing
from matplotlib.gridspec import SubplotSpec

from dpbandits.figures import colours, curves, points, style
from dpbandits.figures.bands import Part, footnote
from dpbandits.studies.model import Figure

PANEL = (4.6, 3.4)  # inches
WIDEST = 3 * PANEL[0]  # of a figure: in more than three columns, panels are narrower
FOOTNOTE = 0.35  # inches
LEGEND = {"handlelength": 3.5}
WIDTH, SPACE = 0.85, 0.15  # of a legend: the most of its place; inches around it


def draw(figure: Figure, parts: Sequence[Part]) -> Drawing:
    """Draw all panels, row by row, each with a legend, or with one legend below all of them.

    Points of one title share their axes.
    """
    chart = points if figure.kind == "points" else curves
    shared: dict[str | int, list[Part]] = {}
    for place, part in enumerate(parts):
        shared.setdefault(part.panel.title if chart is points else place, []).append(part)
    columns = min(len(shared), figure.columns)
    lines, width = math.ceil(len(shared) / columns), min(columns * PANEL[0], WIDEST)
    drawing = Drawing(figsize=(width, lines * PANEL[1]))
    FigureCanvasAgg(drawing)  # without it, each measured legend would take a new canvas
    is_common = _is_common([_entries(together) for together in shared.values()])
    grid = drawing.add_gridspec(lines + is_common, columns)
    further, ax = [], None
    for place, together in enumerate(shared.values()):
        ax = drawing.add_subplot(
            grid[divmod(place, columns)], sharey=ax if chart is points else None
        )
        further += chart.draw(ax, together)
        # Both readings have the same axes, so that they can be compared.
        for part in together:
            values = chart.values(part.in_other_reading())
            for side in ("lower", "centre", "upper", "beside"):
                ax.update_datalim(values[["x", side]])
            ax.autoscale_view()
        title = together[0].panel.title
        has_letter = not figure.ours and len(shared) > 1
        ax.set_title(f"({ascii_lowercase[place]}) {title}" if has_letter else title)
    own, common = _legends(drawing, grid[lines, :] if is_common else None, width / columns)
    grid.set_height_ratios([PANEL[1] + own] * lines + [common] * is_common)
    drawing.set_figheight(lines * (PANEL[1] + own) + common + FOOTNOTE)
    if figure.title and (len(shared) > 1 or chart is points):  # a panel of curves has its own title
        drawing.suptitle(figure.title, fontsize=11)
    style.annotate(drawing, footnote(parts, figure.reading_name, chart.WORDS, further))
    return drawing


def _entries(parts: Sequence[Part]) -> dict[str, str | colours.Look]:
    """The label of every curve -> its look; the look of a bound is its name."""
    labels = {part.label(id): look for part in parts for id, look in part.looks.items()}
    return labels | {name: name for part in parts for name in part.panel.overlay}


def _is_common(panels: Sequence[Mapping[str, str | colours.Look]]) -> bool:
    """Whether there is one legend for all panels.

    It needs one look for each label, and at most half as many legends as panels.
    """
    different = {tuple(entries.items()) for entries in panels}
    pairs = set().union(*different)
    names, looks = map(set, zip(*pairs, strict=True))
    return 2 * len(different) <= len(panels) and len(pairs) == len(names) == len(looks)


def _legends(drawing: Drawing, below: SubplotSpec | None, width: float) -> tuple[float, float]:
    """Draw a legend below each panel, or one of all curves in the place `below`.

    `width`: of a panel in inches. Return the heights, in inches, of the highest legend of a panel
    and of the common one.
    """
    entries = {ax: ax.get_legend_handles_labels() for ax in drawing.axes}
    if below:
        handles = {
            label: handle for own in entries.values() for handle, label in zip(*own, strict=True)
        }
        ax = drawing.add_subplot(below)
        ax.axis("off")
        entries = (handles.values(), handles)
        return 0, _legend(ax, entries, drawing.get_figwidth(), loc="center")
    heights = []
    for ax, own in entries.items():
        anchor = (0.5, -0.17 if ax.get_xlabel() else -0.08)
        heights.append(_legend(ax, own, width, loc="upper center", bbox_to_anchor=anchor))
    return max(heights), 0


def _legend(ax: Axes, entries: tuple[Iterable, Collection], width: float, **where: Any) -> float:
    """Draw the legend with the fewest rows that fit the width; return its height in inches."""
    number, dpi = max(1, len(entries[1])), ax.figure.dpi
    for rows in range(1, number + 1):
        legend = ax.legend(*entries, ncols=math.ceil(number / rows), **LEGEND, **where)
        size = legend.get_window_extent()
        if size.width <= WIDTH * width * dpi:
            break
    return size.height / dpi + SPACE

"""The panels of a figure: a grid of axes, titles, legends and a footnote.

`curves` and `points` fill the axes.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase

from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, curves, points, style
from dpbandits.figures.bands import Part, footnote
from dpbandits.studies.model import Figure

PANEL = (4.6, 3.4)  # inches
WIDEST = 3 * PANEL[0]  # of a figure: in more than three columns, panels are narrower
LINE, HANDLE, LETTER = 0.2, 0.75, 0.067  # inches in a legend: height, widths
LEGEND = {"handlelength": 3.5}


def draw(figure: Figure, parts: Sequence[Part]) -> Drawing:
    """Draw all panels, row by row, each with a legend, or with one legend below all of them.

    Points of one title share their axes.
    """
    chart = points if figure.kind == "points" else curves
    shared: dict[str | int, list[Part]] = {}
    for place, part in enumerate(parts):
        shared.setdefault(part.panel.title if chart is points else place, []).append(part)
    columns = min(len(shared), figure.columns)
    lines = math.ceil(len(shared) / columns)
    width, height = min(columns * PANEL[0], WIDEST), PANEL[1]
    entries = [_entries(together) for together in shared.values()]
    common = _common(entries)
    ncols, common_height = size_of_legend(common, width) if common else (0, 0)
    own_height = (
        0 if common else max(size_of_legend(names, width / columns)[1] for names in entries)
    )
    drawing = Drawing(figsize=(width, lines * (height + own_height) + common_height + 0.35))
    heights = [height] * lines + [common_height] * bool(common)
    grid = drawing.add_gridspec(len(heights), columns, height_ratios=heights)
    further, handles, ax = [], {}, None
    for place, together in enumerate(shared.values()):
        ax = drawing.add_subplot(
            grid[divmod(place, columns)], sharey=ax if chart is points else None
        )
        further += chart.draw(ax, together)
        # Both readings have the same axes, so that they can be compared.
        for part in together:
            values = chart.values(part.in_other_reading())
            for side in ("lower", "centre", "upper"):
                ax.update_datalim(values[["x", side]])
            ax.autoscale_view()
        title = together[0].panel.title
        has_letter = not figure.ours and len(shared) > 1
        ax.set_title(f"({ascii_lowercase[place]}) {title}" if has_letter else title)
        own, labels = ax.get_legend_handles_labels()
        handles |= dict(zip(labels, own, strict=True))
        if not common:
            anchor = (0.5, -0.17 if ax.get_xlabel() else -0.08)
            own_ncols = size_of_legend(labels, width / columns)[0]
            ax.legend(loc="upper center", bbox_to_anchor=anchor, ncols=own_ncols, **LEGEND)
    if common:
        below = drawing.add_subplot(grid[lines, :])
        below.axis("off")
        below.legend(handles.values(), handles, loc="center", ncols=ncols, **LEGEND)
    if figure.title and (len(shared) > 1 or chart is points):  # a panel of curves has its own title
        drawing.suptitle(figure.title, fontsize=11)
    style.annotate(drawing, footnote(parts, figure.reading_name, chart.WORDS, further))
    return drawing


def _entries(parts: Sequence[Part]) -> dict[str, str | colours.Look]:
    """The label of every curve -> its look; the look of a bound is its name."""
    labels = {part.label(id): look for part in parts for id, look in part.looks.items()}
    return labels | {name: name for part in parts for name in part.panel.overlay}


def _common(panels: Sequence[Mapping[str, str | colours.Look]]) -> list[str]:
    """The labels of one legend for all panels; empty if each panel needs its own.

    A common legend needs one look for each label, and at most half as many legends as panels.
    """
    different = {tuple(entries.items()) for entries in panels}
    pairs = set().union(*different)
    names, looks = map(set, zip(*pairs, strict=True))
    is_common = 2 * len(different) <= len(panels) and len(pairs) == len(names) == len(looks)
    return list(dict.fromkeys(name for entries in panels for name in entries)) if is_common else []


def size_of_legend(labels: Collection[str], width: float) -> tuple[int, float]:
    """Columns and height in inches of a legend with the fewest and fullest rows of this width."""
    fitting = max(1, int(width / (HANDLE + LETTER * max(map(len, labels)))))
    rows = math.ceil(len(labels) / fitting)
    return math.ceil(len(labels) / rows), LINE * (rows + 1)

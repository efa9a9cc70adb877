"""Lays out the panels of a figure: a grid of axes, titles, legends and a footnote. `curves` and `points` fill the axes."""

import math
from collections.abc import Mapping, Sequence
from string import ascii_lowercase

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from dpbandits.figures import bands, colours, curves, points, style
from dpbandits.figures.bands import Part
from dpbandits.studies.experiment import is_of_the_paper
from dpbandits.studies.model import Figure
from dpbandits.studies.published import Curves


def draw(
    figure: Figure,
    experiments: bands.Experiments,
    summaries: Mapping[str, pd.DataFrame],
    estimator: str,
    published: Mapping[str, Curves],
) -> Drawing:
    """Draw all panels, row by row, each with a legend, or with one below all of them. Points of one title share their axes."""
    chart = points if figure.kind == "points" else curves
    shared: dict[str | int, list[Part]] = {}
    for place, panel in enumerate(figure.panels):
        experiment = experiments[panel.experiment]
        rows = bands.with_band(summaries[panel.experiment], panel, experiment, estimator)
        part = Part(panel, experiment, rows, estimator, published.get(panel.drawn_as, {}))
        shared.setdefault(panel.title if chart is points else place, []).append(part)
    columns = min(len(shared), figure.columns)
    lines = math.ceil(len(shared) / columns)
    width, height = min(columns * style.PANEL[0], style.WIDEST), style.PANEL[1]
    entries = [_entries(parts) for parts in shared.values()]
    common = _common(entries)
    ncols, common_height = style.size_of_legend(common, width) if common else (0, 0)
    own_height = 0 if common else max(style.size_of_legend(list(names), width / columns)[1] for names in entries)
    drawing = style.new_figure(width, lines * (height + own_height) + common_height + 0.35)
    heights = [height] * lines + [common_height] * bool(common)
    grid = drawing.add_gridspec(len(heights), columns, height_ratios=heights)
    further, handles, ax = [], {}, None
    for place, parts in enumerate(shared.values()):
        ax = drawing.add_subplot(grid[divmod(place, columns)], sharey=ax if chart is points else None)
        further += chart.draw(ax, parts)
        for part in parts:
            _make_room(ax, chart.values(part.in_other_reading()))
        title = parts[0].panel.title
        has_letter = is_of_the_paper(figure.name) and len(shared) > 1
        ax.set_title(f"({ascii_lowercase[place]}) {title}" if has_letter else title)
        handles |= dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
        if not common:
            style.legend_below(ax, width / columns)
    if common:
        below = drawing.add_subplot(grid[lines, :])
        below.axis("off")
        below.legend(handles.values(), handles, loc="center", ncols=ncols, **style.LEGEND)
    title = figure.title if len(shared) > 1 or chart is points else ""  # a panel has its own
    style.annotate(drawing, title, bands.footnote(figure, experiments, estimator, chart.WORDS, further))
    return drawing


def _entries(parts: Sequence[Part]) -> dict[str, str | colours.Look]:
    """The label of every curve -> its look; a bound has none but its name."""
    labels = {part.label(id): look for part in parts for id, look in part.looks.items()}
    return labels | {name: name for part in parts for name in part.panel.overlay}


def _common(panels: Sequence[Mapping[str, str | colours.Look]]) -> list[str]:
    """The labels of one legend for all panels, if at most half of their legends are distinct and each label has one look; else none."""
    different = {tuple(entries.items()) for entries in panels}
    pairs = {pair for entries in different for pair in entries}
    many = 2 * len(different) <= len(panels)
    clear = len(pairs) == len({name for name, _ in pairs}) == len({look for _, look in pairs})
    return list(dict.fromkeys(name for entries in panels for name in entries)) if many and clear else []


def _make_room(ax: Axes, values: pd.DataFrame) -> None:
    """Let the axes reach as far as these values of the other reading, so that both can be compared."""
    for side in ("lower", "centre", "upper"):
        ax.update_datalim(values[["x", side]])
    ax.autoscale_view()

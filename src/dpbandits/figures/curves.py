"""Curves with bands: regret against time, or at T against a parameter; bounds as thin lines, the authors' points as circles."""

import math
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, style
from dpbandits.figures.bands import Experiments, Summaries, footnote, further_statistics, with_band
from dpbandits.studies.model import is_of_the_paper
from dpbandits.studies.published import ID_IN_SVG, Curves
from dpbandits.studies.study import Experiment, Figure, Panel, Series

CIRCLE = {"linestyle": "none", "marker": "o", "markersize": 4.8, "markerfacecolor": "none", "markeredgewidth": 0.8}
CIRCLES = 22  # about so many for a curve that the authors drew
MANY = 15  # points: of a sweep with more, not each has a marker
PLACES = 200  # points of a curve over time; more cannot be told apart
MEDIAN = {"linewidth": 0.8, "linestyle": (0, (1, 1))}
OTHER = {"linewidth": 0.9, "linestyle": (0, (6, 1.5, 1, 1.5, 1, 1.5))}


def draw(
    figure: Figure, experiments: Experiments, summaries: Summaries, estimator: str, published: Mapping[str, Curves]
) -> Drawing:
    """Draw all panels, row by row, each with a legend, or with one below all of them."""
    columns = min(figure.columns, len(figure.panels))
    rows = math.ceil(len(figure.panels) / columns)
    width, height = min(columns * style.PANEL[0], style.WIDEST), style.PANEL[1]
    entries = [_entries(panel, experiments[panel.experiment]) for panel in figure.panels]
    common = _common(entries)
    ncols, of_all = style.size_of_legend(common, width) if common else (0, 0)
    of_each = 0 if common else max(style.size_of_legend(names, width / columns)[1] for names in entries)
    drawing = style.new_figure(width, rows * (height + of_each) + of_all + 0.35)
    grid = drawing.add_gridspec(rows + bool(common), columns, height_ratios=[height] * rows + [of_all] * bool(common))
    further, handles = [], {}
    for place, panel in enumerate(figure.panels):
        ax = drawing.add_subplot(grid[divmod(place, columns)])
        experiment = experiments[panel.experiment]
        further += _panel(ax, panel, experiment, summaries[panel.experiment], estimator)
        ax.set_title(title_of(figure, place, panel.title))
        handles |= dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
        if not common:
            style.legend_below(ax, width / columns)
        if points := published.get(panel.drawn_as):
            _circles(ax, panel, experiment, points)
            further.append("circles: drawn by the authors")
    if common:
        below = drawing.add_subplot(grid[rows, :])
        below.axis("off")
        below.legend(handles.values(), handles, loc="center", ncols=ncols, **style.LEGEND)
    title = figure.title if len(figure.panels) > 1 else ""  # a panel has its own
    style.annotate(drawing, title, footnote(figure, experiments, estimator, further))
    return drawing


def _entries(panel: Panel, experiment: Experiment) -> dict[str, Any]:
    """The label of every curve -> its look; a bound has none but its name."""
    looks = colours.of_panel(panel, experiment)
    curves = {label(panel, experiment.series[name]): look for name, look in looks.items()}
    return {**curves, **{name: name for name in panel.overlay}}


def _common(panels: Sequence[Mapping[str, Any]]) -> list[str]:
    """The labels of one legend for all panels, if at most half of their legends are distinct and each label has one look; else none."""
    different = {tuple(entries.items()) for entries in panels}
    pairs = {pair for entries in different for pair in entries}
    many = 2 * len(different) <= len(panels)
    clear = len(pairs) == len({name for name, _ in pairs}) == len({look for _, look in pairs})
    return list(dict.fromkeys(name for entries in panels for name in entries)) if many and clear else []


def label(panel: Panel, series: Series) -> str:
    """The name of a series in a panel's legend."""
    return panel.labels.get(series.id, series.label)


def title_of(figure: Figure, place: int, title: str) -> str:
    """The title of a panel, with its letter if it is one of several of the paper's own."""
    return f"({ascii_lowercase[place]}) {title}" if is_of_the_paper(figure.name) and len(figure.panels) > 1 else title


def _panel(ax: Axes, panel: Panel, experiment: Experiment, summary: pd.DataFrame, estimator: str) -> list[str]:
    """Draw the curves and bounds of a panel, and return the footnote's words for what else it shows."""
    if panel.along:  # bounds lie below the curves, and precede them in the legend
        _bounds(ax, panel, experiment)
    looks, further = colours.of_panel(panel, experiment), []
    for order, (name, series, rows) in enumerate(_curves(panel, experiment, summary, estimator)):
        few = panel.along and len(rows) <= MANY
        # Elsewhere about six along the line, at other places than those of other lines.
        markers = {"markersize": 3} if few else {"markersize": 4.5, "markevery": (0.03 + 0.02 * (order % 6), 0.14)}
        ax.plot(rows["x"], rows["centre"], label=label(panel, series), gid=name, **markers, **looks[series.id].line)
        shown = {"color": looks[series.id].colour, "gid": name}
        if rows["lower"].notna().any():
            ax.fill_between(rows["x"], rows["lower"], rows["upper"], alpha=0.18, linewidth=0, **shown)
        found = further_statistics(rows, panel, estimator)
        for column in found:
            ax.plot(rows["x"], rows[column], **shown, **(MEDIAN if column == "median" else OTHER))
        further += found.values()
    for _, _, rows in _curves(in_other_reading(panel, experiment), experiment, summary, estimator):
        make_room(ax, rows)
    if not panel.along:
        _bounds(ax, panel, experiment)
    for axis, settings in (("x", panel.x), ("y", panel.y)):
        ax.set(**{f"{axis}label": settings.label, f"{axis}scale": settings.scale})
        if settings.limits:
            ax.set(**{f"{axis}lim": settings.limits})
    if panel.x.scale == "log" and not panel.along:  # all panels begin at the same round, though curves may be 0 there
        ax.set_xlim(left=max(panel.x.least or 1, summary["t"].min()))
    return further


def in_other_reading(panel: Panel, experiment: Experiment) -> Panel:
    """The panel with those series that the other reading has in place of some of its own."""
    names = {experiment.series[id].name for id in panel.series}
    others = [s.id for s in experiment.series.values() if s.name in names and s.id not in panel.series]
    return panel.model_copy(update={"series": others})


def make_room(ax: Axes, rows: pd.DataFrame) -> None:
    """Let the axes reach as far as these rows of the other reading, so that both can be compared."""
    for side in ("lower", "centre", "upper"):
        ax.update_datalim(rows[["x", side]])
    ax.autoscale_view()


def _curves(
    panel: Panel, experiment: Experiment, summary: pd.DataFrame, estimator: str
) -> Iterator[tuple[str, Series, pd.DataFrame]]:
    """(id, series, rows with x, line and band) of every curve; one along a parameter has a policy's id and its first series."""
    rows_of, curves = dict(list(summary.groupby("policy"))), {}
    for id in panel.series:
        series = experiment.series[id]
        curves.setdefault(series.policy if panel.along else id, []).append(series)
    for name, points in curves.items():
        if panel.along:
            points.sort(key=lambda series: series.parameters[panel.along])
            rows = pd.concat([rows_of[series.id].tail(1) for series in points])
            rows = rows.assign(x=[series.parameters[panel.along] for series in points])
        else:
            rows = rows_of[name].assign(x=rows_of[name]["t"]).query(f"t >= {panel.x.least or 1}")
            rows = _thinned(rows, panel)
        rows = with_band(rows, panel, experiment, estimator)
        if panel.y.scale == "log":  # which cannot show a regret of 0; a band may reach down to it
            rows = rows[rows["centre"] > 0]
            rows = rows.assign(lower=rows["lower"].clip(lower=rows["centre"].min() / 2))
        yield name, points[0], rows


def _thinned(rows: pd.DataFrame, panel: Panel) -> pd.DataFrame:
    """The first row, and one for each of PLACES on the axis."""
    position = np.log(rows["x"]) if panel.x.scale == "log" else rows["x"]
    places = np.linspace(position.iloc[0], position.iloc[-1], PLACES)
    return rows[~pd.Series(np.searchsorted(places, position), rows.index).duplicated(keep="last")]


def _bounds(ax: Axes, panel: Panel, experiment: Experiment) -> None:
    """Draw bounds on the panel's arms, for the first series, of the panel or else of its experiment, that has the parameters
    which the theorem needs."""
    if not (panel.overlay or panel.regimes):
        return
    from dpbandits.theory import bounds  # loads compiled algorithms and scipy, which no other panel needs

    means, horizon = np.array(experiment.environment.get("means", [])), experiment.design.horizon
    for order, (name, bound) in enumerate(panel.overlay.items(), start=1):
        given = [
            experiment.series[name].parameters
            for name in dict.fromkeys([*panel.series, *experiment.series])
            if bounds.required_parameters(bound) <= experiment.series[name].parameters.keys()
        ]
        if panel.along:
            x = sorted({parameters[panel.along] for parameters in given if panel.along in parameters})
            y = [bounds.at(bound, means, horizon, {**given[0], panel.along: value}) for value in x]
        else:
            x = sorted({round(t) for t in [*np.geomspace(2, horizon, 40), *np.linspace(2, horizon, 25)]})
            y = [bounds.at(bound, means, t, given[0]) for t in x]
        ax.plot(x, y, label=name, color="0.25", linewidth=0.9, linestyle=colours.DASHES[order % len(colours.DASHES)])
    if panel.regimes:
        _regimes(ax, panel, experiment, sorted(set(np.round(bounds.REGIMES[panel.regimes](means), 9))))


def _regimes(ax: Axes, panel: Panel, experiment: Experiment, crossings: list[float]) -> None:
    """Draw where the lower bound changes its form; if that is at one place amid the curve, say which side is which."""
    for crossing in crossings:
        ax.axvline(crossing, color="0.5", linewidth=0.8, linestyle=":")
    drawn = [experiment.series[name].parameters[panel.along] for name in panel.series] if panel.along else []
    if drawn and len(crossings) == 1 and min(drawn) < crossings[0] < max(drawn):
        for side, text in (("right", "high privacy  "), ("left", "  low privacy")):
            ax.text(crossings[0], 0.93, text, ha=side, transform=ax.get_xaxis_transform(), color="0.35", fontsize=8)


def _circles(ax: Axes, panel: Panel, experiment: Experiment, points: Curves) -> None:
    """Draw the authors' points, about CIRCLES of each curve, evenly along it."""
    looks = colours.of_panel(panel, experiment)
    looks |= {experiment.series[name].policy: look for name, look in looks.items() if panel.along}
    limits = {"xlim": ax.get_xlim(), "ylim": ax.get_ylim()}
    for name, curve in points.items():
        place = (ax.transScale + ax.transLimits).transform(np.column_stack([curve.x, curve.y]))
        length = np.append(0.0, np.cumsum(np.hypot(*np.diff(place, axis=0).T)))
        chosen = np.unique(np.searchsorted(length, np.linspace(0, length[-1], CIRCLES)))
        ax.plot(curve.x[chosen], curve.y[chosen], color=looks[name].colour, gid=ID_IN_SVG, zorder=2.5, **CIRCLE)
    ax.set(**limits)

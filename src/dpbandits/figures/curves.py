"""Curves with bands: regret against time, or at T against a parameter.

Bounds are thin lines, and the authors' points are circles.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from dpbandits.figures import colours
from dpbandits.figures.bands import Part, Remark
from dpbandits.studies.drawn_points import ID_IN_SVG, Distance, distances, line_of, lines

WORDS = "line", "band", "dash-dot-dotted"
CIRCLE = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 4.8,
    "markerfacecolor": "none",
    "markeredgewidth": 0.8,
}
MISSED = 0.1  # relative distance of a line from a circle that the footnote mentions
CIRCLES = 22  # about, for a curve that the authors drew
MAX_MARKERS = 15  # of a line along a parameter; of more points, not each has a marker
PLACES = 200  # on a linear axis of time, curves begin after 1/200 of the game
MEDIAN = {"linewidth": 0.8, "linestyle": (0, (1, 1))}
OTHER = {"linewidth": 0.9, "linestyle": (0, (6, 1.5, 1, 1.5, 1, 1.5))}


def values(part: Part) -> pd.DataFrame:
    """The rows of all lines (`drawn_points.lines`), from the round at which they begin."""
    panel = part.panel
    rows = part.with_band(lines(panel, part.experiment, part.summary), by="line")
    if not panel.along:
        earliest = 1 if panel.x.scale == "log" else rows["t"].max() / PLACES
        rows = rows[rows["t"] >= (panel.x.least or earliest)]
    if panel.y.scale == "log":  # which cannot show a regret of 0; a band may reach down to it
        rows = rows[rows["centre"] > 0]
        least = rows.groupby("line")["centre"].transform("min")
        rows = rows.assign(lower=rows["lower"].clip(lower=least / 2))
    return rows


def draw(ax: Axes, parts: list[Part]) -> list[Remark]:
    """Draw the curves, bounds and circles of a panel; return the footnote's remarks on the rest."""
    (part,) = parts
    panel, points, looks = part.panel, values(part), part.looks
    further = part.remarks_beside(WORDS[2], points)
    is_default = part.estimator != "paper" and not (panel.column or panel.along)
    draws_median = is_default and "median" in points
    _bounds(ax, part)
    for order, name in enumerate(dict.fromkeys(line_of(panel, part.experiment).values())):
        rows = points[points["line"] == name]
        if rows.empty:  # a curve that is 0 throughout, on a logarithmic axis
            further.append((f"{name}: 0 throughout, which a logarithmic axis cannot show", ""))
            continue
        first = rows["policy"].iloc[0]
        few = panel.along and len(rows) <= MAX_MARKERS
        marks = {"markersize": 3} if few else colours.marks(order)
        line(ax, rows, looks[first], label=part.label(first), gid=name, **marks)
        if draws_median:
            ax.plot(rows["x"], rows["median"], color=looks[first].colour, gid=name, **MEDIAN)
            further.append(("dotted: median", ""))
    for axis, settings in (("x", panel.x), ("y", panel.y)):
        ax.set(**{f"{axis}label": settings.label, f"{axis}scale": settings.scale})
        if settings.limits:
            ax.set(**{f"{axis}lim": settings.limits})
    # All panels begin at the same round, though curves may be 0 there.
    if panel.x.scale == "log" and not panel.along:
        ax.set_xlim(left=max(panel.x.least or 1, part.summary["t"].min()))
    return further + _circles(ax, part)


def line(ax: Axes, rows: pd.DataFrame, look: colours.Look, gid: str = "", **marks: Any) -> None:
    """Draw a line with its band: `centre` over `x`, and the area from `lower` to `upper`.

    `beside`, if there is any, is a thin line. `marks`: the label, and the places of markers.
    """
    colour = {"color": look.colour, "gid": gid}
    ax.plot(rows["x"], rows["centre"], linestyle=look.dash, marker=look.marker, **marks, **colour)
    if rows["lower"].notna().any():
        ax.fill_between(rows["x"], rows["lower"], rows["upper"], alpha=0.18, linewidth=0, **colour)
    if rows["beside"].notna().any():
        ax.plot(rows["x"], rows["beside"], **OTHER, **colour)


def _bounds(ax: Axes, part: Part) -> None:
    """Draw the panel's bounds, and vertical lines where a bound changes its form (`regimes`).

    A bound is for the first series of the panel, else of its experiment, that has the parameters
    which the theorem needs.
    """
    panel, experiment = part.panel, part.experiment
    if not (panel.overlay or panel.regimes):
        return
    # It loads compiled algorithms and scipy, which no other panel needs.
    from dpbandits.theory import bounds

    environment, horizon = experiment.environment, experiment.design.horizon
    known = [
        experiment.series[id].parameters
        for id in dict.fromkeys([*panel.series, *experiment.series])
    ]
    for order, (name, bound) in enumerate(panel.overlay.items(), start=1):
        required = bounds.required_parameters(bound)
        fitting = [parameters for parameters in known if required <= parameters.keys()]
        if panel.along:
            x = sorted({each[panel.along] for each in fitting if panel.along in each})
            games = [(horizon, {**fitting[0], panel.along: value}) for value in x]
        else:
            rounds = *np.geomspace(2, horizon, 40), *np.linspace(2, horizon, 25)
            x = sorted({round(t) for t in rounds})
            games = [(t, fitting[0]) for t in x]
        y = [bounds.at(bound, environment, *game) for game in games]
        dash = colours.DASHES[order % len(colours.DASHES)]
        ax.plot(x, y, label=name, color="0.25", linewidth=0.9, linestyle=dash)
    regimes, means = bounds.REGIMES.get(panel.regimes), np.array(environment.get("means", []))
    crossings = np.unique(np.round(regimes(means), 9)) if regimes else []
    for crossing in crossings:
        ax.axvline(crossing, color="0.5", linewidth=0.8, linestyle=":")
    if not panel.along or len(crossings) != 1:
        return
    (crossing,), sweep = crossings, [each[panel.along] for each in known[: len(panel.series)]]
    if min(sweep) < crossing < max(sweep):
        look = {"transform": ax.get_xaxis_transform(), "color": "0.35", "fontsize": 8}
        for side, text in (("right", "high privacy  "), ("left", "  low privacy")):
            ax.text(crossing, 0.93, text, ha=side, **look)


def _circles(ax: Axes, part: Part) -> list[Remark]:
    """Draw about CIRCLES of the authors' points of each curve, evenly along it; keep the axes."""
    ax.autoscale_view()
    of_line = line_of(part.panel, part.experiment)
    first, looks = {line: id for id, line in reversed(of_line.items())}, part.looks
    for name, curve in part.published.items():
        place = (ax.transScale + ax.transLimits).transform(curve.T)
        length = np.append(0.0, np.cumsum(np.hypot(*np.diff(place, axis=0).T)))
        places = np.unique(np.searchsorted(length, np.linspace(0, length[-1], CIRCLES)))
        look = {"color": looks[first[name]].colour, "gid": ID_IN_SVG, "zorder": 2.5}
        ax.add_artist(Line2D(*curve[:, places], **look, **CIRCLE))
    rows = distances(
        part.panel, part.experiment, part.summary, part.published, of_paper=part.shown.of_paper
    )
    if not part.published:
        return []
    if part.experiment.design.runs_of_paper == 1:
        ends = ", ".join(f"{part.label(first[each.series])} {_place(each)}" for each in rows)
        says = "circles: one run, drawn by the authors; its end minus our mean, in SDs"
        return [(f"{says}: {ends}", "")]
    missed = [
        f"{part.label(first[each.series])} up to {each.largest:.0%}"
        for each in rows
        if each.largest > MISSED
    ]
    away = f"away from them: {', '.join(missed)}" if missed else ""
    return [("circles: drawn by the authors", away)]


def _place(drawn: Distance) -> str:
    """Where the end of a drawn run lies among our runs: "+0.4", or "-2.1 (below all)"."""
    if not drawn.std:
        return "equal" if drawn.end == drawn.mean else f"{drawn.end:g}, ours all {drawn.mean:g}"
    below, above = drawn.end < drawn.min, drawn.end > drawn.max
    outside = " (below all)" if below else " (above all)" if above else ""
    return f"{(drawn.end - drawn.mean) / drawn.std:+.1f}{outside}"

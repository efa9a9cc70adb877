"""Regret against time, or against the value of a swept parameter: one panel or a grid of them, with a legend in the
order of the paper file, and theorems' bounds as thin lines."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, style
from dpbandits.files.tables import Table
from dpbandits.statistics.estimators import number_of_groups
from dpbandits.studies.study import Experiment, Figure, Panel, Series

DIFFERS = 0.05
BANDS = {
    "deviations": "Gini's mean difference below and above",
    "range": "lowest to highest run",
    "errors": "two standard errors",
}
MEAN = {"linewidth": 0.9, "linestyle": (0, (6, 1.5, 1, 1.5))}
MEDIAN = {"linewidth": 0.8, "linestyle": (0, (1, 1))}
Experiments, Summaries = Mapping[str, Experiment], Mapping[str, Table]
# A centre line, and its lower and upper side if it has any.
Sides = tuple[np.ndarray, np.ndarray | None, np.ndarray | None]


def panels(figure: Figure, experiments: Experiments, summaries: Summaries, estimator: str) -> Drawing:
    """Draw all panels of a figure, row by row."""
    columns = min(figure.columns, len(figure.panels))
    rows = math.ceil(len(figure.panels) / columns)
    legends = {(*_legend(panel, experiments[panel.experiment]), *panel.overlay) for panel in figure.panels}
    # One legend, in a row of its own, serves all panels with the same series, unless each is to have its own.
    shared = len(figure.panels) > 1 and len(legends) == 1 and not any(panel.legend for panel in figure.panels)
    legend_rows = math.ceil(len(next(iter(legends))) / columns) if shared else 0
    width, height = style.PANEL
    legend_height = 0.2 * legend_rows + 0.2 * shared
    drawing = style.new_figure(width * columns, height * rows + legend_height + 0.35)
    grid = drawing.add_gridspec(rows + shared, columns, height_ratios=[height] * rows + [legend_height] * shared)
    for place, panel in enumerate(figure.panels):
        ax = drawing.add_subplot(grid[divmod(place, columns)])
        _panel(ax, panel, experiments[panel.experiment], summaries[panel.experiment], estimator, legend=not shared)
    if shared:
        below = drawing.add_subplot(grid[rows, :])
        below.axis("off")
        below.legend(*ax.get_legend_handles_labels(), loc="center", ncols=columns, handlelength=3.5)
    with_mean = any(_shows_mean(panel, summaries[panel.experiment], estimator) for panel in figure.panels)
    note = footnote(figure, experiments, estimator, with_mean)
    if columns == 1:  # the note is too long for one line below a single panel
        note = note.replace("; line", ";\nline").replace("; dash", ";\ndash").replace("; thin", ";\nthin")
    style.annotate(drawing, figure.title if figure.kind == "grid" else "", note)  # a panel has its own
    return drawing


def footnote(figure: Figure, experiments: Experiments, estimator: str, with_mean: bool = False) -> str:
    """The footnote: the reading, the number of runs, and the meaning of lines and bands; `with_mean`: and of the mean."""
    design = experiments[figure.panels[0].experiment].design
    statistic = "median_of_means" if estimator == "default" else design.statistic
    groups = number_of_groups(design.runs, design.groups)
    middle = f"median of means ({groups} groups)" if groups > 2 else "mean"  # the median of two groups is the mean
    around = BANDS[design.band]
    words = {
        "median_of_means": f"line: {middle}; band: {around}",
        "mean": "line: mean",
        "mean_std": "line: mean; band: standard deviation",
        "median": "line: median",
        "locked_in": "line: share of runs that lose at least a quarter of the gap per round "
        + ("in their second half" if any(panel.along for panel in figure.panels) else "from t/2 to t"),
    }
    drawn = "; ".join(dict.fromkeys(words[panel.column or statistic] for panel in figure.panels))
    columns = "" if all(panel.column for panel in figure.panels) else design.columns
    if with_mean:
        drawn += f"; dash-dotted: mean, where it differs by {DIFFERS:.0%}"
    if "median" in columns:
        drawn += "; thin: median"
    reading = f"{figure.reading_name}; " if figure.reading_name else ""
    if shows_nash(figure.panels[0]):
        sweeps = [experiments[panel.experiment].environment.get("trials") for panel in figure.panels]
        line = "Nash regret over all of them" if None in sweeps else "mean of the sweeps' Nash regrets"
        line += ", in sweeps the mean of each one's" if any(sweeps) and None in sweeps else ""
        drawn = f"line: {line}; band: two standard errors"
    drawn_from = [experiments[panel.experiment] for panel in figure.panels]
    if any(experiment.environment["kind"] == "news_log" for experiment in drawn_from):
        drawn += "; the runs share one log and differ in the policies' random numbers only"
    sources = dict.fromkeys(map(_source, drawn_from))
    return "; ".join([*filter(None, sources), f"{reading}{_counts(figure, experiments, estimator)}", drawn])


def _source(experiment: Experiment) -> str:
    """The name of a log, and how much of it there is if it is shorter than the experiment."""
    environment, horizon = experiment.environment, experiment.design.horizon
    report = Path(environment.get("folder", "")) / "report.json"
    lines = json.loads(report.read_text())["lines"] if report.is_file() else horizon
    there = f" ({lines:,} lines, not {horizon:,})" if lines < horizon else ""
    return environment.get("source", "") + there


def _counts(figure: Figure, experiments: Experiments, estimator: str) -> str:
    """The number of runs of the figure's experiments, and those of policies that have another number."""
    counts, others = {}, {}
    for panel in figure.panels:
        experiment = experiments[panel.experiment]
        of_all = experiment.design.runs
        if estimator == "paper" and experiment.design.runs_of_paper:
            of_all = min(of_all, experiment.design.runs_of_paper)
        trials = experiment.environment.get("trials")  # a run of such an environment is a sweep of so many games
        counts[f"{of_all} sweeps of {trials}" if trials else str(of_all)] = None
        for series in map(experiment.series.get, panel.series):
            own = experiment.policy(series.policy).runs
            own = min(own, of_all) if estimator == "paper" else own
            if own != of_all:
                others[f"{_label(panel, series)}: {own}"] = None
    return " or ".join(counts) + " runs" + (f" ({', '.join(others)})" if others else "")


def _shows_mean(panel: Panel, summary: Table, estimator: str, series: Sequence[str] = ()) -> bool:
    """Whether the mean is drawn beside the median of means, for one of these series (all of the panel if none is named).

    Claims judge means, so a figure shows the mean where it is another curve: where they differ by DIFFERS or more in
    the last nine tenths of the rounds.
    """
    if estimator != "default" or panel.column or shows_nash(panel):
        return False
    for name in series or panel.series:
        rows = summary.of(name)
        late = rows["t"] >= rows["t"][-1] / 10
        centre, mean = rows["median_of_means"][late], rows["mean"][late]
        if np.any(np.abs(mean - centre) >= DIFFERS * np.maximum(np.abs(mean), np.abs(centre)) + 1e-9):
            return True
    return False


def shows_nash(panel: Panel) -> bool:
    """Whether the y axis is the Nash regret, one number for all runs."""
    return panel.y.get("quantity") == "nash_regret"


def _legend(panel: Panel, experiment: Experiment) -> list[tuple[str, colours.Look]]:
    """Labels and looks: one per series, or one per policy where its series are the points of one line."""
    looks = colours.of_panel(panel, experiment)
    return list({_label(panel, experiment.series[name]): look for name, look in looks.items()}.items())


def _label(panel: Panel, series: Series) -> str:
    return panel.labels.get(series.id, series.label)


def _panel(ax: Axes, panel: Panel, experiment: Experiment, summary: Table, estimator: str, legend: bool) -> None:
    if panel.along:  # bounds lie below the curves, and precede them in the legend
        _overlay(ax, panel, experiment)
        _along(ax, panel, experiment, summary, estimator)
    else:
        _over_time(ax, panel, experiment, summary, estimator)
        _overlay(ax, panel, experiment)
    for axis, settings in (("x", panel.x), ("y", panel.y)):
        ax.set(**{f"{axis}label": settings["label"], f"{axis}scale": settings["scale"]})
        if "limits" in settings:
            ax.set(**{f"{axis}lim": settings["limits"]})
    ax.set_title(panel.title)
    if legend:
        # Regret rises from lower left to upper right on logarithmic axes, so this corner is free.
        logarithmic = panel.x["scale"] == panel.y["scale"] == "log" and not panel.along and not panel.column
        place = panel.legend or ("upper left" if logarithmic else "best")
        ax.legend(loc=place, framealpha=0.85, handlelength=3.5)


def _along(ax: Axes, panel: Panel, experiment: Experiment, summary: Table, estimator: str) -> None:
    """Draw regrets at T against the parameter `along`: one line per policy."""
    looks = colours.of_panel(panel, experiment)
    for policy in dict.fromkeys(experiment.series[name].policy for name in panel.series):
        points = [experiment.series[name] for name in panel.series if experiment.series[name].policy == policy]
        points.sort(key=lambda series: series.parameters[panel.along])
        x = np.array([series.parameters[panel.along] for series in points])
        rows = Table.joined([summary.of(series.id).last() for series in points])
        centre, lower, upper = band(rows, panel, experiment, estimator)
        look = looks[points[0].id]
        ax.plot(x, centre, label=_label(panel, points[0]), markersize=3, **look.line)
        if lower is not None:
            ax.fill_between(x, lower, upper, color=look.colour, alpha=0.18, linewidth=0)
        if _shows_mean(panel, summary, estimator, [series.id for series in points]):
            ax.plot(x, rows["mean"], color=look.colour, **MEAN)


def _overlay(ax: Axes, panel: Panel, experiment: Experiment) -> None:
    """Draw bounds on the panel's arms, for the first series that has the parameters that a theorem needs: one of the
    panel's, whose epsilon is the panel's, or else any of the experiment's."""
    if not (panel.overlay or panel.regimes):
        return
    from dpbandits.theory import bounds  # loads compiled algorithms and scipy, which no other panel needs

    means = np.array(experiment.environment.get("means", []))
    horizon = experiment.design.horizon
    for order, (label, bound) in enumerate(panel.overlay.items()):
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
        ax.plot(x, y, label=label, color="0.25", linewidth=0.9, linestyle=colours.DASHES[(order + 1) % 5])
    if panel.regimes:
        crossings = sorted(set(np.round(bounds.REGIMES[panel.regimes](means), 9)))
        for crossing in crossings:
            ax.axvline(crossing, color="0.5", linewidth=0.8, linestyle="--")
        drawn = [experiment.series[name].parameters[panel.along] for name in panel.series] if panel.along else []
        if len(crossings) == 1 and min(drawn, default=math.inf) < crossings[0] < max(drawn, default=-math.inf):
            for side, text in (("right", "high privacy  "), ("left", "  low privacy")):
                ax.text(crossings[0], 0.5, text, ha=side, transform=ax.get_xaxis_transform(), color="0.35", fontsize=8)


def _over_time(ax: Axes, panel: Panel, experiment: Experiment, summary: Table, estimator: str) -> None:
    chosen = [experiment.series[name] for name in panel.series]
    looks = colours.of_panel(panel, experiment)
    for order, series in enumerate(chosen):
        look = looks[series.id]
        rows = summary.of(series.id)
        rows = rows.rows(rows["t"] >= panel.x.get("least", 1))
        t, (centre, lower, upper) = rows["t"], band(rows, panel, experiment, estimator)
        if panel.y["scale"] == "log":  # a logarithmic axis cannot show a regret of 0; a band may reach down to it
            positive = centre > 0
            floor = np.min(centre[positive], initial=1.0)
            t, centre, upper = t[positive], centre[positive], None if upper is None else upper[positive]
            lower = None if lower is None else np.maximum(lower[positive], floor / 2)
        markers = {"markersize": 4.5, "markevery": _marker_positions(t, order, panel)}
        ax.plot(t, centre, label=_label(panel, series), **look.line, **markers)
        if lower is not None and experiment.design.band == "range":
            # Wide bands overlap: an edge in the colour of the curve shows which one a band belongs to.
            sides = {"facecolor": (look.colour, 0.1), "edgecolor": (look.colour, 0.7)}
            ax.fill_between(t, lower, upper, linewidth=0.7, **sides)
        elif lower is not None:
            ax.fill_between(t, lower, upper, color=look.colour, alpha=0.18, linewidth=0)
        beside = {"mean": MEAN} if _shows_mean(panel, summary, estimator, [series.id]) else {}
        if "median" in rows and not panel.column:
            beside["median"] = MEDIAN
        for statistic, thin in beside.items():
            shown = rows[statistic] > 0 if panel.y["scale"] == "log" else slice(None)
            ax.plot(rows["t"][shown], rows[statistic][shown], color=look.colour, **thin)
    if panel.x["scale"] == "log":  # all panels begin at the same round, though some curves are 0 there
        first = min(int(summary.of(series.id)["t"][0]) for series in chosen)
        ax.set_xlim(left=max(first, panel.x.get("least", 1)))


def band(rows: Table, panel: Panel, experiment: Experiment, estimator: str) -> Sides:
    """Median of means with Gini's mean difference, or the paper's own statistic, or what the panel shows instead."""
    if panel.column:
        return rows[panel.column], None, None
    if shows_nash(panel):
        return _within_errors(rows["nash_regret"], rows["nash_regret_error"])
    statistic = "median_of_means" if estimator == "default" else experiment.design.statistic
    if statistic in ("mean", "mean_std"):
        mean, std = (rows[f"{name}_of_paper"] if f"{name}_of_paper" in rows else rows[name] for name in ("mean", "std"))
        return (mean, None, None) if statistic == "mean" else (mean, mean - std, mean + std)
    centre = rows["median_of_means"]
    if experiment.design.band == "range":
        return centre, rows["min"], rows["max"]
    if experiment.design.band == "errors":
        return _within_errors(centre, rows["std"] / np.sqrt(rows["runs"]))
    return centre, centre - rows["gmd_below"], centre + rows["gmd_above"]


def _within_errors(centre: np.ndarray, error: np.ndarray) -> Sides:
    return centre, centre - 2 * error, centre + 2 * error


def lengths(sides: Sides) -> np.ndarray | None:
    """The lengths of error bars below and above the centre."""
    centre, lower, upper = sides
    return None if lower is None else np.maximum([centre - lower, upper - centre], 0)


def _marker_positions(t: np.ndarray, order: int, panel: Panel) -> list[int]:
    """About six marker positions per curve, evenly spaced on the axis, different for different curves."""
    position = np.log(t) if panel.x["scale"] == "log" else t.astype(float)
    share = (np.arange(6) + 0.35 + 0.11 * (order % 6)) / 6.2
    wanted = position[0] + share * (position[-1] - position[0])
    return sorted({int(np.abs(position - w).argmin()) for w in wanted})

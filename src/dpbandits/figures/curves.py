"""Regret against time, or against the value of a swept parameter: one panel or a grid of them, with a legend in the
order of the paper file, theorems' bounds as thin lines, and the points that the authors drew as circles."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, screen, style
from dpbandits.files.tables import Table
from dpbandits.statistics.estimators import number_of_groups
from dpbandits.studies.published import Curves
from dpbandits.studies.study import Experiment, Figure, Panel, Series

DIFFERS = 0.05
BANDS = {
    "deviations": "Gini's mean difference below and above",
    "errors": "two standard errors",
}
# A statistic and its name; what is drawn beside it where it is another curve.
NAMES = {
    "mean": "mean",
    "median_of_means": "median of means",
    "nash_median_of_means": "median of means",
}
BESIDE = {"mean": "median_of_means", "median_of_means": "mean", "nash_regret": "nash_median_of_means"}
OTHER = {"linewidth": 0.9, "linestyle": (0, (6, 1.5, 1, 1.5))}
MEDIAN = {"linewidth": 0.8, "linestyle": (0, (1, 1))}
CIRCLES = 22  # of a drawn curve
CIRCLE = {"linestyle": "none", "marker": "o", "markersize": 4.8, "markerfacecolor": "none", "markeredgewidth": 0.8}
Experiments, Summaries = Mapping[str, Experiment], Mapping[str, Table]
Drawn = Mapping[str, Curves]  # panel of the paper -> the points that its authors drew
# A centre line, and its lower and upper side if it has any.
Sides = tuple[np.ndarray, np.ndarray | None, np.ndarray | None]


def panels(
    figure: Figure, experiments: Experiments, summaries: Summaries, estimator: str, drawn: Drawn | None = None
) -> Drawing:
    """Draw all panels of a figure, row by row; `drawn`: with the authors' points as circles."""
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
    further: list[str] = []
    for place, panel in enumerate(figure.panels):
        ax = drawing.add_subplot(grid[divmod(place, columns)])
        experiment, summary = experiments[panel.experiment], summaries[panel.experiment]
        points = (drawn or {}).get(panel.drawn_as, {})
        further += _panel(ax, panel, experiment, summary, estimator, points, legend=not shared)
    if shared:
        below = drawing.add_subplot(grid[rows, :])
        below.axis("off")
        below.legend(*ax.get_legend_handles_labels(), loc="center", ncols=columns, handlelength=3.5)
    note = footnote(figure, experiments, estimator, further)
    style.annotate(drawing, figure.title if figure.kind == "grid" else "", note)  # a panel has its own
    return drawing


def footnote(figure: Figure, experiments: Experiments, estimator: str, further: Iterable[str] = ()) -> str:
    """The footnote: the reading, the number of runs, and the meaning of lines and bands; `further`: what else is drawn."""
    drawn_from = [experiments[panel.experiment] for panel in figure.panels]
    lines, bands = {}, {}
    for panel, experiment in zip(figure.panels, drawn_from, strict=True):
        line, around = _in_words(panel, experiment, estimator, figure)
        lines[line] = None
        bands |= {around: None} if around else {}
    words = [f"line: {', or '.join(lines)}"]
    if bands:
        words.append(f"band: {', or '.join(bands)}")
    words += dict.fromkeys(further)
    if any(experiment.environment["kind"] == "news_log" for experiment in drawn_from):
        words.append("the runs share one log and differ in the policies' random numbers only")
    sources = dict.fromkeys(filter(None, map(_source, drawn_from)))
    reading = [figure.reading_name] if figure.reading_name else []
    return "; ".join([*sources, *reading, _counts(figure, experiments, estimator), *words])


def _in_words(panel: Panel, experiment: Experiment, estimator: str, figure: Figure) -> tuple[str, str]:
    """What a panel's lines and bands are; no words for a band that is not there."""
    design = experiment.design
    if panel.column == "locked_in":
        half = "in their second half" if any(other.along for other in figure.panels) else "from t/2 to t"
        return f"share of runs that lose at least a quarter of the gap per round {half}", ""
    if panel.column:
        return panel.column, ""
    of_groups = _groups_in_words(panel, experiment)
    if shows_nash(panel):
        sweeps = "trials" in experiment.environment
        line = "mean of the sweeps' Nash regrets" if sweeps else "Nash regret over all runs"
        of_groups += " of the runs' shares in its logarithm" if of_groups else ""
    elif estimator == "paper" and design.statistic != "median_of_means":
        return "mean", "standard deviation" if design.statistic == "mean_std" else ""
    else:
        line = (of_groups or "mean") if panel.line == "median_of_means" else NAMES[panel.line]
    kind = "errors" if estimator == "paper" and shows_nash(panel) else design.band
    words = BANDS[kind]
    around_another = kind == "deviations" and of_groups and line != of_groups
    return line, f"{words} the {of_groups}" if around_another else words


def _groups_in_words(panel: Panel, experiment: Experiment) -> str:
    """The median of means, with its number of groups and the curves that have another; "" if it is the mean for all."""
    design = experiment.design
    groups: dict[str, int] = {}
    for series in map(experiment.series.get, panel.series):
        number = number_of_groups(experiment.policy(series.policy).runs, design.groups)
        groups[_label(panel, series)] = number if number > 2 else 1  # the median of two groups is the mean
    main = Counter(groups.values()).most_common(1)[0][0]
    if max(groups.values()) == 1:
        return ""
    others = [
        f"{label}: " + (f"{number} groups" if number > 1 else "the mean")
        for label, number in groups.items()
        if number != main
    ]
    main_in_words = f"median of means of {main} groups" if main > 1 else "mean"
    return main_in_words + (f" ({', '.join(others)})" if others else "")


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


def _beside(rows: Table, panel: Panel, estimator: str) -> str:
    """The statistic that is drawn beside the line, where that is another curve; "" where it is not.

    It is if the two differ by DIFFERS or more somewhere in the last nine tenths of the rounds.
    """
    other = BESIDE.get(panel.line, "")
    if estimator != "default" or not other:
        return ""
    late = rows["t"] >= rows["t"].max() / 10
    line, values = rows[panel.line][late], rows[other][late]
    differs = np.abs(line - values) >= DIFFERS * np.maximum(np.abs(line), np.abs(values)) + 1e-9
    return other if np.any(differs) else ""


def shows_nash(panel: Panel) -> bool:
    """Whether the y axis is the Nash regret, one number for all runs."""
    return panel.line == "nash_regret"


def _legend(panel: Panel, experiment: Experiment) -> list[tuple[str, colours.Look]]:
    """Labels and looks: one per series, or one per policy where its series are the points of one line."""
    looks = colours.of_panel(panel, experiment)
    return list({_label(panel, experiment.series[name]): look for name, look in looks.items()}.items())


def _label(panel: Panel, series: Series) -> str:
    return panel.labels.get(series.id, series.label)


def _panel(
    ax: Axes, panel: Panel, experiment: Experiment, summary: Table, estimator: str, points: Curves, legend: bool
) -> list[str]:
    """Draw a panel; what it shows besides lines and bands, in words."""
    if panel.along:  # bounds lie below the curves, and precede them in the legend
        _overlay(ax, panel, experiment)
        further = _along(ax, panel, experiment, summary, estimator)
    else:
        further = _over_time(ax, panel, experiment, summary, estimator)
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
    if points:
        _circles(ax, panel, experiment, points)
        further.append("circles: drawn by the authors")
    return further


def _circles(ax: Axes, panel: Panel, experiment: Experiment, points: Curves) -> None:
    """Draw the authors' points, about CIRCLES of each curve, evenly along it."""
    looks = colours.of_panel(panel, experiment)
    looks |= {experiment.series[name].policy: look for name, look in looks.items() if panel.along}
    limits = ax.get_xlim(), ax.get_ylim()
    for name, curve in points.items():
        place = (ax.transScale + ax.transLimits).transform(np.column_stack([curve.x, curve.y]))
        length = np.append(0.0, np.cumsum(np.hypot(*np.diff(place, axis=0).T)))
        chosen = np.unique(np.searchsorted(length, np.linspace(0, length[-1], CIRCLES)))
        ax.plot(curve.x[chosen], curve.y[chosen], color=looks[name].colour, gid=screen.POINTS, zorder=2.5, **CIRCLE)
    ax.set(xlim=limits[0], ylim=limits[1])


def _along(ax: Axes, panel: Panel, experiment: Experiment, summary: Table, estimator: str) -> list[str]:
    """Draw regrets at T against the parameter `along`: one line per policy."""
    looks = colours.of_panel(panel, experiment)
    further = []
    for policy in dict.fromkeys(experiment.series[name].policy for name in panel.series):
        points = [experiment.series[name] for name in panel.series if experiment.series[name].policy == policy]
        points.sort(key=lambda series: series.parameters[panel.along])
        x = np.array([series.parameters[panel.along] for series in points])
        rows = Table.joined([summary.of(series.id).last() for series in points])
        centre, lower, upper = band(rows, panel, experiment, estimator)
        look = looks[points[0].id]
        ax.plot(x, centre, label=_label(panel, points[0]), markersize=3, gid=policy, **look.line)
        if lower is not None:
            ax.fill_between(x, lower, upper, color=look.colour, alpha=0.18, linewidth=0, gid=policy)
        if other := _beside(rows, panel, estimator):
            ax.plot(x, rows[other], color=look.colour, gid=policy, **OTHER)
            further.append(f"dash-dotted: {NAMES[other]}, where it differs by {DIFFERS:.0%}")
    return further


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


def _over_time(ax: Axes, panel: Panel, experiment: Experiment, summary: Table, estimator: str) -> list[str]:
    chosen = [experiment.series[name] for name in panel.series]
    looks = colours.of_panel(panel, experiment)
    further = []
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
        markers = _marker_positions(t, order, panel)
        ax.plot(t, centre, label=_label(panel, series), markersize=4.5, markevery=markers, gid=series.id, **look.line)
        if lower is not None:
            ax.fill_between(t, lower, upper, color=look.colour, alpha=0.18, linewidth=0, gid=series.id)
        beside = {}
        if other := _beside(rows, panel, estimator):
            beside[other] = OTHER
            further.append(f"dash-dotted: {NAMES[other]}, where it differs by {DIFFERS:.0%}")
        if "median" in rows and not panel.column:
            beside["median"] = MEDIAN
            further.append("thin: median")
        for statistic, thin in beside.items():
            shown = rows[statistic] > 0 if panel.y["scale"] == "log" else slice(None)
            ax.plot(rows["t"][shown], rows[statistic][shown], color=look.colour, gid=series.id, **thin)
    if panel.x["scale"] == "log":  # all panels begin at the same round, though some curves are 0 there
        first = min(int(summary.of(series.id)["t"][0]) for series in chosen)
        ax.set_xlim(left=max(first, panel.x.get("least", 1)))
    return sorted(further)  # the median last


def band(rows: Table, panel: Panel, experiment: Experiment, estimator: str) -> Sides:
    """The panel's line with the design's band around it, or the paper's own statistic."""
    if panel.column:
        return rows[panel.column], None, None
    design, nash = experiment.design, shows_nash(panel)
    if estimator == "paper" and nash:
        return _within_errors(rows[panel.line], rows["nash_regret_error"])
    if estimator == "paper" and design.statistic != "median_of_means":
        mean, std = (rows[f"{name}_of_paper"] if f"{name}_of_paper" in rows else rows[name] for name in ("mean", "std"))
        return (mean, None, None) if design.statistic == "mean" else (mean, mean - std, mean + std)
    centre, of_nash = rows[panel.line], "nash_" if nash else ""
    if design.band == "errors":
        return _within_errors(centre, rows["nash_regret_error"] if nash else rows["std"] / np.sqrt(rows["runs"]))
    middle = rows[f"{of_nash}median_of_means"]
    return centre, middle - rows[f"{of_nash}gmd_below"], middle + rows[f"{of_nash}gmd_above"]


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

"""Final values as bars with error bars: groups side by side, one colour per policy.

Panels of the same title share a pair of axes. A panel is one group of bars, named by its `group`; with `along`, it is
one group per value of that parameter. Bars begin at the panel's `baseline`.
"""

from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, style
from dpbandits.figures.curves import Experiments, Summaries, band, footnote, lengths
from dpbandits.studies.study import Experiment, Figure, Panel, Series

SHARE = 0.8  # of the space between two groups, for bars


def panels(figure: Figure, experiments: Experiments, summaries: Summaries, estimator: str) -> Drawing:
    """Draw all pairs of axes in a row, each above its legend."""
    titles = list(dict.fromkeys(panel.title for panel in figure.panels))
    width, height = style.PANEL
    drawing = style.new_figure(width * len(titles), height + 0.75)
    axes = drawing.subplots(1, len(titles), squeeze=False, sharey=True)
    for title, ax in zip(titles, axes.flat, strict=True):
        on_axes = [panel for panel in figure.panels if panel.title == title]
        groups = [group for panel in on_axes for group in _groups(panel, experiments[panel.experiment])]
        bar_width = SHARE / max(len(members) for _, _, members in groups)
        for place, (_, panel, members) in enumerate(groups):
            looks = colours.of_panel(panel, experiments[panel.experiment])
            for i, series in enumerate(members):
                rows = summaries[panel.experiment].of(series.id).last()
                sides = band(rows, panel, experiments[panel.experiment], estimator)
                ax.bar(
                    place + bar_width * (i - (len(members) - 1) / 2),
                    sides[0] - panel.baseline,
                    0.92 * bar_width,
                    bottom=panel.baseline,
                    yerr=lengths(sides),
                    capsize=2.5,
                    error_kw={"linewidth": 1, "ecolor": style.ERROR_BARS},
                    color=looks[series.id].colour,
                    hatch=HATCHES[looks[series.id].order % len(HATCHES)],
                    edgecolor="white",
                    label=series.label,
                )
        ax.axhline(on_axes[0].baseline, color="0.3", linewidth=0.8)
        ax.set_xticks(range(len(groups)), [name for name, _, _ in groups])
        ax.grid(False, axis="x")
        source = experiments[on_axes[0].experiment].environment.get("source")
        ax.set(
            title=f"{title}, {source}" if source else title,
            xlabel=on_axes[0].x["label"],
            ylabel=on_axes[0].y["label"],
            yscale=on_axes[0].y["scale"],
        )
        if "limits" in on_axes[0].y:
            ax.set_ylim(*on_axes[0].y["limits"])
        handles = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
        ax.legend(handles.values(), handles.keys(), loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2)
    note = footnote(figure, experiments, estimator).replace("line:", "bar:").replace("band:", "error bar:")
    style.annotate(drawing, figure.title, note)
    return drawing


HATCHES = ["", "///", "...", "xx", "\\\\\\", "++"]


def _groups(panel: Panel, experiment: Experiment) -> list[tuple[str, Panel, list[Series]]]:
    """(name, panel, series) of every group of bars."""
    members = [experiment.series[name] for name in panel.series]
    if not panel.along:
        return [(panel.group, panel, members)]
    values = dict.fromkeys(series.parameters[panel.along] for series in members)
    return [
        (f"{panel.group}{value:g}" if isinstance(value, (int, float)) else f"{panel.group}{value}", panel,
         [series for series in members if series.parameters[panel.along] == value])
        for value in values
    ]  # fmt: skip

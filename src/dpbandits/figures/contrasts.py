"""Final values side by side: one bar per series of a panel; the first one, without hatch, is what the others are compared
with."""

from matplotlib.figure import Figure as Drawing

from dpbandits.figures import colours, style
from dpbandits.figures.curves import Experiments, Summaries, band, footnote, lengths
from dpbandits.files.tables import Table
from dpbandits.studies.study import Figure


def panels(figure: Figure, experiments: Experiments, summaries: Summaries, estimator: str) -> Drawing:
    """Draw all panels of a figure, row by row."""
    columns = min(figure.columns, len(figure.panels))
    lines = [figure.panels[i : i + columns] for i in range(0, len(figure.panels), columns)]
    heights = [0.8 + 0.28 * max(len(panel.series) for panel in line) for line in lines]
    drawing = style.new_figure(6.2 * columns, sum(heights) + 0.7)
    grid = drawing.add_gridspec(len(lines), columns, height_ratios=heights)
    for place, panel in enumerate(figure.panels):
        ax = drawing.add_subplot(grid[divmod(place, columns)])
        experiment, summary = experiments[panel.experiment], summaries[panel.experiment]
        shown = [experiment.series[name] for name in panel.series]
        rows = Table.joined([summary.of(series.id).last() for series in shown])
        centre, _, upper = sides = band(rows, panel, experiment, estimator)
        upper = centre if upper is None else upper
        hues = [colours.looks([series], experiment.series.values())[series.id].colour for series in shown]
        look = {"color": hues, "hatch": ["", *["///"] * (len(shown) - 1)], "edgecolor": "white", "height": 0.65}
        whiskers = {"capsize": 2, "ecolor": style.ERROR_BARS}
        ax.barh(range(len(shown)), centre, xerr=lengths(sides), error_kw=whiskers, **look)
        for y, (value, end) in enumerate(zip(centre, upper, strict=True)):
            ax.annotate(f"{value:.3g}", (end, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
        ax.set_yticks(range(len(shown)), [series.label for series in shown])
        ax.set(title=panel.title, xlabel=panel.y["label"], xlim=(0, 1.15 * upper.max()))
        ax.invert_yaxis()
        ax.grid(False, axis="y")
    note = footnote(figure, experiments, estimator).replace("line:", "bar:").replace("band:", "whisker:")
    style.annotate(drawing, figure.title, note)
    return drawing

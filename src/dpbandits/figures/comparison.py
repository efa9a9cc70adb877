"""The curves of a comparison from Python, with their bands."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from dpbandits.errors import InputError
from dpbandits.figures import bands, colours, curves, style

SIZE = 5.5, 3.8  # inches


def draw(
    summary: pd.DataFrame,
    words: str,
    own: Mapping[str, tuple[str, str]],
    file: str | Path | None,
    ax: Axes | None,
    is_log: bool,
) -> Axes:
    """Draw a line with its band for each policy of a summary, into `ax` or into a new figure.

    `words` label the y-axis. `own` has the colour and the marker of each policy. The new figure is
    pyplot's, as a notebook expects, if there is no file. InputError if the name of the file has
    another suffix than a picture's.
    """
    if file is not None and Path(file).suffix[1:] not in style.METADATA:
        endings = ", .".join(style.METADATA)
        raise InputError(f"plot: {file}: the name should end in one of .{endings}")
    line = (summary[name] for name in ("median_of_means", "gmd_below", "gmd_above"))
    points = bands.band(summary.assign(x=summary["t"]), *line)
    with style.applied():
        if ax is None:
            ax = (plt.figure if file is None else Drawing)(figsize=SIZE).add_subplot()
        looks = colours.looks(own)
        for order, (label, rows) in enumerate(points.groupby("policy", sort=False)):
            curves.line(ax, rows, looks[label], label=label, **colours.marks(order))
        ax.set(xlabel="time step t", ylabel=words)
        if is_log:  # a curve that is 0 throughout has no place on a logarithmic axis
            ax.set(xscale="log", yscale="log" if (points["centre"] > 0).any() else "linear")
        ax.legend()
        if file is not None:
            style.save(ax.figure, [file])
    return ax

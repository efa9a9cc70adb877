"""The curves of a comparison from Python, with their bands."""

from pathlib import Path

import pandas as pd
import seaborn as sns
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from dpbandits.errors import InputError
from dpbandits.figures import style
from dpbandits.figures.colours import DASHES

SIZE = 5.5, 3.8  # inches


def draw(
    summary: pd.DataFrame, words: str, file: str | Path | None, ax: Axes | None, is_log: bool
) -> Axes:
    """Draw a curve for each policy of a summary, into `ax` or into a new figure.

    `words` label the y-axis. The new figure is pyplot's, as a notebook expects, if there is no
    file. InputError if the name of the file has another suffix than a picture's.
    """
    if file is not None and Path(file).suffix[1:] not in style.METADATA:
        endings = ", .".join(style.METADATA)
        raise InputError(f"plot: {file}: the name should end in one of .{endings}")
    with style.applied():
        if ax is None:
            ax = (plt.figure if file is None else Drawing)(figsize=SIZE).add_subplot()
        palette = sns.color_palette("colorblind", max(6, summary["policy"].nunique()))
        for order, (label, rows) in enumerate(summary.groupby("policy", sort=False)):
            centre, colour = rows["median_of_means"], palette[order]
            below, above = centre - rows["gmd_below"], centre + rows["gmd_above"]
            dash = DASHES[order % len(DASHES)]
            ax.plot(rows["t"], centre, label=label, color=colour, linestyle=dash)
            ax.fill_between(rows["t"], below, above, color=colour, alpha=0.18, linewidth=0)
        ax.set(xlabel="time step t", ylabel=words)
        if is_log:  # a curve that is 0 throughout has no place on a logarithmic axis
            ax.set(xscale="log", yscale="log" if (summary["mean"] > 0).any() else "linear")
        ax.legend()
        if file is not None:
            style.save(ax.figure, [file])
    return ax

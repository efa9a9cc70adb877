"""Winner maps: which policy is best in each cell of a grid, hatched where the second best is within the error."""

from collections.abc import Mapping, Sequence
from itertools import cycle

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from dpbandits.figures import style

NEUTRAL = "0.5"


def winners(
    ax: Axes,
    best: Sequence[Sequence[tuple[str, bool]]],
    rows: Sequence[str],
    columns: Sequence[str],
    order: Sequence[str],
    labels: Mapping[str, str],
) -> list[Patch]:
    """The handles of a legend. `best[row][column]`: the winner, and whether the second is as good within the error; `order`: of the colours."""
    shown = [name for name in order if any(name == winner for line in best for winner, _ in line)]
    colours = dict(zip(order, cycle(style.COLOURS), strict=False))
    for i, line in enumerate(best):
        for j, (winner, close) in enumerate(line):
            place = {"xy": (j - 0.5, i - 0.5), "width": 1, "height": 1, "edgecolor": "white"}
            ax.add_patch(Rectangle(**place, facecolor=colours[winner], hatch="////" if close else None, linewidth=1))
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(False)
    handles = [Patch(facecolor=colours[name], label=labels[name]) for name in shown]
    close = Patch(facecolor=NEUTRAL, edgecolor="white", hatch="////", label="the second is within two errors")
    return [*handles, close]

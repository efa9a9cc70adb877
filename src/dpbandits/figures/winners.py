"""Winner maps: which policy is best in each cell of a grid, hatched where the second best is within the error."""

from collections.abc import Mapping, Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from dpbandits.figures.colours import Look

NEUTRAL = "0.5"
MARK = {"linestyle": "none", "color": "white", "markersize": 7, "markeredgewidth": 0}


def winners(
    ax: Axes,
    best: Sequence[Sequence[tuple[str, bool] | None]],
    rows: Sequence[str],
    columns: Sequence[str],
    looks: Mapping[str, Look],
    labels: Mapping[str, str],
) -> dict[str, Artist | tuple[Artist, ...]]:
    """Draw the map, and return the labels and handles of its legend.

    `best[row][column]`: the winner, and whether the second is as good within the error, or None for an empty cell; `looks`
    and `labels`: of the policies.
    """
    cells = {(i, j): cell for i, line in enumerate(best) for j, cell in enumerate(line) if cell}
    for (i, j), (winner, close) in cells.items():
        place = {"xy": (j - 0.5, i - 0.5), "width": 1, "height": 1, "edgecolor": "white"}
        face = looks[winner].colour
        ax.add_patch(Rectangle(**place, facecolor=face, hatch="////" if close else None, linewidth=1))
        ax.plot(j, i, marker=looks[winner].marker, **MARK)
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(False)
    won = {winner for winner, _ in cells.values()}
    handles = {
        labels[name]: (Patch(facecolor=look.colour), Line2D([], [], marker=look.marker, **MARK | {"markersize": 4}))
        for name, look in looks.items()
        if name in won
    }
    return {**handles, "the second is within two errors": Patch(facecolor=NEUTRAL, edgecolor="white", hatch="////")}

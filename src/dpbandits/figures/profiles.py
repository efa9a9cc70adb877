"""Performance profiles: for each policy the share of instances on which its score is at most x."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter

from dpbandits.figures.colours import Look


def profile(scores: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """The steps of the share of scores that are at most x: x and share, from the smallest score on."""
    ordered = np.sort(np.asarray(scores, dtype=float))
    return ordered, np.arange(1, len(ordered) + 1) / len(ordered)


def profiles(
    ax: Axes, scores: Mapping[str, Sequence[float]], looks: Mapping[str, Look], most: float, xlabel: str, title: str
) -> None:
    """One stepped line per label, up to x = `most`."""
    for label, values in scores.items():
        line = {"color": looks[label].colour, "linestyle": looks[label].dash}
        x, share = profile(values)
        ends = max(most, x[-1])
        ax.step(np.append(x, ends), np.append(share, 1.0), where="post", label=label, **line)
        ax.plot([x[0], x[0]], [0, share[0]], **line)
    ax.set(xscale="log", ylim=(0, 1.02), xlabel=xlabel, ylabel="share of cells with at most x", title=title)
    ax.set_xlim(right=most)
    ax.xaxis.set_minor_formatter(NullFormatter())  # labels between the powers of ten overlap
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, fontsize=7, handlelength=3)

"""Diagrams that show no data."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle

from dpbandits.figures import style
from dpbandits.studies.study import Figure

_RADIUS = 0.36
# Nodes of tossou2016's Figure 1: x, y, meaning, and whether the player sees or does it (drawn filled).
_NODES = {
    "P_i": (0.0, 1.5, "law of arm i", False),
    "r_t": (1.6, 1.5, "reward", False),
    "Y": (3.2, 1.5, "true means", False),
    "X": (4.8, 1.5, "private means", True),
    "a_t": (3.2, 0.0, "action", True),
}
_ARROWS = [("P_i", "r_t"), ("r_t", "Y"), ("Y", "X"), ("X", "a_t"), ("a_t", "r_t")]


def interaction(figure: Figure) -> Drawing:
    """Draw how a private algorithm uses the rewards: the action depends on them through the private means X alone."""
    drawing, ax = _one_pair_of_axes(6.4, 3.6)
    ax.add_patch(
        FancyBboxPatch((0.95, -0.72), 4.6, 3.0, boxstyle="round,pad=0.08", fill=False, edgecolor="0.3", linewidth=1.0)
    )
    ax.text(5.5, -0.66, r"$t \in [T]$", ha="right", va="bottom", fontsize=10)
    for name, (x, y, meaning, seen) in _NODES.items():
        face = style.PALETTE[9] if seen else "white"
        ax.add_patch(Circle((x, y), _RADIUS, facecolor=face, edgecolor="0.15", linewidth=1.2, zorder=2))
        ax.text(x, y, f"${name}$", ha="center", va="center", fontsize=13, zorder=3)
        below = name == "a_t"
        ax.text(
            x,
            y + (-0.46 if below else 0.46),
            meaning,
            ha="center",
            va="top" if below else "bottom",
            fontsize=9,
        )
    for start, end in _ARROWS:
        (x0, y0), (x1, y1) = _NODES[start][:2], _NODES[end][:2]
        ax.add_patch(
            FancyArrowPatch(
                (x0, y0),
                (x1, y1),
                shrinkA=27,
                shrinkB=27,
                arrowstyle="-|>",
                mutation_scale=13,
                color="0.15",
                zorder=1,
            )
        )
    ax.set(xlim=(-0.6, 5.8), ylim=(-0.9, 2.5), aspect="equal")
    ax.axis("off")
    if figure.title:
        ax.set_title(figure.title)
    return drawing


def episodes(figure: Figure) -> Drawing:
    """Draw the adaptive episodes with doubling: azize2022's worked example, played by the algorithm."""
    from dpbandits.algorithms.arms import _adaptive_episodes  # compiled: only this diagram needs it
    from dpbandits.environments.arms.bernoulli import bernoulli

    horizon = 10
    arms, journal = bernoulli(means=[0.6, 0.5]).begin(None, horizon, np.array([horizon]))
    frame = _adaptive_episodes.frame(1.0, True, "one")
    rng = np.random.default_rng(
        0
    )  # of the rewards; the example fixes which arm wins, so the picture does not depend on them
    log = _adaptive_episodes.episode_log(rng, arms, horizon, journal, frame, [0, 0, 1, 0])
    drawing, ax = _one_pair_of_axes(7.6, 2.5)
    latest: dict[int, tuple[int, int]] = {}
    for number, (first, arm, length) in enumerate(log):
        y = 1 - arm
        face = style.PALETTE[(0, 1)[arm]]
        initial = number < 2
        ax.add_patch(
            Rectangle(
                (first - 0.5, y - 0.3), length, 0.6, facecolor=face, alpha=0.35 if initial else 0.75, edgecolor="0.15"
            )
        )
        for t in range(first, first + length):
            ax.text(t, y, f"$r_{{{t}}}$", ha="center", va="center", fontsize=11)
        if not initial:
            ax.text(first - 0.5, 1.42, f"$t_{{{number - 1}}} = {first}$", ha="left", va="bottom", fontsize=9)
            ax.plot([first - 0.5] * 2, [-0.4, 1.4], color="0.4", linewidth=0.8, linestyle=":", zorder=0)
        latest[arm] = (first, length)
    end = log[-1][0] + log[-1][2]
    ax.text(end - 0.5, 1.42, f"$t_{{{len(log) - 1}}} = {end}$", ha="left", va="bottom", fontsize=9)
    ax.plot([end - 0.5] * 2, [-0.4, 1.4], color="0.4", linewidth=0.8, linestyle=":", zorder=0)
    ax.set(
        xlim=(0.3, end + 0.5), ylim=(-0.5, 1.75), yticks=[1, 0], yticklabels=["arm 1", "arm 2"],
        xticks=range(1, end), xlabel="round t",
    )  # fmt: skip
    ax.grid(False)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    if figure.title:
        ax.set_title(figure.title)
    return drawing


def _one_pair_of_axes(width: float, height: float) -> tuple[Drawing, Axes]:
    drawing = style.new_figure(width, height)
    return drawing, drawing.subplots()

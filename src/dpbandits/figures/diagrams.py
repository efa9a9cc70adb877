"""Diagrams that show no data."""

import matplotlib.pyplot as plt
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch

from dpbandits.figures import style
from dpbandits.papers import Figure

_RADIUS = 0.36
# Where the nodes of tossou2016's Figure 1 stand: what the player sees or does is filled.
_NODES = {
    "P_i": (0.0, 1.5, "law of arm i", False),
    "r_t": (1.6, 1.5, "reward", False),
    "Y": (3.2, 1.5, "true means", False),
    "X": (4.8, 1.5, "private means", True),
    "a_t": (3.2, 0.0, "action", True),
}
_ARROWS = [("P_i", "r_t"), ("r_t", "Y"), ("Y", "X"), ("X", "a_t"), ("a_t", "r_t")]


def interaction(figure: Figure) -> plt.Figure:
    """How a private algorithm touches the rewards: the action depends on them through the private means X alone."""
    drawing, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
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

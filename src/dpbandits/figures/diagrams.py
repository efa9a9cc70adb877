"""Diagrams without data."""

import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle

from dpbandits.figures.colours import PALETTE
from dpbandits.studies.model import Figure

# Nodes of tossou2016's Figure 1: x, y, meaning; filled if the player sees or does it.
_NODES = {
    "P_i": (0.0, 1.5, "law of arm i", False),
    "r_t": (1.6, 1.5, "reward", False),
    "Y": (3.2, 1.5, "true means", False),
    "X": (4.8, 1.5, "private means", True),
    "a_t": (3.2, 0.0, "action", True),
}
_ARROW = {
    "shrinkA": 27,
    "shrinkB": 27,
    "arrowstyle": "-|>",
    "mutation_scale": 13,
    "color": "0.15",
    "zorder": 1,
}
_ARROWS = [("P_i", "r_t"), ("r_t", "Y"), ("Y", "X"), ("X", "a_t"), ("a_t", "r_t")]


def draw(figure: Figure) -> Drawing:
    """Draw a figure that is a diagram."""
    size, draw_on = DIAGRAMS[figure.kind]
    drawing = Drawing(figsize=size)
    ax = drawing.subplots()
    draw_on(ax)
    ax.set_title(figure.title)
    return drawing


def interaction(ax: Axes) -> None:
    """Draw how a private algorithm uses rewards: through the private means X alone."""
    look = {"boxstyle": "round,pad=0.08", "fill": False, "edgecolor": "0.3", "linewidth": 1.0}
    ax.add_patch(FancyBboxPatch((0.95, -0.72), 4.6, 3.0, **look))
    ax.text(5.5, -0.66, r"$t \in [T]$", ha="right", va="bottom", fontsize=10)
    for name, (x, y, meaning, seen) in _NODES.items():
        face = PALETTE["sky"] if seen else "white"
        ax.add_patch(
            Circle((x, y), 0.36, facecolor=face, edgecolor="0.15", linewidth=1.2, zorder=2)
        )
        ax.text(x, y, f"${name}$", ha="center", va="center", fontsize=13, zorder=3)
        side, va = (-0.46, "top") if name == "a_t" else (0.46, "bottom")
        ax.text(x, y + side, meaning, ha="center", va=va, fontsize=9)
    for start, end in _ARROWS:
        ax.add_patch(FancyArrowPatch(_NODES[start][:2], _NODES[end][:2], **_ARROW))
    ax.set(xlim=(-0.6, 5.8), ylim=(-0.9, 2.5), aspect="equal")
    ax.axis("off")


def episodes(ax: Axes) -> None:
    """Draw the adaptive episodes with doubling: azize2022's example, with computed lengths.

    An import of the policy would draw all figures again after each of its changes.
    """
    horizon, pulls, log = 10, [0, 0], []
    for arm in (0, 1, 0, 0, 1, 0):  # the example fixes which arm wins
        length = min(max(pulls[arm], 1), horizon - sum(pulls))
        log.append((sum(pulls) + 1, arm, length))
        pulls[arm] += length
    for number, (first, arm, length) in enumerate(log):
        y = 1 - arm
        look = {
            "facecolor": PALETTE[("blue", "orange")[arm]],
            "alpha": 0.35 if number < 2 else 0.75,
            "edgecolor": "0.15",
        }
        ax.add_patch(Rectangle((first - 0.5, y - 0.3), length, 0.6, **look))
        for t in range(first, first + length):
            ax.text(t, y, f"$r_{{{t}}}$", ha="center", va="center", fontsize=11)
    end = log[-1][0] + log[-1][2]
    for number, start in enumerate([*(first for first, _, _ in log[2:]), end], start=1):
        ax.text(
            start - 0.5, 1.42, f"$t_{{{number}}} = {start}$", ha="left", va="bottom", fontsize=9
        )
        ax.plot([start - 0.5] * 2, [-0.4, 1.4], color="0.4", linewidth=0.8, linestyle=":", zorder=0)
    ax.set(
        xlim=(0.3, end + 0.5), ylim=(-0.5, 1.75), yticks=[1, 0], yticklabels=["arm 1", "arm 2"],
        xticks=range(1, end), xlabel="round t",
    )  # fmt: skip
    ax.grid(False)
    sns.despine(ax=ax, left=True)


# Kind -> its size in inches, and the function that draws it.
DIAGRAMS = {
    "interaction_diagram": ((6.4, 3.6), interaction),
    "episodes_diagram": ((7.6, 2.5), episodes),
}

"""The one style of all figures: seaborn's theme and its colour-blind palette, and files without dates in them."""

import matplotlib as mpl
import seaborn as sns

# Told apart by colour-blind readers; a second and third variant of a policy differs in the dash, not the colour.
PALETTE = sns.color_palette("colorblind")
COLOURS = [PALETTE[i] for i in (0, 1, 2, 3, 4, 9, 5, 7, 6, 8)]
DASHES = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 3))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "*"]
PANEL = (4.6, 3.4)  # inches

METADATA = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
}


def use() -> None:
    """Set the style; called before each figure, so that no figure depends on the one before."""
    sns.set_theme(context="paper", style="whitegrid")
    mpl.rcParams.update(
        {
            "figure.dpi": 100,
            "savefig.dpi": 200,
            "svg.hashsalt": "dpbandits",
            "pdf.fonttype": 42,
            "axes.titlesize": 10,
            "legend.fontsize": 8,
            "grid.linewidth": 0.5,
            "lines.linewidth": 1.5,
        }
    )

"""The one style of all figures: seaborn's theme, and files without dates in them.

The theme is copied here because importing seaborn takes as long as drawing a figure; `tests/figures/test_style.py`
compares it with seaborn's own.
"""

import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing
from matplotlib.font_manager import FontPath, fontManager
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import LogFormatterSciNotation, NullLocator
from PIL import Image

ERROR_BARS = (0.1, 0.1, 0.1)  # seaborn's black
PANEL = (4.6, 3.4)  # inches
DPI = 170  # pixels per inch of a picture
PER_INCH = 19  # letters of a footnote
# The font comes with the project, so that a figure does not depend on the fonts of a machine: seaborn prefers Arial. It is
# DejaVu Sans, matplotlib's own, without the alphabets that figures do not need (tests/figure_font.py makes it); a character
# that it lacks is taken from the whole font.
FONT, FONT_FILE = "Figure Sans", Path(__file__).parent / "fonts/FigureSans.ttf"
BOLD = {"fontweight": "bold", "fontfamily": "DejaVu Sans"}  # the project's font has one weight
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

METADATA = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {},
    "svg": {"Date": None, "Creator": None},
}

TICKS = {
    "color": ".15",
    "direction": "out",
    "labelsize": 8.8,
    "major.size": 4.800000000000001,
    "major.width": 1.0,
    "minor.size": 3.2,
    "minor.width": 0.8,
}
# What `seaborn.set_theme(context="paper", style="whitegrid")` sets, except for its colour map, which no figure uses.
THEME = {
    "axes.axisbelow": True,
    "axes.edgecolor": ".8",
    "axes.facecolor": "white",
    "axes.grid": True,
    "axes.labelcolor": ".15",
    "axes.labelsize": 9.600000000000001,
    "axes.linewidth": 1.0,
    "axes.prop_cycle": cycler(
        "color",
        [
            tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
            for colour in (
                "#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3",
                "#937860", "#da8bc3", "#8c8c8c", "#ccb974", "#64b5cd",
            )
        ],
    ),
    **{f"axes.spines.{side}": True for side in ("bottom", "left", "right", "top")},
    "axes.titlesize": 9.600000000000001,
    "figure.facecolor": "white",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["Arial", "DejaVu Sans", "Liberation Sans", "Bitstream Vera Sans", "sans-serif"],
    "font.size": 9.600000000000001,
    "grid.color": ".8",
    "grid.linestyle": "-",
    "grid.linewidth": 0.8,
    "legend.fontsize": 8.8,
    "legend.title_fontsize": 9.600000000000001,
    "lines.linewidth": 1.2000000000000002,
    "lines.markersize": 4.800000000000001,
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    "patch.linewidth": 0.8,
    "text.color": ".15",
    **{f"{axis}tick.{name}": value for axis in "xy" for name, value in TICKS.items()},
    "xtick.bottom": False,
    "xtick.top": False,
    "ytick.left": False,
    "ytick.right": False,
}  # fmt: skip

OURS = {
    "font.family": [FONT, "DejaVu Sans"],
    "figure.dpi": 100,
    "savefig.dpi": DPI,
    "svg.hashsalt": "dpbandits",
    "pdf.fonttype": 42,
    "axes.titlesize": 10,
    "axes.titley": 1.0,  # its default position; without a value matplotlib measures all tick labels to avoid overlaps
    "legend.fontsize": 8,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.5,
}


def _by_name(one: FontPath, other: FontPath) -> bool:
    return (Path(one).name, one.face_index) < (Path(other).name, other.face_index)


# A PDF embeds its fonts in this order. matplotlib's is that of their absolute paths, which depends on where a clone and its
# environment lie.
FontPath.__lt__ = _by_name


def use() -> None:
    """Set the style; called before each figure, so that no figure depends on the one before."""
    if FONT not in fontManager.get_font_names():
        fontManager.addfont(FONT_FILE)
    mpl.rcParams.update(THEME | OURS)


def new_figure(width: float, height: float) -> Drawing:
    """An empty figure of this size in inches; `lay_out` does its layout."""
    drawing = Drawing(figsize=(width, height))
    FigureCanvasAgg(drawing)
    return drawing


def annotate(drawing: Drawing, title: str, note: str) -> None:
    """Write the title above a drawing, and the note below it on the left."""
    if title:
        drawing.suptitle(title, fontsize=11)
    lines = textwrap.fill(note, int(PER_INCH * drawing.get_figwidth()), break_long_words=False)
    drawing.supxlabel(lines, fontsize=7, color="0.35", x=0.01, ha="left")


@contextmanager
def at(drawing: Drawing, dpi: float) -> Iterator[None]:
    """The drawing at this resolution, in pixels per inch, and afterwards at its own again."""
    own = drawing.dpi
    drawing.set_dpi(dpi)
    yield
    drawing.set_dpi(own)


def lay_out(drawing: Drawing, dpi: float = DPI) -> None:
    """Lay out a figure once, for all files that it is saved to.

    A figure that has a layout engine is laid out and drawn one more time for every file; once laid out, it needs none.
    """
    with at(drawing, dpi):
        ConstrainedLayoutEngine().execute(drawing)


def pixels(drawing: Drawing, dpi: float = DPI) -> Image.Image:
    """The drawing as a picture."""
    with at(drawing, dpi):
        drawing.canvas.draw()
        return Image.fromarray(np.asarray(drawing.canvas.buffer_rgba())).convert("RGB")


class PowersOfTen(LogFormatterSciNotation):
    """The labels of a logarithmic axis as plain text, 10⁵ and 2×10⁵: matplotlib's mathematical typesetting of them would
    take an eighth of the time of a drawing."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        label = re.sub(r"\^\{(.*?)\}", lambda power: power[1].translate(SUPERSCRIPTS), super().__call__(x, pos))
        for typeset, plain in ((r"$\mathdefault{", ""), (r"\times", "×"), ("}$", "")):
            label = label.replace(typeset, plain)
        return label


def simplify_ticks(drawing: Drawing) -> None:
    """On logarithmic axes: powers of ten as plain text, and no minor ticks without a label, of which a panel has a hundred.
    They are invisible in this style, but matplotlib measures and draws every one."""
    for ax in drawing.axes:
        for axis in (ax.xaxis, ax.yaxis):
            for formatter, replace in (
                (axis.get_major_formatter(), axis.set_major_formatter),
                (axis.get_minor_formatter(), axis.set_minor_formatter),
            ):
                if isinstance(formatter, LogFormatterSciNotation):
                    replace(PowersOfTen(labelOnlyBase=formatter.labelOnlyBase))
            if not any(axis.get_minor_formatter().format_ticks(axis.get_minorticklocs())):
                axis.set_minor_locator(NullLocator())

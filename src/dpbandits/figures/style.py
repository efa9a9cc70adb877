"""The one style of all figures, by seaborn, and files without dates in them."""

import io
import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import matplotlib as mpl
import seaborn as sns
from fontTools import subset, ttLib
from fontTools.ttLib.tables import DefaultTable, otTables
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import NullLocator

from dpbandits.files import written_whole

PANEL = (4.6, 3.4)  # inches
DPI = 170  # pixels per inch of a picture
WIDEST = 3 * PANEL[0]  # of a figure: in more than three columns, panels are narrower
PER_INCH = 18  # letters in a footnote
LINE, HANDLE, LETTER = 0.2, 0.75, 0.067  # inches in a legend: height, widths
LEGEND = {"handlelength": 3.5}
METADATA = {"pdf": {"CreationDate": None}, "png": {}, "svg": {"Date": None}}
SETTINGS = {
    "svg.hashsalt": "dpbandits",  # from which, and from the content, the names in an SVG follow
    "pdf.fonttype": 42,  # characters that editors can read
    "legend.fontsize": 8,
    "grid.linewidth": 0.5,
    "axes.titley": 1.0,  # its usual place; without a value matplotlib measures all tick labels to find it
}
LAYOUT = ["GSUB", "GPOS", "GDEF"]  # tables of a font by which letters are replaced and placed


class Unneeded(DefaultTable.DefaultTable):
    """A table that no PDF needs, whose letters have places. To cut it to few letters would be half the work for a PDF's fonts."""

    table = otTables.GSUB()
    table.Version = 0x00010000

    def prune_pre_subset(self, font: ttLib.TTFont, options: subset.Options) -> bool:
        """Whether fontTools keeps it."""
        return False


@contextmanager
def applied() -> Iterator[None]:
    """The style, whatever was set before, which holds again afterwards. The font is one that comes with matplotlib."""
    with mpl.rc_context(), ExitStack() as afterwards:
        mpl.rcdefaults()
        sns.set_theme(context="paper", style="whitegrid", palette=None, font="DejaVu Sans", rc=SETTINGS)
        for table in LAYOUT:
            ttLib.registerCustomTableClass(table, __name__, Unneeded.__name__)
            afterwards.callback(ttLib.unregisterCustomTableClass, table)
        yield


def new_figure(width: float, height: float) -> Drawing:
    """An empty figure of this size in inches; `save` lays it out."""
    return Drawing(figsize=(width, height), dpi=DPI)


def size_of_legend(labels: Sequence[str], width: float) -> tuple[int, float]:
    """Columns and height in inches of a legend: as few rows as this width allows, and as full as can be."""
    fitting = max(1, int(width / (HANDLE + LETTER * max(map(len, labels)))))
    rows = math.ceil(len(labels) / fitting)
    return math.ceil(len(labels) / rows), LINE * (rows + 1)


def legend_below(ax: Axes, width: float) -> None:
    """A legend below the axes and their labels, at most so wide."""
    _, labels = ax.get_legend_handles_labels()
    place = (0.5, -0.17 if ax.get_xlabel() else -0.08)
    ax.legend(loc="upper center", bbox_to_anchor=place, ncols=size_of_legend(labels, width)[0], **LEGEND)


def annotate(drawing: Drawing, title: str, note: str) -> None:
    """Write the title above a drawing, and the note below it on the left."""
    if title:
        drawing.suptitle(title, fontsize=11)
    width = int(PER_INCH * drawing.get_figwidth())
    lines = [textwrap.fill(line, width, break_long_words=False) for line in note.splitlines()]
    drawing.supxlabel("\n".join(lines), fontsize=7, color="0.35", x=0.01, ha="left")


def save(drawing: Drawing, outputs: Iterable[str | Path]) -> None:
    """Lay out a drawing, once and not again for every file, and write it into files whose suffixes give the formats."""
    for ax in drawing.axes:
        for axis in (ax.xaxis, ax.yaxis):
            # Minor ticks are invisible in this style, but matplotlib measures and draws each of a hundred.
            if not any(axis.get_minor_formatter().format_ticks(axis.get_minorticklocs())):
                axis.set_minor_locator(NullLocator())
    FigureCanvasAgg(drawing)  # the layout measures texts as the PNG does, which then need not
    ConstrainedLayoutEngine().execute(drawing)
    contents: dict[str, bytes] = {}
    for output in outputs:
        kind = Path(output).suffix[1:]
        if kind not in contents:
            drawing.savefig(content := io.BytesIO(), format=kind, metadata=METADATA[kind])
            contents[kind] = content.getvalue()
        with written_whole(output) as file:
            file.write(contents[kind])

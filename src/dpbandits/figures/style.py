"""The one style of all figures, by seaborn, and files without dates in them."""

import io
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import matplotlib as mpl
import seaborn as sns
from fontTools import subset, ttLib
from fontTools.ttLib.tables import DefaultTable, otTables
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import NullLocator

from dpbandits.figures import digests
from dpbandits.files import written_whole

PER_INCH = 18  # letters in a footnote
METADATA = {"pdf": {"CreationDate": None}, "png": {}, "svg": {"Date": None}}
SETTINGS = {
    "svg.hashsalt": "dpbandits",  # ids in an SVG follow from this and from the content
    "pdf.fonttype": 42,  # characters that editors can read
    "figure.dpi": 170,
    "legend.fontsize": 8,
    "grid.linewidth": 0.5,
    "axes.titley": 1.0,  # the default, but without a value matplotlib measures all tick labels
}
LAYOUT = ["GSUB", "GPOS", "GDEF"]  # tables of a font by which programs replace and place letters


class Unneeded(DefaultTable.DefaultTable):
    """A table of a font that PDFs do not need, since each letter in them has its place.

    To cut this table would take half the time of a PDF's fonts.
    """

    table = otTables.GSUB()
    table.Version = 0x00010000

    def prune_pre_subset(self, font: ttLib.TTFont, options: subset.Options) -> bool:
        """Whether fontTools keeps it."""
        return False


@contextmanager
def applied() -> Iterator[None]:
    """Apply the style within a block, whatever was set before. The font comes with matplotlib."""
    with mpl.rc_context(), ExitStack() as afterwards:
        mpl.rcdefaults()
        sns.set_theme(
            context="paper", style="whitegrid", palette=None, font="DejaVu Sans", rc=SETTINGS
        )
        for table in LAYOUT:
            ttLib.registerCustomTableClass(table, __name__, Unneeded.__name__)
            afterwards.callback(ttLib.unregisterCustomTableClass, table)
        yield


def annotate(drawing: Drawing, note: str) -> None:
    """Write the note below a drawing on the left."""
    width = int(PER_INCH * drawing.get_figwidth())
    whole = {"break_long_words": False, "break_on_hyphens": False}  # DP-UCB is one word
    lines = [textwrap.fill(line, width, **whole) for line in note.splitlines()]
    drawing.supxlabel("\n".join(lines), fontsize=7, color="0.35", x=0.01, ha="left")


def save(drawing: Drawing, outputs: Iterable[str | Path]) -> None:
    """Lay out a drawing once, and write it into files whose suffixes give the formats.

    A file with the suffix `digest` gets the digest of what is drawn.
    """
    for ax in drawing.axes:
        for axis in (ax.xaxis, ax.yaxis):
            # Minor ticks are invisible in this style, but matplotlib would measure and draw them.
            if not any(axis.get_minor_formatter().format_ticks(axis.get_minorticklocs())):
                axis.set_minor_locator(NullLocator())
    FigureCanvasAgg(drawing)  # the layout measures texts as the PNG does, which then need not
    ConstrainedLayoutEngine().execute(drawing)
    contents = {digests.KIND: f"{digests.digest(drawing)}\n".encode()}
    for output in outputs:
        kind = Path(output).suffix[1:]
        if kind not in contents:
            drawing.savefig(content := io.BytesIO(), format=kind, metadata=METADATA[kind])
            contents[kind] = content.getvalue()
        with written_whole(output) as file:
            file.write(contents[kind])

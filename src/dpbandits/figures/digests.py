"""The digest of what a figure shows: its numbers and texts, without looks, layout and fonts.

Pixels differ between processors. The drawn data do not.
"""

import hashlib
from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import FancyArrowPatch
from matplotlib.ticker import FixedFormatter

KIND = "digest"  # the suffix of its files


def digest(drawing: Drawing) -> str:
    """The SHA-256 of the texts and the drawn data of a figure, in their order."""
    found = hashlib.sha256(repr([text.get_text() for text in drawing.texts]).encode())
    for ax in drawing.axes:
        found.update(repr(list(_texts(ax))).encode())
        for values in _numbers(ax):
            # Single precision hides the last bits, in which processors may differ.
            rounded = np.ma.filled(values, np.nan).astype("<f4") + 0.0
            rounded[np.isnan(rounded)] = np.nan
            found.update(f"{rounded.shape}".encode() + rounded.tobytes())
    return found.hexdigest()


def _texts(ax: Axes) -> Iterator[str]:
    """Titles, labels, scales, and the entries of the legend. Labels of ticks, if they are fixed."""
    yield from (ax.get_title(), ax.get_xscale(), ax.get_yscale())
    yield from (text.get_text() for text in ax.texts)
    for axis in (ax.xaxis, ax.yaxis):
        yield axis.get_label_text()
        formatter = axis.get_major_formatter()
        yield from map(str, formatter.seq if isinstance(formatter, FixedFormatter) else ())
    if legend := ax.get_legend():
        yield from (text.get_text() for text in legend.get_texts())


def _numbers(ax: Axes) -> Iterator[np.ndarray]:
    """Limits, lines, bands, error bars, cells and shapes, in the coordinates of the data."""
    yield np.array(ax.axis(), float)
    yield from (np.ma.asarray(line.get_xydata(), float) for line in ax.lines)
    for each in ax.collections:
        yield from (path.vertices for path in each.get_paths())
        if each.get_array() is not None:
            yield np.ma.asarray(each.get_array(), float)
    for patch in ax.patches:
        if not isinstance(patch, FancyArrowPatch):  # whose ends depend on the layout
            yield patch.get_patch_transform().transform(patch.get_path().vertices)

"""A figure for the screen: a small picture, and a file with the values that the page shows under the pointer.

The picture is a PNG with a palette, sharp enough for a page and a tenth of the size of the file for print. The other
file is JSON: the position of the axes in the picture, their scales and limits, and every curve or bar with its label,
thinned to points that a pointer can distinguish. It is extracted from the finished drawing, so it works for any
kind of chart.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure as Drawing
from matplotlib.lines import Line2D
from PIL import Image

from dpbandits.figures import style
from dpbandits.files.traces import written_whole

WIDEST = 1900  # pixels
COLOURS = 64
APART = 5  # least distance of two points of a curve, in pixels of the picture
POINTS = (
    "points"  # the id of circles, which the picture leaves out: the page draws them over it, so that it can hide them
)


def save(drawing: Drawing, full: Image.Image, picture: str | Path, geometry: str | Path) -> None:
    """Write the picture, and the geometry of its axes and curves, and its circles, as JSON; `full`: the drawing's pixels."""
    circles = [line for ax in drawing.axes for line in ax.get_lines() if line.get_gid() == POINTS]
    if circles:
        with _hidden(circles):
            full = style.pixels(drawing)
    scale = min(1.0, WIDEST / full.width)
    small = full if scale == 1 else full.resize((WIDEST, round(scale * full.height)))
    with style.at(drawing, scale * style.DPI):
        points = [point for line in circles for point in _points(line, small.height)]
    # The octree is six times as fast as Pillow's default, and compressing harder saves a tenth in six times the time.
    small = small.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    with written_whole(picture) as file:
        small.save(file, format="png")
    shown = {"width": small.width, "height": small.height, "axes": axes_of(drawing, small.width), "points": points}
    with written_whole(geometry) as file:
        file.write(json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


@contextmanager
def _hidden(lines: list[Line2D]) -> Iterator[None]:
    for line in lines:
        line.set_visible(False)
    yield
    for line in lines:
        line.set_visible(True)


def _points(line: Line2D, height: int) -> list[list[Any]]:
    """The circles of a line that lie within its axes: pixels from the left and from the top of the picture, and the colour."""
    colour = to_hex(line.get_color())
    inside = line.axes.bbox
    return [
        [round(x, 1), round(height - y, 1), colour]
        for x, y in line.axes.transData.transform(line.get_xydata())
        if inside.contains(x, y)
    ]


def axes_of(drawing: Drawing, width: int) -> list[dict[str, Any]]:
    """Every pair of axes with curves or bars: its position, as fractions of the picture from the upper left, and these.

    `x` is the axis of the independent variable, `y` that of the values; of horizontal bars (`flat`) `x` is vertical.
    """
    found = []
    for ax in drawing.axes:
        bars = [c for c in ax.containers if isinstance(c, BarContainer) and c.patches]
        flat = any(bar.orientation == "horizontal" for bar in bars)
        box = ax.get_position()
        step = APART / (width * box.width)
        curves = [_thinned(curve, ax, step) for curve in (*_lines(ax), *_with_error_bars(ax))] if not flat else []
        curves += [_bars(bar, flat) for bar in bars]
        if not curves or not ax.axison:
            continue
        x = [ax.get_xlabel(), ax.get_xscale(), *_short(ax.get_xlim(), 7)]
        y = [ax.get_ylabel(), ax.get_yscale(), *_short(ax.get_ylim(), 7)]
        found.append(
            {
                "box": [round(value, 5) for value in (box.x0, 1 - box.y1, box.width, box.height)],
                "title": ax.get_title(),
                "x": y if flat else x,
                "y": x if flat else y,
                "flat": flat,
                "names": _names(ax.yaxis if flat else ax.xaxis) if bars else [],
                "curves": curves,
            }
        )
    return found


def _lines(ax: Axes) -> list[dict[str, Any]]:
    """Labelled lines with the bands of their colour."""
    bands = [_band(shape) for shape in ax.collections if isinstance(shape, PolyCollection) and len(shape.get_paths())]
    curves = []
    for line in ax.get_lines():
        if line.get_label().startswith("_"):
            continue
        curve = _curve(line, line.get_label())
        rounding = 1e-9 * np.abs(curve["y"])
        for colour, at, low, high in bands:
            same = colour == curve["colour"] and np.array_equal(at, curve["x"])
            if same and np.all((low <= curve["y"] + rounding) & (curve["y"] <= high + rounding)):
                curve |= {"low": low, "high": high}
        curves.append(curve)
    return curves


def _curve(line: Line2D, label: str) -> dict[str, Any]:
    x, y = (np.asarray(data, dtype=float) for data in line.get_data())
    curve = {"label": label, "colour": to_hex(line.get_color()), "x": x, "y": y}
    if line.get_drawstyle() == "steps-post":
        curve["steps"] = True
    _, dash = line._unscaled_dash_pattern  # matplotlib has no other name for a dash that is given as numbers
    return curve | {"dash": list(dash)} if dash else curve


def _band(shape: PolyCollection) -> tuple[str, np.ndarray, np.ndarray, np.ndarray]:
    """The colour of a filled band, and its lower and upper side at every x."""
    x, y = np.concatenate([path.vertices for path in shape.get_paths()]).T
    at, place = np.unique(x, return_inverse=True)
    low, high = np.full(len(at), np.inf), np.full(len(at), -np.inf)
    np.minimum.at(low, place, y)
    np.maximum.at(high, place, y)
    return to_hex(shape.get_facecolor()[0]), at, low, high


def _with_error_bars(ax: Axes) -> list[dict[str, Any]]:
    curves = []
    for container in ax.containers:
        if isinstance(container, ErrorbarContainer) and container.lines[0] is not None:
            line, _, bars = container.lines
            curve = _curve(line, container.get_label())
            if bars:
                ends = np.array(bars[0].get_segments())[:, :, 1]
                curve |= {"low": ends.min(axis=1), "high": ends.max(axis=1)}
            curves.append(curve)
    return curves


def _bars(bars: BarContainer, flat: bool) -> dict[str, Any]:
    """The bars of one label: their positions, their ends, and the ends of their error bars."""
    boxes = [bar.get_bbox() for bar in bars.patches]
    label = bars.get_label()
    curve = {
        "label": "" if label.startswith("_") else label,
        "colour": to_hex(bars.patches[0].get_facecolor()),
        "colours": [to_hex(bar.get_facecolor()) for bar in bars.patches],
        "x": _short([(box.y0 + box.y1) / 2 if flat else (box.x0 + box.x1) / 2 for box in boxes], 8),
        "y": _short([box.x1 if flat else box.y1 for box in boxes], 4),
    }
    if bars.errorbar is not None and bars.errorbar.lines[2]:
        sides = np.array(bars.errorbar.lines[2][0].get_segments())[:, :, 0 if flat else 1]
        curve |= {"low": _short(sides.min(axis=1), 4), "high": _short(sides.max(axis=1), 4)}
    return curve


def _names(axis: Axis) -> list[list[Any]]:
    """The names of the bars on their axis: positions and labels of its ticks."""
    return [
        [float(tick), label.get_text()]
        for tick, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
        if label.get_text()
    ]


def _thinned(curve: dict[str, Any], ax: Axes, step: float) -> dict[str, Any]:
    """The points within the axes at least `step` of their width apart; four digits are more than one can see."""
    place = ax.transAxes.inverted().transform(ax.transData.transform(np.column_stack([curve["x"], curve["y"]])))[:, 0]
    kept: list[int] = []
    for i in np.flatnonzero(np.isfinite(place) & (place >= -0.01) & (place <= 1.01) & np.isfinite(curve["y"])):
        if not kept or abs(place[i] - place[kept[-1]]) >= step or i == len(place) - 1:
            kept.append(int(i))
    digits = {"x": 8, "y": 4, "low": 4, "high": 4}
    return curve | {name: _short(curve[name][kept], digits[name]) for name in digits if name in curve}


def _short(values: Any, digits: int) -> list[float | int]:
    """Round numbers to that many digits; whole numbers become integers."""
    rounded = [float(f"{value:.{digits}g}") for value in values]
    return [int(value) if value.is_integer() else value for value in rounded]

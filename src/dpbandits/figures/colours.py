"""One colour and one marker for each policy: those of looks.csv, or those that a guest asks for.

Policies of one colour differ in the marker, and in the dash if a panel has several.
"""

import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import seaborn as sns

from dpbandits.looks import MARKERS
from dpbandits.studies.drawn_points import line_of
from dpbandits.studies.experiment import Experiment, Series
from dpbandits.studies.model import Panel

# From seaborn's palette for the colour-blind. Most are darker than seaborn's: thin lines need a
# contrast of at least 3 on white.
PALETTE = {
    "blue": "#0173b2",
    "orange": "#c07e0a",
    "green": "#029e73",
    "red": "#ab5008",
    "pink": "#b16aa4",
    "brown": "#795b42",
    "sky": "#4e9dc9",
    "olive": "#7d7d00",
    "violet": "#5a3c96",
    "black": "#000000",  # policies without privacy
}
GREY = "#6b6b6b"  # the last shade of a sweep in black
UNNAMED = sns.color_palette("dark").as_hex()[4:9:2]  # policies without a row in looks.csv
DASHES = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (1, 3))]
_TABLE = pd.read_csv(Path(__file__).parent / "data" / "looks.csv", comment="#", dtype=str)
LOOKS = {policy: (colour, marker) for policy, colour, marker in _TABLE.itertuples(index=False)}


class Look(NamedTuple):
    """How a line or a point looks."""

    colour: str
    dash: Any
    marker: str


def of_panel(panel: Panel, experiment: Experiment) -> dict[str, Look]:
    """The look of every series of a panel; the points of one line are alike."""
    first: dict[str, Series] = {}
    lines = line_of(panel, experiment)
    for id, line in lines.items():
        first.setdefault(line, experiment.series[id])
    result = looks({line: of_series(series) for line, series in first.items()})
    return {id: result[line] for id, line in lines.items()}


def looks(own: Mapping[str, tuple[str, str]]) -> dict[str, Look]:
    """Name -> its look beside the others, from the colour and the marker of each.

    Several with one colour and one marker, such as a sweep, have shades of this colour, from itself
    to a dark one, and different markers.
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for name, look in own.items():
        alike.setdefault(look, []).append(name)
    result, of_colour = {}, Counter()
    for (colour, marker), names in alike.items():
        shades = [colour]
        if len(names) > 1:
            last = GREY if colour == PALETTE["black"] else sns.dark_palette(colour, 9)[3]
            shades = sns.blend_palette([colour, last], max(4, len(names))).as_hex()
        for order, (name, shade) in enumerate(zip(names, shades, strict=False)):
            dash = DASHES[of_colour[colour] % len(DASHES)]
            its = MARKERS[(MARKERS.index(marker) + order) % len(MARKERS)]
            result[name] = Look(shade, dash, its)
            of_colour[colour] += 1
    return result


def of_series(series: Series) -> tuple[str, str]:
    """The colour and the marker of a series, whatever is drawn beside it."""
    return of_policy(series.algorithm, series.parameters, series.look)


def of_policy(
    module: str, parameters: Mapping[str, Any], chosen: tuple[str, str] | None = None
) -> tuple[str, str]:
    """The colour and the marker of a policy: the chosen ones, or those of its row in looks.csv.

    Without a row they follow from the name of the policy's module.
    """
    rows = [*(f"{module} {key}={value}" for key, value in parameters.items()), module]
    if look := chosen or next((LOOKS[row] for row in rows if row in LOOKS), None):
        return PALETTE[look[0]], look[1]
    marker, colour = divmod(zlib.crc32(module.encode()), len(UNNAMED))
    return UNNAMED[colour], MARKERS[marker % len(MARKERS)]


def marks(order: int) -> dict[str, Any]:
    """The size and the places of a line's markers: about six, other ones for each line."""
    return {"markersize": 4.5, "markevery": (0.03 + 0.02 * (order % 6), 0.14)}

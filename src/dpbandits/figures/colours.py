"""One colour and one marker for each policy: those that its class names as `look`.

Policies of one colour differ in the marker, and in the dash if a panel has several.
"""

import zlib
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import seaborn as sns

from dpbandits.errors import check_known
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
UNNAMED = sns.color_palette("dark").as_hex()[4:9:2]  # policies whose class names no look
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p", "h", "8"]
DASHES = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (1, 3))]


class Look(NamedTuple):
    """How a line or a point looks."""

    colour: str
    dash: Any
    marker: str


def of_panel(panel: Panel, experiment: Experiment) -> dict[str, Look]:
    """The look of every series of a panel; the points of one line are alike."""
    series, first = experiment.series, {}
    lines = line_of(panel, experiment)
    for id, line in lines.items():
        first.setdefault(line, series[id])
    result = looks(first.values())
    return {id: result[first[line].id] for id, line in lines.items()}


def looks(drawn: Iterable[Series]) -> dict[str, Look]:
    """Series -> its look beside the others.

    Several series of one policy have shades of its colour, from its own to a dark one, and
    different markers.
    """
    groups: dict[tuple[str, str], list[Series]] = {}
    for series in drawn:
        groups.setdefault(own_look(series), []).append(series)
    result, of_colour = {}, Counter()
    for (colour, marker), group in groups.items():
        last = GREY if colour == PALETTE["black"] else sns.dark_palette(colour, 9)[1]
        shades = sns.blend_palette([colour, last], max(4, len(group))).as_hex()
        for order, (series, shade) in enumerate(zip(group, shades, strict=False)):
            dash = DASHES[of_colour[colour] % len(DASHES)]
            result[series.id] = Look(
                shade, dash, MARKERS[(MARKERS.index(marker) + order) % len(MARKERS)]
            )
            of_colour[colour] += 1
    return result


def own_look(series: Series) -> tuple[str, str]:
    """The colour and the marker of a policy, whatever is drawn beside it.

    If its class names none (a base class does not count), they follow from the module's name.

    Raises
    ------
    InputError
        If the class names an unknown colour or marker.
    """
    policy = series.as_written  # no look depends on the calibrated epsilon of an arena
    if "look" not in vars(type(policy)):
        marker, colour = divmod(zlib.crc32(series.algorithm.encode()), len(UNNAMED))
        return UNNAMED[colour], MARKERS[marker % len(MARKERS)]
    colour, marker = policy.look
    check_known(f"{policy.file()}: look", "colour", [colour], PALETTE)
    check_known(f"{policy.file()}: look", "marker", [marker], MARKERS)
    return PALETTE[colour], marker

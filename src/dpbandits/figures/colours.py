"""One colour and one marker for each algorithm, from seaborn's palette for the colour-blind.

To give an algorithm another look, change its line in LOOKS. Algorithms of one colour differ in the
marker, and in the dash if a panel has several.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import cycle
from typing import Any, NamedTuple

import seaborn as sns

from dpbandits.studies.drawn_points import line_of
from dpbandits.studies.experiment import Experiment, Series
from dpbandits.studies.model import Panel

# Most are darker than seaborn's: thin lines need a contrast of at least 3 on white.
BLUE, ORANGE, GREEN, RED, PINK = "#0173b2", "#c07e0a", "#029e73", "#ab5008", "#b16aa4"
BROWN, SKY, OLIVE, VIOLET = "#795b42", "#4e9dc9", "#7d7d00", "#5a3c96"
BLACK, GREY = "#000000", "#6b6b6b"  # policies without privacy, and the last shade of a sweep of one

# The colour and the marker of an algorithm. "private_ucb(failure_prob)" is private_ucb with this
# parameter, "anytime_ncb(game=ldp_ncb)" is anytime_ncb with this value.
LOOKS = {
    "adap_klucb": (BLUE, "o"),
    "adap_ucb": (RED, "s"),
    "adap_ucb_as_drawn": (RED, "s"),
    "dp_se": (GREEN, "D"),
    "private_ucb(failure_prob)": (ORANGE, "^"),  # DP-UCB of azize2022
    "gdp_ncb": (PINK, "P"),
    "ldp_ncb": (SKY, "X"),
    "anytime_ncb(game=gdp_ncb)": (ORANGE, "<"),
    "anytime_ncb(game=ldp_ncb)": (BLUE, ">"),
    "ldp_ucb": (BROWN, "^"),
    "ldp_ucb_clipped": (BROWN, "^"),
    "private_ucb": (ORANGE, "s"),
    "dp_ucb_bound": (RED, "<"),
    "dp_ucb": (GREEN, "P"),
    "dp_ucb_int": (BLUE, "v"),
    "dp_exp3_lap": (SKY, "D"),
    "exp3_tau": (RED, "X"),
    "private_ucb_tuned": (SKY, "o"),
    "private_ucb_clipped": (BROWN, "D"),
    "private_thompson": (RED, "D"),
    "private_thompson_gap": (PINK, "v"),
    "private_lin_ucb": (BLUE, "s"),
    "private_lin_ts": (RED, "^"),
    "explore_then_commit": (BROWN, "*"),
    "explore_then_commit(noise=gaussian)": (OLIVE, "*"),
    "explore_then_commit(noise=local)": (PINK, "*"),
    "ldp_epsilon_greedy": (ORANGE, "p"),
    "dp_klucb": (PINK, "o"),
    "dp_imed": (SKY, "v"),
    "adac_ucb": (RED, "P"),
    "rr_kl_ucb": (VIOLET, "D"),
    "ldp_ucb_b": (VIOLET, "<"),
    "dist_dp_se": (GREEN, "s"),
    "dist_rdp_se": (GREEN, "^"),
    "lazy_dp_ts": (RED, "p"),
    "dp_ts": (BLUE, "h"),
    "anytime_lazy_ucb": (ORANGE, "8"),
}
WITHOUT_PRIVACY = {
    "ucb": "o", "ucb_tuned": "s", "ncb": "D", "kl_ucb": "^", "imed": "v", "lin_ucb": "<",
    "thompson": "P", "delayed_thompson": "*", "delayed_ucb_tuned": "h",
    "exp3": "X", "lin_ts": ">", "uniform": "p",
}  # fmt: skip
LOOKS |= {algorithm: (BLACK, marker) for algorithm, marker in WITHOUT_PRIVACY.items()}
OTHER_LOOKS = [
    (colour, marker) for marker in "*ph8" for colour in sns.color_palette("dark").as_hex()[4:9:2]
]
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
    result = looks(first.values(), series.values())
    return {id: result[first[line].id] for id, line in lines.items()}


def looks(drawn: Iterable[Series], among: Iterable[Series]) -> dict[str, Look]:
    """Series -> its look beside the series in `drawn`; `among`: all series that may be drawn.

    Several series of one algorithm have shades of its colour, from its own to a dark one, and
    different markers. Algorithms that are not in LOOKS have looks from OTHER_LOOKS.
    """
    further = sorted({_name(series) for series in among} - LOOKS.keys())
    own = LOOKS | dict(zip(further, cycle(OTHER_LOOKS), strict=False))
    groups: dict[tuple[str, str], list[Series]] = {}
    for series in drawn:
        groups.setdefault(own[_name(series)], []).append(series)
    result, of_colour = {}, Counter()
    for (colour, marker), group in groups.items():
        last = GREY if colour == BLACK else sns.dark_palette(colour, 9)[1]
        shades = sns.blend_palette([colour, last], max(4, len(group))).as_hex()
        for order, (series, shade) in enumerate(zip(group, shades, strict=False)):
            dash = DASHES[of_colour[colour] % len(DASHES)]
            result[series.id] = Look(
                shade, dash, MARKERS[(MARKERS.index(marker) + order) % len(MARKERS)]
            )
            of_colour[colour] += 1
    return result


def _name(series: Series) -> str:
    """The key in LOOKS. An algorithm of games that is played on arms has the same key."""
    algorithm = str(series.algorithm).removesuffix("_on_arms")
    parameters = series.parameters.items()
    special = (
        f"{algorithm}({key})"
        for parameter, value in parameters
        for key in (parameter, f"{parameter}={value}")
    )
    return next((name for name in special if name in LOOKS), algorithm)

"""One colour and one marker per algorithm, in all figures of all papers and of the arena.

To give an algorithm another colour, change its line in LOOKS. The hues are those of Okabe & Ito and of Paul Tol's muted
scheme, which colour-blind readers can tell apart. Algorithms of one hue differ in the marker, and in the dash if a panel
has several. Several lines of one algorithm in a panel have shades of its hue.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import to_hex, to_rgb

from dpbandits.studies.study import Experiment, Panel, Series

BLUE, VERMILLION, GREEN, ORANGE, SKY = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9"  # Okabe & Ito
PINK, PURPLE, WINE, TEAL, OLIVE, INDIGO = "#DC86B4", "#AA4499", "#882255", "#44AA99", "#999933", "#332288"  # mostly Tol
BLACK, GREY = "#000000", "#777777"  # without privacy
BROWN, ROSE, MAROON = "#8C6D46", "#F08080", "#661100"  # of algorithms that are not in LOOKS

# The hue and the marker of an algorithm; "private_ucb(failure_prob)": of private_ucb if it is given this parameter, and
# "anytime_ncb(game=ldp_ncb)": of anytime_ncb if it is given this value.
LOOKS = {
    "adap_klucb": (BLUE, "o"),
    "adap_ucb": (VERMILLION, "s"),
    "adap_ucb_as_drawn": (VERMILLION, "s"),
    "dp_se": (GREEN, "D"),
    "private_ucb(failure_prob)": (ORANGE, "^"),  # DP-UCB of azize2022
    "gdp_ncb": (PURPLE, "P"),
    "ldp_ncb": (TEAL, "X"),
    "anytime_ncb(game=gdp_ncb)": (ORANGE, "<"),
    "anytime_ncb(game=ldp_ncb)": (BLUE, ">"),
    "ldp_ucb": (OLIVE, "^"),
    "ldp_ucb_clipped": (OLIVE, "^"),
    "private_ucb": (ORANGE, "s"),
    "dp_ucb_bound": (WINE, "^"),
    "dp_ucb": (GREEN, "P"),
    "dp_ucb_int": (INDIGO, "v"),
    "dp_exp3_lap": (SKY, "D"),
    "exp3_tau": (VERMILLION, "X"),
    "private_ucb_tuned": (SKY, "o"),
    "private_ucb_tuned(interval=ucb1)": (OLIVE, "o"),
    "private_thompson": (WINE, "D"),
    "private_thompson_gap": (PINK, "v"),
    "private_lin_ucb": (BLUE, "s"),
    "private_lin_ts": (VERMILLION, "^"),
    "explore_then_commit": (OLIVE, "*"),
    "explore_then_commit(noise=gaussian)": (SKY, "*"),
    "explore_then_commit(noise=local)": (TEAL, "*"),
    "ldp_epsilon_greedy": (WINE, "p"),
    "dp_klucb": (PURPLE, "o"),
    "dp_imed": (TEAL, "v"),
    "adac_ucb": (VERMILLION, "P"),
    "rr_kl_ucb": (BLUE, "D"),
    "dist_dp_se": (GREEN, "s"),
    "ucb": (BLACK, "o"),
    "ucb_tuned": (BLACK, "s"),
    "ncb": (BLACK, "D"),
    "kl_ucb": (BLACK, "^"),
    "imed": (BLACK, "v"),
    "lin_ucb": (GREY, "v"),
    "thompson": (GREY, "o"),
    "exp3": (GREY, "s"),
    "lin_ts": (GREY, "P"),
    "uniform": (GREY, "X"),
}
OTHERS = [(hue, marker) for marker in "*ph8" for hue in (BROWN, ROSE, MAROON)]
DASHES = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 3))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p", "h", "8"]
LIGHTEST, DARKEST = 72, 26  # of a sweep, in CIE lightness
STEPS = [75, 30, 52, 63, 41]  # the lightness of further policies of an algorithm


class Look(NamedTuple):
    """How a line or a bar looks."""

    colour: str
    dash: Any
    marker: str
    order: int  # among those of the same algorithm in the panel

    @property
    def line(self) -> dict[str, Any]:
        """Options of a line."""
        return {"color": self.colour, "linestyle": self.dash, "marker": self.marker}


def of_panel(panel: Panel, experiment: Experiment) -> dict[str, Look]:
    """The look of every series of a panel; the points of one line are alike."""
    shown = [experiment.series[name] for name in panel.series]
    lines: dict[str, list[Series]] = {}
    for series in shown:
        lines.setdefault(series.policy if panel.along else series.id, []).append(series)
    found = looks([points[0] for points in lines.values()], experiment.series.values())
    return {series.id: found[points[0].id] for points in lines.values() for series in points}


def looks(drawn: Sequence[Series], among: Iterable[Series]) -> dict[str, Look]:
    """Series -> its look in a panel that draws these; `among`: all series of the experiment, or of the arena.

    Of a sweep, every series has a shade, from light to dark. Of several policies of one algorithm, the first has the
    algorithm's hue and the others have other shades of it.
    """
    others = sorted({_name(series) for series in among} - LOOKS.keys())
    own = LOOKS | dict(zip(others, cycle(OTHERS), strict=False))
    alike: dict[tuple[str, str], list[Series]] = {}
    for series in drawn:
        alike.setdefault(own[_name(series)], []).append(series)
    found, of_hue = {}, Counter()
    for (hue, marker), same in alike.items():
        shades = _shades(hue, len(same), sweep=len({series.policy for series in same}) < len(same))
        for order, (series, colour) in enumerate(zip(same, shades, strict=True)):
            dash, own_marker = of_hue[hue] % len(DASHES), (MARKERS.index(marker) + order) % len(MARKERS)
            found[series.id] = Look(colour, DASHES[dash], MARKERS[own_marker], order)
            of_hue[hue] += 1
    return found


def _name(series: Series) -> str:
    """The key in LOOKS; an algorithm of games that is played on arms is the same one."""
    algorithm = str(series.algorithm).removesuffix("_on_arms")
    given = series.parameters.items()
    special = (f"{algorithm}({key})" for parameter, value in given for key in (parameter, f"{parameter}={value}"))
    return next((name for name in special if name in LOOKS), algorithm)


def _shades(hue: str, number: int, sweep: bool) -> list[str]:
    if sweep:
        return [shade(hue, lightness) for lightness in np.linspace(LIGHTEST, DARKEST, number)]
    steps = [step for step in STEPS if abs(step - lightness_of(hue)) > 10]
    return [hue, *(shade(hue, steps[order % len(steps)]) for order in range(number - 1))]


def shade(hue: str, lightness: float) -> str:
    """The hue mixed with white or black, so that it has this CIE lightness (0 to 100)."""
    light, (own, wanted) = _linear(hue), (_luminance(_linear(hue)), ((lightness + 16) / 116) ** 3)
    mixed = light * wanted / own if wanted < own else light + (1 - light) * (wanted - own) / (1 - own)
    return to_hex(np.where(mixed <= 0.0031308, 12.92 * mixed, 1.055 * mixed ** (1 / 2.4) - 0.055).clip(0, 1))


def lightness_of(colour: str) -> float:
    """The CIE lightness of a colour, 0 for black and 100 for white."""
    return 116 * np.cbrt(max(_luminance(_linear(colour)), (16 / 116) ** 3)) - 16


def _linear(colour: str) -> np.ndarray:
    """Red, green and blue as amounts of light, which add up when colours are mixed."""
    values = np.array(to_rgb(colour))
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _luminance(linear: np.ndarray) -> float:
    return float(linear @ (0.2126, 0.7152, 0.0722))

"""Golden pictures: a small figure of every kind is the same to the pixel.

`PYTHONPATH=tests python tests/figures/test_golden.py` draws them again.
"""

import platform
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from dpbandits import figures
from dpbandits.figures import colours, heatmaps, style
from figures import toys

FOLDER = Path(__file__).parent / "golden"
LOCKED = (
    platform.system() == "Linux" and platform.machine() == "x86_64" and mpl.__version__ == "3.11.2"
)


def curves():
    """Bands, a bound, a regime, the authors' points, another statistic, and the median."""
    numbers = toys.summary(median=0.9)
    numbers.loc[numbers["policy"] == "b", "median_of_means"] *= 0.8
    bound = {"overlay": {"bound": "azize2022_theorem_3"}, "regimes": "azize2022_crossings"}
    drawn = {"points": {"fig1": toys.points("a", "b")}, "reading_name": "published reading"}
    return toys.figure_of(toys.panel(drawn_as="fig1", **bound), numbers=numbers, **drawn)


def grid():
    """Two panels with a common legend below them, one of a sweep in shades."""
    sweep = [toys.series(f"a-{n}", "gdp_ncb", "a", epsilon=1.0) for n in range(3)]
    played = toys.experiment(*sweep, toys.series("b"))
    panels = toys.panel(played), toys.panel(played, toys.LINEAR, "Another")
    return toys.figure_of(*panels, played=played)


def along():
    played = toys.experiment(*toys.sweep("dp_se", "epsilon", (0.1, 1.0, 10.0)))
    panel = toys.panel(played, along="epsilon", regimes="azize2022_crossings")
    return toys.figure_of(panel, played=played)


def points():
    second = toys.series("b", "private_lin_ucb", eps0=1.0)
    played = toys.experiment(toys.series("a", "lin_ucb"), second)
    panels = [toys.panel(played, toys.LINEAR, group=group, baseline=2.0) for group in ("x", "y")]
    return toys.figure_of(*panels, played=played, kind="points")


FIGURES = {builder.__name__: builder for builder in (curves, grid, along, points)}
DIAGRAMS = {kind: lambda kind=kind: toys.figure_of(kind=kind) for kind in figures.diagrams.DIAGRAMS}


def numbers(ax):
    table = pd.DataFrame({"x": [1.0, np.nan], "y": [20.0, 3000.0]}, index=["a policy", "b"])
    heatmaps.numbers(ax, table, mpl.colors.LogNorm(1, 3000))


def winners(ax):
    best = pd.DataFrame({"1": ["a", "b"], "2": ["b", None]}, index=["an instance", "another"])
    looks = {"a": colours.Look("#029e73", "-", "D"), "b": colours.Look("#000000", "-", "o")}
    heatmaps.winners(ax, best, best == "a", looks)


MAPS = {builder.__name__: builder for builder in (numbers, winners)}


def draw(name, output):
    if name in MAPS:
        with style.applied():
            drawing = mpl.figure.Figure((4, 3))
            MAPS[name](drawing.subplots())
            style.save(drawing, [output])
    else:
        figures.draw(*(FIGURES | DIAGRAMS)[name](), [output])
    with Image.open(output) as picture:
        return picture.convert("RGB").reduce(2)


@pytest.mark.skipif(not LOCKED, reason="the pixels of another platform or matplotlib may differ")
@pytest.mark.parametrize("name", [*FIGURES, *DIAGRAMS, *MAPS])
def test_a_figure_looks_as_it_did(name, tmp_path):
    drawn = np.asarray(draw(name, tmp_path / "drawn.png"), dtype=int)
    with Image.open(FOLDER / f"{name}.png") as golden:
        known = np.asarray(golden.convert("RGB"), dtype=int)
    assert drawn.shape == known.shape
    assert np.abs(drawn - known).max() <= 2, (
        f"another picture than {FOLDER.name}/{name}.png; if meant so, draw it anew"
    )


if __name__ == "__main__":
    for name in [*FIGURES, *DIAGRAMS, *MAPS]:
        path = FOLDER / f"{name}.png"
        draw(name, path).save(path, optimize=True)
        print(path, path.stat().st_size)

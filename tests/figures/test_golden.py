"""Golden pictures: a small figure of every kind is the same to the pixel.

`PYTHONPATH=tests python tests/figures/test_golden.py` draws them again.
"""

import platform
from functools import partial
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from arena.fields import ARENA
from PIL import Image

from dpbandits.figures import arena, diagrams
from figures import test_arena, toys

FOLDER = Path(__file__).parent / "golden"
LOCKED = (
    platform.system() == "Linux" and platform.machine() == "x86_64" and mpl.__version__ == "3.11.2"
)


def curves(**outputs):
    """Bands, a bound, a regime, the authors' points, another statistic, and the median."""
    numbers = toys.summary(median=0.9)
    numbers.loc[numbers["policy"] == "b", "median_of_means"] *= 0.8
    bound = {"overlay": {"bound": "azize2022_theorem_3"}, "regimes": "azize2022_crossings"}
    drawn = {"points": {"fig1": toys.points("a", "b")}, "reading_name": "published reading"}
    return toys.draw(toys.panel(drawn_as="fig1", **bound), numbers=numbers, **drawn, **outputs)


def grid(**outputs):
    """Two panels with a common legend below them, one of a sweep in shades."""
    sweep = [toys.series(f"a-{n}", "gdp_ncb", "a", epsilon=1.0) for n in range(3)]
    played = toys.experiment(*sweep, toys.series("b"))
    panels = toys.panel(played), toys.panel(played, toys.LINEAR, "Another")
    return toys.draw(*panels, played=played, **outputs)


def along(**outputs):
    played = toys.experiment(*toys.sweep("dp_se", "epsilon", (0.1, 1.0, 10.0)))
    panel = toys.panel(played, along="epsilon", regimes="azize2022_crossings")
    return toys.draw(panel, played=played, **outputs)


def points(**outputs):
    second = toys.series("b", "private_lin_ucb", eps0=1.0)
    played = toys.experiment(toys.series("a", "lin_ucb"), second)
    panels = [toys.panel(played, toys.LINEAR, group=group, baseline=2.0) for group in ("x", "y")]
    return toys.draw(*panels, played=played, kind="points", **outputs)


PANELS = {builder.__name__: builder for builder in (curves, grid, along, points)}
FIGURES = {
    **PANELS,
    **{kind: partial(toys.draw, kind=kind) for kind in diagrams.DIAGRAMS},
    "scores": partial(arena.draw, "scores", ARENA, test_arena.STEADY),
    "winners": partial(arena.draw, "winners", ARENA, test_arena.CLOSE),
}


def draw(name, file):
    FIGURES[name](outputs=[file])
    with Image.open(file) as picture:
        return picture.convert("RGB").reduce(2)


@pytest.mark.skipif(not LOCKED, reason="the pixels of another platform or matplotlib may differ")
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_looks_as_it_did(name, tmp_path):
    drawn = np.asarray(draw(name, tmp_path / "drawn.png"), dtype=int)
    with Image.open(FOLDER / f"{name}.png") as golden:
        known = np.asarray(golden.convert("RGB"), dtype=int)
    assert drawn.shape == known.shape
    assert np.abs(drawn - known).max() <= 2, (
        f"another picture than {FOLDER.name}/{name}.png; if meant so, draw it anew"
    )


if __name__ == "__main__":
    for name in FIGURES:
        path = FOLDER / f"{name}.png"
        draw(name, path).save(path, optimize=True)
        print(path, path.stat().st_size)

"""The picture of a figure for the page, and what the page knows of its curves and bars."""

import json
import math

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image
from project import ROOT
from reference_tables import at_smoke_scale

from dpbandits import figures, studies
from dpbandits.figures import screen, style

PAPER = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")


def picture_of(drawing, tmp_path):
    screen.save(drawing, style.pixels(drawing), tmp_path / "p.png", tmp_path / "p.json")
    plt.close(drawing)
    return json.loads((tmp_path / "p.json").read_text())


def test_a_picture_for_the_screen_changes_nothing_in_the_figure(tmp_path):
    figure, read = PAPER.figures["fig2a"], {"fig2a": at_smoke_scale("tossou2016", "fig2a")}
    alone, beside = tmp_path / "a.pdf", tmp_path / "b.pdf"
    figures.draw(figure, PAPER.experiments, read, "default", [alone])
    figures.draw(figure, PAPER.experiments, read, "default", [beside], (tmp_path / "p.png", tmp_path / "p.json"))
    assert alone.read_bytes() == beside.read_bytes()
    first = [(tmp_path / f"p.{kind}").read_bytes() for kind in ("png", "json")]
    figures.draw(figure, PAPER.experiments, read, "default", [], (tmp_path / "p.png", tmp_path / "p.json"))
    assert [(tmp_path / f"p.{kind}").read_bytes() for kind in ("png", "json")] == first


def test_the_picture_leaves_out_circles_and_their_places_are_beside_it(tmp_path):
    shown, pictures = [], []
    for x in ([2, 5, 20], []):
        drawing, ax = plt.subplots(figsize=(4, 3))
        ax.plot([0, 10], [0, 10], label="curve", color="#112233")
        (circles,) = ax.plot(x, x, "o", color="#112233", gid=screen.POINTS)
        ax.set(xlim=(0, 10), ylim=(0, 10))
        box = ax.get_position()
        shown.append(picture_of(drawing, tmp_path))
        pictures.append((tmp_path / "p.png").read_bytes())
        assert circles.get_visible()
    assert [curve["label"] for curve in shown[0]["axes"][0]["curves"]] == ["curve"]
    first, second = shown[0]["points"]  # the third is outside
    assert first[2] == second[2] == "#112233"
    assert first[0] == pytest.approx(4 * style.DPI * (box.x0 + 0.2 * box.width), abs=0.1)
    assert first[1] == pytest.approx(3 * style.DPI * (1 - box.y0 - 0.2 * box.height), abs=0.1)
    assert shown[1]["points"] == []
    assert pictures[0] == pictures[1]


def test_the_geometry_of_a_line_with_its_band(tmp_path):
    drawing, ax = plt.subplots(figsize=(4, 3))
    t = np.arange(1, 1001)
    ax.plot(t, 2.0 * t, label="a <b>", color="#112233")
    ax.fill_between(t, 2.0 * t, 3.0 * t, color="#112233", alpha=0.2, linewidth=0)
    ax.plot(t, 0 * t, label="_hidden")
    ax.set(xscale="log", xlim=(1, 1000), ylim=(0, 4000), xlabel="t")
    box = ax.get_position()
    shown = picture_of(drawing, tmp_path)
    with Image.open(tmp_path / "p.png") as picture:
        assert picture.size == (shown["width"], shown["height"]) == (4 * style.DPI, 3 * style.DPI)
        assert picture.mode == "P"
    (axes,) = shown["axes"]
    assert axes["box"] == pytest.approx([box.x0, 1 - box.y1, box.width, box.height], abs=1e-4)
    assert axes["x"] == ["t", "log", 1, 1000]
    (curve,) = axes["curves"]
    assert (curve["label"], curve["colour"]) == ("a <b>", "#112233")
    x = np.array(curve["x"])
    assert (x[0], x[-1]) == (1, 1000)
    assert 20 < len(x) < 4 * style.DPI / screen.APART
    assert np.diff(np.log(x[:-1])).min() * shown["width"] * box.width / math.log(1000) >= screen.APART - 0.01
    for side, slope in (("y", 2), ("low", 2), ("high", 3)):
        assert np.array(curve[side]) == pytest.approx(slope * x, rel=1e-3)


def test_the_geometry_of_steps_and_dashes(tmp_path):
    drawing, ax = plt.subplots()
    ax.step([1, 2, 3], [0.2, 0.5, 1], where="post", label="steps", linestyle=(0, (5, 1.5)))
    ax.plot([1, 2, 3], [0.2, 0.5, 1], label="line")
    (axes,) = picture_of(drawing, tmp_path)["axes"]
    steps, line = axes["curves"]
    assert (steps["steps"], steps["dash"]) == (True, [5, 1.5])
    assert not {"steps", "dash"} & set(line)
    assert (steps["x"], steps["y"]) == (line["x"], line["y"]) == ([1, 2, 3], [0.2, 0.5, 1])


def test_the_geometry_of_bars_and_of_error_bars(tmp_path):
    drawing, (left, right) = plt.subplots(1, 2)
    left.bar([0, 1], [3.0, 5.0], yerr=[0.5, 1.0], label="height", color="#445566")
    left.set_xticks([0, 1], ["one", "two"])
    right.errorbar([1, 2], [10, 20], yerr=[[1, 2], [3, 4]], label="line", color="#778899")
    right.errorbar([1, 2], [5, 6], label="bare")
    bars, lines = picture_of(drawing, tmp_path)["axes"]
    (bar,) = bars["curves"]
    assert bars["names"] == [[0, "one"], [1, "two"]]
    assert bar == {
        "label": "height", "colour": "#445566", "colours": ["#445566"] * 2,
        "x": [0, 1], "y": [3, 5], "low": [2.5, 4], "high": [3.5, 6],
    }  # fmt: skip
    line, bare = lines["curves"]
    assert (line["low"], line["high"]) == ([9, 18], [13, 24])
    assert "low" not in bare


def test_the_geometry_of_horizontal_bars(tmp_path):
    drawing, ax = plt.subplots(figsize=(5, 3))
    ax.barh([0, 1], [30.0, 50.0], xerr=[[1, 2], [3, 4]], color=["#445566", "#665544"])
    ax.set_yticks([0, 1], ["upper", "lower"])
    ax.set(xlabel="regret", xlim=(0, 60))
    ax.invert_yaxis()
    (axes,) = picture_of(drawing, tmp_path)["axes"]
    assert axes["flat"] is True
    assert axes["names"] == [[0, "upper"], [1, "lower"]]
    assert axes["y"] == ["regret", "linear", 0, 60]
    assert axes["x"][2] > 1 > 0 > axes["x"][3]  # upside down, as drawn
    (bars,) = axes["curves"]
    assert (bars["x"], bars["y"], bars["low"], bars["high"]) == ([0, 1], [30, 50], [29, 48], [33, 54])
    assert bars["colours"] == ["#445566", "#665544"]


def test_a_diagram_has_nothing_to_point_at(tmp_path):
    diagram = next(f for f in PAPER.figures.values() if f.kind.endswith("diagram"))
    figures.draw(diagram, {}, {}, "default", [], (tmp_path / "p.png", tmp_path / "p.json"))
    assert json.loads((tmp_path / "p.json").read_text())["axes"] == []

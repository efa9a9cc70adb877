"""The files of a figure: same bytes everywhere, nothing clipped, no other style changed."""

import io
import os
import re
import subprocess
import sys
import zlib

import matplotlib as mpl
import pytest
from fontTools import ttLib
from PIL import Image
from project import ROOT

from dpbandits import figures
from dpbandits.figures import style
from dpbandits.studies.drawn_points import ID_IN_SVG
from figures import test_golden, toys

KINDS = ("pdf", "png", "svg")


def draw_into(folder):
    """The golden curves in every format."""
    figures.draw(*test_golden.curves(), [folder / f"a.{kind}" for kind in KINDS])


def test_a_figure_has_the_same_bytes_in_another_process_and_folder_and_whatever_was_set_before(
    tmp_path,
):
    with mpl.rc_context({"lines.linewidth": 9, "font.size": 20}):
        draw_into(tmp_path / "mine")
        assert mpl.rcParams["lines.linewidth"] == 9
    code = (
        "import pathlib; from figures.test_files import draw_into; draw_into(pathlib.Path('other'))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env=environment)
    for kind in KINDS:
        content = (tmp_path / f"mine/a.{kind}").read_bytes()
        assert content == (tmp_path / f"other/a.{kind}").read_bytes()
        assert b"CreationDate" not in content
        assert b"dc:date" not in content
    fonts = re.findall(
        rb"/Length1 .*?stream\s+(.*?)\s+endstream",
        (tmp_path / "mine/a.pdf").read_bytes(),
        re.DOTALL,
    )
    tables = set().union(
        *(ttLib.TTFont(io.BytesIO(zlib.decompress(font))).keys() for font in fonts)
    )
    assert tables >= {"glyf", "hmtx", "loca"}
    assert tables.isdisjoint(style.LAYOUT)
    assert ttLib.getCustomTableClass(style.LAYOUT[0]) is None  # fontTools is for others as it was
    # Of the SVG, the last of them: curves and circles have names.
    assert all(f'<g id="{name}">' in content.decode() for name in ("a", "b", ID_IN_SVG))


NUMBERS = toys.summary(toys.PLAYED)


@pytest.mark.parametrize(
    ("change", "is_another"),
    [
        ({}, False),
        # Another processor rounds the last bits differently, another font changes the layout.
        ({"numbers": NUMBERS.assign(mean=NUMBERS["mean"] * (1 + 1e-12))}, False),
        ({"font": 14}, False),
        ({"numbers": NUMBERS.query("policy == 'a'")}, True),
        ({"numbers": NUMBERS.assign(gmd_above=1.001 * NUMBERS["gmd_above"])}, True),
        ({"title": "Another title"}, True),
        ({"axes": toys.LINEAR}, True),
    ],
)
def test_the_digest_of_a_figure_is_that_of_its_data(change, is_another, tmp_path, monkeypatch):
    def drawn(title="A panel", axes=toys.LOG, numbers=None, font=9):
        monkeypatch.setitem(style.SETTINGS, "font.size", font)
        panel = toys.panel(toys.PLAYED, axes, title)
        figures.draw(*toys.figure_of(panel, numbers=numbers), [tmp_path / "a.digest"])
        return (tmp_path / "a.digest").read_text()

    before = drawn()
    assert re.fullmatch(r"[0-9a-f]{64}\n", before)
    assert (drawn(**change) != before) == is_another


@pytest.mark.parametrize("name", test_golden.FIGURES)
def test_nothing_is_clipped_and_no_text_lies_on_another(name):
    drawing = figures.draw(*test_golden.FIGURES[name]())
    renderer, frame = drawing._get_renderer(), drawing.bbox
    boxes = [ax.get_tightbbox(renderer) for ax in drawing.axes]
    boxes += [
        text.get_window_extent(renderer) for text in (drawing._suptitle, drawing._supxlabel) if text
    ]
    assert len(boxes) > len(drawing.axes)
    for i, box in enumerate(boxes):
        assert frame.x0 - 1 <= box.x0 < box.x1 <= frame.x1 + 1
        assert frame.y0 - 1 <= box.y0 < box.y1 <= frame.y1 + 1
        for other in boxes[i + 1 :]:
            width, height = (
                min(box.x1, other.x1) - max(box.x0, other.x0),
                min(box.y1, other.y1) - max(box.y0, other.y0),
            )
            assert width < 2 or height < 2


def test_a_preview_is_small(tmp_path):
    draw_into(tmp_path)
    figures.preview([tmp_path / "a.png"] * 2, tmp_path / "preview.png")
    with Image.open(tmp_path / "preview.png") as preview:
        assert preview.width == 2 * 672

"""The files of a figure: same bytes everywhere, nothing clipped, no other style changed."""

import io
import re
import zlib

import matplotlib as mpl
import pytest
from fontTools import ttLib
from matplotlib.transforms import Bbox
from PIL import Image
from project import in_a_fork

from dpbandits import figures
from dpbandits.figures import style
from dpbandits.studies.drawn_points import ID_IN_SVG
from figures import test_golden, toys

KINDS = ("pdf", "png", "svg")


def draw_into(folder):
    """The golden curves in every format."""
    test_golden.curves(outputs=[folder / f"a.{kind}" for kind in KINDS])


def test_a_figure_has_the_same_bytes_in_another_process_and_folder_and_whatever_was_set_before(
    tmp_path,
):
    with mpl.rc_context({"lines.linewidth": 9, "font.size": 20}):
        draw_into(tmp_path / "a")
        assert mpl.rcParams["lines.linewidth"] == 9
    assert in_a_fork(draw_into, tmp_path / "b") == 0
    made = {kind: (tmp_path / f"a/a.{kind}").read_bytes() for kind in KINDS}
    assert made == {kind: (tmp_path / f"b/a.{kind}").read_bytes() for kind in KINDS}
    assert not any(re.search(b"CreationDate|dc:date", content) for content in made.values())
    # Curves and circles have names.
    assert all(f'<g id="{name}">'.encode() in made["svg"] for name in ("a", "b", ID_IN_SVG))
    fonts = re.findall(rb"/Length1 .*?stream\s+(.*?)\s+endstream", made["pdf"], re.DOTALL)
    fonts = [ttLib.TTFont(io.BytesIO(zlib.decompress(font))) for font in fonts]
    tables = {name for font in fonts for name in font.keys()}  # noqa: SIM118
    assert tables >= {"glyf", "hmtx", "loca"}
    assert tables.isdisjoint(style.LAYOUT)
    assert ttLib.getCustomTableClass(style.LAYOUT[0]) is None  # fontTools is for others as it was
    figures.preview([tmp_path / "a/a.png"] * 2, tmp_path / "preview.png")
    with Image.open(tmp_path / "preview.png") as preview:
        assert preview.width == pytest.approx(toys.draw(toys.panel()).bbox.width, abs=1)


def test_a_note_breaks_no_name_at_its_hyphen():
    drawing = toys.draw(toys.panel())
    style.annotate(drawing, " ".join(["DP-UCB-INT"] * 40))
    assert {*drawing.get_supxlabel().split()} == {"DP-UCB-INT"}


NUMBERS = toys.summary()
CHANGES = [  # whether another digest follows
    ({}, False),
    # Another processor rounds the last bits differently, another font changes the layout.
    ({"numbers": NUMBERS.assign(mean=NUMBERS["mean"] * (1 + 1e-12))}, False),
    ({"font": 14}, False),
    ({"numbers": NUMBERS.query("policy == 'a'")}, True),
    ({"numbers": NUMBERS.assign(gmd_above=1.001 * NUMBERS["gmd_above"])}, True),
    ({"title": "Another title"}, True),
    ({"axes": toys.LINEAR}, True),
]


@pytest.mark.parametrize(("change", "is_another"), CHANGES)
def test_the_digest_of_a_figure_is_that_of_its_data(change, is_another, tmp_path, monkeypatch):
    def digest(title="A panel", axes=toys.LOG, numbers=None, font=9):
        monkeypatch.setitem(style.SETTINGS, "font.size", font)
        panel = toys.panel(axes=axes, title=title)
        toys.draw(panel, numbers=numbers, outputs=[tmp_path / "a.digest"])
        return (tmp_path / "a.digest").read_text()

    before = digest()
    assert re.fullmatch(r"[0-9a-f]{64}\n", before)
    assert (digest(**change) != before) == is_another


@pytest.mark.parametrize("name", test_golden.PANELS)
def test_nothing_is_clipped_and_no_text_lies_on_another(name):
    drawing = test_golden.PANELS[name]()
    renderer, frame = drawing._get_renderer(), drawing.bbox.padded(1)
    boxes = [ax.get_tightbbox(renderer) for ax in drawing.axes]
    texts = filter(None, (drawing._suptitle, drawing._supxlabel))
    boxes += [text.get_window_extent(renderer) for text in texts]
    assert len(boxes) > len(drawing.axes)
    for i, box in enumerate(boxes):
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1
        common = [Bbox.intersection(box, other) for other in boxes[i + 1 :]]
        assert all(each is None or min(each.size) < 2 for each in common)

"""The project's copy of the style is seaborn's, to the last digit."""

import io

import figure_font
import matplotlib as mpl
import pytest
import seaborn as sns
from matplotlib.font_manager import FontPath, FontProperties, findfont

from dpbandits.figures import style


def settings():
    return {name: value for name, value in mpl.rcParams.items() if not name.startswith("backend")}


@pytest.fixture
def colour_codes():
    """seaborn changes what "b" or "k" means to matplotlib, in the whole process."""
    codes = dict(mpl.colors.colorConverter.colors)
    cache = mpl.colors.colorConverter.cache
    yield mpl.colors.colorConverter.colors
    mpl.colors.colorConverter.colors.update(codes)
    cache.clear()


def test_the_theme_is_seaborns(colour_codes):
    with mpl.rc_context():
        mpl.rcdefaults()
        sns.set_theme(context="paper", style="whitegrid")
        seaborns = settings()
        black = colour_codes["k"]
        mpl.rcdefaults()
        mpl.rcParams.update(style.THEME)
        ours = settings()
    assert seaborns.pop("image.cmap") == "rocket"  # which is not matplotlib's; no figure uses one
    del ours["image.cmap"]
    assert ours == seaborns
    assert black == style.ERROR_BARS


@pytest.mark.parametrize(
    ("limits", "labels"),
    [((1, 1e5), ["10⁰", "10³", "10⁵"]), ((0.001, 0.1), ["10⁻³", "10⁻²", "10⁻¹"]), ((2e3, 6e3), ["2×10³", "3×10³"])],
)
def test_powers_of_ten_are_plain_text(limits, labels):
    drawing = style.new_figure(4, 3)
    ax = drawing.subplots()
    ax.set(xscale="log", yscale="log", xlim=limits, ylim=(1, 10))
    style.simplify_ticks(drawing)
    written = [label.get_text() for label in (*ax.get_xticklabels(which="both"), *ax.get_yticklabels(which="both"))]
    assert set(labels) <= set(written)
    assert not any("$" in label for label in written)


def test_minor_ticks_without_a_label_are_left_out():
    drawing = style.new_figure(4, 3)
    ax = drawing.subplots()
    ax.set(xscale="log", xlim=(1, 1e5), yscale="log", ylim=(2e3, 6e3))
    style.simplify_ticks(drawing)
    assert len(ax.get_xticks(minor=True)) == 0
    assert len(ax.get_yticks(minor=True)) > 0


def picture_of(text, fonts):
    style.use()
    with mpl.rc_context({"font.family": fonts}):
        drawing = style.new_figure(6, 1)
        drawing.text(0.02, 0.4, text)
        drawn = io.BytesIO()
        drawing.savefig(drawn, format="png")
    return drawn.getvalue()


def test_the_font_is_matplotlibs_without_the_parts_that_no_figure_needs():
    assert style.FONT_FILE.read_bytes() == figure_font.font()


@pytest.mark.parametrize("text", ["fifty efficient AVATARs: ε = 2×10⁻³, √t ≤ ⌊β₀/α⌋", "Ж, not in the font"])
def test_text_looks_the_same_in_both_fonts(text):
    assert picture_of(text, ["Figure Sans", "DejaVu Sans"]) == picture_of(text, ["DejaVu Sans"])
    assert picture_of(text, ["Figure Sans", "DejaVu Sans"]) != picture_of(text, ["DejaVu Serif"])


def test_figures_use_their_own_font_whatever_a_machine_has():
    style.use()
    assert findfont(FontProperties()) == str(style.FONT_FILE)


@pytest.mark.parametrize("folder", ["/a", "/z"])
def test_the_order_of_fonts_in_a_pdf_does_not_depend_on_where_they_lie(folder):
    ours, theirs = (FontPath(f"{place}.ttf", 0) for place in (f"{folder}/FigureSans", "/m/DejaVuSans-Oblique"))
    assert sorted([(ours, 0), (theirs, 0), (ours, 1)]) == [(theirs, 0), (ours, 0), (ours, 1)]

"""The project's copy of the style is seaborn's, to the last digit."""

import subprocess
import sys

import matplotlib as mpl
import pytest
import seaborn as sns

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


def test_the_palette_is_seaborns():
    assert list(sns.color_palette("colorblind")) == style.PALETTE


@pytest.mark.parametrize(
    ("work", "modules"),
    [
        ("figures, tables", ["seaborn", "pandas", "numba", "scipy", "matplotlib.pyplot"]),
        ("tables, traces", ["seaborn", "pandas", "numba", "scipy", "matplotlib"]),
        ("verification, traces", ["seaborn", "pandas", "numba", "scipy", "matplotlib"]),
    ],
    ids=["draw", "summarise", "compare"],
)
def test_a_light_job_imports_nothing_heavy(work, modules):
    """There are hundreds of these jobs, and each of these packages takes as long as the job."""
    code = f"import sys; from dpbandits import {work}; print([m for m in {modules} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("limits", "labels"),
    [((1, 1e5), ["10⁰", "10³", "10⁵"]), ((0.001, 0.1), ["10⁻³", "10⁻²", "10⁻¹"]), ((2e3, 6e3), ["2×10³", "3×10³"])],
)
def test_powers_of_ten_are_plain_text(limits, labels):
    drawing = style.new_figure(4, 3)
    ax = drawing.subplots()
    ax.set(xscale="log", yscale="log", xlim=limits, ylim=(1, 10))
    style.simplify_tick_labels(drawing)
    written = [label.get_text() for label in (*ax.get_xticklabels(which="both"), *ax.get_yticklabels(which="both"))]
    assert set(labels) <= set(written)
    assert not any("$" in label for label in written)

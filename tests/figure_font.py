"""The font of the figures, made from matplotlib's: python tests/figure_font.py writes it.

It is DejaVu Sans with the Latin and Greek alphabets, digits above and below the line, arrows and mathematical signs, and
without the tables that lay out Arabic and other scripts. Taking a figure's few glyphs out of the whole font took a fifth
of the time of a job that draws; what a figure shows is the same, to the byte.
"""

import io
from pathlib import Path

import matplotlib as mpl
from fontTools import subset

from dpbandits.figures import style

WHOLE = Path(mpl.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
CHARACTERS = [
    *range(0x20, 0x180),  # Latin
    *range(0x370, 0x400),  # Greek
    *range(0x2010, 0x2027),  # dashes, quotation marks, dots
    *range(0x2070, 0x209D),  # above and below the line
    *range(0x2190, 0x219A),  # arrows
    *range(0x2200, 0x2270),  # mathematical signs
    *range(0x2308, 0x230C),  # floor and ceiling
]
SCRIPTS = ["DFLT", "latn", "grek"]  # whose ligatures and kerning stay
UNUSED = ["MATH", "FFTM", "PfEd", "BDF", "meta", "GPOS"]  # GPOS: the kerning is also in the table kern


def font():
    """The bytes of the font."""
    options = subset.Options(
        layout_scripts=SCRIPTS, drop_tables=UNUSED, legacy_kern=True, glyph_names=True, notdef_outline=True
    )
    with subset.load_font(WHOLE, options) as whole:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=CHARACTERS)
        subsetter.subset(whole)
        for name in whole["name"].names:
            name.string = (
                str(name).replace("DejaVu Sans", style.FONT).replace("DejaVuSans", style.FONT.replace(" ", ""))
            )
        written = io.BytesIO()
        subset.save_font(whole, written, options)
    return written.getvalue()


if __name__ == "__main__":
    style.FONT_FILE.write_bytes(font())
    print(f"{style.FONT_FILE}: {style.FONT_FILE.stat().st_size:,} bytes")

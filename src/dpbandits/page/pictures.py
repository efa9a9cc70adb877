"""A figure's SVG as a part of the page, and labels without mathematical markup."""

import re
from collections.abc import Mapping
from html import escape, unescape

from markupsafe import Markup

from dpbandits.studies.drawn_points import ID_IN_SVG


def inline(svg: str, name: str, labels: Mapping[str, str]) -> Markup:
    """The drawing for the page.

    Ids are unique on the page, curves have labels so that a click can hide them, and coordinates
    have two decimals.
    """

    def group(match: re.Match) -> str:
        if match[1] == ID_IN_SVG:
            return '<g class="published">'
        return f'<g data-label="{escape(labels[match[1]])}">' if match[1] in labels else "<g>"

    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(\.\d\d)\d\d+(?=[ \n\"])", r"\1", svg)
    svg = re.sub(
        r'<g id="([^"]*)">', group, re.sub(r"\s*\n\s*", "\n", svg.replace("xlink:href", "href"))
    )
    return Markup(re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name.replace('/', '-')}-", svg))


def plain(label: str) -> str:
    """A label without markup: EXP3$_\\tau$ -> EXP3_τ."""

    def without_markup(mathematics: re.Match) -> str:
        text = unescape(re.sub(r"\\([A-Za-z]+)", r"&\1;", mathematics[1]))  # HTML knows letters
        return re.sub(r"[{}&;]", "", text)

    return re.sub(r"\$([^$]*)\$", without_markup, label)

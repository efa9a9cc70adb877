"""The report: one page with every figure, its paper's claims about it, and our verdicts on them.

`content` gathers the content of the page from the paper files and the finished tables and pictures, as plain values;
the templates lay it out. The page is one file: no network, no external script; its own script shows the values under
the pointer. The same results give the same bytes. Metadata that differ between runs (`stamp`) are in a separate file.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dpbandits.report import content
from dpbandits.report.arena import section
from dpbandits.report.content import Sources
from dpbandits.studies.study import Paper

TEMPLATES = Path(__file__).parent / "templates"


def page(
    studies: Mapping[str, Paper], sources: Sources, settings: Mapping[str, Any], stamp: Mapping | None = None
) -> str:
    """The whole page: the papers, then the arenas. `settings`: seed, scale, estimator and version; `stamp`: metadata of this run, if wanted."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"thousands": lambda number: f"{number:,}", "plural": _plural, "duration": _duration}
    style, script = ((TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    values = content.gather({id: study for id, study in studies.items() if not study.arena}, sources, settings)
    values["arenas"] = [section(study, sources, settings) for study in studies.values() if study.arena]
    return environment.get_template("page.html.j2").render(
        **values, stamp=stamp, style=Markup(style), script=Markup(script)
    )


def templates_digest() -> str:
    """A hash of the templates, since Snakemake does not track files under src/."""
    digest = hashlib.sha256()
    for path in sorted(TEMPLATES.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _plural(number: int, one: str, many: str = "") -> str:
    """1 figure, 2 figures."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _duration(seconds: float) -> str:
    """75 -> 1 min 15 s."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"

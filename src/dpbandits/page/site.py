"""The page: a folder with one page of all figures, claims and verdicts, and with the files that it links to.

`content` gathers what it shows, `templates` lays it out. Nothing is loaded from elsewhere, so that the folder can be opened or put on
any static host; the same results give the same bytes.
"""

import gzip
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from PIL import Image

from dpbandits import __version__
from dpbandits.checks.tables import expected, number
from dpbandits.files import written_whole
from dpbandits.page import content
from dpbandits.page.recommendation import with_error
from dpbandits.studies.model import Study

TEMPLATES = Path(__file__).parent / "templates"
WIDTH = 440  # of a preview, in pixels


def write(
    studies: Mapping[str, Study], folders: Sequence[str], settings: Mapping[str, Any]
) -> None:
    """Write the page and the files beside it, from the folders of results and figures. `settings`: of config.yaml."""
    results, figures = map(Path, folders)
    page, files = results / "page/index.html", results / "page/files"
    shown = content.gather(studies, results, figures, {"version": __version__, **settings})
    shutil.rmtree(files, ignore_errors=True)
    for name, source in shown["files"].items():
        target, data = files / name, content.read(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".gz":
            data = gzip.compress(data, mtime=0)
        target.write_bytes(data)
        if name.startswith("previews/"):
            with Image.open(target) as picture:
                small = picture.convert("RGB").resize(
                    (WIDTH, WIDTH * picture.height // picture.width)
                )
            small.quantize(64).save(target)
    with written_whole(page) as file:
        file.write(render(shown, files.name).encode())


def render(shown: Mapping[str, Any], files: str) -> str:
    """The page as HTML; `files`: the folder beside it."""
    options = {
        "autoescape": True,
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    environment = Environment(loader=FileSystemLoader(TEMPLATES), **options)
    style, script = (
        (TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "page.js")
    )
    environment.globals |= {"number": number, "expected": expected, "with_error": with_error}
    page = environment.get_template("page.html.j2")
    return page.render(**shown, folder=files, style=Markup(style), script=Markup(script))

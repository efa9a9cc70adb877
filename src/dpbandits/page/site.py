"""The page: a folder with one page of all figures, claims and checks, and the files that it links.

`content` gathers the values, `templates` lays them out. The page loads nothing from elsewhere, so
any static host can serve the folder. The same results give the same bytes.
"""

import gzip
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dpbandits.checks.tables import expected, measured
from dpbandits.files import written_whole
from dpbandits.page import content
from dpbandits.page.scoreboard import MARKS, THROUGH
from dpbandits.studies.claim import ANSWERS, ANSWERS_TO_THEOREMS
from dpbandits.studies.model import Study
from dpbandits.tables import number

TEMPLATES = Path(__file__).parent / "templates"


def write(
    studies: Mapping[str, Study],
    results: str | Path,
    figures: str | Path,
    sources: Mapping[str, Sequence[str | Path]],
    settings: Mapping[str, Any],
    output: str | Path,
) -> None:
    """Write `index.html` and the folder `files` beside it.

    Parameters
    ----------
    studies : mapping
        Id -> study.
    results, figures : path
        The folders of a finished run.
    sources : mapping
        Id of a study -> its YAML files: the experiments and, of a paper, the claims.
    settings : mapping
        The settings that the page shows (`plan.jobs.page`), with the version of the package.
    output : path
        The folder of the page.
    """
    page, files = Path(output) / "index.html", Path(output) / "files"
    run = content.Run(Path(results), Path(figures), settings)
    values = content.gather(studies, run, sources)
    shutil.rmtree(files, ignore_errors=True)
    for name, source in values["files"].items():
        _copy(source, files / name)
    with written_whole(page) as file:
        file.write(render(values, files.name).encode())


def _copy(source: Path, target: Path) -> None:
    """Copy a file, compressed if the target is a .gz."""
    data = content.read(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(data, mtime=0) if target.suffix == ".gz" else data)


def _short(cell: Any) -> str:
    """A cell of a table: numbers but integers with four digits, labels without markup."""
    text = str(cell)
    is_decimal = re.fullmatch(r"-?\d+(\.\d+|e|\.\d+e)[-+\d]*", text)
    return number(float(text), digits=4) if is_decimal else content.plain(text)


def render(values: Mapping[str, Any], files: str) -> str:
    """The page as HTML; `files`: the folder beside it."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["short"] = _short
    words = {"measured": measured, "expected": expected, "marks": MARKS, "through": THROUGH}
    words |= {"answers": ANSWERS, "answers_to_theorems": ANSWERS_TO_THEOREMS}
    return environment.get_template("page.html.j2").render(**values, **words, folder=files)

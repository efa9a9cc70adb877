"""Make a finished run the reference; at the paper's scale update README, docs/arena.md and gallery.

`make reference` does this. No rule of the workflow writes a tracked file.
"""

import re
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from dpbandits import figures, verification
from dpbandits.checks.tables import put_table, read_claims
from dpbandits.errors import InputError
from dpbandits.figures import digests
from dpbandits.page import recommendation, scoreboard, strip
from dpbandits.plan.plan import load
from dpbandits.studies import strict_yaml
from dpbandits.studies.model import Study

# Folders of the reference that no run at the paper's scale writes.
KEPT = re.compile(r"published|smoke|seed-|.*-r6a")
README = Path("README.md")
BADGES = ("tests", "figures")  # workflows: the tests, and a full run without differences


def make(
    studies: Mapping[str, Study],
    tables: Mapping[str, str | Path],
    pictures: Sequence[str | Path],
    reference: str | Path,
) -> None:
    """Make a finished run the reference.

    Parameters
    ----------
    studies : mapping
        Id -> study.
    tables : mapping
        Name of a table (``checks/tossou2016``) -> the file of the run.
    pictures : sequence
        The files of the run's pictures, each ``.../<study>/<figure>.<format>``.
    reference : path
        The folder of the reference. Only for ``reference``, that of the paper's scale, README,
        docs/arena.md and gallery are updated, too.

    Raises
    ------
    InputError
        If a guest played.
    """
    for guest in (guest for study in studies.values() for guest in study.guests):
        problem = f"{guest} would be part of the reference; write guests: {{}}"
        raise InputError(f"config/config.yaml: guests: {problem}")
    copy_run(tables, pictures, Path(reference))
    if Path(reference) == Path("reference"):
        update_readme(studies, tables, pictures)


def copy_run(
    tables: Mapping[str, str | Path], pictures: Sequence[str | Path], reference: Path
) -> None:
    """Copy the tables of a run, and write the digests of its pictures and of their data.

    Folders of earlier runs are deleted first, so that no outdated table stays.
    """
    for folder in reference.iterdir() if reference.exists() else ():
        if folder.is_dir() and not KEPT.match(folder.name):
            shutil.rmtree(folder)
    for name, file in tables.items():
        copy = reference / f"{name}.csv"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    sums, drawn = {}, {}
    for file in filter(Path.exists, map(Path, pictures)):
        name = verification.name_of(file)
        if file.suffix == f".{digests.KIND}":
            drawn[verification.figure_of(name)] = file.read_text().strip()
        elif file.suffix[1:] in verification.FORMATS:
            sums[name] = verification.digest(file)
    for name, known in ((verification.SUMS, sums), (verification.DRAWN, drawn)):
        lines = [f"{known[each]}  {each}\n" for each in sorted(known)]
        (reference / name).write_text("".join(lines))


def update_readme(
    studies: Mapping[str, Study],
    tables: Mapping[str, str | Path],
    pictures: Sequence[str | Path],
) -> None:
    """Write the headline, the tables of the arena and the gallery from a finished run."""
    by_name = {verification.name_of(file): file for file in pictures}
    claims = read_claims(tables["claims"])
    put_table(README, "answers", scoreboard.block(claims))
    strip.draw(claims, strip.PICTURE)
    for id, study in studies.items():
        if not study.arena:
            names, output, width = study.preview, f"figures/gallery/{id}.png", 672
        elif recommendation.update(README, id, tables[f"{id}/scores"]):
            names, output, width = ["winners"], recommendation.PICTURE.format(id), 1344
        else:
            continue
        figures.preview([by_name[f"figures/{id}/{name}.png"] for name in names], output, width)


def badges(repository: str) -> str:
    """The README's badges, if the project has a repository."""
    links = {name: f"{repository}/actions/workflows/{name}.yml" for name in BADGES if repository}
    return " ".join(f"[![{name}]({link}/badge.svg)]({link})" for name, link in links.items())


def main() -> None:
    """Publish the finished runs of the scales named on the command line, and the badges."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    put_table(README, "badges", badges(project["tool"]["dpbandits"]["repository"]))
    for scale in sys.argv[1:]:
        settings = strict_yaml.read_yaml("config/config.yaml") | {"scale": scale}
        plan = load(settings)
        layout = plan.layout
        tables = {name: f"{layout.results}/{name}.csv" for name in plan.tables()}
        places = [(layout.figures, kind) for kind in plan.settings.formats]
        pictures = [
            f"{folder}/{name}.{kind}"
            for name in plan.figures()
            for folder, kind in (*places, (f"{layout.results}/pictures", digests.KIND))
        ]
        make(plan.studies, tables, pictures, layout.reference)


if __name__ == "__main__":
    main()

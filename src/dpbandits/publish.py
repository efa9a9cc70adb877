"""Make a finished run the reference; at the paper's scale update README, docs/arena.md and gallery.

`make reference` does this. No rule of the workflow writes a tracked file.
"""

import re
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from dpbandits import figures
from dpbandits.checks.tables import put_table, read_claims
from dpbandits.errors import InputError
from dpbandits.page import recommendation, scoreboard, strip
from dpbandits.plan.plan import Plan, load
from dpbandits.studies import strict_yaml
from dpbandits.studies.model import Study
from dpbandits.verification import DIGEST, FORMATS, digests_of, write_digests

# Folders of the reference that no run at the paper's scale writes.
KEPT = re.compile(r"published|smoke|seed-|.*-r6a")
README = Path("README.md")
BADGES = ("tests", "figures")  # workflows: the tests, and a full run without differences


def make(plan: Plan) -> None:
    """Make the finished run of a plan the reference.

    Only that of the paper's scale updates README, docs/arena.md and gallery, too.

    Raises
    ------
    InputError
        If a guest played.
    """
    for guest in plan.settings.guests:
        problem = f"{guest} would be part of the reference; write guests: {{}}"
        raise InputError(f"config/config.yaml: guests: {problem}")
    layout, names = plan.layout, plan.figures()
    tables = {name: f"{layout.results}/{name}.csv" for name in plan.tables()}
    pictures = [f"{layout.figures}/{name}.{kind}" for name in names for kind in FORMATS]
    drawn = [f"{layout.results}/pictures/{name}.{DIGEST}" for name in names]
    copy_run(tables, [*pictures, *drawn], Path(layout.reference))
    if layout.reference == "reference":
        update_readme(plan.studies, tables, layout.figures)


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
    write_digests(digests_of(pictures), reference)


def update_readme(studies: Mapping[str, Study], tables: Mapping[str, str], folder: str) -> None:
    """Write the headline, the tables of the arena and the gallery from a finished run."""
    claims = read_claims(tables["claims"])
    put_table(README, "answers", scoreboard.block(claims))
    strip.draw(claims, strip.PICTURE)
    for id, study in studies.items():
        if not study.arena:
            names, output = study.preview, f"figures/gallery/{id}.png"
        elif recommendation.update(README, study, tables[f"{id}/scores"]):
            names, output = ["winners"], recommendation.PICTURE.format(id)
        else:
            continue
        figures.preview([f"{folder}/{id}/{name}.png" for name in names], output)


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
        make(load(settings))


if __name__ == "__main__":
    main()

"""Make a finished run the reference; at the paper's scale update the previews and the README, too."""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from dpbandits import figures, verification
from dpbandits.checks.tables import put_table, read_claims
from dpbandits.errors import InputError
from dpbandits.page import recommendation, strip
from dpbandits.page.scoreboard import headline
from dpbandits.studies.model import Study


def make(
    studies: Mapping[str, Study],
    pictures: Collection[str],
    tables: Sequence[str],
    folders: Sequence[str],
) -> None:
    """`pictures` are `<study>/<figure>`, `folders` those of results, figures and the reference."""
    results, drawn, reference = map(Path, folders)
    for guest in (guest for study in studies.values() for guest in study.guests):
        raise InputError(
            f"config/config.yaml: guests: {guest} would be part of the reference; write guests: {{}}"
        )
    refresh(tables, pictures, results, drawn, reference)
    if str(reference) != "reference":
        return
    readme, said = Path("README.md"), read_claims(results / "claims.csv")
    put_table(readme, "answers", headline(said))
    strip.draw(said, strip.PICTURE)
    for id, study in studies.items():
        if not study.arena:
            figures.preview(
                [drawn / id / f"{figure}.png" for figure in study.preview],
                f"figures/gallery/{id}.png",
            )
        elif recommendation.refresh(readme, id, results / id / "scores.csv"):
            figures.preview(
                [drawn / id / "winners.png"], recommendation.PICTURE.format(id), width=1344
            )


def refresh(
    tables: Sequence[str], pictures: Collection[str], results: Path, figures: Path, reference: Path
) -> None:
    """Copy the tables of a run, and write the digests of its pictures."""
    for folder in (
        reference.iterdir() if reference.exists() else ()
    ):  # what is no longer made does not stay
        if folder.is_dir() and not re.match("published|smoke|seed-|.*-r6a", folder.name):
            shutil.rmtree(folder)
    for table in map(Path, tables):
        copy = reference / table.relative_to(results)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(table, copy)
    files = sorted(f"{name}.{kind}" for name in pictures for kind in ("pdf", "png"))
    lines = [
        f"{verification.digest(figures / file)}  figures/{file}\n"
        for file in files
        if (figures / file).exists()
    ]
    (reference / verification.SUMS).write_text("".join(lines))

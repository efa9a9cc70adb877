"""Studies: experimental sections of papers, and arenas, from YAML files to one scale.

- entries, study_files, claim, settings: what a person types, as pydantic models
- schema: these models as JSON schemas, for editors
- strict_yaml, reading, matrix: a file validated as typed, expanded, and validated again
- experiment, model: what the workflow runs, as frozen dataclasses
- expansion, panels, guests, arena, cross_references: from the first to the second
- playable, drawn_points: checks of modules, and of points that authors drew
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError
from dpbandits.plugins import import_from
from dpbandits.studies.model import Study
from dpbandits.studies.settings import GUESTS


def load(path: str | Path, scale: str = "paper", guests: Mapping[str, Any] | None = None) -> Study:
    """Read, validate and expand a study's file; `guests` are those of config/config.yaml.

    Policies and bandits of the user's own may be modules beside config.yaml.
    """
    from dpbandits.studies import expansion, reading
    from dpbandits.studies.guests import read_guests

    path = Path(path)
    import_from(path.parents[1] if path.parent.name == "papers" else path.parent)
    return expansion.expand(*reading.read(path), scale, read_guests(guests or {}))


def files(folder: str | Path) -> list[Path]:
    """The files of the studies in a folder such as config/, papers first, without config.yaml.

    Raises InputError for a file that nothing would read.
    """
    papers, arenas = (sorted(Path(folder).glob(pattern)) for pattern in ("papers/*.yaml", "*.yaml"))
    for path in sorted(Path(folder).glob("**/*.yml")):
        raise InputError(f"{path}: files of studies end in .yaml; rename it")
    for path in sorted(Path(folder).glob("claims/*.yaml")):
        if not (paper := path.parent.parent / "papers" / path.name).exists():
            raise InputError(f"{path}: there is no {paper}; give both files the name of the paper")
    return [*papers, *(path for path in arenas if path.name != "config.yaml")]


def load_all(
    folder: str | Path, scale: str = "paper", guests: Mapping[str, Any] | None = None
) -> dict[str, Study]:
    """Every study of a folder such as config/ and of its folder papers/, by its id.

    Raises InputError for a guest that plays in none of them.
    """
    result: dict[str, Study] = {}
    for path in files(folder):
        if path.stem in result:
            raise InputError(
                f"{path}: {result[path.stem].file} has the same name; rename one of the two"
            )
        result[path.stem] = load(path, scale, guests)
    if not result:
        remedy = "copy the project's folder config/ here"
        raise InputError(f"{folder}/papers: there is no study, such as hu2022.yaml; {remedy}")
    playing = {guest for study in result.values() for guest in study.guests}
    for name in (guests or {}).keys() - playing:
        why = "no experiment of its family has the parameters that it takes"
        remedy = "set them under 'parameters', or remove it"
        raise InputError(f"{GUESTS}.{name}: it plays nowhere, since {why}; {remedy}")
    return result

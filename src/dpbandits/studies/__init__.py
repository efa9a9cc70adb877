"""A study, that is, a paper's experimental section or an arena: written in YAML, checked, and expanded for one scale.

strict_yaml, matrix: a file as whole entries; model, experiment, claim: what files may say, and what the code uses;
cross_references: names; expansion, panels, guests, arena: one scale; playable, drawn_points: checks of modules and of points.
"""

from collections.abc import Mapping
from pathlib import Path

from dpbandits.errors import InputError
from dpbandits.studies.model import GUESTS, Study


def load(
    path: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None
) -> Study:
    """Read, validate and expand a study's file for one scale; `guests` are those of config/config.yaml."""
    from dpbandits.studies import expansion
    from dpbandits.studies.guests import read_guests

    return expansion.expand(expansion.read(Path(path)), scale, read_guests(guests or {}))


def load_all(
    folder: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None
) -> dict[str, Study]:
    """Every study of a folder such as config/ and of its folder papers/, by its id; config.yaml is none. InputError for a guest that
    plays in none of them."""
    papers, arenas = (sorted(Path(folder).glob(pattern)) for pattern in ("papers/*.yaml", "*.yaml"))
    found: dict[str, Study] = {}
    for path in [*papers, *(path for path in arenas if path.name != "config.yaml")]:
        if path.stem in found:
            raise InputError(
                f"{path}: {found[path.stem].file} has the same name; rename one of the two"
            )
        found[path.stem] = load(path, scale, guests)
    for name in (guests or {}).keys() - {
        guest for study in found.values() for guest in study.guests
    }:
        why = "no experiment of its family has the parameters that it takes"
        raise InputError(
            f"{GUESTS}.{name}: it plays nowhere, since {why}; set them under 'parameters', or remove it"
        )
    return found

"""A study, that is, a paper's experimental section or an arena: written in YAML, checked, and expanded for one scale.

strict_yaml, matrix: a file as whole entries; model, experiment, sentence, settings: what files may say, and what the code uses;
cross_references: names; expansion, panels, guests, arena: one scale; playable, drawn_points: checks of modules and of points.
"""

from collections.abc import Mapping
from pathlib import Path

from dpbandits.errors import InputError
from dpbandits.studies.model import GUESTS, Study


def load(path: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None) -> Study:
    """Read, validate and expand a study's file for one scale; `guests` are those of config/config.yaml."""
    return _load([Path(path)], scale, guests)[Path(path).stem]


def load_all(folder: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None) -> dict[str, Study]:
    """Every study of a folder such as config/ and of its folder papers/, by its id; config.yaml is none. InputError for a guest that
    plays in none of them."""
    papers, arenas = (sorted(Path(folder).glob(pattern)) for pattern in ("papers/*.yaml", "*.yaml"))
    found = _load([*papers, *(path for path in arenas if path.name != "config.yaml")], scale, guests)
    for name in (guests or {}).keys() - {guest for study in found.values() for guest in study.guests}:
        why = "no experiment of its family has the parameters that it takes"
        raise InputError(f"{GUESTS}.{name}: it plays nowhere, since {why}; set them under 'parameters', or remove it")
    return found


def _load(paths: list[Path], scale: str, invited: Mapping[str, Mapping] | None) -> dict[str, Study]:
    from dpbandits.studies import expansion, guests

    own = guests.read_guests(invited or {}, [path.stem for path in paths])
    loaded: dict[str, Study] = {}
    for path in paths:
        if path.stem in loaded:
            raise InputError(f"{path}: {loaded[path.stem].file} has the same name; rename one of the two")
        loaded[path.stem] = expansion.expand(expansion.read(path), scale, own)
    return loaded

"""A study, that is, a paper's experimental section or an arena: written in YAML, checked, and expanded for one scale.

config/papers/<paper>.yaml, config/<arena>.yaml -> yaml_file -> model (permitted keys and values)
-> matrix -> references (known names) -> expansion (readings, sweeps, scales; `arena`: who is scored) -> study
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError
from dpbandits.studies.study import Paper


def load(path: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None) -> Paper:
    """Read, validate and expand a paper file for one scale; `guests` are those of config/config.yaml."""
    return _load([Path(path)], scale, guests)[Path(path).stem]


def load_all(folder: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None) -> dict[str, Paper]:
    """Every study of a folder such as config/ and of its folder papers/, by its id; config.yaml is none."""
    papers, arenas = (sorted(Path(folder).glob(pattern)) for pattern in ("papers/*.yaml", "*.yaml"))
    return _load([*papers, *(path for path in arenas if path.name != "config.yaml")], scale, guests)


def _load(paths: list[Path], scale: str, settings: Mapping[str, Mapping] | None) -> dict[str, Paper]:
    from dpbandits.studies import expansion, guests, model, yaml_file

    invited = guests.read_guests(settings or {}, [path.stem for path in paths])
    loaded: dict[str, Paper] = {}
    for path in paths:
        if path.stem in loaded:
            raise InputError(f"{path}: {loaded[path.stem].file} has the same name; rename one of the two")
        source = expansion.source(yaml_file.read(path, model.Paper), str(path), scale)
        loaded[path.stem] = expansion.expand(guests.merged(source, invited), scale)
    return loaded


def validate_settings(settings: Any) -> None:
    """Raise InputError for the first thing in config/config.yaml that cannot be used."""
    from dpbandits.studies import yaml_file
    from dpbandits.studies.settings import Settings

    yaml_file.validated(settings, Settings, "config/config.yaml")

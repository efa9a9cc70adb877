"""A paper's experimental section: written in YAML, checked, and expanded into plain dataclasses.

    config/papers/<paper>.yaml -> reading (YAML) -> model (permitted keys and values)
    -> expanding (readings, sweeps, scales) -> expanded (the dataclasses that all other modules use)

Importing this package is cheap: pydantic and PyYAML are imported only when a file is read.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dpbandits.studies.study import (
    CORRECTED,
    PUBLISHED,
    Claim,
    Design,
    Experiment,
    Figure,
    Offer,
    Panel,
    Paper,
    Policy,
    Series,
    checkpoints,
    replace_environment,
)

__all__ = [
    "CORRECTED",
    "PUBLISHED",
    "Claim",
    "Design",
    "Experiment",
    "Figure",
    "Offer",
    "Panel",
    "Paper",
    "Policy",
    "Series",
    "checkpoints",
    "guests_report",
    "load",
    "load_all",
    "replace_environment",
    "validate_settings",
]


def load(path: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None) -> Paper:
    """Read, validate and expand a paper file for one scale; `guests` are those of config/config.yaml."""
    return _load([Path(path)], scale, guests)[Path(path).stem]


def load_all(folder: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None) -> dict[str, Paper]:
    """Every paper file of a folder, by the paper's id."""
    return _load(sorted(Path(folder).glob("*.yaml")), scale, guests)


def _load(paths: list[Path], scale: str, settings: Mapping[str, Mapping] | None) -> dict[str, Paper]:
    from dpbandits.studies import expansion, guests, model, yaml_file

    invited = guests.read_guests(
        settings or {}, [*(path.stem for path in paths), "arena"]
    )  # no paper, but a place to play
    loaded = {}
    for path in paths:
        source = expansion.source(yaml_file.read(path, model.Paper), str(path))
        loaded[path.stem] = guests.with_guests(expansion.expand(source, scale), source, invited)
    return loaded


def guests_report(papers: Iterable[Paper]) -> list[str]:
    """Lines for a dry run: which figures every guest joins, which it does not join, and why."""
    from dpbandits.studies import guests

    return guests.report(papers)


def validate_settings(settings: Any) -> None:
    """Raise InputError for the first thing in config/config.yaml that cannot be used."""
    from dpbandits.studies import model, yaml_file

    yaml_file.validated(settings, model.Settings, "config/config.yaml")

"""Read the files of a study: validate them as typed, resolve matrices and names, validate again."""

import re
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.claim import PROSE, Check, Claim, Claims, SharedTexts
from dpbandits.studies.entries import ExperimentEntry, PolicyEntry
from dpbandits.studies.experiment import of_entry
from dpbandits.studies.matrix import Content, combinations, expanded, over
from dpbandits.studies.model import Study
from dpbandits.studies.strict_yaml import TYPED, Entry, read_yaml, validated
from dpbandits.studies.study_files import (
    OF_FIGURES,
    ArenaFile,
    FigureEntry,
    PanelEntry,
    PaperFile,
)

STUDY_ID = r"[a-z][a-z0-9-]*"
ENTRIES = {"policies": PolicyEntry, "experiments": ExperimentEntry, "figures": FigureEntry}


def read(path: Path) -> tuple[Study, PaperFile | ArenaFile]:
    """A study without experiments and figures, and the file that these are expanded from."""
    if not re.fullmatch(STUDY_ID, path.stem):
        remedy = "use small letters, digits and hyphens, such as mine2026.yaml"
        raise InputError(f"{path}: '{path.stem}' cannot be used as a name here; {remedy}")
    content = read_yaml(path)
    kind = ArenaFile if "arena" in content else PaperFile
    validated(content, kind, path, context=TYPED)
    entries = {of: _entries(of, content, path) for of in ENTRIES if of in content}
    file = validated(content | entries, kind, path)
    claims = path.parent.parent / "claims" / path.name
    further: dict[str, Any] = {}
    if kind is PaperFile and claims.exists():
        further = {"claims": read_claims(claims), "claims_file": str(claims)}
    return of_entry(Study, file, id=path.stem, file=str(path), **further), file


def _entries(kind: str, content: Content, path: Path) -> dict[str, Entry]:
    """The entries of a kind, without matrices and without names of other parts of the file."""
    result = {}
    for place, id, entry in expanded(path, kind, content[kind]):
        with within(f"{path}: {place}"):
            for part in ("sweep", "environment"):
                if isinstance(name := entry.get(part), str):
                    known = content.get(f"{part}s", {})
                    check_known("", part, [name], known)
                    label = {"label": name} if part == "environment" else {}
                    entry[part] = label | known[name]
        if kind == "figures":
            entry = _with_panels(id, entry, content["axes"], path, place)
        result[id] = validated(entry, ENTRIES[kind], path, place)
    return result


def _with_panels(id: str, figure: Content, axes: Content, path: Path, place: str) -> Content:
    """A figure with all its panels, which have all axes."""
    if "diagram" in str(figure.get("kind")):
        return figure
    own = {key: figure[key] for key in figure if key == "title" or key not in OF_FIGURES}
    typed = [(place, {"experiment": id, **own})]  # a single one, which has the figure's keys
    if "panels" in figure:
        typed = [(f"{place}.panels[{n}]", panel) for n, panel in enumerate(figure["panels"])]
    panels: list[str | PanelEntry] = []
    for where, panel in typed:
        if isinstance(panel, str):
            panels.append(panel)
            continue
        with within(f"{path}: {place}"):
            whole = [over(axes, each, 2) for _, each in combinations("panels", panel)]
        panels += [validated(each, PanelEntry, path, where) for each in whole]
    return {key: figure[key] for key in figure if key in OF_FIGURES} | {"panels": panels}


def read_claims(path: Path) -> dict[str, Claim]:
    """The claims of a paper."""
    content = read_yaml(path)
    texts = validated(content.pop("texts", {}), SharedTexts, path, "texts")
    validated(content, Claims, path, context=TYPED)
    used = set[str]()

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: named(each) for key, each in value.items()}
        used.update({value} & texts.keys())
        return texts.get(value, value)

    def with_texts(entry: Content) -> dict[str, Any]:
        return {key: named(value) if key in PROSE else value for key, value in entry.items()}

    for id, claim in content.items():
        checks = {
            name: validated(with_texts(check), Check, path, place)
            for place, name, check in expanded(path, f"{id}.checks", claim.get("checks", {}))
        }
        content[id] = with_texts(claim) | ({"checks": checks} if checks else {})
    for slug in sorted(texts.keys() - used):
        raise InputError(f"{path}: texts.{slug}: no claim and no check names it; remove it")
    return validated(content, Claims, path)

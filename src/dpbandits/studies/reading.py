"""Reads the files of a study: validated as typed, without matrices and names, validated again."""

import re
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.claim import Check, Claim
from dpbandits.studies.claim_entries import PROSE, ClaimEntry, Claims, SharedTexts
from dpbandits.studies.experiment import of_entry
from dpbandits.studies.matrix import (
    Content,
    Names,
    combinations,
    expanded,
    over,
)
from dpbandits.studies.model import Study
from dpbandits.studies.strict_yaml import TYPED, read_yaml, validated
from dpbandits.studies.study_files import OF_FIGURES, ArenaFile, PaperFile

STUDY_ID = r"[a-z][a-z0-9-]*"


def read(path: Path) -> tuple[Study, PaperFile | ArenaFile]:
    """A study without experiments and figures, and the file that these are expanded from."""
    if not re.fullmatch(STUDY_ID, path.stem):
        remedy = "use small letters, digits and hyphens, such as mine2026.yaml"
        raise InputError(f"{path}: '{path.stem}' cannot be used as a name here; {remedy}")
    content = read_yaml(path)
    kind = ArenaFile if "arena" in content else PaperFile
    validated(content, kind, str(path), TYPED)
    with within(str(path)):
        content, names = whole(content)
    file = validated(content, kind, str(path), names=names)
    claims = path.parent.parent / "claims" / path.name
    further: dict[str, Any] = {}
    if kind is PaperFile and claims.exists():
        further = {"claims": read_claims(claims), "claims_file": str(claims)}
    study = of_entry(Study, file, id=path.stem, file=str(path), **further)
    return study, file


def whole(content: Content) -> tuple[Content, Names]:
    """The content of a file without matrices and names, whose panels have all axes."""
    found, names = dict(content), Names()
    for kind in ("policies", "experiments", "figures"):
        entries = dict(expanded((kind,), content.get(kind, {}), names))
        for id, entry in entries.items():
            with within(f"{kind}.{names[kind, id]}"):
                if kind == "figures":
                    entries[id] = _with_panels(id, entry, content["axes"], names)
                elif isinstance(name := entry.get("sweep"), str):
                    entry["sweep"] = _named("sweep", name, content)
                elif isinstance(name := entry.get("environment"), str):
                    own = _named("environment", name, content)
                    entry["environment"] = {"label": name, **own}
        if entries:
            found[kind] = entries
    return found, names


def _named(what: str, name: str, content: Content) -> Any:
    known = content.get(f"{what}s", {})
    check_known("", what, [name], known)
    return known[name]


def _with_panels(id: str, figure: Content, axes: Content, names: Names) -> Content:
    """A figure with all its panels."""
    if "diagram" in str(figure.get("kind")):
        return figure
    place = ("figures", id, "panels")
    panels = []
    if "panels" not in figure:  # a single one, which has the figure's keys
        own = {key: figure[key] for key in figure if key == "title" or key not in OF_FIGURES}
        panels, names[place] = [("", {"experiment": id, **own})], ""
    for n, panel in enumerate(figure.get("panels", ())):
        expanded = [({}, panel)] if isinstance(panel, str) else combinations("panels", panel)
        panels += [(str(n), each) for _, each in expanded]
    names |= {(*place, n): typed for n, (typed, _) in enumerate(panels)}
    whole = [each if isinstance(each, str) else over(axes, each, 2) for _, each in panels]
    return {key: figure[key] for key in figure if key in OF_FIGURES} | {"panels": whole}


def read_claims(path: Path) -> dict[str, Claim]:
    """The claims of a paper."""
    content = read_yaml(path)
    texts = validated(content.pop("texts", {}), SharedTexts, f"{path}: texts")
    validated(content, Claims, str(path), TYPED)
    names, used = Names(), set[str]()

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: named(each) for key, each in value.items()}
        used.update({value} & texts.keys())
        return texts.get(value, value)

    def with_texts(entry: Content) -> dict[str, Any]:
        return {key: named(value) if key in PROSE else value for key, value in entry.items()}

    for id, claim in content.items():
        content[id] = with_texts(claim)
        if "checks" in claim:
            with within(str(path)):
                checks = dict(expanded((id, "checks"), claim["checks"], names))
            content[id]["checks"] = {name: with_texts(check) for name, check in checks.items()}
    for slug in sorted(texts.keys() - used):
        raise InputError(f"{path}: texts.{slug}: no claim and no check names it; remove it")
    return {
        id: _claim(each) for id, each in validated(content, Claims, str(path), names=names).items()
    }


def _claim(entry: ClaimEntry) -> Claim:
    checks = {id: of_entry(Check, check) for id, check in entry.checks.items()}
    return of_entry(Claim, entry, checks=checks)

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
    nothing,
    of_experiment,
    of_policy,
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
    for kind, part, key, known in (
        ("policies", of_policy, "sweep", content.get("sweeps", {})),
        ("experiments", of_experiment, "environment", content.get("environments", {})),
    ):
        found[kind] = {}
        for id, entry in expanded((kind,), content[kind], names, part):
            if isinstance(name := entry.get(key), str):
                check_known(f"{kind}.{names.get((kind, id), id)}", key, [name], known)
                entry[key] = {"label": name, **known[name]} if key == "environment" else known[name]
            found[kind][id] = entry
    if "figures" in content:
        found["figures"] = {}
        for id, entry in expanded(("figures",), content["figures"], names):
            with within(f"figures.{names.get(('figures', id), id)}"):
                found["figures"][id] = _with_panels(id, entry, content["axes"], names)
    return found, names


def _with_panels(id: str, figure: dict[str, Any], axes: Content, names: Names) -> Content:
    """A figure with all its panels."""
    place = ("figures", id, "panels")
    if "diagram" in str(figure.get("kind")):
        return figure
    if "panels" in figure:
        panels = [
            (str(n), each)
            for n, panel in enumerate(figure["panels"])
            for each in ([panel] if isinstance(panel, str) else _one_by_one(panel))
        ]
    else:  # a single one, which has the figure's keys
        own = {key: figure[key] for key in figure if key == "title" or key not in OF_FIGURES}
        panels, names[place] = [("", {"experiment": id, **own})], ""
    names.update({(*place, n): typed for n, (typed, _) in enumerate(panels)})
    figure = {key: value for key, value in figure.items() if key in OF_FIGURES}
    whole = [each if isinstance(each, str) else over(axes, each, 2) for _, each in panels]
    return {**figure, "panels": whole}


def _one_by_one(panel: Content) -> list[Content]:
    return [each for _, each in combinations(panel, nothing)]


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
    for slug in texts.keys() - used:
        raise InputError(f"{path}: texts.{slug}: no claim and no check names it; remove it")
    return {
        id: _claim(each) for id, each in validated(content, Claims, str(path), names=names).items()
    }


def _claim(entry: ClaimEntry) -> Claim:
    checks = {id: of_entry(Check, check) for id, check in entry.checks.items()}
    return of_entry(Claim, entry, checks=checks)

"""From the files of a study to the study at one scale, without guests."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies import arena, expansion, panels
from dpbandits.studies.claim import PROSE, Check, CheckId, Claim, ClaimId
from dpbandits.studies.experiment import Design, Policy
from dpbandits.studies.model import Study
from dpbandits.studies.strict_yaml import read_yaml
from dpbandits.studies.things import Content, entries, valid, validated
from dpbandits.studies.types import Slug

STUDY_ID = r"[a-z][a-z0-9-]*"
NEEDED = ("title", "design", "policies", "experiments")
NEEDED_BY_PAPERS = ("authors", "venue", "link", "axes", "figures", "preview")
NOT_IN_ARENAS = ("axes", "figures", "preview", "sweeps", "reading_names")


def read(path: Path, scale: str) -> Study:
    """The study of a file. Raises InputError for the first mistake."""
    if not re.fullmatch(STUDY_ID, path.stem):
        remedy = "use small letters, digits and hyphens, such as mine2026.yaml"
        raise InputError(f"{path}: '{path.stem}' cannot be used as a name here; {remedy}")
    content = read_yaml(path)
    with within(str(path)):
        study = replace(_top(content), id=path.stem, file=str(path))
        experiments = expansion.typed_experiments(study)
        study = replace(study, policies=_policies(study))
        if study.arena:
            study = arena.at_scale(study, experiments, scale)
        study = expansion.with_experiments(study, experiments, scale)
    claims = path.parent.parent / "claims" / path.name
    if study.arena:
        return arena.scored(study)
    if claims.exists():
        study = replace(study, claims=read_claims(claims), claims_file=str(claims))
    return panels.with_figures(study)


def _top(content: Content) -> Study:
    """The study with the keys at the top of its file; the entries of mappings as they are typed."""
    is_arena = "arena" in content
    needed = NEEDED if is_arena else (*NEEDED, *NEEDED_BY_PAPERS)
    without = NOT_IN_ARENAS if is_arena else ()
    study = valid(Study, content, "", without=without, needed=needed)
    valid(Design, study.design, "design", part=True)
    valid(Design, study.smoke, "smoke", part=True)
    return study


def _policies(study: Study) -> dict[str, Policy]:
    """The policies of the file."""
    policies = {}
    for place, id, entry in entries(Policy, study.policies, Slug, "policies"):
        policy = valid(Policy, entry, place, without=("look",))
        check_known(f"{place}.more_runs", "experiment", policy.more_runs, study.experiments)
        if isinstance(sweep := policy.sweep, str):
            check_known(place, "sweep", [sweep], study.sweeps)
            policy = replace(policy, sweep=study.sweeps[sweep])
        policies[id] = replace(policy, id=id, knows_horizon=bool(policy.knows_horizon))
    return policies


def read_claims(path: Path) -> dict[str, Claim]:
    """The claims of a paper."""
    content = read_yaml(path)
    texts = validated(content.pop("texts", {}), dict[str, str], path, "texts")
    used = set[str]()

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: named(each) for key, each in value.items()}
        if isinstance(value, str):
            used.update({value} & texts.keys())
            return texts.get(value, value)
        return value

    def with_texts(entry: Content) -> dict[str, Any]:
        return {key: named(value) if key in PROSE else value for key, value in entry.items()}

    with within(str(path)):
        for id, claim in content.items():
            validated(claim, dict, "", id)
            content[id] = with_texts(claim)
            if "checks" in claim:
                checks = entries(Check, claim["checks"], CheckId, f"{id}.checks")
                content[id]["checks"] = {name: with_texts(check) for _, name, check in checks}
        for slug in sorted(texts.keys() - used):
            raise InputError(f"texts.{slug}: no claim and no check names it; remove it")
    return validated(content, dict[ClaimId, Claim], path)

"""From the files of a study to the study at one scale, without guests."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.parameters import validated
from dpbandits.studies import arena, expansion, panels
from dpbandits.studies.claim import PROSE, Check, Claim, ClaimId
from dpbandits.studies.experiment import Experiment, Policy
from dpbandits.studies.model import ArenaStudy, Paper, Study
from dpbandits.studies.strict_yaml import read_yaml
from dpbandits.studies.things import written_out

STUDY_ID = r"[a-z][a-z0-9-]*"
ENTRIES = {"policies": Policy, "experiments": Experiment, "figures": None}  # with `defaults`


def read(path: Path, scale: str) -> Study:
    """The study of a file. Raises InputError for the first mistake."""
    if not re.fullmatch(STUDY_ID, path.stem):
        remedy = "use small letters, digits and hyphens, such as mine2026.yaml"
        raise InputError(f"{path}: '{path.stem}' cannot be used as a name here; {remedy}")
    content = read_yaml(path)
    with within(str(path)):
        for key in ENTRIES.keys() & content.keys():
            content[key] = written_out(ENTRIES[key], content[key], key)
        study = validated(ArenaStudy if "arena" in content else Paper, content)
        study = replace(study, id=path.stem, file=str(path), policies=_policies(study))
        study = expansion.with_environments(study)
        study = arena.at_scale(study, scale) if study.arena else study
        study = expansion.with_experiments(study, scale)
    claims = path.parent.parent / "claims" / path.name
    if study.arena:
        return arena.with_members(study)
    if claims.exists():
        study = replace(study, claims=read_claims(claims), claims_file=str(claims))
    return panels.with_figures(study)


def _policies(study: Study) -> dict[str, Policy]:
    """The policies of the file, with the sweeps that they name."""
    policies = {}
    for id, policy in study.policies.items():
        experiments, sweep = study.experiments, policy.sweep
        check_known(f"policies.{id}.more_runs", "experiment", policy.more_runs, experiments)
        if isinstance(sweep, str):
            check_known(f"policies.{id}", "sweep", [sweep], study.sweeps)
            sweep = study.sweeps[sweep]
        knows = bool(policy.knows_horizon)
        policies[id] = replace(policy, id=id, sweep=sweep, knows_horizon=knows)
    return policies


def read_claims(path: Path) -> dict[str, Claim]:
    """The claims of a paper."""
    content = read_yaml(path)
    used = set[str]()

    def with_texts(value: Any, is_prose: bool = False) -> Any:
        if isinstance(value, dict):
            return {key: with_texts(each, is_prose or key in PROSE) for key, each in value.items()}
        if is_prose and isinstance(value, str):
            used.add(value)
            return texts.get(value, value)
        return value

    with within(str(path)):
        texts = validated(dict[str, str], content.pop("texts", {}), "texts")
        for id, claim in content.items():
            if isinstance(claim, dict) and "checks" in claim:
                claim["checks"] = written_out(Check, claim["checks"], f"{id}.checks")
        claims = validated(dict[ClaimId, Claim], with_texts(content))
        for slug in sorted(texts.keys() - used):
            raise InputError(f"texts.{slug}: no claim and no check names it; remove it")
    return claims

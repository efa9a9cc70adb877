"""Expands a study for one scale: experiments with their readings, sweeps and checkpoints; `panels`: its figures."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies import arena, cross_references, guests, matrix, panels, strict_yaml
from dpbandits.studies.claim import Claim, ClaimId
from dpbandits.studies.experiment import CORRECTED, PUBLISHED, Experiment, Guest, Policy, Series
from dpbandits.studies.matrix import fill
from dpbandits.studies.model import GUESTS, Study

STUDY_ID = r"[a-z][a-z0-9-]*"
# What a label says of parameters, but for all series of a sweep together: " (ε = {epsilon:g})" or ", ε = {epsilon:g}".
OF_PARAMETERS = r"\s*\([^()]*\{[^()]*\)|,[^(),]*\{[^{}]*\}"


def read(path: Path) -> Study:
    """A study as it is in its file."""
    if not re.fullmatch(STUDY_ID, path.stem):
        raise InputError(
            f"{path}: '{path.stem}' cannot be used as a name here; use small letters, digits and hyphens, such as mine2026.yaml"
        )
    content = strict_yaml.read_yaml(path)
    with within(str(path)):
        content = matrix.whole(content)
    study = strict_yaml.validated(content, Study, str(path))
    changes: dict[str, Any] = {"id": path.stem, "file": str(path)}
    if (claims := path.parent.parent / "claims" / path.name).exists() and not study.arena:
        content = strict_yaml.read_yaml(claims)
        changes["claims"] = strict_yaml.validated(content, dict[ClaimId, Claim], str(claims))
        changes["claims_file"] = str(claims)
    return study.model_copy(update=changes)


def expand(study: Study, scale: str, invited: Mapping[str, Guest]) -> Study:
    """A study as it is in its file, expanded for one scale, with these guests. InputError if it uses a name that nothing has."""
    cross_references.check(study)
    for name in invited.keys() & study.policies.keys():
        raise InputError(f"{GUESTS}.{name}: a policy of {study.id} has this name; choose another")
    if study.arena:
        study = arena.at_scale(study, scale)
    experiments = {id: _experiment(study, id, scale, invited) for id in study.experiments}
    study = study.model_copy(update={"experiments": experiments})
    if study.arena:
        return arena.at_equal_privacy(study)
    figures = panels.figures(study)
    check_known(f"{study.file}: preview", "figure", study.preview, figures)
    return study.model_copy(update={"figures": figures})


def _experiment(study: Study, id: str, scale: str, invited: Mapping[str, Guest]) -> Experiment:
    """An experiment at one scale, in both readings."""
    written, place = study.experiments[id], f"{study.file}: experiments.{id}"
    design, playing = written.design if scale == "paper" else written.smoke, _playing(study, id)
    playing |= guests.joining(study, id, invited, playing)
    taken = {parameter for policy in playing.values() for parameter in policy.takes}
    check_known(f"{place}.parameters", "parameter of the policies here", written.parameters, taken)
    policies = {
        name: _policy(study, id, policy, design.runs, scale) for name, policy in playing.items()
    }
    ids = [series.id for policy in policies.values() for series in policy.series]
    if twice := {one for one in ids if ids.count(one) > 1}:
        remedy = "give one of the policies another name, or leave a value out"
        raise InputError(f"{place}: two series are called '{min(twice)}'; {remedy}")
    changes = (
        {"horizon_of_paper": written.design.horizon}
        if design.horizon < written.design.horizon
        else {}
    )
    if max((policy.runs for policy in policies.values()), default=0) <= (design.runs_of_paper or 0):
        changes["runs_of_paper"] = None  # all have the paper's
    environment = {key: value for key, value in written.environment.items() if key != "label"}
    known = {
        "id": id,
        "paper": study.id,
        "environment": environment,
        "policies": policies,
        "smoke": None,
    }
    return written.model_copy(update=known | {"design": design.model_copy(update=changes)})


def _playing(study: Study, id: str) -> dict[str, Policy]:
    """Those policies of the file that play an experiment; parameters that only it changes are the policy's own."""
    experiment, left_out = study.experiments[id], study.arena.left_out if study.arena else {}
    named = study.policies if experiment.policies == "all" else experiment.policies
    found = {}
    for name in named:
        if (experiment.stream or id) not in left_out.get(name, {}):
            changes = named[name] if isinstance(experiment.policies, dict) else {}
            parameters = {**study.policies[name].parameters, **changes}
            found[name] = study.policies[name].model_copy(
                update={"id": name, "parameters": parameters}
            )
    return found


def _policy(study: Study, id: str, policy: Policy, runs: int, scale: str) -> Policy:
    """A policy in an experiment: its runs, which are `more_runs` here, else its own up to the experiment's, else the design's
    (`runs`), the most at smaller scales; and a series for each value of its sweep, in both readings where these differ."""
    experiment = study.experiments[id]
    own = min(policy.runs, experiment.runs or policy.runs) if policy.runs else runs
    own = policy.more_runs.get(id, own)
    changes = {"runs": own} if scale == "paper" else {"runs": min(own, runs), "audit_games": 0}
    with within(study.place(id, policy)):
        series, corrected = (
            _series(experiment, policy, reading) for reading in (PUBLISHED, CORRECTED)
        )
        label = re.sub(OF_PARAMETERS, "", policy.label) if policy.sweep else policy.label
        label = fill(label, series[0].parameters)
    if series != corrected:
        both = ((PUBLISHED, series), (CORRECTED, corrected))
        series = [replace(each, reading=reading) for reading, found in both for each in found]
    return policy.model_copy(update=changes | {"label": label, "series": tuple(series)})


def _series(experiment: Experiment, policy: Policy, reading: str) -> list[Series]:
    """The series of a policy in an experiment in one reading: one, or one for each value of its sweep."""
    own, here = _in_reading(policy.parameters, reading), experiment.parameters
    if len({len(values) for values in (policy.sweep or {}).values()}) > 1:
        raise InputError(
            "sweep: one parameter has more values than another; write one for each value of the first"
        )
    for parameter in policy.takes:
        if parameter not in {**here, **own}:
            raise InputError(f"it takes '{parameter}'; add it to the experiment's parameters")
    common = {parameter: here.get(parameter) for parameter in policy.takes} | own
    algorithm = _in_reading({"algorithm": policy.algorithm}, reading).get("algorithm", "")
    regret = _in_reading({**experiment.regret, **policy.regret}, reading)
    series = []
    for variant, values in enumerate(
        zip(*policy.sweep.values(), strict=True) if policy.sweep else [()]
    ):
        parameters = common | dict(zip(policy.sweep or (), values, strict=True))
        suffix = f"-{str(values[0]).lower().replace('_', '-')}" if values else ""
        with within("label"):
            label = fill(policy.label, parameters)
        series.append(
            Series(policy.id + suffix, label, algorithm, parameters, policy.id, variant, regret)
        )
    return series


def _in_reading(values: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """The values in one reading, of which some are there for both, and others are mappings from readings."""
    found = {
        name: value if isinstance(value, dict) else {reading: value}
        for name, value in values.items()
    }
    return {
        name: of_reading[reading] for name, of_reading in found.items() if reading in of_reading
    }

"""Looks up the names by which one entry of a study refers to another, before experiments are made.

Series are known only afterwards: `panels` and `plan.validation` look these up.
"""

from collections.abc import Collection, Iterable, Iterator

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.model import Study
from dpbandits.studies.study_files import ArenaFile, PaperFile


def check(study: Study, file: PaperFile | ArenaFile) -> None:
    """Raise InputError for the first undefined name."""
    with within(study.file):
        for place, what, names, known in _references(file):
            check_known(place, what, names, known)
    labels = [policy.label for policy in file.policies.values()] if file.arena else []
    if twice := {label for label in labels if labels.count(label) > 1}:
        raise InputError(f"{study.file}: policies: two have the label '{min(twice)}'; change one")
    known = [*file.experiments, *file.figures]
    for name, claim in study.claims.items():
        for id, each in claim.checks.items():
            place = f"{study.claims_file}: {name}.checks.{id}.experiments"
            check_known(place, "experiment", each.experiments, known)
    for id, experiment in file.experiments.items():
        other = file.experiments.get(experiment.stream, experiment)
        if {**experiment.environment, "label": ""} != {**other.environment, "label": ""}:
            place = f"{study.file}: experiments.{id}.stream"
            raise InputError(
                f"{place}: {experiment.stream} has another environment; write the same in both"
            )


def _references(
    file: PaperFile | ArenaFile,
) -> Iterator[tuple[str, str, Iterable[str], Collection[str]]]:
    """Yield the place of names, what they name, the names, and all known names."""
    experiments, policies, arena = file.experiments, file.policies, file.arena
    for id, policy in policies.items():
        yield f"policies.{id}.more_runs", "experiment", policy.more_runs, experiments
    for id, experiment in experiments.items():
        if experiment.policies != "all":
            yield f"experiments.{id}.policies", "policy", experiment.policies, policies
        if experiment.stream:
            yield f"experiments.{id}.stream", "experiment", [experiment.stream], file.independent
    panels = {id: figure.panels or [] for id, figure in file.figures.items()}
    alone = [id for id, each in panels.items() if len(each) == 1 and not isinstance(each[0], str)]
    for id, each in panels.items():
        named = [panel for panel in each if isinstance(panel, str)]
        for name in {*named} & {*experiments} - {*alone}:
            problem = f"'{name}' is an experiment; write {{experiment: {name}}}"
            raise InputError(f"figures.{id}: panels: {problem}")
        yield f"figures.{id}: panels", "figure in a single panel", named, alone
        drawn = [panel.experiment for panel in each if not isinstance(panel, str)]
        yield f"figures.{id}", "experiment", drawn, experiments
    if arena:
        yield "arena.yardstick", "policy", [arena.yardstick], policies
        yield "arena.left_out", "policy", arena.left_out, policies
        for policy, places in arena.left_out.items():
            yield f"arena.left_out.{policy}", "experiment", places, file.independent
        for place, part in (("arena", arena), ("arena.smoke", arena.smoke)):
            scored = part.experiments if part else None
            yield f"{place}.experiments", "experiment", scored or (), file.independent

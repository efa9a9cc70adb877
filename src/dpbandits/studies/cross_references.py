"""Look up the names by which one entry of a study refers to another.

Experiments do not exist yet. `panels` and `plan.validation` look up the names of series.
"""

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.model import Study
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.study_files import ArenaFile, PaperFile


def check(study: Study, file: PaperFile | ArenaFile) -> None:
    """Raise InputError for the first undefined name."""
    with within(study.file):
        _check_experiments(file)
        for id, figure in file.figures.items():
            with within(f"figures.{id}"):
                _check_panels(figure.panels or [], file)
        if file.arena:
            _check_arena(file)
    known = [*file.experiments, *file.figures]
    for name, claim in study.claims.items():
        for id, each in claim.checks.items():
            place = f"{study.claims_file}: {name}.checks.{id}.experiments"
            check_known(place, "experiment", each.experiments, known)


def _check_experiments(file: PaperFile | ArenaFile) -> None:
    experiments = file.experiments
    for id, policy in file.policies.items():
        check_known(f"policies.{id}.more_runs", "experiment", policy.more_runs, experiments)
    for id, experiment in experiments.items():
        place = f"experiments.{id}"
        if experiment.policies != "all":
            check_known(f"{place}.policies", "policy", experiment.policies, file.policies)
        if stream := experiment.stream:
            check_known(f"{place}.stream", "experiment", [stream], file.independent)
            other = experiments[stream].environment
            if {**experiment.environment, "label": ""} != {**other, "label": ""}:
                remedy = "write the same in both"
                raise InputError(f"{place}.stream: {stream} has another environment; {remedy}")


def _check_panels(panels: list, file: PaperFile) -> None:
    """Panels are experiments, or the ids of figures that are one panel by themselves."""
    named = [panel for panel in panels if isinstance(panel, str)]
    alone = [id for id, each in file.figures.items() if each.is_panel]
    for name in {*named} & {*file.experiments} - {*alone}:
        problem = f"'{name}' is an experiment; write {{experiment: {name}}}"
        raise InputError(f"panels: {problem}")
    check_known("panels", "figure in a single panel", named, alone)
    drawn = [panel.experiment for panel in panels if not isinstance(panel, str)]
    check_known("", "experiment", drawn, file.experiments)


def _check_arena(file: ArenaFile) -> None:
    arena = file.arena
    if twice := repeated(policy.label for policy in file.policies.values()):
        raise InputError(f"policies: two have the label '{twice}'; change one")
    check_known("arena.yardstick", "policy", [arena.yardstick], file.policies)
    check_known("arena.left_out", "policy", arena.left_out, file.policies)
    for policy, places in arena.left_out.items():
        check_known(f"arena.left_out.{policy}", "experiment", places, file.independent)
    for place, part in (("arena", arena), ("arena.smoke", arena.smoke)):
        if part and part.experiments:
            check_known(f"{place}.experiments", "experiment", part.experiments, file.independent)

"""The names by which one entry of a study's file refers to another: all are looked up here, before anything is expanded.

Series are known only afterwards: `panels` and `plan.checking` look these up.
"""

from collections.abc import Collection, Iterable, Iterator

from dpbandits.errors import InputError, check_known
from dpbandits.studies.model import Panel, Study


def check(study: Study) -> None:
    """Raise InputError for the first name that nothing has."""
    for place, what, names, known in _references(study):
        check_known(f"{study.file}: {place}", what, names, known)
    known = [*study.experiments, *study.figures]
    for name, claim in study.claims.items():
        for id, each in claim.checks.items():
            place = f"{study.claims_file}: {name}.checks.{id}.experiments"
            check_known(place, "experiment", each.experiments, known)
    for id, experiment in study.experiments.items():
        other = study.experiments.get(experiment.stream, experiment)
        if {**experiment.environment, "label": ""} != {**other.environment, "label": ""}:
            place = f"{study.file}: experiments.{id}.stream"
            raise InputError(
                f"{place}: {experiment.stream} has another environment; write the same in both"
            )


def _references(study: Study) -> Iterator[tuple[str, str, Iterable[str], Collection[str]]]:
    """Where names are, what they name, the names, and all that are known."""
    experiments, policies, arena = study.experiments, study.policies, study.arena
    for id, policy in policies.items():
        yield f"policies.{id}.more_runs", "experiment", policy.more_runs, experiments
    for id, experiment in experiments.items():
        if experiment.policies != "all":
            yield f"experiments.{id}.policies", "policy", experiment.policies, policies
        if experiment.stream:
            yield f"experiments.{id}.stream", "experiment", [experiment.stream], study.independent
    alone = [
        id for id, figure in study.figures.items() if list(map(type, figure.panels)) == [Panel]
    ]
    for id, figure in study.figures.items():
        panels = [panel for panel in figure.panels if isinstance(panel, str)]
        yield f"figures.{id}: panels", "figure in a single panel", panels, alone
        drawn = [panel.experiment for panel in figure.panels if isinstance(panel, Panel)]
        yield f"figures.{id}", "experiment", drawn, experiments
    if arena:
        yield "arena.yardstick", "policy", [arena.yardstick], policies
        yield "arena.left_out", "policy", arena.left_out, policies
        for policy, places in arena.left_out.items():
            yield f"arena.left_out.{policy}", "experiment", places, study.independent
        for place, scored in (
            ("arena", arena.experiments),
            ("arena.smoke", arena.smoke.experiments),
        ):
            yield f"{place}.experiments", "experiment", scored or (), study.independent

"""Refuses names in a study's file that nothing has: of environments, policies, parameters, experiments, figures and series."""

from collections.abc import Mapping

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import model
from dpbandits.studies.matrix import Source
from dpbandits.studies.study import Experiment


def check(source: Source, scale: str) -> None:
    """Raise InputError for an unknown name in an experiment, a policy, a figure or the arena, whose matrices are expanded."""
    written, file, experiments = source.paper, source.file, source.experiments
    for name, policy in written.policies.items():
        check_known(f"{file}: policies.{name}.more_runs", "experiment", policy.more_runs, experiments)
    for id in experiments:
        _check_experiment(source, id, f"{file}: experiments.{id}")
    for id in source.figures:
        _check_figure(source, id, f"{file}: figures.{id}")
    if written.arena:
        _check_arena(written, scale, experiments, f"{file}: arena")


def _check_experiment(source: Source, id: str, where: str) -> None:
    written, experiment = source.paper, source.experiments[id]
    if experiment.environment is None:
        raise InputError(f"{where}: 'environment' is missing; add it")
    if not isinstance(experiment.environment, model.Environment):
        check_known(where, "environment", [experiment.environment], written.environments)
    if experiment.stream:
        known = [id for id, other in source.experiments.items() if not other.stream]
        check_known(f"{where}.stream", "experiment", [experiment.stream], known)
        if experiment.environment != source.experiments[experiment.stream].environment:
            raise InputError(f"{where}.stream: {experiment.stream} has another environment; write the same in both")
    check_known(f"{where}.policies", "policy", experiment.policies, written.policies)
    taken = {parameter for policy in experiment.policies for parameter in written.policies[policy].takes}
    for parameter in experiment.parameters:
        if parameter not in taken:
            raise InputError(f"{where}.parameters: no policy here takes '{parameter}'; {nearest(parameter, taken)}")
    for policy, changed in experiment.policies.items():
        for parameter in written.policies[policy].takes:
            given = {**experiment.parameters, **changed} | ({"epsilon": None} if written.arena else {})
            if parameter not in given:
                raise InputError(
                    f"{where}.policies.{policy}: it takes '{parameter}'; add it to the experiment's parameters"
                )


def _check_figure(source: Source, id: str, where: str) -> None:
    figure = source.figures[id]
    alone = [name for name, other in source.figures.items() if other.is_a_panel]
    if figure.experiment is not None and id not in alone:
        raise InputError(
            f"{where}: only curves in a single panel may have 'experiment'; each of several panels has its own"
        )
    if id not in alone and (figure.panels is None) != ("diagram" in figure.kind):
        raise InputError(f"{where}: points have 'panels', and a diagram has none")
    panels = [panel for panel in figure.panels or () if isinstance(panel, str)]
    check_known(f"{where}: panels", "figure in a single panel", panels, alone)


def _check_arena(written: model.Paper, scale: str, experiments: Mapping[str, model.Experiment], where: str) -> None:
    arena, instances = written.arena, [id for id, experiment in experiments.items() if not experiment.stream]
    smaller = model.SmallerArena() if scale == "paper" else getattr(arena, scale)
    named = [("yardstick", [arena.yardstick], "policy", written.policies)]
    named += [("left_out", arena.left_out, "policy", written.policies)]
    named += [(f"left_out.{policy}", of, "experiment", instances) for policy, of in arena.left_out.items()]
    named += [("experiments", arena.experiments or (), "experiment", instances)]
    named += [(f"{scale}.experiments", smaller.experiments or (), "experiment", arena.experiments or instances)]
    for key, names, what, known in named:
        check_known(f"{where}.{key}", what, names, known)


def check_panel(panel: model.Panel | model.Figure, experiment: Experiment, names: list[str], where: str) -> None:
    """Raise InputError if a panel draws series, parameters or columns that its experiment does not have."""
    check_known(f"{where}: series", "series", names, experiment.by_name)
    check_known(f"{where}: labels", "series of the panel", panel.labels, names)
    for name in names if panel.along else ():
        if panel.along not in (given := experiment.by_name[name].parameters):
            raise InputError(
                f"{where}: along: series '{name}' has no parameter '{panel.along}'; {nearest(panel.along, given)}"
            )
    if panel.column and panel.column not in experiment.design.columns:
        raise InputError(
            f"{where}: column: {experiment.id} does not ask for '{panel.column}'; "
            f"add design: {{columns: [{panel.column}]}} to it"
        )

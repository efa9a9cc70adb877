"""Checks a paper against the algorithms: do they exist, are their parameters valid, can they play these environments?

`studies.load` has validated the structure of the file. Before the first job starts, this module looks up every algorithm
and environment and compares the parameters with its signature.
"""

from dpbandits import parameters
from dpbandits.audit import promises
from dpbandits.environments import Environment
from dpbandits.environments.arms._stochastic import Stochastic
from dpbandits.environments.arms.drawn_arms import DrawnArms
from dpbandits.errors import InputError, check_known
from dpbandits.studies import guests, playable
from dpbandits.studies.study import Experiment, Figure, Paper
from dpbandits.theory import bounds
from dpbandits.verdicts import checks


def check(paper: Paper) -> None:
    """Raise InputError for the first entry of a paper file, or the first guest in it, that cannot be run."""
    promising = set()  # guests whose promise has been looked at
    checked = set()  # many experiments play the same series on environments of the same kind and size
    for experiment in paper.experiments.values():
        where = f"{paper.file}: experiments.{experiment.id}"
        environment = _check_environment(paper, experiment, where)
        for policy in experiment.policies:
            for series in policy.series:
                size = (experiment.environment["kind"], environment.number_of_arms, experiment.design.horizon)
                key = (series.algorithm, repr(series.parameters), repr(series.regret), *size)
                if key in checked:
                    continue
                checked.add(key)
                try:
                    playable.check_playable(series, *size)
                    parameters.check(environment.curves, series.regret, "regret")
                    if policy.id in set(paper.guests) - promising:
                        promises.promise_of(series.algorithm, series.parameters, size[2], size[1])
                        promising.add(policy.id)
                except InputError as error:
                    reading = f" ({series.reading} reading)" if series.reading else ""
                    place = f"{where}.policies.{series.name}{reading}"
                    if policy.id in paper.guests:
                        place = f"{guests.FILE}: guests.{policy.id}: in {paper.id} {experiment.id}"
                    raise InputError(f"{place}: {error}") from None
    for figure in paper.figures.values():
        _check_overlays(figure, paper)
    checks.check(paper)


def _check_environment(paper: Paper, experiment: Experiment, where: str) -> Environment:
    """Make the environment of an experiment, and check it."""
    name = experiment.environment_name
    place = f"{paper.file}: environments.{name}" if name else f"{where}.environment"
    try:
        environment = playable.environment_of(experiment.environment)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    try:
        environment.check(experiment.design.horizon)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if paper.arena and experiment.instance in paper.arena.instances:
        _check_scored(experiment, environment, place)
    return environment


def _check_scored(experiment: Experiment, environment: Environment, where: str) -> None:
    """Raise InputError if a score cannot be computed for this environment."""
    if not isinstance(environment, Stochastic) or isinstance(environment, DrawnArms):
        raise InputError(
            f"{where}: an arena scores policies on Bernoulli, Beta or uniform arms; '{experiment.environment['kind']}' are "
            "others: write kind: bernoulli, beta or uniform (drawn_arms with shuffled: true)"
        )
    second, best = sorted(environment.arms.means)[-2:]
    if second == best:
        raise InputError(f"{where}: means: two arms are best, {best:g}; a score needs a gap: lower one of them")
    if len(experiment.readings) > 1:
        raise InputError(
            f"{where}: an arena has one reading, and {experiment.id} has two: leave out 'published' and 'corrected' of the "
            "experiment and of its policies"
        )


def _check_overlays(figure: Figure, paper: Paper) -> None:
    for panel in figure.panels:
        if panel.regimes:
            check_known(f"{paper.file}: figures.{figure.id}: regimes", "regimes", [panel.regimes], bounds.REGIMES)
        where = f"{paper.file}: figures.{figure.id}: overlay"
        check_known(where, "bound", panel.overlay.values(), bounds.BOUNDS)
        for bound in panel.overlay.values():
            series = paper.experiments[panel.experiment].series.values()
            if not any(bounds.required_parameters(bound) <= each.parameters.keys() for each in series):
                needed = ", ".join(sorted(bounds.required_parameters(bound)))
                raise InputError(
                    f"{where}: '{bound}' needs {needed}, and no series of {panel.experiment} has all of these"
                )

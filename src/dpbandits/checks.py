"""The check of a paper file that needs the algorithms: do they exist, do their parameters make sense?

`papers.load` has judged the file's structure; this looks every name up and asks every signature. All of it happens
before the first job starts.
"""

import numpy as np

from dpbandits import algorithms, claims, parameters, simulation
from dpbandits.errors import InputError, nearest
from dpbandits.papers import Experiment, Figure, Paper, Policy
from dpbandits.theory import bounds


def check(paper: Paper) -> None:
    """Raise InputError for the first thing in a paper file that could not be run."""
    for experiment in paper.experiments.values():
        where = f"{paper.file}: experiments.{experiment.base}"
        number_of_arms = _check_environment(experiment, where)
        for policy in experiment.policies:
            _check_policy(policy, experiment, number_of_arms, where)
    for figure in paper.figures.values():
        _check_overlays(figure, paper)
    for claim in paper.claims:
        claims.check(claim, paper)


def _check_environment(experiment: Experiment, where: str) -> int:
    given = {key: value for key, value in experiment.environment.items() if key != "kind"}
    try:
        maker = simulation.environment_maker(experiment.environment["kind"])
        parameters.check(maker, given, "environment")
        world = simulation.make_environment(experiment.environment)
        if hasattr(world, "check"):
            world.check(experiment.design.horizon)
        if world.gaps is not None and not np.any(world.gaps):
            raise InputError(
                f"means: {given.get('means')} are all equal: there is no regret; give one arm a larger mean"
            )
        return world.number_of_arms
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _check_policy(policy: Policy, experiment: Experiment, number_of_arms: int, where: str) -> None:
    for series in policy.series:
        try:
            algorithm = algorithms.find(series.algorithm)
            filled = parameters.check(algorithm.play, series.parameters, "parameters")
            if hasattr(algorithm, "check"):
                algorithm.check(experiment.design.horizon, number_of_arms, **filled)
        except InputError as error:
            reading = f" ({experiment.reading} reading)" if experiment.reading else ""
            raise InputError(f"{where}.policies.{series.id}{reading}: {error}") from None


def _check_overlays(figure: Figure, paper: Paper) -> None:
    for panel in figure.panels:
        if panel.regimes and panel.regimes not in bounds.REGIMES:
            known = nearest(panel.regimes, bounds.REGIMES)
            raise InputError(f"{paper.file}: figures.{figure.id}: regimes: unknown '{panel.regimes}'; {known}")
        for bound in panel.overlay.values():
            where = f"{paper.file}: figures.{figure.id}: overlay"
            if bound not in bounds.BOUNDS:
                raise InputError(f"{where}: unknown bound '{bound}'; {nearest(bound, bounds.BOUNDS)}")
            series = paper.experiments[panel.experiment].series.values()
            if not any(bounds.wanted(bound) <= one.parameters.keys() for one in series):
                needed = ", ".join(sorted(bounds.wanted(bound)))
                raise InputError(
                    f"{where}: '{bound}' needs {needed}, and no series of {panel.experiment} has all of these"
                )

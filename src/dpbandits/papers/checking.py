"""The check of a paper that needs the algorithms: do they exist, do their parameters make sense, can they play here?

`papers.load` has validated the file's structure; this looks up every name and asks every signature, before the first job
starts.
"""

from collections.abc import Mapping

import numpy as np

from dpbandits import algorithms, claims, environments, parameters
from dpbandits.errors import InputError, nearest
from dpbandits.papers import guests
from dpbandits.papers.expanded import Experiment, Figure, Paper, Series
from dpbandits.theory import bounds


def check(paper: Paper) -> None:
    """Raise InputError for the first thing in a paper file, or of a guest in it, that could not be run."""
    of_guests = {offer.guest for offer in paper.guests}
    checked = set()  # many experiments play the same series on environments of the same kind and size
    for experiment in paper.experiments.values():
        where = f"{paper.file}: experiments.{experiment.base}"
        number_of_arms = _check_environment(paper, experiment)
        for policy in experiment.policies:
            for series in policy.series:
                size = (experiment.environment["kind"], number_of_arms, experiment.design.horizon)
                key = (series.algorithm, repr(series.parameters), *size)
                if key in checked:
                    continue
                checked.add(key)
                try:
                    _check_series(series, experiment, number_of_arms)
                except InputError as error:
                    raise InputError(
                        f"{guests.where(policy.id)}: in {paper.id} {experiment.id}: {error}"
                        if policy.id in of_guests
                        else f"{where}.policies.{series.id}{_in_reading(experiment)}: {error}"
                    ) from None
    for figure in paper.figures.values():
        _check_overlays(figure, paper)
    for claim in paper.claims:
        claims.check(claim, paper)


def check_guests(settings: Mapping[str, Mapping]) -> None:
    """Raise InputError for a guest of config/config.yaml whose algorithm or parameters do not exist."""
    for name, guest in settings.items():
        try:
            play = algorithms.find(guest["algorithm"]).play
            known = parameters.accepted(play)
            for key in ("takes", "parameters"):
                for parameter in guest.get(key, ()):
                    if parameter not in known:
                        raise InputError(
                            f"{key}: {guest['algorithm']} has no parameter '{parameter}'; {nearest(parameter, known)}"
                        )
        except InputError as error:
            raise InputError(f"{guests.where(name)}: {error}") from None


def _check_environment(paper: Paper, experiment: Experiment) -> int:
    """The number of arms of an experiment's environment, if all is well with it."""
    where = f"{paper.file}: experiments.{experiment.base}"
    name = paper.environments.get(experiment.base)
    given = {key: value for key, value in experiment.environment.items() if key != "kind"}
    try:
        maker = environments.maker_of(experiment.environment["kind"])
        parameters.check(maker, given, "")
        world = maker(**given)
        if world.gaps is not None and not np.any(world.gaps):
            raise InputError(
                f"means: {given.get('means')} are all equal: there is no regret; give one arm a larger mean"
            )
    except InputError as error:
        place = f"{paper.file}: environments.{name}" if name else f"{where}.environment"
        raise InputError(f"{place}: {error}") from None
    try:
        world.check(experiment.design.horizon)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return world.number_of_arms


def _check_series(series: Series, experiment: Experiment, number_of_arms: int) -> None:
    algorithm = algorithms.find(series.algorithm)
    algorithms.check_family(series.algorithm, experiment.environment["kind"])
    filled = parameters.check(algorithm.play, series.parameters, "parameters")
    if hasattr(algorithm, "check"):
        algorithm.check(experiment.design.horizon, number_of_arms, **filled)


def _in_reading(experiment: Experiment) -> str:
    return f" ({experiment.reading} reading)" if experiment.reading else ""


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

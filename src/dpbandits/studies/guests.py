"""Your own policies, from config/config.yaml, as policies of the studies, before these are expanded.

A guest plays in every experiment that is open to guests and of the family that its algorithm plays, if the experiment
gives it the parameters that it takes or sweeps one of them, which the guest then sweeps, too. It is drawn wherever the
policies of such an experiment are.
"""

import inspect
from collections.abc import Collection, Mapping

from dpbandits import algorithms, environments, parameters
from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import model, playable
from dpbandits.studies.settings import Guest
from dpbandits.studies.source import GUESTS, Source
from dpbandits.studies.strict_yaml import validated
from dpbandits.studies.study import Study

NOT_CHECKED = "(promise not checked)"  # in the legend, after a guest whose module has no `privacy`
SYMBOLS = {"epsilon": "ε", "eps0": "ε₀", "alpha": "α"}


def read_guests(settings: Mapping[str, Mapping], studies: Collection[str]) -> dict[str, Guest]:
    """The guests of config/config.yaml; `studies` are the ids of all studies, which a guest may name."""
    guests = {}
    for name, setting in settings.items():
        where = f"{GUESTS}.{name}"
        guest = validated(setting, Guest, where)
        check_known(f"{where}: papers", "paper", guest.papers or (), studies)
        try:
            play = playable.module_of(guest.algorithm).play
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        accepted = parameters.accepted(play)
        for key, given in (("takes", guest.takes or ()), ("parameters", guest.parameters)):
            for parameter in given:
                if parameter not in accepted:
                    known = nearest(parameter, accepted)
                    raise InputError(f"{where}: {key}: {guest.algorithm} has no parameter '{parameter}'; {known}")
        if guest.takes is None:  # it takes what it cannot play without
            needed = [p.name for p in inspect.signature(play).parameters.values() if p.default is p.empty]
            takes = [parameter for parameter in needed if parameter in accepted and parameter not in guest.parameters]
            guest = guest.model_copy(update={"takes": takes})
        guests[name] = guest
    return guests


def merged(source: Source, guests: Mapping[str, Guest]) -> Source:
    """The study with the guests among the policies of its experiments, unless drawn only along parameters that they lack."""
    experiments, along = dict(source.written.experiments), _along(source) if guests else {}
    for name, guest in guests.items():
        if guest.papers is not None and source.id not in guest.papers:
            continue
        if name in source.written.policies:
            raise InputError(f"{GUESTS}.{name}: a policy of {source.id} has this name; choose another")
        for id, experiment in experiments.items():
            sweep = _sweep(guest, experiment)
            if (
                (model.is_of_the_paper(id) if experiment.guests is None else experiment.guests)
                and environments.family_of(source.environment(id).kind) == algorithms.family_of(guest.algorithm)
                and along.get(id, {""}) & {"", *guest.takes, *guest.parameters}
                and {*experiment.parameters, *sweep}.issuperset(guest.takes)
            ):
                runs = source.written.design.changed(experiment.design).runs_of_paper
                policies = {**experiment.policies, name: _policy(guest, sweep, runs)}
                experiments[id] = experiment.model_copy(update={"policies": policies})
    return source.changed(experiments=experiments)


def _along(source: Source) -> dict[str, set[str]]:
    """Experiment -> the parameters along which its figures are drawn; "" for rounds."""
    found: dict[str, set[str]] = {}
    for name in filter(model.is_of_the_paper, source.written.figures):
        for experiment, _, panel in source.panels(name):
            found.setdefault(experiment, set()).add(panel.along)
    return found


def _sweep(guest: Guest, experiment: model.Experiment) -> dict[str, list]:
    """The first sweep of the experiment's policies over a parameter that the guest takes and the experiment does not set."""
    for policy in experiment.policies.values():
        parameter = next(iter(policy.sweep or {}), "")
        if parameter in guest.takes and parameter not in experiment.parameters:
            return {parameter: policy.sweep[parameter]}
    return {}


def _policy(guest: Guest, sweep: Mapping[str, list], runs_of_paper: int | None) -> model.Policy:
    """The guest as a policy of an experiment. A sweep has no more runs than the paper had: with fifty times as many, sixty
    values of epsilon would take a night."""
    label = guest.label
    for parameter in sweep:
        if f"{{{parameter}" not in label:
            label += f", {SYMBOLS.get(parameter, parameter)} = {{{parameter}}}"
    note = "" if hasattr(algorithms.find(guest.algorithm), "privacy") else NOT_CHECKED
    return model.Policy(
        label=f"{label} {note}".strip(),
        algorithm=guest.algorithm,
        takes=[parameter for parameter in guest.takes if parameter not in sweep],
        parameters=guest.parameters,
        knows_horizon=guest.knows_horizon,
        **({"sweep": sweep} if sweep else {}),
        **({"runs": runs_of_paper} if sweep and runs_of_paper else {}),
    )


def report(studies: Collection[Study], names: Collection[str]) -> list[str]:
    """A line for each of these guests and each study that it plays in, with the experiments of a paper."""
    lines = []
    for name in names:
        playing = [study for study in studies if name in study.guests]
        for study in playing:
            played = [id for id, experiment in study.experiments.items() if name in {p.id for p in experiment.policies}]
            lines.append(f"guest {name}: in {study.id}" + ("" if study.arena else f" {', '.join(played)}"))
        if not playing:
            lines.append(f"guest {name}: nowhere, since no experiment of its family has the parameters that it takes")
    return lines

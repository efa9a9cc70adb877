"""Your own policies, from config/config.yaml, among those of the studies' experiments.

A guest plays an experiment if its algorithm is of that family, each parameter that it takes is set there or swept by a policy
there (it then sweeps it, too), and a main figure draws it. It plays no supplementary experiment, and no longer game of an arena.
"""

import inspect
from collections.abc import Collection, Mapping

from dpbandits import algorithms, environments, parameters
from dpbandits.errors import InputError, check_known
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
        for key in ("takes", "parameters"):
            given = getattr(guest, key) or ()
            check_known(f"{where}: {key}", f"parameter of {guest.algorithm}", given, accepted)
        if guest.takes is None:  # it takes what it cannot play without
            needed = [p.name for p in inspect.signature(play).parameters.values() if p.default is p.empty]
            takes = [parameter for parameter in needed if parameter in accepted and parameter not in guest.parameters]
            guest = guest.model_copy(update={"takes": takes})
        guests[name] = guest
    return guests


def joining(source: Source, id: str, policies: Mapping[str, model.Policy], along: set[str]) -> dict[str, model.Policy]:
    """The guests as policies of an experiment beside its own, unless it is drawn only along parameters that they lack."""
    experiment, joined = source.written.experiments[id], {}
    if not model.is_of_the_paper(id) or experiment.stream:
        return joined
    runs = source.written.design.changed(experiment.design).runs_of_paper
    for name, guest in source.guests.items():
        sweep = _sweep(guest, experiment, policies)
        if (
            environments.family_of(source.environment(id).kind) == algorithms.family_of(guest.algorithm)
            and along & {"", *guest.takes, *guest.parameters}
            and {*experiment.parameters, *sweep}.issuperset(guest.takes)
        ):
            joined[name] = _policy(guest, sweep, runs)
    return joined


def _sweep(guest: Guest, experiment: model.Experiment, policies: Mapping[str, model.Policy]) -> dict[str, list]:
    """The first sweep of the experiment's policies over a parameter that the guest takes and the experiment does not set."""
    for policy in policies.values():
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
    takes = [parameter for parameter in guest.takes if parameter not in sweep]
    keys = guest.model_dump(exclude={"papers"}) | {"label": f"{label} {note}".strip(), "takes": takes}
    if sweep:
        keys |= {"sweep": sweep, **({"runs": runs_of_paper} if runs_of_paper else {})}
    return model.Policy(**keys)


def report(studies: Collection[Study], names: Collection[str]) -> list[str]:
    """A line for each of these guests and each study that it plays in, with the experiments."""
    lines = []
    for name in names:
        found = {
            study.id: [e.id for e in study.experiments.values() if name in {p.id for p in e.policies}]
            for study in studies
        }
        lines += [f"guest {name}: in {id} {', '.join(played)}" for id, played in found.items() if played] or [
            f"guest {name}: nowhere, since no experiment of its family has the parameters that it takes"
        ]
    return lines

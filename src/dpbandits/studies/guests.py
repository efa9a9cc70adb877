"""Your own policies, from config/config.yaml, as policies of the studies, before these are expanded.

A guest plays in every experiment that is open to guests and of the family that its algorithm plays, if the experiment
gives it the parameters that it takes or sweeps one of them, which the guest then sweeps, too. It is drawn wherever the
policies of such an experiment are.
"""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import replace

from dpbandits import algorithms, environments, parameters
from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import model, playable
from dpbandits.studies.matrix import Source
from dpbandits.studies.panels import panels_of
from dpbandits.studies.settings import Guest
from dpbandits.studies.study import Paper
from dpbandits.studies.yaml_file import validated

FILE = "config/config.yaml"
NOT_CHECKED = "(promise not checked)"  # in the legend, after a guest whose module has no `privacy`
SYMBOLS = {"epsilon": "ε", "eps0": "ε₀", "alpha": "α"}


def read_guests(settings: Mapping[str, Mapping], papers: Collection[str]) -> dict[str, Guest]:
    """The guests of config/config.yaml; `papers` are the ids of all papers, one of which a guest may name."""
    guests = {}
    for name, setting in settings.items():
        where = f"{FILE}: guests.{name}"
        guest = validated(setting, Guest, where)
        check_known(f"{where}: papers", "paper", guest.papers or (), papers)
        try:
            play = playable.module_of(guest.algorithm).play
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        for key, given in (("takes", guest.takes or ()), ("parameters", guest.parameters)):
            for parameter in given:
                if parameter not in parameters.accepted(play):
                    known = nearest(parameter, parameters.accepted(play))
                    raise InputError(f"{where}: {key}: {guest.algorithm} has no parameter '{parameter}'; {known}")
        if guest.takes is None:  # it takes what it cannot play without
            declared = inspect.signature(play).parameters.values()
            needed = [p.name for p in declared if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
            guest = guest.model_copy(update={"takes": [name for name in needed if name not in guest.parameters]})
        guests[name] = guest
    return guests


def merged(source: Source, guests: Mapping[str, Guest]) -> Source:
    """The study with the guests among the policies of its experiments."""
    for name, guest in guests.items():
        if guest.papers is not None and source.id not in guest.papers:
            continue
        if name in source.paper.policies:
            raise InputError(f"{FILE}: guests.{name}: a policy of {source.id} has this name; choose another")
        joined: dict[str, model.Policy] = {}
        along = _along(source)
        for base, experiment in source.experiments.items():
            is_open = model.is_of_the_paper(base) if experiment.guests is None else experiment.guests
            plays = environments.family_of(source.environment(base).kind) == algorithms.family_of(guest.algorithm)
            if plays and is_open:
                sweep = _sweep(guest, experiment, source)
                drawn = along.get(base, {""}) & {"", *guest.takes, *guest.parameters}
                if drawn and all(parameter in {*experiment.parameters, *sweep} for parameter in guest.takes):
                    joined[base] = _policy(guest, sweep, source.design(base).runs_of_paper, base)
        experiments = {
            base: experiment.model_copy(update={"policies": {**experiment.policies, name: {}}})
            for base, experiment in source.experiments.items()
            if base in joined
        }
        own = {(base, name): policy for base, policy in joined.items()}
        source = replace(source, experiments={**source.experiments, **experiments}, guests={**source.guests, **own})
    return source


def _along(source: Source) -> dict[str, set[str]]:
    """Experiment -> the parameters along which its figures are drawn; "" for rounds."""
    found: dict[str, set[str]] = {}
    for name in filter(model.is_of_the_paper, source.figures):
        for base, _, panel in panels_of(source, name, f"{source.file}: figures.{name}"):
            found.setdefault(base, set()).add(panel.along)
    return found


def _sweep(guest: Guest, experiment: model.Experiment, source: Source) -> dict[str, list]:
    """A parameter that the guest takes and that policies of the experiment sweep, and the values of the first of them."""
    for parameter in guest.takes:
        ours = [source.paper.policies[name] for name in experiment.policies if name in source.paper.policies]
        sweeps = [policy.sweep or {} for policy in ours]
        values = next((sweep[parameter] for sweep in sweeps if parameter == next(iter(sweep), None)), None)
        if parameter not in experiment.parameters and values:
            return {parameter: values}
    return {}


def _policy(guest: Guest, sweep: Mapping[str, list], runs_of_paper: int | None, base: str) -> model.Policy:
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
        knows_horizon=True,
        **({"sweep": sweep} if sweep else {}),
        **({"more_runs": {base: runs_of_paper}} if sweep and runs_of_paper else {}),
    )


def report(papers: Collection[Paper], names: Collection[str]) -> list[str]:
    """A line for each of these guests and each study that it plays in, with the experiments of a paper."""
    lines = []
    for name in names:
        playing = [paper for paper in papers if name in paper.guests]
        for paper in playing:
            played = [id for id, experiment in paper.experiments.items() if name in {p.id for p in experiment.policies}]
            lines.append(f"guest {name}: in {paper.id}" + ("" if paper.arena else f" {', '.join(played)}"))
        if not playing:
            lines.append(f"guest {name}: nowhere, since no experiment of its family has the parameters that it takes")
    return lines

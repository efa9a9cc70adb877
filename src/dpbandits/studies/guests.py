"""Your own policies, from config/config.yaml, among those of the studies' experiments.

A guest plays an experiment if its algorithm is of that family, each parameter that it takes is set there or swept by a policy
there (it then sweeps it, too). It plays no supplementary experiment, and no longer game of an arena.
"""

import inspect
from collections.abc import Mapping

from dpbandits import algorithms, environments, parameters
from dpbandits.errors import check_known, within
from dpbandits.studies import playable
from dpbandits.studies.experiment import Guest, Policy, is_of_the_paper
from dpbandits.studies.model import GUESTS, Study
from dpbandits.studies.strict_yaml import validated

NOT_CHECKED = "(promise not checked)"  # in the legend, after a guest whose module has no `privacy`
SYMBOLS = {"epsilon": "ε", "eps0": "ε₀", "alpha": "α"}


def read_guests(settings: Mapping[str, Mapping]) -> dict[str, Guest]:
    """The guests of config/config.yaml."""
    guests = {}
    for name, setting in settings.items():
        guest = validated(setting, Guest, f"{GUESTS}.{name}")
        with within(f"{GUESTS}.{name}"):
            play = playable.module_of(guest.algorithm).play
            accepted = parameters.accepted(play)
            for key in ("takes", "parameters"):
                check_known(
                    key, f"parameter of {guest.algorithm}", getattr(guest, key) or (), accepted
                )
        if guest.takes is None:  # it takes what it cannot play without
            needed = [
                p.name for p in inspect.signature(play).parameters.values() if p.default is p.empty
            ]
            takes = [
                parameter
                for parameter in needed
                if parameter in accepted and parameter not in guest.parameters
            ]
            guest = guest.model_copy(update={"takes": takes})
        guests[name] = guest.model_copy(update={"id": name})
    return guests


def joining(
    study: Study, id: str, guests: Mapping[str, Guest], policies: Mapping[str, Policy]
) -> dict[str, Policy]:
    """The guests as policies of an experiment beside its own, unless it is drawn only along parameters that they lack."""
    experiment, joined = study.experiments[id], {}
    if not guests or not is_of_the_paper(id) or experiment.stream:
        return joined
    drawn = [
        panel
        for name in study.figures
        if is_of_the_paper(name)
        for _, panel in study.panels_of(name)
    ]
    along = {panel.along for panel in drawn if panel.experiment == id} or {""}
    family = environments.family_of(experiment.environment["kind"])
    for name, guest in guests.items():
        swept = next(
            (
                p.sweep
                for p in policies.values()
                if p.swept in {*guest.takes} - {*experiment.parameters}
            ),
            {},
        )
        sweep = dict(list(swept.items())[:1])  # not what changes with it
        if (
            algorithms.family_of(guest.algorithm) == family
            and along & {"", *guest.takes, *guest.parameters}
            and {*experiment.parameters, *sweep}.issuperset(guest.takes)
        ):
            joined[name] = _policy(guest, sweep, experiment.design.runs_of_paper)
    return joined


def _policy(guest: Guest, sweep: Mapping[str, list], runs_of_paper: int | None) -> Guest:
    """The guest in an experiment. A sweep has no more runs than the paper had: with fifty times as many, sixty values of epsilon
    would take a night."""
    label = guest.label
    for parameter in sweep:
        if f"{{{parameter}" not in label:
            label += f", {SYMBOLS.get(parameter, parameter)} = {{{parameter}}}"
    note = "" if hasattr(algorithms.find(guest.algorithm), "privacy") else NOT_CHECKED
    changes = {
        "label": f"{label} {note}".strip(),
        "takes": [name for name in guest.takes if name not in sweep],
    }
    return guest.model_copy(
        update=changes | ({"sweep": sweep, "runs": runs_of_paper} if sweep else {})
    )

"""Guests: a user's own policies, from config/config.yaml, as an addition to a study.

A guest plays an experiment of its family if each parameter that it takes is set there, or swept by
a policy there; the guest then sweeps it, too. It plays neither experiments that only figures of
ours draw nor the longer games of an arena.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from dpbandits import bandits
from dpbandits.errors import InputError, check_known, within
from dpbandits.parameters import declared
from dpbandits.policies import POLICIES
from dpbandits.studies.arena import with_members
from dpbandits.studies.expansion import with_series
from dpbandits.studies.experiment import Algorithm, Experiment, Policy
from dpbandits.studies.model import Panel, Study
from dpbandits.studies.things import Look, Made

FILE = "config/config.yaml"
GUESTS = f"{FILE}: guests"  # begins messages about them
NOT_CHECKED = "(promise not checked)"  # in the legend, if the guest's class has no `privacy`
SYMBOLS = {"epsilon": "ε", "eps0": "ε₀", "alpha": "α"}


@dataclass(frozen=True)
class Guest(Policy):
    """A policy of the user's own, from config/config.yaml."""

    algorithm: Algorithm = ""
    look: Look | None = None
    """Its colour and its marker in figures, [sky, h]."""
    guest: Made[bool] = True


def invited(studies: Mapping[str, Study], guests: Mapping[str, Guest]) -> dict[str, Study]:
    """The studies with the guests of config/config.yaml.

    Raises InputError for a guest whose class cannot be imported, or that plays in none of them.
    """
    complete = {name: _complete(guest, name) for name, guest in guests.items()}
    result = {id: _added(study, complete) for id, study in studies.items()}
    playing = {guest for study in result.values() for guest in study.guests}
    for name in guests.keys() - playing:
        why = "no experiment of its family has the parameters that it takes"
        remedy = "set them under 'parameters', or remove it"
        raise InputError(f"{GUESTS}.{name}: it plays nowhere, since {why}; {remedy}")
    return result


def _complete(guest: Guest, name: str) -> Guest:
    """The guest with defaults for `takes` and `knows_horizon`, which follow from its class."""
    with within(f"{GUESTS}.{name}"):
        accepted = declared(POLICIES.find(guest.algorithm))
        for key in ("takes", "parameters"):
            names = getattr(guest, key) or ()
            check_known(key, f"parameter of {guest.algorithm}", names, accepted)
    required = [each for each in accepted if accepted[each].is_required]
    takes = [each for each in required if each not in guest.parameters]
    if guest.takes is not None:
        takes = guest.takes
    return replace(guest, id=name, takes=takes, knows_horizon=guest.knows_horizon is not False)


def _added(study: Study, guests: Mapping[str, Policy]) -> Study:
    """The study with these guests in its experiments and in its own figures."""
    for name in guests.keys() & study.policies.keys():
        raise InputError(f"{GUESTS}.{name}: a policy of {study.id} has this name; choose another")
    experiments = {
        id: _joined(study, experiment, guests) for id, experiment in study.experiments.items()
    }
    figures = {}
    for id, figure in study.figures.items():
        panels = figure.panels
        if not figure.ours:
            panels = [_with_guests(p, experiments[p.experiment], figure.reading) for p in panels]
        figures[id] = replace(figure, panels=panels)
    study = replace(study, experiments=experiments, figures=figures)
    return with_members(study) if study.arena else study


def _joined(study: Study, experiment: Experiment, guests: Mapping[str, Policy]) -> Experiment:
    """The experiment with the guests that can play it.

    A guest stays away if all panels are drawn along parameters that it lacks.
    """
    own = [panel for each in study.figures.values() if not each.ours for panel in each.panels]
    along = {panel.along for panel in own if panel.experiment == experiment.id}
    if study.arena and not experiment.stream:
        along = {""}
    policies = dict(experiment.policies)
    with within(f"{study.file}: experiments.{experiment.id}: environment"):
        family = bandits.BANDITS.family_of(experiment.environment["kind"])
    for name, guest in guests.items() if along else ():
        asks = {*guest.takes} - {*experiment.parameters}
        swept = next((p.sweep for p in experiment.policies.values() if p.swept in asks), {})
        sweep = dict(list(swept.items())[:1])  # without parameters that change with it
        if (
            POLICIES.family_of(guest.algorithm) == family
            and along & {"", *guest.takes, *guest.parameters}
            and {*experiment.parameters, *sweep}.issuperset(guest.takes)
        ):
            with within(f"{GUESTS}.{name}: in {study.id} {experiment.id}"):
                policies[name] = _playing(guest, sweep, experiment, policies.values())
    return replace(experiment, policies=policies)


def _playing(
    guest: Policy, sweep: Mapping[str, list], experiment: Experiment, others: Iterable[Policy]
) -> Policy:
    """The guest in an experiment.

    A sweep has the paper's number of runs: with fifty times as many, sixty values of epsilon would
    take a night.
    """
    label, design = guest.label, experiment.design
    for parameter in sweep:
        if f"{{{parameter}" not in label:
            label += f", {SYMBOLS.get(parameter, parameter)} = {{{parameter}}}"
    note = "" if POLICIES.find(guest.algorithm).states_privacy() else NOT_CHECKED
    takes = [name for name in guest.takes if name not in sweep]
    runs = min(filter(None, ((sweep and design.runs_of_paper) or guest.runs, design.runs)))
    policy = replace(
        guest,
        label=f"{label} {note}".strip(),
        takes=takes,
        sweep=sweep or guest.sweep,
        runs=runs,
        look=None,
        more_runs={},
    )
    policy = with_series(policy, experiment)
    labels = {each.label for other in others for each in other.series}
    if same := labels & {each.label for each in policy.series}:
        raise InputError(f"label: another curve is called '{min(same)}'; change it")
    return policy


def _with_guests(panel: Panel, experiment: Experiment, reading: str) -> Panel:
    """The panel with the series of the guests of its experiment.

    Of a sweep they have only the values of the panel's own series.
    """
    experiment = experiment.in_reading(reading)
    labels = {}
    for policy in (policy for policy in experiment.policies.values() if policy.guest):
        shown = {experiment.series[id].parameters.get(policy.swept) for id in panel.series} - {None}
        for series in policy.series:
            if (not panel.along or panel.along in series.parameters) and (
                not shown or series.parameters[policy.swept] in shown
            ):
                labels[series.id] = policy.label
    own = {**panel.labels, **(labels if panel.along else {})}
    return replace(panel, series=[*panel.series, *labels], labels=own)

"""Adds your own policies, from config/config.yaml, to experiments and figures of the papers.

A guest is offered to every experiment that is open to guests: by default those of a paper's own figures. It joins an
experiment if its algorithm can play the environment, if the experiment has the parameters that it takes, and if a
figure of the paper can draw it. Where the experiment sweeps a parameter that the guest takes, the guest sweeps it, too,
with no more runs than the paper had: sixty values of epsilon with fifty times its runs would take a night.
"""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from dpbandits import algorithms, environments, parameters
from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import arena, model, playable
from dpbandits.studies.expansion import Source, series_of, without_parameter
from dpbandits.studies.study import Experiment, Figure, Member, Offer, Panel, Paper, Policy
from dpbandits.studies.yaml_file import validated

FILE = "config/config.yaml"
NOT_CHECKED = "(promise not checked)"  # in the legend, after a guest whose module has no `privacy`
SYMBOLS = {"epsilon": "ε", "eps0": "ε₀", "alpha": "α"}


def read_guests(settings: Mapping[str, Mapping], papers: Collection[str]) -> dict[str, model.Guest]:
    """The guests of config/config.yaml; `papers` are the ids of all papers, one of which a guest may name."""
    guests = {name: read_guest(name, setting) for name, setting in settings.items()}
    for name, guest in guests.items():
        check_known(f"{where(name)}: papers", "paper", guest.papers or (), papers)
    return guests


def read_guest(name: str, setting: Mapping) -> model.Guest:
    """A guest; if `takes` is absent, it takes the parameters without which its algorithm cannot play.

    InputError if its algorithm or a parameter does not exist.
    """
    guest = validated(setting, model.Guest, where(name))
    try:
        play = playable.module_of(guest.algorithm).play
    except InputError as error:
        raise InputError(f"{where(name)}: {error}") from None
    known = parameters.accepted(play)
    for key, given in (("takes", guest.takes or ()), ("parameters", guest.parameters)):
        for parameter in given:
            if parameter not in known:
                says = f"{guest.algorithm} has no parameter '{parameter}'; {nearest(parameter, known)}"
                raise InputError(f"{where(name)}: {key}: {says}")
    if guest.takes is not None:
        return guest
    declared = inspect.signature(play).parameters.values()
    needed = [p.name for p in declared if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    return guest.model_copy(update={"takes": [name for name in needed if name not in guest.parameters]})


def where(name: str) -> str:
    """The beginning of an error message about a guest: file and key."""
    return f"{FILE}: guests.{name}"


def with_guests(paper: Paper, source: Source, guests: Mapping[str, model.Guest]) -> Paper:
    """The paper with the guests in its experiments and panels, and with a list of all offers."""
    for name, guest in guests.items():
        if guest.papers is None or paper.id in guest.papers:
            paper = _add_guest(paper, source, name, guest)
    return paper


def _add_guest(paper: Paper, source: Source, name: str, guest: model.Guest) -> Paper:
    taken = {p.id for e in paper.experiments.values() for p in e.policies}
    taken |= {series for e in paper.experiments.values() for series in e.series}
    if name in taken or name in source.paper.policies:
        raise InputError(f"{where(name)}: a policy of {paper.id} has this name; choose another")
    family = algorithms.family_of(guest.algorithm)
    note = "" if hasattr(algorithms.find(guest.algorithm), "privacy") else NOT_CHECKED
    offers, experiments = [], dict(paper.experiments)
    swept: dict[str, str] = {}  # experiment -> the parameter that the guest sweeps there
    for base, experiment in source.experiments.items():
        if not experiment.open_to_guests(base):
            continue
        shown = {
            id: [panel for panel in figure.panels if panel.experiment == base]
            for id, figure in paper.figures.items()
            if _draws_guests(id, experiment) and figure.id == figure.name
        }
        panels = [panel for drawn in shown.values() for panel in drawn]
        played = environments.family_of(paper.experiments[base].environment["kind"])
        sweep = _sweep(guest, experiment, source)
        if family != played:
            reason = f"{guest.algorithm} plays {family}, while these are {played}"
        else:
            reason = _parameter_mismatch(guest, experiment, sweep, panels)
        offers.append(Offer(name, tuple(id for id, drawn in shown.items() if drawn), reason))
        if reason:
            continue
        swept[base] = next(iter(sweep), "")
        joined = paper.experiments[base]
        series = series_of(_policy(guest, sweep, note), name, experiment, {}, where(name))
        runs = joined.design.runs_of_paper if sweep and joined.design.runs_of_paper else joined.design.runs
        joining = Policy(name, series, runs)
        if paper.arena:
            place = f"{where(name)}: in {paper.id} {base}"
            joining = arena.at_equal_privacy(joining, joined.environment, joined.design.horizon, place)
        experiments[base] = replace(joined, policies=(*joined.policies, joining))

    def without(parameter: str, parameters: Mapping[str, Any]) -> str:
        return f"{without_parameter(guest.label, parameter).format(**parameters)} {note}".strip()

    def with_guest(figure: Figure, panel: Panel) -> Panel:
        joined = experiments[panel.experiment].in_reading(figure.reading)
        if joined.id not in swept or not _draws_guests(figure.id, source.experiments[joined.id]):
            return panel
        drawn = _drawn_in(panel, joined, name, swept[joined.id])
        labels = dict(panel.labels)
        if panel.along and panel.along == swept[joined.id]:
            labels |= {id: without(panel.along, joined.series[id].parameters) for id in drawn}
        return replace(panel, series=(*panel.series, *drawn), labels=labels)

    figures = {
        id: replace(figure, panels=tuple(with_guest(figure, panel) for panel in figure.panels))
        for id, figure in paper.figures.items()
    }
    scored = paper.arena
    if scored and swept:
        member = Member(without("epsilon", guest.parameters), "epsilon" in guest.takes, guest=True, knows_horizon=True)
        scored = replace(scored, members={**scored.members, name: arena.with_series(name, member, experiments)})
    return replace(paper, experiments=experiments, figures=figures, guests=(*paper.guests, *offers), arena=scored)


def _draws_guests(figure: str, experiment: model.Experiment) -> bool:
    """A supplementary figure draws the guests of an experiment only where the paper file opens this one to them."""
    return model.is_of_the_paper(figure) or bool(experiment.guests)


def _sweep(guest: model.Guest, experiment: model.Experiment, source: Source) -> dict[str, list]:
    """A parameter that the guest takes and that policies of the experiment sweep, and the values of the first of them."""
    for parameter in guest.takes:
        sweeps = (source.paper.policies[policy].sweep or {} for policy in experiment.policies)
        values = next((sweep[parameter] for sweep in sweeps if parameter == next(iter(sweep), None)), None)
        if parameter not in experiment.parameters and values:
            return {parameter: values}
    return {}


def _policy(guest: model.Guest, sweep: dict[str, list], note: str) -> model.Policy:
    """The guest as a policy of an experiment; the label of each series of a sweep names its value."""
    label = guest.label
    for parameter in sweep:
        if f"{{{parameter}" not in label:
            label += f", {SYMBOLS.get(parameter, parameter)} = {{{parameter}}}"
    return model.Policy(
        label=f"{label} {note}".strip(),
        algorithm=guest.algorithm,
        takes=[parameter for parameter in guest.takes if parameter not in sweep],
        parameters=guest.parameters,
        **({"sweep": sweep} if sweep else {}),
    )


def _drawn_in(panel: Panel, joined: Experiment, name: str, swept: str) -> list[str]:
    """The series of a guest that a panel draws: of a sweep, those values that the panel has of ours."""
    own = joined.policy(name).series
    if panel.along and any(panel.along not in series.parameters for series in own):
        return []
    shown = [joined.series[series].parameters for series in panel.series]
    values = [parameters[swept] for parameters in shown if swept in parameters]
    return [series.id for series in own if not swept or not values or series.parameters[swept] in values]


def _parameter_mismatch(
    guest: model.Guest, experiment: model.Experiment, sweep: Mapping[str, list], panels: list[Panel]
) -> str:
    """Why a guest's parameters do not suit an experiment and its panels; "" if they do."""
    missing = [parameter for parameter in guest.takes if parameter not in {*experiment.parameters, *sweep}]
    if missing:
        return f"it takes {' and '.join(missing)}, which the experiment does not give to all of its policies"
    parameters = {*guest.takes, *guest.parameters}
    if panels and all(panel.along and panel.along not in parameters for panel in panels):
        return f"it is drawn along {panels[0].along}, which is no parameter of the guest"
    return ""


def report(papers: Collection[Paper]) -> list[str]:
    """Lines for a dry run: the number of papers' experiments that each guest joins, its figures and arenas, and why it is not
    in others."""
    lines = []
    for guest in dict.fromkeys(offer.guest for paper in papers for offer in paper.guests):
        offers = [o for paper in papers if not paper.arena for o in paper.guests if o.guest == guest]
        number = sum(not offer.reason for offer in offers)
        if offers:
            lines.append(f"guest {guest} joins {number} experiment{'s' if number != 1 else ''}")
        of_papers = [line for paper in papers for line in _report_of(guest, paper)]
        lines += sorted(of_papers, key=lambda line: ": not in " in line)
    return lines


def _report_of(guest: str, paper: Paper) -> list[str]:
    """One line per reason; the first names the figures that the guest joins, or the arena."""
    if paper.arena:
        reasons = sorted({offer.reason for offer in paper.guests if offer.guest == guest})
        return [f"guest {guest}: " + (f"not in {paper.id}: {r}" if r else f"in {paper.id}") for r in reasons]
    remaining = [figure for figure in paper.figures if any(figure in offer.figures for offer in paper.guests)]
    lines = []
    for reason in sorted({offer.reason for offer in paper.guests if offer.guest == guest}):  # "" first: it joins
        offers = [offer for offer in paper.guests if (offer.guest, offer.reason) == (guest, reason)]
        figures = [figure for figure in remaining if any(figure in offer.figures for offer in offers)]
        remaining = [figure for figure in remaining if figure not in figures]
        if figures:
            where = f"in {paper.id} {', '.join(figures)}"
            lines.append(f"guest {guest}: not {where}: {reason}" if reason else f"guest {guest}: {where}")
    return lines

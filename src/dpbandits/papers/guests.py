"""Adds your own policies, from config/config.yaml, to experiments and figures of the papers.

A guest is offered to every experiment that is open to guests: by default those of a paper's own figures. It joins an
experiment if its algorithm can play the environment, if the experiment has the parameters that it takes, and if a
figure of the paper can draw it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dpbandits import algorithms, environments
from dpbandits.errors import InputError, nearest
from dpbandits.papers import model
from dpbandits.papers.expanded import PUBLISHED, Offer, Panel, Paper, Policy
from dpbandits.papers.expanding import Source, series_of
from dpbandits.papers.reading import validated

FILE = "config/config.yaml"


def read_guests(settings: Mapping[str, Mapping], papers: Iterable[str]) -> dict[str, model.Guest]:
    """The guests of config/config.yaml; `papers` are the ids of all papers, one of which a guest may name."""
    papers = list(papers)
    guests = {name: validated(guest, model.Guest, where(name)) for name, guest in settings.items()}
    for name, guest in guests.items():
        for paper in guest.papers or ():
            if paper not in papers:
                raise InputError(f"{where(name)}: papers: unknown paper '{paper}'; {nearest(paper, papers)}")
    return guests


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
    try:
        family = algorithms.family_of(guest.algorithm)
    except InputError as error:
        raise InputError(f"{where(name)}: {error}") from None
    policy = model.Policy(label=guest.label, algorithm=guest.algorithm, takes=guest.takes, parameters=guest.parameters)
    offers, experiments = [], dict(paper.experiments)
    for base, experiment in source.experiments.items():
        if not experiment.open_to_guests(base):
            continue
        shown = {
            id: [panel for panel in figure.panels if panel.experiment == base]
            for id, figure in paper.figures.items()
            if _draws_guests(id, experiment)
        }
        panels = [panel for drawn in shown.values() for panel in drawn]
        played = environments.family_of(paper.experiments[base].environment["kind"])
        if family != played:
            reason = f"{guest.algorithm} plays {family}, while these are {played}"
        else:
            reason = _parameter_mismatch(guest, experiment, panels)
        offers.append(Offer(name, tuple(id for id, drawn in shown.items() if drawn), reason))
        if reason:
            continue
        series = series_of(policy, name, experiment.parameters, {}, PUBLISHED, where(name))
        published = paper.experiments[base]
        for joined in paper.readings_of(base):
            home = base if joined.environment == published.environment else joined.id
            experiments[joined.id] = replace(
                joined, policies=(*joined.policies, Policy(name, home, series, joined.design.runs))
            )

    def with_guest(figure: str, panel: Panel) -> Panel:
        joined = experiments[panel.experiment]
        if name not in joined.series or not _draws_guests(figure, source.experiments[joined.base]):
            return panel
        if panel.along and panel.along not in joined.series[name].parameters:
            return panel
        return replace(panel, series=(*panel.series, name))

    figures = {
        id: replace(figure, panels=tuple(with_guest(id, panel) for panel in figure.panels))
        for id, figure in paper.figures.items()
    }
    return replace(paper, experiments=experiments, figures=figures, guests=(*paper.guests, *offers))


def _draws_guests(figure: str, experiment: model.Experiment) -> bool:
    """A supplementary figure draws the guests of an experiment only where the paper file opens this one to them."""
    return model.is_of_the_paper(figure) or bool(experiment.guests)


def _parameter_mismatch(guest: model.Guest, experiment: model.Experiment, panels: list[Panel]) -> str:
    """Why a guest's parameters do not suit an experiment and its panels; "" if they do."""
    missing = [parameter for parameter in guest.takes if parameter not in experiment.parameters]
    if missing:
        return f"it takes {' and '.join(missing)}, which the experiment does not give to all of its policies"
    parameters = {*guest.takes, *guest.parameters}
    if panels and all(panel.along and panel.along not in parameters for panel in panels):
        return f"it is drawn along {panels[0].along}, which is no parameter of the guest"
    return ""


def report(papers: Iterable[Paper]) -> list[str]:
    """Which figures every guest joins, which it does not join, and why: one line per paper and reason."""
    lines = []
    for paper in papers:
        for guest in dict.fromkeys(offer.guest for offer in paper.guests):
            remaining = [figure for figure in paper.figures if any(figure in offer.figures for offer in paper.guests)]
            for reason in sorted(
                {offer.reason for offer in paper.guests if offer.guest == guest}
            ):  # "" first: it joins
                offers = [offer for offer in paper.guests if (offer.guest, offer.reason) == (guest, reason)]
                figures = [figure for figure in remaining if any(figure in offer.figures for offer in offers)]
                remaining = [figure for figure in remaining if figure not in figures]
                if figures:
                    where = f"in {paper.id} {', '.join(figures)}"
                    lines.append(f"guest {guest}: not {where}: {reason}" if reason else f"guest {guest}: {where}")
    return sorted(lines, key=lambda line: (line.split(":")[0], ": not in " in line))

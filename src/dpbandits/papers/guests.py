"""Policies of your own, from config/config.yaml: in which experiments and figures of the papers they join.

A guest is offered to every experiment that the model calls open to guests: those of a paper's own figures, unless the
paper file says otherwise. It joins where its algorithm can play, where the experiment has the parameters that it takes,
and where a figure of the paper can draw it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dpbandits.errors import InputError, nearest
from dpbandits.papers import families, model
from dpbandits.papers.expanded import PUBLISHED, Experiment, Offer, Panel, Paper, Policy
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
    """How a complaint about a guest begins."""
    return f"{FILE}: guests.{name}"


def with_guests(paper: Paper, source: Source, guests: Mapping[str, model.Guest]) -> Paper:
    """The paper with the guests in its experiments and panels, and with a note of every offer."""
    for name, guest in guests.items():
        if guest.papers is None or paper.id in guest.papers:
            paper = _joined(paper, source, name, guest)
    return paper


def _joined(paper: Paper, source: Source, name: str, guest: model.Guest) -> Paper:
    taken = {p.id for e in paper.experiments.values() for p in e.policies}
    taken |= {series for e in paper.experiments.values() for series in e.series}
    if name in taken or name in source.paper.policies:
        raise InputError(f"{where(name)}: a policy of {paper.id} has this name; choose another")
    try:
        plays = families.of_algorithm(guest.algorithm)
    except InputError as error:
        raise InputError(f"{where(name)}: {error}") from None
    policy = model.Policy(label=guest.label, algorithm=guest.algorithm, takes=guest.takes, parameters=guest.parameters)
    offers, experiments = [], dict(paper.experiments)
    for base, experiment in source.experiments.items():
        if not experiment.open_to_guests(base):
            continue
        reason = _why_not(paper, base, experiment, guest, plays)
        offers.append(Offer(name, tuple(id for id, _ in _panels_of(paper, base)), reason))
        if reason:
            continue
        series = series_of(policy, name, experiment.parameters, {}, PUBLISHED, where(name))
        published = paper.experiments[base]
        for joined in paper.readings_of(base):
            home = base if joined.environment == published.environment else joined.id
            experiments[joined.id] = replace(joined, policies=(*joined.policies, Policy(name, home, series)))
    figures = {
        id: replace(figure, panels=tuple(_with_guest(panel, name, experiments) for panel in figure.panels))
        if model.is_of_the_paper(id)
        else figure
        for id, figure in paper.figures.items()
    }
    return replace(paper, experiments=experiments, figures=figures, guests=(*paper.guests, *offers))


def _why_not(paper: Paper, base: str, experiment: model.Experiment, guest: model.Guest, plays: str) -> str:
    """Why a guest cannot join an experiment; "" if it can."""
    plays, here = (
        families.of_algorithm(guest.algorithm),
        families.of_environment(paper.experiments[base].environment["kind"]),
    )
    if plays != here:
        return f"{guest.algorithm} plays {plays}, while these are {here}"
    missing = [parameter for parameter in guest.takes if parameter not in experiment.parameters]
    if missing:
        return f"it takes {' and '.join(missing)}, which the experiment does not give to all of its policies"
    panels = [panel for _, panel in _panels_of(paper, base)]
    parameters = {*guest.takes, *guest.parameters}
    if panels and all(panel.along and panel.along not in parameters for panel in panels):
        return f"it is drawn along {panels[0].along}, which is no parameter of the guest"
    return ""


def _panels_of(paper: Paper, base: str) -> list[tuple[str, Panel]]:
    """The panels that draw an experiment in the paper's own figures, each with the figure's id."""
    return [
        (id, panel)
        for id, figure in paper.figures.items()
        for panel in figure.panels
        if model.is_of_the_paper(id) and panel.experiment == base
    ]


def _with_guest(panel: Panel, name: str, experiments: Mapping[str, Experiment]) -> Panel:
    """The panel with the guest as its last series, if it plays there and can be drawn."""
    series = experiments[panel.experiment].series
    if name not in series or (panel.along and panel.along not in series[name].parameters):
        return panel
    return replace(panel, series=(*panel.series, name))


def report(papers: Iterable[Paper]) -> list[str]:
    """In which figures every guest plays, and in which not and why; a line for each paper and reason."""
    lines = []
    for paper in papers:
        for guest in dict.fromkeys(offer.guest for offer in paper.guests):
            unsaid = [figure for figure in paper.figures if any(figure in offer.figures for offer in paper.guests)]
            for reason in sorted(
                {offer.reason for offer in paper.guests if offer.guest == guest}
            ):  # "" first: it joins
                offers = [offer for offer in paper.guests if (offer.guest, offer.reason) == (guest, reason)]
                figures = [figure for figure in unsaid if any(figure in offer.figures for offer in offers)]
                unsaid = [figure for figure in unsaid if figure not in figures]
                if figures:
                    where = f"in {paper.id} {', '.join(figures)}"
                    lines.append(f"guest {guest}: not {where}: {reason}" if reason else f"guest {guest}: {where}")
    return sorted(lines, key=lambda line: (line.split(":")[0], ": not in " in line))

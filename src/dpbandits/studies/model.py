"""A study, that is, a paper's experimental section or an arena: keys of its file, at one scale."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Len, MinLen

from dpbandits.parameters import Natural, Positive
from dpbandits.studies.claim import Check, Claim
from dpbandits.studies.experiment import Experiment, Policy, id_in
from dpbandits.studies.settings import GUESTS
from dpbandits.studies.things import Form, made
from dpbandits.studies.types import (
    AS_TYPED,
    CORRECTED,
    PUBLISHED,
    Environment,
    Names,
    Number,
    Reading,
    Sweep,
    Texts,
)

RECONSTRUCTED = "∗"  # after a label: its policy is our reconstruction
REFUTED = "(promise not kept)"  # after a label: a replay contradicts the promise
Part = dict[str, Any]  # keys of a thing that are not all of them


@dataclass(frozen=True)
class Axis:
    """Label, scale and limits of an axis. Missing keys come from the study's axes."""

    label: str | None = None
    scale: Literal["linear", "log"] | None = None
    limits: Annotated[Sequence[Number], Len(2, 2)] | None = None
    least: Number | None = None
    """Of x: the round at which curves over time begin."""


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    experiment: str = ""
    """The experiment that is drawn; in a figure of a single panel that of the figure's id."""
    title: str = ""
    series: Annotated[Sequence[str], Form(Names)] = ()
    """Series, or ids of policies for all series of each (default: all)."""
    x: Axis = Axis()
    y: Axis = Axis()
    along: str = ""
    """Draw the regret at T against this parameter of the series, not the regret against time."""
    column: Literal["", "locked_in"] = ""
    """A column of the summary, drawn in place of the regret; one of the design's columns."""
    overlay: dict[str, str] = field(default_factory=dict)
    """Thin lines: a label for the legend, and a bound of dpbandits.theory."""
    regimes: str = ""
    """One of dpbandits.theory.bounds.REGIMES: where on the x axis to draw vertical lines."""
    labels: dict[str, str] = field(default_factory=dict)
    """Series, or along a parameter the first of a line -> its label in this panel."""
    group: str = ""
    """Among points, the text below this panel's; panels of one title share their axes."""
    baseline: Number = 0.0
    """Among points, a value to compare with, drawn as a line."""
    judged: bool = made(False)  # whether checks judge the statistic of its experiment
    drawn_as: str = made("")  # the paper's own panel, whose drawn points it may show

    def label(self, series: str, experiment: Experiment) -> str:
        """The label of a series (its id), with the marks above."""
        one = experiment.series[series]
        ours = (one.reading or PUBLISHED) in experiment.policies[one.policy].reconstructed
        marks = f" {RECONSTRUCTED}" * ours + f" {REFUTED}" * one.refuted
        return self.labels.get(series, one.label) + marks


@dataclass(frozen=True)
class Figure:
    """A file under figures/, in one reading. One of a single panel has the keys of that panel."""

    needs: ClassVar = ("caption",)
    name: str = made("")  # the same in both readings
    caption: str = ""
    kind: Literal["curves", "points", "interaction_diagram", "episodes_diagram"] = "curves"
    title: str = ""
    columns: Natural | None = None
    """Columns of panels."""
    panels: Annotated[Sequence[Panel], Form(Annotated[list[str | dict[str, Any]], MinLen(1)])] = ()
    """Panels, or ids of figures that are a single panel. The figure's `defaults` hold for them."""
    ours: bool = False
    """Whether it supplements those of the paper."""
    reading: str = made("")  # empty where there is only one
    reading_name: str = made("")  # in the footnote

    @property
    def id(self) -> str:
        """The name of its file, which the corrected reading ends with."""
        return id_in(self.reading, self.name)

    @property
    def experiments(self) -> list[str]:
        """The experiments whose summaries the figure draws."""
        return list(dict.fromkeys(panel.experiment for panel in self.panels))


@dataclass(frozen=True)
class Arena:
    """What is scored: every policy on every experiment, one series for each epsilon it takes."""

    epsilons: Annotated[Sequence[Annotated[Positive, AS_TYPED]], MinLen(1)]
    yardstick: str
    """The policy whose regret is the unit of scores."""
    about: str = ""
    """What the page says first of it."""
    experiments: Names = field(default_factory=list)
    """Those that are scored; if absent, all that have random numbers of their own. `smoke` has the
    epsilons and the experiments at the smoke scale."""
    left_out: dict[str, Texts] = field(default_factory=dict)
    """Policy -> experiment, or several ("C1, C3") -> why the policy does not play there."""
    instances: Mapping[str, str] = made(factory=dict)  # scored experiments -> labels
    members: Mapping[str, Policy] = made(factory=dict)  # all that play


@dataclass(frozen=True)
class Study:
    """A study: a paper, or an arena, in which policies are scored."""

    id: str = made("")
    file: str = made("")
    title: str = ""
    authors: Names = field(default_factory=list)
    venue: str = ""
    link: str = ""
    readings: dict[Reading, str] = field(default_factory=dict)
    """For each reading, what it runs where the published figures and the text differ."""
    reading_names: dict[Reading, str] = field(default_factory=dict)
    """In the figures, where "published reading" is not precise enough."""
    arena: Annotated[Arena | None, Form(Part)] = None
    design: Part = field(default_factory=dict)
    """The design of all experiments; each may change some of it."""
    smoke: Part = field(default_factory=dict)
    """Changes of the design at the smoke scale."""
    axes: Part = field(default_factory=dict)
    """The default axes of all panels, x and y."""
    environments: dict[str, Environment] = field(default_factory=dict)
    """By the paper's own names, if it has some."""
    sweeps: dict[str, Sweep] = field(default_factory=dict)
    """Sweeps that several policies have: their name -> a parameter with its values."""
    policies: Annotated[Mapping[str, Policy], Form(Part)] = field(default_factory=dict)
    experiments: Annotated[Mapping[str, Experiment], Form(Part)] = field(default_factory=dict)
    figures: Annotated[Mapping[str, Figure], Form(Part)] = field(default_factory=dict)
    preview: Names = field(default_factory=list)
    """Figures shown side by side in figures/gallery."""
    claims: Mapping[str, Claim] = made(factory=dict)
    claims_file: str = made("")

    def place(self, experiment: str, policy: Policy, series: str = "") -> str:
        """The beginning of a message about a policy in an experiment, or one of its series."""
        if policy.guest:
            return f"{GUESTS}.{policy.id}: in {self.id} {experiment}"
        return f"{self.file}: experiments.{experiment}.policies.{series or policy.id}"

    @property
    def guests(self) -> dict[str, set[str]]:
        """The policies of config/config.yaml that play here, each with the ids of its series."""
        result: dict[str, set[str]] = {}
        for experiment in self.experiments.values():
            for policy in experiment.policies.values():
                if policy.guest:
                    result.setdefault(policy.id, set()).update(each.id for each in policy.series)
        return result

    @property
    def readings_of_claims(self) -> tuple[str, ...]:
        """The readings in which its claims have answers; "both" if no experiment has two."""
        has_two = any(len(experiment.by_reading) > 1 for experiment in self.experiments.values())
        return (PUBLISHED, CORRECTED) if has_two else ("both",)

    @property
    def checks(self) -> dict[str, Check]:
        """The checks of all claims."""
        return {id: check for claim in self.claims.values() for id, check in claim.checks.items()}

    def experiments_of(self, names: Iterable[str]) -> list[str]:
        """The experiments of these ids, and those that the figures of these ids draw."""
        result: Iterable[Any] = (
            [name] if name in self.experiments else self.figures[name].experiments for name in names
        )
        return list(dict.fromkeys(itertools.chain(*result)))

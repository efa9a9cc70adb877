"""A study, that is, a paper's experimental section or an arena: keys of its file, at one scale."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Len, MinLen

from dpbandits.parameters import Natural, Positive
from dpbandits.studies.claim import Check, Claim, readings_in
from dpbandits.studies.experiment import Experiment, Policy, SomeOfDesign, id_in
from dpbandits.studies.things import (
    AS_TYPED,
    BOTH,
    CORRECTED,
    PUBLISHED,
    Environment,
    Form,
    Id,
    Made,
    Names,
    Number,
    Reading,
    Slug,
    Sweep,
    Texts,
    Thing,
    some_of,
)

RECONSTRUCTED = "∗"  # after a label: its policy is our reconstruction
REFUTED = "(promise not kept)"  # after a label: a replay contradicts the ledger


@dataclass(frozen=True)
class Axis(Thing):
    """Label, scale and limits of an axis. Missing keys come from the study's axes."""

    label: str | None = None
    scale: Literal["linear", "log"] | None = None
    limits: Annotated[Sequence[Number], Len(2, 2)] | None = None
    least: Number | None = None
    """Of x: the round at which curves over time begin."""


@dataclass(frozen=True)
class VerticalAxis(Axis):
    """An axis without `least`."""

    least: Made[None] = None


SomeOfX, SomeOfY = some_of(Axis), some_of(VerticalAxis)


@dataclass(frozen=True)
class Panel(Thing):
    """One pair of axes."""

    experiment: str = ""
    """The experiment that is drawn; in a figure of a single panel that of the figure's id."""
    title: str = ""
    series: Annotated[Sequence[str], Form(Names)] = ()
    """Series, or ids of policies for all series of each (default: all)."""
    x: Annotated[Axis, Form(SomeOfX)] = Axis()
    y: Annotated[Axis, Form(SomeOfY)] = Axis()
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
    judged: Made[bool] = False  # whether checks judge the statistic of its experiment
    drawn_as: Made[str] = ""  # the paper's own panel, whose drawn points it may show

    def label(self, series: str, experiment: Experiment) -> str:
        """The label of a series (its id), with the marks above."""
        one = experiment.series[series]
        reconstructed = experiment.policies[one.policy].reconstructed
        ours = {*readings_in(one.reading or BOTH)} & {*reconstructed}
        marks = f" {RECONSTRUCTED}" * bool(ours) + f" {REFUTED}" * one.refuted
        return self.labels.get(series, one.label) + marks


@dataclass(frozen=True)
class Figure(Thing):
    """A file under figures/, in one reading. One of a single panel has the keys of that panel."""

    needs: ClassVar = ("caption",)
    name: Made[str] = ""  # the same in both readings
    caption: str = ""
    kind: Literal["curves", "points", "interaction_diagram", "episodes_diagram"] = "curves"
    title: str = ""
    columns: Natural | None = None
    """Columns of panels."""
    panels: Annotated[Sequence[Panel], Form(Annotated[list[str | some_of(Panel)], MinLen(1)])] = ()
    """Panels, or ids of figures that are a single panel."""
    defaults: some_of(Panel) = field(default_factory=dict)
    """What its panels share."""
    ours: bool = False
    """Whether it supplements those of the paper."""
    reading: Made[str] = ""  # empty where there is only one
    reading_name: Made[str] = ""  # in the footnote

    @property
    def id(self) -> str:
        """The name of its file, which the corrected reading ends with."""
        return id_in(self.reading, self.name)

    @property
    def experiments(self) -> list[str]:
        """The experiments whose summaries the figure draws."""
        return list(dict.fromkeys(panel.experiment for panel in self.panels))


@dataclass(frozen=True)
class Arena(Thing):
    """What is scored: every policy on every experiment, one series for each epsilon it takes."""

    epsilons: Annotated[Sequence[Annotated[Positive, AS_TYPED]], MinLen(1)]
    yardstick: str
    """The policy whose regret is the unit of scores."""
    about: str = ""
    """What the page says first of it."""
    experiments: Names = field(default_factory=list)
    """Those that are scored; if absent, all that have random numbers of their own."""
    smoke: dict[str, Any] = field(default_factory=dict)
    """What differs at the smoke scale: epsilons, experiments."""
    left_out: dict[str, Texts] = field(default_factory=dict)
    """Policy -> experiment, or several ("C1, C3") -> why the policy does not play there."""
    families: dict[str, Names] = field(default_factory=dict)
    """Family -> experiments that count as one in a mean."""
    instances: Made[Mapping[str, str]] = field(default_factory=dict)  # scored experiments -> labels
    members: Made[Mapping[str, Policy]] = field(default_factory=dict)  # all that play


@dataclass(frozen=True)
class Study(Thing):
    """A paper, or an arena in which policies are scored."""

    needs: ClassVar = ("title", "design", "policies", "experiments")
    id: Made[str] = ""
    file: Made[str] = ""
    title: str = ""
    authors: Names = field(default_factory=list)
    venue: str = ""
    link: str = ""
    readings: dict[Reading, str] = field(default_factory=dict)
    """For each reading, what it runs where the published figures and the text differ."""
    design: SomeOfDesign = field(default_factory=dict)
    """The design of all experiments; each may change some of it."""
    smoke: SomeOfDesign = field(default_factory=dict)
    """Changes of the design at the smoke scale."""
    environments: dict[str, Environment] = field(default_factory=dict)
    """By the paper's own names, if it has some."""
    policies: Annotated[dict[Slug, Policy], MinLen(1)] = field(default_factory=dict)
    experiments: Annotated[dict[Id, Experiment], MinLen(1)] = field(default_factory=dict)
    arena: Made[Arena | None] = None
    sweeps: Made[dict[str, Sweep]] = field(default_factory=dict)
    figures: Made[Mapping[str, Figure]] = field(default_factory=dict)
    claims: Made[Mapping[str, Claim]] = field(default_factory=dict)
    claims_file: Made[str] = ""

    @property
    def files(self) -> list[str]:
        """Its file and, if it has claims, theirs."""
        return list(filter(None, [self.file, self.claims_file]))

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
        return (PUBLISHED, CORRECTED) if has_two else (BOTH,)

    @property
    def checks(self) -> dict[str, Check]:
        """The checks of all claims."""
        return {id: check for claim in self.claims.values() for id, check in claim.checks.items()}

    def experiments_of(self, names: Iterable[str]) -> list[str]:
        """The experiments of these ids, and those that the figures of these ids draw."""
        result: dict[str, None] = {}
        for name in names:
            drawn = [name] if name in self.experiments else self.figures[name].experiments
            result |= dict.fromkeys(drawn)
        return list(result)


@dataclass(frozen=True)
class Paper(Study):
    """A paper's experimental section."""

    needs: ClassVar = (*Study.needs, "authors", "venue", "link", "axes", "figures", "preview")
    reading_names: dict[Reading, str] = field(default_factory=dict)
    """In the figures, where "published reading" is not precise enough."""
    axes: dict[Literal["x", "y"], SomeOfX] = field(default_factory=dict)
    """The default axes of all panels."""
    sweeps: dict[str, Sweep] = field(default_factory=dict)
    """Sweeps that several policies have: their name -> a parameter with its values."""
    figures: Annotated[
        Mapping[str, Figure], Form(Annotated[dict[Id, some_of(Figure, Panel)], MinLen(1)])
    ] = field(default_factory=dict)
    """A figure of a single panel has the keys of that panel."""
    preview: Names = field(default_factory=list)
    """Figures shown side by side in figures/gallery."""


@dataclass(frozen=True)
class ArenaStudy(Study):
    """An arena, in which policies are scored."""

    needs: ClassVar = (*Study.needs, "arena")
    arena: Annotated[Arena | None, Form(Arena)] = None

"""A study, that is, a paper's experimental section or an arena: what its YAML file may say, and what the code then uses.

And what config/config.yaml may say, which explains its keys.
"""

import itertools
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Gt, Len, MinLen
from pydantic import FiniteFloat, model_validator

from dpbandits.studies.claim import Check, Claim, ClaimId, Reading
from dpbandits.studies.experiment import Design, Environment, Experiment, Policy, id_in
from dpbandits.studies.strict_yaml import Filled, Id, Names, Number, Slug, Written

GUESTS = "config/config.yaml: guests"  # begins messages about them


class Axis(Written):
    """Label, scale and limits of an axis; keys left out are as in the paper's axes."""

    label: str = None
    scale: Literal["linear", "log"] = None
    limits: Annotated[list[Number], Len(2, 2)] = None


class XAxis(Axis):
    """The x axis."""

    least: Number = None  # the round at which curves over time begin


class Panel(Written):
    """One pair of axes; in a file it may have a `matrix`, and then stands for several."""

    experiment: str
    title: str = ""
    series: Annotated[list[str], MinLen(1)] = (
        None  # or ids of policies, for all series of each; all if absent
    )
    x: XAxis = XAxis()
    y: Axis = Axis()
    along: str = (
        ""  # draw the regret at T against this parameter of the series, not the regret against time
    )
    column: Literal["", "locked_in"] = (
        ""  # of the summary, drawn in place of the regret; one of the design's columns
    )
    overlay: dict[
        str, str
    ] = {}  # thin lines: a label for the legend, and a bound of dpbandits.theory
    regimes: str = (
        ""  # one of dpbandits.theory.bounds.REGIMES: where on the x axis to draw vertical lines
    )
    labels: dict[
        str, str
    ] = {}  # series, or along a parameter the first of a line -> its label in this panel
    group: str = (
        ""  # among points, the text below this panel's; panels of one title share their axes
    )
    baseline: Number = 0.0  # among points, a value to compare with, drawn as a line
    line: Filled[str] = "median_of_means"  # the column of the summary that its lines show
    drawn_as: Filled[str] = (
        ""  # the paper's own panel that it reproduces, whose drawn points it may show
    )


class Figure(Written):
    """A file under figures/, in one reading; in a study's file it may have a `matrix`, and then stands for several.

    A figure of a single panel has the keys of that panel among its own; its experiment is that of its own id if absent."""

    kind: Literal["curves", "points", "interaction_diagram", "episodes_diagram"] = "curves"
    title: str = ""
    caption: str
    columns: Annotated[int, Ge(1)] = None  # of panels
    # Or ids of figures that are a single panel; a diagram has none.
    panels: Annotated[list[str | Panel], MinLen(1)] = []
    name: Filled[str] = ""  # the same in both readings
    reading: Filled[str] = ""  # empty where there is only one
    reading_name: Filled[str] = ""  # in the footnote

    @property
    def id(self) -> str:
        """The name of its file, which the corrected reading ends with."""
        return id_in(self.reading, self.name)

    @property
    def experiments(self) -> list[str]:
        """The experiments whose summaries the figure draws."""
        return list(dict.fromkeys(panel.experiment for panel in self.panels))


class Arena(Written):
    """What is scored: every policy on every experiment, with one series for each epsilon if it takes epsilon."""

    about: str = ""  # what the report says first of it
    epsilons: Annotated[list[Annotated[Number, Gt(0)]], MinLen(1)]
    experiments: Names = (
        None  # those that are scored; all that have random numbers of their own, if absent
    )
    smoke: "Arena | None" = None  # at the smoke scale
    yardstick: str  # the policy whose regret is the unit of scores
    left_out: dict[str, dict[str, str]] = {}  # policy -> experiment -> why it does not play there
    instances: Filled[dict[str, str]] = {}  # the scored experiments -> their labels
    members: Filled[dict[str, Policy]] = {}  # all that play


OF_A_PAPER = ("authors", "venue", "link", "axes", "figures", "preview")


class Study(Written):
    """A study: a paper, config/papers/<paper>.yaml, or an arena, config/<arena>.yaml, in which policies are scored."""

    title: str
    authors: Annotated[list[str], MinLen(1)] = []
    venue: str = ""
    link: str = ""
    design: Design
    smoke: Design = None  # changes of the design at the smoke scale
    readings: dict[
        Reading, str
    ] = {}  # for each reading, what it runs where the published figures and the text differ
    reading_names: dict[
        Reading, str
    ] = {}  # in the figures, where "published reading" is not precise enough
    axes: Annotated[dict[Literal["x", "y"], XAxis], MinLen(2)] = (
        None  # the default axes of all panels
    )
    arena: Arena = None
    environments: dict[str, Environment] = {}  # by the paper's own names, if it has some
    policies: Annotated[dict[Slug, Policy], MinLen(1)]
    experiments: Annotated[dict[Id, Experiment], MinLen(1)]
    figures: Annotated[dict[Id, Figure], MinLen(1)] = {}
    preview: Annotated[list[str], MinLen(1)] = []  # figures shown side by side in figures/gallery
    # config/claims/<paper>.yaml: all that the paper says about its experiments, in its order, with the checks of each:
    # S1 a claim on experiments, T1 a theorem, P1 a promise of privacy; O1 a question of ours, which counts for nobody.
    claims: Filled[dict[ClaimId, Claim]] = {}
    claims_file: Filled[str] = ""
    id: Filled[str] = ""
    file: Filled[str] = ""

    @model_validator(mode="after")
    def _is_a_paper_or_an_arena(self) -> Self:
        """Only an arena may lack authors and figures, and it has figures of its own."""
        for key in () if self.arena else OF_A_PAPER:
            if key not in self.model_fields_set:
                raise ValueError(f"'{key}' is missing; add it")
        if self.arena and (drawn := self.model_fields_set & {"figures", "preview"}):
            raise ValueError(f"{min(drawn)}: an arena has figures of its own; remove this key")
        return self

    @property
    def independent(self) -> list[str]:
        """The experiments that have random numbers of their own."""
        return [id for id, experiment in self.experiments.items() if not experiment.stream]

    def panels_of(self, figure: str) -> list[tuple[str, Panel]]:
        """The panels of a figure of the file, each with the id of the figure that it is by itself, or ""."""
        panels = self.figures[figure].panels
        alone = figure if len(panels) == 1 else ""
        return [
            (p, self.figures[p].panels[0]) if isinstance(p, str) else (alone, p) for p in panels
        ]

    def place(self, experiment: str, policy: Policy, series: str = "") -> str:
        """The beginning of a message about a policy in an experiment, or one of its series."""
        own = f"{GUESTS}.{policy.id}: in {self.id} {experiment}"
        return (
            own
            if policy.guest
            else f"{self.file}: experiments.{experiment}.policies.{series or policy.id}"
        )

    @property
    def guests(self) -> tuple[str, ...]:
        """The policies of config/config.yaml that play here."""
        played = (
            policy
            for experiment in self.experiments.values()
            for policy in experiment.policies.values()
        )
        return tuple(dict.fromkeys(policy.id for policy in played if policy.guest))

    @property
    def checks(self) -> dict[str, Check]:
        """The checks of all claims."""
        return {id: check for claim in self.claims.values() for id, check in claim.checks.items()}

    def experiments_of(self, names: Iterable[str]) -> list[str]:
        """The experiments of these ids, and those that the figures of these ids draw."""
        found = (
            [name] if name in self.experiments else self.figures[name].experiments for name in names
        )
        return list(dict.fromkeys(itertools.chain(*found)))


Games = Annotated[int, Ge(1000)]


class Effort(Written):
    """How much is played to measure privacy at one scale."""

    # Each policy is audited at those that some experiment has; if none has one, at all.
    epsilons: Annotated[list[Annotated[FiniteFloat, Gt(0)]], MinLen(1)]
    games: Games  # on two neighbouring inputs together
    reports: Games  # of users with either reward together (local privacy)


class Settings(Written):
    """config/config.yaml."""

    seed: Annotated[int, Ge(0)]
    scale: Literal["paper", "smoke"]
    estimator: Literal["default", "paper"]
    block: Literal["auto"] | Annotated[int, Ge(1)]
    submit_above: Annotated[int, Ge(0)]
    formats: Annotated[list[Literal["pdf", "png", "svg"]], MinLen(1)]
    published_points: bool | Literal["true", "false"] = True
    audit: Annotated[dict[Literal["paper", "smoke"], Effort], MinLen(2)]
    r6a: str = ""
    guests: dict[Slug, Any] = {}  # experiment.Guest

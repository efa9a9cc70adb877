"""The files of papers and arenas as a person types them, with types as in `entries`."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from annotated_types import Len, MinLen
from pydantic import model_validator

from dpbandits.parameters import Natural, Positive
from dpbandits.studies.entries import (
    AS_TYPED,
    DesignEntry,
    DesignPart,
    Environment,
    ExperimentEntry,
    Id,
    Matrix,
    Names,
    Number,
    PolicyEntry,
    Reading,
    Slug,
    Sweep,
    Text,
    Texts,
)
from dpbandits.studies.strict_yaml import Entry, Keys


class YAxis(Entry):
    """Label, scale and limits of an axis. Missing keys come from the study's axes."""

    label: Text = None
    scale: Literal["linear", "log"] = None
    limits: Annotated[list[Number], Len(2, 2)] = None


class XAxis(YAxis):
    """Label, scale and limits of an axis; other keys are as in the study's axes."""

    least: Number = None
    """The round at which curves over time begin."""


class Axes(Keys):
    """The default axes of all panels."""

    x: XAxis
    y: YAxis


class PanelPart(Entry):
    """One pair of axes."""

    experiment: str = None
    """The experiment that is drawn; in a figure of a single panel that of the figure's id."""
    title: Text = None
    series: Names = None
    """Series, or ids of policies for all series of each (default: all)."""
    x: XAxis = None
    y: YAxis = None
    along: str = ""
    """Draw the regret at T against this parameter of the series, not the regret against time."""
    column: Literal["", "locked_in"] = ""
    """A column of the summary, drawn in place of the regret; one of the design's columns."""
    overlay: dict[str, str] = None
    """Thin lines: a label for the legend, and a bound of dpbandits.theory."""
    regimes: str = None
    """One of dpbandits.theory.bounds.REGIMES: where on the x axis to draw vertical lines."""
    labels: dict[str, Text] = {}
    """Series, or along a parameter the first of a line -> its label in this panel."""
    group: Text = None
    """Among points, the text below this panel's; panels of one title share their axes."""
    baseline: Number = None
    """Among points, a value to compare with, drawn as a line."""


class PanelEntry(PanelPart):
    """A panel of a figure."""

    needs: ClassVar = ("experiment",)
    matrix: Matrix[PanelPart] = None
    """The panel stands for one of each combination."""


class FigurePart(PanelPart):
    """A figure; one of a single panel has the keys of that panel among its own."""

    kind: Literal["curves", "points", "interaction_diagram", "episodes_diagram"] = None
    caption: Text = None
    columns: Natural = None
    """Columns of panels."""
    panels: Annotated[list[str | PanelEntry], MinLen(1)] = None
    """Panels, or ids of figures that are a single panel."""


OF_FIGURES = {*FigurePart.model_fields} - {*PanelPart.model_fields} | {"title"}


class FigureEntry(FigurePart):
    """A file under figures/."""

    needs: ClassVar = ("caption",)
    matrix: Matrix[FigurePart] = None
    """The figure stands for one of each combination."""

    @property
    def is_panel(self) -> bool:
        """Whether it is a single panel, which other figures may name."""
        return len(self.panels or ()) == 1 and isinstance(self.panels[0], PanelEntry)

    @model_validator(mode="after")
    def _has_panels_or_is_one(self) -> Self:
        own = self.model_fields_set - OF_FIGURES - {"matrix"}
        if own and (self.panels or "diagram" in (self.kind or "")):
            raise ValueError(f"{min(own)}: it is a key of panels; write it in them")
        return self


class StudyFile(Keys):
    """What the files of papers and arenas have in common."""

    title: str
    authors: Names = None
    venue: str = ""
    link: str = ""
    design: DesignEntry
    smoke: DesignPart = None
    """Changes of the design at the smoke scale."""
    readings: dict[Reading, str] = {}
    """For each reading, what it runs where the published figures and the text differ."""
    environments: dict[str, Environment] = {}
    """By the paper's own names, if it has some."""
    policies: Annotated[dict[Slug, PolicyEntry], MinLen(1)]
    experiments: Annotated[dict[Id, ExperimentEntry], MinLen(1)]

    @property
    def independent(self) -> list[str]:
        """The experiments that have random numbers of their own."""
        return [id for id, experiment in self.experiments.items() if not experiment.stream]


class PaperFile(StudyFile):
    """A paper, config/papers/<paper>.yaml."""

    authors: Names
    venue: str
    link: str
    reading_names: dict[Reading, str] = {}
    """In the figures, where "published reading" is not precise enough."""
    axes: Axes
    sweeps: dict[str, Sweep] = {}
    """Sweeps that several policies have: their name -> a parameter with its values."""
    figures: Annotated[dict[Id, FigureEntry], MinLen(1)]
    preview: Names
    """Figures shown side by side in figures/gallery."""
    arena: ClassVar = None

    def panels_of(self, figure: str) -> list[tuple[str, PanelEntry]]:
        """The panels of a figure, each with the id of the figure that it is by itself, or ""."""
        panels = self.figures[figure].panels or ()
        alone = figure if len(panels) == 1 else ""
        return [
            (p, self.figures[p].panels[0]) if isinstance(p, str) else (alone, p) for p in panels
        ]


class ArenaPart(Keys):
    """What is scored at the smoke scale."""

    epsilons: Annotated[list[Annotated[Positive, AS_TYPED]], MinLen(1)] = None
    experiments: Names = None
    """Those that are scored; if absent, all that have random numbers of their own."""


class ArenaEntry(ArenaPart):
    """What is scored: every policy on every experiment, one series for each epsilon it takes."""

    needs: ClassVar = ("epsilons", "yardstick")
    about: str = None
    """What the page says first of it."""
    yardstick: str = None
    """The policy whose regret is the unit of scores."""
    left_out: dict[str, Texts] = {}
    """Policy -> experiment, or several ("C1, C3") -> why the policy does not play there."""
    smoke: ArenaPart = None
    """What differs at the smoke scale."""


class ArenaFile(StudyFile):
    """An arena, config/<arena>.yaml, in which policies are scored; it has figures of its own."""

    arena: ArenaEntry
    figures: ClassVar[Mapping] = {}

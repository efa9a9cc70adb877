"""A study, that is, a paper's experimental section or an arena, expanded for one scale.

`entries` explains the keys of the files.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dpbandits.studies.claim import Check, Claim
from dpbandits.studies.experiment import CORRECTED, PUBLISHED, Experiment, Policy, id_in
from dpbandits.studies.settings import GUESTS

RECONSTRUCTED = "∗"  # after a label: its policy is our reconstruction
REFUTED = "(promise not kept)"  # after a label: a replay contradicts the promise


@dataclass(frozen=True)
class Axis:
    """Label, scale and limits of an axis."""

    label: str | None = None
    scale: str | None = None
    limits: Sequence[float] | None = None
    least: float | None = None  # of x: the round at which curves over time begin


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    experiment: str
    title: str = ""
    series: Sequence[str] = ()
    x: Axis = Axis()
    y: Axis = Axis()
    along: str = ""
    column: str = ""
    overlay: Mapping[str, str] = field(default_factory=dict)
    regimes: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    group: str = ""
    baseline: float = 0.0
    line: str = "median_of_means"  # the column of the summary that its lines show
    drawn_as: str = ""  # the paper's own panel, whose drawn points it may show

    def label(self, series: str, experiment: Experiment) -> str:
        """The label of a series (its id), with the marks above."""
        one = experiment.series[series]
        ours = (one.reading or PUBLISHED) in experiment.policies[one.policy].reconstructed
        marks = f" {RECONSTRUCTED}" * ours + f" {REFUTED}" * one.refuted
        return self.labels.get(series, one.label) + marks


@dataclass(frozen=True)
class Figure:
    """A file under figures/, in one reading."""

    name: str  # the same in both readings
    caption: str
    kind: str = "curves"
    title: str = ""
    columns: int = 1
    panels: Sequence[Panel] = ()
    reading: str = ""  # empty where there is only one
    reading_name: str = ""  # in the footnote

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
    """The scores: every policy on every experiment, one series for each epsilon it takes."""

    epsilons: Sequence[float]
    yardstick: str
    about: str = ""
    left_out: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    instances: Mapping[str, str] = field(default_factory=dict)  # scored experiments -> labels
    members: Mapping[str, Policy] = field(default_factory=dict)  # all that play


@dataclass(frozen=True)
class Study:
    """A study: a paper, or an arena, in which policies are scored."""

    id: str
    file: str
    title: str
    authors: Sequence[str] = ()
    venue: str = ""
    link: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)
    arena: Arena | None = None
    experiments: Mapping[str, Experiment] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    preview: Sequence[str] = ()
    claims: Mapping[str, Claim] = field(default_factory=dict)
    claims_file: str = ""

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

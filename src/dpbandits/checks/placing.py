"""Where the checks of a study are measured: by which function, on which experiments."""

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

import numpy as np

from dpbandits import checks
from dpbandits.checks import general
from dpbandits.checks.measurement import Measurement, Quantities, Runs, sampled, series_in
from dpbandits.studies.claim import Check, kind_of
from dpbandits.studies.experiment import Experiment, Series, id_in
from dpbandits.studies.model import Study
from dpbandits.studies.things import BOTH

# Modules with measures: `general`, and those with the name of a paper
MODULES = [general] + [
    import_module(f"{checks.__name__}.{module.name}")
    for module in iter_modules(checks.__path__)
    if re.fullmatch(r"[a-z]+\d{4}", module.name)
]
Measure = Callable[..., Measurement]
MEASURES: dict[str, Measure] = {
    name: function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__
    and function.__annotations__.get("return") is Measurement
}


def needs_runs(measure: Measure) -> bool:
    """Whether a measure depends on the runs. If not, there is no bootstrap."""
    return _input_of(measure) is not Experiment


def compares_experiments(measure: Measure) -> bool:
    """Whether a measure compares several experiments, so that they have one verdict."""
    return _input_of(measure) == list[Runs]


def _input_of(measure: Measure) -> object:
    return next(iter(measure.__annotations__.values()))


@dataclass(frozen=True)
class PlacedCheck:
    """A check on certain experiments in one reading: one row of the table of checks.

    There are several experiments only if the measure compares them.
    """

    id: str
    definition: Check
    kind: str  # of its claim
    place: str  # of its claim
    experiments: tuple[Experiment, ...]
    figures: tuple[str, ...] = ()  # that draw the experiments in this reading
    file: str = ""  # of its claim

    @property
    def measure(self) -> Measure:
        """The function that measures the number."""
        return MEASURES[self.definition.measure]

    @property
    def ids(self) -> str:
        """The ids of the experiments, with a space between two."""
        return " ".join(experiment.id for experiment in self.experiments)

    @property
    def reading(self) -> str:
        """The reading of the experiments that have two; "both" if none has two."""
        return max(experiment.reading for experiment in self.experiments) or BOTH

    @property
    def horizon_of_paper(self) -> int:
        """The paper's horizon if this scale's horizon is shorter, else 0."""
        return max(experiment.design.horizon_of_paper or 0 for experiment in self.experiments)

    def text(self, texts: str | Mapping[str, str]) -> str:
        """The text, or the first text for an experiment or for the reading."""
        if isinstance(texts, str):
            return texts
        keys = [key for each in self.experiments for key in keys_of(each)]
        return next((texts[key] for key in keys if key in texts), "")

    def series_of(self, experiment: Experiment) -> list[Series]:
        """The series of an experiment whose runs are measured."""
        names = self.definition.series if needs_runs(self.measure) else ()
        return [experiment.by_name[name] for name in series_in(experiment, names)]

    def runs_of(self, experiment: Experiment, quantities: Mapping[str, Quantities]) -> Runs:
        """The measured runs of an experiment; `quantities`: series id -> its runs."""
        design = experiment.design
        quantity = self.definition.arguments.get("quantity", design.quantity)
        runs = {
            each.name: sampled(quantities[each.id], each.id, quantity, design.judged, design.groups)
            for each in self.series_of(experiment)
        }
        return Runs(experiment, np.array(design.rounds), runs)


def placed_checks(study: Study) -> list[PlacedCheck]:
    """All checks of a study on their experiments in each reading, in the order of the file."""
    return [
        PlacedCheck(
            id, check, kind_of(name), claim.place, each, _drawn_in(study, each), study.claims_file
        )
        for name, claim in study.claims.items()
        for id, check in claim.checks.items()
        for each in _places(check, study)
    ]


def _places(check: Check, study: Study) -> Iterator[tuple[Experiment, ...]]:
    """The experiments of each row of a check. An experiment with one reading serves both."""
    experiments = [study.experiments[id] for id in study.experiments_of(check.experiments)]
    several = compares_experiments(MEASURES[check.measure])
    for together in [experiments] if several else [[experiment] for experiment in experiments]:
        parts = max((each.by_reading for each in together), key=len)
        for part in parts:
            yield tuple(experiment.in_reading(part.reading) for experiment in together)


def _drawn_in(study: Study, experiments: Collection[Experiment]) -> tuple[str, ...]:
    """The figures that draw these experiments in their reading."""
    figures = {
        figure.id: None
        for experiment in experiments
        for figure in study.figures.values()
        if experiment.id in figure.experiments and experiment.reading in ("", figure.reading)
    }
    return tuple(figures)


def keys_of(experiment: Experiment) -> tuple[str, ...]:
    """The keys of an experiment under `cause` and `zero_error_because` in a file of claims.

    They are its id with its reading, its id, and its reading.
    """
    return id_in(experiment.reading, experiment.id), experiment.id, experiment.reading

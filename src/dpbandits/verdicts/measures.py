"""Which measures a study may name, and what the type of a measure's first argument says of it.

A measure of one paper is a function of the paper's module here; add a new module to `PAPERS`.
"""

import inspect
from collections.abc import Callable
from functools import cache

from dpbandits.studies.study import Experiment
from dpbandits.verdicts import azize2022, general, mishra2015, sarkar2025, tossou2016, tossou2017
from dpbandits.verdicts.measurement import Measurement
from dpbandits.verdicts.runs import Runs

PAPERS = (azize2022, mishra2015, sarkar2025, tossou2016, tossou2017)
OF_PAPERS = {module.__name__.rpartition(".")[2]: module for module in PAPERS}
Measure = Callable[..., Measurement]


@cache
def measures_of(paper: str) -> dict[str, Measure]:
    """The general measures and those of a paper, by name."""
    modules = [general, *([OF_PAPERS[paper]] if paper in OF_PAPERS else [])]
    return {
        name: function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
        if _input_of(function) in (Runs, list[Runs], Experiment) and function.__annotations__["return"] is Measurement
    }


def needs_runs(measure: Measure) -> bool:
    """Whether a measure depends on the runs; otherwise it has no standard error."""
    return _input_of(measure) is not Experiment


def compares_experiments(measure: Measure) -> bool:
    """Whether a measure compares several experiments, so that there is one verdict on all of them."""
    return _input_of(measure) == list[Runs]


def _input_of(function: Callable) -> object:
    return next(iter(function.__annotations__.values()), None)

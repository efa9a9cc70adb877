"""Every measure by hand, on curves that are known exactly."""

from pathlib import Path

import numpy as np
import pytest
from checks.known_runs import runs_of

from dpbandits.checks import general
from dpbandits.checks.measurement import Measurement, NotMeasured, finite
from dpbandits.checks.placing import MEASURES, MODULES, compares_experiments, needs_runs
from dpbandits.studies import strict_yaml

approx = pytest.approx


def measured(measure, runs, arguments):
    """The number of a measure of runs, of several experiments, or of one without its runs."""
    function = MEASURES[measure]
    assert compares_experiments(function) == isinstance(runs, list)
    if not needs_runs(function):
        return function(runs.experiment, **arguments)
    return finite(lambda one: function(one, **arguments), runs)


def known(entry):
    """The runs of an entry of the table, or of several."""
    if isinstance(entry, list):
        return [known(each) for each in entry]
    rest = dict(entry)
    finals = {name: [0, 0, 0, final] for name, final in rest.pop("finals", {}).items()}
    return runs_of(**{"values": finals, **rest})


TABLE = strict_yaml.read_yaml(Path(__file__).with_name("measures.yaml"))
RUNS = {name: known(entry) for name, entry in TABLE["runs"].items()}
# Group means 1, 4 and 10: their median is 4, the mean of all is 5.
GROUPS = {"a": np.repeat([1.0, 4.0, 10.0], 7)[:, None] * [0, 0, 1], "b": np.full((21, 3), 2.0)}
RUNS["GROUPED"] = runs_of(GROUPS, (1, 256, 4096))
RUNS["GROUPED_MEDIAN"] = runs_of(GROUPS, (1, 256, 4096), statistic="median_of_means", groups=3)


def rows(kind):
    """Parametrize by the rows of the table: (measure, row)."""
    pairs = [(measure, row) for measure, of_it in TABLE[kind].items() for row in of_it]
    return pytest.mark.parametrize(("measure", "row"), pairs, ids=str)


@rows("by_hand")
def test_a_measure_by_hand(measure, row):
    runs, arguments, value, evidence, *tolerance = row
    measurement = measured(measure, RUNS[runs], arguments)
    assert measurement.value == approx(value, *tolerance)
    assert evidence is None or measurement.evidence == evidence


@rows("not_measured")
def test_what_shorter_games_do_not_show(measure, row):
    runs, arguments, message = row
    with pytest.raises(NotMeasured, match=message):
        measured(measure, RUNS[runs], arguments)


def test_every_measure_is_tried_by_hand_and_has_a_name_of_its_own():
    functions = [
        one
        for module in MODULES
        for one in vars(module).values()
        if getattr(one, "__module__", "") == module.__name__
    ]
    measures = [one.__name__ for one in functions if one.__annotations__["return"] is Measurement]
    assert sorted(measures) == sorted(MEASURES)
    assert MEASURES.keys() == TABLE["by_hand"].keys()


def test_pairs_in_turn_are_as_many():
    with pytest.raises(ValueError, match="shorter"):
        general.ratio(RUNS["THREE"], of=["a", "b"], to=["c"], pairs="in_turn")


@rows("errors")
def test_an_error_by_hand(measure, row):
    runs, arguments, error, needed = row
    found = measured(measure, RUNS[runs], arguments)
    assert (found.error, found.needed) == (approx(error), approx(needed, abs=1e-3))

"""The runs that a measure sees: curves and ends, resamples, the Nash regret, reading."""

import math
from dataclasses import replace

import numpy as np
import pytest
from checks.known_runs import SOME, T, runs_of
from playing import FIVE

from dpbandits import files
from dpbandits.bandits.nash_regret import NashRuns
from dpbandits.checks.measurement import Measurement, read_series, sampled, with_error
from dpbandits.errors import InputError
from dpbandits.files import Trace
from dpbandits.statistics.estimators import mean
from dpbandits.statistics.summaries import SUMMARY, nash_columns, summary_of


def samples_of(runs):
    """All runs, and the resamples that the error of a number is taken from."""
    seen = []

    def measure(parts):
        seen.extend(parts)
        return Measurement(0.0, "")

    with_error(measure, [runs], np.random.default_rng(3))
    return seen


@pytest.mark.parametrize(("number", "checkpoints"), [(1000, 40), (37, 5), (3, 2)])
def test_a_resample_has_as_many_runs_and_the_mean_of_these(number, checkpoints):
    """The means differ only in the order of additions. Where all runs agree, they are equal."""
    values = np.random.default_rng(3).exponential(1, (number, checkpoints)).cumsum(axis=1)
    values[:, 0] = np.arange(number)
    equal = np.full(values.shape, 0.1)
    counts = np.zeros(number)
    whole, *resamples = samples_of(runs_of({"a": values, "b": equal}, range(checkpoints)))
    assert whole.runs_of("a", 0).tolist() == [*range(number)]
    for sample in resamples:
        chosen = sample.runs_of("a", 0).astype(int)
        assert len(chosen) == number
        assert sample.runs_of("a", -1).tolist() == values[chosen, -1].tolist()
        assert sample.curve("a") == pytest.approx(mean(values[chosen]), rel=1e-12)
        assert sample.final("a") == pytest.approx(sample.curve("a")[-1], rel=1e-12)
        assert {*sample.curve("b"), sample.final("b")} == {0.1}
        counts += np.bincount(chosen, minlength=number)
    # Each run may be chosen: five standard deviations of a binomial number.
    assert counts == pytest.approx(np.full(number, 200), abs=5 * math.sqrt(200))


def test_the_nash_regret_is_a_statistic_like_any_other():
    shares = np.repeat(
        [[-1.0], [-2.0], [-3.0]], len(T), axis=1
    )  # of logarithms, at all checkpoints
    nash = {"nash_regret": NashRuns(0.9, shares)}
    runs = runs_of({"a": [0, 0, 0, 0]}, statistic="nash_regret")
    runs = replace(runs, of={"a": sampled(nash, "a", "nash_regret", "nash_regret", 5)})
    for sample in samples_of(runs):
        expected = 0.9 - math.exp(sample.runs_of("a", -1).mean())
        assert [sample.final("a"), *sample.curve("a")] == pytest.approx([expected] * 5)
    error = nash_columns(nash["nash_regret"], 1)["nash_regret_error"]
    assert error == pytest.approx([math.exp(-2) / math.sqrt(3)] * 4)


def test_a_summary_has_the_columns_that_it_is_asked_for_and_no_others():
    header = {"series": {"a": {}}, "bandit": {"kind": "Bernoulli", "means": FIVE}}
    trace = Trace(header, np.array([10, 500, 1000]), {"regret": np.array(SOME, float)[None]})
    usual, more = summary_of([trace], 2), summary_of([trace], 2, ["median", "locked_in"])
    assert list(usual) == SUMMARY
    assert list(more) == [*SUMMARY, "median", "locked_in"]
    assert more[SUMMARY].equals(usual)
    assert more["median"].tolist() == [4, 90, 102]
    # At t = 500 over the rounds since 10, at 10 over all ten.
    assert more["locked_in"].tolist() == [1.0, 1.0, 0.25]


def test_a_trace_is_read_once_and_only_if_it_is_asked_for(tmp_path):
    """A file's header has the series in alphabetical order, its arrays in the specification's."""
    file, t, curves = tmp_path / "0-3.npz", [10, 100, 1000], np.arange(24.0).reshape(2, 4, 3)
    spec = {"series": {"b": {}, "a": {}}, "checkpoints": t}
    values = {"regret": curves, "comparator": -curves}
    files.write(file, Trace({**spec, "runs": [0, 3]}, np.array(t), values))
    missing = {"series": {"c": {}}}, {tmp_path / "missing": (0, 3)}
    later = tmp_path / "4-5.npz"
    entries = [(spec, {file: (0, 3)}), missing]
    result = read_series(entries, {"a", "b"})
    assert (sampled(result["a"], "a", "regret", "mean", 1).values == curves[1]).all()
    assert (sampled(result["b"], "b", "comparator", "mean", 1).values == -curves[0]).all()
    assert list(read_series(entries, {"a"})) == ["a"]  # alone
    with pytest.raises(InputError, match="runs of a have no quantity 'regrett'; did you mean 're"):
        sampled(result["a"], "a", "regrett", "mean", 1)
    values = {name: curve[:, :2].copy() for name, curve in values.items()}
    values["regret"][0, 1, 2] = math.nan
    files.write(later, Trace({**spec, "runs": [4, 5]}, np.array(t), values))
    chunks = [(spec, {file: (0, 3), later: (4, 5)})]
    assert list(read_series(chunks, {"a"})) == ["a"]
    with pytest.raises(InputError, match=r"4-5.npz: run 5 of b: its regret is not finite"):
        read_series(chunks, {"b"})

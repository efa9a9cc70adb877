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


def resamples(it, rng, number):
    drawn = {
        name: rng.integers(0, len(runs.values), (number, len(runs.values)))
        for name, runs in it.of.items()
    }
    it = replace(it, of={name: replace(runs, samples=drawn[name]) for name, runs in it.of.items()})
    return [replace(it, sample=n) for n in range(number)]


def test_the_mean_of_a_resample_is_the_mean_of_the_chosen_runs():
    """They differ only in the order of additions. Where all runs agree, they are equal."""
    rng = np.random.default_rng(3)
    for shape in [(1000, 40), (37, 5), (8, 2)]:
        values = rng.exponential(1, shape).cumsum(axis=1)
        it = runs_of({"a": values, "b": np.full(shape, 0.1)}, range(shape[1]))
        for sample in resamples(it, rng, 3):
            chosen = sample.of["a"].samples[sample.sample]
            assert sample.curve("a") == pytest.approx(mean(values[chosen]), rel=1e-12)
            assert sample.runs_of("a", -1).tolist() == values[chosen, -1].tolist()
            assert set(sample.curve("b")) == {0.1}


def test_a_resample_has_as_many_runs_and_may_have_each_of_them():
    result = []

    def measure(parts):
        result.append(parts[0].runs_of("a", [0])[:, 0].astype(int))
        return Measurement(0.0, "")

    with_error(
        measure,
        [runs_of({"a": [[0.0, 2.0], [1.0, 2.0], [2.0, 2.0]]}, (1, 2))],
        np.random.default_rng(3),
    )
    whole, *resampled = result
    assert whole.tolist() == [0, 1, 2]
    assert {len(chosen) for chosen in resampled} == {3}
    counts = np.bincount(np.concatenate(resampled), minlength=3)
    assert counts == pytest.approx(
        200, abs=4 * np.sqrt(600 * 2 / 9)
    )  # four standard deviations of a binomial number


def test_the_nash_regret_is_a_statistic_like_any_other():
    logs = np.repeat(
        np.array([[-1.0], [-2.0], [-3.0]]), len(T), axis=1
    )  # the same at every checkpoint
    it = runs_of({"a": [0, 0, 0, 0]}, statistic="nash_regret")
    it = replace(
        it,
        of={
            "a": sampled({"nash_regret": NashRuns(0.9, logs)}, "a", "nash_regret", "nash_regret", 5)
        },
    )
    assert [it.final("a"), *it.curve("a")] == pytest.approx([0.9 - math.exp(-2)] * 5)
    (again,) = resamples(it, np.random.default_rng(1), 1)
    (chosen,) = again.of["a"].samples
    assert again.curve("a") == pytest.approx([0.9 - math.exp(-np.mean(chosen + 1))] * 4)
    assert nash_columns(NashRuns(0.9, logs), 1)["nash_regret_error"] == pytest.approx(
        [math.exp(-2) * 1 / math.sqrt(3)] * 4
    )


def test_a_summary_has_the_columns_that_it_is_asked_for_and_no_others():
    header = {"series": {"a": {}}, "bandit": {"kind": "Bernoulli", "means": FIVE}}
    trace = Trace(header, np.array([10, 500, 1000]), {"regret": np.array(SOME, float)[None]})
    usual, more = summary_of([trace], 2), summary_of([trace], 2, ["median", "locked_in"])
    assert list(usual) == SUMMARY
    assert list(more) == [*SUMMARY, "median", "locked_in"]
    assert all(more[name].tolist() == usual[name].tolist() for name in SUMMARY)
    assert more["median"].tolist() == [4, 90, 102]
    # At t = 500 over the rounds since 10, at 10 over all ten.
    assert more["locked_in"].tolist() == [1.0, 1.0, 0.25]


def test_a_trace_is_read_once_and_only_if_it_is_asked_for(tmp_path):
    """A file's header has the series in alphabetical order, its arrays in the specification's."""
    curves = np.arange(24.0).reshape(2, 4, 3)
    spec = {"series": {"b": {}, "a": {}}, "checkpoints": [10, 100, 1000]}
    values = {"regret": curves, "comparator": -curves}
    files.write(
        tmp_path / "0-3.npz", Trace({**spec, "runs": [0, 3]}, np.array([10, 100, 1000]), values)
    )
    missing = {"series": {"c": {}}}, {tmp_path / "missing": (0, 3)}
    entries = [(spec, {tmp_path / "0-3.npz": (0, 3)}), missing]
    result = read_series(entries, {"a", "b"})
    assert (sampled(result["a"], "a", "regret", "mean", 1).values == curves[1]).all()
    assert (sampled(result["b"], "b", "comparator", "mean", 1).values == -curves[0]).all()
    assert list(read_series(entries, {"a"})) == ["a"]  # alone
    with pytest.raises(
        InputError, match="the runs of a have no quantity 'regrett'; did you mean 'regret'"
    ):
        sampled(result["a"], "a", "regrett", "mean", 1)

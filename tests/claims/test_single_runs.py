"""Ratios within a run."""

import math

import numpy as np
import pytest

from dpbandits import claims, studies
from dpbandits.claims.measures.mishra2015 import extreme_paired_ratio, paired_ratio
from dpbandits.statistics.estimators import students_t


def paired(values, kind="news"):
    series = tuple(studies.Series(n, n, "lin_ucb", {}, n, 0) for n in values)
    policies = tuple(studies.Policy(s.id, "fig2", (s,), 3) for s in series)
    design = studies.Design(10, 3, 1, 3, (10,), "mean", "sigma", quantity="ctr_ratio")
    experiment = studies.Experiment("fig2", "fig2", "", "toy2020", {"kind": kind}, policies, design)
    curves = {n: np.array(v, float)[:, None] for n, v in values.items()}
    return claims.Runs(experiment, np.array([10]), curves, "mean")


def test_a_paired_ratio_and_its_error():
    runs = paired({"a": [1.0, 2.2, 3.6], "b": [1, 2, 3], "c": [2, 2, 2], "d": [1, 1, 1]})
    value, where, error, needed = paired_ratio(runs, of=["a"], to=["b"])
    assert value == pytest.approx(1.1)
    assert error == pytest.approx(0.1 / math.sqrt(3))
    assert where == "a / b, 3 paired runs"
    assert needed == pytest.approx(4.5266, abs=1e-3)  # Student's t of 2 degrees of freedom at 2 sigma, 97.72%
    assert paired_ratio(runs, of=["a", "d"], to=["b", "c"])[0] == pytest.approx(0.55)


def test_series_of_different_numbers_of_runs_are_paired_in_the_first_ones():
    value, where, *_ = paired_ratio(paired({"a": [2.0, 4.0], "b": [1, 2, 30]}), of=["a"], to=["b"])
    assert (value, where) == (2.0, "a / b, 2 paired runs")


def test_the_largest_and_the_smallest_of_several_paired_ratios():
    runs = paired({"a": [1.0, 2.2], "b": [2.0, 4.0], "c": [1.0, 2.0], "d": [1.0, 2.0]})
    assert extreme_paired_ratio(runs, of=["a", "b"], to=["c", "d"], take="max")[:2] == (
        2.0,
        "b / d, 2 paired runs; all: 1.05, 2",
    )
    value, where, error, _ = extreme_paired_ratio(runs, of=["a", "b"], to=["c", "d"], take="min")
    assert (value, error) == (pytest.approx(1.05), pytest.approx(0.05))
    assert where.startswith("a / c, ")


def test_on_a_recorded_log_the_error_says_that_there_is_one_log_only():
    where = paired_ratio(paired({"a": [1.0, 2.0], "b": [1.0, 1.0]}, kind="news_log"), of=["a"], to=["b"])[1]
    assert where == "a / b, 2 paired runs on one log: the error does not include what another log would change"


def test_few_runs_need_more_standard_errors():
    assert students_t(3) == pytest.approx(3.307, abs=1e-3)
    assert students_t(11) == pytest.approx(2.255, abs=1e-3)
    assert students_t(10**6) == pytest.approx(2.0, abs=1e-4)
    runs = paired(
        {"a": [1.1, 1.2, 1.3, 1.0], "b": [1.0, 1.0, 1.0, 1.0]}
    )  # 1.15 +- 0.0645, 2.32 standard errors above 1
    claim = studies.Claim("E1", "says", "source", ("fig2",), "mean", "paired_ratio", {"of": ["a"], "to": ["b"]},
                         {"above": 1}, {})  # fmt: skip
    assert claims.judge(claim, runs, seed=1)["verdict"] == "undecided"

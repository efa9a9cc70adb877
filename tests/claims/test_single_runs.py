"""Ratios within a run."""

import math

import numpy as np
import pytest
import yaml
from project import ROOT

from dpbandits import papers
from dpbandits.claims import privacy
from dpbandits.claims.single_runs import paired_ratio

FILE = ROOT / "config/papers/mishra2015.yaml"


NEWS = yaml.safe_load(FILE.read_text())["experiments"]["fig2a"]["environment"]


def paired(values, parameters=None):
    series = tuple(papers.Series(n, n, "lin_ucb", parameters or {}, n, 0) for n in values)
    policies = tuple(papers.Policy(s.id, "fig2a", (s,), 3) for s in series)
    design = papers.Design(10, 3, 1, 3, (10,), "mean", "sigma", quantity="ctr_ratio")
    experiment = papers.Experiment("fig2a", "fig2a", "", "toy2020", NEWS, policies, design)
    from dpbandits import claims

    curves = {n: np.array(v, float)[:, None] for n, v in values.items()}
    return claims.Runs(experiment, np.array([10]), curves, "mean")


def test_a_paired_ratio_and_its_error():
    runs = paired({"a": [1.0, 2.2, 3.6], "b": [1, 2, 3], "c": [2, 2, 2], "d": [1, 1, 1]})
    value, where, error = paired_ratio(runs, of=["a"], to=["b"])
    assert value == pytest.approx(1.1)
    assert error == pytest.approx(0.1 / math.sqrt(3))
    assert where == "a / b, 3 paired runs"
    assert paired_ratio(runs, of=["a", "d"], to=["b", "c"])[0] == pytest.approx(0.55)


@pytest.mark.parametrize(("context", "redundant"), [("shared_product", 1), ("shared_article", 7), ("disjoint_user", 7)])
def test_redundant_sums(context, redundant):
    assert privacy.redundant_sums(paired({"a": [1, 1]}, {"context": context}), of="a")[0] == redundant

"""azize2022: the experimental section as a file."""

import numpy as np
import pytest
from project import ROOT

from dpbandits import studies

C2 = [0.75, 0.625, 0.5, 0.375, 0.25]


def test_the_paper_scale_is_the_papers():
    paper = studies.load(ROOT / "config/papers/azize2022.yaml")
    environments = {
        "4": [0.75, 0.70, 0.70, 0.70, 0.70],
        "5": C2,
        "6": [0.75, 0.53125, 0.375, 0.28125, 0.25],
        "7": [0.75, 0.71875, 0.625, 0.46875, 0.25],
    }
    for number, means in environments.items():
        for letter, epsilon in zip("abcd", (0.1, 0.25, 0.5, 1), strict=True):
            (panel,) = paper.figures[f"fig{number}{letter}"].panels
            for experiment in paper.experiments[panel.experiment].by_reading:
                assert (experiment.design.horizon, experiment.design.runs_of_paper) == (10**7, 20)
                runs = 4000 if experiment.id == "fig4a" else 1000
                assert {policy.id: policy.runs for policy in experiment.policies} == {
                    "dp-ucb": 20, "dp-se": runs, "adap-ucb": runs,
                    "adap-klucb": 4000 if experiment.id == "fig5a" else runs,
                }  # fmt: skip
                assert experiment.environment["means"] == means
                assert list(experiment.by_name) == ["dp-ucb", "dp-se", "adap-ucb", "adap-klucb"]
                assert {s.parameters["epsilon"] for s in experiment.series.values()} == {epsilon}
    swept = [s.parameters["epsilon"] for s in paper.experiments["fig3"].in_reading("published").series.values()]
    assert swept == pytest.approx([*np.linspace(0.05, 1, 50), *np.linspace(1.05, 10, 10)], rel=1e-5)

"""Horizons, runs, arms and epsilons are those of the texts, and of the reference.

Of sarkar2025, also what its figures, noise and logarithms are in either reading.
"""

import re

import numpy as np
import pandas as pd
import pytest
from project import PAPERS, ROOT, all_papers

from dpbandits.studies import strict_yaml

STUDIES = all_papers()
SARKAR = STUDIES["sarkar2025"]
STATED = strict_yaml.read_yaml(ROOT / "tests/studies/stated.yaml")
SIXTY = [*np.linspace(0.05, 1, 50), *np.linspace(1.05, 10, 10)]
STATED["azize2022"].append([["fig3"], 10**7, 20, {}, [SIXTY]])
ROWS = [(paper, *row) for paper, rows in STATED.items() for row in rows]


@pytest.mark.parametrize(("paper", "figures", "horizon", "runs", "environment", "epsilons"), ROWS)
def test_an_experiment_is_as_the_paper_states_it(
    paper, figures, horizon, runs, environment, epsilons
):
    study = STUDIES[paper]
    for figure, wanted in zip(figures, epsilons, strict=True):
        for drawn in {figure, f"{figure}.corrected"} & study.figures.keys():
            (panel,) = study.figures[drawn].panels
            experiment = study.experiments[panel.experiment]
            design = experiment.design
            assert (design.horizon, design.runs_of_paper or design.runs) == (horizon, runs)
            assert environment.items() <= experiment.environment.items()
            shown = {experiment.series[id].parameters.get("epsilon") for id in panel.series}
            assert sorted(shown - {None}) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_reference_has_these_series_and_horizons(paper):
    for experiment in STUDIES[paper].experiments.values():
        file = ROOT / f"reference/summaries/{paper}/{experiment.id}.csv"
        last = pd.read_csv(file).groupby("policy")["t"].last()
        assert last.to_dict() == dict.fromkeys(experiment.series, experiment.design.horizon)
        assert experiment.design.rounds[-1] == experiment.design.horizon


def test_figure_1_of_sarkar2025_in_both_readings():
    """Panels (d) and (e) show what the released code plans for panel (b).

    Panel (f) is scored by labels.
    """
    for reading, end, scoring in (("published", "", "label"), ("corrected", ".corrected", "mean")):
        b, c, f = (SARKAR.experiments[f"fig1{panel}"].in_reading(reading) for panel in "bcf")
        assert {series.regret["scored_by"] for series in f.series.values()} == {scoring}
        assert [panel.experiment for panel in SARKAR.figures[f"fig1{end}"].panels] == [
            f"fig1{p}" for p in "abcccf"
        ]
        d, e = (SARKAR.figures[f"fig1{panel}{end}"].panels[0] for panel in "de")
        assert d.series[0] == e.series[0] == f"ncb-planned{end}"
        planned = c.by_name["ncb-planned"].parameters["planned"] * c.design.horizon
        assert planned == {"published": b.design.horizon, "corrected": c.design.horizon}[reading]
        assert e.labels == {
            f"gdp-ncb-by-eps-0.2{end}": "GDP-NCB",
            f"ldp-ncb-by-eps-0.2{end}": "LDP-NCB",
        }


def test_the_logarithms_are_those_that_the_experiments_say():
    """One logarithm in every term of both indices, for every series."""
    terms = ["index_log", "leading_log"]
    for name, log in (("w", "cap"), ("t", "horizon")):
        for series in SARKAR.experiments[f"s-logarithms-{name}"].series.values():
            logs = {key: series.parameters[key] for key in terms if key in series.parameters}
            assert logs == dict.fromkeys(terms[: 1 + (series.algorithm == "ldp_ncb")], log)
            assert series.as_policy.privacy(10**7, 50).kept()


def test_the_noise_changes_without_the_index_and_the_index_without_the_noise():
    """The terms of the index that allow for noise depend on alpha/epsilon, the noise on epsilon."""
    experiment = SARKAR.experiments["s-noise"]
    run, silent, public = (
        experiment.series[name].as_policy.compiled(10**7, 50)
        for name in ("gdp-noise", "gdp-hardly-noise", "gdp-hardly-privacy")
    )
    assert silent.index(0.5, 100, 10**6) == pytest.approx(run.index(0.5, 100, 10**6))
    assert silent.noise / silent.epsilon == pytest.approx(run.noise / run.epsilon / 1000)
    assert public.epsilon == silent.epsilon
    assert public.first_term == pytest.approx(run.first_term / 1000)
    policies = run, silent, public
    (longest,) = {each.longest_phase1 for each in policies}
    assert longest < min(each.threshold for each in policies)


def test_a_published_slip_is_cited_by_commit_file_and_line():
    for claim in SARKAR.claims.values():
        cited = re.search(r"NP-Hardest/DP-NCB, commit [0-9a-f]{40}: \S+\.py:[0-9]", claim.evidence)
        assert cited or not claim.evidence

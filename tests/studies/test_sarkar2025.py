"""sarkar2025: the experimental section as a file."""

import re

import pytest
from project import ROOT

from dpbandits import studies
from dpbandits.algorithms.arms import gdp_ncb, ldp_ncb

STUDY = studies.load(ROOT / "config/papers/sarkar2025.yaml")


def test_the_logarithms_are_those_that_the_experiments_say():
    """One logarithm in every term of both indices, for every series."""
    for name, log in (("w", "cap"), ("t", "horizon")):
        for series in STUDY.experiments[f"s-logarithms-{name}"].series.values():
            logs = {key: value for key, value in series.parameters.items() if key in ("index_log", "leading_log")}
            module, wanted = {
                "gdp_ncb": (gdp_ncb, ["index_log"]),
                "ldp_ncb": (ldp_ncb, ["index_log", "leading_log"]),
            }[series.algorithm]
            assert logs == dict.fromkeys(wanted, log)
            assert module.privacy(10**7, 50, **series.parameters).kept


def test_the_noise_changes_without_the_index_and_the_index_without_the_noise():
    """The terms of the index that allow for noise depend on alpha/epsilon, the noise on epsilon."""
    experiment = STUDY.experiments["s-noise"]
    run, silent, public = (
        gdp_ncb.plan(10**7, 50, **experiment.series[name].parameters)
        for name in ("gdp-noise", "gdp-hardly-noise", "gdp-hardly-privacy")
    )
    assert silent.index_at(0.5, 100, 10**6) == pytest.approx(run.index_at(0.5, 100, 10**6))
    assert silent.noise / silent.epsilon == pytest.approx(run.noise / run.epsilon / 1000)
    assert public.epsilon == silent.epsilon
    assert public.first_term == pytest.approx(run.first_term / 1000)
    assert public.phase1 == silent.phase1 == run.phase1 < min(rule.threshold for rule in (run, silent, public))


def test_a_published_slip_is_cited_by_commit_file_and_line():
    for sentence in STUDY.sentences.values():
        assert not sentence.evidence or re.search(
            r"NP-Hardest/DP-NCB, commit [0-9a-f]{40}: \S+\.py:[0-9]", sentence.evidence
        )

"""sarkar2025: the experimental section as a file."""

import re

import pytest
from project import ROOT

from dpbandits import simulation, studies
from dpbandits.algorithms.arms import gdp_ncb, ldp_ncb
from dpbandits.plan import checking

FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


def test_the_paper_scale_is_the_papers():
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml")
    for reading, end in (("published", ""), ("corrected", ".corrected")):
        a, b, c, f = (paper.experiments[f"fig1{panel}"].in_reading(reading) for panel in "abcf")
        assert (a.design.runs, a.environment["trials"], a.design.rounds) == (10, 50, tuple(range(3, 1003)))
        assert (b.design.horizon, b.design.runs) == (10**8, 50)
        assert {s.parameters["epsilon"] for s in a.series.values()} == {2}
        assert {s.parameters["epsilon"] for s in b.series.values() if s.id != "ncb"} == {0.2}
        for experiment in (c, f):
            assert (experiment.design.horizon, experiment.design.runs) == (10**7, 50)
        assert [s.parameters.get("epsilon") for s in c.series.values()] == [None, None, 0.2, 0.5, 1, 2, 0.2, 0.5, 1, 2]
        assert f.environment == {"kind": "drawn_arms", **FIFTY, "laws": "by_label"}
        scoring = {"published": "label", "corrected": "mean"}[reading]
        assert {s.regret["scored_by"] for s in f.series.values()} == {scoring}
        assert paper.figures[f"fig1{end}"].columns == 3
        drawn = [panel.experiment for panel in paper.figures[f"fig1{end}"].panels]
        assert drawn == [f"fig1{panel}" for panel in "abcccf"]
        de = [paper.figures[f"fig1{panel}{end}"].panels[0] for panel in "de"]
        assert {panel.series[0] for panel in de} == {f"ncb-planned{end}"}  # [X] planned as panel (b)'s, drawn as (c)'s
        planned = c.by_name["ncb-planned"].parameters["planned"] * c.design.horizon
        assert planned == {"published": b.design.horizon, "corrected": c.design.horizon}[reading]
        assert de[1].labels == {f"gdp-ncb-by-eps-0.2{end}": "GDP-NCB", f"ldp-ncb-by-eps-0.2{end}": "LDP-NCB"}
        assert len(paper.figures[f"fig1b{end}"].panels[0].series) == 5


def test_the_logarithms_are_those_that_the_experiments_say():
    """One logarithm in every term of both indices, for every series."""
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml")
    for name, log in (("w", "cap"), ("t", "horizon")):
        for series in paper.experiments[f"s-logarithms-{name}"].series.values():
            logs = {key: value for key, value in series.parameters.items() if key in ("index_log", "leading_log")}
            module, wanted = {
                "gdp_ncb": (gdp_ncb, ["index_log"]),
                "ldp_ncb": (ldp_ncb, ["index_log", "leading_log"]),
            }[series.algorithm]
            assert logs == dict.fromkeys(wanted, log)
            assert module.privacy(10**7, 50, **series.parameters).kept


def test_the_noise_changes_without_the_index_and_the_index_without_the_noise():
    """The terms of the index that allow for noise depend on alpha/epsilon, the noise on epsilon."""
    experiment = studies.load(ROOT / "config/papers/sarkar2025.yaml").experiments["s-noise"]
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
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml")
    for sentence in paper.sentences.values():
        assert not sentence.evidence or re.search(
            r"NP-Hardest/DP-NCB, commit [0-9a-f]{40}: \S+\.py:[0-9]", sentence.evidence
        )


def test_no_name_in_a_figure_is_a_number_of_ours():
    """D1 to D9 were names of deviations that no page defined."""
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml")
    shown = [s.label for e in paper.experiments.values() for s in e.series.values()]
    shown += [
        text
        for figure in paper.figures.values()
        for panel in figure.panels
        for text in (panel.title, *panel.labels.values())
    ]
    assert not [text for text in shown if re.match(r"D[0-9]", text)]


def test_a_guest_joins_the_panels(tmp_path):
    """With a kernel that does not record the Nash regret, beside the series that a panel names."""
    guest = {"my-ucb": {"label": "My UCB", "algorithm": "ucb"}}
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml", "smoke", guest)
    checking.check(paper)
    for panel in "abcdef":
        assert paper.figures[f"fig1{panel}"].panels[0].series[-1] == "my-ucb"
    assert "my-ucb" not in paper.experiments["s-noise"].series
    for name in ("fig1a", "fig1f"):
        experiment = paper.experiments[name]
        spec = experiment.spec("my-ucb", 1) | {"horizon": 60, "checkpoints": [3, 60]}
        trace = simulation.simulate(spec, 0, 2)
        assert {"nash_regret", "first_played"} & set(trace.values)

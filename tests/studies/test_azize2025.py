"""azize2025, which is known from a summary: the panels, and that its sentence is judged but counted with no paper's."""

import math

import pytest
from project import ROOT

from dpbandits import figures, studies
from dpbandits.figures import curves
from dpbandits.studies.model import is_of_the_paper
from dpbandits.verdicts import scoreboard, sentences

FILE = ROOT / "config/papers/azize2025.yaml"
PAPER = studies.load(FILE)
MEANS = {
    "c1": [0.75, 0.70, 0.70, 0.70, 0.70],
    "c2": [0.75, 0.625, 0.5, 0.375, 0.25],
    "c3": [0.75, 0.53125, 0.375, 0.28125, 0.25],
    "c4": [0.75, 0.71875, 0.625, 0.46875, 0.25],
}
EPSILONS = (0.01, 0.1, 0.5, 1)
PRIVATE = {"dp-se": "dp_se", "adap-klucb": "adap_klucb", "dp-klucb": "dp_klucb", "dp-imed": "dp_imed"}


@pytest.mark.parametrize("bandit", MEANS)
def test_a_bandit_has_four_panels_with_every_rival_and_plays_imed_once(bandit):
    panels, experiment = PAPER.figures[f"s-{bandit}"].panels, PAPER.experiments[f"s-{bandit}"]
    assert experiment.environment["means"] == MEANS[bandit]
    assert (experiment.design.horizon, experiment.design.runs_of_paper) == (10**6, 100)
    assert all(policy.runs >= 100 for policy in experiment.policies)
    assert len(panels) == 4
    for panel, epsilon in zip(panels, EPSILONS, strict=True):
        *private, imed = [experiment.series[name] for name in panel.series]
        assert [(s.policy, s.algorithm) for s in private] == [*PRIVATE.items()]
        assert {s.parameters["epsilon"] for s in private} == {epsilon}
        assert (imed.id, imed.algorithm, dict(imed.parameters)) == ("imed", "imed", {})
        assert panel.title == f"ε = {epsilon:g}"
    assert experiment.series["adap-klucb-0.1"].parameters["alpha"] == 1
    assert sum(len(policy.series) for policy in experiment.policies) == 4 * 4 + 1


def test_the_supplements_are_along_epsilon_and_growth():
    for name, parameter, bandits in (("s-epsilon", "epsilon", 4), ("s-growth", "growth", 4)):
        panels = PAPER.figures[name].panels
        assert (len(panels), {panel.along for panel in panels}) == (bandits, {parameter})
    growths = {s.parameters["growth"] for s in PAPER.experiments["s-growth-c1-low"].series.values()}
    assert min(growths) < 2 < max(growths)  # our default


def test_no_figure_has_a_number_of_the_paper():
    assert not [name for name in PAPER.figures if is_of_the_paper(name)]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_drawn_bound_is_that_of_the_panels_epsilon(epsilon):
    """On C1 at T, by hand: the best z of d(0.7, 0.75) has odds 3 e^-epsilon where it is above 0.7, else it is 0.7."""
    (panel,) = [p for p in PAPER.figures["s-c1"].panels if p.title == f"ε = {epsilon:g}"]
    ax = figures.style.new_figure(4, 3).subplots()
    curves._overlay(ax, panel, PAPER.experiments["s-c1"])
    (line,) = ax.lines
    odds = 3 * math.exp(-epsilon)
    z = max(0.7, odds / (1 + odds))
    d = epsilon * (z - 0.7) + z * math.log(z / 0.75) + (1 - z) * math.log((1 - z) / 0.25)
    assert line.get_xdata()[-1] == 10**6
    assert line.get_ydata()[-1] == pytest.approx(4 * 0.05 / d * math.log(10**6))


def test_every_panel_has_a_claim_for_either_algorithm():
    (said,) = PAPER.sentences
    tested = {(claim.id, name) for claim in PAPER.claims if claim.id in said.claims for name in claim.experiments}
    compared = set()
    for claim in PAPER.claims:
        if claim.id in said.claims:
            (ours,) = claim.arguments["of"]
            policy, epsilon = ours.rsplit("-", 1)
            assert claim.arguments["to"] == [f"dp-se-{epsilon}", f"adap-klucb-{epsilon}"]
            assert f"epsilon = {epsilon} " in claim.says
            compared |= {(policy, float(epsilon), name) for name in claim.experiments}
    assert len(tested) == 32
    assert compared == {(p, e, f"s-{c}") for p in ("dp-klucb", "dp-imed") for e in EPSILONS for c in MEANS}


def test_its_sentence_is_judged_and_not_counted():
    rows = [
        {"claim": claim, "kind": "summary", "experiment": "s-c1", "reading": "both", "verdict": "fails", "value": 2.0,
         "standard_error": 0.1}
        for claim in PAPER.sentences[0].claims
    ]  # fmt: skip
    judged = sentences.table([(PAPER, rows)])
    assert [(row["sentence"], row["kind"], row["verdict"]) for row in judged] == [("S1", "summary", "fails")]
    other = {"paper": "toy2020", "sentence": "S1", "kind": "sentence", "reading": "both", "verdict": "holds"}
    table = [other, *judged]
    assert [score.paper for score in scoreboard.scores(table)] == ["toy2020", "all"]
    assert scoreboard.as_markdown(table) == scoreboard.as_markdown([other])
    (line,) = scoreboard.in_words(judged)
    assert line == "1 sentences of a summary, not counted, as defined: 0 holds, 1 fails, 0 undecided"

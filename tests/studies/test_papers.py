"""Paper files: their meaning, and messages about a wrong one, with file, key, value and remedy."""

import re

import pytest
import yaml
from project import PAPERS, ROOT, study_of

from dpbandits import studies
from dpbandits.checks import placing
from dpbandits.studies import experiment, strict_yaml
from dpbandits.studies.guests import SYMBOLS
from dpbandits.studies.sentences import SENTENCES


def test_checkpoints():
    rule = experiment.Checkpoints(first=3, log=3, linear=2, least=2, also=[77, 5000])
    assert rule.rounds(1000) == (2, 3, 10, 77, 100, 500, 1000)


def test_a_reading_has_a_name_where_the_file_gives_one():
    paper = study_of("azize2022")
    assert (
        paper.figures["fig3"].reading_name
        == "published reading, our reconstruction of the drawn figures"
    )
    assert paper.figures["fig3.corrected"].reading_name == "corrected reading"
    assert paper.figures["s-slip-c1"].reading_name == ""


@pytest.mark.parametrize(
    "path", sorted((ROOT / "config/papers").glob("*.yaml")), ids=lambda path: path.stem
)
def test_every_test_has_a_statement_of_its_own(path):
    """Tables show checks one by one, so "The same for ..." would say nothing there."""
    statements = [test.says for test in studies.load(path).checks.values()]
    assert sorted(set(statements)) == sorted(statements)
    assert not [statement for statement in statements if statement.startswith("The same")]


def test_a_panel_says_whether_checks_judge_the_statistic_of_its_experiment():
    for paper in PAPERS:
        study = study_of(paper)
        checks = [check for check in placing.placed_checks(study) if check.kind != "privacy"]
        judged = {experiment.id for check in checks for experiment in check.experiments}
        panels = [panel for figure in study.figures.values() for panel in figure.panels]
        assert [p.experiment for p in panels if p.judged != (p.experiment in judged)] == []


def test_titles_and_captions_follow_the_parameters(tmp_path):
    """And labels; a policy with a value of its own says so in its label alone."""
    changed = strict_yaml.read_yaml(ROOT / "config/papers/tossou2016.yaml")
    experiment, file = changed["experiments"]["fig2a"], tmp_path / "tossou2016.yaml"
    experiment["parameters"] = {"epsilon": 0.5}
    policies = {name: {} for name in experiment["policies"]}
    for own, epsilon in (({}, 0.5), ({"dp-ucb": {"epsilon": 2}}, 2)):
        experiment["policies"] = policies | own
        file.write_text(yaml.safe_dump(changed, allow_unicode=True))
        paper = studies.load(file, "smoke")
        figure = paper.figures["fig2a"]
        panels = [paper.figures[id].panels[0] for id in ("fig2a", "fig2")]
        titles = {each.title for each in (figure, *panels)}
        assert titles == {"Regret for ε = 0.5, 2 arms"}
        assert figure.caption == "Two arms with means 0.9 and 0.6, ε = 0.5."
        assert paper.experiments["fig2a"].series["dp-ucb"].label == f"DP-UCB ({epsilon})"


def test_no_text_of_a_figure_repeats_a_number_that_is_a_parameter():
    """It would be wrong as soon as somebody changes the parameter; {epsilon:g} follows it."""
    for paper in PAPERS:
        study = study_of(paper)
        typed = strict_yaml.read_yaml(ROOT / f"config/papers/{paper}.yaml")["figures"]
        for name in typed.keys() - {"defaults"}:
            drawn = [study.experiments[id] for id in study.figures[name].experiments]
            text = f"{typed[name].get('title')} {typed[name]['caption']}"
            for parameter, symbol in SYMBOLS.items():
                values = {s.parameters.get(parameter) for e in drawn for s in e.series.values()}
                said = re.findall(rf"(?:{symbol}|{parameter}) ?= ?([0-9.]*[0-9])", text)
                known = {f"{value:g}" for value in values - {None}}
                assert len(known) != 1 or known.isdisjoint(said), name


def test_an_interval_of_a_kind_of_sentence_lies_around_nothing_or_the_number():
    both = {"at_least", "at_most"}
    every = [of for kind in SENTENCES.values() for of in kind.thresholds.values()]
    intervals = [(of["at_least"], of["at_most"]) for of in every if both <= of.keys()]
    assert len(intervals) > 3
    assert all(low < high and (low + high) / 2 in (0, 1) for low, high in intervals)

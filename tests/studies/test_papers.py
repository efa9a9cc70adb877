"""Paper files: their meaning, and messages about a wrong one, with file, key, value and remedy."""

import copy
import re

import pytest
import yaml
from project import PAPERS, ROOT, study_of

from dpbandits import studies
from dpbandits.checks import judging
from dpbandits.studies import experiment, strict_yaml
from dpbandits.studies.guests import SYMBOLS

ORIGINAL = yaml.safe_load((ROOT / "config/papers/tossou2016.yaml").read_text())


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


def test_there_are_few_anchors_and_no_matrices():
    """grep finds every entry by its id, and what entries share is under `defaults`."""
    files = [*(ROOT / "config").glob("*.yaml"), *(ROOT / "config").glob("[cp]*/*.yaml")]
    texts = [path.read_text() for path in files]
    assert sum(len(re.findall(r"[:-] &[a-z]", text)) for text in texts) <= 10
    assert not any("matrix:" in text for text in texts)


def test_a_panel_that_draws_another_experiment_is_found_by_its_name():
    text = (ROOT / "config/papers/azize2022.yaml").read_text()
    found = [line for line in text.splitlines() if "fig5d" in line]
    assert any("experiment: fig2" in line for line in found)


def test_a_panel_says_whether_checks_judge_the_statistic_of_its_experiment():
    for paper in PAPERS:
        study = study_of(paper)
        checks = [check for check in judging.placed_checks(study) if check.kind != "privacy"]
        judged = {experiment.id for check in checks for experiment in check.experiments}
        panels = [panel for figure in study.figures.values() for panel in figure.panels]
        assert [p.experiment for p in panels if p.judged != (p.experiment in judged)] == []


def test_titles_and_captions_follow_the_parameters(tmp_path):
    """And labels; a policy with a value of its own says so in its label alone."""
    changed = copy.deepcopy(ORIGINAL)
    experiment = changed["experiments"]["fig2a"]
    experiment["parameters"] = {"epsilon": 0.5}
    policies = {name: {} for name in experiment["policies"]}
    for own, epsilon in (({}, 0.5), ({"dp-ucb": {"epsilon": 2}}, 2)):
        experiment["policies"] = policies | own
        file = tmp_path / "tossou2016.yaml"
        file.write_text(yaml.safe_dump(changed, allow_unicode=True))
        paper = studies.load(file, "smoke")
        titles = [
            paper.figures["fig2a"].title,
            *(paper.figures[id].panels[0].title for id in ("fig2a", "fig2")),
        ]
        assert titles == ["Regret for ε = 0.5, 2 arms"] * 3
        assert paper.figures["fig2a"].caption == "Two arms with means 0.9 and 0.6, ε = 0.5."
        assert paper.experiments["fig2a"].series["dp-ucb"].label == f"DP-UCB ({epsilon})"


def test_no_text_of_a_figure_repeats_a_number_that_is_a_parameter():
    """It would be wrong as soon as somebody changes the parameter; {epsilon:g} follows it."""
    for paper in PAPERS:
        study = study_of(paper)
        typed = strict_yaml.read_yaml(ROOT / f"config/papers/{paper}.yaml")["figures"]
        for name, figure in typed.items():
            if name == "defaults":
                continue
            drawn = [study.experiments[id] for id in study.figures[name].experiments]
            for parameter, symbol in SYMBOLS.items():
                values = {s.parameters.get(parameter) for e in drawn for s in e.series.values()}
                said = re.findall(
                    rf"(?:{symbol}|{parameter}) ?= ?([0-9.]*[0-9])",
                    f"{figure.get('title')} {figure['caption']}",
                )
                assert len(values - {None}) != 1 or not {
                    f"{value:g}" for value in values - {None}
                } & {*said}, name

"""Paper files: what they mean, and the messages about a wrong one. Every message names file, key, value and remedy."""

import copy
import math
import re

import jsonschema  # it comes with Snakemake
import pytest
import yaml
from project import PAPERS, ROOT

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import checking
from dpbandits.studies import expansion, write_schemas
from dpbandits.studies.guests import SYMBOLS
from dpbandits.verdicts import judging

ORIGINAL = yaml.safe_load((ROOT / "config/papers/tossou2016.yaml").read_text())


@pytest.mark.parametrize("scale", ["paper", "draft", "smoke"])
@pytest.mark.parametrize("path", sorted((ROOT / "config/papers").glob("*.yaml")), ids=lambda path: path.stem)
def test_our_paper_files_are_valid_at_every_scale(path, scale):
    paper = studies.load(path, scale)
    checking.check(paper)
    for experiment in paper.experiments.values():
        assert experiment.design.checkpoints[-1] == experiment.design.horizon


def test_the_paper_scale_is_the_papers():
    paper = studies.load(ROOT / "config/papers/tossou2016.yaml")
    for experiment in paper.experiments.values():
        if experiment.id.startswith("fig"):
            design = experiment.design
            assert (design.horizon, design.runs_of_paper) == (100_000, 100)
            assert design.runs >= design.runs_of_paper
    panels = {
        "a": ([0.9, 0.6], 1),
        "b": ([0.9, 0.6], 0.1),
        "c": ([0.1] * 8 + [0.2, 0.55], 1),
        "d": ([0.1] * 8 + [0.2, 0.55], 0.1),
    }
    for panel, (means, epsilon) in panels.items():
        experiment = paper.experiments[f"fig2{panel}"].in_reading("published")
        assert experiment.environment["means"] == means
        assert [p.id for p in experiment.policies] == [
            "ucb",
            "private-ucb",
            "dp-ucb-bound",
            "dp-ucb",
            "dp-ucb-int",
        ]
        assert all(s.parameters["epsilon"] == epsilon for s in experiment.series.values() if s.id != "ucb")
        assert experiment.series["dp-ucb-int"].parameters["delta"] == pytest.approx(math.exp(-10), rel=1e-15)


def test_a_series_that_is_the_same_in_both_readings_is_simulated_once():
    paper = studies.load(ROOT / "config/papers/tossou2016.yaml")
    fig2a = paper.experiments["fig2a"]
    assert fig2a.readings == ("published", "corrected")
    assert paper.experiments["s-lost-runs"].readings == ("",)
    published, corrected = fig2a.by_reading
    assert list(published.by_name) == list(corrected.by_name) == [policy.id for policy in fig2a.policies]
    assert published.series["ucb"] is corrected.series["ucb"]
    assert fig2a.series.keys() == published.series.keys() | corrected.series.keys()
    assert len(fig2a.series) == 5 + 3
    assert published.by_name["private-ucb"].parameters["relaxation"] is False
    assert corrected.by_name["private-ucb"].parameters["relaxation"] is True
    assert published.by_name["dp-ucb"].parameters["hybrid_split"] == "literal_natlog"
    assert fig2a.series["dp-ucb.corrected"].parameters["hybrid_split"] == "half_log2"
    assert {"fig2", "fig2.corrected", "fig2a", "fig2a.corrected", "s-hybrid"} <= set(paper.figures)
    assert "s-hybrid.corrected" not in paper.figures


def test_labels_carry_the_privacy_parameter():
    paper = studies.load(ROOT / "config/papers/tossou2016.yaml")
    assert paper.experiments["fig2b"].series["dp-ucb"].label == "DP-UCB (0.1)"
    assert paper.experiments["fig2a"].series["dp-ucb"].label == "DP-UCB (1)"


def test_checkpoints():
    found = studies.study.checkpoints(
        1000, {"first": 3, "log": 3, "linear": 2, "powers_of_two": True, "also": [77, 5000]}
    )
    assert found == (1, 2, 3, 4, 8, 10, 16, 32, 64, 77, 100, 128, 256, 500, 512, 1000)


def changed(*path, to=None, remove=False):
    """The paper file with one thing changed."""
    content = copy.deepcopy(ORIGINAL)
    place = content
    for key in path[:-1]:
        place = place[key]
    if remove:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return content


PANEL_A = ("experiments", "fig2{scenario}", "matrix", "scenario", "a")
MATRIX = ("experiments", "fig2{scenario}")
BAD = [
    (changed(*PANEL_A, "environment", to="two-amrs"), ["experiments.fig2a: unknown environment 'two-amrs'", "did you mean 'two-arms'"]),
    (changed(*PANEL_A, "environment", remove=True), ["experiments.fig2a: 'environment' is missing"]),
    (changed(*PANEL_A, "paramters", to={}), ["scenario.a: unknown key 'paramters'", "did you mean 'parameters'"]),
    (changed(*MATRIX, "matrix", "scenario", to=[]), ["experiments.fig2{scenario}.matrix.scenario: [] should have at least 1 entry"]),
    (changed(*MATRIX, "matrix", "scenario", to=5), ["matrix.scenario: 5 should be a mapping of keys to values or a list"]),
    (changed(*MATRIX, "matrix", "scenario", "A", to={}), ["matrix.scenario: 'A' cannot be used as a name here"]),
    (changed(*MATRIX, "matrix", "other", to=[1, 2]), ["experiments.fig2{scenario}: two combinations have the same id", "name every value of the matrix in the id"]),
    (changed(*MATRIX, "same_as", to={"fig2e": "fig2a"}), ["experiments.fig2{scenario}: same_as: the matrix has no 'fig2e'", "did you mean 'fig2d'"]),
    (changed("experiments", "fig2b", to={"environment": "two-arms", "policies": ["ucb"]}), ["experiments.fig2b: duplicate id 'fig2b'"]),
    (changed(*MATRIX, "same_as", to={"fig2d": "fig3"}), ["same_as: unknown experiment 'fig3'"]),
    (changed("experiments", "fig2{scenary}", to=ORIGINAL["experiments"]["fig2{scenario}"]), ["'fig2{scenary}' names 'scenary'", "did you mean 'scenario'"]),
    (changed("figures", "s-hybrid", "panels", 0, "experiment", to="s-hybrid-{scenery}"), ["figures.s-hybrid: panels: 's-hybrid-{scenery}' names 'scenery'", "did you mean 'scenario'"]),
    (changed("figures", "s-hybrid", "panels", 0, "title", to="{scenery}"), ["figures.s-hybrid: title: '{scenery}' names no parameter with one value for all that is drawn; "]),
    (changed("desing", to={}), ["unknown key 'desing'", "did you mean 'design'"]),
    (changed("policies", "bound-by-hybrid", "sweep", to={"hybrid_split": ["full_log2", "half_log2"], "v": [1]}), ["policies.bound-by-hybrid.sweep: v has 1 values and hybrid_split 2; write one for each of hybrid_split's"]),
    (changed("design", "horizn", to=5), ["design: unknown key 'horizn'", "did you mean 'horizon'"]),
    (changed("design", "horizon", to="1e5"), ["design.horizon: '1e5' should be a whole number", "write 100000"]),
    (changed("design", "horizon", to=1e5), ["design.horizon: 100000.0 should be a whole number", "write 100000"]),
    (changed("design", "horizon", to=-5), ["design.horizon: -5 should be at least 2"]),
    (changed("design", "checkpoints", "log", to=10**30), [f"design.checkpoints.log: {10**30} should be at most 10000"]),
    (changed("design", "runs", to=True), ["design.runs: True should be a whole number"]),
    (changed("design", remove=True), ["'design' is missing"]),
    (changed(*PANEL_A, "parameters", "epsilon", to=0), ["experiments.fig2a.policies.private-ucb", "epsilon: 0 should be a number above 0"]),
    (changed(*PANEL_A, "parameters", "epsilon", to=-1), ["epsilon: -1 should be a number above 0"]),
    (changed(*PANEL_A, "parameters", "epsilon", to=float("nan")), ["epsilon: nan should be a number above 0"]),
    (changed(*PANEL_A, "parameters", "epsilon", to=float("inf")), ["epsilon: inf should be a number above 0"]),
    (changed(*PANEL_A, "parameters", "epsilon", to="one"), ["label: 'Private-UCB ({epsilon:g})' does not fit the values", "'epsilon': 'one'"]),
    (changed(*PANEL_A, "parameters", "epsilon", to=300), ["epsilon 300", "input epsilon", "write a smaller epsilon"]),
    (changed(*PANEL_A, "parameters", "epsilom", to=1), ["no policy here takes 'epsilom'", "did you mean 'epsilon'"]),
    (changed(*PANEL_A, "parameters", to={}), ["it takes 'epsilon'", "add it to the experiment's parameters"]),
    (changed("environments", "two-arms", "means", to=[0.9, 1.6]), ["environments.two-arms: means[1]: 1.6 should be a mean in [0, 1]"]),
    (changed("environments", "two-arms", "means", to=[0.9, -0.1]), ["means[1]: -0.1 should be a mean in [0, 1]"]),
    (changed("environments", "two-arms", "means", to=[0.9]), ["is a single arm", "at least two"]),
    (changed("environments", "two-arms", "means", to=0.9), ["means: 0.9 should be a list of a mean in [0, 1]"]),
    (changed("environments", "two-arms", "mean", to=[0.9]), ["environments.two-arms: unknown key 'mean'", "did you mean 'means'"]),
    (changed("environments", "two-arms", "kind", to="bernouli"), ["environments.two-arms: unknown kind of environment 'bernouli'", "did you mean 'bernoulli'"]),
    (changed("experiments", "fig2{scenario}", "policies", to=["ucb", "dp-ucb-bund"]), ["fig2a.policies: unknown policy 'dp-ucb-bund'", "did you mean 'dp-ucb-bound'"]),
    (changed("policies", "ucb", "algorithm", to="ubc"), ["unknown algorithm 'ubc'", "did you mean 'ucb'"]),
    (changed("policies", "dp-ucb", "published", "hybrid_split", to="half_log"), ["hybrid_split: 'half_log' is not one of", "did you mean 'half_log2'"]),
    (changed("policies", "private-ucb", "published", "relaxatoin", to=False), ["unknown key 'relaxatoin'", "did you mean 'relaxation'"]),
    (changed("policies", "dp-ucb-int", "parameters", "v", to=1.6), ["v: 1.6 should be a number in (1, 1.5]"]),
    (changed("policies", "private-ucb", "published", "failure_prob", to=0), ["failure_prob: 0 should be"]),
    (changed("policies", "dp-ucb", "label", to="DP-UCB ({epsilno})"), ["names 'epsilno'", "no parameter of the policy"]),
    (changed("policies", "int-by-schedule", "words", "seris_x", to="x"), ["words: 'seris_x' is no value of a parameter", "did you mean 'series_x'"]),
    (changed("policies", "dp-ucb", "colour", to="red"), ["policies.dp-ucb: unknown key 'colour'"]),
    (changed("policies", "private-ucb", "published", "relaxation", to="no"), ["relaxation: 'no' should be true or false"]),
    (changed("design", "horizon", to=17_000), ["horizon 17000 is too short for DP-UCB-INT", "K W_1 = 10 x 1751 = 17510", "write a longer horizon"]),
    (changed("figures", "fig2", "panels", to=["fig2a", "fig2e"]), ["figures.fig2: panels: 'fig2e' is no figure of curves in a panel"]),
    (changed("figures", "fig2a", "experiment", to="fig2e"), ["figures.fig2a: unknown experiment 'fig2e'"]),
    (changed("figures", "fig2a", "kind", to="curve"), ["figures.fig2a.kind: 'curve' is not one of", "did you mean 'curves'"]),
    (changed("figures", "fig2a", "kind", to="points"), ["figures.fig2a: points have 'panels'"]),
    (changed("figures", "s-hybrid", "experiment", to="fig2a"), ["figures.s-hybrid: only curves in a single panel may have 'experiment'"]),
    (changed("figures", "fig2a", "series", to=["ucb", "dpucb"]), ["series: unknown series 'dpucb'", "did you mean 'dp-ucb'"]),
    (changed("experiments", "s-lost-runs", "design", "columns", to=["median"]), ["column: s-lost-runs does not ask for 'locked_in'; add design: {columns: [locked_in]}"]),
    (changed("figures", "s-hybrid", "panels", 0, "titel", to="x"), ["figures.s-hybrid.panels.0: unknown key 'titel'", "did you mean 'title'"]),
    (changed("figures", "Figure 2", to={"kind": "curves", "caption": "", "experiment": "fig2a"}), ["figures: 'Figure 2' cannot be used as a name"]),
    (changed("sentences", "S2", "tests", "A1", "expect", to={"rattio": {}, "below": 1}), ["sentences.S2.tests.A1.expect: unknown measure 'rattio'", "did you mean 'ratio'"]),
    (changed("sentences", "S2", "tests", "A1", "expect", "ratio", "of", to=["dp-int"]), ["sentences.S2.tests.A1.expect.of: fig2a has no series 'dp-int'"]),
    (changed("sentences", "S2", "tests", "A1", "experiments", to=["fig3a"]), ["sentences.S2.tests.A1.experiments: unknown experiment 'fig3a'"]),
    (changed("sentences", "S1", "tests", "A8", "expect", "over_bound", "bound", to="ucb2"), ["unknown bound 'ucb2'", "did you mean 'ucb1'"]),
    (changed("sentences", "S2", "tests", "A1", "expect", to={"at_mots": 1}), ["sentences.S2.tests.A1.expect: should have one measure, and thresholds"]),
    (changed("sentences", "P1", "tests", "P1", "cause", to={"publishd": "x"}), ["sentences.P1.tests.P1.cause: unknown experiment or reading 'publishd'"]),
    (changed("paper", to="tossou2017"), ["paper: 'tossou2017' should be 'tossou2016'"]),
]  # fmt: skip


@pytest.mark.parametrize(("content", "parts"), BAD, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_a_wrong_paper_file_is_refused_in_one_line(content, parts, refused):
    message = refused("tossou2016", content)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("paper: [", "line 1: not valid YAML"),
        ("paper: a\npaper: b\n", "line 2: not valid YAML: duplicate key 'paper'; keep one of them"),
        ("- 1\n", "should be a mapping of keys to values"),
        ("", "should be a mapping of keys to values"),
        ("a: &x !!python/object:os.system {}", "not valid YAML"),
    ],
)
def test_a_file_that_is_no_paper_file(text, part, refused):
    assert part in refused("tossou2016", text)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.yaml: there is no such file"):
        studies.load(tmp_path / "nowhere.yaml")


def test_a_panel_may_differ_between_readings():
    paper = studies.load(ROOT / "config/papers/azize2022.yaml")
    published, corrected = (paper.figures[name] for name in ("fig3", "fig3.corrected"))
    assert published.reading_name == "published reading, our reconstruction of the drawn figures"
    assert corrected.reading_name == "corrected reading"
    assert [f.panels[0].regimes for f in (published, corrected)] == ["azize2022_crossings_five", "azize2022_crossings"]
    assert list(published.panels[0].overlay.values()) == ["azize2022_theorem_3_no_privacy", "azize2022_theorem_3_five"]
    assert list(corrected.panels[0].overlay.values()) == ["azize2022_theorem_3_no_privacy", "azize2022_theorem_3"]
    assert paper.figures["s-slip-c1"].reading_name == ""


@pytest.mark.parametrize("name", write_schemas.FILES)
def test_the_schemas_for_editors_are_current(name):
    """`make schema` writes them from the models."""
    assert (ROOT / "workflow/schemas" / name).read_text() == write_schemas.text(write_schemas.FILES[name])


@pytest.mark.parametrize(
    "path",
    [*sorted((ROOT / "config/papers").glob("*.yaml")), ROOT / "config/config.yaml", ROOT / "config/arena.yaml"],
    ids=lambda path: path.stem,
)
def test_an_editor_finds_nothing_wrong_with_our_files(path):
    named = (path.parent / path.read_text().split("$schema=")[1].split()[0]).resolve()
    jsonschema.Draft202012Validator(yaml.safe_load(named.read_text())).validate(yaml.safe_load(path.read_text()))


def test_an_editor_marks_an_unknown_key():
    """So the test above can fail."""
    rules = jsonschema.Draft202012Validator(yaml.safe_load((ROOT / "workflow/schemas/paper.schema.yaml").read_text()))
    (error,) = rules.iter_errors(changed("design", "horizn", to=5))
    assert "horizn" in error.message


@pytest.mark.parametrize("path", sorted((ROOT / "config/papers").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_test_has_a_statement_of_its_own(path):
    """Tables show tests one by one: "The same for ..." says nothing there, and one statement names one test."""
    statements = [test.says for test in studies.load(path).tests.values()]
    assert sorted(set(statements)) == sorted(statements)
    assert not [statement for statement in statements if statement.startswith("The same")]


def test_lines_are_what_tests_judge():
    """The paper's own statistic where a test judges it, the mean where bands are its errors, else the median of means."""
    for paper in PAPERS:
        study = studies.load(ROOT / f"config/papers/{paper}.yaml")
        judged = [one for one in judging.judgements(study) if one.kind != "privacy"]
        for figure in study.figures.values():
            for panel in figure.panels:
                experiment = study.experiments[panel.experiment]
                own = experiment.design.statistic.removesuffix("_std")
                judges = {one.statistic for one in judged if experiment.id in {e.id for e in one.experiments}}
                if panel.column:
                    assert panel.line == panel.column
                elif paper == "sarkar2025":
                    assert panel.line == "nash_regret"
                elif own in judges:
                    assert panel.line == own
                else:
                    assert panel.line == ("mean" if experiment.design.band == "errors" else "median_of_means")


def test_titles_and_captions_follow_the_parameters(tmp_path):
    file = tmp_path / "tossou2016.yaml"
    changed = copy.deepcopy(ORIGINAL)
    experiment = changed["experiments"]["fig2{scenario}"]
    experiment["matrix"]["scenario"]["a"]["parameters"] = {"epsilon": 0.5}
    file.write_text(yaml.safe_dump(changed, allow_unicode=True))
    paper = studies.load(file, "smoke")
    figure = paper.figures["fig2a"]
    assert (
        figure.title == figure.panels[0].title == paper.figures["fig2"].panels[0].title == "Regret for ε = 0.5, 2 arms"
    )
    assert figure.caption == "Two arms with means 0.9 and 0.6, ε = 0.5."
    # One policy with a value of its own says so in its label.
    experiment["policies"] = {name: {} for name in experiment["policies"]} | {"dp-ucb": {"epsilon": 2}}
    file.write_text(yaml.safe_dump(changed, allow_unicode=True))
    paper = studies.load(file, "smoke")
    assert paper.figures["fig2a"].title == "Regret for ε = 0.5, 2 arms"
    assert paper.experiments["fig2a"].series["dp-ucb"].label == "DP-UCB (2)"


def texts_in(value):
    """All texts in nested lists and mappings."""
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_in(each)


def test_no_text_of_a_figure_repeats_a_number_that_is_a_parameter(monkeypatch):
    """It would be wrong as soon as somebody changes the parameter; {epsilon:g} follows it."""
    seen, filled_in = [], expansion._with_values

    def recording(text, panels, where):
        seen.append((text, panels, where))
        return filled_in(text, panels, where)

    monkeypatch.setattr(expansion, "_with_values", recording)
    studies.load_all(ROOT / "config", "paper", {})
    written = {
        text for path in (ROOT / "config/papers").glob("*.yaml") for text in texts_in(yaml.safe_load(path.read_text()))
    }
    assert any("{epsilon:g}" in text for text, _, _ in seen)
    repeated = []
    for text, panels, where in seen:
        for parameter, symbol in SYMBOLS.items():
            values = {panel.get(parameter) for panel in panels}
            if text in written and len(values) == 1 and None not in values:
                number = f"{values.pop():g}".replace(".", r"\.")
                repeated += [where] if re.search(rf"(?:{symbol}|{parameter}) ?= ?{number}(?![.]?\d)", text) else []
    assert repeated == []

"""The command that prints an experiment as expanded."""

import pytest
import yaml
from project import ROOT, study_of

from dpbandits.studies import __main__ as command


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_a_figure_s_experiment_is_shown_as_the_workflow_runs_it(capsys):
    """fig5d draws fig2, whose DP-SE has an elimination of its own in each reading."""
    command.main(["show", "azize2022", "fig5d", "--scale", "smoke"])
    text = capsys.readouterr().out
    assert text.startswith("# fig5d shows fig2, with these runs: 20 of dp-ucb, ")
    (shown,) = yaml.safe_load(text).items()
    experiment = study_of("azize2022", "smoke").experiments["fig2"]
    assert shown[0] == "fig2"
    assert shown[1]["environment"] == experiment.environment
    assert shown[1]["design"]["horizon"] == experiment.design.horizon == 100_000
    assert list(shown[1]["policies"]) == ["dp-ucb", "dp-se", "adap-ucb", "adap-klucb"]
    series = shown[1]["policies"]["dp-se"]["series"]
    own = {each["reading"]: each["parameters"]["elimination"] for each in series}
    assert own == {"published": "skip_next", "corrected": "all"}


def test_an_arena_s_epsilons_are_those_of_equal_privacy(capsys):
    command.main(["show", "arena", "C2", "--scale", "smoke"])
    shown = yaml.safe_load(capsys.readouterr().out)["C2"]["policies"]["private-ucb"]["series"]
    played = study_of("arena", "smoke").experiments["C2"].policies["private-ucb"].series
    shown_epsilons = [each["parameters"]["epsilon"] for each in shown]
    assert shown_epsilons == [each.as_policy.epsilon for each in played]
    assert shown_epsilons != [each.parameters["epsilon"] for each in played]


UNKNOWN = [
    (["azize2022", "fig55"], "show: azize2022: unknown experiment or figure 'fig55'"),
    (["azize2202", "fig2"], "show: unknown study 'azize2202'; did you mean 'azize2022'"),
]


@pytest.mark.parametrize(("words", "says"), UNKNOWN)
def test_an_unknown_name_is_refused(words, says):
    with pytest.raises(SystemExit, match=f"^error: {says}"):
        command.main(["show", *words])

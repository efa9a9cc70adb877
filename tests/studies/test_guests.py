"""Guests, the policies of config/config.yaml: where they join our figures; refusals."""

from dataclasses import replace

import pytest
from project import ROOT, all_papers, study_of, with_guests

from dpbandits import studies
from dpbandits.audit import accounts
from dpbandits.errors import InputError
from dpbandits.parameters import validated
from dpbandits.plan import validation
from dpbandits.studies.guests import Guest
from dpbandits.studies.model import Panel
from dpbandits.studies.things import Slug

FOLDER = ROOT / "config/papers"
MINE = {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]}
WITHOUT_TAKES = {"label": "Mine", "algorithm": "ucb"}
OF_LOGS = {"label": "Mine", "algorithm": "lin_ucb", "parameters": {"delay": 0}}
OF_GAMES = {"label": "Mine", "algorithm": "exp3"}
AZIZE = {"fig2", "fig8a", "fig8b", *(f"fig{n}" for n in ("5a", "5b", "5c"))}
AZIZE |= {f"fig{n}{panel}" for n in "467" for panel in "abcd"}
EVERYWHERE = {
    "azize2022": AZIZE,
    "mishra2015": {"fig1a", "fig1b"},
    "hu2022": {f"fig{n}" for n in range(1, 14)},
    "sarkar2025": {f"fig1{panel}" for panel in "abcf"},
    "tossou2016": {f"fig2{panel}" for panel in "abcd"},
}
JOINED = {
    "without takes": (WITHOUT_TAKES, EVERYWHERE),
    "with takes": (MINE, {**EVERYWHERE, "azize2022": AZIZE | {"fig3"}}),
    "of logs": (OF_LOGS, {"mishra2015": {"fig2"}}),
    "of games": (OF_GAMES, {"tossou2017": {f"fig6{panel}" for panel in "abcde"}}),
}


def load(guest, paper="tossou2016", scale="smoke"):
    """A paper, or the arena, with this guest."""
    return with_guests({paper: study_of(paper, scale)}, {"mine": guest})[paper]


@pytest.mark.parametrize(("guest", "joined"), JOINED.values(), ids=JOINED)
def test_a_guest_joins_where_it_can_play_and_nowhere_else(guest, joined):
    ours = all_papers("smoke")
    found = with_guests(ours, {"mine": guest})
    kinds = set()
    for paper in found.values():
        validation.check(paper)
        playing = {id for id, e in paper.experiments.items() if "mine" in e.policies}
        assert playing == joined.get(paper.id, set())
        for figure in paper.figures.values():
            for panel in figure.panels:
                of = paper.experiments[panel.experiment].series
                drawn = {of[series].policy for series in panel.series}
                assert ("mine" in drawn) == (panel.experiment in playing and not figure.ours)
        for id, experiment in paper.experiments.items():
            before = ours[paper.id].experiments[id]
            for policy in before.policies:  # nothing of ours is simulated again
                played, then = (each.simulation([policy], 1, "") for each in (experiment, before))
                assert played.header == then.header
            kind = experiment.environment["kind"]
            if id in playing and kind not in kinds:
                kinds.add(kind)
                t = (3, 60) if kind == "vanishing_arm" else (1000, 2000)
                simulation = experiment.simulation(["mine"], 1, "")
                played = replace(simulation, horizon=t[-1], checkpoints=t).run(0, 0)
                curves = played.values[experiment.design.quantity.removeprefix("nash_")]
                assert curves.shape == (len(simulation.policies), 1, 2)
    assert kinds


def test_a_wrong_kind_of_environment_is_named_with_its_file_if_a_guest_is_configured(tmp_path):
    file = tmp_path / "tossou2016.yaml"
    text = (FOLDER / "tossou2016.yaml").read_text()
    file.write_text(text.replace("kind: bernoulli", "kind: bernouli", 1))
    with pytest.raises(InputError, match=rf"^{file}.*fig2a: environment: unknown kind"):
        with_guests({"tossou2016": studies.load(file, "smoke")}, {"mine": WITHOUT_TAKES})


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import nummpy\n", r".* line 1: .*No module named 'nummpy'"),
        ("class Mine(ArmsPolicy\n", r": SyntaxError: .* \(my_draft.py, line 1\)"),
    ],
)
def test_a_guest_that_cannot_be_imported_is_refused_in_one_line(
    source, says, tmp_path, monkeypatch
):
    (tmp_path / "my_draft.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    says = f"^config/config.yaml: guests.mine: my_draft.py{says}"
    with pytest.raises(InputError, match=says) as refusal:
        load(MINE | {"algorithm": "my_draft"})
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("my_ucb", "guests: 'my_ucb' should be keys with values"),
        ({"my eps": WITHOUT_TAKES}, "guests.my eps: 'my eps' should be small letters, digits, "),
    ],
)
def test_guests_in_another_form_are_refused_in_words(typed, says):
    with pytest.raises(InputError, match=f"^{says}"):
        validated(dict[Slug, Guest], typed, "guests")


SWEPT = [
    ("Mine", "Mine, ε = 0.5"),
    ("Mine ({epsilon:g})", "Mine (0.5)"),
    ("Mine (c = {hybrid_split}, ε = {epsilon:g})", "Mine (c = half_log2, ε = 0.5)"),
]


@pytest.mark.parametrize(("label", "over_time"), SWEPT)
def test_a_guest_sweeps_what_the_panel_sweeps(label, over_time):
    """azize2022's Figure 3 is drawn along epsilon.

    mishra2015's Figure 1 has a curve for each of five, sarkar2025's for each of four.
    """
    guest = MINE | {"label": label, "parameters": {"hybrid_split": "half_log2"}}
    for paper, figure, policy in (
        ("azize2022", "fig3", "adap-klucb-by-eps"),
        ("mishra2015", "fig1a", "private-ucb"),
        ("sarkar2025", "fig1c", "gdp-ncb-by-eps"),
    ):
        found = load(guest, paper)
        (panel,) = found.figures[figure].panels
        drawn = [found.experiments[panel.experiment].series[id] for id in panel.series]
        mine = {s.parameters["epsilon"]: s for s in drawn if s.policy == "mine"}
        assert [*mine] == [s.parameters["epsilon"] for s in drawn if s.policy == policy]
        assert len(mine) > 3
        if panel.along:
            assert {panel.labels[each.id] for each in mine.values()} == {"Mine"}
        else:
            assert mine[0.5].label == over_time


def test_a_guest_whose_promise_nothing_checks_is_drawn_with_these_words():
    """If a replay contradicts a promise, the label says so, too."""
    both = {"a": WITHOUT_TAKES, "b": MINE}
    study = with_guests({"tossou2016": study_of("tossou2016", "smoke")}, both)["tossou2016"]
    found = study.experiments["fig2a"]
    assert [found.series[id].label for id in both] == ["Mine (promise not checked)", "Mine (1)"]
    rows = accounts.table([found.in_reading("corrected")]).set_index("policy")
    assert rows.loc["b", ["epsilon", "verdict"]].tolist() == [1.0, "kept"]
    assert rows.loc["a", "verdict"] == "no promise"
    refuted = found.refuting({found.series["b"].as_policy.mechanism})
    labels = [Panel("fig2a").label(id, refuted) for id in both]
    assert labels == ["Mine (promise not checked)", "Mine (1) (promise not kept)"]


def test_without_takes_a_guest_takes_what_it_cannot_play_without():
    """AdaP-UCB requires epsilon and not alpha; a parameter of its own is not taken."""
    for parameters, taken in (({}, ["epsilon"]), ({"alpha": 3}, ["epsilon"]), ({"epsilon": 2}, [])):
        given = {"label": "Mine", "algorithm": "adap_ucb", "parameters": parameters}
        assert load(given).experiments["fig2a"].policies["mine"].takes == taken


def test_a_guest_that_sweeps_has_no_more_runs_than_the_paper():
    """With our thousand runs, the sixty epsilons of azize2022's Figure 3 would take eight hours."""
    experiments = load(MINE, "azize2022", "paper").experiments
    played = [experiments[id] for id in ("fig3", "fig2")]
    assert [each.policies["mine"].runs for each in played] == [20, 1000]
    assert [each.design.runs for each in played] == [1000, 1000]


def test_a_guest_may_not_know_the_horizon():
    for given, knows in (({}, True), ({"knows_horizon": False}, False)):
        assert load(MINE | given, "arena").arena.members["mine"].knows_horizon is knows

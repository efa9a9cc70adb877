"""Guests, the policies of config/config.yaml: where they join our figures; refusals."""

from dataclasses import replace

import pytest
from project import ROOT, all_papers

from dpbandits import studies
from dpbandits.audit import accounts
from dpbandits.errors import InputError
from dpbandits.plan import validation
from dpbandits.studies import guests, things
from dpbandits.studies.experiment import Policy
from dpbandits.studies.model import Panel
from dpbandits.studies.types import Slug

FOLDER = ROOT / "config/papers"
WITH_TAKES = {
    "my-dp-ucb": {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]}
}
WITHOUT_TAKES = {"my-ucb": {"label": "Mine", "algorithm": "ucb"}}
OF_LOGS = {"my-lin": {"label": "Mine", "algorithm": "lin_ucb", "parameters": {"delay": 0}}}
OF_GAMES = {"my-exp3": {"label": "Mine", "algorithm": "exp3"}}
AZIZE = {
    "fig2",
    "fig5a",
    "fig5b",
    "fig5c",
    "fig8a",
    "fig8b",
    *(f"fig{n}{panel}" for n in "467" for panel in "abcd"),
}
EVERYWHERE = {
    "azize2022": AZIZE, "mishra2015": {"fig1a", "fig1b"},
    "hu2022": {f"fig{n}" for n in range(1, 14)},
    "sarkar2025": {"fig1a", "fig1b", "fig1c", "fig1f"},
    "tossou2016": {"fig2a", "fig2b", "fig2c", "fig2d"},
}  # fmt: skip
JOINED = [
    (WITHOUT_TAKES, EVERYWHERE),
    (WITH_TAKES, {**EVERYWHERE, "azize2022": AZIZE | {"fig3"}}),
    (OF_LOGS, {"mishra2015": {"fig2"}}),
    (OF_GAMES, {"tossou2017": {"fig6a", "fig6b", "fig6c", "fig6d", "fig6e"}}),
]


@pytest.mark.parametrize(("guest", "joined"), JOINED, ids=lambda value: next(iter(value)))
def test_a_guest_joins_where_it_can_play_and_nowhere_else(guest, joined):
    (name,) = guest
    found, ours = studies.load_all(FOLDER, "smoke", guest), all_papers("smoke")
    kinds = set()
    for paper in found.values():
        validation.check(paper)
        own = {
            e.id: [p for p in e.policies.values() if p.id == name]
            for e in paper.experiments.values()
        }
        assert {id for id, policies in own.items() if policies} == joined.get(paper.id, set())
        for figure in paper.figures.values():
            for panel in figure.panels:
                plays = bool(own[panel.experiment])
                drawn = {
                    paper.experiments[panel.experiment].series[series].policy
                    for series in panel.series
                }
                assert (name in drawn) == (plays and not figure.ours)
        for experiment in paper.experiments.values():
            before = ours[paper.id].experiments[experiment.id]
            for policy in before.policies:  # nothing of ours is simulated again
                played, then = (each.simulation([policy], 1, "") for each in (experiment, before))
                assert played.header == then.header
            kind = experiment.environment["kind"]
            if own[experiment.id] and kind not in kinds:
                kinds.add(kind)
                t = (3, 60) if kind == "vanishing_arm" else (1000, 2000)
                played = replace(experiment.simulation([name], 1, ""), horizon=t[-1], checkpoints=t)
                quantity = experiment.design.quantity.removeprefix("nash_")
                curves = played.run(0, 0).values[quantity]
                assert curves.shape == (len(played.policies), 1, 2)
    assert kinds


def test_a_wrong_kind_of_environment_is_named_with_its_file_if_a_guest_is_configured(tmp_path):
    file = tmp_path / "tossou2016.yaml"
    text = (ROOT / "config/papers/tossou2016.yaml").read_text()
    file.write_text(text.replace("kind: bernoulli", "kind: bernouli", 1))
    guests = {"mine": {"label": "Mine", "algorithm": "ucb"}}
    with pytest.raises(InputError, match=r"fig2a: environment: unknown kind") as error:
        studies.load(file, "smoke", guests)
    assert str(error.value).startswith(str(file))


def test_a_guest_with_the_label_of_another_curve_is_refused():
    mine = {"label": "UCB", "algorithm": "dp_ucb", "parameters": {"epsilon": 1}}
    says = r"^config/config.yaml: guests.mine: in tossou2016 fig2a: label: another curve is .*'UCB'"
    with pytest.raises(InputError, match=says):
        studies.load(FOLDER / "tossou2016.yaml", guests={"mine": mine})


WRONG_GUESTS = [
    ("my_ucb", "guests: 'my_ucb' should be keys with values"),
    (["my_ucb"], "guests: ['my_ucb'] should be keys with values"),
    (
        {"my eps": {"label": "Mine", "algorithm": "ucb"}},
        "guests.my eps: 'my eps' should be small letters, digits, dots and hyphens",
    ),
]


@pytest.mark.parametrize(("typed", "complaint"), WRONG_GUESTS)
def test_guests_in_another_form_are_refused_in_words(typed, complaint):
    with pytest.raises(InputError) as refusal:
        things.validated(typed, dict[Slug, Policy], "config/config.yaml", "guests")
    assert str(refusal.value) == f"config/config.yaml: {complaint}"


def test_a_guest_that_plays_nowhere_is_refused():
    guest = {"label": "Mine", "algorithm": "dp_ucb_int", "takes": ["v"]}
    with pytest.raises(
        InputError,
        match=r"config/config.yaml: guests.mine: it plays nowhere, since no experiment of",
    ):
        studies.load_all(ROOT / "config", "smoke", {"mine": guest})


SWEPT = [
    ("Mine", "Mine, ε = 0.5", "Mine"),
    ("Mine ({epsilon:g})", "Mine (0.5)", "Mine"),
    ("Mine (c = {hybrid_split}, ε = {epsilon:g})", "Mine (c = half_log2, ε = 0.5)", "Mine"),
]


@pytest.mark.parametrize(("label", "over_time", "along"), SWEPT)
def test_a_guest_sweeps_what_the_panel_sweeps(label, over_time, along):
    """azize2022's Figure 3 is drawn along epsilon.

    mishra2015's Figure 1 has a curve for each of five, sarkar2025's for each of four.
    """
    guest = {
        "mine": {
            **WITH_TAKES["my-dp-ucb"],
            "label": label,
            "parameters": {"hybrid_split": "half_log2"},
        }
    }
    found = studies.load_all(FOLDER, "smoke", guest)
    for paper, figure, of_ours in (("azize2022", "fig3", "adap-klucb-by-eps"),
                                   ("mishra2015", "fig1a", "private-ucb"),
                                   ("sarkar2025", "fig1c", "gdp-ncb-by-eps")):  # fmt: skip
        (panel,) = found[paper].figures[figure].panels
        experiment = found[paper].experiments[panel.experiment]
        values = {
            policy: [experiment.series[s].parameters["epsilon"] for s in panel.series
                     if experiment.series[s].policy == policy]
            for policy in ("mine", of_ours)
        }  # fmt: skip
        assert values["mine"] == values[of_ours]
        assert len(values["mine"]) > 3
        if panel.along:
            assert {panel.labels[f"mine-{str(value).lower()}"] for value in values["mine"]} == {
                along
            }
        else:
            assert experiment.series["mine-0.5"].label == over_time


def test_a_guest_whose_promise_nothing_checks_is_drawn_with_these_words():
    found = studies.load_all(FOLDER, "smoke", WITHOUT_TAKES | WITH_TAKES)["tossou2016"].experiments[
        "fig2a"
    ]
    assert found.series["my-ucb"].label == "Mine (promise not checked)"
    assert found.series["my-dp-ucb"].label == "Mine (1)"
    rows = accounts.table([found.in_reading("corrected")]).set_index("policy")
    assert (rows.loc["my-dp-ucb", "epsilon"], rows.loc["my-dp-ucb", "verdict"]) == (1.0, "kept")
    assert rows.loc["my-ucb", "verdict"] == "no promise"
    # If a replay contradicts the promise of the other guest, its label says so.
    refuted = found.refuting({found.series["my-dp-ucb"].as_policy.mechanism})
    labels = [Panel("fig2a").label(id, refuted) for id in ("my-dp-ucb", "my-ucb")]
    assert labels == ["Mine (1) (promise not kept)", "Mine (promise not checked)"]


def test_without_takes_a_guest_takes_what_it_cannot_play_without():
    """AdaP-UCB requires epsilon and not alpha; a parameter of its own is not taken."""
    for parameters, taken in (({}, ["epsilon"]), ({"alpha": 3}, ["epsilon"]), ({"epsilon": 2}, [])):
        given = {"label": "Mine", "algorithm": "adap_ucb", "parameters": parameters}
        assert guests.read_guests({"mine": given})["mine"].takes == taken


def test_a_guest_that_sweeps_has_no_more_runs_than_the_paper():
    """With our thousand runs, the sixty epsilons of azize2022's Figure 3 would take eight hours."""
    experiments = studies.load(FOLDER / "azize2022.yaml", guests=WITH_TAKES).experiments
    assert (experiments["fig3"].policies["my-dp-ucb"].runs, experiments["fig3"].design.runs) == (
        20,
        1000,
    )
    assert experiments["fig2"].policies["my-dp-ucb"].runs == experiments["fig2"].design.runs == 1000


def test_a_guest_may_not_know_the_horizon():
    for given, knows in (({}, True), ({"knows_horizon": False}, False)):
        found = studies.load(
            ROOT / "config/arena.yaml", "smoke", {"mine": {**WITH_TAKES["my-dp-ucb"], **given}}
        )
        assert found.arena.members["mine"].knows_horizon is knows


MISTAKES = [
    ("import nummpy\n", "line 1: ModuleNotFoundError: No module named 'nummpy'"),
    ("class Mine(ArmsPolicy\n", "SyntaxError: '(' was never closed (my_draft.py, line 1)"),
]


@pytest.mark.parametrize(("source", "complaint"), MISTAKES)
def test_a_module_that_cannot_be_imported_is_refused(source, complaint, tmp_path, monkeypatch):
    (tmp_path / "my_draft.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError) as refusal:
        guests.read_guests({"mine": {"label": "Mine", "algorithm": "my_draft"}})
    place = "config/config.yaml: guests.mine: my_draft.py"
    assert str(refusal.value).startswith(place)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)

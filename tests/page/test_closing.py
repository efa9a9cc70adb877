"""The summary at the end of a run: its files, the alarms of audits, and the places of guests."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from arena.fields import steady
from page.conftest import AUDIT, REPLAY, write
from project import ROOT, study_of, with_a_guest

from dpbandits import files
from dpbandits.checks import answers
from dpbandits.page import closing


def summary(studies, files, results, figures="figures", scale="paper"):
    layout = SimpleNamespace(results=results, figures=figures, scale=scale)
    return closing.summary(studies, files, layout)


def test_the_summary_is_about_the_files_of_the_run(tmp_path):
    results, figures = tmp_path / "results/smoke", tmp_path / "figures"
    results.mkdir(parents=True)
    (results / "verification.txt").write_text("identical\n0 differences\n")

    def lines(*paths):
        return summary({}, list(map(str, paths)), str(results), str(figures)).splitlines()

    panels = [figures / f"toy2020/fig{n}.pdf" for n in range(2)]
    assert lines(results / "traces/toy2020/fig1/0-9.npz", panels[0]) == [f"figures: {panels[0]}"]
    picture = panels[0].with_suffix(".png")
    assert lines(panels[0], picture) == [f"figures: {panels[0]}, {picture}"]
    assert lines(*panels) == [f"figures: {figures}"]
    page = results / "page/index.html"
    assert lines(page) == [f"page: {page}"]
    assert lines(*panels, page) == [f"figures: {figures}; page: {page}"]
    assert lines(results / "verification.txt") == ["verify:  0 differences"]


def test_the_summary_says_that_another_scale_is_a_first_look():
    """Whatever the name of the folder."""
    study, results = study_of("tossou2016"), f"{ROOT}/reference"
    made = [f"{results}/checks/tossou2016.csv"]
    for scale, more in (("paper", ""), ("smoke", answers.first_look("smoke"))):
        lines = summary({study.id: study}, made, results, scale=scale).splitlines()
        assert lines[0] == f"checks:  {results}/checks{more}"
    assert lines[1].startswith("Of 14 claims about experiments, ")


UNBOOKED = "random rewards, of which reward 1 becomes 0: "
UNBOOKED += "it is in the releases 1, 2, and in 1 of the ledger"


@pytest.fixture(params=["mine", "ours"])
def printed(tmp_path, request):
    """A function that returns what a run with these findings prints, if `mine` is a guest.

    A policy has one audit with each of the findings, and one replay.
    """
    row = {"study": "toy2020", "policy": request.param}
    replays = "replays/guests/mine" if request.param == "mine" else "replays/toy"

    def lines(audited, replayed):
        paths = {"audits/toy": [AUDIT | row | {"finding": each} for each in audited]}
        paths[replays] = [REPLAY | row | {"finding": replayed}]
        for name, rows in paths.items():
            write(rows, tmp_path / f"smoke/{name}.csv")
        made = [f"{tmp_path}/smoke/{name}.csv" for name in paths]
        studies = {"toy": SimpleNamespace(arena=True, guests=["mine"])}
        printed = summary(studies, made, f"{tmp_path}/smoke")
        place = f"{request.param} (toy2020) at epsilon 1: "
        return printed.replace(place, "").replace(str(tmp_path), "").splitlines()

    return lines


def test_the_alarms_of_audits_and_replays_are_one_line(printed):
    within = ["within", "above the promise"]
    assert printed(within, UNBOOKED) == [f"replay:  {UNBOOKED}"]
    audit = "audit:   the actions show at least 0.25, above the ledger's 1"
    more = "1 more below /smoke/audits and /smoke/replays"
    assert printed(["above the ledger"], UNBOOKED) == [f"{audit}; {more}"]
    assert printed(within, "as booked") == printed(within, "not private: a") == []


def test_a_guest_has_its_place_in_its_league_in_an_arena(tmp_path):
    """Over all instances, as in the rankings. Broken promises have no place."""
    low = {"pure-a": (10, 40), "pure-b": (30, 20), "local": (1, 1), "broken": (1, 1)}
    table = steady(low | {"kl-ucb": (5, 5)}, {"pure-a": (9, 9), "pure-b": (8, None)})
    studies = {"arena": SimpleNamespace(arena=True, guests=["pure-b"])}
    made = [f"{tmp_path}/arena/scores.csv"]
    files.write(made[0], table)
    places = ["arena at epsilon 0.1: 2 of 2 (the operator: ε)"]
    places += ["arena at epsilon 1: none: it plays 1 of 2 bandits (the operator: ε)"]
    assert closing.arena_places(studies, tmp_path, made, "pure-b") == places
    assert summary(studies, made, f"{tmp_path}") == f"guests:  pure-b: {', '.join(places)}"
    (result,) = closing.arena_places(studies, tmp_path, made, "broken")
    assert result == "arena at epsilon 0.1: none: promise exceeded or refuted (the operator: ε)"


@pytest.mark.parametrize("guest", ["ucb", "private-ucb"])
@pytest.mark.parametrize("quantity", ["regret", "ctr_ratio"])
def test_a_guest_has_its_place_in_every_experiment(quantity, guest, tmp_path):
    """By the mean at T, the least regret or the most clicks, among the curves of its epsilon.

    Without an epsilon it is compared with all. The first two have the least means.
    """
    study = with_a_guest(study_of("tossou2016", "smoke"), "fig2d", guest)
    fig2d, summary = study.experiments["fig2d"], f"{tmp_path}/summaries/tossou2016/fig2d.csv"
    played = replace(fig2d, design=replace(fig2d.design, quantity=quantity))
    alone = {"tossou2016": replace(study, experiments={"fig2d": played})}

    def places(growth):
        rows = [(id, t, 20 + growth * n * t) for n, id in enumerate(fig2d.series) for t in (1, 20)]
        files.write(summary, pd.DataFrame(rows, columns=["policy", "t", "mean"]))
        return closing.guest_places(alone, tmp_path)

    of = len(fig2d.by_reading[0].series) - (guest != "ucb")
    assert {*places(0)["place"]} == {f"1 of {of}"}  # of equal means
    result, is_first = places(1), quantity == "regret"
    assert result["reading"].tolist() == ["published", "corrected"]
    assert {*result["place"]} == {f"{1 if is_first else of} of {of}"}
    assert closing.guest_places(alone, tmp_path, files=[]).empty
    says = closing.how_it_did(guest, alone, str(tmp_path), [summary])
    assert says == f"{guest}: first at T in {2 * is_first} of 2 experiments"

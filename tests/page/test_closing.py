"""The summary at the end of a run: its files, the alarms of audits, and the places of guests."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from project import study_of, with_a_guest

from dpbandits import files
from dpbandits.page import closing


def test_the_summary_is_about_the_files_of_the_run(tmp_path):
    results, figures = tmp_path / "results/smoke", tmp_path / "figures"
    results.mkdir(parents=True)
    (results / "verification.txt").write_text("identical\n0 differences\n")

    def lines(*paths):
        return closing.summary({}, list(map(str, paths)), str(results), str(figures)).splitlines()

    panels = [figures / f"toy2020/fig{n}.pdf" for n in range(2)]
    assert lines(results / "traces/toy2020/fig1/0-9.npz", panels[0]) == [f"figures: {panels[0]}"]
    picture = panels[0].with_suffix(".png")
    assert lines(panels[0], picture) == [f"figures: {panels[0]}, {picture}"]
    assert lines(*panels) == [f"figures: {figures}"]
    assert lines(results / "page/index.html") == [f"page:    {results / 'page/index.html'}"]
    assert lines(results / "verification.txt") == ["verify:  0 differences"]


@pytest.mark.parametrize(
    ("policy", "finding", "findings"),
    [
        (
            "mine",
            "above the ledger",
            ["above the ledger", "within", "not audited"],
        ),  # of a guest every finding is shown
        ("ours", "above the ledger", ["above the ledger"]),
        ("ours", "above the promise", []),  # the checks say it
    ],
)
def test_an_alarm_of_an_audit_is_a_line_at_the_end(policy, finding, findings, tmp_path):
    row = {
        "policy": policy,
        "label": "My UCB",
        "channel": "actions",
        "epsilon": 1.0,
        "delta": 0.0,
        "spent": 1.0,
    }
    row |= {"reading": "both", "event": "one", "pair": "2 arms, 8 rounds", "finding": finding}
    rows = [
        *({**row, "measured": measured} for measured in (1.2, 1.5)),
        {**row, "measured": 0.5, "finding": "within"},
    ]
    rows.append({**row, "measured": None, "finding": "not audited"})
    result = closing.alarms(pd.DataFrame(rows), ["mine"])
    assert result["finding"].tolist() == findings
    assert result["measured"].dropna().tolist() == [1.5, 0.5][: len(findings)]
    files.write(tmp_path / "audits/toy.csv", pd.DataFrame(rows))
    paths = [f"{tmp_path}/audits/toy.csv"]
    studies = {"toy": SimpleNamespace(arena=True, guests=["mine"])}
    lines = closing.summary(studies, paths, str(tmp_path), "figures").splitlines()
    assert lines[:1] == ["promised, spent and measured privacy:"][: len(findings)]
    assert all("2 arms, 8 rounds" in line and "NaN" not in line for line in lines[2:])


@pytest.mark.parametrize("quantity", ["regret", "ctr_ratio"])
def test_a_guest_has_its_place_in_every_experiment(quantity, tmp_path):
    """By the mean at T among all curves of a reading: the least regret, or the most clicks."""
    study = with_a_guest(study_of("tossou2016", "smoke"), "fig2d", "ucb")
    fig2d = study.experiments["fig2d"]
    rows = [
        (id, t, 20.0 + n * t) for n, id in enumerate(fig2d.series) for t in (1, 20)
    ]  # the first one's is the least
    files.write(
        tmp_path / "summaries/tossou2016/fig2d.csv",
        pd.DataFrame(rows, columns=["policy", "t", "mean"]),
    )
    played = replace(fig2d, design=replace(fig2d.design, quantity=quantity))
    alone = {"tossou2016": replace(study, experiments={"fig2d": played})}
    result = closing.guest_places(alone, tmp_path)
    assert result["reading"].tolist() == ["published", "corrected"]
    of = len(fig2d.by_reading[0].series)
    assert set(result["place"]) == {f"{1 if quantity == 'regret' else of} of {of}"}
    assert set(result["mean"]) == {"20"}
    assert closing.guest_places(alone, tmp_path, files=[]).empty

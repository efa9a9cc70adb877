"""Two tables agree when their words are equal and their numbers differ in rounding at most."""

import os
import re

import pandas as pd
import pytest

from dpbandits import verification
from dpbandits.files import tables
from dpbandits.verification import first_difference

TABLE = 'claim,value,border,evidence\nA1,0.618535,1,"a / b at t = 100"\nA2,,0.25,it speaks of later rounds\n'


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("", "", ""),
        ("0.618535", "0.61853500000001", ""),
        ("0.25", "2.5e-1", ""),
        ("0.618535", "0.618536", "row 2, value: 0.618536, not 0.618535"),
        ("A2,,", "A2,0,", "row 3, value: 0, not "),
        ("t = 100", "t = 100.0", "row 2, evidence: a / b at t = 100.0, not a / b at t = 100"),
        ("border", "limit", "other columns"),
        ("A2,,0.25,it speaks of later rounds\n", "", "1 rows, not 2"),
    ],
)
def test_first_difference(tmp_path, old, new, difference):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    theirs.write_text(TABLE)
    ours.write_text(TABLE.replace(old, new, 1) if old else TABLE)
    assert first_difference(ours, theirs) == difference


GUESTS = {"mine": ["mine-0.1", "mine-1"]}


@pytest.mark.parametrize(
    ("added", "guests", "verdict", "detail"),
    [
        ("", {}, "identical", ""),
        ("", GUESTS, "identical", ""),
        ("mine-0.1,10,3\nmine-1,10,4\n", GUESTS, "same numbers", "fig1.pdf; drawn with mine"),
        ("mine-0.1,10,3\n", {}, "differs", "summaries/toy2020/fig1.csv: 3 rows, not 2"),
        ("yours,10,3\n", GUESTS, "differs", "summaries/toy2020/fig1.csv: 3 rows, not 2"),
    ],
)
def test_the_rows_of_guests_are_left_out(added, guests, verdict, detail, tmp_path):
    table = "policy,t,mean\nucb,10,1\ndp-ucb,10,2\n"
    for folder, content, picture in (("before", table, "ours"), ("results", table + added, "ours" + added)):
        place = tmp_path / folder
        (place / "figures/toy2020").mkdir(parents=True)
        (place / "figures/toy2020/fig1.pdf").write_text(picture)
        for name in ("summaries/toy2020/fig1.csv", "claims/toy2020.csv"):
            rows = [line.split(",") for line in (content if "summaries" in name else table).splitlines()]
            tables.write(place / name, {c: [row[n] for row in rows[1:]] for n, c in enumerate(rows[0])})
        if folder == "before":
            verification.refresh(["toy2020"], place, place / "figures", tmp_path / "reference")
    results = tmp_path / "results"
    drawn_from = {"toy2020": {"fig1": [results / "summaries/toy2020/fig1.csv"]}}
    found = verification.verify(drawn_from, results, results / "figures", tmp_path / "reference", ["pdf"], guests)
    assert (found.lines[0].verdict, found.lines[0].detail) == (verdict, detail)
    assert found.lines[1].verdict == "identical"
    assert ("the curves of mine were left out" in found.total) == bool(guests)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, {"toy2020 sentences": "identical", "mine2026 sentences": "no reference"}),
        ({"verdict": "fails"}, {"toy2020 sentences": "differs", "mine2026 sentences": "no reference"}),
    ],
)
def test_sentences_are_compared_paper_by_paper(change, found, tmp_path):
    """The reference has more papers than these results, and one of one's own is not in it."""
    usual = {
        "sentence": "S1",
        "kind": "sentence",
        "place": "",
        "says": "",
        "reading": "both",
        "verdict": "holds",
        "claims": "",
        "reason": "",
    }
    for folder, papers, more in (
        ("reference", ("toy2020", "other2021"), {}),
        ("results", ("toy2020", "mine2026"), change),
    ):
        rows = [{"paper": paper, **usual, **more} for paper in papers]
        tables.write(tmp_path / folder / "sentences.csv", {name: [row[name] for row in rows] for name in rows[0]})
    folders = (tmp_path / "results", tmp_path / "figures", tmp_path / "reference")
    lines = verification.verify({"toy2020": {}, "mine2026": {}}, *folders, ["pdf"]).lines
    assert {line.name: line.verdict for line in lines if "sentences" in line.name} == found
    if change:
        assert [line.detail for line in lines if line.verdict == "differs" and "sentences" in line.name] == [
            "S1: both: fails"
        ]
        (tmp_path / "results/sentences.csv.sha256").unlink()
        lines = verification.verify({}, *folders, ["pdf"]).lines
        assert [line.detail.split(";")[0] for line in lines] == ["altered since it was written"]


def test_the_closing_lines_do_not_repeat_an_old_verification(tmp_path):
    """After another paper's run, or with a new reference, the file is that of the comparison before."""
    for folder in ("summaries/toy2020", "claims", "reference"):
        (tmp_path / folder).mkdir(parents=True)
    sums = tmp_path / "reference/SHA256SUMS"
    sums.touch()
    os.utime(sums, ns=(1, 1))

    def line():
        (found,) = re.findall("verify: .*", verification.closing({}, [table], tmp_path, tmp_path, sums.parent))
        return found

    (tmp_path / "verification.txt").write_text("0 differences from the reference: 3 identical\n")
    table = tmp_path / "summaries/toy2020/fig1.csv"
    table.write_text("x\n")
    os.utime(table, ns=(1, 1))
    assert line().startswith("verify:  0 differences")
    sums.touch()
    os.utime(sums, (2e9, 2e9))
    assert line().startswith("verify:  not verified since these tables or the reference were made")
    assert verification.is_stale(tmp_path, sums.parent)
    os.utime(sums, ns=(0, 0))
    os.utime(tmp_path / "verification.txt", ns=(0, 0))
    assert line().startswith("verify:  not verified since")


def test_the_closing_lines_are_about_what_was_asked_for(tmp_path):
    """One panel, while the verdicts of its paper, a page and the comparison with the reference are there from before."""
    results, figures, reference = tmp_path / "results/smoke", tmp_path / "figures", tmp_path / "reference"
    for file in (results / "claims/toy2020.csv", results / "report.html", results / "verification.txt"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("0 differences\n")

    def closing(*asked):
        return verification.closing({"toy2020": None}, list(map(str, asked)), results, figures, reference).splitlines()

    panels = [figures / f"toy2020/fig{n}.{kind}" for n in range(5) for kind in ("pdf", "png")]
    traces = results / "traces/toy2020/fig1/0-9.npz"
    assert closing(traces, *panels[:2]) == [f"figures: {panels[0]}"]
    assert closing(*panels[:4]) == [f"figures: {panels[0]}, {panels[2]}"]
    assert closing(*panels) == [f"figures: {figures}/toy2020/*.pdf"]
    assert closing(*panels, figures / "other2021/fig1.pdf") == [f"figures: {figures}/<paper>/*.pdf"]
    assert closing(results / "report.html") == [f"report:  {results / 'report.html'}"]
    assert closing(results / "verification.txt") == ["verify:  0 differences"]
    assert closing(traces) == []


def test_what_is_spent_and_measured_is_compared_with_the_reference(tmp_path):
    for folder in ("results", "figures/toy2020"):
        (tmp_path / folder).mkdir(parents=True)
    results, reference = tmp_path / "results", tmp_path / "reference"
    for table in ("claims", "accounts", "audits"):
        tables.write(results / table / "toy2020.csv", {"policy": ["ucb"], "epsilon": [1.0]})
    folders = results, tmp_path / "figures", reference

    def found(guests=None):
        lines = verification.verify({"toy2020": {}}, *folders, ["pdf"], guests).lines
        return {line.name: (line.verdict, line.detail) for line in lines}

    missing = "no reference", f"{reference}/audits/toy2020.csv is missing; make reference writes it"
    assert found()["toy2020 audits"] == missing
    verification.refresh(["toy2020"], *folders)
    assert [verdict for verdict, _ in found().values()] == ["identical"] * 3
    tables.write(results / "audits/toy2020.csv", {"policy": ["ucb"], "epsilon": [2.0]})
    assert found()["toy2020 audits"] == ("differs", "row 2, epsilon: 2, not 1")
    assert "toy2020 audits" not in found({"mine": ["mine"]})  # with a guest all bounds of the table are others


@pytest.mark.parametrize(
    ("policy", "finding", "lines"),
    [
        ("mine", "above the promise", 1),
        ("mine", "above the ledger", 1),
        ("mine", "no power", 0),
        ("ours", "above the ledger", 1),
        ("ours", "above the promise", 0),  # the claims say it
    ],
)
def test_an_alarm_of_an_audit_is_a_line_at_the_end(policy, finding, lines, tmp_path):
    row = {"policy": policy, "label": "My UCB", "channel": "actions", "epsilon": 1.0, "spent": 1.0, "measured": 1.5}
    rows = [
        {**row, "finding": "within"},
        {**row, "finding": finding, "pair": "2 arms, 8 rounds"},
        {**row, "finding": finding},
    ]
    tables.write(tmp_path / "audits/toy2020.csv", pd.DataFrame(rows).fillna(""))
    text = verification.closing({}, [tmp_path / "audits/toy2020.csv"], tmp_path, tmp_path, tmp_path, ["mine"])
    wanted = (
        f"privacy: My UCB: {finding}: its actions at epsilon 1 cost at least 1.5 of 1 in its ledger (2 arms, 8 rounds)"
    )
    assert text.count("privacy:") == lines
    assert (wanted in text) == bool(lines)

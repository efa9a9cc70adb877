"""Tables agree when their words are equal and their numbers differ in rounding at most; pictures when their bytes do."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest
from project import study_of, with_a_guest

from dpbandits import files, verification
from dpbandits.reference import refresh
from dpbandits.verification import DIFFERS, IDENTICAL, MISSING, OTHER_BYTES, compare_tables

TABLE = 'claim,value,border,evidence\nA1,0.618535,1,"a / b at t = 100"\nA2,,0.25,it speaks of later rounds\n'


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("0.618535", "0.61853500000001", ""),
        ("0.25", "2.5e-1", ""),
        ("0.618535", "0.618536", "row 2, value: 0.618536, not 0.618535"),
        ("A2,,", "A2,0,", "row 3, value: 0, not "),
        ("t = 100", "t = 100.0", "row 2, evidence: a / b at t = 100.0, not a / b at t = 100"),
        ("border", "limit", "2 rows, not 2, or other columns"),
        ("A2,,0.25,it speaks of later rounds\n", "", "1 rows, not 2, or other columns"),
        (TABLE, "", "no table: No columns to parse from file"),
    ],
)
def test_where_tables_differ(tmp_path, old, new, difference):
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    assert compare_tables(ours, theirs)[0] == MISSING
    theirs.write_text(TABLE)
    assert compare_tables(ours, theirs)[0] == DIFFERS
    ours.write_text(TABLE)
    assert compare_tables(ours, theirs)[0] == IDENTICAL
    ours.write_text(TABLE.replace(old, new, 1))
    assert compare_tables(ours, theirs) == (
        (DIFFERS, f"{ours}: {difference}") if difference else (IDENTICAL, str(ours))
    )


def test_a_table_of_all_papers_is_compared_for_those_that_both_have(tmp_path):
    for name, papers, verdict in (("ours", "ab", "holds"), ("theirs", "ac", "holds"), ("other", "ac", "fails")):
        rows = [f"{paper},S1,{verdict}" for paper in papers]
        (tmp_path / f"{name}.csv").write_text("\n".join(["paper,sentence,verdict", *rows, ""]))
    assert compare_tables(tmp_path / "ours.csv", tmp_path / "theirs.csv")[0] == IDENTICAL
    assert compare_tables(tmp_path / "ours.csv", tmp_path / "other.csv")[1].endswith("row 2, verdict: holds, not fails")


@pytest.fixture
def toy(tmp_path):
    """A finished run of one figure and one more table, which is the reference, too; `verify` compares it."""
    results, reference = tmp_path / "results", tmp_path / "reference"
    tables = [str(results / name) for name in ("summaries/toy2020/fig1.csv", "audits/toy2020.csv")]
    (results / "figures/toy2020").mkdir(parents=True)
    (results / "figures/toy2020/fig1.pdf").write_text("ours")
    files.write(tables[0], {"policy": ["ucb", "dp-ucb"], "t": [10, 10], "mean": [1.0, 2.0]})
    files.write(tables[1], {"policy": ["dp-ucb"], "measured": [0.5]})
    (reference / "claims").mkdir(parents=True)  # of a former run
    (reference / "published").mkdir()
    refresh(tables, ["toy2020/fig1"], results, results / "figures", reference)
    given = {"figures": {"toy2020/fig1": tables[:1]}, "tables": tables, "formats": ["pdf", "png"]}
    given["folders"] = [results, results / "figures", reference]

    def lines(guests=()):
        *each, total = verification.compare(**given, guests=guests).splitlines()
        return [re.split("  +", line)[:2] for line in each], total

    return SimpleNamespace(results=results, reference=reference, lines=lines, given=given)


def test_a_run_is_its_own_reference(toy):
    found, total = toy.lines()
    assert found == [[IDENTICAL, "toy2020 fig1"], [IDENTICAL, "audits/toy2020"]]
    closing = "2 identical, 0 with the same numbers in other bytes, 0 without a reference"
    assert total == f"0 differences from the reference: {closing}"
    assert sorted(path.name for path in toy.reference.iterdir()) == ["SHA256SUMS", "audits", "published", "summaries"]


@pytest.mark.parametrize(
    ("file", "old", "new", "verdict"),
    [
        ("summaries/toy2020/fig1.csv", "10,2", "10,3", DIFFERS),
        ("summaries/toy2020/fig1.csv", "dp-ucb,10,2\n", "", DIFFERS),
        ("figures/toy2020/fig1.pdf", "ours", "other", OTHER_BYTES),
        ("audits/toy2020.csv", "0.5", "0.6", DIFFERS),
    ],
)
def test_a_change_is_found_in_its_line(file, old, new, verdict, toy, capsys):
    path = toy.results / file
    path.write_text(path.read_text().replace(old, new))
    found, total = toy.lines()
    assert [line[0] for line in found] == ([IDENTICAL, verdict] if "audits" in file else [verdict, IDENTICAL])
    assert total.startswith(f"{int(verdict == DIFFERS)} differences")
    with pytest.raises(SystemExit) as end:
        verification.verify(**toy.given, guests=[])
    assert end.value.code == (verdict == DIFFERS)
    assert total in capsys.readouterr().out


def test_what_has_no_reference_is_no_difference(toy):
    (toy.reference / "SHA256SUMS").unlink()
    (toy.reference / "audits/toy2020.csv").unlink()
    assert [line[0] for line in toy.lines()[0]] == [MISSING, MISSING]


@pytest.mark.parametrize(
    ("added", "verdict"), [("mine-0.1,10,3\nmine-1,10,4\n", OTHER_BYTES), ("yours,10,3\n", DIFFERS)]
)
def test_the_rows_of_guests_are_left_out(added, verdict, toy):
    with open(toy.results / "summaries/toy2020/fig1.csv", "a") as file:
        file.write(added)
    (toy.results / "figures/toy2020/fig1.pdf").write_text("with guests")
    (toy.results / "audits/toy2020.csv").write_text("")  # with guests its bounds are others
    found, total = toy.lines(["mine", "mine-0.1", "mine-1"])
    assert found == [[verdict, "toy2020 fig1"]]
    assert total.endswith("the curves of guests were left out")


def test_the_closing_lines_are_about_what_was_asked_for(tmp_path):
    results, figures = tmp_path / "results/smoke", tmp_path / "figures"
    results.mkdir(parents=True)
    (results / "verification.txt").write_text("identical\n0 differences\n")

    def closing(*asked):
        return verification.closing({}, list(map(str, asked)), str(results), str(figures)).splitlines()

    panels = [figures / f"toy2020/fig{n}.pdf" for n in range(2)]
    assert closing(results / "traces/toy2020/fig1/0-9.npz", panels[0]) == [f"figures: {panels[0]}"]
    assert closing(*panels) == [f"figures: {figures}"]
    assert closing(results / "page/index.html") == [f"report:  {results / 'page/index.html'}"]
    assert closing(results / "verification.txt") == ["verify:  0 differences"]


@pytest.mark.parametrize(
    ("policy", "finding", "told"),
    [
        ("mine", "above the ledger", ["above the ledger", "within", "not audited"]),  # of a guest every finding is told
        ("ours", "above the ledger", ["above the ledger"]),
        ("ours", "above the promise", []),  # the tests say it
    ],
)
def test_an_alarm_of_an_audit_is_a_line_at_the_end(policy, finding, told, tmp_path):
    row = {"policy": policy, "label": "My UCB", "channel": "actions", "epsilon": 1.0, "delta": 0.0, "spent": 1.0}
    row |= {"pair": "2 arms, 8 rounds", "finding": finding}
    rows = [*({**row, "measured": measured} for measured in (1.2, 1.5)), {**row, "measured": 0.5, "finding": "within"}]
    rows.append({**row, "measured": None, "finding": "not audited"})
    found = verification.of_audits(pd.DataFrame(rows), ["mine"])
    assert found["finding"].tolist() == told
    assert found["measured"].dropna().tolist() == [1.5, 0.5][: len(told)]
    files.write(tmp_path / "audits/toy.csv", pd.DataFrame(rows))
    made = [f"{tmp_path}/audits/toy.csv"]
    there = {"toy": SimpleNamespace(arena=True, guests=["mine"])}
    lines = verification.closing(there, made, str(tmp_path), "figures").splitlines()
    assert lines[:1] == ["promised, spent and measured privacy:"][: len(told)]
    assert all("2 arms, 8 rounds" in line and "NaN" not in line for line in lines[2:])


@pytest.mark.parametrize("quantity", ["regret", "ctr_ratio"])
def test_a_guest_is_told_its_place_in_every_experiment(quantity, tmp_path):
    """By the mean at T among all curves of a reading: the least regret, or the most clicks."""
    study = with_a_guest(study_of("tossou2016", "smoke"), "fig2d", "ucb")
    fig2d = study.experiments["fig2d"]
    rows = [(id, t, 20.0 + n * t) for n, id in enumerate(fig2d.series) for t in (1, 20)]  # the first one's is the least
    files.write(tmp_path / "summaries/tossou2016/fig2d.csv", pd.DataFrame(rows, columns=["policy", "t", "mean"]))
    played = fig2d.model_copy(update={"design": fig2d.design.model_copy(update={"quantity": quantity})})
    alone = {"tossou2016": study.model_copy(update={"experiments": {"fig2d": played}})}
    found = verification.places(alone, tmp_path)
    assert found["reading"].tolist() == ["published", "corrected"]
    of = len(fig2d.by_reading[0].series)
    assert set(found["place"]) == {f"{1 if quantity == 'regret' else of} of {of}"}
    assert set(found["mean"]) == {"20"}
    assert verification.places(alone, tmp_path, made=[]).empty

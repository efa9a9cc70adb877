"""What the page says, before it is laid out: its numbers are those of the tables, and a damaged or missing file is named."""

import base64
import gzip
import io
import json
import re
import shutil
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from project import ROOT
from reference_tables import claims
from report.conftest import SMOKE
from scipy import stats

from dpbandits import report, studies
from dpbandits.arena import names
from dpbandits.errors import InputError
from dpbandits.report import content, faults, stamp
from dpbandits.report.arena import section
from dpbandits.verdicts import scoreboard

GUESTS = {"mine": {"label": "Mine", "algorithm": "ucb"}}


def measured(row):
    """What the page says was measured: 0.610 ± 0.027."""
    return scoreboard.number({key: float(row[key]) if row[key] else None for key in ("value", "standard_error")})


# Verdicts


def holding(sentence):
    """The readings in which a sentence of the page holds, or "open" if it is undecided or untested in one."""
    verdicts = {score["reading"]: score["verdict"] for score in sentence["verdicts"]}
    if not set(verdicts.values()) <= {"holds", "fails"}:
        return "open"
    return tuple(reading for reading, verdict in verdicts.items() if verdict == "holds")


def test_the_totals_count_every_sentence_once(gathered, all_papers):
    """By the readings in which it holds; no question of ours is among them."""
    said = [sentence for paper in gathered["papers"] for sentence in paper["sentences"]]
    assert [s["id"] for s in said] == [s.id for paper in all_papers.values() for s in paper.sentences]
    counts = Counter(holding(sentence) for sentence in said if sentence["kind"] == "sentence")
    both = counts["published", "corrected"] + counts["both",]
    wanted = [both, counts["published",], counts["corrected",], counts[()], counts["open"]]
    totals = gathered["totals"]
    assert [totals[outcome] for outcome in scoreboard.OUTCOMES] == wanted
    assert totals["sentences"] == sum(wanted) > 0
    of_papers = [row for paper in all_papers for row in claims(paper) if row["kind"] not in ("ours", "summary")]
    assert totals["verdicts"] == len(of_papers)


def test_what_is_known_from_a_summary_is_no_failure_of_the_paper(all_papers):
    said = [
        {"kind": kind, "claims": [], "verdicts": [{"reading": "both", "verdict": "fails"}]}
        for kind in ("summary", "sentence")
    ]
    (only,) = faults.gather(all_papers["tossou2017"], said, [])
    assert only["sentence"]["kind"] == "sentence"


def test_a_sentence_links_the_claims_that_test_it_or_says_why_none_does(gathered, all_papers):
    for paper in gathered["papers"]:
        wanted = {sentence.id: sentence for sentence in all_papers[paper["id"]].sentences}
        for said in paper["sentences"]:
            sentence = wanted[said["id"]]
            assert tuple(claim["id"] for claim in said["claims"]) == sentence.claims
            assert [score["reading"] for score in said["verdicts"]] == list(all_papers[paper["id"]].judged_in)
            assert bool(said["figures"]) == bool(sentence.claims)
            for score in said["verdicts"]:
                assert score["reason"]
                assert (score["verdict"] == "untested") >= ("" in sentence.untested)


def test_every_verdict_is_below_a_figure_once_and_in_the_table_once(gathered, all_papers):
    """But those on questions of our own, which are a part of their own."""

    def counted(ours):
        rows = [row for p in all_papers for row in claims(p) if (row["kind"] == "ours") is ours]
        return Counter((row["reading"], row["verdict"], measured(row)) for row in rows)

    places = [p for paper in gathered["papers"] for group in paper["groups"] for p in (group, *group["panels"])]
    below = [verdict for place in places for claim in place["claims"] for verdict in claim["verdicts"]]
    in_table = [verdict for paper in gathered["papers"] for verdict in paper["verdicts"]]
    asked = [verdict for p in gathered["papers"] for entry in p["questions"] for verdict in entry["verdicts"]]
    for verdicts, ours in ((below, False), (in_table, False), (asked, True)):
        assert Counter((v["reading"], v["verdict"], v["measured"]) for v in verdicts) == counted(ours)


def test_a_claim_on_one_panel_is_below_that_panel(all_papers, gathered):
    for paper in gathered["papers"]:
        for group in paper["groups"]:
            for panel in group["panels"]:
                for claim in panel["claims"]:
                    if len(claim["on"]) == 1 and claim["on"][0] in all_papers[paper["id"]].figures:
                        assert claim["on"] == [panel["id"]]


def test_a_verdict_that_does_not_hold_has_its_cause(all_papers, gathered):
    causes = 0
    for paper in gathered["papers"]:
        because = {c.id: set(c.cause.values()) for c in all_papers[paper["id"]].claims}
        rows = [row for row in claims(paper["id"]) if row["kind"] != "ours"]
        for row, verdict in zip(rows, paper["verdicts"], strict=True):
            assert (verdict["evidence"], verdict["cause"]) == (row["evidence"], row["cause"])
            if verdict["cause"]:
                assert verdict["outcome"] != "holds"
                assert verdict["cause"] in because[verdict["claim"]]
                causes += 1
    assert causes > 10


# What fails


def applies(row, reading):
    return row["reading"] in (reading, "both")


def test_what_fails_is_every_sentence_that_fails_the_widest_first(all_papers, gathered):
    failing = gathered["failing"]
    wanted = {
        (paper["id"], said["id"]): [s["reading"] for s in said["verdicts"] if s["verdict"] in ("fails", "refuted")]
        for paper in gathered["papers"]
        for said in paper["sentences"]
        if said["kind"] != scoreboard.SUMMARY
    }
    wanted = {key: readings for key, readings in wanted.items() if readings}
    shown = {(f["paper"], f["sentence"]["id"]): [count["reading"] for count in f["readings"]] for f in failing}
    assert shown == wanted
    assert len(shown) == len(failing) > 0
    for fault in failing:
        paper = all_papers[fault["paper"]]
        main = {e for e in paper.experiments if re.match(r"fig\d", e)}
        (sentence,) = [s for s in paper.sentences if s.id == fault["sentence"]["id"]]
        mine = [row for row in claims(paper.id) if row["claim"] in sentence.claims]
        failed = [
            row
            for row in mine
            if row["verdict"] in ("fails", "refuted") and any(applies(row, c["reading"]) for c in fault["readings"])
        ]
        touched = {e for row in failed for e in row["experiment"].split()} & main
        assert (fault["panels"], fault["of"]) == (len(touched), len(main))
        listed = [verdict for cause in fault["causes"] for verdict in cause["verdicts"]]
        assert Counter((v["claim"], v["reading"], v["measured"]) for v in listed) == Counter(
            (row["claim"], row["reading"], measured(row)) for row in failed
        )
        for count in fault["readings"]:
            counted = [row["verdict"] for row in mine if applies(row, count["reading"])]
            fails = sum(verdict in ("fails", "refuted") for verdict in counted)
            assert (count["fails"], count["judged"]) == (fails, len(counted))
    weights = [fault["panels"] / fault["of"] for fault in failing]
    assert weights == sorted(weights, reverse=True)


def test_what_fails_says_every_cause_of_a_sentence_once(gathered):
    for fault in gathered["failing"]:
        causes = [cause["text"] for cause in fault["causes"]]
        assert len(set(causes)) == len(causes)


# Figures, data and accounts


def test_the_data_offered_are_the_summaries(gathered, all_papers):
    """Of every experiment that a figure draws, once."""
    for shown in gathered["papers"]:
        paper = all_papers[shown["id"]]
        files = [file for g in shown["groups"] for panel in g["panels"] for file in panel["data"] if file["href"]]
        assert sorted(file["name"] for file in files) == sorted(
            {e for figure in paper.figures.values() for e in figure.experiments}
        )
        for file in files:
            assert file["file"] == f"{paper.id}-{file['name']}.csv.gz"
            packed = base64.b64decode(file["href"].split(",")[1])
            whole = pd.read_csv(SMOKE / f"summaries/{paper.id}/{file['name']}.csv", dtype={"policy": str})
            rounded = pd.read_csv(io.BytesIO(gzip.decompress(packed)), dtype={"policy": str})
            pd.testing.assert_frame_equal(rounded, whole, rtol=1e-5, check_dtype=False)
        assert shown["file"]["name"] == f"{paper.id}.yaml"
        data = base64.b64decode(shown["file"]["href"].split(",")[1])
        assert data == (ROOT / f"config/papers/{paper.id}.yaml").read_bytes()


def panels_of(paper):
    return [panel for group in paper["groups"] for panel in group["panels"]]


def test_a_figure_has_the_sentences_that_are_measured_on_it(gathered, all_papers):
    for shown in gathered["papers"]:
        paper = all_papers[shown["id"]]
        rows = claims(paper.id)
        for panel in panels_of(shown):
            drawn = {e for f in panel["figures"] for e in paper.figures[f].experiments}
            measured = {row["claim"] for row in rows if drawn & set(row["experiment"].split())}
            wanted = [sentence.id for sentence in paper.sentences if measured & set(sentence.claims)]
            assert [sentence["id"] for sentence in panel["sentences"]] == wanted


def test_how_a_figure_is_made(gathered, all_papers, sources, settings):
    """The command for each of its pictures, its entries in the paper file, and modules that are there."""
    for shown in gathered["papers"]:
        lines = (ROOT / f"config/papers/{shown['id']}.yaml").read_text().splitlines()
        for panel in panels_of(shown):
            made = panel["made"]
            targets = [f"results/smoke/figures/{shown['id']}/{figure}.pdf" for figure in panel["figures"]]
            assert made["commands"] == [f"snakemake --cores 2 --config scale=smoke -- {target}" for target in targets]
            for entry in made["entries"]:
                file, numbers = entry["place"].split(", ")
                first, *last = map(int, re.findall(r"\d+", numbers))
                assert file == f"config/papers/{shown['id']}.yaml"
                assert entry["text"].splitlines() == lines[first - 1 : (last or [first])[0]]
            assert [module for module in made["modules"] if not (ROOT / module).exists()] == []
            assert bool(made["modules"]) == bool(panel["experiments"])
            policies = [
                p
                for e in all_papers[shown["id"]].experiments.values()
                if e.id in panel["experiments"]
                for p in e.policies
            ]
            written = "".join(entry["text"] for entry in made["entries"])
            assert [policy.id for policy in policies if f"  {policy.id}:" not in written] == []
    only = {"tossou2017": all_papers["tossou2017"]}
    changed = content.gather(only, sources, settings | {"scale": "paper", "formats": ["svg"], "figures": "figures"})
    (first, *_) = panels_of(changed["papers"][0])
    assert first["made"]["commands"] == ["snakemake --cores 2 figures/tossou2017/fig6a.svg"]


def test_how_the_figures_of_the_arena_are_made(sources, arena, settings):
    """A command for each, the entries of whoever plays what, and modules that are there."""
    made = section(arena, sources, settings)["made"]
    targets = [f"results/smoke/figures/arena/{figure}.pdf" for figure in names.FIGURES]
    assert made["commands"] == [f"snakemake --cores 2 --config scale=smoke -- {target}" for target in targets]
    lines = (ROOT / "config/arena.yaml").read_text().splitlines()
    for entry in made["entries"]:
        file, numbers = entry["place"].split(", ")
        first, *last = map(int, re.findall(r"\d+", numbers))
        assert file == "config/arena.yaml"
        assert entry["text"].splitlines() == lines[first - 1 : (last or [first])[0]]
    written = "".join(f"\n{entry['text']}" for entry in made["entries"])
    played = {policy.as_printed_of or policy.id for e in arena.experiments.values() for policy in e.policies}
    assert [name for name in (*played, *arena.environments.values()) if f"\n  {name}:" not in written] == []
    assert {"src/dpbandits/algorithms/arms/dp_klucb.py", "src/dpbandits/environments/arms/beta.py"} < set(
        made["modules"]
    )
    assert [module for module in made["modules"] if not (ROOT / module).exists()] == []


def test_a_thumbnail_is_small_and_shows_what_is_within_the_axes(gathered):
    for paper in gathered["papers"]:
        for panel in panels_of(paper):
            for picture in panel["pictures"]:
                small = picture["thumbnail"]
                assert len(small["src"]) < 20_000 * 4 / 3
                boxes = [ax["box"] for ax in json.loads(picture["geometry"] or "[]")] or [(0, 0, 1, 1)]
                width, height = (
                    (max(b[i] + b[i + 2] for b in boxes) - min(b[i] for b in boxes)) * picture[side]
                    for i, side in enumerate(("width", "height"))
                )
                assert small["height"] / small["width"] == pytest.approx(height / width, rel=0.02)
                assert small["width"] == min(content.THUMBNAIL, round(width))


def test_every_figure_is_there_but_those_whose_panels_are(all_papers, gathered):
    for paper in gathered["papers"]:
        shown = {picture["figure"] for g in paper["groups"] for panel in g["panels"] for picture in panel["pictures"]}
        for missing in set(all_papers[paper["id"]].figures) - shown:
            panels = all_papers[paper["id"]].figures[missing].panels
            drawn = [p for figure in shown for p in all_papers[paper["id"]].figures[figure].panels]
            assert panels, missing
            assert all(panel in drawn for panel in panels)


def test_what_an_audit_measured_is_in_the_account(gathered):
    (paper,) = [paper for paper in gathered["papers"] if paper["id"] == "sarkar2025"]
    found = {a["sentence"]: a["measured"] for a in paper["accounts"] if a["label"] == "LDP-NCB"}
    sentence = (
        "At a promise of ε = 0.2, 1\u202f000\u202f000 reports of users cost at least 0.94: the promise is broken."
    )
    assert found[sentence] == "≥ 0.94 of 0.2"


AUDIT = {"epsilon": "0.5", "spent": "0.5", "channel": "actions", "games": "4000", "power": "0"}


@pytest.mark.parametrize(
    ("promised", "spent", "is_about"),
    [
        ("0.5", "0.5", True),
        ("0.1 to 2", "0.1 to 2", True),
        ("1", "1", False),  # another epsilon
        ("0.5", "0.25", False),  # the budget is shared: what is spent is less than these games may cost
        ("0.5", "inf", True),
        ("", "", False),  # nothing is promised
    ],
)
def test_an_audit_is_shown_beside_what_it_is_about(promised, spent, is_about):
    assert content._is_about(AUDIT, {"epsilon": promised, "spent": spent}) is is_about


def test_a_row_without_power_is_never_shown_as_within_the_promise():
    without = {**AUDIT, "measured": "0.3", "finding": "no power"}
    found = content._measured([without], "")
    assert "no power" in found["sentence"]
    assert "not contradicted" not in found["sentence"]
    powerful = {**AUDIT, "measured": "0.1", "finding": "within", "power": "2"}
    found = content._measured([without, powerful], "")
    assert found["measured"] == "≥ 0.1 of 0.5"
    assert found["sentence"].endswith("the promise is not contradicted.")
    assert not found["alarm"]
    assert content._measured([powerful, {**AUDIT, "measured": "0.6", "finding": "above the promise"}], "")["alarm"]


def test_a_guest_has_its_place_and_where_it_does_not_play(sources, settings, tmp_path):
    """A twin of UCB, whose mean is made to lie between two of ours."""
    given = studies.load_all(ROOT / "config/papers", "smoke", GUESTS)
    given = {name: given[name] for name in ("tossou2016", "tossou2017")}
    shutil.copytree(sources.results, tmp_path / "results", ignore=shutil.ignore_patterns("pictures"))
    (tmp_path / "results/pictures").symlink_to(sources.results / "pictures")
    wanted = {}
    for experiment in given["tossou2016"].experiments.values():
        path = tmp_path / f"results/summaries/tossou2016/{experiment.id}.csv"
        lines = path.read_text().splitlines()
        header, ours = lines[0].split(","), [line.split(",") for line in lines[1:]]
        if "mine" in experiment.series:
            least = min(float(row[3]) for row in ours if row[1] == "20000")
            row = dict(zip(header, ours[-1], strict=True)) | {"policy": "mine", "mean": str(least + 0.5)}
            path.write_text("\n".join([*lines, ",".join(row.values())]) + "\n")
            for reading in experiment.readings:
                names = [series.id for series in experiment.in_reading(reading).series.values()]
                last = [float(row[3]) for row in ours if row[1] == "20000" and row[0] in names]
                place = 1 + sum(mean < least + 0.5 for mean in last)
                wanted[experiment.id, reading] = (f"{least + 0.5:.6g}", f"{place} of {len(last) + 1}")
    (mine,) = content.gather(given, report.Sources(tmp_path / "results"), settings)["guests"]
    assert {(r["experiment"], r["reading"]): (r["mean"], r["place"]) for r in mine["rows"]} == wanted
    assert len(wanted) == 8
    assert mine["promises"] is False
    assert {entry["paper"] for entry in mine["absent"]} == {"tossou2017"}
    assert mine["absent"][0]["reason"] == "ucb plays arms, while these are games"
    text = report.page(given, report.Sources(tmp_path / "results"), settings)
    assert '<a href="#guests">Guests</a>' in text
    assert '<a href="#tossou2016-fig2a">Figure 2a</a>' in text
    assert 'id="tossou2016-fig2a"' in text


def test_the_arena_has_a_row_for_every_policy_and_epsilon(sources, arena, settings):
    """Scores of one policy, worked out from the table by other means than the page's."""
    rows = section(arena, sources, settings)["rows"]
    table = pd.read_csv(ROOT / "reference/arena/scores.csv")
    final = table[(table.game == "all") & (table.t == table.horizon)]
    assert len(rows) == len(final.groupby(["policy", "epsilon"], dropna=False))
    mine = final[(final.policy == "adap-klucb") & (final.epsilon == 0.5)]
    bounded = mine[mine.unit == "lower bound"]
    texts = [{column: text for column, (text, _) in row["cells"].items()} for row in rows]
    (cells,) = [c for c in texts if (c["policy"], c["epsilon"]) == (mine.label.iloc[0], "0.5")]
    scores = [stats.gmean(bounded.score), bounded.score.max(), bounded.score_percentile_95.max()]
    assert [cells[name] for name in ("score", "worst", "percentile")] == [f"{score:.3g}" for score in scores]
    assert cells["klucb"] == f"{stats.gmean(mine.over_yardstick):.3g}"
    assert (cells["measured"], cells["ledger"]) == (f"≥ {mine.measured.max():.3g}", "✓ kept")
    grey = {cells["policy"] for cells, row in zip(texts, rows, strict=True) if row["grey"]}
    assert grey == {*final[(final.setting == "printed") | (final.promise == "exceeded")].label}


def test_the_stamp_adds_up_the_costs_of_the_jobs(settings, tmp_path):
    logs = {"a": '{"cpu_seconds": 60}', "b": '{"cpu_seconds": 30.5}', "failed": "error: no space left"}
    for name, text in logs.items():
        (tmp_path / name).write_text(text)
    found = stamp.times([tmp_path / name for name in ("a", "b", "failed", "never ran")])
    assert found == {"jobs": 2, "cpu_seconds": 90.5}
    collected = stamp.collect(ROOT, settings, {"tossou2016": [tmp_path / "a", tmp_path / "b"]})
    assert collected["times"] == {"tossou2016": found}
    assert collected["versions"]["numpy"] == np.__version__


# Text


def test_labels_are_read_as_text(all_papers):
    assert content.plain(r"EXP3$_\tau$") == "EXP3_τ"
    assert content.plain("worth $(2e)^{-T}$, ε = 2") == "worth (2e)^-T, ε = 2"
    assert content.plain("DP-UCB (1)") == "DP-UCB (1)"
    assert content.name("fig6d") == "Figure 6d"
    assert content.name("s-power-of-two") == "Supplement: power of two"
    labels = {s.label for p in all_papers.values() for e in p.experiments.values() for s in e.series.values()}
    assert len(labels) > 100
    assert [label for label in labels if "_" in content.plain(label).replace("EXP3_τ", "")] == []  # no name of the code


def test_geometry_inside_a_script_ends_no_script():
    text = content.for_script([{"label": "</script><!-- & \u2028"}])
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == [{"label": "</script><!-- & \u2028"}]


# Missing files


@pytest.mark.parametrize(
    "missing",
    [
        "pictures/tossou2016/fig2a.png",
        "pictures/tossou2016/fig2a.json",
        "summaries/tossou2016/fig2a.csv",
        "claims/tossou2016.csv",
        "accounts/tossou2016.csv",
        "audits/tossou2016.csv",
        "sentences.csv",
        "verification.txt",
    ],
)
def test_a_missing_file_is_named_with_the_remedy(missing, all_papers, sources, settings, tmp_path):
    for folder in ("pictures/tossou2016", "summaries/tossou2016", "claims", "accounts", "audits"):
        shutil.copytree(sources.results / folder, tmp_path / folder)
    (tmp_path / "verification.txt").write_text("0 differences\n")
    for table in sources.results.glob("sentences.csv*"):
        shutil.copy2(table, tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(InputError, match=rf"{re.escape(str(tmp_path / missing))}: .*(run|make)"):
        content.gather({"tossou2016": all_papers["tossou2016"]}, report.Sources(tmp_path), settings)

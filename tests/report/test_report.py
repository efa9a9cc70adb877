"""The report: its numbers are those of the tables, nothing in a file can break it, and a browser shows it as it should be.

The tables are the reference's at the smoke scale; a few figures are drawn, the pictures of the others are blank.
"""

import base64
import csv
import dataclasses
import gzip
import hashlib
import html
import io
import json
import math
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import markupsafe
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from browser import Page, chromium
from PIL import Image
from project import ROOT

from dpbandits import claims, figures, report, studies
from dpbandits.arena import names
from dpbandits.audit import accounts
from dpbandits.audit import lower_bounds as audit
from dpbandits.claims import scoreboard
from dpbandits.errors import InputError
from dpbandits.figures import screen
from dpbandits.files import tables, traces
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.report import content, stamp
from dpbandits.statistics.summaries import read_summary

REFERENCE = ROOT / "reference/smoke"
CLAIMS = ROOT / "reference/claims"  # verdicts have causes at the paper's scale only
KINDS = ("sentence", "theorem", "privacy")
DRAWN = 2  # figures of each paper that are drawn for these tests
SETTINGS = {"seed": 1, "scale": "smoke", "estimator": "default", "version": "0"}


def claims_of(paper):
    """The reference's claims table, read by other means than the report's."""
    with open(CLAIMS / f"{paper}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_checksum(path):
    tables.checksum_of(path).write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")


def measured(row):
    """What the page says was measured: 0.61 ± 0.027."""
    if not row["value"]:
        return "not measured"
    error = float(row["standard_error"] or 0)
    return f"{float(row['value']):.6g}" + (f" ± {error:.2g}" if error else "")


@pytest.fixture(scope="module")
def all_papers(monkeypatch_module):
    found = {}
    for path in sorted(Path("config/papers").glob("*.yaml")):
        if (REFERENCE / "claims" / f"{path.stem}.csv").exists():
            found[path.stem] = studies.load(path, "smoke")
    assert found
    return found


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        yield patch


AUDITED = {
    "sarkar2025": [
        ("ldp-ncb", "LDP-NCB", "published", "report", 0.2, 0, 1.0, "", 0.94, 0.999, 1_000_000, 0.19, "", "", "above the promise"),
        ("ldp-ncb", "LDP-NCB", "published", "action", 0.2, 0, 1.0, "", 0.0, 0.999, 4000, 0.01, "", "", "within"),
    ]
}  # fmt: skip


@pytest.fixture(scope="module")
def sources(all_papers, tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    (results / "verification.txt").write_text("identical  a figure\n0 differences from the reference: 1 identical\n")
    shutil.copytree(REFERENCE / "summaries", results / "summaries")
    shutil.copytree(CLAIMS, results / "claims")
    for path in results.glob("*/**/*.csv"):
        write_checksum(path)
    (results / "accounts").mkdir()
    (results / "audits").mkdir()
    blank = io.BytesIO()
    Image.new("P", (400, 300)).save(blank, "png")
    for table in names.TABLES:  # the arena's of the last full run
        tables.write(
            results / f"arena/{table}.csv", pd.read_csv(ROOT / f"reference/arena/{table}.csv", dtype=str).fillna("")
        )
    for figure in names.FIGURES:
        (results / "pictures/arena").mkdir(parents=True, exist_ok=True)
        (results / f"pictures/arena/{figure}.png").write_bytes(blank.getvalue())
        (results / f"pictures/arena/{figure}.json").write_text('{"width":400,"height":300,"axes":[]}')
    for paper in all_papers.values():
        tables.write(results / f"accounts/{paper.id}.csv", accounts.table(paper.experiments.values()))
        tables.write(results / f"audits/{paper.id}.csv", pd.DataFrame(AUDITED.get(paper.id, []), columns=audit.COLUMNS))
        (results / "pictures" / paper.id).mkdir(parents=True)
        shown = [f.id.removesuffix(".corrected") for f in paper.figures.values() if f.kind == "curves"][:DRAWN]
        for figure in paper.figures.values():
            picture = results / "pictures" / paper.id / f"{figure.id}.png"
            geometry = picture.with_suffix(".json")
            if figure.id.removesuffix(".corrected") in shown:
                experiments = {e: paper.experiments[e] for e in figure.experiments}
                read = {e: read_summary(results / f"summaries/{paper.id}/{e}.csv") for e in experiments}
                figures.draw(figure, experiments, read, "default", [], (picture, geometry))
            else:
                picture.write_bytes(blank.getvalue())
                geometry.write_text('{"width":400,"height":300,"axes":[]}')
    return report.Sources(results)


@pytest.fixture(scope="module")
def arena(all_papers):
    return studies.load("config/arena.yaml")


@pytest.fixture(scope="module")
def gathered(all_papers, sources):
    """The content of the page; the tests only read it."""
    return content.gather(all_papers, sources, SETTINGS)


@pytest.fixture(scope="module")
def page(all_papers, sources, arena):
    return report.page({**all_papers, "arena": arena}, sources, SETTINGS)


class Outline(HTMLParser):
    """Elements, and the text of the page by the id of the section it is in."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def outline(page):
    return Outline(page)


# Numbers


def test_the_totals_are_those_of_the_claims_tables(page, all_papers):
    counts = Counter(row["verdict"] for paper in all_papers for row in claims_of(paper))
    total = sum(counts.values())
    shown = dict(re.findall(r'<div class="(holds|fails|undecided)"><dt>.*?<dd>([\d,]+)<small> of', page))
    assert {verdict: int(count.replace(",", "")) for verdict, count in shown.items()} == counts
    assert f"of {total:,} verdicts" in page


def test_the_scores_are_those_of_the_claims_tables(page, all_papers):
    (block,) = re.findall(r'<table class="scores">.*?</table>', page, re.DOTALL)
    rows = re.findall(
        r"<td>(published|corrected|one for both)</td>\s*((?:<td class=\"number(?: first)?\">\d+</td>)+)", block
    )
    wanted = []
    for paper in all_papers:
        found = claims_of(paper)
        readings = [r for r in ("published", "corrected") if any(row["reading"] == r for row in found)] or ["both"]
        for reading in readings:
            verdicts = [(row["kind"], row["verdict"]) for row in found if row["reading"] in (reading, "both")]
            counts = [verdicts.count((k, v)) for k in KINDS for v in ("holds", "fails", "undecided")]
            wanted.append(("one for both" if reading == "both" else reading, counts))
    assert [(reading, [int(n) for n in re.findall(r"\d+", cells)]) for reading, cells in rows] == wanted


def test_every_verdict_stands_below_a_figure_once_and_in_the_table_once(page, all_papers):
    wanted = Counter(
        (row["reading"], row["verdict"], html.escape(measured(row))) for p in all_papers for row in claims_of(p)
    )
    below = re.findall(
        r'<div class="verdict" data-reading="(\w+)" data-verdict="(\w+)">.*?<p class="numbers"><b>(.*?)</b>',
        page,
        re.DOTALL,
    )
    assert Counter(below) == wanted
    rows = re.findall(
        r'data-reading="(\w+)" data-verdict="(\w+)"><td>.*?</td><td>.*?</td><td>\w+</td><td>\w+</td>'
        r'<td class="number">(.*?)</td>',
        page,
    )
    assert Counter(rows) == wanted


def test_a_claim_on_one_panel_stands_below_that_panel(all_papers, gathered):
    for paper in gathered["papers"]:
        for group in paper["groups"]:
            for panel in group["panels"]:
                for claim in panel["claims"]:
                    if len(claim["on"]) == 1 and claim["on"][0] in all_papers[paper["id"]].figures:
                        assert claim["on"] == [panel["id"]]


def stem(claim):
    return claim.split("-")[0]


def ids_of(fault):
    return [claim for said in fault["sentences"] for claim in said["ids"]]


def test_what_fails_is_all_that_fails_the_widest_first(all_papers, gathered):
    """Claims whose ids begin alike are one entry, of the weight of all of them."""
    failing = gathered["failing"]
    wanted = Counter((p, row["claim"]) for p in all_papers for row in claims_of(p) if row["verdict"] == "fails")
    message = Counter((fault["paper"], v["claim"]) for fault in failing for c in fault["causes"] for v in c["verdicts"])
    assert message == wanted
    assert Counter((f["paper"], claim) for f in failing for claim in ids_of(f)) == Counter(set(wanted))
    assert len(failing) == len({(paper, stem(claim)) for paper, claim in wanted})
    for fault in failing:
        main = {e.base for e in all_papers[fault["paper"]].experiments.values() if re.match(r"fig\d", e.base)}
        mine = [row for row in claims_of(fault["paper"]) if row["claim"] in ids_of(fault)]
        touched = {e for row in mine if row["verdict"] == "fails" for e in row["experiment"].split()} & main
        assert (fault["panels"], fault["of"]) == (len(touched), len(main))
        for said in fault["sentences"]:
            for count in said["readings"]:
                counted = [r["verdict"] for r in mine if r["claim"] in said["ids"] and applies(r, count["reading"])]
                assert (count["fails"], count["judged"]) == (counted.count("fails"), len(counted))
    weights = [fault["panels"] / fault["of"] for fault in failing]
    assert weights == sorted(weights, reverse=True)


def applies(row, reading):
    return "both" in (reading, row["reading"]) or row["reading"] == reading


def test_what_fails_says_every_sentence_and_every_cause_once(gathered):
    for fault in gathered["failing"]:
        says = [said["says"] for said in fault["sentences"]]
        causes = [cause["text"] for cause in fault["causes"]]
        assert (len(set(says)), len(set(causes))) == (len(says), len(causes))


def test_ten_entries_come_before_the_fold(page, all_papers, gathered):
    failing = gathered["failing"]
    section = page[page.index('id="what-fails"') : page.index(f'<section id="{next(iter(all_papers))}"')]
    before, after = section.split('<details class="rest">')
    entry = '<h3><span class="tag">'
    assert before.count(entry) == 10
    assert after.count(entry) == len(failing) - 10 > 0
    assert f"{len(failing) - 10} more entries" in after
    headings = re.findall(r'<h3><span class="tag">(.*?)</span>', section)
    assert headings == [html.escape(f"{f['paper']} {', '.join(f['sentences'][0]['ids'])}") for f in failing]


def test_a_verdict_that_does_not_hold_shows_its_cause(page, all_papers, gathered):
    causes = 0
    for paper in gathered["papers"]:
        in_file = {c.id: set(c.cause.values()) for c in all_papers[paper["id"]].claims}
        for row, verdict in zip(claims_of(paper["id"]), paper["verdicts"], strict=True):
            assert (verdict["evidence"], verdict["cause"]) == (row["evidence"], row["cause"])
            if verdict["cause"]:
                assert verdict["verdict"] != "holds"
                assert verdict["cause"] in in_file[verdict["claim"]]
                assert str(markupsafe.escape(verdict["cause"]))[1:] in page
                causes += 1
    assert causes > 10


def test_the_data_offered_are_the_summaries(outline, all_papers):
    offered = {a["download"]: a["href"] for a in outline.all("a") if a.get("download", "").endswith(".csv.gz")}
    of_arena = {name for name in offered if name.startswith("arena")}
    assert len(offered.keys() - of_arena) == sum(len(paper.experiments) for paper in all_papers.values())
    for paper in all_papers.values():
        for experiment in paper.experiments:
            packed = base64.b64decode(offered[f"{paper.id}-{experiment}.csv.gz"].split(",")[1])
            whole = pd.read_csv(REFERENCE / f"summaries/{paper.id}/{experiment}.csv", dtype={"policy": str})
            shown = pd.read_csv(io.BytesIO(gzip.decompress(packed)), dtype={"policy": str})
            pd.testing.assert_frame_equal(shown, whole, rtol=1e-5, check_dtype=False)
        (data,) = (a["href"] for a in outline.all("a") if a.get("download") == f"{paper.id}.yaml")
        assert base64.b64decode(data.split(",")[1]) == (ROOT / paper.file).read_bytes()


def test_every_figure_is_there_but_those_whose_panels_are(all_papers, gathered):
    for paper in gathered["papers"]:
        shown = {picture["figure"] for g in paper["groups"] for panel in g["panels"] for picture in panel["pictures"]}
        for missing in set(all_papers[paper["id"]].figures) - shown:
            panels = all_papers[paper["id"]].figures[missing].panels
            drawn = [p for figure in shown for p in all_papers[paper["id"]].figures[figure].panels]
            assert panels, missing
            assert all(panel in drawn for panel in panels)


def test_no_legend_has_a_name_of_the_code(all_papers):
    """No word with an underscore outside mathematics, such as a value of a parameter."""
    labels = {s.label for p in all_papers.values() for e in p.experiments.values() for s in e.series.values()}
    assert len(labels) > 100
    assert [label for label in labels if "_" in content.plain(label).replace("EXP3_τ", "")] == []


# Accounts


def test_the_page_says_what_an_audit_measured(page):
    row = re.search(r'<th scope="row">LDP-NCB<small>(.*?)</small></th>', page)[1]
    assert row == (
        "At a promise of ε = 0.2, the reports of a user cost at least 0.94 (1\u202f000\u202f000 games): the promise is broken."
    )
    assert "≥ 0.94 of 0.2" in page


def test_accounts_say_what_is_promised_and_spent(all_papers):
    table = accounts.table(all_papers["tossou2016"].experiments.values()).set_index(["experiment", "reading", "policy"])
    # An item pays in its tree and again at the next power of two, with ln for log2: 1 + 1/ln 2 times the promise.
    swept = table.loc[("s-hybrid-a", "both", "dp-ucb-by-hybrid")]
    over = swept[swept["verdict"] == "exceeded"].iloc[-1]
    assert (over["trust"], over["neighbours"]) == ("central", "one reward")
    assert over["ratio"] == pytest.approx(1 + 1 / math.log(2))
    assert table.loc[("fig2a", "published", "dp-ucb"), "verdict"] == "kept"
    assert table.loc[("fig2a", "corrected", "dp-ucb"), "verdict"] == "kept"
    assert table.loc[("fig2b", "corrected", "dp-ucb"), "epsilon"] == "0.1"
    assert table.loc[("fig2a", "published", "ucb"), "verdict"] == "no promise"
    pairs = {
        (e.base, e.reading or "both", p.id) for e in all_papers["tossou2016"].experiments.values() for p in e.policies
    }
    assert set(table.index) == pairs


def test_a_sweep_is_one_account_with_its_worst_series(all_papers):
    table = accounts.table([all_papers["azize2022"].experiments["fig3"]])
    assert table["epsilon"].tolist() == ["0.05 to 10"]
    assert table["ratio"].tolist() == [pytest.approx(1)]


def test_a_sweep_over_mechanisms_is_one_account_each(all_papers):
    table = accounts.table([all_papers["tossou2016"].experiments["s-hybrid-a"]])
    mine = table[table["policy"] == table["policy"].iloc[0]]
    assert sorted(mine["verdict"]) == ["exceeded", "exceeded", "kept"]
    assert sorted(mine["ratio"]) == pytest.approx([1, 2, 1 + 1 / math.log(2)])
    assert len(set(mine["label"])) == 3


@pytest.mark.parametrize(
    ("labels", "common"),
    [
        (["UCB (α = 1)", "UCB (α = 1.5)"], "UCB …"),
        (["NCB, ε=0.2", "NCB, ε=0.5"], "NCB …"),
        (["UCB", "UCB"], "UCB"),
        (["eps 1", "eps 2"], "eps …"),
    ],
)
def test_series_are_called_by_what_their_labels_share(labels, common):
    assert accounts.label_of([studies.Series(name, name, "ucb", {}, "p", 0) for name in labels]) == common


def test_rows_of_one_policy_do_not_share_a_label(all_papers):
    """A sweep over contexts has one label in the legend, where the groups of bars are named; accounts name the context."""
    table = accounts.table([all_papers["mishra2015"].experiments[name] for name in ("fig2", "s-context", "s-repair")])
    assert not table.duplicated(["experiment", "policy", "label"]).any()
    labels = table.loc[table["policy"] == "private-lin-ucb-by-context", "label"]
    assert labels.tolist() == ["private LinUCB (shared article)", "private LinUCB (disjoint user)"]
    (row,) = table[table["policy"] == "private-lin-ucb"].to_dict("records")
    assert row["spent"] == "2.7"
    assert row["neighbours"] == "one visit (joint DP; one click: 0.6)"


def test_an_account_may_be_local_and_has_no_noise_at_worst():
    local = Account(1.0, 0.0, Ledger(1), trust="local", neighbours="one person's reward")
    assert (local.trust, local.neighbours, local.kept) == ("local", "one person's reward", True)
    assert (Account(1.0, 0.0, None).trust, Account(1.0, 0.0, None).kept) == ("central", False)


# Guests

GUESTS = {"mine": {"label": "Mine", "algorithm": "ucb"}}


def test_without_guests_there_is_no_section_for_them(page):
    assert "guests" not in page[page.index("<body>") :]


def test_a_guest_is_shown_with_its_place_and_where_it_does_not_play(all_papers, sources, tmp_path):
    """A twin of UCB, whose mean is made to lie between two of ours."""
    given = studies.load_all("config/papers", "smoke", GUESTS)
    given = {name: given[name] for name in ("tossou2016", "tossou2017")}
    shutil.copytree(sources.results, tmp_path / "results", ignore=shutil.ignore_patterns("pictures"))
    (tmp_path / "results/pictures").symlink_to(sources.results / "pictures")
    wanted = {}
    for experiment in given["tossou2016"].experiments.values():
        path = tmp_path / f"results/summaries/tossou2016/{experiment.id}.csv"
        lines = path.read_text().splitlines()
        header, ours = lines[0].split(","), [line.split(",") for line in lines[1:]]
        if "mine" in experiment.series:
            last = sorted(float(row[3]) for row in ours if row[1] == "20000")
            row = dict(zip(header, ours[-1], strict=True)) | {"policy": "mine", "mean": str((last[1] + last[2]) / 2)}
            path.write_text("\n".join([*lines, ",".join(row.values())]) + "\n")
            write_checksum(path)
            wanted[experiment.base, experiment.reading] = (f"{(last[1] + last[2]) / 2:.6g}", f"3 of {len(last) + 1}")
    shown = content.gather(given, report.Sources(tmp_path / "results"), SETTINGS)["guests"]
    (mine,) = shown
    assert {(r["experiment"], r["reading"]): (r["mean"], r["place"]) for r in mine["rows"]} == wanted
    assert len(wanted) == 8
    assert mine["promises"] is False
    assert {entry["paper"] for entry in mine["absent"]} == {"tossou2017"}
    assert mine["absent"][0]["reason"] == "ucb plays arms, while these are games"
    text = report.page(given, report.Sources(tmp_path / "results"), SETTINGS)
    assert '<a href="#guests">Guests</a>' in text
    assert '<a href="#tossou2016-fig2a">Figure 2a</a>' in text
    assert 'id="tossou2016-fig2a"' in text


# The file


def test_the_same_results_give_the_same_bytes(page, all_papers, sources, arena):
    code = (
        "import pickle, sys; from dpbandits import report\n"
        "sys.stdout.buffer.write(report.page(*pickle.load(sys.stdin.buffer)).encode())"
    )
    given = pickle.dumps((all_papers, sources, SETTINGS, None, arena))
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=given,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        check=True,
    )
    assert done.stdout == page.encode()


def test_at_paper_scale_the_page_is_below_20_MB(page, outline, sources, all_papers):
    """This page, with the reference's data of paper scale, and every picture as large as those drawn here on average."""
    packed = sum(len(a["href"]) for a in outline.all("a") if "gzip" in a["href"])
    pictures = sum(len(image["src"]) for image in outline.all("img"))
    text = len(page.encode()) - packed - pictures
    tables_ = [
        path.read_bytes() for paper in all_papers for path in (ROOT / f"reference/summaries/{paper}").glob("*.csv")
    ]
    drawn = [(p, len(p.with_suffix(".json").read_bytes())) for p in sources.results.glob("pictures/*/*.png")]
    sizes = [p.stat().st_size * 4 / 3 + beside for p, beside in drawn if beside > 200]
    wanted = sum(len(gzip.compress(report.content.rounded(table))) for table in tables_) * 4 / 3 + len(
        outline.all("img")
    ) * np.mean(sizes)
    assert len(sizes) >= DRAWN * len(all_papers)
    assert text + wanted < 20e6


def test_the_page_is_one_file_that_asks_for_nothing(page, outline):
    assert all(image["src"].startswith("data:image/png;base64,") for image in outline.all("img"))
    assert not outline.all("iframe")
    assert all("src" not in script for script in outline.all("script"))
    assert [link["rel"] for link in outline.all("link")] == ["icon"]
    assert not re.search(r"@import|url\(", page[: page.index("</style>")])


def test_every_id_is_there_once_and_every_link_leads_somewhere(outline):
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    links = {a["href"][1:] for a in outline.all("a") if a["href"].startswith("#")}
    named = {a[key] for _, a in outline.elements for key in ("aria-labelledby", "data-geometry") if key in a}
    assert links | named <= set(ids)


def test_headings_do_not_skip_a_level_and_pictures_are_described(outline):
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False))
    descriptions = [image["alt"] for image in outline.all("img")]
    assert all(len(alt) > 30 for alt in descriptions)
    assert len(set(descriptions)) == len(descriptions)


def test_nothing_in_a_file_can_break_the_page(all_papers, sources):
    bad = """</script><img src=x onerror="alert('1')"> & <b>"""
    paper = all_papers["tossou2016"]
    experiments = {
        name: dataclasses.replace(
            e,
            policies=tuple(
                dataclasses.replace(p, series=tuple(dataclasses.replace(s, label=bad + s.label) for s in p.series))
                for p in e.policies
            ),
        )
        for name, e in paper.experiments.items()
    }
    figures_ = {k: dataclasses.replace(f, caption=bad, title=bad) for k, f in paper.figures.items()}
    claims = tuple(dataclasses.replace(c, says=bad, source=bad) for c in paper.claims)
    altered = dataclasses.replace(
        paper,
        title=bad,
        venue=bad,
        readings={"published": bad},
        experiments=experiments,
        figures=figures_,
        claims=claims,
    )
    text = report.page({"tossou2016": altered}, sources, {**SETTINGS, "version": bad})
    found = Outline(text)
    assert not [image for image in found.all("img") if image["src"] == "x"]
    assert text.count("</script>") == text.count("<script")
    assert len(found.all("script")) == 1 + len({e["data-geometry"] for e in found.all("div") if "data-geometry" in e})
    assert bad in next(image["alt"] for image in found.all("img"))  # and nothing of it is lost


def test_geometry_inside_a_script_ends_no_script():
    text = content.for_script([{"label": "</script><!-- & \u2028"}])
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == [{"label": "</script><!-- & \u2028"}]


@pytest.mark.parametrize(
    "missing",
    [
        "pictures/tossou2016/fig2a.png",
        "pictures/tossou2016/fig2a.json",
        "summaries/tossou2016/fig2a.csv",
        "claims/tossou2016.csv",
        "accounts/tossou2016.csv",
        "audits/tossou2016.csv",
        "verification.txt",
    ],
)
def test_a_missing_file_is_named_with_the_remedy(missing, all_papers, sources, tmp_path):
    for path in sources.results.rglob("*"):
        (tmp_path / path.relative_to(sources.results)).parent.mkdir(parents=True, exist_ok=True)
    for folder in ("pictures/tossou2016", "summaries/tossou2016", "claims", "accounts", "audits"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for path in (sources.results / folder).iterdir():
            (tmp_path / folder / path.name).symlink_to(path.resolve())
    (tmp_path / "verification.txt").write_text("0 differences\n")
    (tmp_path / missing).unlink()
    with pytest.raises(InputError, match=rf"{re.escape(str(tmp_path / missing))}: .*(run|make)"):
        report.page({"tossou2016": all_papers["tossou2016"]}, report.Sources(tmp_path), SETTINGS)


def test_a_damaged_file_is_named(all_papers, sources, tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("claim,figure\nA1,fig2a\n")
    with pytest.raises(InputError, match=r"c\.csv: it has no column 'kind'"):
        scoreboard.read_claims(path)
    row = "A1,sentence,f,f,both,s,s,{},0,at_most,1,,{},e,\n"
    for value, verdict, message in (
        ("1", "maybe", "'maybe' is no verdict"),
        ("one", "holds", r"c\.csv: truncated or altered: .*complete and numeric \('one'\)"),
    ):
        path.write_text(",".join(claims.COLUMNS) + "\n" + row.format(value, verdict))
        with pytest.raises(InputError, match=message):
            scoreboard.read_claims(path, checksum=False)


def test_labels_are_read_as_text():
    assert content.plain(r"EXP3$_\tau$") == "EXP3_τ"
    assert content.plain("worth $(2e)^{-T}$, ε = 2") == "worth (2e)^-T, ε = 2"
    assert content.plain("DP-UCB (1)") == "DP-UCB (1)"
    assert content.name("fig6d") == "Figure 6d"
    assert content.name("s-power-of-two") == "Supplement: power of two"


# Pictures


def picture_of(drawing, tmp_path):
    drawing.canvas.draw()
    screen.save(drawing, tmp_path / "p.png", tmp_path / "p.json")
    plt.close(drawing)
    return json.loads((tmp_path / "p.json").read_text())


def test_a_picture_for_the_screen_changes_nothing_in_the_figure(all_papers, sources, tmp_path):
    paper = all_papers["tossou2016"]
    figure = paper.figures["fig2a"]
    read = {"fig2a": read_summary(sources.summary("tossou2016", "fig2a"))}
    alone, beside = tmp_path / "a.pdf", tmp_path / "b.pdf"
    figures.draw(figure, paper.experiments, read, "default", [alone])
    figures.draw(figure, paper.experiments, read, "default", [beside], (tmp_path / "p.png", tmp_path / "p.json"))
    assert alone.read_bytes() == beside.read_bytes()
    first = [(tmp_path / f"p.{kind}").read_bytes() for kind in ("png", "json")]
    figures.draw(figure, paper.experiments, read, "default", [], (tmp_path / "p.png", tmp_path / "p.json"))
    assert [(tmp_path / f"p.{kind}").read_bytes() for kind in ("png", "json")] == first


def test_the_geometry_of_a_line_with_its_band(tmp_path):
    drawing, ax = plt.subplots(figsize=(4, 3))
    t = np.arange(1, 1001)
    ax.plot(t, 2.0 * t, label="a <b>", color="#112233")
    ax.fill_between(t, 2.0 * t, 3.0 * t, color="#112233", alpha=0.2, linewidth=0)
    ax.plot(t, 0 * t, label="_hidden")
    ax.set(xscale="log", xlim=(1, 1000), ylim=(0, 4000), xlabel="t")
    box = ax.get_position()
    shown = picture_of(drawing, tmp_path)
    with Image.open(tmp_path / "p.png") as picture:
        assert picture.size == (shown["width"], shown["height"]) == (4 * screen.DPI, 3 * screen.DPI)
        assert picture.mode == "P"
    (axes,) = shown["axes"]
    assert axes["box"] == pytest.approx([box.x0, 1 - box.y1, box.width, box.height], abs=1e-4)
    assert axes["x"] == ["t", "log", 1, 1000]
    (curve,) = axes["curves"]
    assert (curve["label"], curve["colour"]) == ("a <b>", "#112233")
    x = np.array(curve["x"])
    assert (x[0], x[-1]) == (1, 1000)
    assert 20 < len(x) < 4 * screen.DPI / screen.APART
    assert np.diff(np.log(x[:-1])).min() * shown["width"] * box.width / math.log(1000) >= screen.APART - 0.01
    for side, slope in (("y", 2), ("low", 2), ("high", 3)):
        assert np.array(curve[side]) == pytest.approx(slope * x, rel=1e-3)


def test_the_geometry_of_bars_and_of_error_bars(tmp_path):
    drawing, (left, right) = plt.subplots(1, 2)
    left.bar([0, 1], [3.0, 5.0], yerr=[0.5, 1.0], label="height", color="#445566")
    left.set_xticks([0, 1], ["one", "two"])
    right.errorbar([1, 2], [10, 20], yerr=[[1, 2], [3, 4]], label="line", color="#778899")
    right.errorbar([1, 2], [5, 6], label="bare")
    bars, lines = picture_of(drawing, tmp_path)["axes"]
    (bar,) = bars["curves"]
    assert bars["names"] == [[0, "one"], [1, "two"]]
    assert bar == {
        "label": "height", "colour": "#445566", "colours": ["#445566"] * 2,
        "x": [0, 1], "y": [3, 5], "low": [2.5, 4], "high": [3.5, 6],
    }  # fmt: skip
    line, bare = lines["curves"]
    assert (line["low"], line["high"]) == ([9, 18], [13, 24])
    assert "low" not in bare


def lying_bars():
    drawing, ax = plt.subplots(figsize=(5, 3))
    ax.barh([0, 1], [30.0, 50.0], xerr=[[1, 2], [3, 4]], color=["#445566", "#665544"])
    ax.set_yticks([0, 1], ["upper", "lower"])
    ax.set(xlabel="regret", xlim=(0, 60))
    ax.invert_yaxis()
    return drawing


def test_the_geometry_of_lying_bars(tmp_path):
    (axes,) = picture_of(lying_bars(), tmp_path)["axes"]
    assert axes["flat"] is True
    assert axes["names"] == [[0, "upper"], [1, "lower"]]
    assert axes["y"] == ["regret", "linear", 0, 60]
    assert axes["x"][2] > 1 > 0 > axes["x"][3]  # upside down, as drawn
    (bars,) = axes["curves"]
    assert (bars["x"], bars["y"], bars["low"], bars["high"]) == ([0, 1], [30, 50], [29, 48], [33, 54])
    assert bars["colours"] == ["#445566", "#665544"]


def test_a_diagram_has_nothing_to_point_at(all_papers, tmp_path):
    diagram = next(f for f in all_papers["tossou2016"].figures.values() if f.kind.endswith("diagram"))
    figures.draw(diagram, {}, {}, "default", [], (tmp_path / "p.png", tmp_path / "p.json"))
    assert json.loads((tmp_path / "p.json").read_text())["axes"] == []


# What differs from run to run


def test_the_stamp_adds_up_the_jobs_costs_and_is_told_when_asked(all_papers, sources, page, tmp_path):
    for name, text in (
        ("a", '{"cpu_seconds": 60}'),
        ("b", '{"cpu_seconds": 30.5}'),
        ("failed", "error: no space left"),
    ):
        (tmp_path / name).write_text(text)
    found = stamp.times([tmp_path / name for name in ("a", "b", "failed", "never ran")])
    assert found == {"jobs": 2, "cpu_seconds": 90.5}
    message = stamp.collect(ROOT, SETTINGS, {"tossou2016": [tmp_path / "a", tmp_path / "b"]})
    stamped = report.page(all_papers, sources, SETTINGS, message)
    assert "1 min 30 s" in stamped
    assert message["versions"]["numpy"] == np.__version__
    assert "This run" not in page


# The README


def test_refreshing_changes_what_is_between_the_marks_only(tmp_path, all_papers):
    readme, table = tmp_path / "README.md", tmp_path / "claims.csv"
    claim = dataclasses.replace(
        all_papers["tossou2016"].claims[0], id="A", says="x < y", source="s", cause={"f.corrected": "c", "g": "d"}
    )
    paper = dataclasses.replace(all_papers["tossou2016"], id="p2000", claims=(claim,))
    rows = [
        ("A", "sentence", "f", "published", "1.23456,0.1", "holds", ""),
        ("A", "sentence", "f", "corrected", "21,", "fails", "c"),
        ("A", "sentence", "g", "published", "1,", "holds", ""),
        ("A", "sentence", "g", "corrected", "2,", "undecided", "d"),
        ("B", "privacy", "g", "both", "1,0", "undecided", ""),
    ]
    lines = [f"{c},{k},{e},,{r},s,s,{numbers},at_most,1,,{v},,{cause}" for c, k, e, r, numbers, v, cause in rows]
    table.write_text("\n".join([",".join(claims.COLUMNS), *lines]) + "\n")
    write_checksum(table)
    marks = [sign.format(mark) for mark in ("scoreboard", "flips") for sign in (scoreboard.BEGIN, scoreboard.END)]
    readme.write_text("before\n{}\nold\n{}\nbetween\n{}\nold\n{}\nafter\n".format(*marks))
    scoreboard.refresh(readme, {"p2000": (paper, table)})
    text = readme.read_text()
    assert "| p2000 | published | 2 / 0 / 0 | – | 0 / 0 / 1 | 2 / 0 / 1 |\n" in text
    assert "| p2000 | corrected | 0 / 1 / 1 | – | 0 / 0 / 1 | 0 / 1 / 2 |\n" in text
    assert "| p2000 | x < y | s (1 of 2 panels) | 1.23 ± 0.1 | 21 | c |\n" in text
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "\nbetween\n" in text
    assert "\nold\n" not in text
    scoreboard.refresh(readme, {"p2000": (paper, table)})
    assert readme.read_text() == text
    readme.write_text("no marks\n")
    with pytest.raises(InputError, match="put them back"):
        scoreboard.refresh(readme, {"p2000": (paper, table)})


# The arena


def test_the_arena_has_a_row_for_every_policy_and_epsilon(page, arena):
    """Scores of one policy, worked out from the table by other means than the page's."""
    section = page[page.index('<section id="arena"') : page.index('<section id="privacy"')]
    rows = re.findall(r"<tr[^>]*><th scope=\"row\".*?</tr>", section)
    assert len(rows) == sum(
        len(arena.arena.epsilons) if member.private else 1 for member in arena.arena.members.values()
    )
    table = pd.read_csv(ROOT / "reference/arena/scores.csv")
    mine = table[(table.policy == "adap-klucb") & (table.game == "all") & (table.epsilon == 0.5)]
    mine = mine[mine.t == mine.t.max()]
    cells = re.findall(r">([^<>]+)</t[dh]>", next(row for row in rows if ">AdaP-KLUCB<" in row and ">0.5<" in row))
    scores = [np.exp(np.log(mine.score).mean()), mine.score.max(), mine.score_percentile_95.max()]
    assert cells[2:6] == ["0.5", *(f"{score:.3g}" for score in scores)]
    assert cells[9:11] == [f"≥ {mine.measured.iloc[0]:.3g}", "✓ kept"]
    grey = [row for row in rows if 'class="grey"' in row]
    assert len(grey) == len(arena.arena.epsilons)
    assert all("noise of its code" in row and "✗ exceeded" in row for row in grey)


def test_the_arena_is_not_in_the_papers_scoreboard(page, all_papers, sources):
    without = report.page(all_papers, sources, SETTINGS)
    assert 'id="arena"' not in without
    overview = [
        text[text.index('<section id="overview"') : text.index('<section id="what-fails"')] for text in (page, without)
    ]
    assert overview[0] == overview[1]


# In a browser

in_a_browser = pytest.mark.skipif(
    not chromium(),
    reason="no Chromium here: install it (Debian: apt-get install chromium) to see the report in a browser",
)


@pytest.fixture(scope="module")
def url(page, sources):
    path = sources.results / "report.html"
    with traces.written_whole(path) as file:
        file.write(page.encode())
    return path.as_uri()


@pytest.fixture(scope="module")
def tab(url):
    with Page(url) as tab:
        yield tab


def visible(tab, selector):
    return tab(f"[...document.querySelectorAll('{selector}')].filter(e => e.getClientRects().length).length")


@in_a_browser
def test_it_loads_without_complaint_and_every_picture_is_there(url, all_papers):
    with Page(url) as tab:
        assert tab("document.images.length") > 10
        broken = "[...document.images].filter(i => !i.complete || i.naturalWidth != i.getAttribute('width')).length"
        tab.until(lambda: not tab(broken), "the pictures")
        assert tab.complaints == []


@in_a_browser
def test_without_a_script_the_toggle_shows_one_reading_or_both(url):
    with Page(url, script=False) as tab:
        both = {r: visible(tab, f"figure[data-reading={r}]") for r in ("published", "corrected", "both")}
        assert all(both.values())
        for chosen, other in (("published", "corrected"), ("corrected", "published")):
            tab.click(f"label:has(#show-{chosen})")
            assert visible(tab, f"figure[data-reading={chosen}]") == both[chosen]
            assert visible(tab, "figure[data-reading=both]") == both["both"]
            assert visible(tab, f"figure[data-reading={other}]") == 0
            assert visible(tab, f".verdict[data-reading={other}]") == 0
        tab.click("label:has(#show-both)")
        assert visible(tab, "figure[data-reading=published]") == both["published"]


@in_a_browser
def test_the_filters_leave_what_they_should(tab, all_papers):
    rows = [(paper, row["reading"], row["verdict"]) for paper in all_papers for row in claims_of(paper)]

    def check(verdicts, paper="", reading=""):
        wanted = sum(v in verdicts and paper in ("", p) and (not reading or r in (reading, "both")) for p, r, v in rows)
        assert visible(tab, "#verdicts tr[data-verdict]") == wanted
        assert tab("document.getElementById('shown-count').textContent") == f"{wanted} of {len(rows)} shown"

    def choose(which, value):
        tab(
            f"(s => {{ s.value = '{value}'; s.dispatchEvent(new Event('change', {{bubbles: true}})) }})"
            f"(document.getElementById('only-{which}'))"
        )

    check({"fails", "undecided"})
    tab.click("#only-holds")
    check({"fails", "undecided", "holds"})
    tab.click("#only-fails")
    tab.click("#only-undecided")
    check({"holds"})
    for paper in all_papers:
        choose("paper", paper)
        check({"holds"}, paper)
        choose("reading", "corrected")
        check({"holds"}, paper, "corrected")
        choose("reading", "")
    choose("paper", "")
    check({"holds"})


@in_a_browser
def test_a_click_sorts_the_table_of_the_arena(tab):
    """By number and not by text, upwards and then downwards; rows without a value are last either way."""

    def column(number):
        return tab(f"[...document.querySelectorAll('.sortable tbody tr')].map(r => r.cells[{number}].dataset.value)")

    before = column(0)
    for head, values in ((3, [float(value) for value in column(3)]), (2, column(2))):
        for turn in range(2):
            tab(f"document.querySelectorAll('.sortable thead button')[{head}].click()")
            if head == 3:
                assert [float(value) for value in column(3)] == sorted(values, reverse=bool(turn))
            else:
                numbers = sorted((float(value) for value in values if value), reverse=bool(turn))
                assert column(2) == [f"{number:g}" for number in numbers] + [""] * values.count("")
    assert sorted(column(0)) == sorted(before)
    sorts = "[...document.querySelectorAll('.sortable th')].map(h => h.getAttribute('aria-sort')).filter(s => s)"
    assert tab(sorts) == ["descending"]


@in_a_browser
@pytest.mark.parametrize("width", [320, 390])
def test_the_whole_menu_is_in_view_on_a_phone(tab, width, all_papers):
    tab.resize(width, 844)
    entries, outside = tab("""(() => {
        const boxes = [...document.querySelectorAll('nav a')].map(e => e.getBoundingClientRect());
        return [boxes.length, boxes.filter(b => b.left < 0 || b.right > innerWidth || !b.height).length] })()""")
    tab.resize(1280, 900)
    assert entries == len(all_papers) + 5
    assert outside == 0


CONTRAST = """
(() => {
  const parse = (c) => { const n = c.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c }
    return [255, 255, 255, 1] };
  const poor = new Set(); let seen = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walk.nextNode();) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !e.getClientRects().length || e.closest('script, .skip')) continue;
    const style = getComputedStyle(e), a = light(parse(style.color)), b = light(behind(e)); seen++;
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05), size = parseFloat(style.fontSize);
    if (ratio < (size >= 24 ? 3 : 4.5)) poor.add(`${e.className || e.tagName} ${style.color} ${ratio.toFixed(2)}`);
  }
  return [seen, ...poor];
})()"""


@in_a_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(tab, scheme):
    tab.prefer(scheme)
    ground = tab("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground)[:3])) > 600) is (scheme == "light")
    tab("document.querySelectorAll('details').forEach(d => d.open = true)")
    seen, *poor = tab(CONTRAST)
    tab.prefer("light")
    assert seen > 1000
    assert poor == []


@in_a_browser
def test_a_pointer_on_a_curve_names_policy_time_centre_and_band(tab, sources):
    with open(REFERENCE / "summaries/tossou2016/fig2a.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["policy"] == "private-ucb"]
    last = rows[-1]
    geometry = json.loads((sources.results / "pictures/tossou2016/fig2a.json").read_text())["axes"][0]
    (left, top, width, height), (_, _, low, high), (_, _, bottom, summit) = (geometry[k] for k in ("box", "x", "y"))
    t, centre = float(last["t"]), float(last["median_of_means"])
    across = left + width * math.log(t / low) / math.log(high / low)
    down = top + height * (1 - math.log(centre / bottom) / math.log(summit / bottom))
    plot = "document.querySelector('[data-geometry=g-tossou2016-fig2a]')"
    tab(f"{plot}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    tab("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")  # scrolling hides an answer
    box = tab(f"{plot}.getBoundingClientRect().toJSON()")
    tab.mouse("mouseMoved", box["x"] + across * box["width"], box["y"] + down * box["height"])
    assert tab("document.querySelector('.tip .at').textContent") == f"time step t = {int(t):,}"
    assert tab("document.querySelector('.tip .near .label').textContent") == "Private-UCB (1)"

    def number(text):
        return float(text.replace(",", ""))

    assert number(tab("document.querySelector('.tip .near b').textContent")) == pytest.approx(centre, rel=0.005)
    below, above = tab("document.querySelector('.tip .near .band').textContent").split(" to ")
    assert number(below) == pytest.approx(float(last["min"]), rel=0.005)  # tossou2016's bands are from run to run
    assert number(above) == pytest.approx(float(last["max"]), rel=0.005)
    tab.mouse("mouseMoved", 2, 2)
    assert visible(tab, ".tip") == 0


@in_a_browser
def test_a_pointer_on_a_lying_bar_names_it(all_papers, sources, tmp_path):
    for path in ("summaries", "claims", "accounts", "audits", "verification.txt"):
        (tmp_path / path).symlink_to(sources.results / path)
    shutil.copytree(sources.results / "pictures", tmp_path / "pictures")
    pictures = tmp_path / "pictures/tossou2016"
    (axes,) = picture_of(lying_bars(), pictures)["axes"]
    for kind in ("png", "json"):
        (pictures / f"p.{kind}").replace(pictures / f"fig2a.{kind}")
    text = report.page({"tossou2016": all_papers["tossou2016"]}, report.Sources(tmp_path), SETTINGS)
    (tmp_path / "report.html").write_text(text)
    left, top, width, height = axes["box"]
    _, _, bottom, summit = axes["x"]
    with Page((tmp_path / "report.html").as_uri()) as tab:
        plot = "document.querySelector('[data-geometry=g-tossou2016-fig2a]')"
        tab(f"{plot}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        tab("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        box = tab(f"{plot}.getBoundingClientRect().toJSON()")
        for position, name, value, band in ((0, "upper", "30", "29 to 33"), (1, "lower", "50", "48 to 54")):
            down = top + height * (1 - (position - bottom) / (summit - bottom))
            tab.mouse("mouseMoved", box["x"] + (left + width * 0.3) * box["width"], box["y"] + down * box["height"])
            assert tab("document.querySelector('.tip .at').textContent") == name
            assert tab("document.querySelector('.tip .near b').textContent") == value
            assert tab("document.querySelector('.tip .near .band').textContent") == band
        assert tab.complaints == []


@in_a_browser
def test_on_paper_everything_is_unfolded_and_the_controls_are_gone(tab):
    tab("document.querySelectorAll('details').forEach(d => d.open = false)")
    tab("dispatchEvent(new Event('beforeprint'))")
    tab.prefer(media="print")
    controls, held = visible(tab, ".bar"), visible(tab, ".held .says")
    tab.prefer("light")
    assert controls == 0
    assert held == tab("document.querySelectorAll('.held .says').length") > 0


@in_a_browser
@pytest.mark.parametrize("width", [320, 390, 1024, 1600])
def test_nothing_scrolls_sideways(tab, width):
    """Whatever is unfolded. The last to use this tab, which stays as it is: unfolded, each change of the width is slow."""
    tab.resize(width, 844)
    tab("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert tab("document.documentElement.scrollWidth") <= width
    outside = """[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll') && !e.closest('.unseen')
        && e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1).length"""
    assert tab(outside) == 0

"""The page: numbers as in the tables, links that work, and no text that can break it."""

import gzip
import html
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest
from page.conftest import SETTINGS, SOURCES, run_in, write
from project import ROOT

from dpbandits import theory
from dpbandits.errors import InputError
from dpbandits.page import content, privacy, site
from dpbandits.studies.claim import ANSWERS

SCORES = ROOT / "reference/arena/scores.csv"


class Outline(HTMLParser):
    """The elements of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def all(self, key):
        """The values of an attribute."""
        return [attributes[key] for _, attributes in self.elements if key in attributes]


@pytest.fixture(scope="module")
def text(page):
    return (page / "index.html").read_text()


def article(text, anchor):
    return re.search(rf'<article id="{anchor}">.*?</article>', text, re.DOTALL)[0]


def test_the_headline_counts_every_claim_once(values, text):
    assert all(f">{paragraph}</p>" in text for paragraph in values["headline"])
    assert (
        "Of 2 claims about experiments, 0 hold as published without our reconstruction, and 0 as "
        "corrected. As published, 1 more holds only through it, 0 fail, and 1 is open or by "
        "construction. As corrected, 0 more hold only through it, 1 fails, and 1 is open or by "
        "construction."
    ) in text
    for answer, meaning in ANSWERS.items():
        assert re.search(rf"{answer}</span></dt><dd>{re.escape(meaning)}</dd>", text)


def test_a_figure_has_the_claims_that_it_shows(values, text):
    figures = {figure["id"]: figure for figure in values["papers"][0]["figures"]}
    assert "fig2" not in figures  # its panels are there
    marks = {id: [claim.claim for claim in figure["marks"]] for id, figure in figures.items()}
    assert {id: result for id, result in marks.items() if result} == {
        "fig2a": ["S1", "S2"],  # A1 is a check of both
        "fig2b": ["S2", "P1"],
    }
    figure = article(text, "tossou2016/fig2a")
    both = [re.search(f'#tossou2016/{id}">.*?</li>', figure)[0] for id in ("S1", "S2")]
    assert [re.findall('class="mark ([a-z]+)', result) for result in both] == [
        ["holds", "fails"],
        ["undecided"],
    ]
    assert "the text of S1</li>" in figure


def test_a_check_is_shown_once_with_its_claims_figures_and_readings(text):
    check = re.search(r'<tbody id="tossou2016/check-A1">.*?</tbody>', text, re.DOTALL)[0]
    assert "A1 what A1 says" in check
    links = re.findall('href="#tossou2016/(.*?)"', check)
    assert links == ["S1", "S2", "fig2a", "fig2a"]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", check)
    plainly = [re.sub(r"<[^>]*>", " ", cell).split() for cell in cells]
    assert [row[0] for row in plainly[1::6]] == ["published", "corrected"]
    assert [" ".join(row) for row in plainly[2::6]] == ["0.484 ± 0.017", "1.500 ± 0.020"]
    assert [row[1] for row in plainly[4::6]] == ["holds", "fails"]
    assert plainly[-1] == ["dp-ucb", "/", "ucb", "other", "&lt;noise&gt;"]
    assert text.count("what A1 says") == text.count("what A2 says") == 1
    assert re.search("what A3 says <small>our own question</small>", text)


def test_the_table_of_claims_has_each_once_with_its_checks(text):
    rows = re.findall(r'<tr id="tossou2016/(\w+)">(.*?)</tr>', text, re.DOTALL)
    assert [id for id, _ in rows] == ["S1", "S2", "P1"]
    found = dict(rows)
    assert re.findall('class="mark ([a-z]+)', found["S1"]) == ["holds", "fails"]
    assert re.findall('href="#tossou2016/check-(.*?)"', found["S2"]) == ["A1", "A2"]


def test_a_figure_says_how_it_is_made_and_how_far_it_is_from_what_was_drawn(values, text, results):
    figure = article(text, "tossou2016/fig2b")
    command = f"snakemake --cores 2 --config scale=smoke -- {results}/figures/tossou2016/fig2b.pdf"
    assert command in figure
    assert "median and largest: DP-UCB (0.1) ∗ 1.4%, 11.8%." in figure
    assert {"published", "corrected"} == set(re.findall("<figcaption>(.*?)</figcaption>", figure))


def test_only_tables_that_the_paper_proves_are_shown(paper, results, tmp_path, monkeypatch):
    copy = tmp_path / "results"
    shutil.copytree(results, copy)
    write(pd.DataFrame({"bound": [0.123456]}), copy / "tables/tossou2016/table1.csv")
    for tables, shown in (({}, []), ({"table1": "on <one> arm"}, ["Table 1"])):
        monkeypatch.setitem(theory.TABLES, "tossou2016", tables)
        values = content.gather({paper.id: paper}, run_in(copy), SOURCES)
        assert list(values["papers"][0]["tables"]) == shown
    assert "on &lt;one&gt; arm" in site.render(values, "files")


def test_a_mechanism_has_one_row_of_promise_ledger_audit_and_replay(values, text):
    table = values["privacy"].set_index("mechanism")
    assert "ucb.UCB(other)" not in table.index  # it promises nothing
    row = table.loc["ucb.UCB()"]
    assert (row["epsilon"], row["spent"], row["verdict"]) == ("1 to 2", "0.5 to 1.5", "exceeded")
    assert (row["audit"], row["replay"]) == ("≥ 0.25, no power", "0.75, as booked")
    scores = pd.read_csv(SCORES)
    promising = scores["mechanism"][scores["promise"].isin(["kept", "exceeded", "not kept"])]
    assert {*table.index} == {"ucb.UCB()", *promising}
    assert text.count('<th scope="row">ucb.UCB()</th>') == 1


def test_an_exact_loss_is_that_of_the_mechanism_of_its_check(results, paper, tmp_path):
    copy = tmp_path / "results"
    shutil.copytree(results, copy)
    checks = pd.read_csv(copy / "checks/tossou2016.csv")
    exact = checks[:2].assign(check="P1-exact", value=[2.5, 1.0])
    write(pd.concat([checks, exact]), copy / "checks/tossou2016.csv")
    fig2a = paper.experiments["fig2a"]
    names = [
        fig2a.in_reading(reading).by_name["dp-ucb-bound"].as_policy.mechanism
        for reading in ("published", "corrected")
    ]
    accounts = pd.read_csv(copy / "accounts/tossou2016.csv")
    write(
        pd.concat([accounts, *(accounts[:1].assign(mechanism=name) for name in names)]),
        copy / "accounts/tossou2016.csv",
    )
    table = privacy.table({paper.id: paper}, copy).set_index("mechanism")
    assert table.loc[names, "exact"].tolist() == ["2.5", "1"]
    assert table.loc["ucb.UCB()", "exact"] == ""


def test_a_paper_without_private_mechanisms_has_an_empty_table(results, paper, tmp_path):
    copy = tmp_path / "results"
    shutil.copytree(results, copy)
    for kind in privacy.TABLES:
        file = copy / f"{kind}/tossou2016.csv"
        write(pd.read_csv(file)[:0], file)
    assert privacy.table({paper.id: paper}, copy).empty


def test_your_policy_has_its_place_among_the_others(values, paper):
    row = values["guests"].set_index(["experiment", "reading"]).loc["Figure 2a", "corrected"]
    of = len(paper.experiments["fig2a"].in_reading("corrected").series)
    assert (row["mean"], row["place"]) == ("10", f"1 of {of}")


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(page, text):
    outline = Outline(text)
    ids = outline.all("id")
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    links = [link for link in outline.all("href") if not link.startswith("https://arxiv")]
    assert {link[1:] for link in links if link.startswith("#")} | {
        *outline.all("aria-labelledby")
    } <= set(ids)
    files = {
        link for link in links + outline.all("src") if not link.startswith(("#", "data:", "http"))
    }
    assert {str(path.relative_to(page)) for path in page.glob("files/**/*.*")} == files
    assert not [source for source in outline.all("src") if ":" in source]
    assert not re.search(r"@import|url\((?!#)", text)
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False))


def test_a_figure_is_linked_in_the_first_format(results, paper):
    run = run_in(results, formats=["png"])
    files = content.gather({paper.id: paper}, run, SOURCES)["files"]
    assert files["tossou2016/fig2a.png"] == results / "figures/tossou2016/fig2a.png"


def test_the_experiments_and_the_claims_are_there_as_data(page, text):
    for title, source in zip(("experiments", "claims"), SOURCES["tossou2016"], strict=True):
        assert f'<a href="files/tossou2016/{title}.yaml">the {title}</a>' in text
        assert (page / f"files/tossou2016/{title}.yaml").read_bytes() == source.read_bytes()


def test_a_figure_is_offered_as_pdf_svg_and_data(page, text):
    figure = article(text, "tossou2016/fig2a")
    names = [f"fig2a{of}.{kind}" for of in ("", ".corrected") for kind in ("pdf", "svg")]
    links = re.findall(r'href="files/tossou2016/(\S+)"', figure)
    assert links == [*names, "fig2a.csv.gz"]
    assert 'src="files/tossou2016/fig2a.svg"' in figure
    assert 'width="100" height="80"' in figure  # 75 by 60 points


def test_an_authors_reply_is_printed_word_for_word_beside_the_answer(results, paper, text):
    assert "blockquote" not in text.partition("<body>")[2]
    reply = 'We ran <another> noise, "as in v2". (A. Author)'
    claims = paper.claims | {"S2": replace(paper.claims["S2"], reply=reply)}
    shown = content.gather({paper.id: replace(paper, claims=claims)}, run_in(results), SOURCES)
    (row,) = re.findall(r'<tr id="tossou2016/S2".*?</tr>', site.render(shown, "files"), re.DOTALL)
    assert html.escape(reply).replace("&quot;", "&#34;") in row


def test_data_are_the_tables_compressed(page, results):
    data = gzip.decompress((page / "files/tossou2016/fig2a.csv.gz").read_bytes())
    assert data == (results / "summaries/tossou2016/fig2a.csv").read_bytes()


def test_the_same_results_give_the_same_bytes(page, results, paper, arena):
    code = (
        "import pickle, sys; from dpbandits.page import site\n"
        "site.write(*pickle.load(sys.stdin.buffer))"
    )
    before = {path: path.read_bytes() for path in page.rglob("*.*")}
    studies = {paper.id: paper, arena.id: arena}
    arguments = (studies, results, results / "figures", SOURCES, SETTINGS, page)
    subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(arguments),
        env={**os.environ, "PYTHONHASHSEED": "7"},
        check=True,
    )
    assert {path: path.read_bytes() for path in page.rglob("*.*")} == before


NEEDED = [
    "claims.csv",
    "checks/tossou2016.csv",
    "pictures/tossou2016/fig2a.svg",
    "arena/scores.csv",
]


@pytest.mark.parametrize("file", NEEDED)
def test_a_missing_file_is_named(results, paper, arena, tmp_path, file):
    copy = tmp_path / "results"
    shutil.copytree(results, copy)
    (copy / file).unlink()
    with pytest.raises(
        InputError, match=rf"{file}: there is no such (table|part of the page); run the workflow"
    ):
        content.gather({paper.id: paper, arena.id: arena}, run_in(copy), SOURCES)


def test_nothing_in_a_file_can_break_the_page(results, paper):
    bad = """</script><img src=x onerror="alert('1')"> & <b>"""
    figures = {
        name: replace(figure, caption=bad, title=bad) for name, figure in paper.figures.items()
    }
    texts = {"title": bad, "venue": bad, "readings": {**paper.readings, "published": bad}}
    altered = replace(paper, **texts, figures=figures)
    shown = content.gather({"tossou2016": altered}, run_in(results, version=bad), SOURCES)
    outline = Outline(site.render(shown, "files"))
    assert "x" not in outline.all("src")
    assert [tag for tag, _ in outline.elements].count("script") == 1
    assert any(bad in words for words in outline.all("alt"))  # and nothing of it is lost


def test_the_templates_stay_small():
    templates = site.TEMPLATES.iterdir()
    assert sum(len(path.read_text(encoding="utf-8")) for path in templates) <= 15_000


def test_labels_lose_their_markup():
    assert content.plain(r"EXP3$_\tau$, $(2e)^{-T}$") == "EXP3_τ, (2e)^-T"


def test_an_arena_has_its_best_policies_and_a_ranking_for_each_trust(values, text):
    arena = values["arenas"][0]
    best = arena["best"].set_index("whom you trust with rewards: promise").loc["the operator: ε"]
    rows = arena["rankings"]["the operator: ε"]
    regret = "regret / " + arena["yardstick"] + "’s"
    for epsilon in ("0.1", "0.5", "2"):
        here = rows[rows["ε"] == epsilon]
        regrets = here.loc[here["place"] != "", regret].str.split().str[0].astype(float)
        assert regrets.is_monotonic_increasing
        labels = best[f"ε = {epsilon}"].split(" = ")
        first = here.loc[here["place"] == "first", "policy"].tolist()
        assert [label.rpartition(" (")[0] for label in labels] == first
        assert f"<td>{best[f'ε = {epsilon}']}</td>" in text
    assert text.count("<summary>All policies, if you trust ") == 5

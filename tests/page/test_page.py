"""The page: numbers as in the tables, links that work, and no text that can break it."""

import gzip
import html
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pandas as pd
import pytest
from page.conftest import SETTINGS, SOURCES, gather, write
from project import ROOT, in_a_fork

from dpbandits import theory
from dpbandits.errors import InputError
from dpbandits.page import content, privacy, site
from dpbandits.studies.claim import ANSWERS, ANSWERS_TO_THEOREMS

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


@pytest.fixture(scope="module")
def figures(text):
    """Id of a figure -> its part of the page."""
    return dict(re.findall(r'<article id="tossou2016/(\w+)">(.*?)</article>', text, re.DOTALL))


def marks(part):
    """The words of the answers and verdicts in a part of the page."""
    return re.findall('class="mark ([a-z]+)', part)


def test_the_headline_counts_every_claim_once(values, text):
    assert all(f">{paragraph}</p>" in text for paragraph in values["headline"])
    assert (
        "Of 2 claims about experiments, 0 hold as published without our reconstruction, and 0 as "
        "corrected. As published, 1 more holds only through it, 0 fail, and 1 has another answer. "
        "As corrected, 0 more hold only through it, 1 fails, and 1 has another answer."
    ) in text
    method = (ROOT / "docs/method.md").read_text()
    for answer, meaning in (ANSWERS | ANSWERS_TO_THEOREMS).items():
        assert f"{answer}</span></dt><dd>{meaning}</dd>" in text.replace("&#39;", "'")
        assert re.search(rf"^\| \W*{answer}\W* \| {re.escape(meaning)} \|$", method, re.MULTILINE)


def test_a_figure_has_the_claims_that_it_shows(figures):
    assert "fig2" not in figures  # its panels are there
    claims = {
        (figure, claim): marks(shown)
        for figure, part in figures.items()
        for claim, shown in re.findall(r'<li><a href="#tossou2016/(\w+)">(.*?)</li>', part)
    }
    assert claims == {
        ("fig2a", "S1"): ["holds", "fails"],
        ("fig2a", "S2"): ["undecided"],  # A1 is a check of both
        ("fig2b", "S2"): ["undecided"],
        ("fig2b", "P1"): ["refuted", "proved"],
    }
    assert "the text of S1</li>" in figures["fig2a"]


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
    assert plainly[-1] == ["a", "/", "b", "other", "&lt;noise&gt;"]
    assert text.count("what A1 says") == text.count("what A2 says") == 1
    assert re.search("what A3 says <small>our own question</small>", text)


def test_the_table_of_claims_has_each_once_with_its_checks(text):
    rows = dict(re.findall(r'<tr id="tossou2016/(\w+)">(.*?)</tr>', text, re.DOTALL))
    assert list(rows) == ["S1", "S2", "P1"]
    assert marks(rows["S1"]) == ["holds", "fails"]
    assert re.findall('href="#tossou2016/check-(.*?)"', rows["S2"]) == ["A1", "A2"]


def test_only_tables_that_the_paper_proves_are_shown(paper, copy, monkeypatch):
    write({"bound": [0.123456]}, copy / "tables/tossou2016/table1.csv")
    for tables, shown in (({}, []), ({"table1": "on <one> arm"}, ["table1"])):
        shown = [*shown, content.DISTANCES]
        monkeypatch.setitem(theory.TABLES, "tossou2016", tables)
        values = gather({paper.id: paper}, copy)
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


def test_an_exact_loss_is_that_of_the_mechanism_of_its_check(copy, paper):
    """A paper without private mechanisms has an empty table."""
    checks, accounts = (copy / f"{kind}/tossou2016.csv" for kind in ("checks", "accounts"))
    before = pd.read_csv(checks)
    exact = before[:2].assign(check="P1-exact", value=[2.5, 1.0])
    write(pd.concat([before, exact]), checks)
    played = map(paper.experiments["fig2a"].in_reading, ("published", "corrected"))
    names = [each.by_name["dp-ucb-bound"].as_policy.mechanism for each in played]
    table = pd.read_csv(accounts)
    write(pd.concat([table, *(table[:1].assign(mechanism=name) for name in names)]), accounts)
    result = privacy.table({paper.id: paper}, copy).set_index("mechanism")["exact"]
    assert result[[*names, "ucb.UCB()"]].tolist() == ["2.5", "1", ""]
    write(before, checks)
    for file in (copy / f"{kind}/tossou2016.csv" for kind in privacy.TABLES):
        write(pd.read_csv(file)[:0], file)
    assert privacy.table({paper.id: paper}, copy).empty


def test_your_policy_has_its_place_among_the_others(values):
    """The page of tests has a guest in one figure; test_closing.py counts places."""
    guests = values["guests"]
    assert {*guests["experiment"]} == {"fig2a"}
    assert guests["place"].str.match(r"1 of \d+").all()


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(page, text):
    outline = Outline(text)
    ids, sources = outline.all("id"), outline.all("src")
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    links = [link for link in outline.all("href") if not link.startswith("https://arxiv")]
    inner = {link[1:] for link in links if link.startswith("#")}
    assert inner | {*outline.all("aria-labelledby")} <= {*ids}
    files = {link for link in links + sources if not re.match("#|data:|http", link)}
    assert {str(path.relative_to(page)) for path in page.glob("files/**/*.*")} == files
    assert not [source for source in sources if ":" in source]
    assert not re.search(r"@import|url\((?!#)", text)
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise([0, *levels]))


def test_a_figure_is_offered_as_pdf_svg_and_data_and_experiments_and_claims_as_they_are(
    page, text, figures, paper, results
):
    """With how it is made, and how far its curves are from what was drawn."""
    folder = page / "files/tossou2016"
    names = [f"fig2a{of}.{kind}" for of in ("", ".corrected") for kind in ("pdf", "svg")]
    links = re.findall(r'href="files/tossou2016/(\S+)"', figures["fig2a"])
    assert links == [*names, "fig2a.csv.gz"]
    assert re.findall("<figcaption>(.*?)</figcaption>", figures["fig2a"]) == list(paper.readings)
    # 75 by 60 points
    assert re.search('src="files/tossou2016/fig2a.svg" .* width="100" height="80"', text)
    data = gzip.decompress((folder / "fig2a.csv.gz").read_bytes())
    assert data == (results / "summaries/tossou2016/fig2a.csv").read_bytes()
    for title, source in zip(("experiments", "claims"), SOURCES["tossou2016"], strict=True):
        assert f'<a href="files/tossou2016/{title}.yaml">the {title}</a>' in text
        assert (folder / f"{title}.yaml").read_bytes() == source.read_bytes()
    assert '<th scope="row">fig2b</th><td>dp-ucb</td><td>9</td><td>0.0142</td>' in text
    command = "snakemake --cores 2 --config scale=smoke -- {}/figures/PAPER/FIGURE.{}"
    assert f"<code>{command.format(results, 'pdf')}</code>" in text
    png = gather({paper.id: paper}, results, formats=["png"])
    assert png["command"] == command.format(results, "png")
    assert png["files"]["tossou2016/fig2a.png"] == results / "figures/tossou2016/fig2a.png"


def test_the_same_results_give_the_same_bytes(page, results, studies):
    before = {path: path.read_bytes() for path in page.rglob("*.*")}
    (page / "files/of_an_earlier_run.csv").touch()
    given = studies, results, results / "figures", SOURCES, SETTINGS, page
    assert in_a_fork(site.write, *given) == 0  # of a process with another seed of hashes
    assert {path: path.read_bytes() for path in page.rglob("*.*")} == before


NEEDED = ["claims.csv", "checks/tossou2016.csv", "pictures/tossou2016/fig2a.svg"]


@pytest.mark.parametrize("file", [*NEEDED, "arena/scores.csv"])
def test_a_missing_file_is_named(copy, studies, file):
    (copy / file).unlink()
    says = rf"{file}: there is no such (table|part of the page); run the workflow"
    with pytest.raises(InputError, match=says):
        gather(studies, copy)


def test_nothing_in_a_file_can_break_the_page_or_is_lost(results, paper, text):
    """Nor in an author's reply, which is printed word for word beside the answer."""
    bad = """</script><img src=x onerror="alert('1')"> & <b>"""
    figures = {
        name: replace(figure, caption=bad, title=bad) for name, figure in paper.figures.items()
    }
    texts = {"title": bad, "venue": bad, "readings": {**paper.readings, "published": bad}}
    claims = paper.claims | {"S2": replace(paper.claims["S2"], reply=bad)}
    altered = replace(paper, **texts, figures=figures, claims=claims)
    shown = site.render(gather({paper.id: altered}, results, version=bad), "files")
    outline = Outline(shown)
    assert "x" not in outline.all("src")
    assert [tag for tag, _ in outline.elements].count("script") == 1
    assert any(bad in words for words in outline.all("alt"))
    (row,) = re.findall(r'<tr id="tossou2016/S2".*?</tr>', shown, re.DOTALL)
    assert bad in html.unescape(row.partition("<blockquote>")[2])
    assert "blockquote" not in text.partition("<body>")[2]


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
        labels = [label.rpartition(" (")[0] for label in best[f"ε = {epsilon}"].split(" = ")]
        first = here.loc[here["place"] == "first", "policy"].tolist()
        assert [label for label in labels if label in {*here["policy"]}] == first
        assert f"<td>{best[f'ε = {epsilon}']}</td>" in text
    assert text.count("<summary>All policies, if you trust ") == 5

"""The page itself: it shows its content, nothing in a file can break it, and a browser shows it as it should be."""

import csv
import dataclasses
import gzip
import html
import itertools
import json
import math
import os
import pickle
import random
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser

import markupsafe
import numpy as np
import pandas as pd
import pytest
from browser import Page, chromium
from project import ROOT
from report.conftest import BARS, DRAWN, POINTS, SMOKE, STEPS
from scipy import stats

from dpbandits import report
from dpbandits.arena import names
from dpbandits.arena.cells import LEAGUES
from dpbandits.figures import curves
from dpbandits.files import traces


class Outline(HTMLParser):
    """The elements of a page."""

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


def test_the_page_shows_its_content(page, outline, gathered):
    papers = gathered["papers"]
    verdicts = [verdict for paper in papers for verdict in paper["verdicts"]]
    (overview,) = re.findall(r'<dl class="figures">.*?</dl>', page, re.DOTALL)
    totals = [int(number.replace(",", "")) for number in re.findall(r"<dd>([\d,]+)", overview)]
    assert totals == [gathered["totals"][key] for key in ("papers", "figures", "sentences", *gathered["outcomes"])]
    assert page.count("Reconstruction from a summary") == sum(paper["from_summary"] for paper in papers)
    counted = sum(verdict["kind"] != "summary" for verdict in verdicts)
    assert f"measured by {counted:,} verdicts" in page
    (scores,) = re.findall(r'<table class="scores">.*?</table>', page, re.DOTALL)
    cells = re.findall(r'<td class="number">(.*?)</td>', scores)
    assert cells == [cell for score in gathered["scores"] for cell in score.cells]
    said = re.findall(r'<p data-reading="(\w+)"><span class="(\w+)">.*?<span class="why">(.*?)</span></p>', page)
    assert said == [
        (score["reading"], score["verdict"], html.escape(score["reason"]).replace("&#x27;", "&#39;"))
        for paper in papers
        for sentence in paper["sentences"]
        for score in sentence["verdicts"]
    ]
    asked = [v for paper in papers for entry in paper["questions"] for v in entry["verdicts"]]
    opening = r'data-reading="(\w+)" data-verdict="(\w+)">'
    below = re.findall(rf'<div class="verdict" {opening}.*?<p class="numbers"><b>(.*?)</b>', page, re.DOTALL)
    row = opening + r'<td>.*?</td><td>.*?</td><td>\w+</td><td>\w+</td><td class="number">(.*?)</td>'
    wanted = Counter((v["reading"], v["outcome"], html.escape(v["measured"])) for v in verdicts)
    assert Counter(re.findall(row, page)) == wanted
    wanted = Counter((v["reading"], v["verdict"], html.escape(v["measured"])) for v in verdicts + asked)
    assert Counter(below) == wanted
    for verdict in verdicts:
        assert str(markupsafe.escape(verdict["cause"]))[1:] in page
    accounts = re.findall(r'<th scope="row">LDP-NCB<small>(.*?)</small></th>.*?<td class="number">(≥ .*?)</td>', page)
    assert accounts == [(a["sentence"], a["measured"]) for p in papers for a in p["accounts"] if a["sentence"]]
    offered = {a["download"]: a["href"] for a in outline.all("a") if "download" in a}
    data = [file for p in papers for group in p["groups"] for panel in group["panels"] for file in panel["data"]]
    assert all(offered[file["file"]] == file["href"] for file in data if file["href"])
    assert all(offered[paper["file"]["name"]] == paper["file"]["href"] for paper in papers)


def test_ten_entries_of_what_fails_come_before_the_fold(page, gathered):
    failing = gathered["failing"]
    section = page[page.index('id="what-fails"') : page.index(f'<section id="{gathered["papers"][0]["id"]}"')]
    before, after = section.split('<details class="rest">')
    entry = '<h3><a class="tag"'
    assert before.count(entry) == 10
    assert after.count(entry) == len(failing) - 10 > 0
    assert f"{len(failing) - 10} more entr" in after
    headings = re.findall(r'<h3><a class="tag" href="#.*?">(.*?)</a>', section)
    assert headings == [f"{f['paper']} {f['sentence']['id']}" for f in failing]


def test_the_page_opens_with_all_figures_and_the_verdicts_on_their_sentences(page, gathered):
    """Each panel once, by paper; a click leads to its chapter, and a mark to the sentence."""
    assert (
        page.index('<section id="figures"')
        < page.index('<section id="what-fails"')
        < page.index('<section id="overview"')
    )
    sheet = page[page.index('<section id="figures"') : page.index('<section id="what-fails"')]
    panels = [panel for paper in gathered["papers"] for group in paper["groups"] for panel in group["panels"]]
    tiles = re.findall(r'<li><a class="tile" href="#(.*?)">(.*?)</li>\n', sheet.replace("</li><li>", ""), re.DOTALL)
    of_the_arena = [f"arena-{figure}" for figure in names.FIGURES]
    assert [anchor for anchor, _ in tiles] == [panel["anchor"] for panel in panels] + of_the_arena
    assert all(f'<figure id="{anchor}"' in page for anchor in of_the_arena)
    for (_, tile), panel in zip(tiles, panels, strict=False):
        shown = re.findall(r'<a href="#(.*?)" title=".*?">(\w+)<span', tile)
        said = [sentence for sentence in panel["sentences"] if sentence["kind"] == "sentence"]
        assert shown == [(sentence["anchor"], sentence["id"]) for sentence in said]
        verdicts = [{score["verdict"] for score in sentence["verdicts"]} for sentence in said]
        marked = [
            set(re.findall(r'class="(holds|fails|undecided|untested)"', chip)) for chip in tile.split("<a href=")[1:]
        ]
        assert marked == verdicts


def test_our_questions_are_folded_and_among_no_failures(page, gathered):
    (section,) = re.findall(r'<section id="questions".*?</section>', page, re.DOTALL)
    outside = re.sub(r"<details>.*?</details>", "", section, flags=re.DOTALL)
    rest = page.replace(section, "")
    asked = [entry for paper in gathered["papers"] for entry in paper["questions"]]
    assert asked
    for entry in asked:
        text = str(markupsafe.escape(entry["says"]))
        assert text in section
        assert text not in outside
        assert f", {entry['id']}, <a " not in rest


def test_what_is_not_asked_for_is_not_there(page, all_papers, sources, settings):
    """A section for guests, one for the arena, and what differs from run to run; nothing of these is in the overview."""
    without_files = re.sub(r"<pre>.*?</pre>", "", page[page.index("<body>") :], flags=re.DOTALL)
    assert "guests" not in without_files
    assert "This run" not in page
    stamp = {"commit": "", "changed": False, "versions": {}, "times": {"tossou2016": {"jobs": 2, "cpu_seconds": 90.5}}}
    stamped = report.page(all_papers, sources, settings, stamp)
    assert "This run" in stamped
    assert "1 min 30 s" in stamped
    assert 'id="arena"' not in stamped
    assert 'id="arena"' in page
    assert stamped[stamped.index('<section id="overview"') : stamped.index("<h3>This run")].rstrip() in page


def test_the_same_results_give_the_same_bytes(page, all_papers, sources, settings, arena):
    code = (
        "import pickle, sys; from dpbandits import report\n"
        "sys.stdout.buffer.write(report.page(*pickle.load(sys.stdin.buffer)).encode())"
    )
    given = pickle.dumps(({**all_papers, "arena": arena}, sources, settings, None))
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, env=environment, check=True)
    assert done.stdout == page.encode()


def pictures_of(gathered):
    panels = [panel for paper in gathered["papers"] for group in paper["groups"] for panel in group["panels"]]
    return [picture for panel in panels for picture in panel["pictures"]]


def test_at_paper_scale_the_page_is_below_20_MB(page, outline, sources, all_papers, gathered):
    """This page, with the reference's data of paper scale, and every picture as large as those drawn here on average."""
    packed = sum(len(a["href"]) for a in outline.all("a") if "gzip" in a["href"])
    images = outline.all("img")
    whole, small = (
        [image["src"] for image in images if bool(image["alt"]) is described] for described in (True, False)
    )
    text = len(page.encode()) - packed - sum(map(len, whole)) - sum(map(len, small))
    summaries = [path for paper in all_papers for path in (ROOT / f"reference/summaries/{paper}").glob("*.csv")]
    data = sum(len(gzip.compress(report.content.rounded(path.read_bytes()))) for path in summaries) * 4 / 3
    pictures = [(p, json.loads(p.with_suffix(".json").read_text())) for p in sources.results.glob("pictures/*/*.png")]
    drawn = [(p, p.with_suffix(".json")) for p, about in pictures if about["axes"] not in ([], [BARS], [STEPS])]
    sizes = [picture.stat().st_size * 4 / 3 + about.stat().st_size for picture, about in drawn]
    assert len(sizes) >= DRAWN * len(all_papers)
    thumbnails = [
        len(picture["thumbnail"]["src"]) for picture in pictures_of(gathered) if picture["points"] or picture["curves"]
    ]
    assert text + data + len(whole) * np.mean(sizes) + len(small) * np.mean(thumbnails) < 20e6


def test_the_page_is_one_file_that_asks_for_nothing(page, outline):
    assert all(image["src"].startswith("data:image/png;base64,") for image in outline.all("img"))
    assert not outline.all("iframe")
    assert all("src" not in script for script in outline.all("script"))
    assert [link["rel"] for link in outline.all("link")] == ["icon"]
    assert not re.search(r"@import|url\(", page[: page.index("</style>")])


def test_links_lead_somewhere_headings_skip_no_level_and_pictures_are_described(outline):
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    links = {a["href"][1:] for a in outline.all("a") if a["href"].startswith("#")}
    named = {a[key] for _, a in outline.elements for key in ("aria-labelledby", "data-geometry") if key in a}
    assert links | named <= set(ids)
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False))
    descriptions = [image["alt"] for image in outline.all("img") if image["alt"]]  # a thumbnail's link says what it is
    assert all(len(alt) > 30 for alt in descriptions)
    assert 2 * len(descriptions) > len(outline.all("img"))
    assert len(set(descriptions)) == len(descriptions)


def test_nothing_in_a_file_can_break_the_page(all_papers, sources, settings):
    bad = """</script><img src=x onerror="alert('1')"> & <b>"""
    paper, replace = all_papers["tossou2016"], dataclasses.replace

    def with_bad_labels(policy):
        return replace(policy, series=tuple(replace(s, label=bad + s.label) for s in policy.series))

    altered = replace(
        paper,
        title=bad,
        venue=bad,
        readings={"published": bad},
        experiments={
            name: replace(e, policies=tuple(map(with_bad_labels, e.policies))) for name, e in paper.experiments.items()
        },
        figures={name: replace(figure, caption=bad, title=bad) for name, figure in paper.figures.items()},
        claims=tuple(replace(claim, says=bad, source=bad) for claim in paper.claims),
        sentences=tuple(replace(said, says=bad, place=bad, evidence=bad) for said in paper.sentences),
    )
    text = report.page({"tossou2016": altered}, sources, {**settings, "version": bad})
    found = Outline(text)
    assert not [image for image in found.all("img") if image["src"] == "x"]
    assert text.count("</script>") == text.count("<script")
    assert len(found.all("script")) == 1 + len({e["data-geometry"] for e in found.all("div") if "data-geometry" in e})
    assert bad in next(image["alt"] for image in found.all("img") if image["alt"])  # and nothing of it is lost


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
def test_it_loads_without_complaint_and_every_picture_is_there(tab):
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
def test_the_filters_leave_what_they_should(tab, gathered):
    rows = [(paper["id"], row["reading"], row["outcome"]) for paper in gathered["papers"] for row in paper["verdicts"]]

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
    for paper in {paper for paper, _, _ in rows}:
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


class Pointer:
    """The pointer over a picture, and the text beside it."""

    def __init__(self, tab, figure):
        self.tab = tab
        plot = f"document.querySelector('[data-geometry=g-{figure}]')"
        tab(f"{plot}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        # Scrolling hides an answer.
        tab("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.box = tab(f"{plot}.getBoundingClientRect().toJSON()")

    def at(self, across, down):
        """Where it is, and the label, number and band of what is nearest; the place in shares of the picture."""
        box = self.box
        self.tab.mouse("mouseMoved", box["x"] + across * box["width"], box["y"] + down * box["height"])
        said = "['.at', '.near .label', '.near b', '.near .band'].map(s => document.querySelector('.tip ' + s)?.textContent)"
        return self.tab(said)


@in_a_browser
def test_a_pointer_on_a_curve_names_policy_time_centre_and_band(tab, sources):
    with open(SMOKE / "summaries/tossou2016/fig2a.csv", newline="") as file:
        last = [row for row in csv.DictReader(file) if row["policy"] == "private-ucb"][-1]
    geometry = json.loads((sources.results / "pictures/tossou2016/fig2a.json").read_text())["axes"][0]
    (left, top, width, height), (_, _, low, high), (_, _, bottom, summit) = (geometry[k] for k in ("box", "x", "y"))
    t, centre = float(last["t"]), float(last["mean"])
    across = left + width * math.log(t / low) / math.log(high / low)
    down = top + height * (1 - math.log(centre / bottom) / math.log(summit / bottom))
    where, label, number, band = Pointer(tab, "tossou2016-fig2a").at(across, down)
    assert (where, label) == (f"time step t = {int(t):,}", "Private-UCB (1)")
    found = [float(text.replace(",", "")) for text in (number, *band.split(" to "))]
    middle, below, above = (float(last[name]) for name in ("median_of_means", "gmd_below", "gmd_above"))
    assert found == pytest.approx([centre, middle - below, middle + above], rel=0.005)
    tab.mouse("mouseMoved", 2, 2)
    assert visible(tab, ".tip") == 0


@in_a_browser
def test_a_click_on_the_name_of_a_curve_hides_it(tab, sources):
    """In the picture, where the others are drawn again where they were, and under the pointer; a second click shows it."""
    figure = "document.querySelector('figure:has([data-geometry=g-tossou2016-fig2a])')"
    geometry = json.loads((sources.results / "pictures/tossou2016/fig2a.json").read_text())
    (ax,) = geometry["axes"]
    labels = [curve["label"] for curve in ax["curves"]]
    assert tab(f"[...{figure}.querySelectorAll('.legend button')].map(b => b.textContent)") == labels
    (left, top, width, height), (_, _, low, high), (_, _, bottom, summit) = (ax[k] for k in ("box", "x", "y"))
    hidden = next(curve for curve in ax["curves"] if curve["label"] == "Private-UCB (1)")
    across = left + width * math.log(hidden["x"][-1] / low) / math.log(high / low)
    down = top + height * (1 - math.log(hidden["y"][-1] / bottom) / math.log(summit / bottom))
    button = "figure:has([data-geometry=g-tossou2016-fig2a]) .legend button:nth-child({})".format(
        labels.index(hidden["label"]) + 1
    )
    for is_hidden in (True, False):
        tab.click(button)
        under = Pointer(tab, "tossou2016-fig2a").at(across, down)[1]
        assert (under == hidden["label"]) is not is_hidden
        lines = tab(
            f"[...{figure}.querySelectorAll('.redrawn polyline')].map(l => l.getAttribute('points').split(' ').at(-1))"
        )
        left_over = [curve for curve in ax["curves"] if curve is not hidden] if is_hidden else []
        assert len(lines) == len(left_over)
        for line, curve in zip(lines, left_over, strict=True):
            x, y = map(float, line.split(","))
            assert x == pytest.approx(
                geometry["width"] * width * math.log(curve["x"][-1] / low) / math.log(high / low), abs=0.1
            )
            share = math.log(curve["y"][-1] / bottom) / math.log(summit / bottom)
            assert y == pytest.approx(geometry["height"] * height * (1 - share), abs=0.1)
    tab.mouse("mouseMoved", 2, 2)
    assert tab.complaints == []


@in_a_browser
def test_a_curve_of_the_arena_that_is_left_keeps_its_steps_and_dashes(tab):
    """From the bottom up, and level from one value to the next."""
    plot = "[data-geometry=g-arena-profile]"
    tab.click(f"figure:has({plot}) .legend button:nth-child(2)")
    named = "['points', 'stroke-dasharray'].map(name => line.getAttribute(name))"
    ((line, dash),) = tab(f"[...document.querySelectorAll('{plot} .redrawn polyline')].map(line => {named})")
    assert dash == "14 7"  # of a line 3.5 wide
    _, _, width, height = STEPS["box"]
    corners = [(2, 0), (2, 0.25), (6, 0.25), (6, 0.5), (10, 0.5), (10, 1)]  # the picture has 400 x 300 pixels
    wanted = [number for x, y in corners for number in (400 * width * x / 10, 300 * height * (1 - y))]
    assert [float(number) for number in re.split("[ ,]", line)] == pytest.approx(wanted, abs=0.1)
    tab.click(f"figure:has({plot}) .legend button:nth-child(2)")
    assert tab(f"document.querySelectorAll('{plot} .redrawn').length") == 0
    assert tab.complaints == []


@in_a_browser
def test_circles_lie_where_the_authors_drew_them_and_can_be_hidden(tab, sources):
    """On the last point of GDP-NCB in sarkar2025's Figure 1a, whatever the size of the picture."""
    with open(POINTS, newline="") as file:
        last = [row for row in csv.DictReader(file) if row["series"] == "gdp-ncb"][-1]
    about = json.loads((sources.results / "pictures/sarkar2025/fig1a.json").read_text())
    (left, top, width, height), (_, _, low, high), (_, _, bottom, summit) = (
        about["axes"][0][key] for key in ("box", "x", "y")
    )
    across = left + width * (float(last["x"]) - low) / (high - low)
    down = top + height * (1 - (float(last["y"]) - bottom) / (summit - bottom))
    plot = "document.querySelector('[data-geometry=g-sarkar2025-fig1a]')"
    frame = tab(f"{plot}.getBoundingClientRect().toJSON()")
    circles = f"[...{plot}.querySelectorAll('circle')].map(c => c.getBoundingClientRect().toJSON())"
    centres = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in tab(circles)]
    assert 30 < len(centres) == len(about["points"]) <= 2 * curves.CIRCLES
    wanted = frame["x"] + across * frame["width"], frame["y"] + down * frame["height"]
    assert min(math.dist(wanted, centre) for centre in centres) < 1
    assert visible(tab, ".circles") == 1
    tab.click(".panel:has(.circles) .switch input")
    assert visible(tab, ".circles") == 0
    tab.click(".panel:has(.circles) .switch input")
    assert visible(tab, ".circles") == 1


def test_the_page_says_how_far_our_curves_are_from_those_that_were_drawn(page, all_papers, sources, settings):
    says = "median and largest: AdaP-UCB &lt; 0.1%, 0.1%; GDP-NCB 1.4%, 11.8%."
    assert page.count(says) == 1
    about = json.loads((sources.results / "pictures/sarkar2025/fig1a.json").read_text())
    found = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="6" stroke="(#\w+)"/>', page)
    assert [[float(x), float(y), colour] for x, y, colour in found] == about["points"]
    assert page.count(f'<svg class="circles" viewBox="0 0 {about["width"]} {about["height"]}"') == 1
    assert "is known as numbers" not in page  # shorter games say nothing of what is known
    at_paper_scale = report.page(all_papers, sources, settings | {"scale": "paper"})
    assert at_paper_scale.count("No published curve of this paper is known as numbers.") == len(all_papers) - 1
    assert at_paper_scale.count("is known as numbers for Figure 1a, and for no other figure") == 1


@in_a_browser
def test_a_pointer_on_a_horizontal_bar_names_it(tab):
    left, top, width, height = BARS["box"]
    _, _, bottom, summit = BARS["x"]
    pointer = Pointer(tab, "tossou2016-s-lost-runs")
    for position, name, value, band in ((0, "upper", "30", "29 to 33"), (1, "lower", "50", "48 to 54")):
        down = top + height * (1 - (position - bottom) / (summit - bottom))
        where, _, number, said = pointer.at(left + width * 0.3, down)
        assert (where, number, said) == (name, value, band)
    assert tab.complaints == []


SCORES = pd.read_csv(ROOT / "reference/arena/scores.csv")


def ranking(league, epsilon, arms, t):
    """The rows of an arena's ranking from the table in the reference, as numbers; and whether each has a place and a tie."""
    here = SCORES[SCORES["arms"] == arms]
    ends = here.groupby(["instance", "game"])["t"].max().rename("end").reset_index()
    here = here[here["t"] == t].merge(ends).sort_values("end", kind="stable")
    here = here.drop_duplicates(["policy", "epsilon", "instance"])
    mine = here[(here["league"] == league) & (here["epsilon"].isna() | (here["epsilon"] == epsilon))]
    rows = []
    for label, cells in mine.groupby("label"):
        unit = stats.gmean(cells["mean"] / cells["over_yardstick"]) if cells["over_yardstick"].notna().all() else 1
        relative = math.sqrt(((cells["standard_error"] / cells["mean"]) ** 2).sum()) / len(cells)
        out = (cells["promise"] == "exceeded") | (cells.get("setting", pd.Series("", cells.index)) == "printed")
        counts = len(cells) == here["instance"].nunique() and not out.any()
        regrets = [stats.gmean(cells[column]) / unit for column in ("mean", "median", "percentile_95")]
        lost, spent, measured = cells["locked_in"].mean(), cells["spent"].max(), cells["measured"].max()
        rows.append([counts, label, regrets[0], regrets[0] * relative, *regrets[1:], lost * 100, spent, measured])
    rows.sort(key=lambda row: (not row[0], float(f"{row[2]:.5g}"), row[1]))
    (_, _, best, error, *_) = rows[0]
    ties = [row[0] and row[2] - best <= 2 * math.hypot(row[3], error) for row in rows]
    return rows, ties


DEFAULT = (LEAGUES[0], 0.5, 10, 100_000)
PLAYED = sorted({*SCORES[["league", "epsilon", "arms", "t"]].fillna(0.5).itertuples(index=False, name=None)})


def choose(tab, setting):
    for name, value in zip(("league", "epsilon", "arms", "t"), setting, strict=True):
        written = f"{value:g}" if isinstance(value, float) else value
        tab(f"document.querySelector('.chooser [name={name}]').value = '{written}'")
    tab("document.querySelector('.chooser').dispatchEvent(new Event('change'))")


@in_a_browser
@pytest.mark.parametrize("setting", [DEFAULT, *random.Random(1).sample(PLAYED, 12)], ids=str)
def test_the_chooser_ranks_as_the_table_says(tab, setting):
    tab.until(lambda: visible(tab, ".chooser"), "the table to be unpacked")
    offered = tab("[...document.querySelectorAll('.chooser option[selected]')].map(e => e.value)")
    assert offered == [f"{value:g}" if isinstance(value, float) else str(value) for value in DEFAULT]
    choose(tab, setting)
    shown = tab(
        "[...document.querySelectorAll('.ranking tbody tr')].map(r => [...r.cells].map(c => c.firstChild.data))"
    )
    marked = tab("[...document.querySelectorAll('.ranking tbody tr')].map(r => r.className)")
    rows, ties = ranking(*setting)
    assert [cells[1] for cells in shown] == [row[1] for row in rows]
    assert marked == ["tied" if t else "" if row[0] else "grey" for row, t in zip(rows, ties, strict=True)]
    places = [
        "1, tied" if t and sum(ties) > 1 else str(i + 1) if row[0] else "–"
        for i, (row, t) in enumerate(zip(rows, ties, strict=True))
    ]
    assert [cells[0] for cells in shown] == places
    for cells, row in zip(shown, rows, strict=True):
        numbers = " ".join(cells[2:]).replace("–", "nan").replace("∞", "inf")
        read = [float(number) for number in re.sub(r"[±≥<%,]", "", numbers).split()]
        assert read[:1] + read[2:] == pytest.approx(row[2:3] + row[4:], rel=0.06, abs=0.1, nan_ok=True)
        assert read[1] == pytest.approx(row[3], rel=0.06, abs=0.05)
    answer = tab("document.querySelector('.answer').textContent")
    assert answer.startswith(", ".join(row[1] for row, t in zip(rows, ties, strict=True) if t))
    assert ("tied" in answer) == (sum(ties) > 1)
    assert tab.complaints == []


@in_a_browser
def test_the_chooser_says_where_nobody_plays(tab):
    tab.until(lambda: visible(tab, ".chooser"), "the table to be unpacked")
    chosen = itertools.product(*(sorted({setting[i] for setting in PLAYED}) for i in range(4)))
    choose(tab, next(setting for setting in chosen if setting not in PLAYED))
    assert tab("document.querySelector('.answer').textContent").startswith("No policy")
    assert visible(tab, ".ranking tbody tr") == 0
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
def test_nothing_scrolls_sideways(tab, width, all_papers):
    """The whole menu is in view, on a phone too, and then everything is unfolded."""
    tab.resize(width, 844)
    entries, outside = tab("""(() => {
        const links = [...document.querySelectorAll('nav a')], boxes = links.map(e => e.getBoundingClientRect());
        return [links.map(e => e.hash.slice(1)), boxes.filter(b => b.left < 0 || b.right > innerWidth || !b.height).length] })()""")
    assert set(all_papers) < set(entries)
    assert entries == tab("[...document.querySelectorAll('main section')].map(e => e.id)")
    assert outside == 0
    fold = "document.querySelectorAll('details').forEach(d => d.open = {})"
    tab(fold.format("true"))
    assert tab("document.documentElement.scrollWidth") <= width
    outside = """[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll') && !e.closest('.unseen')
        && e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1).length"""
    assert tab(outside) == 0
    tab(fold.format("false"))  # unfolded, each change of the width is slow

"""The page in a browser: all is there, all text is legible, and clicks work."""

import pytest
from browser import Page, chromium

from dpbandits import recommend

pytestmark = pytest.mark.skipif(
    not chromium(), reason="no Chromium here: Debian's `apt-get install chromium` installs it"
)
CONTRAST = """
(() => {
  const parse = (c) => {
    const n = c.match(/[\\d.]+/g).map(Number);
    return n.length < 4 ? [...n, 1] : n;
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) return c;
    }
  };
  const poor = new Set(); let seen = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walk.nextNode();) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !e.getClientRects().length || e.closest('script')) continue;
    const style = getComputedStyle(e), a = light(parse(style.color)), b = light(behind(e)); seen++;
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < 4.5) poor.add(`${e.className || e.tagName} ${style.color}`);
  }
  return [seen, ...poor];
})()"""


@pytest.fixture(scope="module")
def tab(page):
    with Page((page / "index.html").as_uri()) as tab:
        tab("document.querySelectorAll('details').forEach(d => d.open = true)")
        yield tab


def visible(tab, selector):
    elements = f"[...document.querySelectorAll(`{selector}`)]"
    return tab(f"{elements}.filter(e => e.getClientRects().length).length")


def test_it_loads_without_complaint_and_every_picture_is_there(tab):
    tab("document.querySelectorAll('img').forEach(i => i.loading = 'eager')")
    tab.until(lambda: tab("[...document.images].every(i => i.complete && i.naturalWidth > 0)"))
    assert tab("document.images.length") > 3
    assert tab.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(tab, scheme):
    tab.prefer(scheme)
    seen, *poor = tab(CONTRAST)
    assert (tab("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)") is (
        scheme == "light"
    )
    assert seen > 100
    assert poor == []


@pytest.mark.parametrize("width", [320, 390, 1400])
def test_nothing_scrolls_sideways(tab, width):
    tab.resize(width, 844)
    assert tab("document.documentElement.scrollWidth") <= width


def test_a_click_on_the_name_of_a_curve_hides_all_of_it(tab):
    curve = "#tossou2016-fig2a figure:first-of-type [data-label^=DP-UCB] *"
    for shown in (0, 2):
        tab.click("#tossou2016-fig2a figure:first-of-type .legend button:nth-child(2)")
        assert visible(tab, curve) == shown
        assert visible(tab, "#tossou2016-fig2a [data-label^=UCB] path") == 2  # in either reading


def test_the_authors_points_have_a_switch(tab):
    shown = "getComputedStyle(document.querySelector('#tossou2016-fig2b .published')).display"
    assert tab(shown) == "inline"
    tab.click("#tossou2016-fig2b .switch")
    assert tab(shown) == "none"


def test_letters_of_a_drawing_are_seen(tab):
    letter = (
        "document.querySelector('#tossou2016-fig2a use[href=\"#DejaVuSans-1\"]').getBBox().width"
    )
    assert tab(letter) == 5


def test_a_click_sorts_the_claims_and_a_box_leaves_those_that_depend_on_the_reading(tab):
    rows = (
        "[...document.querySelectorAll('#claims tbody tr')]"
        ".filter(r => r.getClientRects().length).map(r => r.cells[1].textContent)"
    )
    assert tab(rows) == ["S1", "S2", "P1"]
    for wanted in (["P1", "S1", "S2"], ["S2", "S1", "P1"]):
        tab.click("#claims th:nth-child(2) button")
        assert tab(rows) == wanted
    tab.click("#depends")
    assert tab(rows) == ["S1", "P1"]


def test_the_chosen_ranking_is_shown(tab):
    chosen = (
        "[...document.querySelectorAll('.rankings table:not([hidden])')].map(t => t.dataset.key)"
    )
    assert tab(chosen) == ["central pure|0.5|10|100000"]
    choose = (
        "(s => {{ s.value = '{}'; s.dispatchEvent(new Event('input', {{bubbles: true}})) }})"
        "(document.querySelectorAll('.choice select, .choice input')[{}])"
    )
    for value, place in (("local", 0), ("1000", 3)):
        tab(choose.format(value, place))
    assert tab(chosen) == ["local|0.5|10|1000"]
    sentence, code = (f"document.querySelectorAll('.answer')[{i}].textContent" for i in (0, 1))
    for numbers in ((0.3, 20, 50_000), (0.7, 7, 33_333)):
        for place, value in enumerate(numbers, start=1):
            tab(choose.format(value, place))
        epsilon, arms, rounds = numbers
        ours = recommend(arms, rounds, epsilon, "nobody")
        first = ours.cells.iloc[0]
        assert tab(chosen) == [f"local|{first.epsilon:g}|{first.arms}|{first.rounds}"]
        assert ("disagree" in tab(sentence)) is not ours.agree
        shown = [tab(sentence).find(f"{cell.rounds:,} rounds") for cell in ours.cells.itertuples()]
        assert min(shown) > 0
        assert tab(code) == ours.code
    tab(choose.format("50", 3))
    assert tab(chosen) == []
    assert tab(sentence).startswith("rounds: measured from 1,000 to 200,000.")
    assert tab.complaints == []

"""The page in a browser: all is there, all text is legible, and clicks work."""

import pytest
from browser import Page, chromium

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


def test_in_print_the_head_of_a_table_can_be_on_every_page(tab):
    """Chromium repeats no head that has a button."""
    tab.send("Emulation.setEmulatedMedia", media="print")
    buttons = "[...document.querySelectorAll('thead button')]"
    assert tab(f"{buttons}.every(b => getComputedStyle(b).display === 'contents')")
    tab.prefer("light")


def test_the_keyboard_reaches_and_presses_what_a_click_does(tab):
    """Every control is in the order of the tab key, and Enter presses it."""
    controls = "a[href], button, select, input, summary, [tabindex]"
    shown = f"[...document.querySelectorAll('{controls}')].filter(e => e.checkVisibility())"
    assert tab(f"{shown}.filter(e => e.tabIndex < 0).length") == 0
    assert tab(f"{shown}.length") > 50
    heads = ".counts thead th:nth-child({}) button"
    tab(f"document.querySelector('{heads.format(1)}').focus()")
    tab.press("Tab", 9)
    assert tab(f"document.activeElement === document.querySelector('{heads.format(2)}')")
    for order in ("ascending", "descending"):
        tab.press("Enter", 13)
        assert tab("document.activeElement.closest('th').ariaSort") == order


@pytest.mark.parametrize("name", ["tossou2016/S2", "tossou2016/fig2b", "tossou2016/check-A1"])
def test_a_claim_and_a_figure_have_an_address(page, name):
    with Page(f"{(page / 'index.html').as_uri()}#{name}") as tab:
        assert tab("document.querySelector(':target').id") == name
        tab.until(
            lambda: abs(tab("document.querySelector(':target').getBoundingClientRect().top")) < 900
        )
        assert tab.complaints == []


def test_a_click_sorts_the_claims(tab):
    rows = "[...document.querySelectorAll('#claims tbody tr')].map(r => r.cells[1].textContent)"
    assert tab(rows) == ["S1", "S2", "P1"]
    for wanted in (["P1", "S1", "S2"], ["S2", "S1", "P1"]):
        tab.click("#claims th:nth-child(2) button")
        assert tab(rows) == wanted


@pytest.mark.parametrize(("table", "column"), [("#arena details", 4), ("#privacy", 6)])
def test_every_table_sorts_numbers_as_numbers(tab, table, column):
    tab("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert tab("document.querySelectorAll('table:not(.sortable)').length") == 0
    cells = (
        f"[...document.querySelector(`{table} table`).querySelectorAll('td:nth-child({column})')]"
        ".map(cell => cell.textContent)"
    )

    def numbers():
        return [float(cell.split()[0].replace(",", "")) for cell in tab(cells)]

    wanted = sorted(numbers())
    for order in (wanted, wanted[::-1]):
        tab.click(f"{table} table thead th:nth-child({column}) button")
        assert numbers() == order

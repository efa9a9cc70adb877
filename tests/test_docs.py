"""The site of `make docs`: every page is in its menu, its links lead somewhere, and it loads nothing from elsewhere."""

import os
import re
import subprocess
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from project import ROOT

MKDOCS = ROOT / ".venv-docs/bin/mkdocs"
SETTINGS = yaml.safe_load((ROOT / "mkdocs.yml").read_text())


def pages_of(menu):
    for entry in menu:
        for inside in entry.values():
            if isinstance(inside, str):
                yield inside
            else:
                yield from pages_of(inside)


def test_every_page_is_in_the_menu():
    menu = list(pages_of(SETTINGS["nav"]))
    assert len(set(menu)) == len(menu)
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    # docs/hooks.py adds these.
    elsewhere = {"index.md", "ARTIFACT.md", "CONTRIBUTING.md", "configuration.md", "gallery.md"}
    assert set(menu) == written | elsewhere


class Page(HTMLParser):
    """What a page loads, where its links lead, and the places on it that links can name."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.links, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.places |= {found[key] for key in ("id", "name") if key in found}
        if tag in ("script", "img", "iframe", "source"):
            self.loaded.append(found.get("src", ""))
        elif tag == "link" and found.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(found["href"])
        elif tag == "a" and "href" in found:
            self.links.append(found["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if not MKDOCS.exists():
        pytest.skip("MkDocs is not installed: `make docs` installs it into .venv-docs")
    folder = tmp_path_factory.mktemp("site")
    command = [MKDOCS, "build", "--quiet", "--strict", "--site-dir", folder]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr  # every warning is an error
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def pages(site):
    return {
        name: Page(path.read_text()) for name, path in site.items() if path.suffix == ".html" and path.stem != "404"
    }


def test_every_link_leads_to_a_page_and_a_place_on_it(site, pages):
    checked, broken = 0, []
    for name, page in pages.items():
        for link in page.links:
            address = urlsplit(link)
            if address.scheme:
                continue
            folder = os.path.dirname(name)
            target = os.path.normpath(os.path.join(folder, unquote(address.path))) if address.path else name
            checked += 1
            misplaced = address.fragment and target in pages and unquote(address.fragment) not in pages[target].places
            if target not in site or misplaced:
                broken.append((name, link))
    assert checked > 500
    assert broken == []


def test_it_loads_nothing_from_elsewhere(site, pages):
    assert [(name, url) for name, page in pages.items() for url in page.loaded if urlsplit(url).netloc] == []
    styles = "".join(path.read_text() for path in site.values() if path.suffix == ".css")
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)\"']+", styles) == []


def test_formulas_are_shown_without_a_script(site):
    method = site["method.html"].read_text()
    assert method.count("<math") > 8
    assert "arithmatex" not in method
    assert "$$" not in method


def test_the_reference_has_every_public_function_of_the_library(pages):
    import dpbandits

    public = {f"dpbandits.library.{name}" for name in dpbandits.__all__ if not name.startswith("_")}
    assert public <= pages["api.html"].places

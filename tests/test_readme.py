"""README and docs: examples run, targets and links exist, the table is complete."""

import re

import pytest
import yaml
from project import PAPERS, ROOT

README = (ROOT / "README.md").read_text()
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARTIFACT.md", "config/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def test_its_example_runs(tmp_path, monkeypatch, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    printed = capsys.readouterr().out
    assert (tmp_path / "compare.pdf").stat().st_size > 5_000
    assert re.search(r"DP-SE .* kept", printed)
    assert "..." not in printed  # pandas leaves no column out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_it_links_or_names_is_there(page):
    """But for those of modules that the reader writes, my_ucb.py."""
    for target in re.findall(r"\]\((?!https:)([^)#]+)[^)]*\)", page.read_text()):
        assert (page.parent / target).exists(), target
    folders = "src|config|tests|docs|benchmarks|profiles|workflow|reference"
    for path in re.findall(rf"`((?:{folders})/[\w./-]+)`", page.read_text()):
        assert (ROOT / path).exists() or "/my_" in path, path


def test_every_paper_is_in_the_table():
    for paper in PAPERS:
        assert f"| [{paper}](docs/readings/{paper}.md): " in README


def test_its_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_page_is_in_the_menu():
    sections = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    menu = sorted(re.findall(r"[\w/-]+\.md", str(sections)))
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    added = {
        "index.md",
        "ARTIFACT.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "configuration.md",
        "gallery.md",
    }  # by docs/hooks.py
    assert menu == sorted(written | added)

"""README and docs: examples run, targets and links exist, the table is complete."""

import re
import runpy
from pathlib import Path

import pytest
import yaml
from matplotlib import pyplot as plt
from project import PAPERS, ROOT

from dpbandits import Bernoulli, compare
from dpbandits.errors import InputError

README = (ROOT / "README.md").read_text()
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARTIFACT.md", "config/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def run_code(page, folder):
    """Run the Python code of a page as one script, and return its names."""
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE
    )
    script = folder / f"{Path(page).stem}.py"
    script.write_text("\n".join(blocks))
    return runpy.run_path(str(script), run_name=script.stem)


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    result = run_code(page, tmp_path)["result"]
    printed = capsys.readouterr().out
    assert re.search(r"DPSE\(epsilon=0.5\) .* True", printed)
    assert "..." not in printed  # pandas leaves no column out
    assert (tmp_path / "compare.pdf").stat().st_size > 5_000
    assert result.runs["run"].nunique() == 50
    plt.close("all")


def test_the_draft_of_the_page_plays(tmp_path):
    """Its regret is that of its actions: it explores, but in a tenth of the rounds only."""
    draft = run_code("docs/extending.md", tmp_path)["Greedy"]
    result = compare([draft(epsilon=1e9)], on=Bernoulli([0.9, 0.6]), horizon=2000, n_runs=8)
    last = result.summary.iloc[-1]
    assert last["min"] > 0.3 * 2000 * 0.1 / 2 * 0.7  # half of these rounds play the worse arm
    assert last["mean"] < 0.3 * 2000 * 0.4
    with pytest.raises(InputError, match="epsilon: 0 should be a number above 0"):
        draft(epsilon=0)


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

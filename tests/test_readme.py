"""README and docs: examples run, targets and links exist, the table is complete."""

import importlib
import re
import runpy
import sys
from pathlib import Path

import pytest
import yaml
from matplotlib import pyplot as plt
from project import PAPERS, ROOT

from dpbandits import Bernoulli, compare
from dpbandits.audit import replay
from dpbandits.errors import InputError

README = (ROOT / "README.md").read_text()
EXTENDING = (ROOT / "docs/extending.md").read_text()
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


@pytest.fixture(scope="module")
def extending(tmp_path_factory):
    """The policies of the page in a module, which another process can import."""
    folder = tmp_path_factory.mktemp("extending")
    text = EXTENDING.partition("## Your own bandit")[0]
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (folder / "my_module.py").write_text("\n".join(blocks))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT / 'src'}")
        yield importlib.import_module("my_module")
    del sys.modules["my_module"]


@pytest.mark.parametrize(
    ("name", "most"),
    [("ReportedUCB", 0.25), ("GaussianThompson", 0.25), ("CommitWhenAhead", 0.6)],
)
def test_the_policies_of_the_page_learn(name, most, extending):
    """Playing at random has half of the largest regret; noise is next to nothing here."""
    policy = getattr(extending, name)(epsilon=100)
    result = compare([policy], on=Bernoulli([0.9, 0.1]), horizon=2000, n_runs=4)
    assert 0 < result.summary["mean"].iloc[-1] < most * 0.8 * 2000 / 2
    assert result.privacy["kept"].tolist() == [True]


SLOW = pytest.param("GaussianThompson", marks=pytest.mark.slow)  # draws many numbers in Python


@pytest.mark.parametrize("name", ["Greedy", "ReportedUCB", "CommitWhenAhead", SLOW])
def test_the_replays_of_the_page_agree_with_its_ledgers(name, extending):
    found = replay.of(getattr(extending, name)(epsilon=1))
    assert (found["finding"], found["attained"] > 0) == ("as booked", True)


def test_the_short_cut_of_the_page_takes_the_same_actions(extending):
    source = Path(extending.__file__)
    plain = source.read_text().replace("Policy, Leads", "Policy, Plain")
    source.with_name("my_plain.py").write_text(plain.replace("cut = Leads", "cut = Plain"))
    modules = extending, importlib.import_module("my_plain")
    games = {"on": Bernoulli([0.9, 0.5, 0.6]), "horizon": 3000, "n_runs": 4}
    ours, theirs = (compare([each.ReportedUCB(epsilon=2)], **games) for each in modules)
    assert ours.runs.equals(theirs.runs)


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

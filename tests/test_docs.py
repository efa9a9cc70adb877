"""Pages and docstrings: their examples are true, what they name exists, and the site is complete.

`mkdocs --strict` follows the links and finds pages that no menu has.
"""

import doctest
import importlib
import pkgutil
import re
import runpy
from pathlib import Path

import pytest
from matplotlib import pyplot as plt
from project import PAPERS, ROOT, run_program

import dpbandits
from dpbandits import library, parameters, policy, random, simulation
from dpbandits.arena import scores
from dpbandits.audit import accounts, replay
from dpbandits.bandits import BANDITS, game, run, stochastic
from dpbandits.checks import tables
from dpbandits.drivers import episodes, index, posterior
from dpbandits.policies import POLICIES
from dpbandits.privacy import games, ledger, releases
from dpbandits.statistics import summaries

README = (ROOT / "README.md").read_text()
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "ARTIFACT", "config/README")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
MODULES = [each.name for each in pkgutil.walk_packages(dpbandits.__path__, "dpbandits.")]
CALLED = [
    policy.Policy, index.IndexPolicy, episodes.EpisodePolicy, stochastic.ArmsBandit, run.Run,
    random.Stream, releases.Releases, ledger.Ledger, ledger.Account, games.AuditGames,
    library.compare, *map(BANDITS.find, BANDITS.known),
]  # fmt: skip
WITH_EXAMPLES = [
    *CALLED, library.Comparison, simulation.Simulation, game.Adversary, game.GameRun,
    parameters.Parameters.grid,
]  # fmt: skip
IN_REFERENCE = [
    *CALLED, index.SumLeads, posterior.PosteriorPolicy, games.Setting,
    *map(POLICIES.find, POLICIES.known), *(getattr(dpbandits, name) for name in dpbandits.__all__),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    plt.close("all")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    module = importlib.import_module(name)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    tests = finder.find(module, name)
    for function in vars(module).values():  # doctest does not see compiled functions
        if hasattr(function, "py_func") and function.__module__ == name:
            tests += finder.find(function.py_func, globs=vars(module).copy())
    for test in tests:
        runner.run(test)
    assert runner.failures == 0


def test_what_users_call_has_an_example():
    assert [each.__qualname__ for each in WITH_EXAMPLES if ">>> " not in each.__doc__] == []


def blocks(page, language):
    """The code blocks of a page as one text."""
    text = (ROOT / page).read_text()
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize("page", ["README.md", "docs/library.md", "docs/examples/compare.py"])
def test_the_code_of_a_page_runs(page, tmp_path, capsys):
    code = (ROOT / page).read_text() if page.endswith(".py") else blocks(page, "python")
    (tmp_path / "code.py").write_text(code)
    result = runpy.run_path("code.py")["result"]
    printed = capsys.readouterr().out
    assert re.search(r"DPSE\(epsilon=0.5\) .* True", printed)
    assert "..." not in printed  # pandas leaves no column out
    assert Path("compare.pdf").stat().st_size > 5_000
    assert result.runs["run"].nunique() == 50


def test_python_prints_what_the_tutorial_shows():
    code, names = blocks("docs/tutorial.md", "pycon"), {"__name__": "__main__"}
    test = doctest.DocTestParser().get_doctest(code, names, "tutorial", None, 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert (failed, tried > 10) == (0, True)
    named = re.findall(r"`(\w+\.(?:tex|pdf|bib))`", (ROOT / "docs/tutorial.md").read_text())
    assert sorted(file.name for file in Path("mine").iterdir()) == sorted(named)


def test_what_pages_name_is_there():
    """But for modules that the reader writes, my_ucb.py."""
    folders = "src|config|tests|docs|benchmarks|profiles|workflow|reference"
    for page in PAGES:
        for path in re.findall(rf"`((?:{folders})/[\w./-]+)`", page.read_text()):
            assert (ROOT / path).exists() or "/my_" in path, (page, path)
    targets = {*re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)}
    assert {*re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE)} <= targets
    assert all(f"| [{paper}](docs/readings/{paper}.md): " in README for paper in PAPERS)


def test_every_column_of_every_table_is_explained():
    """But for those of theorems, which are the paper's."""
    text = "".join((ROOT / f"docs/{page}.md").read_text() for page in ("tables", "audit"))
    of_code = [tables.CHECKS, tables.CLAIMS, accounts.COLUMNS, accounts.LEDGERS, replay.MEASURED]
    headers = {*scores.COLUMNS, *summaries.SUMMARY}.union(*of_code)
    for path in ROOT.glob("reference/**/*.csv"):
        if "published" not in path.parts and "tables/azize2022/" not in str(path):
            headers |= {*path.open().readline().strip().split(",")}
    assert len(headers) > 60
    assert sorted(name for name in headers if f"`{name}`" not in text) == []


# ---- the site of `make docs`


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Path -> text of pages and style sheets, "" of other files."""
    mkdocs = ROOT / ".venv-docs/bin/mkdocs"
    if not mkdocs.exists():
        pytest.skip("MkDocs is not installed: `make docs` installs it into .venv-docs")
    folder = tmp_path_factory.mktemp("site")
    command = [mkdocs, "build", "--strict", "--site-dir", folder]
    done = run_program(*command, variables={"NO_MKDOCS_2_WARNING": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "404.html"]
    return {
        str(p.relative_to(folder)): p.read_text() if p.suffix in (".html", ".css") else ""
        for p in files
    }


@pytest.mark.slow
def test_the_site_has_formulas_and_the_reference_and_loads_nothing_from_elsewhere(site):
    everything = "".join(site.values())
    tags = re.findall(r"<(?:script|img|iframe|source|link)\b[^>]*>", everything)
    loading = [tag for tag in tags if not re.search(r'rel="(?:canonical|next|prev)"', tag)]
    assert len(loading) > 50
    assert [tag for tag in loading if re.search(r'\b(?:src|href)="(?:\w+:)?//', tag)] == []
    styles = "".join(text for name, text in site.items() if name.endswith(".css"))
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)\"']+", styles) == []
    method = site["method.html"]  # formulas need no script
    assert method.count("<math") > 8
    assert not re.search(r"arithmatex|\$\$", method)
    ids = {f'id="{each.__module__}.{each.__qualname__}"' for each in IN_REFERENCE}
    assert len(ids) > 50
    assert [id for id in ids if id not in site["api.html"]] == []

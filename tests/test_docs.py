"""The site of `make docs`: its links lead somewhere, and it loads nothing from elsewhere."""

import os
import re
import subprocess

import pytest
from project import ROOT

import dpbandits
from dpbandits.bandits import BANDITS
from dpbandits.bandits.run import Run
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import IndexPolicy, SumLeads
from dpbandits.drivers.posterior import PosteriorPolicy
from dpbandits.policies import POLICIES
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream

MKDOCS = ROOT / ".venv-docs/bin/mkdocs"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Path -> text of pages and style sheets, "" of other files."""
    if not MKDOCS.exists():
        pytest.skip("MkDocs is not installed: `make docs` installs it into .venv-docs")
    folder, environment = (
        tmp_path_factory.mktemp("site"),
        {**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    command = [MKDOCS, "build", "--strict", "--site-dir", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr  # a link that leads nowhere is an error
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "404.html"]
    return {
        str(p.relative_to(folder)): p.read_text() if p.suffix in (".html", ".css") else ""
        for p in files
    }


def test_it_loads_nothing_from_elsewhere(site):
    tags = [
        tag
        for text in site.values()
        for tag in re.findall(r"<(?:script|img|iframe|source|link)\b[^>]*>", text)
    ]
    loading = [tag for tag in tags if not re.search(r'rel="(?:canonical|next|prev)"', tag)]
    assert len(loading) > 50
    assert [tag for tag in loading if re.search(r'\b(?:src|href)="(?:\w+:)?//', tag)] == []
    styles = "".join(text for name, text in site.items() if name.endswith(".css"))
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)\"']+", styles) == []


def test_formulas_are_shown_without_a_script(site):
    method = site["method.html"]
    assert method.count("<math") > 8
    assert "arithmatex" not in method
    assert "$$" not in method


def test_the_reference_has_every_public_class_and_function(site):
    public = [getattr(dpbandits, name) for name in dpbandits.__all__]
    public += [plugins.find(name) for plugins in (POLICIES, BANDITS) for name in plugins.known]
    public += [IndexPolicy, SumLeads, EpisodePolicy, PosteriorPolicy, ArmsBandit, Run, Releases]
    public += [Stream, Ledger, Account, AuditGames, Setting]
    assert len(public) > 50
    for each in public:
        assert f'id="{each.__module__}.{each.__qualname__}"' in site["api.html"]

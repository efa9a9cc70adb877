"""The tutorial and the page of tables: what appears is what they show."""

import doctest
import re

import pytest
from project import ROOT, Project

from dpbandits.arena import scores
from dpbandits.audit import accounts, replay
from dpbandits.checks import tables
from dpbandits.statistics import summaries

PAGE = (ROOT / "docs/tutorial.md").read_text()
PYTHON = "\n".join(re.findall(r"^```pycon\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))


def test_python_prints_what_the_tutorial_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(
        PYTHON, {"__name__": "__main__"}, "tutorial", None, 0
    )
    failed, tried = doctest.DocTestRunner().run(test)
    assert (failed, tried > 10) == (0, True)
    assert sorted(file.name for file in (tmp_path / "mine").iterdir()) == sorted(
        re.findall(r"`(\w+\.(?:tex|pdf|bib))`", PAGE)
    )


@pytest.mark.slow
def test_the_commands_of_the_tutorial_end_as_it_shows(tmp_path):
    project = Project.new(tmp_path)
    (block,) = re.findall(r"bin/snakemake --cores 2 (\S+)\n\.\.\.\n(.*?)\n```", PAGE)
    assert block[1] in project.run(block[0]).splitlines()


WRITTEN = {path for path in ROOT.glob("reference/**/*.csv") if "published" not in path.parts}
OF_THEOREMS = "tables/azize2022/"  # whose columns are the paper's


def test_every_column_of_every_table_is_explained():
    text = "".join((ROOT / f"docs/{page}.md").read_text() for page in ("tables", "audit"))
    headers = {
        name
        for path in WRITTEN
        if OF_THEOREMS not in str(path)
        for name in path.open().readline().strip().split(",")
    }
    of_code = [tables.CHECKS, tables.CLAIMS, accounts.COLUMNS, accounts.LEDGERS, replay.COLUMNS]
    headers |= {*scores.COLUMNS, *summaries.SUMMARY}.union(*of_code)
    assert len(headers) > 60
    assert sorted(name for name in headers if f"`{name}`" not in text) == []

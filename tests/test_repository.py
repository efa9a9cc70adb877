"""The files that GitHub and Zenodo read agree with the project."""

import json
import os
import subprocess
import sys

import pytest
import yaml
from project import ROOT, Project
from test_installation import PROJECT

from dpbandits import publish

WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in ROOT.glob(".github/w*/*.yml")}
FORM = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/algorithm.yml").read_text())["body"]


def test_citation_and_zenodo_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    zenodo = json.loads((ROOT / ".zenodo.json").read_text())
    same = {"title": "title", "version": "version", "keywords": "keywords"}
    same |= {"creators": "authors", "description": "abstract", "upload_type": "type"}
    assert {key: zenodo[key] for key in same} == {key: citation[name] for key, name in same.items()}
    assert zenodo["license"]["id"] == citation["license"] == PROJECT["project"]["license"]
    assert set(zenodo) == {*same, "license"}


def test_the_tests_run_on_every_supported_python_and_badges_name_workflows():
    pythons = WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"]["python"]
    classifiers = PROJECT["project"]["classifiers"]
    assert [f"Programming Language :: Python :: {version}" for version in pythons] == classifiers
    assert set(publish.BADGES) < set(WORKFLOWS)


@pytest.mark.parametrize("repository", ["", "https://example.org/a/b"])
def test_badges_need_the_repository(repository):
    badges = publish.badges(repository)
    assert badges.count(f"({repository}/actions/workflows/") == (4 if repository else 0)


def test_an_algorithm_from_the_form_becomes_a_guest(tmp_path):
    project = Project.new(tmp_path, own_source=True)
    module = (ROOT / "docs/examples/greedy_compiled.py").read_text()
    fields = {
        "Name": "Greedy ({epsilon:g})",
        "Parameters": "_No response_",  # of an empty field
        "Module": f"```python\n{module}```",
    }
    labels = [part["attributes"].get("label") for part in FORM]
    body = "\n\n".join(f"### {label}\n\n{fields.get(label, 'x')}" for label in labels if label)

    def submit(body):
        command = [sys.executable, ROOT / ".github/algorithm.py"]
        environment = {**os.environ, "BODY": body.replace("\n", "\r\n")}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    assert "the issue lacks" in submit(body.replace("### Module", "### Code")).stderr
    assert submit(body).returncode == 0
    written = tmp_path / "config/submitted_policy.py"
    assert written.read_text() == module
    guests = yaml.safe_load((tmp_path / "config/config.yaml").read_text())["guests"]
    assert guests == {"submitted": {"label": fields["Name"], "algorithm": "submitted_policy"}}
    steps = [step.get("run", "") for step in WORKFLOWS["algorithm"]["jobs"]["play"]["steps"]]
    commands = [step.partition("-- ")[2].split() for step in steps if "scale=smoke" in step]
    assert len(commands) == 2
    for targets in commands:
        assert project.would_run("--config", "scale=smoke", "--", *targets)

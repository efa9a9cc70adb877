"""The commands of the docs, most of them as dry runs: each target and each option exists."""

import re
import shlex
import subprocess
from collections import defaultdict

import pytest
from project import PAPERS, ROOT, SMOKE, Project
from test_docs import PAGES

from dpbandits.studies.__main__ import main

COMMAND = re.compile(r"(?:^ *|`)(?:\.venv/bin/)?snakemake ((?:[^`#\n\\]|\\\n)+)", re.MULTILINE)
SHOW = re.compile(r"python -m dpbandits\.studies ([^`\n]+)")
NOT_OURS = ("--reporter",)  # a plugin that is not locked
# Papers, guests and folders that a reader has and this project has not.
OF_EXAMPLES = ("mine2026", "ren2020", "guest/", "../longer", "<")


def commands(pattern):
    """The arguments of the commands in the docs that a test can run."""
    texts = [text for page in PAGES for text in pattern.findall(page.read_text())]
    usable = [text for text in texts if not any(word in text for word in (*NOT_OURS, *OF_EXAMPLES))]
    return [shlex.split(text.replace("\\\n", " ")) for text in usable]


def test_the_places_that_contributing_names_are_there():
    page = (ROOT / "CONTRIBUTING.md").read_text()
    places = re.findall(r"`([\w/]+\.py)`: `(\w+)`", page)
    assert len(places) > 5
    for file, name in places:
        defined = rf"^ *(def|class) {name}\b|^{name}(:.*)? = "
        assert re.search(defined, (ROOT / file).read_text(), re.MULTILINE), (file, name)


def targets_by_options():
    """The options of Snakemake -> the targets for which pages use them."""
    targets = defaultdict(set)
    for words in commands(COMMAND):
        end = words.index("--") if "--" in words else 2 if words[0] == "--cores" else len(words)
        targets[tuple(words[:end])] |= {word for word in words[end:] if word != "--"}
    return targets


@pytest.mark.slow
def test_every_command_of_the_docs_is_one(tmp_path):
    project, known = Project.new(tmp_path, papers=PAPERS), targets_by_options()
    assert sum(map(len, known.values())) > 15
    for options, targets in known.items():
        if not {"--unlock", "--report"} & set(options):  # which have no dry run
            project.run("-n", *options, "--", *sorted(targets))


@pytest.mark.slow
def test_runs_and_horizon_change_in_a_copy_of_the_configuration(tmp_path):
    """By the commands of the page, and in every experiment that has no `smoke` of its own."""
    page = (ROOT / "config/README.md").read_text()
    copy, command = re.search(r"^(mkdir .*)\n# edit.*\n(snakemake .*)$", page, re.M).groups()
    (tmp_path / "ours").mkdir()
    project = Project.new(tmp_path / "ours", papers=("hu2022",))
    subprocess.run(copy, shell=True, cwd=project.folder, check=True)
    other = tmp_path / "longer"
    file = other / "config/papers/hu2022.yaml"
    smoke = "smoke: {horizon: 5000, runs: 10,"
    assert smoke in file.read_text()
    file.write_text(file.read_text().replace(smoke, "smoke: {horizon: 3000, runs: 4,"))
    arguments = shlex.split(command.replace("$PWD", str(project.folder)))[3:]
    jobs = project.would_run(*arguments[:-1], *SMOKE, "--", arguments[-1])
    runs = {job.rpartition(", ")[2] for job in jobs if job.startswith("simulate")}
    assert runs == {"runs 0 to 3"}
    assert not (project.folder / "results").exists()


@pytest.mark.slow
def test_the_commands_of_the_tutorial_end_as_it_shows(tmp_path):
    text = (ROOT / "docs/tutorial.md").read_text()
    (block,) = re.findall(r"bin/snakemake --cores 2 (\S+)\n\.\.\.\n(.*?)\n```", text)
    assert block[1] in Project.new(tmp_path).run(block[0]).splitlines()


def test_every_experiment_that_the_docs_show_is_one(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    shown = commands(SHOW)
    assert shown
    for arguments in shown:
        main(arguments)
        assert "environment:" in capsys.readouterr().out

"""The commands of the docs, most of them as dry runs: each target and each option exists."""

import re
import shlex
from collections import defaultdict

import pytest
from project import PAPERS, ROOT, Project
from test_readme import PAGES

from dpbandits.studies.__main__ import main

COMMAND = re.compile(r"(?:^ *|`)(?:\.venv/bin/)?snakemake ((?:[^`#\n\\]|\\\n)+)", re.MULTILINE)
SHOW = re.compile(r"python -m dpbandits\.studies ([^`\n]+)")
NOT_OURS = ("--reporter",)  # a plugin that is not locked
# Papers, guests and folders that a reader has and this project has not.
OF_EXAMPLES = ("mine2026", "ren2020", "guest/", "<")


def commands(pattern):
    """The arguments of the commands in the docs that a test can run."""
    texts = [text for page in PAGES for text in pattern.findall(page.read_text())]
    usable = [text for text in texts if not any(word in text for word in (*NOT_OURS, *OF_EXAMPLES))]
    return [shlex.split(text.replace("\\\n", " ")) for text in usable]


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


def test_every_experiment_that_the_docs_show_is_one(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    shown = commands(SHOW)
    assert shown
    for arguments in shown:
        main(arguments)
        assert "environment:" in capsys.readouterr().out

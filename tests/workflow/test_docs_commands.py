"""The commands of the docs, as dry runs: each target exists, and so does each option."""

import re
import shlex
from collections import defaultdict

import pytest
from project import PAPERS, Project
from test_readme import PAGES

COMMAND = re.compile(r"(?:^ *|`)(?:\.venv/bin/)?snakemake ((?:[^`#\n\\]|\\\n)+)", re.MULTILINE)
EXAMPLES = {"<paper>": "tossou2016"}
NOT_OURS = ("--reporter", "cluster-generic")  # other people's plugins, which are not locked
OF_EXAMPLES = (
    "mine2026",
    "ren2020",
    "guest/",
    "<",
)  # papers, guests and folders that a reader has, and we do not


def commands():
    """The options -> the targets that pages ask for with them."""
    found = defaultdict(set)
    for page in PAGES:
        for text in COMMAND.findall(page.read_text()):
            for short, paper in EXAMPLES.items():
                text = text.replace(short, paper)
            if any(word in text for word in (*NOT_OURS, *OF_EXAMPLES)):
                continue
            words = shlex.split(text.replace("\\\n", " "))
            end = words.index("--") if "--" in words else 2 if words[0] == "--cores" else len(words)
            found[tuple(words[:end])] |= {word for word in words[end:] if word != "--"}
    return found


@pytest.mark.slow
def test_every_command_of_the_docs_is_one(tmp_path):
    project, asked = Project.new(tmp_path, papers=PAPERS), commands()
    assert sum(map(len, asked.values())) > 15
    for options, targets in asked.items():
        if not {"--unlock", "--report"} & set(options):  # which have no dry run
            project.run("-n", *options, "--", *sorted(targets))

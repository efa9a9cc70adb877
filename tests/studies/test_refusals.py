"""Mistakes in the files of studies, and the one line that each is refused with."""

from pathlib import Path

import pytest
import yaml

from dpbandits import studies
from dpbandits.errors import InputError

MISTAKES = yaml.safe_load(Path(__file__).with_name("refusals.yaml").read_text(encoding="utf-8"))


def changed(keys, value):
    """A function that changes the content of a file at one place."""
    *path, last = [int(key) if key.isdigit() else key for key in keys.replace("Figure 2", "Figure~2").split()]

    def change(content):
        for key in path:
            content = content[key] if isinstance(content, list) else content.setdefault(key, {})
        key = last if isinstance(last, int) else last.replace("~", " ")
        if value == "REMOVE":
            del content[key]
        else:
            content[key] = value

    return change


@pytest.mark.parametrize(("study", "keys", "value", "words"), [(a, b, c, d) for a, b, c, *d in MISTAKES], ids=str)
def test_a_mistake_is_refused_in_one_line_that_names_it(study, keys, value, words, refused):
    message = refused(study, changed(keys, value), "smoke" if study == "arena" else "paper")
    for each in words:
        assert each in message


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("paper: [", "not valid YAML"),
        ("paper: a\npaper: b\n", "not valid YAML: duplicate key 'paper'; keep one of them"),
        ("- 1\n", "valid dictionary"),
        ("", "valid dictionary"),
        ("a: &x !!python/object:os.system {}", "not valid YAML"),
    ],
)
def test_a_file_that_is_no_paper_file(text, part, refused):
    assert part in refused("tossou2016", text)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.yaml: there is no such file"):
        studies.load(tmp_path / "nowhere.yaml")

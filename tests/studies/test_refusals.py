"""Mistakes in the files of studies, and the one line that each is refused with."""

import copy
from functools import cache
from pathlib import Path

import pytest
import yaml
from project import ROOT, all_papers, with_guests

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import validation
from dpbandits.studies import strict_yaml

Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # several times faster
MISTAKES = yaml.safe_load(Path(__file__).with_name("refusals.yaml").read_text())
GUEST = {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]}


@cache
def written(study):
    folder = "config" if study == "arena" or "/" in study else "config/papers"
    return GUEST if study == "guests" else strict_yaml.read_yaml(ROOT / folder / f"{study}.yaml")


def changed(content, keys, value):
    """The content of a file with another value at one place."""
    content = place = copy.deepcopy(content)
    *path, last = [int(key) if key.isdigit() else key.replace("~", " ") for key in keys.split()]
    for key in path:
        place = place[key] if isinstance(place, list) else place.setdefault(key, {})
    if value == "REMOVE":
        del place[last]
    else:
        place[last] = value
    return content


def load_and_check(path, scale, guests):
    for study in with_guests(all_papers(scale), guests).values() if guests else ():
        validation.check(study)
    if path.parent.name == "claims":
        paper = path.parent.parent / "papers" / path.name
        paper.parent.mkdir()
        paper.write_bytes((ROOT / "config/papers" / path.name).read_bytes())
        path = paper
    validation.check(studies.load(path, scale))


def refusal(path, text, scale="paper", guests=None):
    """The message, one line, about a study's file with this text, or a guest in our papers."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    with pytest.raises(InputError) as error:
        load_and_check(path, scale, guests)
    assert str(error.value).startswith("config/config.yaml: guests.mine" if guests else str(path))
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("study", "keys", "value", "words"), [(a, b, c, d) for a, b, c, *d in MISTAKES], ids=str
)
def test_a_mistake_is_refused_in_one_line_that_names_it(study, keys, value, words, tmp_path):
    content = changed(written(study), keys, value)
    text = yaml.dump(content, Dumper=Dumper, sort_keys=False, allow_unicode=True)
    guests = {"mine": content} if study == "guests" else None
    scale = "smoke" if study in ("arena", "guests") else "paper"
    message = refusal(tmp_path / f"{study}.yaml", text, scale, guests)
    assert all(each in message for each in words), message


NO_PAPER_FILES = [
    (
        "paper: [",
        "not valid YAML: while parsing a flow node did not find expected node content "
        "in line 2, column 1",
    ),
    ("paper: a\npaper: b\n", "not valid YAML: duplicate key 'paper'; keep one of them"),
    ("a: {b: 0,1}", "not valid YAML: '0,1' in line 1 is two values; write 0.1"),
    ("- 1\n", "tossou2016.yaml: it has no keys; write"),
    ("", "it is empty; write"),
    ("a: &x !!python/object:os.system {}", "not valid YAML"),
    ("a: !!float ''", "a value does not fit its tag"),
]


@pytest.mark.parametrize(("text", "part"), NO_PAPER_FILES)
def test_a_file_that_is_no_paper_file(text, part, tmp_path):
    assert part in refusal(tmp_path / "tossou2016.yaml", text)


def test_only_a_number_alone_is_the_second_half_of_another_one(tmp_path):
    (tmp_path / "a.yaml").write_text("{a: b, c: ~, d: e, 5: ~}")
    assert strict_yaml.read_yaml(tmp_path / "a.yaml") == {"a": "b", "c": None, "d": "e", 5: None}


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.yaml: there is no such file"):
        studies.load(tmp_path / "nowhere.yaml")

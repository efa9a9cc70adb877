"""The schemas of the files in config/: true of every file but not of mistakes."""

import json
import re

import jsonschema
import pytest
from project import ROOT

from dpbandits.studies import schema, strict_yaml

EXAMPLES = ROOT / "docs/examples"
FILES = {
    **{path: "paper" for path in (ROOT / "config/papers").glob("*.yaml")},
    **{path: "claims" for path in (ROOT / "config/claims").glob("*.yaml")},
    ROOT / "config/arena.yaml": "arena",
    ROOT / "config/config.yaml": "config",
    EXAMPLES / "mine2026.yaml": "paper",
    EXAMPLES / "my-arena.yaml": "arena",
    EXAMPLES / "claims/mine2026.yaml": "claims",
}
SCHEMAS = schema.schemas()


def content_of(path):
    """The content as an editor sees it: keys are texts."""
    return json.loads(json.dumps(strict_yaml.read_yaml(path)))


def marked(content, of):
    """The places that a validator marks, the deepest first."""
    errors = jsonschema.Draft202012Validator(of).iter_errors(content)
    leaves = []
    while errors := list(errors):
        leaves += errors
        errors = [each for error in errors for each in error.context or ()]
    return sorted({tuple(error.absolute_path) for error in leaves}, key=len, reverse=True)


def test_schemas_are_written_on_demand(tmp_path):
    schema.write(tmp_path / "schema")
    files = [*(tmp_path / "schema").iterdir()]
    assert {file.stem for file in files} == {*FILES.values()}
    for file in files:
        assert "NaN" not in file.read_text()
        jsonschema.Draft202012Validator.check_schema(json.loads(file.read_text()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_of_ours_has_no_marks(path):
    assert marked(content_of(path), SCHEMAS[FILES[path]]) == []


def test_a_file_names_its_schema_in_its_first_line():
    for path in FILES.keys() - {*EXAMPLES.rglob("*")}:  # examples are copied to config/ first
        (named,) = re.findall(r"\A# yaml-language-server: \$schema=(\S+)\n", path.read_text())
        assert (path.parent / named).resolve() == ROOT / f"config/schema/{FILES[path]}.json"


MISTAKES = strict_yaml.read_yaml(ROOT / "tests/studies/marks.yaml")


@pytest.mark.parametrize(
    ("file", "mistake"), [(file, row) for file, rows in MISTAKES.items() for row in rows], ids=str
)
def test_a_mistake_is_marked_at_its_place(file, mistake):
    (keys, value, place), path = mistake, ROOT / "config" / file
    content = parent = content_of(path)
    for key in keys[:-1]:
        parent = parent.setdefault(key, {})
    parent[keys[-1]] = value
    assert marked(content, SCHEMAS[FILES[path]])[0] == tuple(place)


def test_an_editor_shows_what_the_classes_say_of_a_key():
    known = {name: schema["$defs"] for name, schema in SCHEMAS.items()}
    for each in (known["paper"]["Policy"], known["config"]["Guest"]):
        about = each["properties"]["sweep"]["description"]
        assert about.startswith("The name of one of the study's sweeps, or a parameter with its")
    assert known["claims"]["Check"]["properties"]["cause"]["description"]
    design = SCHEMAS["paper"]["properties"]["design"]["properties"]
    assert design["horizon"]["description"] == "Rounds of a game."

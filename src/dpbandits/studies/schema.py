"""JSON schemas of the files in config/, with which an editor completes keys and marks mistakes.

`python -m dpbandits.studies schema` writes them to config/schema/.
"""

import ast
import inspect
import itertools
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pydantic

from dpbandits import algorithms, parameters
from dpbandits.studies import claim_entries, entries, settings, study_files

FOLDER = Path("config/schema")
MODULES = (entries, study_files, claim_entries, settings)
SOURCE = "written from src/dpbandits/studies by `python -m dpbandits.studies schema`"
OWN = {"type": "string", "pattern": r"[.{]"}  # my_package.my_ucb, or the name of a variable
FILES = {
    "paper": study_files.PaperFile,
    "arena": study_files.ArenaFile,
    "claims": claim_entries.Claims,
    "config": settings.Settings,
}


def write(folder: Path = FOLDER) -> None:
    """Write all schemas."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def schemas() -> dict[str, Any]:
    """The schema of each kind of file."""
    found = {}
    for name, kind in FILES.items():
        schema = pydantic.TypeAdapter(kind).json_schema()
        for class_name, definition in schema.get("$defs", {}).items():
            _describe(definition, class_name)
        _name_algorithms(schema)
        _describe(schema, getattr(kind, "__name__", ""))
        if name == "claims":
            about = "Slug -> a text that claims and checks name by it."
            texts = pydantic.TypeAdapter(claim_entries.SharedTexts).json_schema()
            schema["properties"] = {"texts": texts | {"description": about}}
            schema["additionalProperties"] = False
        found[name] = {"$comment": SOURCE, **schema}
    return found


def _describe(definition: dict[str, Any], class_name: str) -> None:
    """Put the texts below a class's keys into its schema."""
    for module in MODULES:
        for base in reversed(getattr(vars(module).get(class_name), "__mro__", ())):
            for key, text in _texts(module).get(base.__name__, {}).items():
                definition["properties"][key]["description"] = text


@cache
def _texts(module: ModuleType) -> Mapping[str, Mapping[str, str]]:
    """Class -> key -> the text below it."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        for key, text in itertools.pairwise(getattr(node, "body", ())):
            if isinstance(key, ast.AnnAssign) and isinstance(text, ast.Expr):
                about = " ".join(ast.literal_eval(text.value).split())
                found.setdefault(node.name, {})[key.target.id] = about
    return found


def _name_algorithms(schema: dict[str, Any]) -> None:
    """Name the algorithms in the schemas of policies, and the parameters of each."""
    definitions = schema["$defs"]
    policies = [each for each in definitions.values() if "algorithm" in each["properties"]]
    for policy in policies:
        one = {"anyOf": [{"$ref": "#/$defs/Algorithm"}, OWN]}
        both = {"type": "object", "additionalProperties": one}
        about = policy["properties"]["algorithm"].get("description", "")
        policy["properties"]["algorithm"] = {"anyOf": [one, both], "description": about}
        policy["allOf"] = [{"$ref": "#/$defs/ParametersOfAlgorithms"}]
    if not policies:
        return
    definitions["Algorithm"] = {"enum": list(algorithms.ALGORITHMS.known())}
    definitions["ParametersOfAlgorithms"] = {"allOf": [*map(_with_parameters, algorithms.ALGORITHMS.known())]}


def _with_parameters(algorithm: str) -> dict[str, Any]:
    """The schema that a policy of this algorithm has only its parameters."""
    this = {"properties": {"algorithm": {"const": algorithm}}, "required": ["algorithm"]}
    accepted = parameters.accepted(algorithms.find(algorithm).play)
    own = {"properties": dict.fromkeys(accepted, True), "additionalProperties": False}
    return {"if": this, "then": {"properties": {"parameters": own}}}

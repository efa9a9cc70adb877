"""JSON schemas of the files in config/, with which an editor completes keys and marks mistakes.

`python -m dpbandits.studies.schema` writes them to config/schema/, which is not tracked.
"""

import ast
import inspect
import json
import typing
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter

from dpbandits.policies import POLICIES
from dpbandits.studies.claim import Claim, ClaimId
from dpbandits.studies.experiment import Design, Experiment, Policy
from dpbandits.studies.model import Arena, Axis, Figure, Panel, Study
from dpbandits.studies.reading import NOT_IN_ARENAS
from dpbandits.studies.settings import Settings
from dpbandits.studies.things import DEFAULTS, keys_of

Schema = dict[str, Any]
# An editor completes the shipped ones. A module of the user's own has any name.
NAME = {"anyOf": [{"enum": [*POLICIES.known]}, {"type": "string", "pattern": r"^[\w.]+$"}]}
ALGORITHM = {"anyOf": [*NAME["anyOf"], {"type": "object", "additionalProperties": NAME}]}


def of_thing(*kinds: type, **further: Schema) -> Schema:
    """The schema of things; no key is required, since `defaults` may have it."""
    properties = {key: value for kind in kinds for key, value in _properties(kind).items()}
    return {"type": "object", "additionalProperties": False, "properties": properties | further}


def of_entries(entry: Schema) -> Schema:
    """The schema of a mapping from ids to things, and from `defaults` to what they share."""
    return {"type": "object", "additionalProperties": entry}


@cache
def _properties(kind: type) -> dict[str, Schema]:
    texts = _texts(kind)
    return {
        name: {**_of_type(each.kind), **({"description": texts[name]} if name in texts else {})}
        for name, each in keys_of(kind).items()
    }


def _of_type(kind: Any) -> Schema:
    """The schema of a type that may be a thing, or a mapping of ids to things."""
    if is_dataclass(kind):
        return of_thing(kind)
    base = typing.get_args(kind)[0] if typing.get_origin(kind) is Annotated else kind
    if typing.get_origin(base) in (dict, Mapping) and is_dataclass(typing.get_args(base)[1]):
        return of_entries(of_thing(typing.get_args(base)[1]))
    return TypeAdapter(kind).json_schema()


def _texts(kind: type) -> dict[str, str]:
    """The strings below the fields of a class."""
    body = ast.parse(inspect.cleandoc("\n" + inspect.getsource(kind))).body[0].body
    return {
        field.target.id: inspect.cleandoc(below.value.value)
        for field, below in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr)
    }


def schemas() -> dict[str, Schema]:
    """The schema of each kind of file."""
    axes = {each: of_thing(Axis) for each in ("x", "y")}
    del axes["y"]["properties"]["least"]
    panel = of_thing(Panel, **axes)
    figure = of_thing(Figure, Panel, **axes, **{DEFAULTS: panel})
    figure["properties"]["panels"] = {
        "type": "array",
        "items": {"anyOf": [{"type": "string"}, panel]},
    }
    policy = of_thing(Policy, algorithm=ALGORITHM)
    study = {
        "design": of_thing(Design),
        "smoke": of_thing(Design),
        "axes": of_thing(**axes),
        "policies": of_entries(policy),
        "experiments": of_entries(
            of_thing(Experiment, design=of_thing(Design), smoke=of_thing(Design))
        ),
        "figures": of_entries(figure),
        "arena": of_thing(Arena, smoke=of_thing(Arena)),
    }
    paper, arena = of_thing(Study, **study), of_thing(Study, **study)
    del paper["properties"]["arena"]
    for key in NOT_IN_ARENAS:
        del arena["properties"][key]
    claims = of_thing(texts={"type": "object", "additionalProperties": {"type": "string"}})
    pattern = TypeAdapter(ClaimId).json_schema()["pattern"]
    claims["patternProperties"] = {pattern: of_thing(Claim)}
    config = of_thing(Settings, guests=of_entries(policy))
    return {"paper": paper, "arena": arena, "claims": claims, "config": config}


def write(folder: Path) -> None:
    """Write all schemas."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path("config/schema"))

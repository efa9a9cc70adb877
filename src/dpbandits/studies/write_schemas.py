"""The JSON Schemas for editors, generated from the models: `make schema`."""

import sys
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from dpbandits.studies.model import Paper
from dpbandits.studies.settings import Settings

FILES = {"paper.schema.yaml": Paper, "config.schema.yaml": Settings}


def text(model: type[BaseModel]) -> str:
    """The schema of a model as YAML."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **_essential(model.model_json_schema())}
    source = model.__module__.replace(".", "/")
    return f"# Generated from src/{source}.py by `make schema`.\n" + yaml.safe_dump(
        schema, sort_keys=False, allow_unicode=True, width=120
    )


def _essential(schema: Any, names: bool = False) -> Any:
    """The schema without pydantic's titles, empty defaults and the line breaks of docstrings."""
    if isinstance(schema, list):
        return [_essential(item) for item in schema]
    if isinstance(schema, str):
        return " ".join(schema.split())
    if not isinstance(schema, dict):
        return schema
    return {
        key: _essential(value, names=key in ("properties", "$defs"))
        for key, value in schema.items()
        if names or not (key == "title" or (key == "default" and value in (None, "", [], {})))
    }


if __name__ == "__main__":
    for name, model in FILES.items():
        (Path(sys.argv[1]) / name).write_text(text(model), encoding="utf-8")

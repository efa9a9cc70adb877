"""The JSON Schemas for editors, generated from the models: `make schema`."""

import sys
from pathlib import Path

import yaml
from pydantic import BaseModel

from dpbandits.studies.model import Study
from dpbandits.studies.settings import Settings

FILES = {"paper.schema.yaml": Study, "config.schema.yaml": Settings}


def text(model: type[BaseModel]) -> str:
    """The schema of a model as YAML."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
    written = yaml.safe_dump(schema, sort_keys=False, allow_unicode=True, width=120)
    return f"# Generated from src/{model.__module__.replace('.', '/')}.py by `make schema`.\n{written}"


if __name__ == "__main__":
    for name, model in FILES.items():
        (Path(sys.argv[1]) / name).write_text(text(model), encoding="utf-8")

"""JSON schemas of the files in config/, with which an editor completes keys and marks mistakes.

`python -m dpbandits.studies.schema` writes them to config/schema/, which is not tracked.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from dpbandits.studies.claim import Claim, ClaimId
from dpbandits.studies.model import ArenaStudy, Paper
from dpbandits.studies.settings import Settings

KINDS = {"paper": Paper, "arena": ArenaStudy, "config": Settings, "claims": dict[ClaimId, Claim]}


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each kind of file."""
    result = {name: TypeAdapter(kind).json_schema() for name, kind in KINDS.items()}
    texts = TypeAdapter(dict[str, str]).json_schema()
    result["claims"] |= {"properties": {"texts": texts}, "additionalProperties": False}
    return result


def write(folder: Path) -> None:
    """Write all schemas."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path("config/schema"))

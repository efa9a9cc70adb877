"""JSON schemas of the files in config/, with which an editor completes keys and marks mistakes.

`python -m dpbandits.studies.schema` writes them to config/schema/.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from dpbandits.studies.claim import Claims, SharedTexts
from dpbandits.studies.settings import Settings
from dpbandits.studies.study_files import ArenaFile, PaperFile

SOURCE = "written from src/dpbandits/studies by `python -m dpbandits.studies.schema`"
FILES = {"paper": PaperFile, "arena": ArenaFile, "claims": Claims, "config": Settings}


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each kind of file."""
    result = {name: {"$comment": SOURCE} | TypeAdapter(FILES[name]).json_schema() for name in FILES}
    texts = {"texts": TypeAdapter(SharedTexts).json_schema()}
    result["claims"] |= {"properties": texts, "additionalProperties": False}
    return result


def write(folder: Path) -> None:
    """Write all schemas."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path("config/schema"))

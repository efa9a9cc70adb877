"""Make the algorithm of an issue a guest: its module, and its entry in config/config.yaml.

The environment variable BODY has the text of the issue, as the form "Your algorithm" writes it:
a heading for each field, with its answer below.
"""

import os
import re
import sys
from pathlib import Path

import yaml

FIELDS = ("Name", "Parameters", "Module")
MODULE = re.compile(r"```(?:python)?\n(.*?)\n```", re.DOTALL)


def answers(body: str) -> dict[str, str]:
    """Heading -> answer."""
    parts = re.split(r"^### (.+)$", body.replace("\r\n", "\n"), flags=re.MULTILINE)[1:]
    return {key.strip(): text.strip() for key, text in zip(parts[::2], parts[1::2], strict=True)}


def main() -> None:
    """Write the module and the entry."""
    given = answers(os.environ["BODY"])
    missing = [field for field in FIELDS if field not in given]
    code = MODULE.search(given.get("Module", ""))
    if missing or code is None:
        sys.exit(f"error: the issue lacks a field or its module: {missing or 'Module'}")
    module = Path("config/submitted_policy.py")
    module.write_text(f"{code[1]}\n")
    parameters = yaml.safe_load(given["Parameters"])
    guest = {"label": given["Name"], "algorithm": module.stem}
    if isinstance(parameters, dict):
        guest["parameters"] = parameters
    config = Path("config/config.yaml")
    entry = yaml.safe_dump({"guests": {"submitted": guest}}, allow_unicode=True)
    config.write_text(config.read_text().replace("guests: {}\n", entry))


if __name__ == "__main__":
    main()

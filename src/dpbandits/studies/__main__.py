"""Show an experiment as expanded, or write the schemas of the files.

python -m dpbandits.studies show azize2022 fig5d
python -m dpbandits.studies schema
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import yaml

from dpbandits import studies
from dpbandits.errors import InputError, check_known
from dpbandits.studies import schema


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(prog="python -m dpbandits.studies")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("schema", help="write config/schema/")
    show = commands.add_parser("show", help="print an experiment as expanded")
    show.add_argument("study", help="the name of its file in config/papers/ or config/")
    show.add_argument("name", help="an experiment, or a figure, for all experiments that it draws")
    show.add_argument("--scale", choices=["paper", "smoke"], default="paper")
    given = parser.parse_args(arguments)
    if given.command == "schema":
        schema.write()
        return
    try:
        print(shown(given.study, given.name, given.scale), end="")
    except InputError as error:
        sys.exit(f"error: {error}")


def shown(study: str, name: str, scale: str) -> str:
    """An experiment, or those of a figure, as YAML."""
    files = {path.stem: path for path in studies.files("config")}
    check_known("show", "study", [study], files)
    found = studies.load(files[study], scale)
    known = [*found.experiments, *found.figures]
    check_known(f"show: {study}", "experiment or figure", [name], known)
    expanded = {id: plain(found.experiments[id]) for id in found.experiments_of([name])}
    return yaml.safe_dump(expanded, sort_keys=False, allow_unicode=True, width=100)


def plain(value: Any) -> Any:
    """A dataclass as the mapping of those of its fields that say something."""
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
        value = {key: each for key, each in value.items() if each not in (None, "", 0, (), [], {})}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


if __name__ == "__main__":
    main()

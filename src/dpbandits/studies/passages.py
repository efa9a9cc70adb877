"""Where in a paper file a figure, an experiment, a policy or an environment is written: its lines, for a reader who wants to
change it."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from dpbandits.studies import matrix
from dpbandits.studies.yaml_file import Loader

SECTIONS = ("figures", "experiments", "environments", "policies")


class Passage(NamedTuple):
    """Consecutive lines of a file, the first one being number 1."""

    first: int
    last: int
    text: str


def passages(text: str) -> dict[tuple[str, str], Passage]:
    """(section, id) -> the entry of the file that defines it; all ids of a matrix have one entry."""
    lines = text.splitlines()
    written, (_, sections) = yaml.load(text, Loader), _entries(yaml.compose(text, Loader))
    found = {}
    for section in SECTIONS:
        entries, _ = _entries(sections[section]) if section in sections else ({}, {})
        for pattern, (begin, end) in entries.items():
            last = end
            while last > begin + 1 and re.match(r"\s*(#.*)?$", lines[last - 1]):  # what precedes the next entry
                last -= 1
            passage = Passage(begin + 1, last, "\n".join(lines[begin:last]))
            found |= {(section, id): passage for id in _ids(pattern, written[section][pattern])}
    return found


def _entries(node: yaml.MappingNode) -> tuple[dict[str, tuple[int, int]], dict[str, yaml.Node]]:
    """The lines of every key, counted from 0 and the last one excluded, and the nodes of the values."""
    places, values = {}, {}
    for key, value in node.value:
        begin, is_block = key.start_mark.line, isinstance(value, yaml.CollectionNode) and not value.flow_style
        end = value.end_mark.line + (not is_block)  # the mark of a block is where the next entry begins
        places[key.value] = (begin, max(end, begin + 1))  # an alias has the marks of what it repeats
        values[key.value] = value
    return places, values


def _ids(pattern: str, entry: Mapping[str, Any]) -> list[str]:
    """The ids of an entry, as `matrix` expands them."""
    if not (given := entry.get("matrix")):
        return [pattern]
    by_key = {
        n: {str(k): v for k, v in values.items()} if isinstance(values, dict) else values for n, values in given.items()
    }
    return [
        re.sub(r"\{(\w+)\}", lambda name, values=values: values[name[1]][0], pattern)
        for values in matrix.combinations(by_key)
    ]

"""YAML files in which every mistake is one line: syntax, and duplicate keys."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import yaml

from dpbandits.errors import InputError

MERGE, NULL = "tag:yaml.org,2002:merge", "tag:yaml.org,2002:null"
Value = TypeVar("Value")


def repeated(names: Iterable[Value]) -> Value | None:
    """The first name that occurs twice, if there is one."""
    names = list(names)
    return next((name for n, name in enumerate(names) if name in names[:n]), None)


class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # C is several times faster
    """YAML in which a key may occur only once in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != MERGE]
        if (key := repeated(keys)) is not None:
            raise ValueError(f"duplicate key '{key}'; keep one of them")
        for (_, before), (key, value) in pairwise(node.value):
            is_alone = value.tag == NULL and not value.value and str(key.value).isdigit()
            if node.flow_style and is_alone and isinstance(before.value, str):
                number, line = f"{before.value},{key.value}", node.start_mark.line + 1
                remedy = number.replace(",", ".")
                raise ValueError(f"'{number}' in line {line} is two values; write {remedy}")
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> dict[str, Any]:
    """The content of a YAML file."""
    try:
        content = yaml.load(Path(path).read_text(encoding="utf-8"), _StrictLoader)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        reason = str(error).replace('in "<unicode string>", ', "in ")
        raise InputError(f"{path}: not valid YAML: {reason}") from None
    except (LookupError, AttributeError):  # by PyYAML, such as for "!!float" without a number
        says = "a value does not fit its tag; write values without tags"
        raise InputError(f"{path}: not valid YAML: {says}") from None
    if not isinstance(content, dict):
        what = "is empty" if content is None else "has no keys"
        remedy = "write keys with values, as docs/examples/mine2026.yaml has"
        raise InputError(f"{path}: it {what}; {remedy}")
    return content

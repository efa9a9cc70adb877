"""The frozen classes of `studies` from what a person typed, validated once.

A field is a key of a file, with the type of its annotation. A field that is `made` is no key: the
reader fills it in. A field with a `form` has another type in the file, such as a name.
"""

import typing
from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from annotated_types import MinLen

from dpbandits import parameters
from dpbandits.errors import InputError, check_known, within
from dpbandits.parameters import Declared, described

Kind = TypeVar("Kind")
Content = Mapping[str, Any]
MADE = "made"
DEFAULTS = "defaults"


class Form(NamedTuple):
    """The type of a key in the file, if the reader turns it into something else."""

    kind: Any


def made(default: Any = MISSING, factory: Any = MISSING) -> Any:
    """A field that the reader fills in; no key of a file."""
    return field(default=default, default_factory=factory, metadata={MADE: True})


@cache
def keys_of(kind: type) -> dict[str, Declared]:
    """The keys of a thing in a file."""
    no_keys = {each.name for each in fields(kind) if each.metadata.get(MADE)}
    result = {}
    for name, each in parameters.declared(kind).items():
        if name not in no_keys:
            forms = [a for a in typing.get_args(each.kind) if isinstance(a, Form)]
            result[name] = each._replace(kind=forms[0].kind) if forms else each
    return result


def valid(
    kind: type[Kind],
    content: Any,
    place: str,
    *,
    part: bool = False,
    without: Collection[str] = (),
    needed: Collection[str] = (),
) -> Kind | None:
    """A thing from the keys that a person typed, `without` some keys, or with more `needed` ones.

    A `part` may lack keys, such as `defaults`: it is only checked. Raises InputError for the first
    unknown or missing key, or value that is not valid.
    """
    needed = {*needed, *getattr(kind, "needs", ())}
    content = parameters.validated(dict, content, place)
    known = {name: each for name, each in keys_of(kind).items() if name not in without}
    with within(place):
        check_known("", "key", content, known)
        for name in known if not part else ():
            if name not in content and (known[name].is_required or name in needed):
                raise InputError(
                    f"'{name}' is missing; write {name}: {described(known[name].kind)}"
                )
    values = {
        name: _value(known[name].kind, value, f"{place}.{name}".removeprefix("."))
        for name, value in content.items()
    }
    if part:
        return None
    with within(place):
        return kind(**values)


def _value(kind: Any, value: Any, place: str) -> Any:
    """A value of a type that may be a thing, or a mapping of ids to things."""
    if is_dataclass(kind):
        return valid(kind, value, place)
    base, *further = typing.get_args(kind) if typing.get_origin(kind) is Annotated else (kind,)
    if typing.get_origin(base) in (dict, Mapping) and is_dataclass(typing.get_args(base)[1]):
        ids, thing = typing.get_args(base)
        typed = Annotated[dict[ids, Any], *further] if further else dict[ids, Any]
        return {
            id: valid(thing, each, f"{place}.{id}".removeprefix("."))
            for id, each in parameters.validated(typed, value, place).items()
        }
    return parameters.validated(kind, value, place)


def validated(content: Any, kind: type[Kind], file: str | Path, place: str = "") -> Kind:
    """The content of a place in a file. InputError with file, place, key, value and remedy."""
    with within(str(file)):
        return _value(kind, content, place)


def over(shared: Any, own: Any, depth: int = 2) -> Any:
    """The own value instead of the shared one; of two mappings, to this depth, all keys."""
    if not depth or not (isinstance(shared, dict) and isinstance(own, dict)):
        return own
    return shared | {key: over(shared.get(key), value, depth - 1) for key, value in own.items()}


def entries(
    kind: type | None, typed: Any, ids: Any, place: str, parts: Mapping[str, type] | None = None
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The place, id and keys of every entry of a mapping, with the keys that all share.

    These are under `defaults`. The `parts` are keys whose values have keys of another thing.
    """
    parts = parts or {}
    typed = dict(parameters.validated(dict, typed, place))
    shared = parameters.validated(dict, typed.pop(DEFAULTS, {}), f"{place}.{DEFAULTS}")
    own = {key: value for key, value in shared.items() if key not in parts}
    if kind:
        valid(kind, own, f"{place}.{DEFAULTS}", part=True)
    parameters.validated(Annotated[dict[ids, Any], MinLen(1)], typed, place)
    for id, each in {DEFAULTS: shared, **typed}.items():
        where = f"{place}.{id}"
        entry = parameters.validated(dict, each, where)
        for part in parts.keys() & entry.keys():
            valid(parts[part], entry[part], f"{where}.{part}", part=True)
        if each is not shared:
            yield where, id, over(shared, entry)

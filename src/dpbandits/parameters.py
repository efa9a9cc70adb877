"""Types of parameters, and what messages say of a wrong value: in Python and in files.

A policy or a bandit is a subclass of `Parameters`: a frozen dataclass whose fields are its
parameters. A measure declares its parameters as keyword arguments. Types are those of pydantic. The
constraints of annotated_types restrict a range, and `Words` describes it. The keys of studies'
files have these types, too (`studies.things`), and so have the arguments of `compare`.
"""

import inspect
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import product
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeVar, Union

import numpy as np
from annotated_types import Ge, Gt, Le, Lt, MinLen

from dpbandits.errors import InputError, check_known, nearest, number_in_text, within

Kind = TypeVar("Kind")


@dataclass(frozen=True)  # no tuple: the cache would trace this module for kernels (`code_cache`)
class Words:
    """What a value of an annotated type should be, for messages. Numbers are finite.

    A string fits the pattern, if there is one.

    Examples
    --------
    >>> Share = Annotated[float, Gt(0), Le(1), Words("a share in (0, 1]")]
    >>> described(Share)
    'a share in (0, 1]'
    """

    words: str
    pattern: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable) -> Any:
        """Let pydantic report these words, in place of the constraint that a value breaks."""
        from pydantic_core.core_schema import custom_error_schema

        schema = handler(source)
        if schema["type"] == "float":
            schema["allow_inf_nan"] = False
        if self.pattern:
            schema["pattern"] = self.pattern
        return custom_error_schema(schema, "words", custom_error_message=self.words)


Finite = Annotated[float, Words("a finite number")]
Positive = Annotated[float, Gt(0), Words("a number above 0")]
NotNegative = Annotated[float, Ge(0), Words("a number of at least 0")]
Probability = Annotated[float, Gt(0), Lt(1), Words("a number in (0, 1)")]
Delta = Annotated[float, Ge(0), Lt(1), Words("a number in [0, 1)")]
Mean = Annotated[float, Ge(0), Le(1), Words("a mean in [0, 1]")]
Natural = Annotated[int, Ge(1), Words("an integer of at least 1")]
Several = Annotated[int, Ge(2), Le(10**12), Words("an integer from 2 to 10^12")]  # rounds or runs
# A larger number is a typing mistake: 10^30 rounds would be counted one by one before the refusal.
Recorded = Annotated[int, Ge(0), Le(10_000), Words("an integer from 0 to 10000")]
Seed = Annotated[int, Ge(0), Words("an integer of at least 0")]
# By the name of a type, here and in the errors of pydantic.
EXPECTED = {
    "str": "a string", "string": "a string", "bool": "true or false", "int": "an integer",
    "float": "a number", "list": "a list, such as [a, b]", "dict": "keys with values",
    "dataclass": "keys with values", "Any": "a value", "is_instance_of": "a list, such as [a, b]",
    "sequence_str": "a list, such as [a, b]",
    "too_short": "of length {min_length} or more", "too_long": "of length {max_length} or less",
}  # fmt: skip


def file_of(module: str) -> str:
    """Return the file of a module, as messages name it."""
    source = "src/" if module.startswith("dpbandits.") else ""
    return f"{source}{module.replace('.', '/')}.py"


class Parameters:
    """Base class of everything with parameters: a frozen dataclass with validated fields.

    Raises
    ------
    InputError
        On construction, if a value does not have the type of its field.
    """

    keywords_only: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=cls.keywords_only, repr=False)(cls)

    def __post_init__(self) -> None:
        for name, each in declared(type(self)).items():
            object.__setattr__(self, name, each.valid(name, getattr(self, name)))

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def file(cls) -> str:
        """Return the file of the class, as messages name it; the class itself in a notebook."""
        if cls.__module__ == "__main__":
            return cls.__name__
        return file_of(cls.__module__)

    def __repr__(self) -> str:
        """Return the class and the parameters that differ from their defaults."""
        changed = (
            f"{name}={getattr(self, name)!r}"
            for name, each in declared(type(self)).items()
            if getattr(self, name) != each.default
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    @classmethod
    def grid(cls, **values: Iterable[Any]) -> list[Self]:
        """Make an object for each combination of values.

        Parameters
        ----------
        **values : iterable
            The values of each parameter that varies.

        Returns
        -------
        list
            The objects; the parameter that is written last varies fastest.

        Examples
        --------
        >>> from dpbandits.policies import DPSE
        >>> DPSE.grid(epsilon=[0.1, 0.5])
        [DPSE(epsilon=0.1), DPSE(epsilon=0.5)]
        """
        for name, each in values.items():
            if isinstance(each, str) or not isinstance(each, Iterable):
                raise InputError(f"{name}: {each!r} should be a list of values: [{each!r}]")
        return [cls(**dict(zip(values, each, strict=True))) for each in product(*values.values())]


class Declared(NamedTuple):
    """A parameter: its type without None, which only marks a default, and its default."""

    kind: Any
    default: Any = inspect.Parameter.empty

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def is_number(self) -> bool:
        """Whether every value is a number, or true or false."""
        return self.default is not None and _base(self.kind) in (int, float, bool)

    def valid(self, name: str, value: Any) -> Any:
        """The value with the type of the parameter. InputError if it is not valid.

        The default is always valid, such as None.
        """
        if type(value) is type(self.default) and value == self.default:
            return value
        if isinstance(value, np.ndarray | np.generic):
            value = value.tolist()
        is_list = typing.get_origin(self.kind) in (list, Sequence)
        kind = Annotated[self.kind, MinLen(1)] if is_list else self.kind
        return _without_lists(validated(kind, value, name))


@cache
def declared(declaring: Callable | type) -> dict[str, Declared]:
    """The fields of a class, or the keyword-only arguments of a function."""
    kinds = typing.get_type_hints(declaring, include_extras=True)
    arguments = inspect.signature(declaring).parameters.values()
    if not isinstance(declaring, type):
        arguments = [each for each in arguments if each.kind is each.KEYWORD_ONLY]
    return {
        each.name: Declared(_without_none(kinds.get(each.name, Any)), each.default)
        for each in arguments
    }


def check_names(
    known: Mapping[str, Declared], names: Collection[str], needed: Collection[str] | None = ()
) -> None:
    """Raise InputError for an unknown name, or for a missing one, required here or in `needed`.

    If `needed` is None, any may be missing.
    """
    check_known("", "key", names, known)
    for name, each in known.items() if needed is not None else ():
        if name not in names and (each.is_required or name in needed):
            raise InputError(f"'{name}' is missing; write {name}: {described(each.kind)}")


def check(declaring: Callable, values: Mapping[str, Any], where: str) -> None:
    """Validate arguments of a function.

    Parameters
    ----------
    declaring : callable
        The function, whose parameters are keyword-only arguments.
    values : mapping
        The values that a person typed.
    where : str
        The place with which messages begin; may be empty.

    Raises
    ------
    InputError
        For an unknown name, a missing value or one that is not valid.
    """
    with within(where):
        known = declared(declaring)
        check_names(known, values)
        for name, value in values.items():
            known[name].valid(name, value)


def validated(kind: type[Kind], value: Any, place: str = "") -> Kind:
    """The value with this type. InputError, which begins with the place, if it is not valid."""
    from pydantic import ValidationError  # slow to import; a simulation validates nothing

    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as failure:
        errors = failure.errors(include_url=False)
    places = [_keys(value, error["loc"]) for error in errors]
    # Of alternatives, such as a list or a mapping, the intended one fails at the deepest key.
    keys = max((each for each in places if each[: len(places[0][:1])] == places[0][:1]), key=len)
    meant = [error for error, each in zip(errors, places, strict=True) if each == keys]
    with within((place + "".join(keys)).removeprefix(".")):
        raise InputError(_problem(meant))


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind, config=None if is_dataclass(kind) else {"strict": True})


def _keys(value: Any, place: Sequence[int | str]) -> list[str]:
    """The keys and indices in a place of pydantic's, which also names alternatives."""
    keys = []
    for key in place:
        if isinstance(value, dict) and key in value:
            keys.append(f".{key}")
        elif isinstance(value, list | tuple) and isinstance(key, int):
            keys.append(f"[{key}]")
        else:
            continue
        value = value[key]
    return keys


def _problem(errors: Sequence[Mapping[str, Any]]) -> str:
    """Say what a value should be, from pydantic's errors of all alternatives."""
    for error in errors:
        if error["type"] == "value_error":  # a check of ours
            return error["msg"].removeprefix("Value error, ")
    value, choices = errors[0]["input"], [name for error in errors for name in _choices(error)]
    if str(value) in choices:
        return f"{value!r} should be the string '{value}'"
    if not choices and (remedy := number_in_text(value)):
        return remedy
    expected = ", or ".join(dict.fromkeys(map(_expected, errors)))
    suggestion = nearest(value, choices) if isinstance(value, str) else ""
    suggestion = f"; {suggestion}" if suggestion.endswith("?") else ""
    return f"{value!r:.80} should be {expected}{suggestion}"


def _choices(error: Mapping[str, Any]) -> list[str]:
    """The values that are valid, if these are listed."""
    if error["type"] != "literal_error":
        return []
    return [each.strip("'") for each in re.split(", | or ", error["ctx"]["expected"])]


def _expected(error: Mapping[str, Any]) -> str:
    """What the value of an error should be."""
    if choices := _choices(error):
        return ("one of " if len(choices) > 1 else "") + ", ".join(choices)
    expected = EXPECTED.get(error["type"].removesuffix("_type"), "")
    words = expected.format(**error.get("ctx", {}))
    return words or error["msg"].removeprefix("Input should be ")


def _without_lists(value: Any) -> Any:
    """A value that can be hashed."""
    return tuple(map(_without_lists, value)) if isinstance(value, list | tuple) else value


def _without_none(kind: Any) -> Any:
    if not _is_union(kind):
        return kind
    return Union[tuple(k for k in typing.get_args(kind) if k is not types.NoneType)]  # noqa: UP007


def _base(kind: Any) -> Any:
    """The type without its constraints."""
    return typing.get_args(kind)[0] if typing.get_origin(kind) is Annotated else kind


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (Union, types.UnionType)


def described(kind: Any) -> str:
    """Describe a type: by its own words, if it has some."""
    arguments, origin = typing.get_args(kind), typing.get_origin(kind)
    if _is_union(kind):
        return " | ".join(map(described, arguments))
    if origin is Literal:
        return " | ".join(map(str, arguments))
    if origin in (list, Sequence):
        return f"a list of {described(arguments[0])}"
    if origin is Annotated:
        own = [each.words for each in arguments if isinstance(each, Words)]
        return own[0] if own else described(arguments[0])
    return EXPECTED.get((origin or kind).__name__, EXPECTED["dataclass"])

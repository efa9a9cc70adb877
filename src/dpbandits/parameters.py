"""Parameters of policies, bandits and measures: declared once with type and default, validated.

A policy or a bandit is a subclass of `Parameters`: a frozen dataclass whose fields are its
parameters. A measure declares its parameters as keyword arguments. Types are those of pydantic. The
constraints of annotated_types restrict a range, and `doc` says it in words.
"""

import inspect
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, Union

import numpy as np
from annotated_types import DocInfo, Ge, Gt, Le, Lt, MinLen, doc

from dpbandits.errors import InputError, check_known, nearest, number_in_text, within

Positive = Annotated[float, Gt(0), Lt(math.inf), doc("a number above 0")]
NotNegative = Annotated[float, Ge(0), Lt(math.inf), doc("a number of at least 0")]
Probability = Annotated[float, Gt(0), Lt(1), doc("a number in (0, 1)")]
Mean = Annotated[float, Ge(0), Le(1), doc("a mean in [0, 1]")]
Natural = Annotated[int, Ge(1), doc("an integer of at least 1")]


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
        from pydantic import ValidationError  # slow to import; a simulation validates nothing

        if isinstance(value, np.ndarray | np.generic):
            value = value.tolist()
        try:
            return _without_lists(_validator(self.kind).validate_python(value))
        except ValidationError as failure:
            raise InputError(f"{name}{_problem(self.kind, value, failure)}") from None


@cache
def declared(declaring: Callable | type[Parameters]) -> dict[str, Declared]:
    """The parameters of a class, or the keyword-only arguments of a function."""
    kinds = typing.get_type_hints(declaring, include_extras=True)
    arguments = inspect.signature(declaring).parameters.values()
    if not isinstance(declaring, type):
        arguments = [each for each in arguments if each.kind is each.KEYWORD_ONLY]
    return {
        each.name: Declared(_without_none(kinds.get(each.name, Any)), each.default)
        for each in arguments
    }


def check(declaring: Callable | type[Parameters], values: Mapping[str, Any], where: str) -> None:
    """Validate parameters.

    Parameters
    ----------
    declaring : callable
        A subclass of `Parameters`, or a function with keyword-only arguments.
    values : mapping
        The values that a person typed.
    where : str
        The place with which messages begin; may be empty.

    Raises
    ------
    InputError
        For an unknown name, a missing value or one that is not valid.
    """
    known = declared(declaring)
    check_known(where, "key", values, known)
    with within(where):
        for name, each in known.items():
            if name in values:
                each.valid(name, values[name])
            elif each.is_required:
                raise InputError(f"'{name}' is missing; write {name}: {described(each.kind)}")


@cache
def _validator(kind: Any) -> Any:
    from pydantic import ConfigDict, TypeAdapter

    needs_items = typing.get_origin(kind) in (list, Sequence)
    return TypeAdapter(
        Annotated[kind, MinLen(1)] if needs_items else kind, config=ConfigDict(strict=True)
    )


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


def _problem(kind: Any, value: Any, failure: Any) -> str:
    """': 0 should be a number above 0', after the index of the first invalid item of a list."""
    if _is_union(kind):  # a string was meant as a choice, a number as a number
        words = [k for k in typing.get_args(kind) if typing.get_origin(k) is Literal]
        kind = next(
            (k for k in typing.get_args(kind) if (k in words) == isinstance(value, str)), kind
        )
    place = ""
    for index in failure.errors(include_url=False)[0]["loc"]:
        if isinstance(value, list | tuple) and isinstance(index, int):
            kind, value, place = typing.get_args(kind)[0], value[index], f"{place}[{index}]"
    if typing.get_origin(kind) is Literal:
        choices = [str(choice) for choice in typing.get_args(kind)]
        if str(value) in choices:
            return f"{place}: {value!r} should be the string '{value}'"
        return f"{place}: {value!r} is not one of {', '.join(choices)}; {nearest(value, choices)}"
    return f"{place}: {number_in_text(value) or f'{value!r} should be {described(kind)}'}"


def described(kind: Any) -> str:
    """Describe a type in words: its own (`doc`), if it has some."""
    arguments = typing.get_args(kind)
    if _is_union(kind):
        return " | ".join(map(described, arguments))
    if typing.get_origin(kind) is Literal:
        return " | ".join(map(str, arguments))
    if typing.get_origin(kind) in (list, Sequence):
        return f"a list of {described(arguments[0])}"
    if typing.get_origin(kind) is Annotated:
        in_words = [each.documentation for each in arguments if isinstance(each, DocInfo)]
        constraints = ", ".join(map(str, arguments[1:]))
        return in_words[0] if in_words else f"{described(arguments[0])}: {constraints}"
    words = {
        str: "a string", bool: "true or false", int: "an integer", float: "a number", Any: "a value"
    }  # fmt: skip
    return words.get(kind, str(kind))

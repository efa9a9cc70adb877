"""What all models of YAML files are made of: mappings with known keys, names, numbers, lists without repetition."""

from typing import Annotated, Any

from annotated_types import MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FiniteFloat,
    StringConstraints,
    model_validator,
)

from dpbandits.errors import nearest, number_in_text


class Written(BaseModel):
    """A mapping with known keys. Values are not converted: "1e5" is a text, 100.0 is no whole number, 1 is not 1.0."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, content: Any) -> Any:
        for key in content if isinstance(content, dict) and cls.model_config["extra"] == "forbid" else ():
            if key not in cls.model_fields:
                raise ValueError(f"unknown key '{key}'; {nearest(key, cls.model_fields)}")
        return content

    def as_written(self) -> dict[str, Any]:
        """The keys that are in the file, without defaults."""
        return self.model_dump(exclude_unset=True)


def _without_repetition(values: list) -> list:
    for place, value in enumerate(values):
        if any(value == other and type(value) is type(other) for other in values[:place]):
            raise ValueError(f"{value!r} is there twice; keep one")
    return values


def _no_number_in_text(value: Any) -> Any:
    if hint := number_in_text(value):
        raise ValueError(hint)
    return value


def in_step(sweep: dict[str, list]) -> dict[str, list]:
    """The values of the first parameter name the series, so that they differ; there are as many of every other one."""
    (first, values), *others = sweep.items()
    _without_repetition(values)
    for name, found in others:
        if len(found) != len(values):
            raise ValueError(
                f"{name} has {len(found)} values and {first} {len(values)}; write one for each of {first}'s"
            )
    return sweep


Number = int | FiniteFloat  # 1 stays 1, and 1.0 stays 1.0
Scalar = int | float | Annotated[str, AfterValidator(_no_number_in_text)] | bool
Once = AfterValidator(_without_repetition)
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
STUDY_ID = r"^[a-z][a-z0-9-]*$"
FIGURE_ID = r"^[A-Za-z][A-Za-z0-9-]*$"  # s-... is a supplementary figure of ours
# The id of a figure or of an experiment; with a matrix, a pattern of ids: fig{environment}{epsilon}.
FigureId = Annotated[str, StringConstraints(pattern=r"^([A-Za-z]|\{[a-z0-9_]+\})([A-Za-z0-9-]|\{[a-z0-9_]+\})*$")]
TestId = Annotated[str, StringConstraints(pattern=r"^[A-Z][0-9]+(-[a-z0-9-]+)?$")]
SentenceId = Annotated[str, StringConstraints(pattern=r"^[STPO][0-9]+$")]
Parameters = dict[str, Scalar]  # compared with the algorithm's signature in plan.checking
# The name of a matrix's value in ids. A key written as 4 is a number in YAML and a text here.
Key = Annotated[
    str, BeforeValidator(lambda key: str(key) if type(key) is int else key), StringConstraints(pattern=r"^[a-z0-9-]+$")
]
Values = Annotated[list[Scalar], MinLen(1), Once]
Matrix = Annotated[dict[str, Values | Annotated[dict[Key, Scalar], MinLen(1)]], MinLen(1)]

"""docs/lists.md: all policies, all measures of claims and all keys of a guest, from the code: `make artifact`."""

import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpbandits import algorithms, parameters, simulation, studies
from dpbandits.audit.promises import promise_of
from dpbandits.claims.measurement import MEASURES, Measure
from dpbandits.claims.scoreboard import LEFT, as_table
from dpbandits.environments import FAMILIES
from dpbandits.report.content import first_sentence
from dpbandits.studies import model
from dpbandits.studies.study import Paper, Series

PAGE = "docs/lists.md"
HEAD = """\
# Lists

Made from the code by `make artifact`.
"""
POLICIES = """\
## Policies

Each is a module of `src/dpbandits/algorithms`, and its name is what `algorithm:` in a paper file, a guest and `compare` take. *Trust*
is what the module's function `privacy` states: who may see the rewards, and whether δ is 0. A parameter without a value must be given.
"""
MEASURES_HEAD = """\
## Measures of claims

What `measure:` of a claim may name. `since` is the first round that counts; without it a measure uses the last round only. `take` says
which of several values decides.
"""
GUEST = """\
## Keys of a guest

What an entry under `guests:` in `config/config.yaml` may contain ([how to add one](extending.md)).
"""
HORIZON = 1000  # of the games in which a policy is asked for its promise: its trust does not depend on it


def text(found: Mapping[str, Paper]) -> str:
    """The page, on the policies that the code has and the studies that play them."""
    parts = [HEAD, POLICIES]
    played = _played(found.values())
    for family, words in FAMILIES.items():
        rows = (_policy(name, played.get(name, [])) for name, of in algorithms.known().items() if of == family)
        parts += [
            f"### They play {words}\n",
            _table(["policy", "what it is", "trust", "parameters", "played in"], rows),
        ]
    rows = ([f"`{name}`", *_measure(measure)] for name, measure in sorted(MEASURES.items()))
    parts += [MEASURES_HEAD, _table(["measure", "what it measures", "compares", "keys"], rows)]
    parts += [GUEST, _table(["key", "what it is", "value"], _keys(model.Guest))]
    return "\n".join(parts)


def _table(header: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    return as_table(dict.fromkeys(header, LEFT), rows) + "\n"


def _played(found: Iterable[Paper]) -> dict[str, list[tuple[str, Series, int]]]:
    """Algorithm -> the studies in which it plays, each with a series of it and its number of arms."""
    played: dict[str, dict[str, tuple[str, Series, int]]] = {}
    for paper in found:
        for experiment in paper.experiments.values():
            arms = simulation.make_environment(experiment.environment).number_of_arms
            for series in experiment.series.values():
                played.setdefault(series.algorithm, {}).setdefault(paper.id, (paper.id, series, arms))
    return {algorithm: list(by_study.values()) for algorithm, by_study in played.items()}


def _policy(name: str, played: list[tuple[str, Series, int]]) -> list[str]:
    module = algorithms.find(name)
    needed = dict.fromkeys(_needed(module.play), 1.0)
    given = [(series.parameters, arms) for _, series, arms in played] or [(needed, 2)]
    trusts = dict.fromkeys(_trust(name, *asked) for asked in given)
    return [
        f"`{name}`",
        first_sentence(module.__doc__),
        "; ".join(trusts),
        _parameters(module.play),
        ", ".join(study for study, _, _ in played) or "–",
    ]


def _trust(algorithm: str, given: Mapping[str, Any], arms: int) -> str:
    account = promise_of(algorithm, given, HORIZON, arms)
    return f"{account.trust}, {'(ε, δ)' if account.delta else 'ε'}" if account else "no promise"


def _needed(play: Callable) -> list[str]:
    """The parameters without a default."""
    return [
        p.name for p in inspect.signature(play).parameters.values() if p.kind is p.KEYWORD_ONLY and p.default is p.empty
    ]


def _measure(measure: Measure) -> list[str]:
    about = first_sentence(measure.function.__doc__)
    return [about, measure.compares, _parameters(measure.function)]


def _parameters(function: Callable) -> str:
    """`epsilon` (a number above 0), `alpha` = 3.1 (a number above 0)."""
    kinds = typing.get_type_hints(function, include_extras=True)
    declared = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    return (
        "; ".join(
            f"`{p.name}`"
            + ("" if p.default is p.empty else f" = {_value(p.default)}")
            + f" ({_kind(kinds.get(p.name))})"
            for p in declared
        )
        or "–"
    )


def _value(default: Any) -> str:
    if isinstance(default, float):
        return f"{default:g}"
    return "none" if default is None else str(default).lower() if isinstance(default, bool) else str(default) or '""'


def _kind(kind: Any) -> str:
    if typing.get_origin(kind) is dict:
        return "a mapping of keys to values"
    return parameters.described(parameters.in_file(kind))


def _keys(keys: type[model.Written]) -> Iterator[list[str]]:
    for name, field in keys.model_fields.items():
        needed = "needed" if field.is_required() else "may be absent"
        yield [f"`{name}`", " ".join((field.description or "").split()), f"{_kind(field.annotation)}; {needed}"]


def refresh(root: Path) -> None:
    """Write docs/lists.md again."""
    (root / PAGE).write_text(text(studies.load_all(root / "config", "paper")), encoding="utf-8")


if __name__ == "__main__":
    refresh(Path.cwd())

"""The algorithms, one module each, in the folder of the family of environments that they play: arms, games or logs.

`algorithm: ucb` in a paper file is the module `dpbandits.algorithms.arms.ucb`: an algorithm is found by being there, and no
two families have one of the same name. Modules whose names begin with an underscore are no algorithms; they hold what
several algorithms share. The contract of a family is the Protocol `Algorithm` of its `__init__.py`; what all have in common is

    play(rng, <what the family's environments give>, horizon, journal, *, <parameters>)   one run; required
    privacy(horizon, number_of_arms, *, <parameters>)    -> Account: what is promised, what is spent; None if not private
    composition(horizon, number_of_arms, *, <parameters>)  -> {step: epsilon} that the source adds up; optional
    check(horizon, number_of_arms, *, <parameters>)      raises InputError where the parameters make no sense together
    nanoseconds(horizon, number_of_arms, **parameters)   what a run takes, roughly; 50 per round if absent (`dpbandits.costs`)

and the parameters are the keyword parameters of `play`, checked by their annotations.
"""

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType

from dpbandits.environments import FAMILIES
from dpbandits.errors import InputError, nearest


@cache
def known() -> dict[str, str]:
    """Every algorithm that is there, and its family."""
    folder = Path(__file__).parent
    found: dict[str, str] = {}
    for family in FAMILIES:
        for path in sorted((folder / family).glob("*.py")):
            if path.stem in found:
                raise InputError(
                    f"src/dpbandits/algorithms: '{path.stem}' is an algorithm of {found[path.stem]} and of {family}; "
                    "rename one of them"
                )
            if not path.stem.startswith("_"):
                found[path.stem] = family
    return found


def family_of(name: str) -> str:
    """The family of environments that an algorithm plays: arms, games or logs."""
    families = known()
    if name not in families:
        raise InputError(f"unknown algorithm '{name}'; {nearest(name, families)}")
    return families[name]


def module_name(name: str) -> str:
    """Where an algorithm is defined, below dpbandits: `algorithms.arms.ucb`."""
    return f"algorithms.{family_of(name)}.{name}"


def find(name: str) -> ModuleType:
    """The module of an algorithm."""
    return importlib.import_module(f"dpbandits.{module_name(name)}")


def check_family(algorithm: str, kind: str) -> None:
    """Raise InputError where an algorithm of one family meets an environment of another."""
    from dpbandits import environments

    plays, given = family_of(algorithm), environments.family_of(kind)
    if plays != given:
        fitting = ", ".join(name for name, family in known().items() if family == given)
        raise InputError(
            f"algorithm '{algorithm}' plays {FAMILIES[plays]}, and environment '{kind}' is {FAMILIES[given]}; "
            f"choose an algorithm of algorithms/{given}/: {fitting}"
        )

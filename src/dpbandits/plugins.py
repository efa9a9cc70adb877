"""Find the policies and bandits that a file names: one public class in one module.

`algorithm: ucb` is the class in the module `dpbandits.policies.arms.ucb`, and `kind: bernoulli`
that in `dpbandits.bandits.arms.bernoulli`: both packages list their modules. Any other name is a
module of your own, with or without a dot: on PYTHONPATH, or beside config.yaml.
"""

import importlib
import inspect
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from dpbandits import parameters
from dpbandits.errors import InputError, in_one_line, nearest, within

FAMILIES = {"arms": "stochastic arms", "games": "adversaries' games", "logs": "news logs"}
Kind = TypeVar("Kind", bound=parameters.Parameters)


def import_from(folder: Path) -> None:
    """Let this process, and those that it starts, import modules of this folder after others."""
    if (place := str(folder.resolve())) not in sys.path:
        sys.path.append(place)
        paths = filter(None, [os.environ.get("PYTHONPATH"), place])
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)


@dataclass(frozen=True)
class Plugins(Generic[Kind]):
    """The classes below one base class, by the names of their modules.

    Parameters
    ----------
    package : str
        The folder of their families in this package.
    base : type
        Their base class.
    word : str
        What messages call such a name.
    form : str
        The first lines of a class, for the error of a module that has none.
    file : str
        The file of the package, whose imports `from .arms.ucb import UCB as UCB` are the list.
    """

    package: str
    base: type[Kind]
    word: str
    form: str
    file: str

    @cached_property
    def known(self) -> dict[str, str]:
        """The shipped modules, and the family of each."""
        return {module: family for family, module, _ in self._listed}

    @cached_property
    def _listed(self) -> list[tuple[str, str, str]]:
        """Family, module and class of each import in the list."""
        source = Path(self.file).read_text(encoding="utf-8")
        return re.findall(r"^    from \.(\w+)\.(\w+) import (\w+) as \3$", source, re.M)

    def module_of(self, name: str) -> str:
        """Return the whole name of a module: `ucb` -> `dpbandits.policies.arms.ucb`.

        Raises InputError if neither the list nor Python has a module of a name without a dot.
        """
        if name in self.known:
            return f"dpbandits.{self.package}.{self.known[name]}.{name}"
        if "." not in name and not (name.isidentifier() and name != "__main__" and find_spec(name)):
            nowhere = "no such module is on PYTHONPATH or beside config.yaml"
            suggestion = f"{nearest(name, self.known)} ({nowhere})"
            raise InputError(f"unknown {self.word} '{name}'; {suggestion}")
        return name

    def find(self, name: str) -> type[Kind]:
        """Import the class of this name. InputError if there is no such class."""
        module_name = self.module_of(name)
        file = parameters.file_of(module_name)
        with in_one_line(file):
            module = importlib.import_module(module_name)
        classes = [
            value
            for key, value in vars(module).items()
            if inspect.isclass(value) and issubclass(value, self.base)
            if value.__module__ == module_name and key[0] != "_"
        ]
        if len(classes) != 1:
            names = ", ".join(each.__name__ for each in classes) or "none"
            says = f"one public class should be a {self.base.__name__}, and there is {names}"
            raise InputError(f"{file}: {says}; write {self.form}")
        (found,) = classes
        if (family := getattr(found, "family", None)) not in FAMILIES:
            raise InputError(f"{file}: family = {family!r}; {nearest(family, FAMILIES)}")
        return found

    def family_of(self, name: str) -> str:
        """Return the family that a name belongs to: arms, games or logs."""
        return self.known[name] if name in self.known else self.find(name).family

    def make(self, name: str, values: Mapping[str, Any], where: str = "") -> Kind:
        """Make an object from the values that a person typed; messages begin with `where`."""
        found = self.find(name)
        with within(where), in_one_line(found.file()):
            parameters.check_names(parameters.declared(found), values)
            return found(**values)

    def class_named(self, name: str) -> type[Kind]:
        """Return the class of this name, such as DPSE, which the module dp_se has."""
        by_class = {each: module for _, module, each in self._listed}
        if name in by_class:
            return self.find(by_class[name])
        similar = [each for each in by_class if each.lower() == name.lower()]
        says = f"module 'dpbandits.{self.package}' has no attribute '{name}'"
        raise AttributeError("; ".join([says, *(f"did you mean '{each}'?" for each in similar)]))

"""Find the policies and bandits that a file names: one public class in one module.

`algorithm: ucb` is the class in the module `dpbandits.policies.arms.ucb`, and `kind: bernoulli`
that in `dpbandits.bandits.arms.bernoulli`. Modules are found in the folders of their families,
without registration. A name with a dot is a module of another package.
"""

import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from dpbandits import parameters
from dpbandits.errors import InputError, check_known, in_one_line, nearest, within

FAMILIES = {"arms": "stochastic arms", "games": "adversaries' games", "logs": "news logs"}
Kind = TypeVar("Kind", bound=parameters.Parameters)


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
    """

    package: str
    base: type[Kind]
    word: str
    form: str

    @cached_property
    def known(self) -> dict[str, str]:
        """The modules in the folders, and the family of each."""
        result: dict[str, str] = {}
        for family in FAMILIES:
            folder = Path(__file__).parent / self.package / family
            for path in sorted(folder.glob("[!_]*.py")):
                if path.stem in result:
                    twice = f"'{path.stem}' is in {result[path.stem]} and in {family}"
                    raise InputError(f"src/dpbandits/{self.package}: {twice}; rename one of them")
                result[path.stem] = family
        return result

    def module_of(self, name: str) -> str:
        """Return the whole name of a module: `ucb` -> `dpbandits.policies.arms.ucb`."""
        return name if "." in name else f"dpbandits.{self.package}.{self.family_of(name)}.{name}"

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
        if "." in name:
            return self.find(name).family
        check_known("", self.word, [name], self.known)
        return self.known[name]

    def make(self, name: str, values: Mapping[str, Any], where: str = "") -> Kind:
        """Make an object from the values that a person typed; messages begin with `where`."""
        found = self.find(name)
        parameters.check(found, values, where)
        with within(where), in_one_line(found.file()):
            return found(**values)

    def class_named(self, name: str) -> type[Kind]:
        """Return the class of this name, such as DPSE, which the module dp_se has."""
        by_class = {module.replace("_", ""): module for module in self.known}
        if (module := by_class.get(name.lower())) is None:
            raise AttributeError(f"module 'dpbandits.{self.package}' has no attribute '{name}'")
        found = self.find(module)
        if found.__name__ != name:
            raise AttributeError(f"dpbandits.{self.package}: did you mean '{found.__name__}'?")
        return found

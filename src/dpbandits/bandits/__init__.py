"""The bandits that algorithms play, in three families, one folder each:

    arms    stochastic arms with means             (tossou2016, azize2022, sarkar2025, mishra2015's Figure 1)
    games   gains that an adversary fixes          (tossou2017)
    logs    news articles shown to logged visitors (mishra2015's Figure 2)

`environment: {kind: bernoulli, ...}` in a paper file calls the function `bernoulli` of the module
`dpbandits.bandits.arms.bernoulli` with the other keys, and gets an `Environment`. A module whose name begins with an
underscore is no kind; it holds code that the kinds of a family share. A name with a dot is a module of another package, `kind:
my_package.my_bandit`, which has a function `my_bandit`; its `family`, if it is not `arms`, is an attribute of the module.
"""

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.random import Stream

FAMILIES = {"arms": "stochastic arms", "games": "adversaries' games", "logs": "news logs"}


class Environment:
    """The base class of all environments. A kind overrides `begin`, and other methods where needed."""

    number_of_arms: int
    gaps: np.ndarray | None = None  # mu* - mu_a of every arm, if arms have means
    _last: tuple[tuple, Any] | None = None  # what `once_for_run` has drawn last, and for which run

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Any, Any]:
        """Return the bandit of a run and the journal that the algorithm writes to, with the checkpoints t. `rng` is the run's stream
        for the environment, the same for every policy of the experiment, so that all can play the same game."""
        raise NotImplementedError

    def curves(self, bandit: Any, journal: Any, t: np.ndarray) -> dict[str, np.ndarray]:
        """The curves of a finished game at the checkpoints t. Keyword parameters of a kind are the keys of `regret` in a paper
        file: how its authors counted the regret, if not over all rounds against the best arm."""
        return journal.results()

    def play_run(
        self,
        play,
        of_environment: Stream,
        rng: Stream,
        horizon: int,
        t: np.ndarray,
        regret: Mapping,
    ) -> dict:
        """Play one run and return its curves: by default one game, from its first round to the horizon."""
        bandit, journal = self.begin(of_environment, horizon, t)
        play(rng, bandit, horizon, journal)
        return self.curves(bandit, journal, t, **regret)

    def once_for_run(self, rng: Stream, horizon: int, draw: Callable[[], Any]) -> Any:
        """What `draw` returns for this run; the next policy of the same run gets the same."""
        run = horizon, tuple(rng.words)
        if self._last is None or self._last[0] != run:
            self._last = None  # the memory of the last run is free for the next one
            self._last = run, draw()
        return self._last[1]

    def check(self, horizon: int) -> None:
        """Raise InputError for a horizon that this environment does not support."""


class Modules:
    """The modules of `environments` or `algorithms`, in a folder for each family, and those of other packages."""

    def __init__(self, package: str, what: str):
        self.package, self.what = package, what

    @cache  # noqa: B019 - there are two instances, and they stay
    def known(self) -> dict[str, str]:
        """Every module in the folders, and its family."""
        found: dict[str, str] = {}
        for family in FAMILIES:
            for path in sorted(
                (Path(__file__).parent.parent / self.package / family).glob("[!_]*.py")
            ):
                if path.stem in found:
                    raise InputError(
                        f"src/dpbandits/{self.package}: '{path.stem}' is in {found[path.stem]} and in {family}; rename one of them"
                    )
                found[path.stem] = family
        return found

    def family_of(self, name: str) -> str:
        """The family of a module: arms, games or logs."""
        if "." not in name:
            known = self.known()
            check_known("", self.what, [name], known)
            return known[name]
        family = getattr(self.find(name), "family", "arms")
        if family not in FAMILIES:
            raise InputError(
                f"{self.file_of(name)}: family = {family!r}; {nearest(family, FAMILIES)}"
            )
        return family

    def module_name(self, name: str) -> str:
        """The whole name: `ucb` -> `dpbandits.policies.arms.ucb`."""
        return name if "." in name else f"dpbandits.{self.package}.{self.family_of(name)}.{name}"

    def file_of(self, name: str) -> str:
        """The file of a module, as messages name it."""
        module = self.module_name(name)
        return (
            ("src/" if module.startswith("dpbandits.") else "") + module.replace(".", "/") + ".py"
        )

    def find(self, name: str) -> ModuleType:
        """Import a module."""
        return importlib.import_module(self.module_name(name))


KINDS = Modules("bandits", "kind of environment")
kinds, family_of, module_name, file_of = (
    KINDS.known,
    KINDS.family_of,
    KINDS.module_name,
    KINDS.file_of,
)


def maker_of(kind: str) -> Callable[..., Environment]:
    """The function that makes a kind of environment: it has the name of its module."""
    return getattr(KINDS.find(kind), kind.rpartition(".")[2])


def make(environment: Mapping[str, Any]) -> Environment:
    """{kind: bernoulli, means: [0.9, 0.6]} -> the environment."""
    parameters = {key: value for key, value in environment.items() if key != "kind"}
    return maker_of(environment["kind"])(**parameters)

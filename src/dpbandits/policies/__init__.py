"""The algorithms, one module each, in the folder of the family of environments that they play: arms, games or logs.

`algorithm: ucb` in a paper file is the module `dpbandits.policies.arms.ucb`: algorithms are found in their folders,
without registration, and names are unique across families. Modules whose names begin with an underscore are not
algorithms; they hold code that several algorithms share. A name with a dot is a module of another package, `algorithm:
my_package.my_ucb`; its `family`, if it is not `arms`, is an attribute of the module. Of a module `play` is required, the rest is optional:

    play(rng, <arms, game or log>, horizon, journal, *, <parameters>)
        plays one game of `horizon` rounds and notes every round in the journal; all its random numbers come from `rng`, which makes
        runs repeatable
    check(horizon, number_of_arms, *, <parameters>)
        raises InputError for inconsistent parameters, before the first job of a workflow
    privacy(horizon, number_of_arms, *, <parameters>) -> Account | None
        the promised and the spent privacy budget, None if nothing is promised. Without it no privacy is promised, and figures
        say "(promise not checked)" of your own algorithm
    reporting(horizon, number_of_arms, *, <parameters>) -> {phase: rule}
        of a locally private policy: named tuples whose `report(rng, reward)` is what a user sends, for an audit

and the parameters are the keyword parameters of `play`, checked by their annotations.
"""

from collections.abc import Callable

from dpbandits.bandits import FAMILIES, KINDS, Modules
from dpbandits.errors import InputError

ALGORITHMS = Modules("policies", "algorithm")  # whose methods are functions of this module
known, family_of, module_name = ALGORITHMS.known, ALGORITHMS.family_of, ALGORITHMS.module_name
file_of, find = ALGORITHMS.file_of, ALGORITHMS.find


def play_of(algorithm: str | Callable) -> Callable:
    """The `play` of an algorithm, or a function in its place (`dpbandits.library`)."""
    return algorithm if callable(algorithm) else find(algorithm).play


def check_family(algorithm: str, kind: str) -> None:
    """Raise InputError if the algorithm and the environment belong to different families."""
    plays, given = family_of(algorithm), KINDS.family_of(kind)
    if plays != given:
        fitting = ", ".join(name for name, family in known().items() if family == given)
        raise InputError(
            f"algorithm '{algorithm}' plays {FAMILIES[plays]}, and environment '{kind}' is {FAMILIES[given]}; "
            f"choose an algorithm of algorithms/{given}/: {fitting}"
        )

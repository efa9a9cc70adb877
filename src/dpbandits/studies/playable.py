"""The module of an algorithm or an environment, or one message that says what is wrong with it.

Paper files, guests and `dpbandits.compare` name modules that a user may just have written.
"""

import inspect
import math
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from dpbandits import algorithms, environments, parameters
from dpbandits.compiled import uniquely_named
from dpbandits.environments import Environment
from dpbandits.environments.arms._rewards import Arms
from dpbandits.errors import InputError
from dpbandits.random import stream
from dpbandits.studies.study import Series

DRAWS = 1000  # rewards of each arm of a user's own
# From the mean: averages of rewards in [0, 1] are this far off once in 10^9 (Hoeffding).
FAR = math.sqrt(math.log(2e9) / (2 * DRAWS))
GIVEN = 4  # rng, the bandit, the horizon and the journal, which every `play` is given


@contextmanager
def _one_line_errors(file: str) -> Iterator[None]:
    """Runs what a user may just have written: a failure is one line with file and line, and the remedy for a missing package."""
    try:
        yield
    except InputError:
        raise
    except Exception as failure:
        frames = traceback.extract_tb(failure.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename).name == Path(file).name]
        if isinstance(failure, SyntaxError) and failure.lineno:
            lines.append(failure.lineno)
        remedy = ""
        if isinstance(failure, ModuleNotFoundError) and failure.name == file.partition("/")[0]:
            remedy = "; install this package here, or set PYTHONPATH to the folder that it is in"
        where = f"{file}, line {lines[-1]}" if lines else file
        raise InputError(f"{where}: {type(failure).__name__}: {failure}{remedy}") from None


def module_of(name: str) -> ModuleType:
    """The module of an algorithm. InputError if it cannot be imported or has no usable `play`."""
    file = algorithms.file_of(name)
    with _one_line_errors(file):
        module = algorithms.find(name)
    if not inspect.isfunction(getattr(module, "play", None)):
        raise InputError(f"{file}: it defines no function 'play'; _template.py in its folder shows one")
    _check_signature(module.play, f"{file}: play")
    algorithms.family_of(name)
    return module


def _check_signature(play: Callable, name: str) -> None:
    given = inspect.signature(play).parameters.values()
    positional = [p.name for p in given if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
    if len(positional) != GIVEN:
        raise InputError(
            f"{name}({', '.join(positional)}): it is given four values, rng, the bandit, the horizon and the journal; "
            "write a star before the parameters: play(rng, arms, horizon, journal, *, epsilon)"
        )


def check_playable(series: Series, environment_kind: str, number_of_arms: int, horizon: int) -> None:
    """Raise InputError if a series cannot be played: its algorithm does not exist or cannot be imported, is made for
    another family of environments, or refuses its parameters, the horizon or the number of arms."""
    if callable(series.algorithm):
        if not inspect.isroutine(inspect.unwrap(series.algorithm)):
            raise InputError(
                f"{series.algorithm!r} is no function; write def play(rng, arms, horizon, journal, *, epsilon): ..."
            )
        _check_signature(series.algorithm, series.algorithm.__name__)
        parameters.check(series.algorithm, series.parameters, "parameters")
        return
    algorithm = module_of(series.algorithm)
    algorithms.check_family(series.algorithm, environment_kind)
    filled = parameters.check(algorithm.play, series.parameters, "parameters")
    if hasattr(algorithm, "check"):
        algorithm.check(horizon, number_of_arms, **filled)


def environment_of(settings: Mapping[str, Any]) -> Environment:
    """Make `{kind: ..., ...}`. InputError for a wrong parameter, arms without a law, and arms that are all equal."""
    kind, given = settings["kind"], {key: value for key, value in settings.items() if key != "kind"}
    file = environments.file_of(kind)
    with _one_line_errors(file):
        maker = environments.maker_of(kind)
    parameters.check(maker, given, "")
    with _one_line_errors(file):
        environment = maker(**given)
        if environments.family_of(kind) == "arms" and type(environment).play_run is Environment.play_run:
            _check_law(file, maker, environment)
    if environment.gaps is not None and not np.any(environment.gaps):
        raise InputError(f"means: {given.get('means')} are all equal: there is no regret; give one arm a larger mean")
    return environment


def _check_law(file: str, maker: Callable, environment: Environment) -> None:
    """Raise InputError if arms draw no rewards, or not those that their kind defines, or rewards that accounts do not cover."""
    arms, _ = environment.begin(stream(0), 2, np.array([2]))
    played, own = type(arms).__name__, vars(sys.modules[maker.__module__]).values()
    for method in ("reward", "rewards"):
        if not callable(getattr(arms, method, None)):
            raise InputError(
                f"{file}: {played} has no method '{method}', which draws its rewards; docs/examples/cut_gaussian.py shows one"
            )
    uniquely_named(type(arms))
    laws = [law for law in own if hasattr(law, "reward") and law.__module__ == maker.__module__]
    if laws and type(arms) not in laws:
        raise InputError(
            f"{file}: {laws[0].__name__}.reward is never called, since `begin` returns {played}, which has a law of its own; "
            f"let it return a named tuple with the methods of {laws[0].__name__}"
        )
    if not isinstance(arms, Arms):
        _check_rewards(arms, environment, file)


def _check_rewards(arms: Any, environment: Environment, file: str) -> None:
    """Raise InputError if rewards of one's own leave [0, 1], or their averages are not the means."""
    for name in ("number_of_arms", "gaps"):
        if getattr(environment, name, None) is None:
            raise InputError(f"{file}: the environment has no '{name}'; play the arms with Stochastic, which has one")
    rng = stream(0, "rewards")
    for a in range(min(environment.number_of_arms, 10)):
        drawn, together = [arms.reward(rng, a) for _ in range(DRAWS)], arms.rewards(rng, a, DRAWS)
        for number in (min(drawn), max(drawn), together / DRAWS):
            if not 0 <= number <= 1:
                raise InputError(
                    f"{file}: arm {a} pays {number:.4g}; rewards should be in [0, 1], as privacy accounts assume"
                )
        for method, average in (("reward", np.mean(drawn)), ("rewards", together / DRAWS)):
            if abs(average - arms.means[a]) > FAR:
                says = f"'{method}' of arm {a} pays {average:.3g} on average in {DRAWS} pulls, and means[{a}] is {arms.means[a]:.3g}"
                raise InputError(f"{file}: {says}; the regret is computed from the means: correct one of them")

"""The module of an algorithm, or one message that says what is wrong with it.

Paper files, guests and `dpbandits.compare` name algorithms, which may be modules that a user has just written.
"""

import inspect
import traceback
from pathlib import Path
from types import ModuleType

from dpbandits import algorithms
from dpbandits.errors import InputError

GIVEN = 4  # rng, the bandit, the horizon and the journal, which every `play` is given


def module_of(name: str) -> ModuleType:
    """The module of an algorithm. InputError if it cannot be imported or has no usable `play`."""
    file = f"src/dpbandits/{algorithms.module_name(name).replace('.', '/')}.py"
    try:
        module = algorithms.find(name)
    except Exception as failure:
        raise InputError(
            f"{file}{_line_of(failure, Path(file).name)}: it cannot be imported: {type(failure).__name__}: {failure}"
        ) from None
    if not inspect.isfunction(getattr(module, "play", None)):
        raise InputError(f"{file}: it defines no function 'play'; _template.py in its folder shows one")
    positional = [p.name for p in inspect.signature(module.play).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    if len(positional) != GIVEN:
        raise InputError(
            f"{file}: play({', '.join(positional)}): it is given four values, rng, the bandit, the horizon and the journal; "
            "write a star before the parameters: play(rng, arms, horizon, journal, *, epsilon)"
        )
    return module


def _line_of(failure: Exception, file: str) -> str:
    """', line 12', the last line of this file that took part in the failure."""
    lines = [frame.lineno for frame in traceback.extract_tb(failure.__traceback__) if Path(frame.filename).name == file]
    if isinstance(failure, SyntaxError) and failure.lineno:
        lines.append(failure.lineno)
    return f", line {lines[-1]}" if lines else ""

"""Tables read as DataFrames, and their numbers in words."""

import math
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import pandas as pd

from dpbandits.files import reading


def read_table(
    path: str | Path, texts: Collection[str] | None = None, columns: Collection[str] = ()
) -> pd.DataFrame:
    """Read a table, or raise InputError with the file and the remedy.

    `texts` names its columns of strings, by default all. All other columns hold numbers. An empty
    cell is "" in a column of strings and nan among numbers. `columns` names further required
    columns.
    """
    with reading(path, "table"):
        if not Path(path).read_bytes().endswith(b"\n"):
            raise ValueError("its last row is not complete")
        kinds = str if texts is None else dict.fromkeys(texts, str)
        frame = pd.read_csv(path, dtype=kinds, keep_default_na=False, na_values=[""])
        if missing := [name for name in (*columns, *(texts or ())) if name not in frame]:
            raise ValueError(f"it has no column '{missing[0]}'")
        for name in frame:
            if texts is None or name in texts:
                frame[name] = frame[name].fillna("")
            elif len(frame) and not pd.api.types.is_numeric_dtype(frame[name]):
                raise ValueError(f"its column {name} should hold numbers")
    return frame


def read_tables(
    paths: Iterable[str | Path], texts: Collection[str], numbers: Collection[str]
) -> pd.DataFrame:
    """Read tables as one; without any, return an empty one with these columns."""
    tables = [read_table(path, texts) for path in paths]
    return pd.concat(tables) if tables else pd.DataFrame(columns=[*texts, *numbers])


def number(value: float, error: float = 0.0, digits: int = 6) -> str:
    """Return a number in words, rounded as its error or to significant digits.

    Parameters
    ----------
    value : float
        The number.
    error : float, default 0
        Its standard error, which gets two digits. 0 or nan: there is none.
    digits : int, default 6
        The significant digits of a number without an error. Integers keep all of theirs.

    Examples
    --------
    >>> number(0.48412, 0.01712)
    '0.484 ± 0.017'
    >>> number(2.04, digits=2), number(1234.4, digits=2)
    ('2', '1234')
    """
    if not 0 < error < math.inf:
        short = f"{value:.{digits}g}"
        return f"{value:.0f}" if abs(float(short)) >= 10**digits else short
    decimals = max(0, 1 - math.floor(math.log10(error)))
    form = f".{decimals}f" if decimals < 10 else ".2g"
    return f"{value:{form}} ± {error:{form}}"


def range_of(values: Iterable[float], words: Callable[[float], str] = number) -> str:
    """Return the smallest and the largest of these numbers in words; "" if there is none."""
    numbers = list(values)
    extremes = [words(extreme(numbers)) for extreme in (min, max) if numbers]
    return " to ".join(dict.fromkeys(extremes))

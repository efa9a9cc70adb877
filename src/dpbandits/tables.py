"""Tables read as DataFrames."""

from collections.abc import Collection
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

"""Which policies have a place in a ranking, and which tie with the first."""

import numpy as np
import pandas as pd

from dpbandits.audit.findings import BROKEN
from dpbandits.statistics.estimators import DECIDING_ERRORS


def kept(rows: pd.DataFrame) -> pd.Series:
    """Whether the policy of each row keeps its promise, or makes none."""
    return ~rows["promise"].isin(BROKEN)


def tied(rows: pd.DataFrame, together: list[str], value: str, error: str) -> pd.Series:
    """Whether the value of each row is within two errors of the least one of its group."""
    least = rows.groupby(together, dropna=False)[value].transform("idxmin")
    first = rows.loc[least].set_axis(rows.index)
    errors = np.hypot(rows[error], first[error])
    return rows[value] - first[value] <= DECIDING_ERRORS * errors

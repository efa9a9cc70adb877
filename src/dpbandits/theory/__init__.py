"""The papers' theorems: one module per paper, with its bounds, regimes and tables; `bounds` finds them by name.

scipy.optimize is imported where it is used: it takes half a second, and few of the jobs that import these modules need it.
"""

import pandas as pd

from dpbandits.theory import azize2022

TABLES = {"azize2022": azize2022.TABLES}


def table(paper: str, name: str) -> pd.DataFrame:
    """A table of a paper's theorems."""
    return TABLES[paper][name]()

"""The papers' theorems: one module per paper, with its bounds, regimes and tables; `bounds` finds them by name.

scipy and pandas are imported where they are used: every job that draws or judges imports these modules, and few need
these packages.
"""

from typing import Any

from dpbandits.theory import azize2022

TABLES = {"azize2022": azize2022.TABLES}


def table(paper: str, name: str) -> Any:
    """A table of a paper's theorems, as a frame of pandas."""
    return TABLES[paper][name]()

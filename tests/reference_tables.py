"""The tables of the last full run, in reference/, read by other means than the package's."""

from functools import cache

import pandas as pd
from project import ROOT

REFERENCE = ROOT / "reference"


@cache
def summary(paper, experiment):
    """The rows of a summary in its published reading.

    Of `fig2a.corrected` they are those of the corrected reading, under the same names.
    """
    id = experiment.removesuffix(".corrected")
    table = pd.read_csv(REFERENCE / f"summaries/{paper}/{id}.csv", dtype={"policy": str})
    name, corrected = (
        table["policy"].str.removesuffix(".corrected"),
        table["policy"].str.endswith(".corrected"),
    )
    if id == experiment:
        return table[~corrected]
    return table.assign(policy=name)[corrected | ~name.isin(set(name[corrected]))]


def rows_at(paper, experiment, t=None):
    """policy -> its row at t, or at the end of the game."""
    table = summary(paper, experiment)
    return table[table["t"] == (t or table["t"].max())].set_index("policy").to_dict("index")


def checks(paper):
    """The rows of a checks table, as texts."""
    return pd.read_csv(REFERENCE / f"checks/{paper}.csv", dtype=str, keep_default_na=False).to_dict(
        "records"
    )

"""The ledgers as tables: what is booked on the item that pays most adds up to what is spent."""

import pandas as pd
import pytest
from project import ROOT

from dpbandits import files, studies
from dpbandits.audit import ledgers
from dpbandits.privacy.ledger import ANY, DISCRETE, GAUSSIAN, LAPLACE, Account, Ledger

PAPERS = studies.load_all(ROOT / "config/papers", "smoke")


def rows_of(*releases, delta=0.0):
    """The rows of an account whose ledger has these releases."""
    ledger = Ledger()
    for release in releases:
        ledger.book(*release)
    rows = ledgers.entries(Account(3.0, delta, ledger))
    return [tuple(row[name] for name in ("mechanism", "sensitivity", "scale", "releases", "items")) for row in rows]


def test_the_releases_of_the_worst_item_by_hand():
    """Item 4 is in three sums and two kinds of noise; item 9 has the larger rho, and counts where there is a delta."""
    releases = [
        (1, 8, 1.0, 2.0), (3, 6, 1.0, 2.0, LAPLACE, 3), (4, 4, 4.0, 8.0, DISCRETE), (9, 9, 2.4, 1.0, ANY),
    ]  # fmt: skip
    assert rows_of(*releases) == [(LAPLACE, 1.0, 2.0, 4, 8), (DISCRETE, 4.0, 8.0, 1, 1)]
    assert rows_of(*releases, delta=0.1) == [(ANY, 2.4, 1.0, 1, 1)]
    assert rows_of(*releases, (9, 9, 1.0, 4.0, GAUSSIAN), delta=0.1)[1] == (GAUSSIAN, 1.0, 4.0, 1, 1)
    assert rows_of() == ledgers.entries(None) == ledgers.entries(Account(3.0, 0.0, None)) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_without_delta_the_losses_add_up_to_what_is_spent(paper, tmp_path):
    """Read from the written table, as another accountant would."""
    files.write_table(tmp_path / "ledgers.csv", ledgers.table(PAPERS[paper].experiments.values()))
    sums, spent = {}, {}
    for row in pd.read_csv(tmp_path / "ledgers.csv", dtype=str).to_dict("records"):
        if float(row["delta"]) == 0:
            series = row["experiment"], row["reading"], row["series"]
            loss = float(row["releases"]) * float(row["sensitivity"]) / float(row["scale"])
            sums[series], spent[series] = sums.get(series, 0.0) + loss, float(row["spent"])
    assert len(spent) > 5
    assert sums == pytest.approx(spent, rel=1e-9)

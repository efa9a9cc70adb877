"""The picture of the audits: the order of its rows, its panels, and that what has no power is not drawn as within."""

import pandas as pd
import pytest

from dpbandits.figures import audits
from dpbandits.files import tables

USUAL = {
    "label": "UCB",
    "reading": "both",
    "tap": "action",
    "ledger": 1.0,
    "exact": 0.9,
    "tape": "",
    "finding": "within",
}


def rows(*given):
    """Rows as a table has them: texts."""
    return [{name: str(value) for name, value in {**USUAL, **row}.items()} for row in given]


def test_policies_are_in_the_order_of_what_was_counted_at_any_epsilon():
    table = rows(
        {"label": "A", "epsilon": 1, "audited": 0.1},
        {"label": "B", "epsilon": 1, "audited": 0.0},
        {"label": "B", "epsilon": 0.1, "audited": 0.09},
        {"label": "A", "tap": "release", "epsilon": 1, "audited": 0.9},
    )
    assert audits.ordered(table) == [("B", "both", "action"), ("A", "both", "action"), ("A", "both", "release")]


def test_one_mechanism_under_several_names_is_one_row():
    table = rows(
        *({"label": label, "reading": reading, "epsilon": epsilon, "audited": 0.1}
          for label, reading in (("A", "published"), ("A", "corrected"), ("B", "both")) for epsilon in (0.1, 1)),
        {"label": "C", "epsilon": 0.1, "audited": 0.1},
        {"label": "C", "epsilon": 1, "audited": 0.2},
        {"label": "A", "reading": "published", "tap": "release", "epsilon": 1, "audited": 0.1},
    )  # fmt: skip
    assert audits.same_games(table) == {
        ("A", "published", "action"): 2, ("C", "both", "action"): 0, ("A", "published", "release"): 0
    }  # fmt: skip


def test_rare_epsilons_share_a_panel():
    often = [{"epsilon": epsilon, "audited": 0} for epsilon in (0.1, 0.2, 1, 2) for _ in range(2)]
    found = audits.by_epsilon(rows(*often, {"epsilon": 16, "audited": 0}, {"epsilon": 56.8, "audited": 0}))
    assert {panel: len(shown) for panel, shown in found.items()} == {
        "ε = 0.1": 2, "ε = 0.2": 2, "ε = 1": 2, "ε = 2": 2, "other ε": 2
    }  # fmt: skip


@pytest.mark.parametrize("finding", ["within", "no power", "above the promise", "above the ledger", "not as declared"])
def test_every_finding_can_be_drawn(finding, tmp_path):
    table = [
        {
            **USUAL,
            "epsilon": 1,
            "audited": 1.7,
            "ledger": float("inf"),
            "exact": float("inf"),
            "tape": 0.9,
            "finding": finding,
        }
    ]
    tables.write(tmp_path / "audits.csv", pd.DataFrame([*table, {**table[0], "label": "TS", "tape": "", "audited": 0}]))
    audits.draw(tmp_path / "audits.csv", "toy2020", [tmp_path / "audits.png"])
    assert (tmp_path / "audits.png").stat().st_size > 1000

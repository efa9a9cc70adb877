"""The tables of accounts and of ledgers, which add up to the spent epsilon."""

import math

import pandas as pd
import pytest
from project import all_papers

from dpbandits import files
from dpbandits.audit import accounts
from dpbandits.privacy.ledger import ANY, DISCRETE, GAUSSIAN, LAPLACE, Account, Ledger
from dpbandits.studies.experiment import Series

PAPERS = all_papers("smoke")


def test_a_sweep_is_one_account_for_each_verdict_with_its_worst_series(monkeypatch):
    """As it is; and if every series spent 0.1, but without noise where it promises 10."""
    fig3 = PAPERS["azize2022"].experiments["fig3"].in_reading("corrected")
    (row,) = accounts.table([fig3]).to_dict("records")
    assert (row["epsilon"], row["ratio"], row["verdict"]) == (
        "0.05 to 10",
        pytest.approx(1),
        "kept",
    )
    ledger = Ledger().book_loss(1, 1, 0.1)
    (played,) = {type(each.as_policy) for each in fig3.series.values()}
    monkeypatch.setattr(played, "privacy", lambda policy, *_: Account(
        policy.epsilon, 0.0, None if policy.epsilon == 10 else ledger))  # fmt: skip
    rows = accounts.table([fig3]).set_index("verdict")
    epsilons = sorted(each.parameters["epsilon"] for each in fig3.series.values())
    least = min(epsilon for epsilon in epsilons if epsilon >= 0.1)
    assert rows["ratio"].to_dict() == {
        "exceeded": 2.0,
        "kept": 0.1 / least,
        "not private": math.inf,
    }
    assert rows["spent"].to_dict() == {"exceeded": "0.1", "kept": "0.1", "not private": "inf"}


def test_series_are_called_by_what_their_labels_share():
    def common(*labels):
        return accounts.common_label([Series(name, name, "ucb", {}, "p", 0) for name in labels])

    assert common("UCB (α = 1)", "UCB (α = 1.5)") == "UCB …"
    assert common("NCB, ε=0.2", "NCB, ε=0.5") == "NCB …"
    assert common("UCB", "UCB") == "UCB"
    assert common("eps 1", "eps 2") == "eps …"


def test_rows_of_one_policy_do_not_share_a_label():
    """A sweep has one row, with what the labels of its series share."""
    table = accounts.table(
        [PAPERS["mishra2015"].experiments[name] for name in ("fig2", "fig1a", "s-tuning-c")]
    )
    assert not table.duplicated(["experiment", "policy", "label"]).any()
    assert table.loc[table["policy"] == "private-ucb", "label"].tolist() == ["private …"]
    (row,) = table[table["policy"] == "private-lin-ucb"].to_dict("records")
    assert (row["spent"], row["neighbours"]) == ("2.7", "one visit (joint DP; one click: 0.6)")


def rows_of(*releases, delta=0.0):
    """The rows of an account whose ledger has these releases."""
    ledger = Ledger()
    for release in releases:
        ledger.book(*release)
    rows = accounts.entries(Account(3.0, delta, ledger))
    return [
        tuple(row[name] for name in ("mechanism", "sensitivity", "scale", "releases", "items"))
        for row in rows
    ]


def test_the_releases_of_the_worst_item_by_hand():
    """Item 4 is in three sums and two kinds of noise. Item 9 has the larger rho.

    With a delta, item 9 counts.
    """
    releases = [
        (1, 8, 1.0, 2.0),
        (3, 6, 1.0, 2.0, LAPLACE, 3),
        (4, 4, 4.0, 8.0, DISCRETE),
        (9, 9, 2.4, 1.0, ANY),
    ]
    assert rows_of(*releases) == [(LAPLACE, 1.0, 2.0, 4, 8), (DISCRETE, 4.0, 8.0, 1, 1)]
    assert rows_of(*releases, delta=0.1) == [(ANY, 2.4, 1.0, 1, 1)]
    assert rows_of(*releases, (9, 9, 1.0, 4.0, GAUSSIAN), delta=0.1)[1] == (
        GAUSSIAN,
        1.0,
        4.0,
        1,
        1,
    )
    assert rows_of() == accounts.entries(None) == accounts.entries(Account(3.0, 0.0, None)) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_without_delta_the_losses_add_up_to_what_is_spent(paper, tmp_path):
    """Read from the written table, as another accountant would."""
    files.write(tmp_path / "ledgers.csv", accounts.ledgers(PAPERS[paper].experiments.values()))
    sums, spent = {}, {}
    for row in pd.read_csv(tmp_path / "ledgers.csv", dtype=str).to_dict("records"):
        if float(row["delta"]) == 0:
            series = row["experiment"], row["reading"], row["series"]
            loss = float(row["releases"]) * float(row["sensitivity"]) / float(row["scale"])
            sums[series], spent[series] = sums.get(series, 0.0) + loss, float(row["spent"])
    assert len(spent) > 5
    assert sums == pytest.approx(spent, rel=1e-9)

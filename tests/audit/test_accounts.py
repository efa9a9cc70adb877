"""What policies promise and spend: one account for each policy, or for each mechanism and each label of a sweep."""

import math

import pytest
from project import ROOT

from dpbandits import studies
from dpbandits.audit import accounts
from dpbandits.privacy.ledger import Account, Ledger

PAPERS = studies.load_all(ROOT / "config/papers", "smoke")


def test_accounts_say_what_is_promised_and_spent():
    table = accounts.table(PAPERS["tossou2016"].experiments.values()).set_index(["experiment", "reading", "policy"])
    assert table.loc[("fig2a", "published", "dp-ucb"), "verdict"] == "exceeded"
    assert table.loc[("fig2a", "corrected", "dp-ucb"), "verdict"] == "kept"
    assert table.loc[("fig2b", "corrected", "dp-ucb"), "epsilon"] == "0.1"
    assert table.loc[("fig2a", "published", "ucb"), "verdict"] == "no promise"
    experiments = PAPERS["tossou2016"].experiments.values()
    pairs = {(e.id, reading or "both", p.id) for e in experiments for reading in e.readings for p in e.policies}
    assert set(table.index) == pairs


def test_a_sweep_is_one_account_for_each_verdict_with_its_worst_series(monkeypatch):
    """As it is; and if every series spent 0.1, but without noise where it promises 10."""
    fig3 = PAPERS["azize2022"].experiments["fig3"].in_reading("corrected")
    (row,) = accounts.table([fig3]).to_dict("records")
    assert (row["epsilon"], row["ratio"], row["verdict"]) == ("0.05 to 10", pytest.approx(1), "kept")
    ledger = Ledger()
    ledger.book_loss(1, 1, 0.1)
    monkeypatch.setattr(accounts, "promise_of", lambda algorithm, given, *_: Account(
        given["epsilon"], 0.0, None if given["epsilon"] == 10 else ledger))  # fmt: skip
    rows = accounts.table([fig3]).set_index("verdict")
    epsilons = sorted(each.parameters["epsilon"] for each in fig3.series.values())
    least = min(epsilon for epsilon in epsilons if epsilon >= 0.1)
    assert rows["ratio"].to_dict() == {"exceeded": 2.0, "kept": 0.1 / least, "not private": math.inf}
    assert rows["spent"].to_dict() == {"exceeded": "0.1", "kept": "0.1", "not private": "inf"}


def test_a_sweep_over_mechanisms_is_one_account_each():
    """An item pays in its tree and again at the next power of two, with ln for log2: 1 + 1/ln 2 times the promise."""
    table = accounts.table([PAPERS["tossou2016"].experiments["s-hybrid-a"]])
    mine = table[table["policy"] == table["policy"].iloc[0]]
    assert sorted(zip(mine["ratio"].round(9), mine["verdict"], strict=True)) == [
        (1, "kept"), (2, "exceeded"), (round(1 + 1 / math.log(2), 9), "exceeded"),
    ]  # fmt: skip
    assert len(set(mine["label"])) == 3
    assert set(mine["trust"]) == {"central"}


def test_series_are_called_by_what_their_labels_share():
    def common(*labels):
        return accounts.label_of([studies.study.Series(name, name, "ucb", {}, "p", 0) for name in labels])

    assert common("UCB (α = 1)", "UCB (α = 1.5)") == "UCB …"
    assert common("NCB, ε=0.2", "NCB, ε=0.5") == "NCB …"
    assert common("UCB", "UCB") == "UCB"
    assert common("eps 1", "eps 2") == "eps …"


def test_rows_of_one_policy_do_not_share_a_label():
    """A sweep has one row, with what the labels of its series share."""
    table = accounts.table([PAPERS["mishra2015"].experiments[name] for name in ("fig2", "fig1a", "s-tuning-c")])
    assert not table.duplicated(["experiment", "policy", "label"]).any()
    assert table.loc[table["policy"] == "private-ucb", "label"].tolist() == ["private …"]
    (row,) = table[table["policy"] == "private-lin-ucb"].to_dict("records")
    assert (row["spent"], row["neighbours"]) == ("2.7", "one visit (joint DP; one click: 0.6)")

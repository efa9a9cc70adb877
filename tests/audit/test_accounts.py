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
    # An item pays in its tree and again at the next power of two, with ln for log2: 1 + 1/ln 2 times the promise.
    swept = table.loc[("s-hybrid-a", "both", "dp-ucb-by-hybrid")]
    over = swept[swept["verdict"] == "exceeded"].iloc[0]
    assert (over["trust"], over["neighbours"]) == ("central", "one reward")
    assert over["ratio"] == pytest.approx(1 + 1 / math.log(2))
    assert table.loc[("fig2a", "published", "dp-ucb"), "verdict"] == "exceeded"
    assert table.loc[("fig2a", "corrected", "dp-ucb"), "verdict"] == "kept"
    assert table.loc[("fig2b", "corrected", "dp-ucb"), "epsilon"] == "0.1"
    assert table.loc[("fig2a", "published", "ucb"), "verdict"] == "no promise"
    pairs = {(e.base, e.reading or "both", p.id) for e in PAPERS["tossou2016"].experiments.values() for p in e.policies}
    assert set(table.index) == pairs


def test_a_sweep_is_one_account_with_its_worst_series():
    table = accounts.table([PAPERS["azize2022"].experiments["fig3"]])
    assert table["epsilon"].tolist() == ["0.05 to 10"]
    assert table["ratio"].tolist() == [pytest.approx(1)]


def test_a_sweep_over_mechanisms_is_one_account_each():
    table = accounts.table([PAPERS["tossou2016"].experiments["s-hybrid-a"]])
    mine = table[table["policy"] == table["policy"].iloc[0]]
    assert sorted(mine["verdict"]) == ["exceeded", "exceeded", "kept"]
    assert sorted(mine["ratio"]) == pytest.approx([1, 2, 1 + 1 / math.log(2)])
    assert len(set(mine["label"])) == 3


@pytest.mark.parametrize(
    ("labels", "common"),
    [
        (["UCB (α = 1)", "UCB (α = 1.5)"], "UCB …"),
        (["NCB, ε=0.2", "NCB, ε=0.5"], "NCB …"),
        (["UCB", "UCB"], "UCB"),
        (["eps 1", "eps 2"], "eps …"),
    ],
)
def test_series_are_called_by_what_their_labels_share(labels, common):
    assert accounts.label_of([studies.study.Series(name, name, "ucb", {}, "p", 0) for name in labels]) == common


def test_rows_of_one_policy_do_not_share_a_label():
    """A sweep has one row, with what the labels of its series share."""
    table = accounts.table([PAPERS["mishra2015"].experiments[name] for name in ("fig2", "fig1a", "s-tuning-c")])
    assert not table.duplicated(["experiment", "policy", "label"]).any()
    labels = table.loc[table["policy"] == "private-ucb", "label"]
    assert labels.tolist() == ["private …"]
    (row,) = table[table["policy"] == "private-lin-ucb"].to_dict("records")
    assert row["spent"] == "2.7"
    assert row["neighbours"] == "one visit (joint DP; one click: 0.6)"


def test_an_account_may_be_local_and_has_no_noise_at_worst():
    local = Account(1.0, 0.0, Ledger(1), trust="local", neighbours="one person's reward")
    assert (local.trust, local.neighbours, local.kept) == ("local", "one person's reward", True)
    assert (Account(1.0, 0.0, None).trust, Account(1.0, 0.0, None).kept) == ("central", False)

"""The ledgers as tables: what is booked on the item that pays most adds up to what is spent."""

import math
from collections import defaultdict

import pytest
from project import ROOT

from dpbandits import studies
from dpbandits.algorithms.arms import adac_ucb
from dpbandits.audit import accounts, ledgers
from dpbandits.files import tables
from dpbandits.privacy.ledger import ANY, GAUSSIAN, LAPLACE

PAPERS = studies.load_all(ROOT / "config/papers", "smoke")


@pytest.mark.parametrize("paper", PAPERS)
def test_without_delta_the_losses_add_up_to_what_is_spent(paper):
    rows = ledgers.table(PAPERS[paper].experiments.values()).to_dict("records")
    sums, spent = defaultdict(float), {}
    for row in rows:
        if row["delta"] == 0:
            series = row["experiment"], row["reading"], row["series"]
            sums[series] += row["releases"] * row["sensitivity"] / row["scale"]
            spent[series] = row["spent"]
    assert len(spent) > 5
    assert sums == pytest.approx(spent, rel=1e-9)


def test_every_policy_that_adds_noise_has_its_rows():
    paper = PAPERS["azize2022"]
    account = accounts.table(paper.experiments.values())
    noisy = account[account["verdict"].isin(["kept", "exceeded"])]
    found = ledgers.table(paper.experiments.values())
    assert set(found["experiment"]) == set(noisy["experiment"])
    assert set(found["mechanism"]) == {LAPLACE}


def test_dp_se_and_exp3_by_hand(tmp_path):
    """DP-SE releases each reward once, in the mean of R rewards; EXP3's first gain pays 2 in every round."""
    found = ledgers.table([PAPERS["azize2022"].experiments["fig2"]])
    (row, *_) = found[found["series"] == "dp-se"].to_dict("records")
    assert (row["releases"], row["sensitivity"], row["scale"]) == (1, 1 / row["items"], 1 / row["items"])
    played = PAPERS["tossou2017"].experiments["fig6a"]
    found = ledgers.table([played])
    (row,) = found[found["series"] == "exp3"].to_dict("records")
    assert (row["mechanism"], row["sensitivity"] / row["scale"], row["releases"]) == (ANY, 2, played.design.horizon)
    tables.write(tmp_path / "ledgers.csv", found)
    written = tables.rows(tmp_path / "ledgers.csv", ledgers.COLUMNS)
    assert [float(line["scale"]) for line in written] == pytest.approx(found["scale"].tolist())


def test_gaussian_noise_is_named():
    """In AdaC-UCB a reward is in one mean, whose noise has the deviation sensitivity/sqrt(2 rho)."""
    account = adac_ucb.privacy(1000, 2, epsilon=1.0, delta=1e-6)
    (spending,) = account.ledger.spendings(account.ledger.worst_item(lambda loss: loss**2))
    assert spending.mechanism == GAUSSIAN
    assert spending.releases == 1
    assert spending.sensitivity / spending.scale == pytest.approx(math.sqrt(2 * account.ledger.rho()))

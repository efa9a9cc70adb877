"""The tables of accounts and of ledgers, which add up to the spent epsilon."""

import math

import pandas as pd
import pytest
from project import all_papers

from dpbandits import files
from dpbandits.audit import accounts
from dpbandits.audit.findings import REPLAY_TEXTS
from dpbandits.policies import AdaPUCB
from dpbandits.privacy.ledger import ANY, DISCRETE, GAUSSIAN, LAPLACE, Account, Ledger
from dpbandits.studies.experiment import Series

PAPERS = all_papers("smoke")


FIG3 = PAPERS["azize2022"].experiments["fig3"].in_reading("corrected")


def test_a_sweep_has_a_row_for_each_epsilon():
    rows = accounts.table([FIG3])
    epsilons = sorted(each.parameters["epsilon"] for each in FIG3.series.values())
    assert sorted(rows["epsilon"]) == pytest.approx(epsilons)
    assert rows["spent"].tolist() == pytest.approx(rows["epsilon"].tolist(), rel=1e-5)
    assert len(set(zip(rows["label"], rows["mechanism"], rows["verdict"], strict=True))) == 1


def test_a_promise_is_held_against_the_ledger(monkeypatch):
    """If every series spent 0.1, and were without noise where it promises 10."""
    (played,) = {type(each.as_policy) for each in FIG3.series.values()}
    ledger = Ledger().book_loss(1, 1, 0.1)
    monkeypatch.setattr(played, "privacy", lambda policy, *_: Account(
        policy.epsilon, 0.0, None if policy.epsilon == 10 else ledger))  # fmt: skip
    rows = accounts.table([FIG3]).set_index("epsilon")
    verdicts = {each: "exceeded" if each < 0.1 else "kept" for each in rows.index}
    assert rows["verdict"].to_dict() == verdicts | {10: "not private"}
    assert rows["spent"].unique().tolist() == [0.1, math.inf]


def test_every_game_of_a_run_counts():
    """In Figure 1a of sarkar2025 each checkpoint is the horizon of a game of its own."""
    fig1a = PAPERS["sarkar2025"].experiments["fig1a"].in_reading("published")
    rows = accounts.table([fig1a]).set_index("policy")
    policy = fig1a.series["gdp-ncb"].as_policy
    spent = [policy.account(T, 2).spent for T in fig1a.design.rounds]
    assert max(spent) > 1.05 * spent[-1]
    assert rows.loc["gdp-ncb", "spent"] == pytest.approx(max(spent))
    assert rows.loc["gdp-ncb", "verdict"] == "exceeded"


def test_a_promise_that_a_replay_contradicts_is_not_kept(tmp_path):
    """Of this mechanism alone, at every epsilon and T; other findings contradict nothing."""
    mechanism = accounts.table([FIG3])["mechanism"][0]
    texts = dict.fromkeys(REPLAY_TEXTS, "")
    for finding, of, verdict in (
        ("it is in the releases 1, 2, and in 1 of the ledger", mechanism, "not kept"),
        ("it is in the releases 1, 2, and in 1 of the ledger", "another()", "kept"),
        ("not private: round 14 plays arm 1 and not 0", mechanism, "not private"),
        ("as booked", mechanism, "kept"),
        ("not replayed: it fails", mechanism, "kept"),
    ):
        replay = pd.DataFrame([texts | {"mechanism": of, "finding": finding}])
        files.write(tmp_path / "mine.csv", replay)
        assert set(accounts.table([FIG3], [tmp_path / "mine.csv"])["verdict"]) == {verdict}


@pytest.mark.parametrize(
    ("label", "without"),
    [
        ("Private-UCB (0.5)", "Private-UCB"),
        ("GDP-NCB, ε=0.5, private test", "GDP-NCB, private test"),
        ("ε = 0.5", "p"),
        ("ε = 0.5, private means", "private means"),
        ("DP-UCB, ε = 0.55", "DP-UCB, ε = 0.55"),
        ("DP-UCB (0.55)", "DP-UCB (0.55)"),
    ],
)
def test_no_label_of_a_table_has_an_epsilon(label, without):
    assert accounts.label_of(Series("a", label, "adap_ucb", {"epsilon": 0.5}, "p")) == without


def test_a_mechanism_is_its_class_and_all_parameters_without_epsilon():
    """Also those with their defaults; a class of the same name elsewhere is another one."""
    of = [AdaPUCB(epsilon=1).mechanism, AdaPUCB(epsilon=2, alpha=3.1).mechanism]
    assert of == ["adap_ucb.AdaPUCB(noise='laplace', alpha=3.1)"] * 2
    assert AdaPUCB(epsilon=1, alpha=3).mechanism not in of
    mine = type("AdaPUCB", (AdaPUCB,), {"__module__": "mine"})
    assert mine(epsilon=1).mechanism == "mine.AdaPUCB(noise='laplace', alpha=3.1)"


def test_a_row_is_one_mechanism_at_one_epsilon():
    table = accounts.table(
        [PAPERS["mishra2015"].experiments[name] for name in ("fig2", "fig1a", "s-tuning-c")]
    )
    assert not table.duplicated(["experiment", "policy", "mechanism", "epsilon"]).any()
    row = table[table["policy"] == "private-lin-ucb"].iloc[0]
    assert (row["spent"], row["neighbours"]) == (
        pytest.approx(2.7),
        "one visit (joint DP; one click: 0.6)",
    )


def test_the_releases_of_the_worst_item_by_hand():
    """Item 4 is in three sums and two kinds of noise. Item 9 has the larger rho.

    With a delta, item 9 counts.
    """
    ledger = Ledger().book(1, 8, 1.0, 2.0).book(3, 6, 1.0, 2.0, LAPLACE, 3)
    ledger.book(4, 4, 4.0, 8.0, DISCRETE).book(9, 9, 2.4, 1.0, ANY).book(9, 9, 1.0, 4.0, GAUSSIAN)
    basic = Ledger()
    basic.releases = ledger.releases[:-1]
    for of, delta, rows in (
        (basic, 0.0, [(LAPLACE, 1.0, 2.0, 4, 8), (DISCRETE, 4.0, 8.0, 1, 1)]),
        (ledger, 0.1, [(ANY, 2.4, 1.0, 1, 1), (GAUSSIAN, 1.0, 4.0, 1, 1)]),
        (Ledger(), 0.0, []),
        (None, 0.0, []),
    ):
        entries = accounts.entries(Account(3.0, delta, of))
        columns = pd.DataFrame(entries, columns=accounts.LEDGERS[6:])
        assert list(columns.itertuples(index=False, name=None)) == rows
    assert accounts.entries(None) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_without_delta_the_losses_add_up_to_what_is_spent(paper, tmp_path):
    """Read from the written table, as another accountant would."""
    files.write(tmp_path / "ledgers.csv", accounts.ledgers(PAPERS[paper].experiments.values()))
    table = pd.read_csv(tmp_path / "ledgers.csv")
    losses = table["releases"] * table["sensitivity"] / table["scale"]
    pure = table.assign(loss=losses)[table["delta"] == 0]
    series = pure.groupby(["experiment", "reading", "series"])
    assert len(series) > 5
    assert series["loss"].sum().tolist() == pytest.approx(series["spent"].max().tolist(), rel=1e-9)

"""The ledgers and the drawn noise: equal wherever a short game attains the worst case.

The method `privacy` says what a release costs; here the same is booked from the scales that a
kernel gives to the stream. A kernel with too much or too little noise, or a ledger that books a
release twice or not at all, differs.
"""

import json
import math
import typing

import pytest
from project import ROOT, uncompiled

from dpbandits.policies import POLICIES
from dpbandits.privacy.hybrid import Split
from dpbandits.privacy.ledger import Ledger
from dpbandits.studies import strict_yaml


def node(k):
    """The node that prefix k of a binary tree adds."""
    return k - (k & -k) + 1, k, 1.0


def block(k):
    """The hybrid mechanism: at a power of two all rounds since the previous power of two.

    At other rounds it is a node of a tree that begins there.
    """
    power = 1 << (k.bit_length() - 1)
    first, last, _ = node(k - power) if k > power else (1 - power // 2, 0, 1.0)
    return power + first, power + last, 1.0


# What the k-th noisy number of a game covers, the first and the last reward, and how much one of
# them changes it. n rewards have been paid, m of them since the noisy number before.
COVERED = {
    "reward": lambda k, n, m: (k, k, 1.0),
    "sum of batch": lambda k, n, m: (n - m + 1, n, 1.0),
    "mean of batch": lambda k, n, m: (n - m + 1, n, 1 / m),
    "integers of batch": lambda k, n, m: (n - m + 1, n, math.ceil(0.5 * math.sqrt(m))),
    "finer integers of batch": lambda k, n, m: (n - m + 1, n, math.ceil(1.62434057 * math.sqrt(m))),
    "sum": lambda k, n, m: (1, n, 1.0),
    "mean": lambda k, n, m: (1, n, 1 / n),
    "tree": lambda k, n, m: node(k),
    "27 trees": lambda k, n, m: node((k - 1) // 27 + 1),
    "hybrid": lambda k, n, m: block(k),
}
ROWS = strict_yaml.read_yaml(ROOT / "tests/audit/games.yaml")
GAMES = [(*row, covered) for covered, rows in ROWS.items() for row in rows]
# Their only noise is that of their choices, or there is none, or none for the first rewards.
NOT_COMPARED = {"exp3", "exp3_tau", "exp3_tau_on_arms", "adap_ucb_as_drawn"}


@pytest.fixture(scope="module")
def drawn():
    """The noise of every game, from a process without compilation, which records the draws."""
    program = (ROOT / "tests/audit/drawn_noise.py").read_text()
    return json.loads(uncompiled(program, json.dumps([game[:4] for game in GAMES])))


@pytest.mark.parametrize(
    "game", range(len(GAMES)), ids=[f"{game[0]}-{i}" for i, game in enumerate(GAMES)]
)
def test_the_noise_that_is_drawn_costs_what_the_ledger_books(game, drawn):
    name, parameters, number_of_arms, horizon, covered = GAMES[game]
    account = POLICIES.make(name, parameters).privacy(horizon, number_of_arms)
    ledger, before = Ledger(), 0
    for k, (law, scale, paid) in enumerate(drawn[game], start=1):
        first, last, sensitivity = COVERED[covered](k, paid, paid - before)
        ledger.book(first, last, *((scale, 1.0) if law == "any" else (sensitivity, scale)), law)
        before = paid
    assert ledger.spent(account.delta) == pytest.approx(account.spent, rel=1e-9)
    ours, theirs = ({each.law for each in of.releases} for of in (ledger, account.ledger))
    assert ours == theirs


def test_every_policy_that_promises_privacy_is_compared():
    promising = {name for name in POLICIES.known if POLICIES.find(name).states_privacy()}
    assert {game[0] for game in GAMES} | NOT_COMPARED == promising
    splits = {row[1]["hybrid_split"] for row in ROWS["hybrid"]}
    assert splits == {*typing.get_args(Split)}

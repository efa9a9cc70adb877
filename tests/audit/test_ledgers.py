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
    "integers of batch": lambda k, n, m: (n - m + 1, n, math.ceil(E["epsilon"] * math.sqrt(m))),
    "sum": lambda k, n, m: (1, n, 1.0),
    "mean": lambda k, n, m: (1, n, 1 / n),
    "tree": lambda k, n, m: node(k),
    "27 trees": lambda k, n, m: node((k - 1) // 27 + 1),
    "hybrid": lambda k, n, m: block(k),
}
E, LOUD = {"epsilon": 0.5}, {"epsilon": 1e4}  # with little noise the first arm leads
SHORT, LONG = 600, 20_000
IN_NINE = {"c": 1, "multiplier": 255.5 / math.log(SHORT)}
GAMES = [
    *(
        (name, E, 1, SHORT, "mean of batch")
        for name in ("adap_ucb", "adap_klucb", "private_thompson_gap")
    ),
    *((name, E, 1, SHORT, "sum of batch") for name in ("dp_klucb", "dp_imed")),
    *(
        (name, E, 2, SHORT, "reward")
        for name in ("ldp_ucb", "ldp_ucb_clipped", "ldp_epsilon_greedy", "rr_kl_ucb")
    ),
    ("adac_ucb", {**E, "delta": 1e-6}, 1, SHORT, "mean of batch"),
    ("explore_then_commit", {**E, "noise": "laplace"}, 1, SHORT, "sum of batch"),
    ("explore_then_commit", {**E, "noise": "gaussian", "delta": 1e-6}, 1, SHORT, "sum of batch"),
    ("explore_then_commit", {**E, "noise": "local"}, 1, SHORT, "reward"),
    ("dp_se", E, 2, LONG, "mean of batch"),
    ("dist_dp_se", E, 2, LONG, "integers of batch"),
    ("dp_ucb_int", {"epsilon": 1.0}, 1, LONG, "mean"),
    ("private_ucb", {**LOUD, "budget": "split"}, 2, SHORT, "tree"),
    ("private_ucb", {**LOUD, "budget": "parallel", "planned_for": "pow2"}, 2, SHORT, "tree"),
    *(
        (name, {**LOUD, "relax_c": 0.1}, 2, SHORT, "tree")
        for name in ("private_ucb_tuned", "private_ucb_clipped")
    ),
    ("private_thompson", {**E, "ts_budget": "full", "explore_c": 0.0}, 1, SHORT, "tree"),
    ("private_thompson", {**E, "ts_budget": "half", "explore_c": 0.0}, 1, SHORT, "tree"),
    *(
        ("dp_ucb", {**E, "hybrid_split": split}, 1, SHORT, "hybrid")
        for split in typing.get_args(Split)
    ),
    *(
        ("dp_ucb_bound", {**LOUD, "hybrid_split": split}, 2, SHORT, "hybrid")
        for split in typing.get_args(Split)
    ),
    ("gdp_ncb", {**E, "noise_log": "ln"}, 1, SHORT, "sum"),
    ("gdp_ncb", {**E, "private_mean": "at_end"}, 1, SHORT, "sum"),
    # Phase I ends after 256 rounds, in which a first reward is in nine means, with time left for
    # seven episodes.
    ("gdp_ncb", {**LOUD, "private_mean": "in_test", "cap": "none", **IN_NINE}, 1, SHORT, "sum"),
    ("anytime_ncb", {**E, "game": "ldp_ncb"}, 2, SHORT, "reward"),
    *(
        ("ldp_ncb", {**E, "phase1_noise": noise}, 2, SHORT, "reward")
        for noise in ("centred", "misplaced")
    ),
    *((name, E, 2, SHORT, "reward") for name in ("dp_exp3_lap", "dp_exp3_lap_on_arms")),
    *(
        (name, {"eps0": 0.1}, 20, SHORT, "27 trees")
        for name in ("private_lin_ucb", "private_lin_ts")
    ),
]
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

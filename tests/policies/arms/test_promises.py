"""What every policy on arms promises and spends, and what users report."""

import math
import re

import pytest

from dpbandits import parameters
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.random import stream

K, EPSILON, HORIZONS = 5, 0.3, (7, 8, 1000, 1024, 100_003)

# The share of its promise that a policy spends, and whom it trusts.
SPENT = [
    *((name, {}, 1, "central") for name in (
        "adap_ucb", "adap_klucb", "dp_se", "dp_klucb", "dp_imed", "adac_ucb", "explore_then_commit",
        "dp_exp3_lap_on_arms",
    )),
    *((name, {"growth": 1.1}, 1, "central") for name in ("dp_klucb", "dp_imed")),
    ("adac_ucb", {"delta": 1e-5}, 1, "central"),
    ("dist_dp_se", {}, 1, "aggregator"),
    ("explore_then_commit", {"noise": "gaussian"}, 1, "central"),
    ("explore_then_commit", {"noise": "local"}, 1, "local"),
    *((name, {}, 1, "local") for name in (
        "ldp_ucb", "ldp_ucb_clipped", "ldp_epsilon_greedy", "rr_kl_ucb", "ldp_ncb",
    )),
    ("ldp_ncb", {"phase1_noise": "misplaced"}, 1 / EPSILON, "local"),
    ("anytime_ncb", {"game": "ldp_ncb"}, 1, "local"),
    ("adap_ucb_as_drawn", {}, math.inf, "central"),
    *((name, {"hybrid_split": split}, share, "central")
      for name in ("dp_ucb", "dp_ucb_bound")
      for split, share in (
          ("half_log2", 1), ("full_log2", 2), ("literal_natlog", 1 + 1 / math.log(2)),
      )),
    ("private_ucb", {}, 1 / K, "central"),
    ("private_ucb", {"budget": "parallel"}, 1, "central"),
    ("private_ucb_tuned", {"relax_c": 6.0}, 1 / K, "central"),
    ("private_ucb_clipped", {"relax_c": 6.0}, 1 / K, "central"),
    ("private_thompson", {}, 1 / K / 2, "central"),
    ("private_thompson", {"ts_budget": "full"}, 1 / K, "central"),
    ("private_thompson_gap", {}, 1 / K / 2, "central"),
]  # fmt: skip
# test_dp_ucb_int.py, test_nash.py, test_table_of_gains.py
ELSEWHERE = {"dp_ucb_int", "gdp_ncb", "exp3_tau_on_arms"}
ROWS = pytest.mark.parametrize(("name", "given", "share", "trust"), SPENT)


def policy_of(name, given):
    return POLICIES.make(name, {"epsilon": EPSILON} | given)


@ROWS
def test_what_is_spent_of_the_promise(name, given, share, trust):
    """At every horizon, where each reward is in one release.

    A mechanism for a stream attains its worst case in a long game.
    """
    policy = policy_of(name, given)
    is_gaussian = name == "adac_ucb" or given.get("noise") == "gaussian"
    for horizon in HORIZONS[2:] if "hybrid_split" in given else HORIZONS:
        account = policy.account(horizon, K)
        assert (account.epsilon, account.delta) == (EPSILON, policy.delta if is_gaussian else 0.0)
        assert account.spent == pytest.approx(EPSILON * share, rel=1e-9)
        assert (account.kept, account.trust) == (share <= 1, trust)


def test_every_promise_is_in_the_table():
    promising = {
        name
        for name, family in POLICIES.known.items()
        if family == "arms" and POLICIES.find(name).states_privacy()
    }
    assert {row[0] for row in SPENT} | ELSEWHERE == promising


@ROWS
def test_what_users_report_to_a_policy_that_they_do_not_trust(name, given, share, trust):
    """The reward with Laplace noise of scale 1/epsilon, clipped or not.

    Or a bit of it, honestly with probability e^eps/(1 + e^eps).
    """
    rules = policy_of(name, given).reports(1000, K)
    assert len(rules) == (0 if trust != "local" else 2 if "ncb" in name else 1)
    if "phase1_noise" in given:  # location 1/epsilon and scale 1 in Phase I
        report = rules.pop("Phase I").report(stream(2), 1.0)
        assert report == 1.0 + (1 / EPSILON + stream(2).release_noise(1.0))
    for rule in rules.values():
        for run in range(200):
            reward = run % 3 / 2
            report, rng = rule.report(stream(1, run), reward), stream(1, run)
            if name == "rr_kl_ucb":
                honest = math.exp(EPSILON) / (1 + math.exp(EPSILON))
                assert report == rng.release_bit(1 - honest + reward * (2 * honest - 1))
            else:
                noisy = rng.release(reward, 1 / EPSILON)
                assert report == (min(max(noisy, 0.0), 1.0) if name == "ldp_ucb_clipped" else noisy)


@pytest.mark.parametrize("name", POLICIES.known)
def test_every_parameter_has_a_type_that_messages_say_in_words(name):
    for parameter, each in parameters.declared(POLICIES.find(name)).items():
        with pytest.raises(InputError) as refusal:
            each.valid(parameter, "?")
        message = str(refusal.value)
        assert re.match(rf"{parameter}: '\?' (should be (an? |true)|is not one of )", message)
        assert "=" not in message  # as in Gt(gt=0)

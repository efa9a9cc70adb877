"""What every policy on arms promises and spends, and what users report."""

import math
import re

import pytest
from plain.twins import OF_ARMS
from playing import promises

from dpbandits import parameters
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

K, EPSILON, HORIZONS = 5, 0.3, (7, 8, 1000, 1024, 100_003)

ROWS = pytest.mark.parametrize(("name", "changes", "share", "trust"), promises())


def policy_of(name, changes):
    return POLICIES.make(name, {"epsilon": EPSILON} | changes)


@ROWS
def test_what_is_spent_of_the_promise(name, changes, share, trust):
    """At every horizon, where each reward is in one release.

    A mechanism for a stream attains its worst case in a long game.
    """
    policy, delta = policy_of(name, changes), 0.0
    if changes.get("noise") not in ("laplace", "local"):
        delta = policy.parameters.get("delta", 0.0)
    for horizon in HORIZONS[2:] if "hybrid_split" in changes else HORIZONS:
        account = policy.account(horizon, K)
        assert (account.epsilon, account.delta, account.trust) == (EPSILON, delta, trust)
        assert account.kept() == (share is None or share <= 1)
        assert share is None or account.spent == pytest.approx(EPSILON * share, rel=1e-6)


def test_every_promise_is_in_the_table():
    promising = {name for name in OF_ARMS if POLICIES.find(name).states_privacy()}
    assert {name for name, *_ in promises()} == promising


@ROWS
def test_what_users_report_to_a_policy_that_they_do_not_trust(name, changes, share, trust):
    """The reward with Laplace noise of scale 1/epsilon, clipped or not.

    Or a bit of it, honestly with probability e^eps/(1 + e^eps).
    """
    users = policy_of(name, changes).reports(1000, K)
    assert len(users) == (0 if trust != "local" else 2 if "ncb" in name else 1)
    if "phase1_noise" in changes:  # location 1/epsilon and scale 1 in Phase I
        report = users.pop("Phase I").report(Releases(stream(2)), 1.0)
        assert report == Releases(stream(2)).laplace(1.0 + 1 / EPSILON, 1.0)
    for user in users.values():
        for run in range(200):
            reward = run % 3 / 2
            report = user.report(Releases(stream(1, run)), reward)
            again = Releases(stream(1, run))
            if name in ("rr_kl_ucb", "ts_cf", "ldp_ucb_b"):
                honest = math.exp(EPSILON) / (1 + math.exp(EPSILON))
                assert report == again.bit(1 - honest + reward * (2 * honest - 1))
            else:
                noisy = again.laplace(reward, 1 / EPSILON)
                assert report == (min(max(noisy, 0.0), 1.0) if name == "ldp_ucb_clipped" else noisy)


@pytest.mark.parametrize("name", POLICIES.known)
def test_every_parameter_has_a_type_that_messages_say_in_words(name):
    for parameter, each in parameters.declared(POLICIES.find(name)).items():
        with pytest.raises(InputError) as refusal:
            each.valid(parameter, "?")
        message = str(refusal.value)
        assert re.match(rf"{parameter}: '\?' should be (an? |true|one of )", message)
        assert "=" not in message  # as in Gt(gt=0)

"""The template runs as it is, and every policy fits its family."""

import inspect
import math

import numpy as np
import pytest
from plain.parts import play_rounds
from playing import a_run, actions_of, for_twin

from dpbandits.bandits import BANDITS
from dpbandits.plugins import FAMILIES
from dpbandits.policies import POLICIES
from dpbandits.policies.template import TemplateUCB
from dpbandits.policy import Policy
from dpbandits.random import stream


def test_the_template_runs_as_it_is():
    """As LDP-UCB's twin with another index."""
    means, T, policy, s = [0.2, 0.9, 0.5], 5000, TemplateUCB(epsilon=2), [0.0] * 3
    run = a_run(stream(1, "template"), means, np.arange(1, T + 1))
    policy.play(run)
    rng = for_twin(stream(1, "template"))

    def see(a, x):
        s[a] += x + rng.laplace(0.0, 1 / 2.0)

    by_hand = play_rounds(
        rng, means, T, lambda b, n, t: s[b] / n + math.sqrt(2 * math.log(t) / n), see
    )
    assert actions_of(run) == by_hand
    account = policy.account(T, 3)
    assert (account.kept(), account.trust, account.spent) == (True, "local", pytest.approx(2))
    assert policy.reports(T, 3) == {"any round": policy.compiled(T, 3)}


def test_the_template_is_no_algorithm_before_it_is_copied():
    assert "template" not in POLICIES.known
    assert set(POLICIES.known.values()) == set(BANDITS.known.values()) == set(FAMILIES)


@pytest.mark.parametrize("name", POLICIES.known)
def test_every_policy_fits_the_base_class(name):
    """Its methods take the arguments that callers pass, and its class is found by name."""
    policy = POLICIES.find(name)
    assert POLICIES.family_of(name) == policy.family == POLICIES.known[name]
    assert POLICIES.class_named(policy.__name__) is policy
    for method in ("play", "privacy", "check", "reports", "constants", "state"):
        own, base = (inspect.signature(getattr(each, method)) for each in (policy, Policy))
        assert list(own.parameters) == list(base.parameters), method

"""The template runs as it is, as its plain form does, and every policy fits its family."""

import inspect
import math

import numpy as np
import pytest
from playing import THREE, a_run

from dpbandits.bandits import BANDITS
from dpbandits.plugins import FAMILIES
from dpbandits.policies import POLICIES
from dpbandits.policies.template import TemplateUCB
from dpbandits.policy import ArmsPolicy, Policy
from dpbandits.random import stream


class PlainTemplate(ArmsPolicy):
    """The template round by round, as a user would write it without compiled methods."""

    def play(self, run):
        s = np.zeros(run.K)
        while not run.finished():
            t, n = run.t, run.pulls
            a = t if t < run.K else np.argmax(s / n + np.sqrt(2 * math.log(t + 1) / n))
            s[a] += run.releases.laplace(run.play(a)[0], 1 / 2)


def test_the_template_runs_as_its_plain_form():
    counts, T, policy = [], 5000, TemplateUCB(epsilon=2)
    for each in (policy, PlainTemplate()):
        run = a_run(stream(1, "template"), THREE, np.arange(1, T + 1))
        each.play(run)
        assert run.finished()
        counts.append(run.counts)
    assert np.array_equal(*counts)
    assert counts[0][-1].min() > 30
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

"""What a policy promises, and the epsilon that spends it."""

import math
from typing import ClassVar

import pytest
from checks.known_runs import runs_of

from dpbandits.checks.general import account_of
from dpbandits.errors import InputError
from dpbandits.parameters import Positive
from dpbandits.policies import UCB
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.promises import calibrate_epsilon


class Promising(ArmsPolicy):
    """Promise what a test says."""

    epsilon: Positive = 2.0
    promise: ClassVar = staticmethod(lambda epsilon: Account(epsilon, 0.0, None))

    def privacy(self, horizon, number_of_arms):
        return self.promise(self.epsilon)


@pytest.mark.parametrize("account", [None, Account(math.inf, 0.0, None)])
def test_nothing_is_promised_in_three_ways(account, monkeypatch):
    monkeypatch.setattr(Promising, "promise", staticmethod(lambda epsilon: account))
    assert (UCB.states_privacy(), Promising.states_privacy()) == (False, True)
    assert UCB().account(100, 2) is Promising().account(100, 2) is None


def test_a_check_of_a_policy_without_a_promise_is_refused():
    played = runs_of({"mine": [0] * 4}).experiment
    with pytest.raises(InputError, match="algorithm 'ucb' promises no privacy"):
        account_of(played, "mine")


@pytest.mark.parametrize(
    ("promise", "message"),
    [
        (lambda _: 3, "3 is not a promise; return an Account"),
        (lambda _: Account("one", 0.0, None), "epsilon: 'one' should be a number of at least 0"),
        (lambda _: Account(-1.0, 0.0, None), "epsilon: -1.0 should be a number of at least 0"),
        (lambda _: Account(math.nan, 0.0, None), "epsilon: nan should be a number of at least 0"),
        (lambda _: Account(1.0, 1.5, None), r"delta: 1.5 should be a number in \[0, 1\)"),
        (lambda _: Account(1.0, -1e-6, None), r"delta: -1e-06 should be a number in \[0, 1\)"),
        (lambda _: Account(1.0, 0.0, None, trust="locl"), r"unknown trust 'locl'; .* 'local'\?"),
        (
            lambda _: Account(1.0, 0.0, None, releases="x"),
            r".*, line \d+: TypeError: .*'releases'",
        ),
    ],
)
def test_an_invalid_promise_is_refused_by_file(promise, message, monkeypatch):
    monkeypatch.setattr(Promising, "promise", staticmethod(promise))
    file = Promising.__module__.replace(".", "/")
    with pytest.raises(InputError, match=rf"^{file}\.py: privacy: {message}"):
        Promising().account(100, 2)


@pytest.mark.parametrize(
    ("spent", "best"),
    [
        (lambda epsilon: epsilon / 4, 1),
        (lambda epsilon: 3 * epsilon**2, 1),
        # From .8 to 1.2; it spends .8 from just above 1 to 2.
        (lambda epsilon: 0.4 * math.ceil(epsilon), 0.8),
        (lambda epsilon: 0.3, 0.3),  # whatever epsilon is
        (lambda epsilon: math.inf, math.inf),  # no noise, so epsilon stays
    ],
)
def test_the_calibrated_epsilon_spends_at_most_what_is_promised(spent, best, monkeypatch):
    def promise(epsilon):
        return Account(epsilon, 0.0, Ledger().book_loss(1, 1, spent(epsilon)))

    monkeypatch.setattr(Promising, "promise", staticmethod(promise))
    calibrate_epsilon.cache_clear()
    epsilon = calibrate_epsilon(Promising(epsilon=1.0), 1000, 5)
    assert 0.99 * best <= spent(epsilon) <= best * (1 + 1e-9)
    assert math.isfinite(best) or epsilon == 1.0

"""What an algorithm promises."""

import math
from types import SimpleNamespace

import pytest

from dpbandits import policies
from dpbandits.checks.general import account_of
from dpbandits.errors import InputError
from dpbandits.privacy import promises
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.studies.experiment import Experiment, Policy, Series


@pytest.fixture
def an_algorithm(monkeypatch):
    """A function that puts a module `mine` with these names among our algorithms."""

    def play(rng, arms, horizon, journal, *, epsilon=2.0, other=1):
        """Plays nothing."""

    def put(**names):
        monkeypatch.setattr(policies.ALGORITHMS, "known", lambda: {"mine": "arms"})
        monkeypatch.setattr(
            policies, "find", lambda name: SimpleNamespace(**{"play": play, **names})
        )

    return put


@pytest.mark.parametrize("account", [None, Account(math.inf, 0.0, None)])
def test_nothing_is_promised_in_three_ways(account, an_algorithm):
    assert promises.promise_of("ucb", {}, 100, 2) is None  # no function `privacy`
    assert promises.promise_of(lambda rng, arms, horizon, journal: None, {}, 100, 2) is None
    an_algorithm(privacy=lambda horizon, number_of_arms: account)
    assert promises.promise_of("mine", {}, 100, 2) is None
    series = Series("mine", "mine", "mine", {}, "mine", 0)
    policies = {"mine": Policy(id="mine", series=(series,))}
    played = Experiment(
        id="e", environment={"kind": "bernoulli", "means": [0.9, 0.6]}, policies=policies
    )
    with pytest.raises(InputError, match="algorithm 'mine' promises no privacy"):
        account_of(played, "mine", 100)


def of_reports(horizon, number_of_arms, *, epsilon):
    return Account(epsilon, 0.0, None, releases="reports")


@pytest.mark.parametrize(
    ("privacy", "given", "message"),
    [
        (lambda *_: 3, {}, "it returns 3, which is no promise"),
        (
            lambda *_: Account(1.0, 0.0, None, trust="locl"),
            {},
            r"unknown trust 'locl'; did you mean 'local'\?",
        ),
        (of_reports, {}, "TypeError: .* argument 'releases'"),
        (of_reports, {"alpha": 2.0}, "TypeError: .* argument 'alpha'"),
    ],
)
def test_what_is_no_promise_is_refused_by_file(privacy, given, message, an_algorithm):
    an_algorithm(privacy=privacy)
    with pytest.raises(
        InputError, match=rf"src/dpbandits/policies/arms/mine\.py: privacy: {message}"
    ):
        promises.promise_of("mine", given, 100, 2)


def test_what_is_not_given_is_promised_as_it_is_played(an_algorithm):
    """With the default of `play`, whatever that of `privacy` is."""
    an_algorithm(privacy=lambda horizon, number_of_arms, *, epsilon: Account(epsilon, 0.0, None))
    assert promises.promise_of("mine", {}, 100, 2).epsilon == 2.0
    assert promises.promise_of("mine", {"epsilon": 3.0}, 100, 2).epsilon == 3.0
    an_algorithm(
        privacy=lambda horizon, number_of_arms, *, epsilon=1.0, **_: Account(epsilon, 0.0, None)
    )
    assert promises.promise_of("mine", {}, 100, 2).epsilon == 2.0


LEDGERS = [
    (lambda epsilon: epsilon / 4, 4.0),
    (lambda epsilon: 3 * epsilon**2, 3**-0.5),
    (
        lambda epsilon: 0.4 * math.ceil(epsilon),
        2.0,
    ),  # from .8 to 1.2; it spends .8 from just above 1 to 2
    (lambda epsilon: 0.3, 1.0),  # whatever epsilon is
    (lambda epsilon: math.inf, 1.0),  # no noise
]


@pytest.mark.parametrize(("spent", "wanted"), LEDGERS)
def test_the_calibrate_epsilon(spent, wanted, an_algorithm):
    def privacy(horizon, number_of_arms, *, epsilon):
        ledger = Ledger()
        ledger.book_loss(1, 1, spent(epsilon))
        return Account(epsilon, 0.0, ledger)

    an_algorithm(privacy=privacy)
    promises.calibrate_epsilon.cache_clear()
    found = promises.calibrate_epsilon("mine", (("epsilon", 1.0),), 1000, 5)
    assert spent(found) <= 1 or found == wanted == 1.0
    if 0.99 <= spent(wanted) <= 1 + 1e-9:
        assert 0.99 <= spent(found) <= 1 + 1e-9
    else:
        assert spent(found) == spent(wanted)

"""What an algorithm promises, what it says that it releases, and how much is played to measure it."""

import math
import re
from types import SimpleNamespace

import pytest
from project import ROOT

from dpbandits import algorithms, studies
from dpbandits.audit import lower_bounds, promises
from dpbandits.errors import InputError
from dpbandits.privacy.ledger import Account
from dpbandits.studies import yaml_file

PAPERS = studies.load_all(ROOT / "config/papers", "smoke")


@pytest.fixture
def an_algorithm(monkeypatch):
    """A function that puts a module `mine` with these names among our algorithms."""

    def play(rng, arms, horizon, journal, *, epsilon=2.0, other=1):
        """Plays nothing."""

    def put(**names):
        monkeypatch.setattr(algorithms, "known", lambda: {"mine": "arms"})
        monkeypatch.setattr(algorithms, "find", lambda name: SimpleNamespace(**{"play": play, **names}))

    return put


@pytest.mark.parametrize("account", [None, Account(math.inf, 0.0, None)])
def test_nothing_is_promised_in_three_ways(account, an_algorithm):
    assert promises.promise_of("ucb", {}, 100, 2) is None  # no function `privacy`
    assert promises.promise_of(lambda rng, arms, horizon, journal: None, {}, 100, 2) is None
    an_algorithm(privacy=lambda horizon, number_of_arms: account)
    assert promises.promise_of("mine", {}, 100, 2) is None
    with pytest.raises(InputError, match="algorithm 'mine' promises no privacy"):
        promises.account_of("mine", {}, 100, 2)


def test_a_promise_that_is_no_account_is_refused(an_algorithm):
    an_algorithm(privacy=lambda horizon, number_of_arms: 3)
    with pytest.raises(
        InputError, match=r"src/dpbandits/algorithms/arms/mine\.py: privacy: it returns 3, which is no pr"
    ):
        promises.promise_of("mine", {}, 100, 2)


def test_what_is_not_given_is_promised_as_it_is_played(an_algorithm):
    """With the default of `play`, whatever that of `privacy` is."""
    an_algorithm(privacy=lambda horizon, number_of_arms, *, epsilon: Account(epsilon, 0.0, None))
    assert promises.promise_of("mine", {}, 100, 2).epsilon == 2.0
    assert promises.promise_of("mine", {"epsilon": 3.0}, 100, 2).epsilon == 3.0
    an_algorithm(privacy=lambda horizon, number_of_arms, *, epsilon=1.0, **_: Account(epsilon, 0.0, None))
    assert promises.promise_of("mine", {}, 100, 2).epsilon == 2.0


def test_whom_one_trusts_is_spelt_as_declared(an_algorithm):
    an_algorithm(privacy=lambda *_: Account(1.0, 0.0, None, trust="locl"))
    with pytest.raises(InputError, match=r"arms/mine\.py: privacy: trust='locl': did you mean 'local'\?"):
        promises.promise_of("mine", {}, 100, 2)


def test_every_algorithm_of_the_papers_that_promises_privacy_says_what_it_releases():
    series = {
        each for paper in PAPERS.values() for e in paper.experiments.values() for each in map(key_of, e.series.values())
    }
    private = [a for name, given in series if (a := promises.promise_of(name, dict(given), 2000, 2))]
    assert len(private) > 60
    assert all(account.releases for account in private)


def key_of(series):
    return series.algorithm, tuple(sorted(series.parameters.items()))


def test_unless_it_says_what_it_releases_the_actions_alone_are_audited(an_algorithm):
    an_algorithm(privacy=lambda *_: Account(1.0, 0.0, None))
    mechanism = lower_bounds.Mechanism("mine", (), "")
    assert lower_bounds.taps_of(mechanism) == ["action"]
    an_algorithm(privacy=lambda *_: Account(1.0, 0.0, None, releases="tree"))
    assert lower_bounds.taps_of(mechanism) == ["action", "release"]
    an_algorithm(privacy=lambda *_: Account(1.0, 0.0, None, releases="tee"))
    with pytest.raises(InputError, match=r"arms/mine\.py: privacy: releases='tee': did you mean 'tree'\?"):
        lower_bounds.taps_of(mechanism)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"games": 0}, "audit.smoke.games: 0 should be at least 1"),
        ({"users": 1e5}, "audit.smoke.users: 100000.0 should be a whole number; write 100000"),
        ({"epsilons": []}, "audit.smoke.epsilons: [] should have at least 1 entry"),
        ({"epsilons": [0.5, 0]}, "audit.smoke.epsilons.1: 0 should be above 0"),
        ({"grid": [1]}, "audit.smoke: unknown key 'grid'"),
    ],
)
def test_wrong_numbers_of_games_are_refused(changed, message):
    given = yaml_file.read_yaml(ROOT / "config/config.yaml")
    given["audit"]["smoke"].update(changed)
    with pytest.raises(InputError, match=re.escape(f"config/config.yaml: {message}")):
        studies.validate_settings(given)

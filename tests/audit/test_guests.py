"""Audits of guests, in plain Python too; one that cannot be played says why."""

import sys
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest

from dpbandits import policies
from dpbandits.audit import lower_bounds
from dpbandits.audit.findings import ABOVE_LEDGER, NO_POWER, NOT_AUDITED, WITHIN
from dpbandits.bandits.arms import note, note_round_robin, note_span, pull
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.studies.experiment import Experiment, Policy, Series
from dpbandits.studies.settings import Effort

EFFORT = Effort(epsilons=[1.0], games=4000, reports=4000)


def local(horizon, number_of_arms, *, epsilon, **_):
    ledger = Ledger()
    ledger.book(1, 1, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local")


def plain(rng, arms, horizon, journal, *, epsilon: Positive):
    """The arm with the largest sum of reports, in plain Python."""
    K = len(arms.means)
    sums, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        a = t - 1 if t <= K else int(np.argmax(sums))
        sums[a] += pull(rng, arms, a) + rng.laplace(0.0, 1 / epsilon)
        pulls[a] += 1
        note(journal, t, pulls)


def careless(rng, arms, horizon, journal, *, epsilon: Positive):
    """Promises noise, and draws none."""
    plain(rng._replace(noise=0.0), arms, horizon, journal, epsilon=epsilon)


def another_noise(rng, arms, horizon, journal, *, epsilon: Positive):
    """NumPy's own noise, which an audit cannot silence: the arm with the largest report."""
    K, generator = len(arms.means), rng.numpy()
    reports = [pull(rng, arms, a) + generator.laplace(0.0, 1 / epsilon) for a in range(K)]
    pulls = np.ones(K, np.int64)
    note_round_robin(journal, 0, K, 0 * pulls, np.arange(K))
    note_span(journal, K, horizon - K, pulls, int(np.argmax(reports)))


def broken(rng, arms, horizon, journal, *, epsilon: Positive):
    rng.logistic(0.0, epsilon)


class HalfTheNoise(NamedTuple):
    """A user who reports with half the noise that is promised."""

    scale: float

    def report(self, rng, reward):
        return reward + rng.laplace(0.0, 0.5 * self.scale)


@pytest.fixture
def audited(monkeypatch):
    """A function that audits a module with these functions: the rows of the table."""

    def rows(play, **functions):
        module = ModuleType("dpbandits.policies.arms.draft")
        vars(module).update({"play": play, "privacy": local, **functions})
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(policies.ALGORITHMS, "known", lambda: {"draft": "arms"})
        series = Series("draft", "draft", "draft", {"epsilon": 1.0}, "draft", 0)
        played = Experiment(
            id="e",
            environment={"kind": "bernoulli"},
            policies={"draft": Policy(id="draft", series=(series,))},
        )
        return lower_bounds.part([played], 1, EFFORT)

    return rows


@pytest.mark.parametrize(
    ("play", "finding"), [(plain, WITHIN), (careless, ABOVE_LEDGER), (another_noise, NO_POWER)]
)
def test_a_guest_is_audited_by_its_actions(play, finding, audited):
    (row,) = audited(play).to_dict("records")
    assert (row["channel"], row["finding"].split(":")[0], row["games"]) == (
        "actions",
        finding,
        4000,
    )
    assert (row["measured"] < 1) == (finding != ABOVE_LEDGER)


def test_a_local_guest_is_audited_by_its_reports_too(audited):
    table = audited(plain, reporting=lambda *_, epsilon: {"any round": HalfTheNoise(1 / epsilon)})
    assert table["channel"].tolist() == ["actions", "reports"]
    assert table["finding"].tolist() == [WITHIN, ABOVE_LEDGER]


@pytest.mark.parametrize(
    ("functions", "reason"),
    [
        ({"play": broken}, "AttributeError: 'Stream' object has no attribute 'logistic'"),
        (
            {"play": plain, "check": lambda horizon, *_, **__: 1 / 0},
            "ZeroDivisionError: division by zero",
        ),
    ],
)
def test_a_guest_that_is_not_audited_says_why(functions, reason, audited):
    table = audited(**functions)
    (finding,) = table["finding"]
    assert finding.startswith(NOT_AUDITED)
    assert finding.endswith(reason)
    assert table["measured"].isna().all()

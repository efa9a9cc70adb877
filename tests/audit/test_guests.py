"""Audits of guests in plain Python; one that cannot be played says why.

tests/test_own_policy.py has a compiled one, whose reports are audited, too.
"""

import numpy as np
import pytest

from dpbandits.audit import lower_bounds
from dpbandits.audit.findings import ABOVE_LEDGER, NO_POWER, NOT_AUDITED, WITHIN
from dpbandits.parameters import Positive
from dpbandits.policies import POLICIES
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import SHORT
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.studies.experiment import Experiment, Policy, Series
from dpbandits.studies.settings import Effort

EFFORT = Effort(epsilons=[1.0], games=4000, reports=4000)


class Plain(ArmsPolicy):
    """The arm with the largest sum of reports, in plain Python."""

    epsilon: Positive

    def play(self, run):
        sums = np.zeros(run.K)
        while not run.finished():
            a = run.t if run.t < run.K else int(np.argmax(sums))
            sums[a] += run.releases.laplace(run.play(a)[0], 1 / self.epsilon)

    def privacy(self, horizon, number_of_arms):
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=1 / self.epsilon)
        return Account(self.epsilon, 0.0, ledger, trust="local")


class Careless(Plain):
    """Promise noise, and draw none."""

    def play(self, run):
        super().play(run._replace(releases=run.releases._replace(noise=0.0)))


class AnotherNoise(Plain):
    """The arm with the largest report, with NumPy's own noise, which an audit cannot silence."""

    def play(self, run):
        noise = run.rng.numpy().laplace(0.0, 1 / self.epsilon, run.K)
        rewards, _ = run.play_in_turn(range(run.K))
        run.play(int(np.argmax(rewards + noise)), run.horizon)


class Broken(Plain):
    def play(self, run):
        run.rng.logistic(0.0, self.epsilon)


class Unplayable(Plain):
    def check(self, horizon, number_of_arms):
        return 1 / 0


class BareSetting(Plain):
    def audit_games(self):
        return SHORT


@pytest.fixture
def audited(monkeypatch):
    """A function that audits a class: the rows of the table."""

    def rows(policy):
        monkeypatch.setattr(type(POLICIES), "find", lambda self, name: policy)
        series = Series("draft", "draft", "draft", {"epsilon": 1.0}, "draft")
        policies = {"draft": Policy(id="draft", series=(series,))}
        return lower_bounds.part([Experiment("e", {"kind": "bernoulli"}, policies)], 1, EFFORT)

    return rows


@pytest.mark.parametrize(
    ("policy", "finding"), [(Plain, WITHIN), (Careless, ABOVE_LEDGER), (AnotherNoise, NO_POWER)]
)
def test_a_guest_is_audited_by_its_actions(policy, finding, audited):
    (row,) = audited(policy).to_dict("records")
    of_row = row["channel"], row["finding"].split(":")[0], row["games"]
    assert of_row == ("actions", finding, 4000)
    assert (row["measured"] < 1) == (finding != ABOVE_LEDGER)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (Broken, "AttributeError: 'Stream' object has no attribute 'logistic'"),
        (Unplayable, "ZeroDivisionError: division by zero"),
        (BareSetting, "should be an AuditGames of dpbandits.privacy.games"),
    ],
)
def test_a_guest_that_is_not_audited_says_why(policy, reason, audited):
    table = audited(policy)
    (finding,) = table["finding"]
    assert finding.startswith(NOT_AUDITED)
    assert finding.endswith(reason)
    assert table["measured"].isna().all()

"""Shipped loops record and draw apart; their plain forms play round by round with `run.play`."""

import math

import numpy as np
import pytest
from playing import THREE, a_run
from scipy import stats

from dpbandits.bandits.rewards import fixed_arms
from dpbandits.bandits.run import new_run
from dpbandits.drivers import posterior
from dpbandits.policies import DPSE, UCB, DPUCBInt, ExploreThenCommit, Thompson
from dpbandits.policies.arms.dp_se import epoch_length, threshold
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream


class PlainUCB(ArmsPolicy):
    def play(self, run):
        s = np.zeros(run.K)
        while not run.finished():
            t, n = run.t, run.pulls
            a = t if t < run.K else np.argmax(s / n + math.sqrt(2 * math.log(t + 1)) * n**-0.5)
            s[a] += run.play(a)[0]


class PlainExploreThenCommit(ExploreThenCommit):
    def play(self, run):
        m, s = self.pulls_of_an_arm(run.horizon, run.K), np.zeros(run.K)
        for _ in range(m):
            for a in range(run.K):
                s[a] += run.play(a)[0]
        best = np.argmax([run.releases.laplace(total, 1 / self.epsilon) for total in s])
        while not run.finished():
            run.play(best)


class PlainDPSE(DPSE):
    def play(self, run):
        alive, e, beta = [*range(run.K)], 0, 1 / run.horizon
        while len(alive) > 1:
            e += 1
            R = epoch_length(len(alive), e, self.epsilon, beta)
            s = dict.fromkeys(alive, 0.0)
            for _ in range(R):
                for a in alive:
                    s[a] += run.play(a)[0]
            if run.finished():
                return
            mu = {a: run.releases.laplace(s[a] / R, 1 / (self.epsilon * R)) for a in alive}
            limit = threshold(len(alive), e, R, self.epsilon, beta)
            alive = [a for a in alive if max(mu.values()) - mu[a] <= limit]
        while not run.finished():
            run.play(alive[0])


class PlainDPUCBInt(DPUCBInt):
    """The mean of an arm is released when its pull count has become an update count."""

    def play(self, run):
        updates, K, n = self.update_counts(run.horizon).tolist(), run.K, run.pulls
        s, mean, index = np.zeros((3, K))
        for _ in range(updates[0]):
            for a in range(K):
                s[a] += run.play(a)[0]
        played = range(K)
        while not run.finished():
            for b in played:
                if n[b] in updates:
                    mean[b] = run.releases.laplace(s[b] / n[b], n[b] ** (self.v / 2 - 1))
            for b in range(K):
                if n[b] in updates:
                    index[b] = mean[b] + math.sqrt(2 * math.log(run.t + 1)) * n[b] ** -0.5
            a = np.argmax(index)
            s[a] += run.play(a)[0]
            played = [a]


class PlainThompson(ArmsPolicy):
    def play(self, run):
        r, n = np.zeros(run.K), run.pulls
        while not run.finished():
            theta = [run.rng.beta(r[a] + 1, n[a] - r[a] + 1) for a in range(run.K)]
            a = np.argmax(theta)
            r[a] += run.play(a)[0]


def on_fixed_arms(rng, T):
    """Arms that pay 0.9, 0.3 and 0.5 in every round: no random number is drawn for a reward."""
    return new_run(fixed_arms(np.tile([0.9, 0.3, 0.5], (T, 1))), Releases(rng), T, np.arange(T) + 1)


def on_bernoulli_arms(rng, T):
    return a_run(rng, THREE, np.arange(T) + 1)


FORMS = [  # how runs begin, their rounds, and the fewest pulls of an arm
    (UCB(), PlainUCB(), on_bernoulli_arms, 2000, 30),
    (Thompson(), PlainThompson(), on_bernoulli_arms, 500, 2),
    (ExploreThenCommit(epsilon=1), PlainExploreThenCommit(epsilon=1), on_fixed_arms, 400, 30),
    (DPSE(epsilon=1), PlainDPSE(epsilon=1), on_fixed_arms, 12_000, 1000),
    (DPUCBInt(epsilon=1), PlainDPUCBInt(epsilon=1), on_fixed_arms, 3000, 40),
]


@pytest.mark.parametrize(
    ("shipped", "plain", "begin", "T", "least"), FORMS, ids=[type(row[0]).__name__ for row in FORMS]
)
def test_a_shipped_policy_pulls_the_arms_of_its_plain_form(
    shipped, plain, begin, T, least, monkeypatch
):
    """In every round. Thompson sampling draws every theta here, as its plain form does."""
    monkeypatch.setattr(posterior, "CANDIDATES", 0.0)
    for number in range(3):
        ours, theirs = (begin(stream(51, number), T) for _ in range(2))
        shipped.play(ours)
        plain.play(theirs)
        assert ours.finished()
        assert theirs.finished()
        assert np.array_equal(ours.journal.counts, theirs.journal.counts)
        assert min(ours.pulls) >= least


def test_the_short_cut_of_thompson_sampling_has_the_law_of_its_plain_form():
    counts = []
    for number, policy in enumerate((Thompson(), PlainThompson())):
        runs = [a_run(stream(52, number, i), THREE, [150]) for i in range(800)]
        for run in runs:
            policy.play(run)
        counts.append([run.pulls[0] for run in runs])
    assert stats.ks_2samp(*counts).pvalue > 1e-4
    assert len(set(counts[0])) > 50


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_sums_that_are_drawn_later_have_the_law_of_rewards_drawn_in_their_rounds(epsilon):
    """`collect` draws a sum as one binomial number; on arms of 0 and 1."""
    counts = []
    for number, policy in enumerate((DPUCBInt(epsilon=epsilon), PlainDPUCBInt(epsilon=epsilon))):
        runs = [a_run(stream(53, number, i), THREE, [1000]) for i in range(300)]
        for run in runs:
            policy.play(run)
        counts.append([run.pulls[0] for run in runs])
    assert stats.ks_2samp(*counts).pvalue > 1e-4
    assert len(set(counts[0])) > 10

"""Noise of a secure sum: what users add, how they round, and what it costs."""

import json
from typing import Any, NamedTuple

import numpy as np
import pytest
from playing import a_run
from project import uncompiled
from scipy import stats

from dpbandits.bandits import Beta, UniformRewards
from dpbandits.bandits.rewards import Arms, rounded
from dpbandits.bandits.run import new_run
from dpbandits.kernels import kernel
from dpbandits.policies import DPIMED, DPKLUCB, AdaPKLUCB, AdaPUCB
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

OF_SUMS = [AdaPUCB, AdaPKLUCB, DPKLUCB, DPIMED]


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("users", [1, 2, 7, 64])
def test_the_shares_of_the_users_add_up_to_one_discrete_laplace_number(users, epsilon):
    """By characteristic functions: a share is a difference of two Polya numbers of shape 1/m."""
    k = np.arange(-700, 701)
    angles = 2 * np.pi * k / k.size
    r = np.exp(-epsilon)
    polya = ((1 - r) / (1 - r * np.exp(1j * angles))) ** (1 / users)  # that of nbinom(1/m, 1 - r)
    values = np.arange(3000)
    pmf = stats.nbinom.pmf(values, 1 / users, 1 - r)
    assert polya[650] == pytest.approx((pmf * np.exp(1j * angles[650] * values)).sum(), abs=1e-9)
    of_sum = (polya * polya.conj()) ** users
    of_law = (stats.dlaplace.pmf(k, epsilon) * np.exp(1j * np.outer(angles, k))).sum(axis=1)
    assert of_sum == pytest.approx(of_law, abs=1e-12)


@kernel
def released(policy, releases, total, outputs):
    for i in range(outputs.size):
        outputs[i] = policy.released(releases, total)


@pytest.mark.parametrize("kind", OF_SUMS)
def test_a_sum_is_released_with_the_variance_of_its_noise(kind):
    """2/epsilon^2, or 2 r/(1 - r)^2 with r = e^-epsilon, which is less."""
    r, outputs = np.exp(-0.5), np.empty(200_000)
    for noise, variance in (("laplace", 8.0), ("discrete", 2 * r / (1 - r) ** 2)):
        policy = kind(epsilon=0.5, noise=noise)
        released(policy.compiled(1000, 2), Releases(stream(1, noise)), 17.0, outputs)
        error = np.sqrt(variance / outputs.size)
        assert outputs.mean() == pytest.approx(17, abs=4.5 * error)
        assert outputs.var() == pytest.approx(variance, rel=4.5 * np.sqrt(5 / outputs.size))
        assert np.array_equal(outputs, np.rint(outputs)) == (noise == "discrete")


def test_two_phases_by_hand():
    """A phase with the sum 1, then one of two rounds with the sum 2: both noises stay."""
    policy = DPKLUCB(epsilon=1.0, noise="discrete").compiled(1000, 2)
    ours, again = Releases(stream(5)), Releases(stream(5))
    s, n = policy.update(ours, 0, *policy.update(ours, 0, 0.0, 0, 1.0, 1), 2.0, 2)
    assert (s, n) == (again.discrete(1, 1.0) + again.discrete(2, 1.0), 3)


class Halves(NamedTuple):
    """Arms of a user's own that pay 0, 1/2 or 1."""

    means: np.ndarray
    unused: Any = 0.0

    def reward(self, rng, a):
        return rng.integers(0, 3) / 2 if rng.random() < 2 * self.means[a] else 0.0

    def rewards(self, rng, a, m):
        total = 0.0
        for _ in range(m):
            total += self.reward(rng, a)
        return total


@kernel
def sums_of(arms, rng, a, m, sums):
    for i in range(sums.size):
        sums[i] = arms.rewards(rng, a, m) if m > 1 else arms.reward(rng, a)


@pytest.mark.parametrize(
    "arms",
    [
        UniformRewards([0.5, 0.3], width=0.4).arms,
        Beta([4, 0.25]).arms,
        Halves(np.array([0.4, 0.2])),
    ],
)
@pytest.mark.parametrize("m", [1, 6])
def test_rounded_rewards_are_bits_with_the_mean_of_the_arm(arms, m):
    sums = np.empty(20_000)
    sums_of(rounded(arms), stream(3), 1, m, sums)
    counts = np.bincount(sums.astype(int), minlength=m + 1)
    expected = stats.binom.pmf(np.arange(m + 1), m, arms.means[1]) * sums.size
    often = expected >= 5
    assert np.array_equal(sums, np.rint(sums))
    assert (
        stats.chisquare(
            counts[often], expected[often] * counts[often].sum() / expected[often].sum()
        ).pvalue
        > 1e-4
    )


def test_rewards_of_0_and_1_and_those_of_an_audit_stay():
    for arms in (Arms(np.array([0.5])), Arms(np.zeros(1), 2, np.zeros((3, 1)))):
        assert rounded(arms) is arms


@pytest.mark.parametrize("kind", OF_SUMS)
def test_users_round_before_their_rewards_are_added_up(kind):
    """Beta rewards are played as bits with their means."""
    bandit, policy = Beta([4, 1, 0.25]), kind(epsilon=1.0, noise="discrete")
    run = new_run(bandit.arms, Releases(stream(2, "round")), 3000)
    policy.play(run)
    bits = a_run(stream(2, "round"), bandit.arms.means.tolist(), [3000])
    policy.play(bits)
    assert run.pulls.tolist() == bits.pulls.tolist()


PROGRAM = """
import json
from dpbandits.audit import replay
from dpbandits.policies import DPIMED, DPKLUCB, AdaPKLUCB, AdaPUCB, AdaPUCBAsDrawn

for kind in (AdaPUCB, AdaPKLUCB, DPKLUCB, DPIMED, AdaPUCBAsDrawn):
    print(json.dumps(replay.row(kind(epsilon=1.0, noise="discrete"))))
"""


def test_replays_are_as_booked():
    """AdaP-UCB as drawn uses its first rewards without noise."""
    *rows, without_noise = map(json.loads, uncompiled(PROGRAM).splitlines())
    for row in rows:
        assert (row["finding"], row["booked"], row["attained"]) == ("as booked", 1, 1)
        assert row["bound"] == pytest.approx(row["spent"]) == 1.0
    assert without_noise["finding"].startswith("not private: ")

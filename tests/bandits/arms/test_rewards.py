"""The rewards of all kinds of arms: distributions, sums, fixed rewards, and the order of arms."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numba
import numpy as np
import pytest
from playing import for_twin
from scipy import stats

from dpbandits.bandits import Bernoulli, Beta, DrawnArms, UniformRewards
from dpbandits.bandits.rewards import Arms, fixed_arms
from dpbandits.bandits.run import new_run
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.parameters import Mean
from dpbandits.playable import check_bandit
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

BERNOULLI = Bernoulli([0.8, 0.5, 0.3])
BETA = Beta([4, 1, 0.25])
UNIFORM = UniformRewards([0.75, 0.5, 0.25], width=0.4)
BY_LABEL = DrawnArms(8, lowest=0.1, highest=0.9, draw=3, laws="by_label")


def by_label(x):
    """The rewards of the four kinds: a mean, two points, a fourth root, and 1 with the label."""
    kinds = [x, np.where(x < 0.5, 1.0, 0.4), x**0.25]
    labels = np.random.RandomState(3).uniform(0.1, 0.9, 8)
    assert {*(4 * labels).astype(int)} == {0, 1, 2, 3}
    return [kinds[int(4 * label)] if label < 0.75 else x < label for label in labels]


@kernel
def pulls(rng, arms, a, m):
    found = np.zeros(m)
    for k in range(m):
        found[k] = arms.reward(rng, a)
    return found


@pytest.mark.parametrize(  # the reward of each arm from one uniform number x
    ("bandit", "draws"),
    [
        (BERNOULLI, lambda x: [x < 0.8, x < 0.5, x < 0.3]),
        (BETA, lambda x: [x**0.25, x, x**4]),
        (UNIFORM, lambda x: [0.55 + 0.4 * x, 0.3 + 0.4 * x, 0.05 + 0.4 * x]),
        (BY_LABEL, by_label),
    ],
)
def test_a_reward_comes_from_one_uniform_number_and_sums_have_the_law_of_added_rewards(
    bandit, draws
):
    """A sum of rewards with two values is one binomial number. Others are added one by one."""
    arms, x, rng = bandit.arms, for_twin(stream(3)).random(40_000), stream(3)
    means = [np.mean(rewards) for rewards in draws((np.arange(100_000) + 0.5) / 100_000)]
    assert arms.means == pytest.approx(means, abs=1e-5)
    for a, wanted in enumerate(draws(x)):
        np.testing.assert_allclose(pulls(stream(3), arms, a, 40_000), wanted, rtol=1e-14)
        one_by_one, rng = wanted.reshape(-1, 20).sum(axis=1), stream(3)
        sums = np.array([arms.rewards(rng, a, 20) for _ in one_by_one])
        if len({*one_by_one.round(9)}) > 25:
            np.testing.assert_allclose(sums, one_by_one, rtol=1e-12)
        else:
            assert stats.ks_2samp(sums.round(9), one_by_one.round(9)).pvalue > 1e-4


# Fixed rewards.


def test_fixed_arms_pay_what_the_table_says_whatever_is_drawn():
    """One by one and in sums, user after user. Users beyond the table get nothing."""
    rng = np.random.default_rng(5)
    table = rng.integers(0, 2, (60, 3)).astype(float)
    arms, user, unused = fixed_arms(table), 0, stream(7)
    while user < 70:
        a, m = int(rng.integers(3)), int(rng.integers(0, 9))
        assert arms.rewards(unused, a, m) == table[user : user + m, a].sum()
        assert arms.reward(unused, a) == table[user + m : user + m + 1, a].sum()
        user += m + 1
        assert arms.user[0] == user
    assert np.array_equal(unused.words, stream(7).words)


def test_all_arms_of_ours_are_of_one_type():
    """So a policy is compiled once, and audits of fixed rewards play the kernels of all runs."""
    shuffled = [replace(bandit, shuffled=True) for bandit in (BERNOULLI, BETA)]
    games = [bandit.draw_game(stream(8), 2) for bandit in (*shuffled, BETA, UNIFORM, BY_LABEL)]
    games += [Arms(np.ones(2)), fixed_arms(np.eye(2))]
    assert len({numba.typeof(new_run(arms, Releases(stream(8)), 2)) for arms in games}) == 1


# The order of arms.


def test_every_order_of_the_arms_is_equally_likely():
    shuffled = replace(BERNOULLI, shuffled=True)
    counts = Counter(tuple(shuffled.draw_game(stream(32, run), 10).means) for run in range(3000))
    assert len(counts) == math.factorial(3)
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


class Halves(ArmsBandit):
    """Arms of a user's own, whose rewards are not Arms: 1/2 or 0."""

    chances: Sequence[Mean]

    def constants(self):
        return {"means": [chance / 2 for chance in self.chances], "chances": self.chances}

    def reward(self, rng, a):
        return 0.5 if rng.random() < self.chances[a] else 0.0


def paid(arms, rng, a):
    """Single rewards, and a sum."""
    return [*(arms.reward(rng, a) for _ in range(20)), arms.rewards(rng, a, 200)]


@pytest.mark.parametrize("bandit", [BERNOULLI, BETA, Halves([0.9, 0.6, 0.2])])
def test_an_arm_pays_as_the_one_that_it_is_in_the_order_of_the_parameters(bandit):
    """And the regret of a run is that of its own order."""
    shuffled, t = replace(bandit, shuffled=True), np.array([1, 10])
    check_bandit(shuffled)
    for run in range(20):
        arms = shuffled.draw_game(stream(3, run), 10)
        order = [bandit.arms.means.tolist().index(mean) for mean in arms.means]
        for a, of_bandit in enumerate(order):
            assert paid(arms, stream(4), a) == paid(bandit.arms, stream(4), of_bandit)
        played = shuffled.begin(arms, stream(5, run), 10, t)
        played.play(order.index(0), 10)
        assert shuffled.curves(played, t)["regret"].tolist() == [0, 0]


# Refusals.


def test_an_option_is_named():
    with pytest.raises(TypeError, match="positional"):
        Beta([4, 1], True)


@pytest.mark.parametrize(
    ("bandit", "parameters", "message"),
    [
        (Beta, {"shapes": [1, 1]}, "means: [0.5, 0.5] are all equal"),
        (Beta, {"shapes": [3, 1]}, "shapes: 3 should be a power of two; write 4"),
        (Beta, {"shapes": [0, 1]}, "shapes[0]: 0 should be a number"),
        (Beta, {"shapes": [1]}, "means: [0.5] is a single arm; give at least two"),
        (UniformRewards, {"means": [0.9, 0.5], "width": 0.4},
         "means: 0.9 with a width of 0.4 pays rewards outside of [0, 1]; write a smaller width"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(bandit, parameters, message):
    """tests/studies/refusals.yaml has those that files of ours could have."""
    with pytest.raises(InputError) as error:
        check_bandit(bandit(**parameters))
    assert message in str(error.value)


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    """Most policies divide by the pulls of every arm, or take a logarithm of them."""
    BERNOULLI.check(3)
    message = r"horizon 2 is too short: each of 3 arms .* write at least 3"
    with pytest.raises(InputError, match=message):
        BERNOULLI.check(2)

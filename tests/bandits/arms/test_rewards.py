"""The rewards of all kinds of arms: distributions, sums, fixed rewards, and the order of arms."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numba
import numpy as np
import pytest
from playing import for_twin
from scipy import stats

from dpbandits.bandits import Bernoulli, Beta, UniformRewards, make
from dpbandits.bandits.rewards import Arms, fixed_arms
from dpbandits.bandits.run import new_run
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.parameters import Mean
from dpbandits.playable import check_bandit
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

BERNOULLI = {"kind": "bernoulli", "means": [0.8, 0.5, 0.3]}
BETA = {"kind": "beta", "shapes": [4, 1, 0.25]}
UNIFORM = {"kind": "uniform_rewards", "means": [0.75, 0.5, 0.25], "width": 0.4}
BY_LABEL = {"kind": "drawn_arms", "number_of_arms": 8, "lowest": 0.1, "highest": 0.9, "draw": 3,
            "laws": "by_label"}  # fmt: skip
LABELS = np.random.RandomState(3).uniform(0.1, 0.9, 8)


def by_label(x):
    """The rewards of the four kinds: a mean, two points, a fourth root, and 1 with the label."""
    kinds = [x, np.where(x < 0.5, 1.0, 0.4), x**0.25]
    return [kinds[int(4 * label)] if label < 0.75 else x < label for label in LABELS]


KINDS = [  # and the reward of each arm from one uniform number x
    (BERNOULLI, lambda x: [x < mean for mean in BERNOULLI["means"]]),
    (BETA, lambda x: [x**0.25, x, x**4]),
    (UNIFORM, lambda x: [mean - 0.2 + 0.4 * x for mean in UNIFORM["means"]]),
    (BY_LABEL, by_label),
]


@kernel
def pulls(rng, arms, a, m):
    found = np.zeros(m)
    for k in range(m):
        found[k] = arms.reward(rng, a)
    return found


@kernel
def sums_of_pulls(rng, arms, a, m, number):
    found = np.zeros(number)
    for k in range(number):
        found[k] = arms.rewards(rng, a, m)
    return found


@pytest.mark.parametrize(("environment", "draws"), KINDS, ids=lambda of: str(of)[:20])
def test_a_reward_comes_from_one_uniform_number_and_sums_have_the_law_of_added_rewards(
    environment, draws
):
    """A sum of rewards with two values is one binomial number. Others are added one by one."""
    arms, x = make(environment).arms, for_twin(stream(3)).random(40_000)
    means = [np.mean(rewards) for rewards in draws((np.arange(100_000) + 0.5) / 100_000)]
    assert arms.means == pytest.approx(means, abs=1e-5)
    assert environment is not BY_LABEL or set((4 * LABELS).astype(int)) == {0, 1, 2, 3}
    for a, wanted in enumerate(draws(x)):
        assert pulls(stream(3), arms, a, 40_000) == pytest.approx(wanted.astype(float), rel=1e-14)
        sums, one_by_one = (
            sums_of_pulls(stream(3), arms, a, 20, 2000),
            wanted.reshape(-1, 20).sum(1),
        )
        if len(set(one_by_one.round(9))) > 25:
            assert sums == pytest.approx(one_by_one, rel=1e-12)
        else:
            assert stats.ks_2samp(sums.round(9), one_by_one.round(9)).pvalue > 1e-4


def test_a_sum_of_bernoulli_rewards_is_the_streams_binomial_number():
    rng = stream(4)
    assert sums_of_pulls(stream(4), make(BERNOULLI).arms, 1, 1000, 50).tolist() == [
        rng.binomial(1000, 0.5) for _ in range(50)
    ]


# Fixed rewards.


def test_fixed_arms_pay_what_the_table_says_whatever_is_drawn():
    """One by one and in sums, user after user. Users beyond the table get nothing."""
    rng = np.random.default_rng(5)
    table = np.random.default_rng(6).integers(0, 2, (60, 3)).astype(float)
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
    bandits = [make({**given, "shuffled": True}) for given in (BERNOULLI, BETA, UNIFORM)]
    games = [bandit.draw_game(stream(8), 2) for bandit in (*bandits, make(BY_LABEL))]
    runs = [
        new_run(arms, Releases(stream(8)), 2)
        for arms in (*games, Arms(np.ones(2)), fixed_arms(np.eye(2)))
    ]
    assert len({numba.typeof(run) for run in runs}) == 1


# The order of arms.


def test_every_order_of_the_arms_is_equally_likely():
    environment, counts = make({**BERNOULLI, "shuffled": True}), {}
    for run in range(3000):
        arms = environment.draw_game(stream(32, run), 10)
        counts[tuple(arms.means)] = counts.get(tuple(arms.means), 0) + 1
    assert len(counts) == math.factorial(3)
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


class Halves(ArmsBandit):
    """Arms of a user's own, whose rewards are not Arms: 1/2 or 0."""

    chances: Sequence[Mean]

    def constants(self):
        return {"means": [chance / 2 for chance in self.chances], "chances": self.chances}

    def reward(self, rng, a):
        return 0.5 if rng.random() < self.chances[a] else 0.0


SHUFFLED = [
    Bernoulli([0.8, 0.5, 0.3], shuffled=True),
    Beta([4, 1, 0.25], shuffled=True),
    UniformRewards([0.75, 0.5, 0.25], 0.4, shuffled=True),
    Halves([0.9, 0.6, 0.2], shuffled=True),
]


@pytest.mark.parametrize("shuffled", SHUFFLED, ids=lambda bandit: type(bandit).__name__)
def test_an_arm_pays_as_the_one_that_it_is_in_the_order_of_the_parameters(shuffled):
    """And the regret of a run is that of its own order."""
    plain, t, orders = replace(shuffled, shuffled=False).arms, np.array([1, 10]), set()
    for run in range(20):
        arms = shuffled.draw_game(stream(3, run), 10)
        order = [plain.means.tolist().index(mean) for mean in arms.means]
        for a, of_plain in enumerate(order):
            wanted = pulls(stream(4, run), plain, of_plain, 200)
            assert np.array_equal(pulls(stream(4, run), arms, a, 200), wanted)
            wanted = plain.rewards(stream(4, run), of_plain, 200)
            assert arms.rewards(stream(4, run), a, 200) == wanted
        played = shuffled.begin(arms, stream(5, run), 10, t)
        played.play(order.index(0), 10)
        assert shuffled.curves(played, t)["regret"].tolist() == [0, 0]
        orders.add(tuple(order))
    assert len(orders) > 3
    check_bandit(shuffled)


def test_parameters_are_positional_or_named_but_an_option_is_named():
    assert Beta([4, 1]) == Beta(shapes=(4.0, 1.0)) != Beta([4, 1], shuffled=True)
    with pytest.raises(TypeError, match="positional"):
        Beta([4, 1], True)


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"kind": "beta", "shapes": [1, 1]}, "means: [0.5, 0.5] are all equal"),
        ({"kind": "beta", "shapes": [3, 1]}, "shapes: 3 should be a power of two; write 4"),
        ({"kind": "beta", "shapes": [0, 1]}, "shapes[0]: 0 should be a number"),
        ({"kind": "beta", "shapes": [1]}, "means: [0.5] is a single arm; give at least two"),
        ({"kind": "uniform_rewards", "means": [0.9, 0.5], "width": 0.4},
         "means: 0.9 with a width of 0.4 pays rewards outside of [0, 1]; write a smaller width"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(environment, message):
    """tests/studies/refusals.yaml has those that files of ours could have."""
    with pytest.raises(InputError) as error:
        check_bandit(make(environment))
    assert message in str(error.value)


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    """Most policies divide by the pulls of every arm, or take a logarithm of them."""
    five = make({"kind": "bernoulli", "means": [0.1, 0.2, 0.3, 0.4, 0.5]})
    five.check(5)
    message = r"horizon 4 is too short: each of 5 arms .* write at least 5"
    with pytest.raises(InputError, match=message):
        five.check(4)

"""shuffled_beta and shuffled_uniform: the laws of their rewards and of sums, the order of arms, and mistakes."""

import numpy as np
import pytest
from scipy import stats

from dpbandits.algorithms.arms._table_of_gains import table_of_gains
from dpbandits.environments import make
from dpbandits.environments.arms import pull, pull_many
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.errors import InputError
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.streams import stream
from dpbandits.studies.playable import environment_of

BETA = {"kind": "shuffled_beta", "shapes": [4, 1, 0.25]}
UNIFORM = {"kind": "shuffled_uniform", "means": [0.75, 0.5, 0.25], "width": 0.4}
LAWS = {
    "shuffled_beta": [stats.beta(4, 1), stats.uniform(), stats.beta(0.25, 1)],
    "shuffled_uniform": [stats.uniform(mean - 0.2, 0.4) for mean in UNIFORM["means"]],
}


@kernel
def pulls(rng, arms, a, m):
    found = np.zeros(m)
    for k in range(m):
        found[k] = pull(rng, arms, a)
    return found


@kernel
def sum_of_pulls(rng, arms, a, m):
    return pull_many(rng, arms, a, m)


@pytest.mark.parametrize("environment", [BETA, UNIFORM], ids=lambda given: given["kind"])
def test_rewards_and_sums_have_their_laws(environment):
    arms = make(environment).arms
    for a, law in enumerate(LAWS[environment["kind"]]):
        assert arms.means[a] == pytest.approx(law.mean())
        assert stats.kstest(pulls(stream(1, a), arms, a, 4000), law.cdf).pvalue > 0.001
        total, one_by_one = sum_of_pulls(stream(2, a), arms, a, 500), pulls(stream(2, a), arms, a, 500).sum()
        assert total == pytest.approx(one_by_one, rel=1e-12)


@pytest.mark.parametrize("environment", [BETA, UNIFORM], ids=lambda given: given["kind"])
def test_a_run_has_the_arms_in_an_order_of_its_own_and_counts_their_gaps(environment):
    made, t = make(environment), np.array([1, 10])
    orders = set()
    for run in range(20):
        arms, journal = made.begin(stream(3, run), 10, t)
        assert np.array_equal(journal.gaps, arms.means.max() - arms.means)
        best = int(arms.means.argmax())
        law = LAWS[environment["kind"]][0]
        assert stats.kstest(pulls(stream(4, run), arms, best, 300), law.cdf).pvalue > 1e-4
        orders.add(tuple(arms.means))
    assert len(orders) > 3


def test_a_table_of_gains_rounds_at_random_and_keeps_the_means():
    arms = make(UNIFORM).arms
    gains = table_of_gains(stream(5), arms, 20_000)
    assert set(np.unique(gains)) == {0, 1}
    assert gains.mean(axis=0) == pytest.approx(arms.means, abs=4 * 0.5 / np.sqrt(20_000))
    binary = bernoulli(means=[0.75, 0.25]).arms  # no number is drawn for what is 0 or 1 already
    twin = stream(6)
    expected = [[float(twin.random() < mean) for mean in binary.means] for _ in range(50)]
    assert table_of_gains(stream(6), binary, 50).tolist() == expected


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"kind": "shuffled_beta", "shapes": [3, 1]}, "shapes: 3 is no power of two, for which a reward is drawn by roots; write 4"),
        ({"kind": "shuffled_beta", "shapes": [0, 1]}, "shapes[0]: 0 should be a number"),
        ({"kind": "shuffled_beta", "shapes": [1]}, "a single arm is no bandit"),
        ({"kind": "shuffled_uniform", "means": [0.9, 0.5], "width": 0.4},
         "means: 0.9 with a width of 0.4 pays rewards outside of [0, 1]; write a smaller width"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(environment, message):
    with pytest.raises(InputError) as error:
        environment_of(environment)
    assert message in str(error.value)

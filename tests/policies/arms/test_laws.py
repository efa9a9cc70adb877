"""What kernels draw together has the law of what twins draw one by one.

Sums of rewards are binomial numbers, and the short cut of posterior sampling draws few thetas.
"""

import numpy as np
import pytest
from plain.twins import TWIN_OF
from playing import AZIZE2022, FIFTY, FIVE, THREE, final_regret, for_twin
from scipy import stats

from dpbandits.drivers import posterior
from dpbandits.random import stream


def are_alike(ours, theirs):
    """Whether final regrets have one law, by a test at 1e-4."""
    ours, theirs = np.round(ours, 6), np.round(theirs, 6)
    assert len(set(ours)) > 2
    return stats.ks_2samp(ours, theirs).pvalue > 1e-4


@pytest.mark.parametrize(
    ("name", "horizon", "chosen"),
    [
        ("adap_ucb", 4000, {"epsilon": 1.0}),
        ("dp_ucb_int", 600, {"epsilon": 2.0}),
        ("explore_then_commit", 400, {"epsilon": 0.1}),
        ("gdp_ncb", 2000, {"epsilon": 1.0, "private_mean": "at_end"}),
        ("private_thompson", 300, {"epsilon": 20.0}),
        ("private_thompson_gap", 400, {"epsilon": 30_000.0}),
    ],
    ids=lambda value: f"{value}:",
)
def test_sums_of_rewards_leave_the_distribution_of_the_regret(name, horizon, chosen):
    """The twin draws every reward and every theta."""
    # Arms that a twin pulls reward by reward.
    arms = [lambda rng, mean=mean: float(rng.random() < mean) for mean in THREE]
    gaps = THREE[0] - np.array(THREE)
    ours = [
        final_regret(name, stream(2, name, run), THREE, horizon, **chosen) for run in range(2000)
    ]
    twin = [
        gaps[TWIN_OF[name](for_twin(stream(3, name, run)), arms, horizon, **chosen)].sum()
        for run in range(200)
    ]
    assert are_alike(ours, twin)


@pytest.mark.parametrize(
    ("name", "means", "horizon", "chosen"),
    [
        ("thompson", THREE, 150, {}),
        ("thompson", [0.7, 0.5, 0.5], 2000, {}),
        ("thompson", FIFTY, 500, {}),
        ("private_thompson", FIVE, 500, {"epsilon": 30.0, "explore_c": 0.0}),
        ("ts_cf", THREE, 500, {"epsilon": 1.0}),
        ("dp_ts", AZIZE2022["C2"], 500, {"epsilon": 30.0}),
        ("dp_ts", THREE, 2000, {"epsilon": 1.0}),
        ("dp_ts", THREE, 2000, {"epsilon": 5.0, "invoke": "each_pull"}),
        ("lazy_dp_ts", AZIZE2022["C2"], 500, {"epsilon": 1.0}),
        ("lazy_dp_ts", THREE, 500, {"epsilon": 30.0, "log": "ln", "first_pulls": False}),
    ],
    ids=lambda value: f"{value}:",
)
def test_the_short_cut_of_posterior_sampling_leaves_the_distribution_of_the_regret(
    name, means, horizon, chosen, monkeypatch
):
    """With candidates and without."""
    regrets = []
    for share in (posterior.CANDIDATES, 0.0):
        monkeypatch.setattr(posterior, "CANDIDATES", share)
        streams = (stream(9, name, share, run) for run in range(1000))
        regrets.append([final_regret(name, rng, means, horizon, **chosen) for rng in streams])
    assert are_alike(*regrets)

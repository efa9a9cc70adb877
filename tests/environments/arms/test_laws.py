"""The laws of rewards, one by one and in sums."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.environments.arms import _laws
from dpbandits.kernels.streams import stream


@pytest.mark.parametrize(
    ("law", "mean", "cdf"),
    [
        (_laws.BERNOULLI, 0.9, None),
        (_laws.BETA, 0.8, stats.beta(4, 1).cdf),
        (_laws.TWO_POINT, 0.7, None),
        (_laws.UNIFORM, 0.5, stats.uniform.cdf),
    ],
)
def test_rewards_follow_their_laws_one_by_one_and_in_sums(law, mean, cdf):
    rng, n = stream(1, "laws", law), 20_000
    drawn = np.array([_laws.draw(rng, law, mean) for _ in range(n)])
    assert drawn.mean() == pytest.approx(mean, abs=4 * drawn.std() / math.sqrt(n))
    assert _laws.MEANS.get(law, mean) == mean
    if cdf is not None:
        assert stats.kstest(drawn, cdf).pvalue > 1e-4
    else:
        assert set(drawn) == ({0.0, 1.0} if law == _laws.BERNOULLI else {0.4, 1.0})
    sums = [_laws.draw_sum(rng, law, mean, 20) for _ in range(2000)]
    one_by_one = drawn.reshape(-1, 20).sum(axis=1)
    assert stats.ks_2samp(np.round(sums, 9), np.round(one_by_one, 9)).pvalue > 1e-4

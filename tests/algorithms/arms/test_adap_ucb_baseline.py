"""adap_ucb_baseline: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import sarkar2025
from playing import actions
from scipy import stats

from dpbandits import algorithms, parameters
from dpbandits.algorithms.arms import adap_ucb_baseline
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.errors import InputError
from dpbandits.randomness import stream

FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


LABELS = drawn_arms(**FIFTY).labels.tolist()


THREE = [0.8, 0.5, 0.3]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("adap_ucb_baseline", {"epsilon": 0.2}),
        ("adap_ucb_baseline", {"epsilon": 1.0, "variant": "as_drawn"}),
    ],
    ids=str,
)
@pytest.mark.parametrize("means", [THREE, LABELS], ids=["three arms", "fifty arms"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    """Leads, windows and indices at rest are short cuts that change no action."""
    horizon = 20_000 if len(means) == 3 else 6000
    for run in range(2):
        ours = actions(name, stream(12, name, run), means, horizon, **given)
        assert ours == list(getattr(sarkar2025, name)(stream(12, name, run), means, horizon, **given))


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("adap_ucb_baseline", {"epsilon": 0.2}),
        ("adap_ucb_baseline", {"epsilon": 1.0, "variant": "as_drawn"}),
    ],
    ids=str,
)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(12, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(sarkar2025, name)(stream(12, "short", name, run), THREE, 60, **given))


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("adap_ucb_baseline", {"epsilon": 0.2}),
        ("adap_ucb_baseline", {"epsilon": 1.0, "variant": "as_drawn"}),
    ],
    ids=str,
)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(name, given):
    """Binomial sums against single rewards: regret at three rounds and pull counts, independent generators, KS.

    2000 runs of ours, 400 of the slow twin: two laws whose distribution functions are 0.2 apart somewhere are distinguished with
    a probability of 0.99 at this level. (The critical distance is 0.135, and the standard error of one is 0.027 at most.)
    """
    horizon, at = 2000, [300, 900, 1999]
    gaps = np.array(THREE[0]) - np.array(THREE)

    def seen(chosen):
        return [*gaps[chosen].cumsum()[at], *np.bincount(chosen, minlength=3)]

    ours = np.array([seen(actions(name, stream(13, name, run), THREE, horizon, **given)) for run in range(2000)])
    twin = np.array([
        seen(getattr(sarkar2025, name)(stream(14, name, run), THREE, horizon, one_by_one=True, **given)) for run in range(400)
    ])  # fmt: skip
    for k in range(6):
        assert stats.ks_2samp(np.round(ours[:, k], 6), np.round(twin[:, k], 6), method="asymp").pvalue > 1e-5


@pytest.mark.parametrize(
    ("name", "given", "part"), [("adap_ucb_baseline", {"epsilon": 1, "variant": "eq8"}, "did you mean 'eq7'")], ids=str
)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_p4_first_rewards_without_noise_are_not_private():
    assert adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2).kept
    published = adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2, variant="as_drawn")
    assert published.spent == math.inf
    assert not published.kept

"""ucb: by hand, beside its plain twin, and what it promises and spends."""

import pytest
from plain import tossou2016
from playing import actions
from twins import TEN, TWO, same_actions, same_law

from dpbandits.kernels.streams import stream


def test_ucb_by_hand():
    """Means 1 and 0 make the rewards certain: s = n on arm 0, s = 0 on arm 1."""
    # Round 3: arm 0 has 1 + sqrt(2 ln 3) = 2.48, arm 1 has sqrt(2 ln 3) = 1.48. Arm 1 next wins in the first round t
    # with sqrt(2 ln t) > 1 + sqrt(2 ln t / (t - 2)): sqrt(2 ln 9) = 2.0963 > 1 + 2.0963 / sqrt(7) = 1.7923, while at
    # t = 4: 1.6651 < 2.1774; t = 5: 1.7941 < 2.0358; t = 6: 1.8930 < 1.9465; t = 7: 1.9728 > 1.8823.
    chosen = actions("ucb", stream(0, "hand"), [1.0, 0.0], 8)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("means", [TWO, TEN], ids=["two arms", "ten arms"])
@pytest.mark.parametrize(("name", "parameters"), [("ucb", {})], ids=str)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, means):
    same_actions(tossou2016, 1, name, means, 3000, 4, **parameters)


def test_ucb_follows_its_twin_over_long_leads():
    """50,000 rounds, in which the leader is often alone for a whole window."""
    assert actions("ucb", stream(3), TWO, 50_000) == tossou2016.ucb(stream(3), TWO, 50_000)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("ucb", {})],
)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    same_law(tossou2016, (4, "ours"), (4, "twin"), name, 600, parameters, parameters)

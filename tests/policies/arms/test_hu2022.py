"""The policies of Hu & Hegde (2022), by hand and against their drawn curves."""

import numpy as np
import pytest
from playing import AZIZE2022, actions_of, play

from dpbandits.bandits.rewards import Arms
from dpbandits.bandits.run import new_run
from dpbandits.policies import AnytimeLazyUCB
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream


def test_anytime_lazy_ucb_by_hand():
    """Without noise, on arms that pay 1 and 0.

    Both have an epoch of two first. In round 5, L = 3 log2 5 = 6.97 and both bonuses are equal, so
    that arm 0 plays its epoch of four. In round 9, L = 9.51: arm 1 has sqrt(L/2) + L/2 = 6.94, and
    arm 0 has 1 + sqrt(L/4) + L/4 = 4.92. In round 13 they are equal again. In round 21, L = 13.18:
    arm 1 has sqrt(L/4) + L/4 = 5.11, and arm 0 has 1 + sqrt(L/8) + L/8 = 3.93.
    """
    releases = Releases(stream(1), noise=0.0)
    run = new_run(Arms(np.array([1.0, 0.0])), releases, 28, np.arange(1, 29))
    AnytimeLazyUCB(epsilon=1.0).play(run)
    assert actions_of(run) == [0, 1, 0, 1] + [0] * 4 + [1] * 4 + [0] * 8 + [1] * 8


# Of the columns of pixels in a figure, those at whose end DP-TS's regret is as before: hu2022,
# 1TS.eps and 0.5TS.eps of hu22a-supp.zip (mlresearch/v180, commit c42d250), 1,292 columns each.
DRAWN = {1.0: 0.5755, 0.5: 0.5507}


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", DRAWN)
def test_the_drawn_regret_rests_as_often_as_with_fresh_noise(epsilon):
    """Figures 7 and 8: within 3 deviations of a run. With nodes that keep their noise, not."""
    arms, horizon, columns = AZIZE2022["C2"], 10**6, 1292
    ends, gaps, away = np.arange(1, columns + 1) * horizon // columns, 0.75 - np.array(arms), {}
    for invoke in ("each_pull", "each_epoch"):
        shares = []
        for run in range(12):
            rng = stream(1, "columns", invoke, run)
            played = play("dp_ts", rng, arms, horizon, ends, epsilon=epsilon, invoke=invoke)
            shares.append(np.mean(np.diff(played.counts @ gaps) == 0))
        away[invoke] = abs(DRAWN[epsilon] - np.mean(shares)) / np.std(shares, ddof=1)
    assert away["each_pull"] < 3 < away["each_epoch"]

"""What is asserted of many algorithms, as tables: hand-computed games, the same actions and the same law as a plain
twin, refused parameters, and what the ledger books. What is special to an algorithm is in its own module of tests.

A twin (tests/plain) takes the same actions from the same generator, and has the same law from another.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from plain import (
    azize2022,
    azize2024,
    azize2025,
    chowdhury2023,
    gajane2018,
    mishra2015,
    sarkar2025,
    tossou2016,
    tossou2017,
)
from playing import FIVE, actions, played, regrets
from scipy import stats
from twins import C2, FIFTY, TEN, THREE, TWO, for_twin, same_law, twin_of

from dpbandits import algorithms, parameters
from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.environments.games._game import ARM
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.environments.games.switching_costs import switching_costs
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream

FOUR = [0.2, 0.9, 0.35, 0.6]


class Twins(NamedTuple):
    """Algorithms and their settings, beside their twins, with the games that are compared: (means, horizon)."""

    module: Any
    seed: int
    games: list[tuple[list[float], int]]
    runs: int
    settings: dict[str, list[dict]]


TABLE = [
    Twins(tossou2016, 1, [(TWO, 3000), (TEN, 3000)], 4, {
        "ucb": [{}],
        "private_ucb": [
            {"epsilon": 1.0},
            {"epsilon": 20.0, "failure_prob": "T^-4"},
            {"epsilon": 20.0, "relaxation": False, "budget": "parallel"},
        ],
        "dp_ucb": [
            {"epsilon": 1.0},
            {"epsilon": 0.1, "hybrid_split": "full_log2"},
            {"epsilon": 5.0, "hybrid_split": "literal_natlog"},
        ],
        "dp_ucb_bound": [
            {"epsilon": 1.0},
            {"epsilon": 0.1, "hybrid_split": "full_log2"},
            {"epsilon": 5.0, "hybrid_split": "literal_natlog", "power_of_two_rule": False},
        ],
    }),
    Twins(azize2022, 9, [(THREE, 60_000), (C2, 60_000)], 4, {
        "adap_ucb": [
            {"epsilon": 1.0, "alpha": 3.1},
            {"epsilon": 0.1, "alpha": 1.0, "init_h": "half"},
            {"epsilon": 5.0, "alpha": 0.3, "init_noise": False},
        ],
        "adap_klucb": [
            {"epsilon": 1.0, "alpha": 3.1},
            {"epsilon": 5.0, "alpha": 2.4, "kl_bonus": "one", "eps_cap": 1.0},
            {"epsilon": 0.25, "alpha": 1.0, "kl_budget": "alpha/2", "init_h": "half", "init_noise": False},
        ],
        "klucb_keeping_all": [{"epsilon": 2.0, "alpha": 2.0}],
        "dp_se": [{"epsilon": 1.0}, {"epsilon": 0.1, "elimination": "skip_next"}, {"epsilon": 3.0}],
    }),
    Twins(azize2022, 9, [(THREE, 3000), (C2, 3000)], 4, {"kl_ucb": [{"alpha": 1.0}, {"alpha": 3.1}]}),
    Twins(azize2025, 41, [(THREE, 60_000), (C2, 60_000)], 4, {
        "dp_klucb": [{"epsilon": 0.1}, {"epsilon": 1.0, "growth": 1.2}, {"epsilon": 8.0, "growth": 4.0}],
        "dp_imed": [{"epsilon": 0.1}, {"epsilon": 1.0, "growth": 1.2}, {"epsilon": 8.0, "growth": 4.0}],
    }),
    Twins(azize2025, 42, [(THREE, 4000), (C2, 4000)], 2, {"imed": [{}]}),
    Twins(azize2024, 43, [(THREE, 60_000), (C2, 60_000)], 4, {
        "adac_ucb": [{"epsilon": 0.1}, {"epsilon": 1.0, "delta": 1e-5, "beta": 3.1}],
    }),
    Twins(gajane2018, 44, [(THREE, 1500), (C2, 1500)], 2, {
        "rr_kl_ucb": [{"epsilon": 0.2}, {"epsilon": 1.0, "c": 0.0}, {"epsilon": 5.0}],
    }),
    Twins(chowdhury2023, 45, [(THREE, 60_000), (C2, 60_000)], 4, {
        "dist_dp_se": [{"epsilon": 0.1}, {"epsilon": 1.0, "failure_prob": 1e-4}, {"epsilon": 5.0, "base": 2}],
    }),
    Twins(sarkar2025, 12, [(THREE, 20_000), (FIFTY, 6000)], 2, {
        "ncb": [{}, {"theta": 5.0, "c": 1.0}, {"planned": 10.0}],
        "gdp_ncb": [
            {"epsilon": 0.2},
            {"epsilon": 2.0, "noise_log": "ln", "beta": "2c", "index_log": "horizon", "cap": "none", "multiplier": 1.0},
            {"epsilon": 1.0, "private_mean": "at_end"},
            {"epsilon": 2.0, "cap": "none", "multiplier": 0.5, "private_mean": "in_test"},
        ],
        "ldp_ncb": [
            {"epsilon": 0.2},
            {"epsilon": 2.0, "phase1_noise": "misplaced", "index_log": "horizon"},
            {"epsilon": 5.0, "cap": "none", "multiplier": 1.0},
            {"epsilon": 1.0, "leading_log": "cap"},
        ],
        "anytime_gdp_ncb": [{"epsilon": 2.0}],
        "anytime_ldp_ncb": [{"epsilon": 2.0}],
        "ldp_ucb": [{"epsilon": 0.2}, {"epsilon": 2.0}],
        "ldp_ucb_clipped": [{"epsilon": 0.2}],
        "adap_ucb_baseline": [{"epsilon": 0.2}, {"epsilon": 1.0, "variant": "as_drawn"}],
    }),
    Twins(mishra2015, 34, [(THREE, 3000), (FOUR, 3000)], 6, {
        "ucb_tuned": [{}],
        "private_ucb_tuned": [
            {"epsilon": 3.0},
            {"epsilon": 30.0, "relax_c": 6.0},
            {"epsilon": 1.0, "budget": "parallel", "relax_c": 0.5},
            {"epsilon": 10.0, "ucb_clip": "root"},
        ],
        "private_ucb_clipped": [
            {"epsilon": 3.0},
            {"epsilon": 30.0, "relax_c": 6.0},
            {"epsilon": 1.0, "budget": "parallel", "relax_c": 0.5},
        ],
    }),
    Twins(mishra2015, 35, [(THREE, 5000), (FOUR, 5000)], 3, {
        "thompson": [{}],
        "private_thompson": [
            {"epsilon": 10.0, "explore_c": 0.0},
            {"epsilon": 20.0},
            {"epsilon": 0.1},
            {"epsilon": 5.0, "budget": "parallel", "ts_budget": "full", "explore_c": 2.0},
            {"epsilon": 5.0, "explore_c": 1.0},
        ],
        "private_thompson_gap": [{"epsilon": 3000.0}, {"epsilon": 1.0}],
    }),
]  # fmt: skip
ROWS = [(row, name, given) for row in TABLE for name, settings in row.settings.items() for given in settings]


def table(*argnames, rows):
    """A test for each row; its id begins with the algorithm, so that tests/mutants.py finds its tests."""
    ids = [":".join([*(str(value) for value in row if isinstance(value, (str, dict))), ""]) for row in rows]
    return pytest.mark.parametrize(argnames, rows, ids=ids)


def without_short_cut(name, monkeypatch):
    """Let an algorithm draw every theta of Thompson sampling, as its twin does."""
    if hasattr(algorithms.find(name), "CANDIDATES"):
        monkeypatch.setattr(algorithms.find(name), "CANDIDATES", 0.0)


@table("row", "name", "given", rows=ROWS)
def test_kernel_takes_the_same_actions_as_its_twin(row, name, given, monkeypatch):
    """Leads, windows and indices at rest are short cuts that change no action."""
    without_short_cut(name, monkeypatch)
    for means, horizon in row.games:
        for run in range(row.runs):
            ours = actions(name, stream(row.seed, name, run), means, horizon, **given)
            assert ours == twin_of(row.module, name, stream(row.seed, name, run), means, horizon, **given)


NEWER = (azize2022, azize2024, azize2025, chowdhury2023, gajane2018, sarkar2025)


@table("row", "name", "given", rows=[row for row in ROWS if row[0].module in NEWER])
def test_many_short_games_take_the_same_actions_as_their_twins(row, name, given):
    """A hundred games of 60 rounds: there the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(row.seed, "short", name, run), THREE, 60, **given)
        assert ours == twin_of(row.module, name, stream(row.seed, "short", name, run), THREE, 60, **given)


ONE_BY_ONE = {"one_by_one": True}  # the twin draws every reward of an episode on its own


@table("name", "given", "horizon", "twins", "streams", "given_to_twin", rows=[
    ("ucb", {}, 600, tossou2016, ((4, "ours"), (4, "twin")), {}),
    ("private_ucb", {"epsilon": 50.0, "relaxation": False}, 600, tossou2016, ((4, "ours"), (4, "twin")), {}),
    ("dp_ucb", {"epsilon": 1.0}, 600, tossou2016, ((4, "ours"), (4, "twin")), {}),
    ("dp_ucb_bound", {"epsilon": 1.0}, 600, tossou2016, ((4, "ours"), (4, "twin")), {}),
    ("adap_ucb", {"epsilon": 1.0, "alpha": 3.1}, 4000, azize2022, ((10,), (11,)), ONE_BY_ONE),
    ("adap_klucb", {"epsilon": 1.0, "alpha": 3.1}, 4000, azize2022, ((10,), (11,)), ONE_BY_ONE),
    ("dp_se", {"epsilon": 3.0}, 8000, azize2022, ((10,), (11,)), ONE_BY_ONE),
    ("dp_klucb", {"epsilon": 0.5}, 4000, azize2025, ((10,), (11,)), ONE_BY_ONE),
    ("dp_imed", {"epsilon": 0.5}, 4000, azize2025, ((10,), (11,)), ONE_BY_ONE),
    ("imed", {}, 300, azize2025, ((10,), (11,)), {}),
    ("adac_ucb", {"epsilon": 2.0}, 4000, azize2024, ((10,), (11,)), ONE_BY_ONE),
    ("rr_kl_ucb", {"epsilon": 2.0}, 120, gajane2018, ((10,), (11,)), ONE_BY_ONE),
    ("dist_dp_se", {"epsilon": 1.0}, 1300, chowdhury2023, ((10,), (11,)), ONE_BY_ONE),
])  # fmt: skip
def test_law_of_the_final_regret_agrees_with_the_twin(name, given, horizon, twins, streams, given_to_twin):
    same_law(twins, *streams, name, horizon, given, {**given, **given_to_twin})


@table("row", "name", "given", rows=[row for row in ROWS if row[1] in ("gdp_ncb", "adap_ucb_baseline")])
def test_law_of_a_whole_run_agrees_with_the_twin(row, name, given):
    """Binomial sums against single rewards: regret at three rounds and pull counts, independent generators, KS.

    2000 runs of ours, 400 of the slow twin: two laws whose distribution functions are 0.2 apart somewhere are
    distinguished with a probability of 0.99 at this level. (The critical distance is 0.135, and the standard error of
    one is 0.027 at most.)
    """
    horizon, at = 2000, [300, 900, 1999]
    gaps = np.array(THREE[0]) - np.array(THREE)

    def seen(chosen):
        return [*gaps[chosen].cumsum()[at], *np.bincount(chosen, minlength=3)]

    ours = np.array([seen(actions(name, stream(13, name, run), THREE, horizon, **given)) for run in range(2000)])
    twin = np.array([
        seen(twin_of(row.module, name, stream(14, name, run), THREE, horizon, **given, **ONE_BY_ONE)) for run in range(400)
    ])  # fmt: skip
    for k in range(6):
        assert stats.ks_2samp(np.round(ours[:, k], 6), np.round(twin[:, k], 6), method="asymp").pvalue > 1e-5


@table("name", "given", "horizon", rows=[
    ("private_thompson", {"epsilon": 20.0, "explore_c": 6.0}, 1000),
    ("private_thompson", {"epsilon": 10.0, "explore_c": 0.0}, 1000),
    ("private_thompson_gap", {"epsilon": 10_000.0}, 1500),
])  # fmt: skip
def test_law_of_thompson_sampling_agrees_with_a_twin_that_pulls_one_by_one(name, given, horizon):
    """Binomial sums and the short cut, against single rewards."""
    gaps = 0.8 - np.array(THREE)
    ours = regrets(name, "law", 3000, horizon, THREE, (1,), **given)[:, 0]
    twin = [
        gaps[twin_of(mishra2015, name, stream(38, name, run), THREE, horizon, **given, **ONE_BY_ONE)].sum()
        for run in range(300)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-5
    assert len(set(np.round(ours, 6))) > 10


@table("name", "given", "means", rows=[
    ("thompson", {}, [0.7, 0.5, 0.5]),
    ("private_thompson", {"epsilon": 100.0, "explore_c": 6.0}, FIVE),
    ("private_thompson", {"epsilon": 30.0, "explore_c": 0.0}, FIVE),
    ("private_thompson", {"epsilon": 50.0, "explore_c": 1.0}, FIVE),
])  # fmt: skip
def test_the_short_cut_leaves_the_law_of_the_regret(name, given, means, monkeypatch):
    """The regret at three rounds of 2000 games, with the candidates of posterior sampling and without."""
    quick = regrets(name, "quick", 2000, 2000, means, (0.1, 0.3, 1), **given)
    without_short_cut(name, monkeypatch)
    slow = regrets(name, "slow", 2000, 2000, means, (0.1, 0.3, 1), **given)
    for k in range(3):
        assert stats.ks_2samp(np.round(quick[:, k], 6), np.round(slow[:, k], 6)).pvalue > 1e-5


@table("name", "given", rows=[
    ("ucb", {}),
    ("dp_ucb", {"epsilon": 1e9}),
    ("dp_ucb_bound", {"epsilon": 1e9}),
    ("private_ucb", {"epsilon": 1e9, "relaxation": False}),
])  # fmt: skip
def test_ucb_and_its_private_versions_without_noise_by_hand(name, given):
    """Means 1 and 0 make the rewards certain: s = n on arm 0, s = 0 on arm 1."""
    # Round 3: arm 0 has 1 + sqrt(2 ln 3) = 2.48, arm 1 has sqrt(2 ln 3) = 1.48. Arm 1 next wins in the first round t
    # with sqrt(2 ln t) > 1 + sqrt(2 ln t / (t - 2)): sqrt(2 ln 9) = 2.0963 > 1 + 2.0963 / sqrt(7) = 1.7923, while at
    # t = 4: 1.6651 < 2.1774; t = 5: 1.7941 < 2.0358; t = 6: 1.8930 < 1.9465; t = 7: 1.9728 > 1.8823.
    assert actions(name, stream(0, "hand"), [1.0, 0.0], 8, **given) == [0, 1, 0, 0, 0, 0, 1, 0]


@table("name", "mean", rows=[("thompson", 18.6), ("ucb_tuned", 87.4)])
def test_means_without_privacy(name, mean):
    final = regrets(name, "small", 400, 20_000)[:, 1]
    assert final.mean() == pytest.approx(mean, abs=4.5 * final.std() * math.sqrt(1 / 400 + 1 / 40))


@table("name", "given", "median", rows=[
    ("private_ucb_tuned", {"epsilon": 1.0}, 1197),
    ("private_ucb_tuned", {"epsilon": 5.0}, 189),
    ("private_ucb_tuned", {"epsilon": 1.0, "relax_c": 6.0}, 1447),
    ("private_ucb_tuned", {"epsilon": 5.0, "relax_c": 6.0}, 274),
    ("private_thompson", {"epsilon": 2.0, "explore_c": 0.0}, 667),
    ("private_thompson", {"epsilon": 10.0, "explore_c": 0.0}, 111),
])  # fmt: skip
def test_medians_of_the_small_table(name, given, median):
    """Of 40 runs the table's medians are off by a tenth or so."""
    assert np.median(regrets(name, "small", 400, 20_000, **given)[:, 1]) == pytest.approx(median, rel=0.2)


# Games against an adversary.


@pytest.mark.parametrize(
    ("penalty", "observed"), [("none", True), ("gain_zero", True), ("gain_zero", False), ("minus_one", False)]
)
@table("name", "given", rows=[
    ("exp3", {}),
    *(("exp3_tau", {"tau": tau}) for tau in (1, 7, 2048)),
    *(("dp_exp3_lap", {"epsilon": epsilon}) for epsilon in (243.292, 1.0, 0.1)),
])  # fmt: skip
def test_kernel_of_a_game_takes_the_same_actions_as_its_twin(name, given, penalty, observed):
    """The actions, and what the journal records of them."""
    T = 2048
    for run, environment in enumerate(
        [stochastic(number_of_arms=3, best=0.9, others=0.3), switching_costs(number_of_arms=2)]
    ):
        gains = environment.draw(stream(1, "game", run), T)
        journal = played(name, stream(1, name, run), gains, penalty, observed, **given)
        player = tossou2017.Player(gains.tolist(), penalty, observed)
        ignored = getattr(tossou2017, name)(for_twin(stream(1, name, run)), player, **given)
        assert journal.diary[ARM].tolist() == player.actions
        results = journal.results()
        assert np.allclose(results["gain"], np.cumsum(player.received), rtol=1e-12, atol=1e-9)
        assert np.allclose(results["comparator"], np.cumsum(gains, axis=0, dtype=float).max(axis=1), rtol=1e-12)
        assert np.array_equal(results["regret"], results["comparator"] - results["gain"])
        assert results["ignored"][-1] == ignored


@table("name", "given", rows=[("exp3", {}), ("exp3_tau", {"tau": 7}), ("dp_exp3_lap", {"epsilon": 1.0})])
def test_law_of_the_final_regret_of_a_game_agrees_with_the_twin(name, given):
    """The final regret on one table of gains: independent generators, many runs, Kolmogorov-Smirnov."""
    gains = stochastic(number_of_arms=3, best=0.8, others=0.3).draw(stream(2, "game"), 300)
    ours = [played(name, stream(2, "ours", run), gains, **given).results()["regret"][-1] for run in range(2000)]
    theirs = []
    for run in range(400):
        player = tossou2017.Player(gains.tolist())
        getattr(tossou2017, name)(stream(2, "twin", run), player, **given)
        theirs.append(gains.sum(axis=0).max() - sum(player.received))
    assert stats.ks_2samp(np.round(ours, 6), np.round(theirs, 6)).pvalue > 1e-3


@table("name", "given", "part", rows=[
    ("adap_ucb", {"epsilon": 0, "alpha": 3.1}, "epsilon: 0 should be a number above 0"),
    ("adap_ucb", {"epsilon": 1, "alpha": 0}, "alpha: 0 should be a number above 0"),
    ("adap_ucb", {"alpha": 3.1}, "'epsilon' is missing"),
    ("adap_klucb", {"epsilon": -1, "alpha": 3.1}, "epsilon: -1 should be a number above 0"),
    ("adap_klucb", {"epsilon": 1, "alpha": -3}, "alpha: -3 should be a number above 0"),
    ("adap_ucb_baseline", {"epsilon": 1, "variant": "eq8"}, "did you mean 'eq7'"),
    ("adac_ucb", {"epsilon": 1, "delta": 1.5}, "delta: 1.5 should be a number in (0, 1)"),
    ("adac_ucb", {"epsilon": 1, "beta": 0}, "beta: 0 should be a number above 0"),
    ("dp_klucb", {"epsilon": 1, "growth": 1}, "growth: 1 should be a number in (1, 16]"),
    ("dp_imed", {"epsilon": 1, "growth": 17}, "growth: 17 should be a number in (1, 16]"),
    ("rr_kl_ucb", {"epsilon": 1, "c": -1}, "c: -1 should be a number of at least 0"),
    ("dist_dp_se", {"epsilon": 1, "base": 1}, "base: 1 should be a whole number of at least 2"),
    ("dist_dp_se", {"epsilon": 1, "failure_prob": 0}, "failure_prob: 0 should be a number in (0, 1)"),
    ("anytime_gdp_ncb", {"epsilon": 0}, "epsilon: 0 should be a number above 0"),
    ("anytime_ldp_ncb", {"epsilon": 0}, "epsilon: 0 should be a number above 0"),
    ("dp_se", {"epsilon": 1, "elimination": "skip"}, "did you mean 'skip_next'"),
    ("gdp_ncb", {"epsilon": 0}, "epsilon: 0 should be a number above 0"),
    ("gdp_ncb", {"epsilon": 1, "alpha": 0}, "alpha: 0 should be a number above 0"),
    ("gdp_ncb", {"epsilon": 1, "cap": "sqrtT"}, "did you mean 'sqrt'"),
    ("gdp_ncb", {"epsilon": 1, "beta": 4}, "beta: 4 is not one of 2c, 4"),
    ("gdp_ncb", {"epsilon": 1, "private_mean": "end"}, "did you mean 'at_end'"),
    ("gdp_ncb", {}, "'epsilon' is missing"),
    ("ldp_ncb", {"epsilon": -2}, "epsilon: -2 should be a number above 0"),
    ("ldp_ncb", {"epsilon": 1, "c": -3}, "c: -3 should be a number above 0"),
    ("ldp_ncb", {"epsilon": 1, "phase1_noise": "centered"}, "did you mean 'centred'"),
    ("ldp_ucb", {"epsilon": "0.2"}, "epsilon: '0.2' should be a number"),
    ("ncb", {"c": 0}, "c: 0 should be a number above 0"),
    ("ncb", {"theta": -1}, "theta: -1 should be a number above 0"),
    ("private_thompson", {"epsilon": -2}, "epsilon: -2 should be a number above 0"),
    ("private_thompson", {"epsilon": 1, "explore_c": -0.5}, "explore_c: -0.5 should be a number of at least 0"),
    ("private_thompson", {"epsilon": 1, "ts_budget": "whole"}, "ts_budget: 'whole' is not one of half, full"),
    ("private_thompson_gap", {"epsilon": 0.0}, "epsilon: 0.0 should be a number above 0"),
    ("private_ucb", {"epsilon": 1, "failure_prob": 1.5}, "failure_prob: 1.5 should be a number in (0, 1)"),
    ("private_ucb", {"epsilon": 1, "failure_prob": "t-4"}, "failure_prob: 't-4' is not one of t^-4, T^-4"),
    ("private_ucb", {"epsilon": 1, "failure_prob": 1}, "failure_prob: 1 should be a number in (0, 1)"),
    ("private_ucb", {"epsilon": 1, "failure_prob": 0}, "failure_prob: 0 should be a number in (0, 1)"),
    ("private_ucb_tuned", {"epsilon": 0}, "epsilon: 0 should be a number above 0"),
    ("private_ucb_tuned", {"epsilon": 1, "relax_c": -1}, "relax_c: -1 should be a number of at least 0"),
    ("private_ucb_tuned", {"epsilon": 1, "ucb_clip": "units"}, "did you mean 'unit'"),
])  # fmt: skip
def test_wrong_parameters_are_refused(name, given, part):
    """In one line that says why."""
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


CHECKED = [name for name in algorithms.known() if getattr(algorithms.find(name), "check", None) is one_pull_of_each]


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    for name in CHECKED:
        with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
            algorithms.find(name).check(4, 5)
        algorithms.find(name).check(5, 5)
    assert set(CHECKED) >= {
        "adap_klucb", "adap_ucb", "dp_se", "explore_then_commit", "kl_ucb", "klucb_keeping_all", "private_ucb",
        "private_ucb_tuned", "ucb_tuned",
    }  # fmt: skip


# What the ledgers book.


@pytest.mark.parametrize("horizon", [2, 3, 7, 8, 1000, 1024, 100_003])
@table("name", "given", rows=[
    ("adap_ucb", {"alpha": 3.1}), ("adap_klucb", {"alpha": 3.1}), ("klucb_keeping_all", {"alpha": 3.1}), ("dp_se", {}),
    ("dp_klucb", {}), ("dp_klucb", {"growth": 1.1}), ("dp_imed", {}), ("adac_ucb", {}), ("dist_dp_se", {}),
])  # fmt: skip
def test_p1_to_p3_every_reward_is_in_one_release(name, given, horizon):
    """The first reward (P2) and the rewards of the truncated episode (P3) too; each pays epsilon."""
    account = algorithms.find(name).privacy(horizon, 5, epsilon=0.3, **given)
    assert account.ledger.touched().tolist() == [1] * horizon
    assert account.spent == pytest.approx(0.3, rel=1e-9)
    assert account.kept


@table("name", "given", rows=[
    ("adap_ucb", {"alpha": 3.1, "init_noise": False}), ("adap_klucb", {"alpha": 3.1, "init_noise": False}),
])  # fmt: skip
def test_p2_without_noise_on_the_first_rewards_there_is_no_privacy(name, given):
    account = algorithms.find(name).privacy(1000, 5, epsilon=0.3, **given)
    assert account.spent == math.inf
    assert not account.kept


@pytest.mark.parametrize("horizon", [1000, 100_000])
@table("name", "given", "spent", "composed", rows=[
    ("private_ucb", {"failure_prob": "T^-1"}, 0.2, 1.0),
    ("private_ucb_tuned", {}, 0.2, 1.0),
    ("private_ucb_tuned", {"budget": "parallel", "relax_c": 6.0}, 1.0, 5.0),
    ("private_thompson", {}, 0.1, 0.5),
    ("private_thompson", {"ts_budget": "full"}, 0.2, 1.0),
    ("private_thompson", {"budget": "parallel", "ts_budget": "full"}, 1.0, 5.0),
    ("private_thompson_gap", {}, 0.1, 1.0),
])  # fmt: skip
def test_p2_to_p4_what_is_spent_and_what_the_paper_adds_up(name, given, spent, composed, horizon):
    """With five arms a factor five is given away, and the experiment's Thompson sampling leaves a half."""
    module = algorithms.find(name)
    account = module.privacy(horizon, 5, epsilon=0.7, **given)
    assert account.epsilon == 0.7
    assert account.spent == pytest.approx(0.7 * spent)
    assert account.kept
    assert sum(module.composition(horizon, 5, epsilon=0.7, **given).values()) == pytest.approx(0.7 * composed)


@pytest.mark.parametrize("name", ["dp_ucb", "dp_ucb_bound"])
@pytest.mark.parametrize(
    ("split", "share", "kept"),
    [("half_log2", 1.0, True), ("full_log2", 2.0, False), ("literal_natlog", 1 + 1 / math.log(2), False)],
)
def test_p2_what_the_splits_of_the_hybrid_mechanism_spend(name, split, share, kept):
    account = algorithms.find(name).privacy(100_000, 2, epsilon=0.1, hybrid_split=split)
    assert (account.epsilon, account.delta) == (0.1, 0.0)
    assert account.spent == pytest.approx(share * 0.1, rel=1e-9)
    assert account.kept is kept

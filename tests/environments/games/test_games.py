"""tossou2017's five adversaries: their tables by hand and in law, the penalty, the paired design, and what they refuse."""

import copy
import math

import numpy as np
import pytest
import yaml
from project import ROOT
from scipy import stats

from dpbandits import algorithms, simulation, studies
from dpbandits.environments.games._game import Game, Penalty, best_fixed_arm, gain_of, receive
from dpbandits.environments.games.deterministic import deterministic
from dpbandits.environments.games.fully_oblivious import fully_oblivious
from dpbandits.environments.games.oblivious import oblivious
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.environments.games.switching_costs import PENALTIES, constants, gains_of, switching_costs, walk
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream
from dpbandits.plan import checking

ORIGINAL = yaml.safe_load((ROOT / "config/papers/tossou2017.yaml").read_text())
PANELS = {
    x: ORIGINAL["environments"][name]
    for x, name in ORIGINAL["experiments"]["fig6{environment}"]["matrix"]["environment"].items()
}


# The tables.


def test_deterministic_by_hand():
    gains = deterministic(number_of_arms=5, constant=0.38, divisor=3).draw(None, 7)
    assert gains.T.tolist() == [[0.38] * 7, [0, 1, 0, 1, 0, 1, 0], [0, 0, 1, 0, 0, 1, 0], [0] * 7, [0] * 7]


def test_playing_at_random_costs_the_known_amounts():
    """T = 2^18: (0.5 - (0.38 + 0.5 + 1/3 + 0)/4) T = 51,555 and (0.55 - 0.5125) T = 9,830."""
    T = 2**18
    table = deterministic(number_of_arms=4, constant=0.38, divisor=3).draw(None, T)
    assert table.sum(axis=0).max() - table.mean(axis=1).sum() == pytest.approx(51_555, abs=1)
    table = stochastic(number_of_arms=4, best=0.55, others=0.5).draw(stream(31), T)
    assert table[:, 0].sum() - table.mean(axis=1).sum() == pytest.approx(9_830, abs=4 * math.sqrt(T / 4 * (9 + 3) / 16))


@pytest.mark.parametrize("panel", ["b", "c"])
def test_panels_b_and_c_are_independent_bernoulli(panel):
    """A mean that is drawn anew for each gain averages out: 0.55 for the best arm, 0.5 for the others, no memory."""
    T = 200_000
    table = simulation.make_environment(PANELS[panel]).draw(stream(32, panel), T).astype(float)
    assert set(np.unique(table)) == {0.0, 1.0}
    error = 4 * math.sqrt(0.25 / T)
    assert table.mean(axis=0) == pytest.approx([0.55, 0.5, 0.5, 0.5], abs=error)
    centred = table - table.mean(axis=0)
    assert np.abs((centred[1:] * centred[:-1]).mean(axis=0)).max() < error / 2
    assert abs((centred[:, 0] * centred[:, 1]).mean()) < error / 2


def test_a_table_of_independent_gains_is_numpys():
    """NumPy's uniform numbers, row by row, are compared with the means."""
    table = stochastic(number_of_arms=3, best=0.7, others=0.2).draw(stream(40), 1000)
    assert np.array_equal(table, stream(40).random((1000, 3)) < np.array([0.7, 0.2, 0.2]))


def test_fully_oblivious_means_have_the_intervals_of_the_text():
    """e = 0.25: the best arm's p in [0.5, 1], mean 0.75; with e = 0 all arms are fair coins. best_arm = 3 is the third."""
    T = 100_000
    table = fully_oblivious(number_of_arms=3, best_arm=3, e=0.25).draw(stream(33), T)
    assert table.mean(axis=0) == pytest.approx([0.5, 0.5, 0.75], abs=4 * math.sqrt(0.25 / T))
    table = fully_oblivious(number_of_arms=2, best_arm=1, e=0.0).draw(stream(34), T)
    assert table.mean(axis=0) == pytest.approx([0.5, 0.5], abs=4 * math.sqrt(0.25 / T))


def test_oblivious_changes_on_multiples_of_its_period_only():
    table = oblivious(number_of_arms=4, best_arm=1, e=0.05, period=200).draw(stream(35), 100_000)
    changes = np.flatnonzero((np.diff(table.astype(int), axis=0) != 0).any(axis=1)) + 2  # the round that differs
    assert (changes % 200 == 0).all()
    assert 0.9 < len(changes) / 500 < 0.97  # all four arms repeat by chance about once in 16 times
    assert table.mean(axis=0)[0] == pytest.approx(0.55, abs=4 * 0.5 / math.sqrt(501))


def test_the_walk_sums_one_increment_for_each_bit_of_t():
    """rho(t) takes the lowest bit off t, so W_t is the sum of xi over t, rho(t), rho(rho(t)), ...: popcount(t) of them."""
    T = 1024
    assert walk(np.ones(T)).tolist() == [t.bit_count() for t in range(1, T + 1)]
    xi = stream(36).standard_normal(T)
    W = walk(xi)
    assert W[12 - 1] == xi[12 - 1] + xi[8 - 1]
    assert W[13 - 1] == pytest.approx(xi[13 - 1] + xi[12 - 1] + xi[8 - 1])
    values = np.array([walk(stream(36, run).standard_normal(T))[[0, 1022, 1023]] for run in range(4000)])
    for column, bits in zip(values.T, (1, 10, 1), strict=True):
        assert column.var() == pytest.approx(bits, rel=4 * math.sqrt(2 / 4000))


def test_the_constants_of_the_switching_adversary():
    epsilon, sigma = constants(2**18, 4)
    assert epsilon == pytest.approx(1.53106e-4, abs=5e-10)
    assert sigma == pytest.approx(6.17284e-3, abs=5e-9)
    assert 2**18 * epsilon == pytest.approx(40.1, abs=0.05)


def test_gains_of_the_switching_adversary():
    """1 - clip(W + 1/2 - eps [x = chi]): the hidden arm is better by eps, except where the loss is cut."""
    gains = gains_of(np.array([0.1, -0.6, 0.7]), 3, 1, 0.01)
    assert gains[0] == pytest.approx([0.4, 0.41, 0.4])
    assert gains[1].tolist() == [1.0, 1.0, 1.0]
    assert gains[2].tolist() == [0.0, 0.0, 0.0]
    best = []
    for run in range(200):
        table = switching_costs(number_of_arms=4).draw(stream(37, run), 4096)
        assert 0 < table.min() < table.max() < 1  # never cut here
        best.append(int(table.sum(axis=0).argmax()))
        assert np.allclose(np.diff(np.sort(table, axis=1)[:, -2:], axis=1), constants(4096, 4)[0])
    assert stats.chisquare(np.bincount(best, minlength=4)).pvalue > 1e-3


# The penalty and the curves.


@pytest.mark.parametrize(
    ("penalty", "observed", "seen", "curve"),
    [
        ("none", True, [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 1.5, 2.5]),
        ("gain_zero", True, [0.25, 0.5, 0.0, 0.0], [0.25, 0.75, 0.75, 0.75]),
        ("gain_zero", False, [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 0.75, 0.75]),
        ("minus_one", False, [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 0.5, 0.5]),
    ],
)
def test_the_penalty_by_hand(penalty, observed, seen, curve):
    """Arms 0, 0, 1, 0: the third and the fourth round change arms; the first cannot."""
    table = np.array([[0.25, 0.1], [0.5, 0.1], [0.1, 0.75], [1.0, 0.1]])
    game, diary = Game(table, Penalty(*PENALTIES[penalty], observed)), np.zeros((2, 4), np.int16)
    assert [receive(*game, diary, t, a) for t, a in zip((1, 2, 3, 4), (0, 0, 1, 0), strict=True)] == seen
    assert gain_of(*game, diary, np.arange(1, 5)).tolist() == curve
    assert gain_of(*game, diary, np.array([2, 4])).tolist() == [curve[1], curve[3]]


def test_the_comparator_is_that_of_the_game_that_ends_at_t():
    table = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.5]])
    assert best_fixed_arm(table, np.array([1, 2, 3, 4])).tolist() == [1, 1, 2, 2.5]
    assert best_fixed_arm(table, np.array([3])).tolist() == [2]


# The paired design.


def spec(panel, policy, algorithm):
    return {
        "paper": "tossou2017",
        "experiment": f"fig6{panel}",
        "stream": f"fig6{panel}",
        "policy": policy,
        "environment": PANELS[panel],
        "horizon": 1024,
        "checkpoints": [1, 16, 500, 1024],
        "series": {policy: {"algorithm": algorithm, "parameters": {}}},
        "seed": 1,
    }


@pytest.mark.parametrize("panel", PANELS)
def test_trial_n_is_the_same_game_for_every_algorithm_whatever_the_blocks(panel):
    whole = simulation.simulate(spec(panel, "exp3", "exp3"), 0, 7).values
    for first, last in ((0, 2), (3, 3), (4, 7)):
        part = simulation.simulate(spec(panel, "exp3-tau", "exp3_tau"), first, last).values
        assert np.array_equal(part["comparator"][0], whole["comparator"][0, first : last + 1])
        assert not np.array_equal(part["gain"][0], whole["gain"][0, first : last + 1])
    games = len(np.unique(whole["comparator"][0], axis=0))
    # Panel d has six draws of a few bits in a game of this length, which now and then give the same curve.
    assert games in {"a": {1}, "d": {4, 5, 6, 7, 8}}.get(panel, {8})


def test_policies_that_share_a_job_share_the_table_of_a_run():
    """One draw for each run, and none of the algorithms changes the table."""
    environment = simulation.make_environment(PANELS["b"])
    draw, drawn = environment.draw, []
    environment.draw = lambda rng, horizon: drawn.append(draw(rng, horizon)) or drawn[-1]
    for run in (0, 1):
        for algorithm in ("exp3", "dp_exp3_lap", "exp3_tau"):
            game, journal = environment.begin(stream(38, run), 512, np.array([512]))
            algorithms.find(algorithm).play(stream(39, algorithm, run), game, 512, journal)
            assert game.gains is drawn[-1]
            assert np.array_equal(game.gains, draw(stream(38, run), 512))
    environment.begin(stream(38, 1), 256, np.array([256]))
    assert [table.shape for table in drawn] == [(512, 4), (512, 4), (256, 4)]


# Bad input.


def changed(*path, to):
    content = copy.deepcopy(ORIGINAL)
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return content


ENVIRONMENT = ("environments", "switching")
BAD = [
    (changed("environments", "stochastic", "number_of_arms", to=1), ["environments.stochastic: number_of_arms: 1 should be a number of arms of at least 2"]),
    (changed("design", "horizon", to=200_000), ["horizon 200000 should be a power of two for the switching_costs adversary; write 262144"]),
    (changed("policies", "exp3-tau", "parameters", to={"tau": 300_000}), ["fig6a.policies.exp3-tau", "tau: 300000 should be at most the horizon 262144"]),
    (changed("policies", "exp3-tau", "parameters", to={"tau": 0}), ["tau: 0 should be a whole number of at least 1"]),
    (changed("policies", "exp3-tau", "parameters", to={"tau": 2.5}), ["tau: 2.5 should be a whole number"]),
    (changed("policies", "exp3-tau", "parameters", "tau_rounding", to="round"), ["tau_rounding: 'round' is not one of ceil, floor"]),
    (changed("policies", "dp-exp3-lap", "parameters", to={"epsilon": 0}), ["fig6a.policies.dp-exp3-lap", "epsilon: 0 should be a number above 0"]),
    (changed("environments", "deterministic", "constant", to=1.2), ["environments.deterministic: constant: 1.2 should be a mean in [0, 1]"]),
    (changed("environments", "deterministic", "divisor", to=0), ["divisor: 0 should be a whole number of at least 1"]),
    (changed("environments", "stochastic", "best", to=-0.1), ["best: -0.1 should be a mean in [0, 1]"]),
    (changed("environments", "fully-oblivious", "e", to=0.3), ["environments.fully-oblivious: e: 0.3 should be a number in [0, 0.25]"]),
    (changed("environments", "fully-oblivious", "best_arm", to=5), ["best_arm: 5 should be the number of one of the 4 arms"]),
    (changed("environments", "oblivious", "best_arm", to=0), ["best_arm: 0 should be the number of an arm, from 1"]),
    (changed("environments", "oblivious", "period", to=0), ["period: 0 should be a whole number of at least 1"]),
    (changed(*ENVIRONMENT, "switch_penalty", to="minus_one"), ["environments.switching: switch_penalty: minus_one moves the gains that the algorithms observe out of [0, 1]", "write penalty_observed: false"]),
    (changed(*ENVIRONMENT, "kind", to="switching"), ["unknown kind of environment 'switching'", "did you mean 'switching_costs'"]),
    (changed(*ENVIRONMENT, "kind", to="_game"), ["unknown kind of environment '_game'"]),
    (changed("claims", "B5-tau", "measure", "final_over_theorem", "theorem", to="tossou2017_exp"), ["claims.B5-tau.measure: unknown theorem 'tossou2017_exp'", "did you mean 'tossou2017_exp3'"]),
    (changed("figures", "s-growth", "kind", to="curves"), ["figures.s-growth: a figure of kind grid or growth or bars or contrasts may have 'panels'"]),
]  # fmt: skip


@pytest.mark.parametrize(("content", "parts"), BAD, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_a_wrong_paper_file_is_refused_in_one_line(content, parts, tmp_path):
    path = tmp_path / "tossou2017.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(InputError) as refusal:
        checking.check(studies.load(path))
    message = str(refusal.value)
    assert str(path) in message
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_the_paper_scale_is_the_papers():
    paper = studies.load(ROOT / "config/papers/tossou2017.yaml")
    for panel in "abcde":
        experiment = paper.experiments[f"fig6{panel}"]
        design = experiment.design
        assert (design.horizon, design.runs, design.groups) == (2**18, 720, 24)
        assert {2**k for k in range(19)} | {4096 * k for k in range(1, 65)} == set(design.checkpoints)
        assert experiment.environment["number_of_arms"] == 4
        assert list(experiment.series) == ["exp3", "dp-exp3-lap", "exp3-tau"]
    lengths = {e.design.horizon for e in paper.experiments.values() if e.id.startswith("s-growth")}
    assert lengths == {2**k for k in range(13, 19)}

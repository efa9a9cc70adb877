"""tossou2017's five adversaries: tables, the penalty, the paired design, and refusals."""

import math

import numpy as np
import pytest
from project import ROOT
from scipy import stats

from dpbandits.bandits import Deterministic, FullyOblivious, Oblivious, StochasticAdversary, make
from dpbandits.bandits.game import ARM, Adversary, Game, gains_at, new_game_run
from dpbandits.bandits.games.switching_costs import constants, gains_of, walk
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.policy import GamePolicy
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream
from dpbandits.studies.strict_yaml import read_yaml

ORIGINAL = read_yaml(ROOT / "config/papers/tossou2017.yaml")
PANELS = {
    x: ORIGINAL["environments"][ORIGINAL["experiments"][f"fig6{x}"]["environment"]] for x in "abcde"
}


def test_deterministic_by_hand():
    gains = Deterministic(5, constant=0.38, divisor=3).gains(None, 7)
    assert gains.T.tolist() == [
        [0.38] * 7,
        [0, 1, 0, 1, 0, 1, 0],
        [0, 0, 1, 0, 0, 1, 0],
        [0] * 7,
        [0] * 7,
    ]


def test_bernoulli_tables_by_hand():
    """Uniform numbers are compared with means, which are drawn just before if not fixed."""
    rng = stream(40)
    expected = [[rng.random() < mean for mean in (0.7, 0.2, 0.2)] for _ in range(500)]
    table = StochasticAdversary(3, best=0.7, others=0.2).gains(stream(40), 500)
    assert table.tolist() == expected
    rng, expected = stream(41), []
    for _ in range(500):
        means = [(lowest + 0.4 * rng.random(), rng.random()) for lowest in (0.3, 0.3, 0.5)]
        expected.append([u < p for p, u in means])
    assert FullyOblivious(3, best_arm=3, e=0.2).gains(stream(41), 500).tolist() == expected
    table = Oblivious(3, best_arm=3, e=0.2, period=7).gains(stream(41), 3000)
    assert table.tolist() == [expected[t // 7] for t in range(1, 3001)]


def test_the_walk_sums_one_increment_for_each_bit_of_t():
    """rho(t) takes the lowest bit off t: W_t is the sum of xi over t, rho(t), rho(rho(t)), ..."""
    assert walk(np.ones(1024)).tolist() == [t.bit_count() for t in range(1, 1025)]
    xi = np.random.default_rng(36).standard_normal(16)
    assert walk(xi)[[11, 12]] == pytest.approx([xi[11] + xi[7], xi[12] + xi[11] + xi[7]])


def test_gains_of_the_switching_adversary():
    """1 - clip(W + 1/2 - eps [x = chi]): the hidden arm is better by eps, unless a loss is cut."""
    assert constants(2**18, 4) == pytest.approx((1.53106e-4, 6.17284e-3), rel=1e-5)
    gains = gains_of(np.array([0.1, -0.6, 0.7]), 3, 1, 0.01)
    assert gains == pytest.approx(np.array([[0.4, 0.41, 0.4], [1, 1, 1], [0, 0, 0]]))
    (epsilon, sigma), adversary = constants(4096, 4), make(PANELS["e"])
    tables = np.array([adversary.gains(stream(37, run), 4096) for run in range(400)])
    assert 0 < tables.min() < tables.max() < 1  # never cut here
    assert np.allclose(np.diff(np.sort(tables, axis=2)[:, :, -2:], axis=2), epsilon)
    hidden = tables.sum(axis=1).argmax(axis=1)
    assert stats.chisquare(np.bincount(hidden, minlength=4)).pvalue > 1e-3
    walks = 0.5 - tables.min(axis=2)
    for t in (1, 1023, 1024):
        sd = sigma * math.sqrt(t.bit_count())
        assert walks[:, t - 1].std() == pytest.approx(sd, rel=4.5 / math.sqrt(800))


def run_of(game):
    return new_game_run(game, Releases(stream(1)))


@pytest.mark.parametrize(
    ("penalty", "seen", "curve"),
    [
        ((1.0, True), [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 1.5, 2.5]),
        ((0.0, True), [0.25, 0.5, 0.0, 0.0], [0.25, 0.75, 0.75, 0.75]),
        ((0.0, False), [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 0.75, 0.75]),
    ],
)
def test_the_penalty_by_hand(penalty, seen, curve):
    """Arms 0, 0, 1, 0: only the third and the fourth round change arms."""
    table = np.array([[0.25, 0.1], [0.5, 0.1], [0.1, 0.75], [1.0, 0.1]])
    game = Game(table, *penalty)
    run = run_of(game)
    for t, a in enumerate((0, 0, 1, 0)):
        assert run.play(a) == (seen[t], 1)
        if t == 2:
            run.ignore()
    diary = run.diary
    assert diary.tolist() == [[0, 0, 1, 0], [0, 0, 1, 0]]
    together = run_of(game)
    assert together.play(0, 2) == (sum(seen[:2]), 2)
    assert together.play(1, 1) == (seen[2], 1)
    assert together.play(0, 3) == (seen[3], 1)
    assert together.diary[ARM].tolist() == diary[ARM].tolist()
    assert gains_at(game, diary, np.arange(1, 5))[0].tolist() == curve
    assert gains_at(game, diary, np.array([2, 4]))[0].tolist() == [curve[1], curve[3]]


def test_the_first_round_changes_no_arm():
    """In a game of two arms, which is the smallest."""
    gains = StochasticAdversary(2, best=1.0, others=1.0).gains(stream(1), 2)
    assert run_of(Game(gains, 0.0)).play(1, 2) == (2.0, 2)


def test_the_comparator_is_that_of_the_game_that_ends_at_t():
    game = Game(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.5]]))
    diary = np.zeros((2, 4), np.int16)
    assert gains_at(game, diary, np.array([1, 2, 3, 4]))[1].tolist() == [1, 1, 2, 2.5]
    assert gains_at(game, diary, np.array([3]))[1].tolist() == [2]


class Mixed(GamePolicy):
    """Plays every arm at random, or always the same."""

    changes: bool = True

    def play(self, run):
        a = 0
        while not run.finished():
            if self.changes:
                a = int(run.rng.integers(0, run.K))
            run.play(a)


def curves_of(bandit, policy, run):
    """The curves of a run, whose streams have the run's number."""
    t, game = np.array([1, 16, 500, 1024]), bandit.draw_game(stream(1, "of", run), 1024)
    return bandit.play_run(policy, game, stream(1, "p", run), 1024, t)


@pytest.mark.parametrize("panel", PANELS)
def test_trial_n_is_the_same_game_for_every_policy_whatever_the_blocks(panel):
    whole = make(PANELS[panel])
    runs = [curves_of(whole, Mixed(), run) for run in range(8)]
    for first, last in ((0, 2), (3, 3), (4, 7)):
        block = make(PANELS[panel])
        for run in range(first, last + 1):
            curves = curves_of(block, Mixed(changes=False), run)
            assert np.array_equal(curves["comparator"], runs[run]["comparator"])
            assert not np.array_equal(curves["gain"], runs[run]["gain"])
    games = len(np.unique([curves["comparator"] for curves in runs], axis=0))
    # Panel d has six draws of a few bits in a game of this length, which may give the same curve.
    assert games in {"a": {1}, "d": {4, 5, 6, 7, 8}}.get(panel, {8})


def test_no_policy_changes_the_table_of_a_run():
    """Which is drawn once for all of them (tests/test_files.py)."""
    adversary = make(PANELS["b"])
    game = adversary.draw_game(stream(38), 512)
    Mixed().play(adversary.begin(game, stream(39), 512, np.array([512])))
    assert np.array_equal(game.gains, adversary.gains(stream(38), 512))


@kernel
def play(run, a, m):
    return run.play(a, m)


@pytest.mark.parametrize("call", [play, getattr(play, "py_func", play)], ids=["compiled", "plain"])
def test_a_player_cannot_miscount(call):
    """A game ends at its end; no number of rounds turns it back, and no other arm is played."""
    run = run_of(Game(np.eye(4)[:, :2]))
    for a in (-1, 2):
        with pytest.raises(IndexError, match="there is no arm of this number; arms are 0 to K - 1"):
            call(run, a, 1)
    played = [call(run, a, m) for a, m in ((0, 1), (1, 0), (1, -1), (1, 1.5), (1, 9), (0, 1))]
    assert played == [(1.0, 1), (0.0, 0), (0.0, 0), (1.0, 1), (0.0, 2), (0.0, 0)]
    assert (run.t, run.finished()) == (4, True)
    assert run.diary[ARM].tolist() == [0, 1, 1, 1]


def test_a_player_that_stops_early_is_refused():
    adversary = make(PANELS["b"])
    game = adversary.draw_game(stream(38), 512)
    stops = type("Stops", (GamePolicy,), {"play": lambda self, run: run.play(0, 100)})
    with pytest.raises(InputError, match=r"^play stops after round 100 of 512; play until run.fin"):
        adversary.play_run(stops(), game, stream(39), 512, np.array([512]))


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (np.ones((6, 2)), r"a table of the shape \(6, 2\), and not \(3, 2\); write a row for"),
        (np.ones((3, 4)), r"a table of the shape \(3, 4\)"),
        ([[0.5, 1.0]], r"a table of the shape \(1, 2\)"),
        (np.full((3, 2), 5.0), "gains are from 5 to 5; they should be in"),
        (np.array([[0.0, -3], [0, 0], [0, 0]]), "gains are from -3 to 0"),
        (np.array([[0.0, np.nan], [0, 0], [0, 0]]), "gains are from nan to nan"),
    ],
)
def test_a_table_of_gains_is_checked(table, says):
    mine = type("Mine", (Adversary,), {"gains": lambda self, rng, horizon: table})
    with pytest.raises(InputError, match=f"test_games.py: .*{says}"):
        mine(2).draw_game(stream(1), 3)

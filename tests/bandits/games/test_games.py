"""tossou2017's five adversaries: tables, the penalty, the paired design, and refusals."""

import numpy as np
import pytest
from project import study_of

from dpbandits.bandits import Deterministic, FullyOblivious, Oblivious, StochasticAdversary, make
from dpbandits.bandits.game import ARM, Adversary, Game, new_game_run
from dpbandits.bandits.games.switching_costs import constants, gains_of
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

PANELS = {x: study_of("tossou2017").experiments[f"fig6{x}"].environment for x in "abcde"}


def with_table(table, penalty=(1.0, True)):
    """An adversary of two arms."""
    members = {"gains": lambda self, rng, horizon: table, "penalty": penalty}
    return type("Mine", (Adversary,), members)(2)


def test_deterministic_by_hand():
    table = Deterministic(4, constant=0.38, divisor=3).gains(None, 7)
    even, third = [0, 1, 0, 1, 0, 1, 0], [0, 0, 1, 0, 0, 1, 0]
    assert table.T.tolist() == [[0.38] * 7, even, third, [0] * 7]


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


def test_gains_of_the_switching_adversary():
    """The loss of arm x is W + 1/2 - eps [x = chi], cut to [0, 1], with the hidden arm chi.

    rho(t) takes the lowest bit off t: W_t is the sum of xi over t, rho(t), rho(rho(t)), ...
    """
    assert constants(2**18, 4) == pytest.approx((1.53106e-4, 6.17284e-3), rel=1e-5)
    gains = gains_of(np.array([0.1, -0.6, 0.7]), 3, 1, 0.01)
    assert gains == pytest.approx(np.array([[0.4, 0.41, 0.4], [1, 1, 1], [0, 0, 0]]))
    T, (epsilon, sigma) = 1024, constants(1024, 4)
    for run in range(5):
        rng, W = stream(37, run), np.zeros(T + 1)
        hidden, xi = rng.integers(0, 4), sigma * rng.numpy().standard_normal(T)
        for t in range(1, T + 1):
            W[t] = W[t & (t - 1)] + xi[t - 1]
        loss = W[1:, None] + 0.5 - epsilon * (np.arange(4) == hidden)  # never cut here
        assert make(PANELS["e"]).gains(stream(37, run), T) == pytest.approx(1 - loss, rel=1e-12)


@pytest.mark.parametrize(
    ("penalty", "seen", "gain"),
    [
        ((1.0, True), [0.25, 0.5, 0.8, 1.0], [0.25, 0.75, 1.55, 2.55]),
        ((0.0, True), [0.25, 0.5, 0.0, 1.0], [0.25, 0.75, 0.75, 1.75]),
        ((0.0, False), [0.25, 0.5, 0.8, 1.0], [0.25, 0.75, 0.75, 1.75]),
    ],
)
def test_the_penalty_and_the_curves_by_hand(penalty, seen, gain):
    """Arms 1, 1, 0, 0: only the third round changes arms. Until then arm 1 is the best."""
    adversary = with_table(np.array([[0, 0.25], [0, 0.5], [0.8, 0], [1, 0.1]]), penalty)
    best = np.array([0.25, 0.75, 0.8, 1.8])
    game, t = adversary.draw_game(None, 4), np.arange(1, 5)
    run, together = (adversary.begin(game, stream(1), 4, t) for _ in range(2))
    for a, observed in zip((1, 1, 0, 0), seen, strict=True):
        assert not run.finished()
        assert run.play(a) == (observed, 1)
        if run.t == 3:
            run.ignore()
    assert run.finished()
    assert together.play(1, 2) == (sum(seen[:2]), 2)
    assert together.play(0, 3) == (sum(seen[2:]), 2)
    assert together.diary[ARM].tolist() == run.diary[ARM].tolist() == [1, 1, 0, 0]
    wanted = {"regret": best - gain, "comparator": best, "gain": gain, "ignored": [0, 0, 1, 1]}
    for rounds in (t, np.array([2, 3])):
        curves = adversary.curves(run, rounds)
        assert curves.keys() == wanted.keys()
        for name, values in curves.items():
            assert values == pytest.approx(np.array(wanted[name])[rounds - 1]), name


@pytest.mark.parametrize("panel", PANELS)
def test_the_table_of_a_run_follows_from_its_stream(panel):
    """So that all policies of a run play one game, in any chunk of runs (tests/test_files.py)."""

    def tables(runs):
        adversary = make(PANELS[panel])
        games = {run: adversary.draw_game(stream(1, "of", run), 1024) for run in runs}
        return {run: game.gains.tolist() for run, game in games.items()}

    whole, part = tables(range(8)), tables([6, 3])
    assert (part[3], part[6]) == (whole[3], whole[6])
    assert len({str(table) for table in whole.values()}) == (1 if panel == "a" else 8)


@kernel
def play(run, a, m):
    return run.play(a, m)


@pytest.mark.parametrize("call", [play, getattr(play, "py_func", play)], ids=["compiled", "plain"])
def test_a_player_cannot_miscount(call):
    """A game ends at its end; no number of rounds turns it back, and no other arm is played.

    Nobody changes the gains.
    """
    gains = np.eye(4)[:, :2]
    run = new_game_run(Game(gains), Releases(stream(1)))
    for a in (-1, 2):
        with pytest.raises(IndexError, match="there is no arm of this number; arms are 0 to K - 1"):
            call(run, a, 1)
    played = [call(run, a, m) for a, m in ((0, 1), (1, 0), (1, -1), (1, 1.5), (1, 9), (0, 1))]
    assert played == [(1.0, 1), (0.0, 0), (0.0, 0), (1.0, 1), (0.0, 2), (0.0, 0)]
    assert (run.t, run.finished()) == (4, True)
    assert run.diary[ARM].tolist() == [0, 1, 1, 1]
    assert np.array_equal(gains, np.eye(4)[:, :2])


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ([[0.5, 1.0]], r"a table of the shape \(1, 2\), and not \(3, 2\); write a row for"),
        (np.ones((3, 4)), r"a table of the shape \(3, 4\)"),
        (np.full((3, 2), 5.0), "gains are from 5 to 5; they should be in"),
        (np.full((3, 2), -3.0), "gains are from -3 to -3"),
        (np.full((3, 2), np.nan), "gains are from nan to nan"),
    ],
)
def test_a_table_of_gains_is_checked(table, says):
    with pytest.raises(InputError, match=f"test_games.py: .*{says}"):
        with_table(table).draw_game(stream(1), 3)
    nested = with_table([[0.0, 0.5], [1.0, 0.0]])
    assert nested.draw_game(stream(1), 2).gains.tolist() == [[0.0, 0.5], [1.0, 0.0]]

"""A game against an adversary that fixes every gain in advance (tossou2017, section 1).

The T x K table of gains is drawn before the first round, from the run's stream for the bandit. All
policies of an experiment play run n on the same table, as in the paper's paired design.
An adversary with a memory of one round may also penalise a change of arms, which depends on the
player.

The regret at a checkpoint t is against the best fixed arm of the game that ends at t. That arm
never changes, so it receives the gains in the table. The gains of the player include the penalty.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
from annotated_types import Ge

from dpbandits.bandit import Bandit
from dpbandits.bandits.run import check_arm
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.parameters import Words
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream

NumberOfArms = Annotated[int, Ge(2), Words("a number of arms of at least 2")]
Arm = Annotated[int, Ge(1), Words("the number of an arm, from 1")]
ARM, IGNORED = 0, 1  # the rows of a diary


class Game(NamedTuple):
    """A table of gains before a penalty, gains[t - 1, a].

    After a change of arms, a round gives `share` of its gain. The player sees that if it is
    `observed`, else the whole gain.
    """

    gains: np.ndarray
    share: float = 1.0
    observed: bool = True


class GameRun(NamedTuple):
    """One run of a policy in a game, as `play` gets it.

    Attributes
    ----------
    K : int
        The number of arms.
    t : int
        The number of rounds that have been played; not in compiled code.
    horizon : int
        The number of rounds.
    rng : Stream
        Random numbers for choices.
    releases : Releases
        The only way by which a gain becomes public.

    Examples
    --------
    >>> from dpbandits.random import stream
    >>> game = Game(np.array([[0.25, 1.0], [0.5, 0.0], [1, 0]]))
    >>> run = new_game_run(game, Releases(stream(1)))
    >>> run.play(0)
    (0.25, 1)
    >>> run.play(1, 5)  # the game ends
    (0.0, 2)
    >>> run.ignore()
    >>> run.diary
    array([[0, 1, 1],
           [0, 0, 1]], dtype=int16)
    """

    K: int
    horizon: int
    rng: Stream
    releases: Releases
    game: Game
    diary: np.ndarray  # diary[ARM, t - 1]: the arm of round t; whether its gain is IGNORED
    rounds: np.ndarray  # of one element: t

    @property
    def t(self):
        """The number of rounds that have been played."""
        return int(self.rounds[0])

    def finished(self):
        """Return whether the last round is over."""
        return self.rounds[0] >= self.horizon

    def play(self, a, m=1):
        """Play arm a for up to m rounds: fewer if the game ends before.

        Return the sum of the observed gains, each in [0, 1], and the rounds that were played.
        """
        check_arm(a, self.K)
        first, total = self.rounds[0], 0.0
        rounds = max(0, int(min(m, self.horizon - first)))  # a draft may compute any m
        for t in range(first, first + rounds):
            self.diary[ARM, t] = a
            gain = float(self.game.gains[t, a])
            if self.game.observed and t > 0 and a != self.diary[ARM, t - 1]:
                gain *= self.game.share
            total += gain
        self.rounds[0] += rounds
        return total, rounds

    def ignore(self):
        """Record that the player ignores its observation of the last round."""
        self.diary[IGNORED, self.rounds[0] - 1] = 1


def new_game_run(game: Game, releases: Any) -> GameRun:
    """Begin a run; the random numbers are those of the releases."""
    T, K = game.gains.shape
    diary, rounds = np.zeros((2, T), np.int16), np.zeros(1, np.int64)
    return GameRun(K, T, releases.rng, releases, game, diary, rounds)


class Adversary(Bandit):
    """Base class of adversaries. A subclass defines `gains`.

    Parameters
    ----------
    number_of_arms : int
        At least 2.

    Examples
    --------
    >>> class InTurn(Adversary):
    ...     def gains(self, rng, horizon):
    ...         return np.eye(self.number_of_arms)[np.arange(horizon) % self.number_of_arms]
    >>> InTurn(2).gains(None, 3).tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """

    family = "games"
    needs = ("gains or draw_game",)

    number_of_arms: NumberOfArms

    @property
    def penalty(self) -> tuple[float, bool]:
        """`share` and `observed` of the games: by default no penalty."""
        return 1.0, True

    def gains(self, rng: Stream, horizon: int) -> np.ndarray:
        """Make the table of a run, with a row for each round."""
        raise NotImplementedError

    def draw_game(self, rng: Stream, horizon: int) -> Game:
        """Make the game of a run.

        Raises
        ------
        InputError
            If the table of gains has another shape, or a gain outside [0, 1].
        """
        gains, shape = np.asarray(self.gains(rng, horizon)), (horizon, self.number_of_arms)
        if gains.shape != shape:
            says = f"'gains' returns a table of the shape {gains.shape}, and not {shape}"
            raise InputError(f"{self.file()}: {says}; write a row for each round")
        lowest, highest = np.min(gains), np.max(gains)
        if not 0 <= lowest <= highest <= 1:  # nor if nan
            says = f"gains are from {lowest:.4g} to {highest:.4g}"
            remedy = "they should be in [0, 1], as privacy accounts assume"
            raise InputError(f"{self.file()}: {says}; {remedy}")
        return Game(gains, *self.penalty)

    def begin(self, game: Game, rng: Stream, horizon: int, t: np.ndarray) -> GameRun:
        """Return a run of the game."""
        return new_game_run(game, Releases(rng))

    def curves(self, run, t):
        """Return regret, gain, the best arm's gain, and the number of ignored observations."""
        gain, comparator = gains_at(run.game, run.diary, t)
        ignored = np.cumsum(run.diary[IGNORED], dtype=np.int64)[t - 1]
        return {
            "regret": comparator - gain,
            "comparator": comparator,
            "gain": gain,
            "ignored": ignored,
        }


@kernel
def gains_at(game, diary, checkpoints):
    """Add up gains at every checkpoint t: the player's and those of the best fixed arm.

    They are the sum of the player's actual gains, observed or not, and max_i sum_{s <= t} g_i(s).
    """
    # Once: a kernel counts references to an array wherever it takes it from a tuple.
    gains, share, _ = game
    own, totals, k = 0.0, np.zeros(gains.shape[1]), 0
    player, best = np.zeros(checkpoints.size), np.zeros(checkpoints.size)
    for t in range(1, checkpoints[-1] + 1):
        a = diary[ARM, t - 1]
        gain = float(gains[t - 1, a])
        if t > 1 and a != diary[ARM, t - 2]:
            gain = share * gain
        own += gain
        for i in range(totals.size):
            totals[i] += gains[t - 1, i]
        if t == checkpoints[k]:
            player[k], best[k] = own, totals.max()
            k += 1
    return player, best


@kernel
def bernoulli_gains(rng, rounds, lowest, width):
    """Draw a table of gains of 0 or 1.

    The mean of each gain of arm i is uniform in [lowest[i], lowest[i] + width].
    """
    gains = np.empty((rounds, lowest.size), np.uint8)
    for t in range(rounds):
        for i in range(lowest.size):
            p = lowest[i]
            if width > 0:
                p += width * rng.random()
            gains[t, i] = rng.random() < p
    return gains

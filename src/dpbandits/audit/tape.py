"""What an audit records while a policy's own kernel plays: its noise, the changed reward, and the published actions.

Kernels accept named tuples in place of the generator, the arms and the journal. `RecordingGenerator` draws from a
generator and records every Laplace number; `RewardTable` pays fixed rewards, one row per user; `ActionJournal` records
the published actions. They write to one `Tape`, and `play_games` repeats a game many times in one call. The events of a
news log are a table anyway, and their diary tells which articles were shown (`ShownArticles`).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from dpbandits.algorithms.logs._ridge import SUMS
from dpbandits.environments.logs._events import CLICKS, EXPECTED
from dpbandits.kernels.compiled import kernel, methods
from dpbandits.kernels.sampling import laplace, uniform

# Positions in `Tape.state`: Laplace numbers drawn; whether there were more than the tape has room for; the canary's row,
# the arm that it was paid to (-1: none), this arm's pulls up to it, and whether it was paid in a batch; the horizon.
DRAWS, FULL, ROW, BY, NUMBER, IN_BATCH, HORIZON = range(7)
# Columns of `Tape.rows`: rows paid, rows and arm of the last request; then the pulls of each arm, and those in batches.
PAID, SIZE, ARM, PULLS = range(4)
NOISE, SCALE = range(2)  # rows of `Tape.drawn`
FACTOR = 1099511628211  # of the number that stands for a sequence of actions


class Tape(NamedTuple):
    """The record of one game: for every Laplace number its value and scale, and what had been paid before it.

    The last of `rows` is the present one.
    """

    state: np.ndarray
    rows: np.ndarray
    drawn: np.ndarray


def blank_tape(number_of_arms: int, draws: int, horizon: int) -> Tape:
    """A tape for games with at most `draws` Laplace numbers."""
    rows = np.zeros((draws + 1, PULLS + 2 * number_of_arms), np.int64)
    state = np.zeros(7, np.int64)
    state[HORIZON] = horizon
    return Tape(state, rows, np.zeros((2, draws)))


class RecordingGenerator(NamedTuple):
    """A generator whose Laplace numbers are recorded."""

    generator: Any
    tape: Tape

    def random(self):
        """A uniform number."""
        return uniform(self.generator)

    def beta(self, a, b):
        """A Beta number."""
        return self.generator.beta(a, b)

    def standard_normal(self):
        """A Gaussian number."""
        return self.generator.standard_normal()

    def laplace(self, location, scale):
        """A Laplace number, which is recorded without its location."""
        drawn = laplace(self.generator, scale)
        record_noise(self.tape, drawn, scale)
        return location + drawn


class RewardTable(NamedTuple):
    """Arms with fixed rewards: whoever comes next is the next row, and sums[t, a] is the sum of arm a's rows 1..t.

    `means` has the number of arms only.
    """

    means: np.ndarray
    sums: np.ndarray
    tape: Tape

    def reward(self, rng, a):
        """The next row's reward."""
        t = next_rows(self.tape, a, 1, 0)
        return paid(self.sums, t, a, 1)

    def rewards(self, rng, a, m):
        """The sum of the next m rows' rewards."""
        t = next_rows(self.tape, a, m, 1)
        return paid(self.sums, t, a, m)


class ActionJournal(NamedTuple):
    """A journal that keeps one number for the whole sequence of actions, as far as checkpoints tell them apart."""

    checkpoints: np.ndarray
    kept: np.ndarray
    before: np.ndarray  # pull counts at the checkpoint before, and the number for the actions

    def record(self, k, pulls):
        """Append the number of times that each arm was played since the checkpoint before."""
        code = self.before[pulls.size]
        for a in range(pulls.size):
            code = code * FACTOR + pulls[a] - self.before[a] + 1
            self.before[a] = pulls[a]
        self.before[pulls.size] = code

    def code(self, row):
        """The number for the actions."""
        return self.before[-1]


# The probability of a click on article 0 or 1 that is (a half more) or is not clicked by a visitor whose chance is 1/2.
# The expected clicks in a diary then tell which article was shown.
CHANCE = 0.5
NOT_CLICKED = (0.125, 0.375)


class ShownArticles(NamedTuple):
    """The totals of a diary: after each event but the last, and after the last."""

    kept: np.ndarray
    totals: np.ndarray

    def code(self, row):
        """One number for the articles that all visitors but one were shown, each 0 or 1."""
        code, expected, clicks = 0, 0.0, 0.0
        last = self.kept.shape[1]
        for t in range(1, last + 1):
            expected_now = self.totals[EXPECTED] if t == last else self.kept[EXPECTED, t - 1]
            clicks_now = self.totals[CLICKS] if t == last else self.kept[CLICKS, t - 1]
            p = expected_now - expected - CHANCE * (clicks_now - clicks)
            expected, clicks = expected_now, clicks_now
            if t != row:
                code = code * FACTOR + (2 if p > 0.25 else 1)
        return code


methods(RecordingGenerator)
methods(RewardTable)
methods(ActionJournal)


@kernel
def paid(sums, t, a, m):
    """The sum of arm a's rows t+1..t+m; rows beyond the table pay nothing."""
    last = sums.shape[0] - 1
    return sums[min(t + m, last), a] - sums[min(t, last), a]


@kernel
def record_noise(tape, noise, scale):
    """Record one Laplace number; a full tape is marked as such."""
    i = tape.state[DRAWS]
    if i == tape.drawn.shape[1]:
        tape.state[FULL] = 1
        return
    tape.drawn[NOISE, i], tape.drawn[SCALE, i] = noise, scale
    for j in range(tape.rows.shape[1]):
        tape.rows[i, j] = tape.rows[-1, j]
    tape.state[DRAWS] = i + 1


@kernel
def next_rows(tape, a, m, in_batch):
    """Pay the next m rows to arm a; return the number of rows paid before."""
    state, now = tape.state, tape.rows[-1]
    t = now[PAID]
    if t < state[ROW] <= t + m:
        state[BY], state[NUMBER], state[IN_BATCH] = a, now[PULLS + a] + state[ROW] - t, in_batch
    now[PAID], now[SIZE], now[ARM] = t + m, m, a
    now[PULLS + a] += m
    now[(now.size + PULLS) // 2 + a] += in_batch * m
    return t


# Which rewards a Laplace number covers. Each policy's `privacy` says it for its ledger; here it is a function of what the
# kernel was seen to do. tests/audit checks that a game with the canary changed and all noise moved by these amounts is
# the same game.
NOTHING, BATCH_MEAN, BATCH_SUM, FIRST_BARE, TREE, HYBRID, HYBRID_OF_ALL, LEAVES, ALL_SO_FAR, REDRAWN = range(10)
EPISODES, EPISODES_AND_MEANS, GAIN, VISIT = range(10, 14)


@kernel
def weight(tape, kind, i):
    """By how much the quantity below Laplace number i moves if the canary's reward moves by 1; i counts from 0."""
    state, then = tape.state, tape.rows[i]
    row, by, number = state[ROW], state[BY], state[NUMBER]
    if kind == GAIN:  # one number per round
        return 1.0 if i + 1 == row else 0.0
    if kind == VISIT:  # a node of each tree for every visit, in the order of the events
        n = i // SUMS + 1
        return 1.0 if n - (n & -n) < row <= n else 0.0
    if by < 0 or row > then[PAID]:
        return 0.0
    K = (then.size - PULLS) // 2
    if kind in (BATCH_MEAN, BATCH_SUM, FIRST_BARE):
        if row <= then[PAID] - then[SIZE]:
            return 0.0
        return 1.0 if kind == BATCH_SUM else 1.0 / then[SIZE]
    if kind == HYBRID_OF_ALL:  # a number for every arm after every round, in order
        return 1.0 if i % K == by and in_hybrid(row, then[PAID]) else 0.0
    n, in_batches = then[PULLS + by], then[PULLS + K + by]
    if kind in (ALL_SO_FAR, REDRAWN):
        return 1.0 / n if released_arm(tape, kind, i) == by else 0.0
    if kind in (EPISODES, EPISODES_AND_MEANS):
        return in_episode(tape, kind, i)
    if then[ARM] != by:
        return 0.0
    leaf = number
    if kind == HYBRID:
        return 1.0 if in_hybrid(leaf, n) else 0.0
    if kind == LEAVES and in_batches > 0:  # the first pulls, in one batch, are one leaf
        n, leaf = n - in_batches + 1, max(leaf - in_batches + 1, 1)
    return 1.0 if n - (n & -n) < leaf <= n else 0.0


@kernel
def in_hybrid(item, n):
    """Whether release n of a hybrid mechanism draws new noise for this item."""
    power = 1
    while 2 * power <= n:
        power *= 2
    if n == power:
        return n // 2 < item <= n
    n, item = n - power, item - power
    return n - (n & -n) < item <= n


@kernel
def in_episode(tape, kind, i):
    """GDP-NCB: the mean of an arm's rewards of Phase I and of the batch just paid; before any batch, of Phase I alone.
    The mean that is computed after the last round is not released."""
    state, then = tape.state, tape.rows[i]
    K = (then.size - PULLS) // 2
    batches, by, a = then[PULLS + K :], state[BY], then[ARM]
    after_a_batch = batches.sum() > 0
    if kind == EPISODES_AND_MEANS and not after_a_batch:  # the means of all arms that were played, in order
        a = nth_arm(then[PULLS : PULLS + K] > 0, i)
    batch = then[SIZE] if after_a_batch else 0
    if then[PAID] >= state[HORIZON]:
        return 0.0
    if a != by or (state[IN_BATCH] and state[ROW] <= then[PAID] - batch):
        return 0.0
    return 1.0 / (then[PULLS + by] - batches[by] + batch)


@kernel
def released_arm(tape, kind, i):
    """DP-UCB-INT: all arms are released in order after the round robin, and later the arm that was just played; with
    noise redrawn in every round, the arms to whose number of pulls the scale belongs."""
    then = tape.rows[i]
    if kind == ALL_SO_FAR:
        return i if then[PAID] == tape.rows[0, PAID] else then[ARM]
    before, K = 0, (then.size - PULLS) // 2
    while before < i and tape.rows[i - before - 1, PAID] == then[PAID]:
        before += 1
    exponent = math.log(tape.drawn[SCALE, 0]) / math.log(tape.rows[0, PULLS])
    expected = exponent * np.log(then[PULLS : PULLS + K]) - math.log(tape.drawn[SCALE, i])
    return nth_arm(np.abs(expected) < 1e-9, before)


@kernel
def nth_arm(those, n):
    """The n-th of the arms marked, n counted from 0; -1 if there are fewer."""
    for a in range(those.size):
        if those[a]:
            if n == 0:
                return a
            n -= 1
    return -1


@kernel
def log_ratio(tape, kind, change):
    """The log-likelihood ratio of the released values, with the rewards that were played over those where the canary's
    reward is lower by `change[arm]`, or each of the sums of its visit by `change[sum]`; and the sum of the losses of all
    releases."""
    by, total, spent = tape.state[BY], 0.0, 0.0
    if kind == NOTHING or (by < 0 and kind != GAIN and kind != VISIT):
        return 0.0, 0.0
    moving = change[max(by, 0)]
    if kind == FIRST_BARE and tape.state[NUMBER] == 1 and moving != 0:
        return np.inf, np.inf
    for i in range(tape.state[DRAWS]):
        moved = weight(tape, kind, i) * (change[i % SUMS] if kind == VISIT else moving)
        if moved != 0:
            noise, scale = tape.drawn[NOISE, i], tape.drawn[SCALE, i]
            total += (abs(noise + moved) - abs(noise)) / scale
            spent += abs(moved) / scale
    return total, spent


@kernel
def reset(tape, row):
    """Make the tape ready for a game whose canary is this row."""
    tape.state[:HORIZON] = 0
    tape.state[ROW] = row
    tape.state[BY] = -1
    tape.rows[-1, :] = 0


@kernel
def finish(tape, journal, diary, kind, change):
    """The number of the actions of a finished game, and its `log_ratio`."""
    code = journal.code(tape.state[ROW])
    for t in range(diary.shape[1]):
        code = code * FACTOR + diary[0, t] + 2
    ratio, spent = log_ratio(tape, kind, change)
    return code, ratio, spent


@kernel
def play_games(game, tape, journal, diary, kind, row, change, arrays, copies, codes, ratios):
    """Play a game once for each element of `codes`; return the largest sum of losses, and whether a tape was full.

    codes: the sequence of actions; ratios: `log_ratio` of the releases. Before each game the arrays among the kernel's
    arguments get back their contents, as bytes.
    """
    most, full = 0.0, False
    for g in range(codes.size):
        for k in range(len(arrays)):
            arrays[k][:] = copies[k]
        reset(tape, row)
        game.play()
        codes[g], ratios[g], spent = finish(tape, journal, diary, kind, change)
        most = max(most, spent)
        full = full or tape.state[FULL] > 0
    return most, full

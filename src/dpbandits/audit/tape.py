"""What an audit records while a policy's own kernel plays: its noise, the changed reward, and the published actions.

Kernels accept named tuples in place of the generator, the arms and the journal. `RecordingGenerator` draws from a
generator and records every Laplace number; `RewardTable` pays fixed rewards, one row per user; `ActionJournal` records
the published actions. They write to one `Tape`, and `play_games` repeats a game many times in one call. The events of a
news log are a table anyway, and their diary tells which articles were shown (`ShownArticles`).
"""

import ctypes
import math
from typing import Any, NamedTuple, get_args

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from dpbandits.algorithms.logs._ridge import SUMS
from dpbandits.environments.logs._events import CLICKS, EXPECTED
from dpbandits.kernels.compiled import kernel, methods, step
from dpbandits.kernels.sampling import laplace, uniform
from dpbandits.privacy.releases import Releases

# Positions in `Tape.state`: Laplace numbers drawn; whether there were more than the tape has room for; the row of the canary
# (the reward that is changed), the arm that it was paid to (-1: none), this arm's pulls up to it, and whether it was paid
# together with others (`rewards`); and what `reset` keeps: the horizon, the fault that is planted, and whether it is in the
# uniform numbers.
DRAWS, FULL, ROW, PAID_TO, NUMBER, TOGETHER, HORIZON, FAULT, IN_UNIFORMS = range(9)
# Faults that are planted to see whether the games find them: noise that is 0, or half as large, or of which every second
# number is the one before it. A uniform number becomes 1/2, or is half as far from it, or is repeated.
NONE, REMOVED, HALVED, REUSED = range(4)
LAPLACE, NORMAL, UNIFORM = range(3)  # columns of the row REPEATED
# Columns of `Tape.rows`: a Laplace number and its scale; rows paid, rows and arm of the last request; then the pulls of each arm,
# and those paid together. The last row is the present one, and in the row before it is the number of each law that a fault will
# repeat, or nan.
NOISE, SCALE, PAID, SIZE, ARM, PULLS = range(6)
REPEATED, PRESENT = -2, -1
FACTOR = 1099511628211  # of the number that stands for a sequence of actions


class Tape(NamedTuple):
    """The record of one game: for every Laplace number its value and scale, and what had been paid before it. Two arrays, because each
    one among a kernel's arguments takes time to compile wherever it is passed on."""

    state: np.ndarray
    rows: np.ndarray


def blank_tape(number_of_arms: int, draws: int, horizon: int) -> Tape:
    """A tape for games with at most `draws` Laplace numbers."""
    rows = np.zeros((draws + 2, PULLS + 2 * number_of_arms))
    rows[REPEATED] = np.nan
    state = np.zeros(9, np.int64)
    state[HORIZON] = horizon
    return Tape(state, rows)


class RecordingGenerator(NamedTuple):
    """A generator whose Laplace numbers are recorded, with the fault of its tape. A policy whose kernel calls another method is
    not audited."""

    generator: Any
    tape: Tape

    def random(self):
        """A uniform number."""
        drawn = uniform(self.generator)
        return 0.5 + with_fault(self.tape, UNIFORM, drawn - 0.5) if self.tape.state[IN_UNIFORMS] else drawn

    def beta(self, a, b):
        """A Beta number."""
        return self.generator.beta(a, b)

    def standard_normal(self):
        """A Gaussian number."""
        return with_fault(self.tape, NORMAL, self.generator.standard_normal())

    def normal(self, loc, scale):
        """A Gaussian number."""
        return self.generator.normal(loc, scale)

    def uniform(self, low, high):
        """A uniform number in [low, high)."""
        return self.generator.uniform(low, high)

    def integers(self, low, high):
        """A whole number in [low, high)."""
        return self.generator.integers(low, high)

    def standard_exponential(self):
        """An exponential number with mean 1."""
        return self.generator.standard_exponential()

    def standard_gamma(self, shape):
        """A Gamma number with scale 1."""
        return self.generator.standard_gamma(shape)

    def exponential(self, scale):
        """An exponential number."""
        return self.generator.exponential(scale)

    def binomial(self, n, p):
        """A binomial number."""
        return self.generator.binomial(n, p)

    def laplace(self, location, scale):
        """A Laplace number, which is recorded without its location."""
        drawn = scale * with_fault(self.tape, LAPLACE, laplace(self.generator, 1.0))
        record_noise(self.tape, drawn, scale)
        return location + drawn


class RewardTable(NamedTuple):
    """Arms with fixed rewards: whoever comes next is the next row, and sums[t, a] is the sum of arm a's rows 1..t. What is paid, the
    recording generator's tape records.

    `means` has the number of arms only.
    """

    means: np.ndarray
    sums: np.ndarray

    def reward(self, rng, a):
        """The next row's reward."""
        t = next_rows(rng.tape, a, 1, 0)
        return paid(self.sums, t, a, 1)

    def rewards(self, rng, a, m):
        """The sum of the next m rows' rewards."""
        t = next_rows(rng.tape, a, m, 1)
        return paid(self.sums, t, a, m)


class Contents(NamedTuple):
    """What is in some arrays: where in memory each of them is, how many bytes it has, and the bytes of all."""

    places: np.ndarray
    sizes: np.ndarray
    bytes: np.ndarray


def contents_of(values: tuple) -> Contents:
    """What is in all arrays in nested tuples that a kernel can write to."""
    sizes: dict[int, int] = {}

    def find(value: Any) -> None:
        if isinstance(value, np.ndarray) and value.flags.writeable:
            first, end = np.lib.array_utils.byte_bounds(value)
            sizes[first] = max(end - first, sizes.get(first, 0))
        elif isinstance(value, tuple):
            for each in value:
                find(each)

    find(values)
    found = b"".join(ctypes.string_at(place, size) for place, size in sizes.items())
    places, lengths = np.array([*sizes.items()], np.int64).reshape(-1, 2).T.copy()
    return Contents(places, lengths, np.frombuffer(found, np.uint8).copy())


class ActionJournal(NamedTuple):
    """A journal that keeps one number for the whole sequence of actions, as far as checkpoints tell them apart.

    kept: the number of recorded checkpoints, the pull counts at the last one, and the number for the actions.
    """

    checkpoints: np.ndarray
    kept: np.ndarray

    def record(self, k, pulls):
        """Append the number of times that each arm was played since the checkpoint before."""
        code = self.kept[-1]
        for a in range(pulls.size):
            code = code * FACTOR + pulls[a] - self.kept[1 + a] + 1
            self.kept[1 + a] = pulls[a]
        self.kept[-1] = code

    def code(self, row):
        """The number for the actions."""
        return self.kept[-1]


def blank_action_journal(number_of_arms: int, checkpoints: np.ndarray) -> ActionJournal:
    """An empty journal of actions."""
    return ActionJournal(checkpoints, np.zeros(number_of_arms + 2, np.int64))


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


@step
def paid(sums, t, a, m):
    """The sum of arm a's rows t+1..t+m; rows beyond the table pay nothing."""
    last = sums.shape[0] - 1
    return sums[min(t + m, last), a] - sums[min(t, last), a]


@step
def with_fault(tape, law, drawn):
    """A number of this law, as the fault of the tape leaves it."""
    fault = tape.state[FAULT]
    if fault == REMOVED:
        return 0.0
    if fault == HALVED:
        return drawn / 2
    if fault == REUSED:
        if np.isnan(tape.rows[REPEATED, law]):
            tape.rows[REPEATED, law] = drawn
        else:
            drawn = tape.rows[REPEATED, law]
            tape.rows[REPEATED, law] = np.nan
    return drawn


@step
def record_noise(tape, noise, scale):
    """Record one Laplace number; a full tape is marked as such."""
    i, rows = tape.state[DRAWS], tape.rows
    if i == rows.shape[0] - 2:
        tape.state[FULL] = 1
        return
    rows[i, NOISE], rows[i, SCALE] = noise, scale
    for j in range(PAID, rows.shape[1]):
        rows[i, j] = rows[PRESENT, j]
    tape.state[DRAWS] = i + 1


@step
def next_rows(tape, a, m, together):
    """Pay the next m rows to arm a; return the number of rows paid before."""
    state, rows = tape.state, tape.rows
    t = int(rows[PRESENT, PAID])
    if t < state[ROW] <= t + m:
        state[PAID_TO], state[NUMBER], state[TOGETHER] = a, int(rows[PRESENT, PULLS + a]) + state[ROW] - t, together
    rows[PRESENT, PAID], rows[PRESENT, SIZE], rows[PRESENT, ARM] = t + m, m, a
    rows[PRESENT, PULLS + a] += m
    rows[PRESENT, PULLS + number_of_arms(tape) + a] += together * m
    return t


# What is released, as a number for kernels: its place in the list of `Releases`.
ACTIONS, REPORTS, MEANS, SUMS_PAID, MEANS_AFTER_FIRST, TREE, TREE_AFTER_SUM, HYBRID, HYBRID_OF_ROUNDS = range(9)
MEANS_OF_ALL, MEANS_REDRAWN, EPISODES, EPISODES_AND_MEANS, GAINS, VISITS = range(9, 15)
KINDS = {name: place for place, name in enumerate(get_args(Releases))}
# What a release covers, each algorithm declares (`dpbandits.privacy.releases`); here it is a function of what the kernel was
# seen to do. tests/audit checks that a game with the canary changed and all noise moved by these amounts is the same game.


@step
def coefficient(tape, kind, i):
    """The canary's coefficient in the quantity to which Laplace number i, counted from 0, was added: 1 in a sum that
    contains it, 1/n in a mean of n rewards that contains it, and otherwise 0."""
    canary, arm, rows = tape.state[ROW], tape.state[PAID_TO], tape.rows
    paid_then, size = int(rows[i, PAID]), int(rows[i, SIZE])
    if kind == GAINS:  # one number per round
        return 1.0 if i + 1 == canary else 0.0
    if kind == VISITS:  # a node of each tree for every visit, in the order of the events
        return 1.0 if in_node(canary, i // SUMS + 1) else 0.0
    if arm < 0 or canary > paid_then:  # it was not paid yet
        return 0.0
    if kind == REPORTS:  # a number for every reward
        return 1.0 if canary == paid_then else 0.0
    if kind in (MEANS, SUMS_PAID, MEANS_AFTER_FIRST):
        if canary <= paid_then - size:
            return 0.0
        return 1.0 if kind == SUMS_PAID else 1.0 / size
    K = number_of_arms(tape)
    if kind == HYBRID_OF_ROUNDS:  # a number for every arm after every round, in order
        return 1.0 if i % K == arm and in_hybrid(canary, paid_then) else 0.0
    if kind in (MEANS_OF_ALL, MEANS_REDRAWN):
        return 1.0 / rows[i, PULLS + arm] if released_arm(tape, kind, i) == arm else 0.0
    if kind in (EPISODES, EPISODES_AND_MEANS):
        return coefficient_in_episode(tape, kind, i)
    if rows[i, ARM] != arm:
        return 0.0
    n, item, together = int(rows[i, PULLS + arm]), tape.state[NUMBER], int(rows[i, PULLS + K + arm])
    if kind == HYBRID:
        return 1.0 if in_hybrid(item, n) else 0.0
    if kind == TREE_AFTER_SUM and together > 0:  # all pulls that were paid together are the first leaf
        n, item = n - together + 1, max(item - together + 1, 1)
    return 1.0 if in_node(item, n) else 0.0


@step
def number_of_arms(tape):
    """The number of arms that a tape has room for."""
    return (tape.rows.shape[1] - PULLS) // 2


@step
def in_node(item, n):
    """Whether the node of a tree that is complete with item n contains this item."""
    return n - (n & -n) < item <= n


@step
def in_hybrid(item, n):
    """Whether release n of a hybrid mechanism draws new noise for this item."""
    power = 1
    while 2 * power <= n:
        power *= 2
    if n == power:
        return n // 2 < item <= n
    return in_node(item - power, n - power)


@step
def coefficient_in_episode(tape, kind, i):
    """GDP-NCB: the mean of an arm's rewards of Phase I and of the episode just paid; before any episode, of Phase I alone.
    The mean that is computed after the last round is not released."""
    state, rows, K = tape.state, tape.rows, number_of_arms(tape)
    a, episode = int(rows[i, ARM]), 0
    for b in range(K):
        if rows[i, PULLS + K + b] > 0:
            episode = int(rows[i, SIZE])
    if kind == EPISODES_AND_MEANS and episode == 0:  # of all arms that were played, in order
        a, before = -1, i
        for b in range(K):
            if rows[i, PULLS + b] > 0:
                a = b if before == 0 else a
                before -= 1
    if rows[i, PAID] >= state[HORIZON] or a != state[PAID_TO]:
        return 0.0
    if state[TOGETHER] and state[ROW] <= rows[i, PAID] - episode:  # it was paid in an earlier episode
        return 0.0
    return 1.0 / (rows[i, PULLS + a] - rows[i, PULLS + K + a] + episode)


@step
def released_arm(tape, kind, i):
    """DP-UCB-INT: all arms are released in order after the round robin, and later the arm that was just played; with
    noise redrawn in every round, the arms to whose number of pulls the scale belongs; -1 if there is none."""
    rows = tape.rows
    if kind == MEANS_OF_ALL:
        return i if rows[i, PAID] == rows[0, PAID] else int(rows[i, ARM])
    before = 0
    while before < i and rows[i - before - 1, PAID] == rows[i, PAID]:
        before += 1
    exponent = math.log(rows[0, SCALE]) / math.log(rows[0, PULLS])
    for a in range(number_of_arms(tape)):
        if abs(exponent * math.log(rows[i, PULLS + a]) - math.log(rows[i, SCALE])) < 1e-9:
            if before == 0:
                return a
            before -= 1
    return -1


@step
def log_ratio(tape, kind, change):
    """The log-likelihood ratio of the released values, with the rewards that were played over those where the canary's
    reward is lower by `change[arm]`, or each of the sums of its visit by `change[sum]`; and the sum of the losses of all of them."""
    arm, total, spent = tape.state[PAID_TO], 0.0, 0.0
    if kind == ACTIONS or (arm < 0 and kind != GAINS and kind != VISITS):
        return 0.0, 0.0
    moving = change[max(arm, 0)]
    if kind == MEANS_AFTER_FIRST and tape.state[NUMBER] == 1 and moving != 0:
        return np.inf, np.inf
    for i in range(tape.state[DRAWS]):
        moved = coefficient(tape, kind, i) * (change[i % SUMS] if kind == VISITS else moving)
        if moved != 0:
            noise, scale = tape.rows[i, NOISE], tape.rows[i, SCALE]
            total += (abs(noise + moved) - abs(noise)) / scale
            spent += abs(moved) / scale
    return total, spent


@step
def reset(tape, row):
    """Make the tape ready for a game whose canary is this row."""
    for i in range(HORIZON):
        tape.state[i] = 0
    tape.state[ROW] = row
    tape.state[PAID_TO] = -1
    for j in range(tape.rows.shape[1]):
        tape.rows[PRESENT, j] = 0.0
        tape.rows[REPEATED, j] = np.nan


@step
def finish(tape, journal, diary, kind, change):
    """The number of the actions of a finished game, and its `log_ratio`."""
    code = journal.code(tape.state[ROW])
    for t in range(diary.shape[1]):
        code = code * FACTOR + diary[0, t] + 2
    ratio, spent = log_ratio(tape, kind, change)
    return code, ratio, spent


@intrinsic
def bytes_at(typing_context, address):
    """The bytes of memory from an address on."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.CPointer(types.uint8)(address), generate


@step
def put_back(contents):
    """Give all arrays the contents that they had. To pass dozens of arrays takes longer to compile than a policy."""
    start = 0
    for k in range(contents.places.size):
        array = bytes_at(contents.places[k])
        for i in range(contents.sizes[k]):
            array[i] = contents.bytes[start + i]
        start += contents.sizes[k]


@kernel
def play_games(game, tape, journal, diary, kind, row, change, contents, codes, ratios):
    """Play a game once for each element of `codes`; return the largest sum of losses, and whether a tape was full.

    codes: the sequence of actions; ratios: `log_ratio` of the releases. Before each game the arrays among the kernel's
    arguments get back their contents.
    """
    most, full = 0.0, False
    for g in range(codes.size):
        put_back(contents)
        reset(tape, row)
        game.play()
        codes[g], ratios[g], spent = finish(tape, journal, diary, kind, change)
        most = max(most, spent)
        full = full or tape.state[FULL] > 0
    return most, full

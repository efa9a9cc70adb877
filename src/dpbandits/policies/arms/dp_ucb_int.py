"""DP-UCB-INT: Tossou & Dimitrakakis (2016), Algorithm 3.

The schedule is that of Lemmas 3.1 and B.1 and of Corollaries 3.1 and 3.2. An arm's mean is released
only when its pull count n reaches one of a few update counts W_1 < W_2 < ... Each release has new
Laplace noise, of scale n^(v/2-1). The input epsilon of the schedule
follows from the promised (epsilon', delta').
"""

import math
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le
from scipy.special import zeta

from dpbandits.errors import InputError
from dpbandits.kernels import kernel, step
from dpbandits.parameters import Positive, Probability, Words
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import Account, Ledger, rho_of

Exponent = Annotated[float, Gt(1), Le(1.5), Words("a number in (1, 1.5]")]
Schedule = Literal["series_y", "series_x", "simple"]
BLOCK = 1 << 16  # numbers in memory at a time
DELTA = 4.5399929762484854e-05  # e^-10, as in the experiments of Tossou & Dimitrakakis (2016)


class DPUCBInt(ArmsPolicy):
    """UCB on means that are released at intervals; `epsilon` is the promised epsilon'.

    The t of an arm's confidence term sqrt(2 ln t/n_a) is a matter of reading (`bonus`): the last
    round in which the pull count was an update count, the current round, or the first round after
    the release.
    """

    epsilon: Positive
    delta: Probability = DELTA
    v: Exponent = 1.1
    schedule: Schedule = "series_y"
    bonus: Literal["refresh_at_update", "current_t", "frozen"] = "refresh_at_update"
    may_stay_in_round_robin: bool = False

    @property
    def input_epsilon(self) -> float:
        """Corollary 3.2: the zeta branch of Corollary 3.1 promises (epsilon', delta') for it."""
        return rho_of(4 * self.epsilon, self.delta) / (8 * float(zeta(self.v)))

    def first_update(self, limit: float = math.inf) -> int:
        """W_1, at most `limit`. It never exceeds ceil(1/input_epsilon)."""
        limit = math.ceil(min(1 / self.input_epsilon, limit))
        if self.schedule == "simple":
            return limit
        total = 0.0
        for start in range(1, limit + 1, BLOCK):  # in plain numpy, which needs no compilation
            powers = np.arange(start, min(start + BLOCK, limit + 1)) ** -self._exponent
            sums = np.cumsum(np.append(total, powers))[1:]
            reached = np.flatnonzero(sums >= powers / self.input_epsilon)
            if reached.size:
                return start + int(reached[0])
            total = sums[-1]
        return limit

    def update_counts(self, limit: int) -> np.ndarray:
        """W_1, W_2, ... up to `limit`: Lemma B.1, or with `simple` the pseudocode."""
        if self.schedule == "simple":
            step = min(math.ceil(1 / self.input_epsilon), limit + 1)
            return np.arange(step, limit + 1, step, dtype=np.int64)
        return _all_counts(self.input_epsilon, self._exponent, limit)

    @property
    def _exponent(self) -> float:
        return self.v if self.schedule == "series_y" else self.v / 2

    def check(self, horizon, number_of_arms):
        """Raise InputError if it would stay in its K W_1 rounds of round robin, unasked."""
        about = f"epsilon {self.epsilon:g}"
        if not 0 < self.input_epsilon <= 1:
            remedy = "smaller" if self.input_epsilon > 1 else "larger"
            raise InputError(
                f"{about}: the input epsilon of Corollary 3.2 is {self.input_epsilon:.3g}, and "
                f"DP-UCB-INT is defined for numbers in (0, 1]; write a {remedy} epsilon"
            )
        first = self.first_update(horizon)
        if number_of_arms * first >= horizon and not self.may_stay_in_round_robin:
            least = "at least " if first == horizon else ""
            rounds = f"{number_of_arms} x {least}{first} = {number_of_arms * first} rounds"
            raise InputError(
                f"horizon {horizon} is too short for DP-UCB-INT at {about} with schedule "
                f"{self.schedule}: it plays round robin for K W_1 = {rounds}; write a longer "
                "horizon or a larger epsilon (or may_stay_in_round_robin: true, if that is what "
                "you want to see)"
            )

    def play(self, run):
        updates = self.update_counts(run.horizon)
        always, refreshes = self.bonus == "current_t", self.bonus == "refresh_at_update"
        dp_ucb_int(run, updates, self.v, always, refreshes)

    def privacy(self, horizon, number_of_arms):
        """The mean of n rewards has sensitivity 1/n; an arm's first reward is in all releases."""
        return self._account(horizon)

    @lru_cache(maxsize=512)  # noqa: B019 - the same for any number of arms
    def _account(self, horizon):
        ledger = Ledger()
        for n in self.update_counts(horizon).tolist():
            ledger.book(1, n, sensitivity=1 / n, scale=n ** (self.v / 2 - 1))
        return Account(self.epsilon, self.delta, ledger)

    def audit_games(self):
        """Games longer than two arms need for their first releases."""
        first, changes = self.first_update(), {"may_stay_in_round_robin": True}
        users = (1, 2 * first)
        longer = Setting(2, 2 * first + 8, ("zeros", "tie"), users, changes=changes)
        return AuditGames((longer,))


@lru_cache(maxsize=16)
def _all_counts(input_epsilon: float, exponent: float, limit: int) -> np.ndarray:
    return _series(input_epsilon, exponent, limit)


@kernel
def _series(input_epsilon, exponent, limit):
    """W_{n+1} is the smallest y > W_n with sum_{i=W_n+1..y} i^-exponent >= 1/(eps y^exponent)."""
    counts = []
    total = 0.0
    for y in range(1, limit + 1):
        power = y**-exponent
        total += power
        if total >= power / input_epsilon:
            counts.append(y)
            total = 0.0
    return np.array(counts, dtype=np.int64)


@kernel
def dp_ucb_int(run, updates, v, always, refreshes):
    """Play a whole game by x_hat_a = s_a/n_a + Lap(n_a^(v/2-1)) + sqrt(2 ln t/n_a).

    n_a is that of the last release. Without a new release, an arm's confidence term is that of
    the current round if `always`, or, if `refreshes`, while its pull count is an update count.
    The leader is played up to its next update count, or for fewer rounds, in which it surely leads.
    No reward decides when a lead ends, unlike in `drivers.index.play_leads`, so that the
    rewards of a lead are drawn as one sum.
    """
    K, end, pulls = run.K, run.end, run.pulls
    first = updates[0] if updates.size else end
    t = run.spend_in_turn(np.arange(K), first)
    s, x_hat, private_mean, width = np.zeros(K), np.zeros(K), np.zeros(K), np.zeros(K)
    following = np.ones(K, np.int64)  # index of the arm's next update count
    # Whether an arm's mean is due for release; whether its confidence term is the current one.
    is_new, grows = np.ones(K, np.bool_), np.full(K, always or refreshes)
    while t < end:
        confidence = root_log(t + 1)
        for b in range(K):
            if is_new[b]:
                s[b] += run.collect(b)  # only now: nothing depends on these rewards before
                noise = pulls[b] ** (v / 2 - 1)
                private_mean[b] = run.releases.laplace(s[b] / pulls[b], noise)
                width[b] = math.sqrt(1 / pulls[b])
            if is_new[b] or grows[b]:
                x_hat[b] = private_mean[b] + confidence * width[b]
            is_new[b] = False
        a = np.argmax(x_hat)
        until_update = updates[following[a]] - pulls[a] if following[a] < updates.size else end
        m = min(until_update, end - t)
        while m > 1 and not stays_largest(a, t + m, x_hat, private_mean, width, grows):
            m //= 2
        t += run.spend(a, m)
        is_new[a] = following[a] < updates.size and pulls[a] == updates[following[a]]
        grows[a] = always or (refreshes and is_new[a])
        following[a] += is_new[a]


@step
def root_log(t):
    """sqrt(2 ln t)."""
    return math.sqrt(2 * math.log(t))


@step
def stays_largest(a, last, x_hat, private_mean, width, grows):
    """Whether arm a's index is above every rival's at its largest, until round `last`."""
    confidence = root_log(last)
    for b in range(x_hat.size):
        index = private_mean[b] + confidence * width[b] if grows[b] else x_hat[b]
        if b != a and index >= x_hat[a]:
            return False
    return True

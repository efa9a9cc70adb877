"""KL-UCB on randomised responses (KLUCB-CF): Gajane, Urvoy & Kaufmann, "Corrupt Bandits for Preserving Local Privacy"
(2018). Known from summaries, not from the paper's text.

Every user draws a bit that is 1 with probability equal to the reward, and reports it with probability
e^epsilon/(1 + e^epsilon), otherwise its opposite. Of an arm with mean q a report is 1 with probability
g(q) = (1 + q (e^epsilon - 1))/(1 + e^epsilon). Each arm is played once, and then the arm with the largest

    I_a = max{q in [0, 1] : n_a kl(mean of its reports, g(q)) <= ln t + c ln ln t}.

c = 3 is that of KL-UCB's theorem. An arm whose q is not bounded below 1 has I_a = 1, and of these the first is played.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.bernoulli_kl import above, kl_index
from dpbandits.drivers.index import index_rule, play_with_leads
from dpbandits.parameters import NotNegative, Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.random import noisy_bit


def play(rng, arms, horizon, journal, *, epsilon: Positive, c: NotNegative = 3.0):
    play_with_leads(rng, arms, horizon, journal, RandomisedKLUCB(honesty(epsilon), c))


def honesty(epsilon: float) -> float:
    """The probability of an honest report. Beyond epsilon = 27 a report still may be a lie."""
    return min(1 / (1 + math.exp(-epsilon)), 1 - 1e-12)


def reporting(horizon, number_of_arms, *, epsilon, c=3.0):
    """Every user reports by the same rule."""
    return {"any round": RandomisedKLUCB(honesty(epsilon), c)}


def privacy(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """Each reward is reported once. The two probabilities of a report differ by a factor of e^epsilon at most."""
    return Account(epsilon, 0.0, Ledger().book_loss(1, 1, loss=epsilon), trust="local")


@index_rule
class RandomisedKLUCB(NamedTuple):
    """s: the sum of an arm's n reports. The index is g(q), which grows with q: from 1 - truth to `truth`."""

    truth: float  # g(1), the probability of an honest report
    c: float

    def report(self, rng, reward):
        """Both draws at once: a bit of the user is 1 with probability g(reward)."""
        return noisy_bit(rng, 1 - self.truth + reward * (2 * self.truth - 1))

    def growth(self, t):
        log_t = math.log(t)
        return log_t + self.c * math.log(max(log_t, 1.0))

    def terms(self, s, n):
        return s / n, n

    def score(self, terms, budget):
        mean, n = terms
        if above(mean, budget / n, self.truth):
            return self.truth
        return min(max(kl_index(mean, budget / n), 1 - self.truth), self.truth)

    def exceeds(self, terms, budget, level):
        """Without computing the index."""
        mean, n = terms
        return level < self.truth and (level < 1 - self.truth or above(mean, budget / n, level))

    def counted(self, s, n, budget):
        return s

"""kl-UCB-CF, KL-UCB on randomised responses: Gajane, Urvoy & Kaufmann (2018), Algorithm 1.

Every user draws a bit that is 1 with probability equal to the reward, and reports it with
probability e^epsilon/(1 + e^epsilon), otherwise its opposite (their eq. 2; the paper has rewards of
0 and 1). A report on an arm of mean q is 1 with probability g(q) = (1 + q (e^epsilon - 1))/(1 +
e^epsilon). Each arm is played once, and then in round t the arm with the largest

    I_a = max{q in [0, 1] : n_a kl(mean of its reports, g(q)) <= ln t + c ln ln t}.

c = 3 is that of their Theorem 2, where t counts the rounds before this one. c = 0 is ours, as other
experiments with KL-UCB have it. An arm whose q is not bounded below 1 has I_a = 1, and of these the
first is played.
"""

import math

from dpbandits.drivers.bernoulli_kl import above, kl_index
from dpbandits.drivers.index import IndexPolicy, SumLeads
from dpbandits.parameters import NotNegative, Positive
from dpbandits.privacy.reports import RandomisedResponse


class ResponseLeads(SumLeads):
    """Leads by the relative entropy, without the index."""

    def exceeds(self, arm, budget, level):
        """The index is between 1 - truth and `truth`."""
        mean, n = arm
        return level < self.truth and (level < 1 - self.truth or above(mean, budget / n, level))


class RRKLUCB(RandomisedResponse, IndexPolicy):
    """s: the sum of an arm's n reports. The index is g(q), from 1 - truth to `truth` = g(1)."""

    short_cut = ResponseLeads

    epsilon: Positive
    c: NotNegative = 3.0

    def growth(self, t):
        log_t = math.log(t)
        return log_t + self.c * math.log(max(log_t, 1.0))

    def statistics(self, s, n):
        return s / n, n

    def index(self, mean, n, budget):
        if above(mean, budget / n, self.truth):
            return self.truth
        return min(max(kl_index(mean, budget / n), 1 - self.truth), self.truth)

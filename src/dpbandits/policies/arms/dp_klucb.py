"""DP-KLUCB, KL-UCB in phases whose sums are kept.

Azize, Wu, Honda, Orabona, Ito & Basu, "Optimal Regret of Bandits under Differential Privacy"
(2025). Known from the abstract and a reader's summary, not from the paper's text.

    pull each arm once
    while t < T:                       a phase of one arm, whose first round is t + 1
        A = the arm that the index chooses
        pull A until it has `growth` times as many pulls as before (cut at T)
        add the sum of these rewards, with Lap(1/epsilon), to s_A

Nothing is forgotten: s_A has the noise of all phases. The index compares x_A = s_A/n_A, clipped to
[0, 1], with a mean y by

    d_epsilon(x, y) = min over z between x and y of epsilon |z - x| + kl(z, y).

The theory lets `growth` be any factor above 1; 2, a first phase of one pull and the rounding are
ours. d_epsilon allows for one Laplace number, and s_A has one for each phase. With small epsilon
their sum is very low in a few runs of a hundred. Then the best arm is not played again for most of
the game (docs/arena.md counts these runs).
"""

import math
from typing import Annotated

from annotated_types import Gt, Le

from dpbandits.drivers.bernoulli_kl import kl_index
from dpbandits.drivers.episodes import SumsOfEpisodes
from dpbandits.kernels import step
from dpbandits.parameters import Words
from dpbandits.privacy.games import NOISY_MAX, SHORT, AuditGames, Setting

Growth = Annotated[float, Gt(1), Le(16), Words("a number in (1, 16]")]


class DPKLUCB(SumsOfEpisodes):
    """I_a = max{q : d_epsilon(x_a, q) <= ln t/n_a}."""

    growth: Growth = 2.0

    def index(self, s, n, t):
        return largest_within(clipped_mean(s, n), math.log(t) / n, self.epsilon)

    def length(self, a, h, n):
        return max(1, math.ceil(self.growth * n) - n)

    def update(self, releases, a, s, n, total, m):
        return s + self.released(releases, total), n + m

    def audit_games(self):
        """Games in which the indices fall below 1, as d_epsilon(0, 1) = epsilon.

        Without rewards and noise, arm 0 is pulled n times, then arm 1. If all rewards are 1, arm 0
        is pulled until its noise outweighs that. The changed rewards are in phases that decide.
        """
        n = 2
        while n * self.epsilon < math.log(2 * n + 1):
            n = max(n + 1, math.ceil(self.growth * n))
        users = (n + 1, 3 * n // 2 + 1, 2 * n + 1)
        deciding = Setting(2, 3 * n + 4, ("zeros", "ones"), users)
        return AuditGames((SHORT, NOISY_MAX, deciding))


@step
def clipped_mean(s, n):
    """s/n in [0, 1]."""
    return min(max(s / n, 0.0), 1.0)


@step
def largest_within(x, budget, epsilon):
    """The largest q in [x, 1] with d_epsilon(x, q) <= budget.

    The minimising z is then q e^(total - epsilon).
    """
    total = budget + epsilon * x
    if total >= epsilon:
        return 1.0
    q = math.expm1(-total) / math.expm1(-epsilon)
    return q if x < q * math.exp(total - epsilon) else kl_index(x, budget)

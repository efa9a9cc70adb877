"""The policies of tossou2017 in plain Python, from the pseudocode.

A game is a list of rows of gains. A twin draws its random numbers in the order of its pseudocode:
the arm, then the noise.
"""

import itertools
import math

from plain.parts import reward


class Exp3:
    """Auer et al. (2003), Figure 1: all weights anew in every round, from the estimated gains."""

    def __init__(self, K, gamma):
        self.G, self.gamma = [0.0] * K, gamma

    def law(self):
        K, top = len(self.G), max(self.G)
        w = [math.exp(self.gamma / K * (G - top)) for G in self.G]
        return [(1 - self.gamma) * x / sum(w) + self.gamma / K for x in w]

    def choose(self, rng):
        p, u = self.law(), rng.random()
        a = 0
        while a < len(p) - 1 and u >= sum(p[: a + 1]):
            a += 1
        return a, p[a]

    def learn(self, a, p, gain):
        self.G[a] += gain / p


def gamma_of(K, updates):
    return min(1, math.sqrt(K * math.log(K) / ((math.e - 1) * updates)))


class Player:
    """Play arms and book gains. A change of arms leaves a share of the gain, seen or not."""

    def __init__(self, gains, share=1.0, penalty_observed=True):
        self.gains, self.share, self.observed = gains, share, penalty_observed
        self.actions, self.received = [], []

    def play(self, a):
        promised = gain = self.gains[len(self.actions)][a]
        if self.actions and self.actions[-1] != a:
            gain = self.share * promised
        self.actions.append(a)
        self.received.append(gain)
        return gain if self.observed else promised


def exp3(rng, player):
    T, K = len(player.gains), len(player.gains[0])
    it = Exp3(K, gamma_of(K, T))
    for _ in range(T):
        a, p = it.choose(rng)
        it.learn(a, p, player.play(a))
    return 0


def dp_exp3_lap(rng, player, epsilon):
    T, K = len(player.gains), len(player.gains[0])
    it, b, ignored = Exp3(K, gamma_of(K, T)), math.log(T) / epsilon, 0
    for _ in range(T):
        a, p = it.choose(rng)
        r = player.play(a) + rng.laplace(0, 1 / epsilon)
        if -b <= r <= b + 1:
            it.learn(a, p, (r + b) / (2 * b + 1))
        else:
            ignored += 1
    return ignored


def exp3_tau(rng, player, tau):
    T, K = len(player.gains), len(player.gains[0])
    it = Exp3(K, gamma_of(K, T / tau))
    for start in range(0, T, tau):
        a, p = it.choose(rng)
        batch = [player.play(a) for _ in range(min(tau, T - start))]
        if len(batch) == tau:
            it.learn(a, p, sum(batch) / tau)
    return 0


def on_table(rng, means, horizon, play, **parameters):
    """Play the table of all rewards, drawn row by row. One between 0 and 1 is rounded at random."""

    def gain(mean):
        drawn = reward(rng, mean)
        return drawn if drawn in (0, 1) else float(rng.random() < drawn)

    player = Player([[gain(mean) for mean in means] for _ in range(horizon)])
    play(rng, player, **parameters)
    return player.actions


def exp3_on_arms(rng, means, horizon):
    return on_table(rng, means, horizon, exp3)


def dp_exp3_lap_on_arms(rng, means, horizon, epsilon):
    return on_table(rng, means, horizon, dp_exp3_lap, epsilon=epsilon)


def exp3_tau_on_arms(rng, means, horizon, epsilon, delta=1e-8):
    """tau is the smallest with which Theorem 3.5 promises epsilon, with x = T/tau^3."""

    def promised(tau):
        x = horizon / tau**3
        return 4 * x + math.sqrt(8 * math.log(1 / delta) * x)

    tau = next(tau for tau in itertools.count(1) if promised(tau) <= epsilon)
    return on_table(rng, means, horizon, exp3_tau, tau=tau)

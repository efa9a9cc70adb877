"""Compare three policies and one of our own on three arms: regret, promises and a picture."""

import math

from dpbandits import Bernoulli, compare
from dpbandits.drivers.index import IndexPolicy
from dpbandits.parameters import Positive
from dpbandits.policies import DPSE, UCB
from dpbandits.privacy.ledger import Account, Ledger


class ReportedUCB(IndexPolicy):
    """Play the largest mean + sqrt(2 ln t/n) of rewards that users report with noise."""

    epsilon: Positive

    def report(self, releases, reward):
        return releases.laplace(reward, 1 / self.epsilon)

    def index(self, s, n, t):
        return s / n + math.sqrt(2 * math.log(t) / n)

    def privacy(self, horizon, number_of_arms):
        """Each reward is released once."""
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=1 / self.epsilon)
        return Account(self.epsilon, 0.0, ledger, trust="local")


policies = [UCB(), *DPSE.grid(epsilon=[0.1, 0.5]), ReportedUCB(epsilon=0.5)]
arms = Bernoulli([0.8, 0.7, 0.5], shuffled=True)
result = compare(policies, on=arms, horizon=100_000, n_runs=50, seed=1)
print(result)
print(result.privacy[["policy", "epsilon", "spent", "trust", "kept"]])
result.runs.to_csv("runs.csv", index=False)
result.plot("compare.pdf")

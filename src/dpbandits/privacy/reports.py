"""Local privacy: what a user reports of a reward, to a policy that nobody trusts.

Each class is a base of policies with the parameter epsilon. Kernels call its `report`, and so do
audits.
"""

import math

from dpbandits.privacy.ledger import Account, Ledger, released_once

MAX_TRUTH = 1 - 1e-12  # beyond epsilon = 27 a report still may be a lie


class NoisyReports:
    """A user reports reward + Lap(1/epsilon)."""

    def report(self, releases, reward):
        """Return the report."""
        return releases.laplace(reward, 1 / self.epsilon)

    def reports(self, horizon, number_of_arms):
        """Users report in the same way in every round."""
        return {"any round": self.compiled(horizon, number_of_arms)}

    def privacy(self, horizon, number_of_arms):
        """Each reward is reported once, so the ledger has one item."""
        return released_once(self.epsilon, 1, trust="local")


class RandomisedResponse(NoisyReports):
    """A user draws a bit, 1 with probability equal to the reward, and lies at random.

    The report is the bit with probability `truth` = e^epsilon/(1 + e^epsilon), otherwise its
    opposite.
    """

    def constants(self, horizon, number_of_arms):
        """The probability of an honest report."""
        return {"truth": min(1 / (1 + math.exp(-self.epsilon)), MAX_TRUTH)}

    def report(self, releases, reward):
        """Return the report; both draws at once."""
        return releases.bit(1 - self.truth + reward * (2 * self.truth - 1))

    def privacy(self, horizon, number_of_arms):
        """Each reward is reported once; probabilities of a report differ by at most e^epsilon."""
        ledger = Ledger().book_loss(1, 1, loss=self.epsilon)
        return Account(self.epsilon, 0.0, ledger, trust="local")

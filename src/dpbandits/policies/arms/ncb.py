"""NCB, the Nash confidence bound, without privacy: the baseline of sarkar2025.

Barman, Khan, Maiti & Sawarni, "Fairness and Welfare Quantification for Regret in Multi-Armed
Bandits" (2023).

    Phase I   play random arms until n_i mu_i of some arm exceeds theta c^2 ln T
    Phase II  argmax_i mu_i + 2c sqrt(2 mu_i ln T/n_i)

theta = 420 in the paper of Barman et al.; the released code of Sarkar et al. has theta = 1
(repository NP-Hardest/DP-NCB, commit 4839751, algorithms/NCBNonPrivate.py:65).
"""

import math

from dpbandits.drivers.index import SumLeads
from dpbandits.drivers.nash_phases import NashPolicy, play_both_phases
from dpbandits.errors import InputError
from dpbandits.parameters import Positive


class NCB(NashPolicy):
    """s = n mu. T is `planned` times the horizon: with 10, the beginning of a longer game."""

    short_cut = SumLeads

    c: Positive = 3.0
    theta: Positive = 1.0
    planned: Positive = 1.0

    def check(self, horizon, number_of_arms):
        """Raise InputError if T would be less than one round."""
        if self.planned * horizon < 1:
            says = f"planned: {self.planned:g} times {horizon} rounds is less than one round"
            raise InputError(f"{says}; write a larger number")

    def constants(self, horizon, number_of_arms):
        L = math.log(self.planned * horizon)
        return {"threshold": self.theta * self.c**2 * L, "bonus": 2 * self.c * math.sqrt(2 * L)}

    def explored(self, releases, a, s, n):
        return s > self.threshold

    def statistics(self, s, n):
        """mu + 2c sqrt(2 mu L/n) as (s + 2c sqrt(2 L s))/n; infinite for an arm without pulls."""
        if n == 0:
            return (math.inf,)
        return ((s + self.bonus * math.sqrt(s)) / n,)

    def play(self, run):
        policy = self.compiled(run.horizon, run.K)
        self.refuse_nan(play_both_phases(run, (policy, policy), run.horizon))

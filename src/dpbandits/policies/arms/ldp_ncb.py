"""LDP-NCB, Nash bounds under local privacy.

Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 5. Every user reports reward + Lap(1/epsilon), and
the policy sees only the reports.

    Phase I   play random arms until the reports of some arm exceed a threshold
              (`drivers.nash_phases`)
    Phase II  argmax_i mu_i + 2c sqrt(2 mu_i L/n_i) + sqrt(8 alpha L/n_i)/epsilon
                       + 4c (2 alpha l^3/n_i^3)^{1/4}/sqrt(epsilon)

with mu_i the mean report clipped to [0, 1], by the authors' code (repository NP-Hardest/DP-NCB,
commit 4839751), algorithms/LDPNCB.py:109-114. It has l = ln W (`index_log`; W: see
`drivers.nash_phases`) and L = ln T (`leading_log`), and GDP-NCB ln W for both. Our copy of the
paper has no formulas, and its listings name T alone, which suggests L = l = ln T. In Phase I
the code's noise has location 1/epsilon and scale 1 (`phase1_noise: misplaced`), :91-92.
"""

import math
from typing import Literal

from dpbandits.drivers.index import Leads
from dpbandits.drivers.nash_phases import (
    Cap,
    Log,
    NashPolicy,
    cap_of,
    log_by,
    play_both_phases,
)
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger


class ClippedLeads(Leads):
    """The potential is the sum of the reports in [0, n], as the index clips their mean."""

    def potential(self, s, n, growth):
        return min(max(s, 0.0), float(n))


class LDPNCB(NashPolicy):
    """The Nash confidence bound on noisy reports."""

    short_cut = ClippedLeads

    epsilon: Positive
    c: Positive = 3.0
    alpha: Positive = 3.1  # the theory needs alpha > 3
    cap: Cap = "sqrt"
    multiplier: Positive = 1600.0
    index_log: Log = "cap"
    phase1_noise: Literal["centred", "misplaced"] = "centred"
    leading_log: Log = "horizon"

    def constants(self, horizon, number_of_arms):
        """Those of Phase I in a game that is planned for `horizon` rounds."""
        L, misplaced = log_by(horizon, self.leading_log), self.phase1_noise == "misplaced"
        root = (2 * self.alpha * log_by(horizon, self.index_log) ** 3) ** 0.25
        return {
            "longest_phase1": cap_of(horizon, self.cap) + 1,
            "location": 1 / self.epsilon if misplaced else 0.0,  # of the noise of a report
            "scale": 1.0 if misplaced else 1 / self.epsilon,
            "c2_log": self.c * self.c * L,
            "squared_log": L / self.epsilon * (L / self.epsilon),
            "mean_term": 2 * self.c * math.sqrt(2 * L),
            "noise_term": math.sqrt(8 * self.alpha * L) / self.epsilon,
            "mixed_term": 4 * self.c * root / math.sqrt(self.epsilon),
        }

    def phases(self, horizon, number_of_arms):
        """The policies of Phase I and of Phase II, whose noise always is centred."""
        phase1 = self.compiled(horizon, number_of_arms)
        return phase1, phase1._replace(location=0.0, scale=1 / self.epsilon)

    def report(self, releases, reward):
        return releases.laplace(reward + self.location, self.scale)

    def explored(self, releases, a, s, n):
        """Return whether arm a ends Phase I.

        n mu > multiplier (c^2 L + L^2/(epsilon^2 d)) + n margin, where
        margin = sqrt(8 alpha L/n)/epsilon and d = mu - margin > 0.
        """
        mu = min(max(s / n, 0.0), 1.0)
        margin = self.noise_term / math.sqrt(n)
        return mu > margin and n * (mu - margin) > self.multiplier * (
            self.c2_log + self.squared_log / (mu - margin)
        )

    def statistics(self, s, n):
        """The index, with 1/sqrt(n) factored out; infinite without pulls."""
        if n == 0:
            return (math.inf,)
        one_over_n = 1.0 / n
        width = math.sqrt(one_over_n)
        mu = min(max(s * one_over_n, 0.0), 1.0)
        terms = (
            self.mean_term * math.sqrt(mu) + self.noise_term + self.mixed_term * math.sqrt(width)
        )
        return (mu + terms * width,)

    def play(self, run):
        phases = self.phases(run.horizon, run.K)
        self.refuse_nan(play_both_phases(run, phases, phases[0].longest_phase1))

    def reports(self, horizon, number_of_arms):
        """Users report with another noise in each phase."""
        return dict(zip(("Phase I", "Phase II"), self.phases(horizon, number_of_arms), strict=True))

    def privacy(self, horizon, number_of_arms):
        """Item 1 stands for the rewards of Phase I, item 2 for those of Phase II.

        Each is reported once, with its phase's noise.
        """
        ledger = Ledger()
        for item, phase in enumerate(self.phases(horizon, number_of_arms), start=1):
            ledger.book(item, item, sensitivity=1.0, scale=phase.scale)
        return Account(self.epsilon, 0.0, ledger, trust="local")

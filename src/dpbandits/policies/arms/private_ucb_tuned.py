"""Private UCB as in the experiments of Mishra & Thakurta (2015): Algorithm 1 with the tuned interval in place of
sqrt(2 ln t/n) and of the relaxation G.

The index is r_a/n_a + sqrt(r_a ln t)/n_a + ln t/n_a, with the noisy r_a in both places: the true total in the bonus
would not be private. The text does not define the root of a negative r_a: `ucb_clip: unit` clips r_a to
[0, n_a] everywhere, `root` clips it under the root only. `relax_c` adds a part of G, c L/(eps0 n_a), where L/eps0 is
the noise scale of a node; 0 is the experiment as described.

`interval: ucb1` keeps UCB1's interval sqrt(2 ln t/n), for the sentence that the tuned one performs best (section 5).
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.drivers.index import index_rule, play_with_leads
from dpbandits.parameters import NotNegative, Positive
from dpbandits.policies.arms import private_ucb
from dpbandits.privacy.tree import tree_node_scale, tree_noise

privacy = private_ucb.privacy  # all indices are computed from released totals


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    interval: Literal["tuned", "ucb1"] = "tuned",
    ucb_clip: Literal["unit", "root"] = "unit",
    relax_c: NotNegative = 0.0,
):
    K = len(arms.means)
    node_scale = tree_node_scale(horizon, epsilon / K)
    rule = PrivateTunedUCB if interval == "tuned" else PrivateClippedUCB
    given = rule(node_scale, relax_c * node_scale, ucb_clip == "unit", np.zeros((K, 64)))
    play_with_leads(rng, arms, horizon, journal, given)


@index_rule
class PrivateTunedUCB(NamedTuple):
    """r: the noisy sum of an arm's n rewards; G = c L/eps0."""

    node_scale: float
    G: float
    clip: bool
    memory: np.ndarray  # of the arms' trees

    def noisy(self, rng, a, s, n):
        r = s + tree_noise(rng, n, self.memory[a], self.node_scale)
        return min(max(r, 0.0), n) if self.clip else r

    def growth(self, t):
        return math.log(t)

    def terms(self, r, n):
        return (r + self.G) / n, math.sqrt(max(r, 0.0)) / n, 1 / n

    def score(self, terms, log_t):
        mean, width, slack = terms
        return mean + math.sqrt(log_t) * width + log_t * slack

    def counted(self, r, n, growth):
        """Where r may be negative, the level may be, too, and so n times the level falls."""
        return r if self.clip else math.nan


@index_rule
class PrivateClippedUCB(PrivateTunedUCB):
    """The same with UCB1's interval."""

    def growth(self, t):
        return math.sqrt(2 * math.log(t))

    def terms(self, r, n):
        return (r + self.G) / n, math.sqrt(1 / n)

    def score(self, terms, growth):
        mean, width = terms
        return mean + growth * width

    def counted(self, r, n, growth):
        return r

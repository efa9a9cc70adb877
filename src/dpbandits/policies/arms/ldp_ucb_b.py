"""LDP-UCB-B, UCB on private bits: Ren, Zhou, Liu & Shroff (2020).

"Multi-Armed Bandits with Local Differential Privacy", with the formulas of the authors' code:
DPclass.py of WenboRen/Multi-armed-Bandits-with-Local-Differential-Privacy, commit 5b4dd4b. A user
reports 1 with probability (1 + reward (e^epsilon - 1))/(1 + e^epsilon), otherwise 0. The policy
plays each arm once, and then

    argmax_a mean of a's n_a reports + sqrt(2 ln t/n_a)

in round t. The authors' code has a first report of 0 from every arm in place of its first pull.
"""

from dpbandits.parameters import Positive
from dpbandits.policies.arms.ucb import UCB
from dpbandits.privacy.reports import RandomisedResponse


class LDPUCBB(RandomisedResponse, UCB):
    """UCB on bits: s is the sum of an arm's n reports."""

    short_cut = UCB.short_cut

    epsilon: Positive

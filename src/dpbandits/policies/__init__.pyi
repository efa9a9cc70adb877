"""Written by `make lists`."""

from dpbandits.policies.arms.adac_ucb import AdaCUCB as AdaCUCB
from dpbandits.policies.arms.adap_klucb import AdaPKLUCB as AdaPKLUCB
from dpbandits.policies.arms.adap_ucb import AdaPUCB as AdaPUCB
from dpbandits.policies.arms.adap_ucb_as_drawn import AdaPUCBAsDrawn as AdaPUCBAsDrawn
from dpbandits.policies.arms.anytime_lazy_ucb import AnytimeLazyUCB as AnytimeLazyUCB
from dpbandits.policies.arms.anytime_ncb import AnytimeNCB as AnytimeNCB
from dpbandits.policies.arms.delayed_thompson import DelayedThompson as DelayedThompson
from dpbandits.policies.arms.delayed_ucb_tuned import DelayedUCBTuned as DelayedUCBTuned
from dpbandits.policies.arms.dist_dp_se import DistDPSE as DistDPSE
from dpbandits.policies.arms.dist_rdp_se import DistRDPSE as DistRDPSE
from dpbandits.policies.arms.dp_exp3_lap_on_arms import DPEXP3LapOnArms as DPEXP3LapOnArms
from dpbandits.policies.arms.dp_imed import DPIMED as DPIMED
from dpbandits.policies.arms.dp_klucb import DPKLUCB as DPKLUCB
from dpbandits.policies.arms.dp_se import DPSE as DPSE
from dpbandits.policies.arms.dp_ts import DPTS as DPTS
from dpbandits.policies.arms.dp_ucb import DPUCB as DPUCB
from dpbandits.policies.arms.dp_ucb_bound import DPUCBBound as DPUCBBound
from dpbandits.policies.arms.dp_ucb_int import DPUCBInt as DPUCBInt
from dpbandits.policies.arms.exp3_on_arms import EXP3OnArms as EXP3OnArms
from dpbandits.policies.arms.exp3_tau_on_arms import EXP3TauOnArms as EXP3TauOnArms
from dpbandits.policies.arms.explore_then_commit import ExploreThenCommit as ExploreThenCommit
from dpbandits.policies.arms.gdp_ncb import GDPNCB as GDPNCB
from dpbandits.policies.arms.imed import IMED as IMED
from dpbandits.policies.arms.kl_ucb import KLUCB as KLUCB
from dpbandits.policies.arms.lazy_dp_ts import LazyDPTS as LazyDPTS
from dpbandits.policies.arms.ldp_epsilon_greedy import LDPEpsilonGreedy as LDPEpsilonGreedy
from dpbandits.policies.arms.ldp_ncb import LDPNCB as LDPNCB
from dpbandits.policies.arms.ldp_ucb import LDPUCB as LDPUCB
from dpbandits.policies.arms.ldp_ucb_b import LDPUCBB as LDPUCBB
from dpbandits.policies.arms.ldp_ucb_clipped import LDPUCBClipped as LDPUCBClipped
from dpbandits.policies.arms.ncb import NCB as NCB
from dpbandits.policies.arms.private_thompson import PrivateThompson as PrivateThompson
from dpbandits.policies.arms.private_thompson_gap import PrivateThompsonGap as PrivateThompsonGap
from dpbandits.policies.arms.private_ucb import PrivateUCB as PrivateUCB
from dpbandits.policies.arms.private_ucb_clipped import PrivateUCBClipped as PrivateUCBClipped
from dpbandits.policies.arms.private_ucb_tuned import PrivateUCBTuned as PrivateUCBTuned
from dpbandits.policies.arms.rr_kl_ucb import RRKLUCB as RRKLUCB
from dpbandits.policies.arms.thompson import Thompson as Thompson
from dpbandits.policies.arms.ucb import UCB as UCB
from dpbandits.policies.arms.ucb_tuned import UCBTuned as UCBTuned
from dpbandits.policies.arms.uniform import Uniform as Uniform
from dpbandits.policies.games.dp_exp3_lap import DPEXP3Lap as DPEXP3Lap
from dpbandits.policies.games.exp3 import EXP3 as EXP3
from dpbandits.policies.games.exp3_tau import EXP3Tau as EXP3Tau
from dpbandits.policies.logs.lin_ts import LinTS as LinTS
from dpbandits.policies.logs.lin_ucb import LinUCB as LinUCB
from dpbandits.policies.logs.private_lin_ts import PrivateLinTS as PrivateLinTS
from dpbandits.policies.logs.private_lin_ucb import PrivateLinUCB as PrivateLinUCB
from typing import Any
from dpbandits.plugins import Plugins
from dpbandits.policy import Policy
FORM = 'class MyUCB(ArmsPolicy), with def play(self, rng, arms, horizon, journal)'
POLICIES = Plugins('policies', Policy, 'algorithm', FORM)

"""The shipped policies, one class in one module each, by the family that they play.

`from dpbandits.policies import DPSE` imports the class, and `algorithm: dp_se` names its module in
a file. `template.py` is a policy to copy. What several policies share is in `drivers`.
"""

from typing import TYPE_CHECKING, Any

from dpbandits.plugins import Plugins
from dpbandits.policy import Policy

# The list: `plugins` reads these lines, and a module without one is unknown. Editors and type
# checkers read them, too. At run time `__getattr__` imports what is used.
if TYPE_CHECKING:
    from .arms.adac_ucb import AdaCUCB as AdaCUCB
    from .arms.adap_klucb import AdaPKLUCB as AdaPKLUCB
    from .arms.adap_ucb import AdaPUCB as AdaPUCB
    from .arms.adap_ucb_as_drawn import AdaPUCBAsDrawn as AdaPUCBAsDrawn
    from .arms.anytime_lazy_ucb import AnytimeLazyUCB as AnytimeLazyUCB
    from .arms.anytime_ncb import AnytimeNCB as AnytimeNCB
    from .arms.delayed_thompson import DelayedThompson as DelayedThompson
    from .arms.delayed_ucb_tuned import DelayedUCBTuned as DelayedUCBTuned
    from .arms.dist_dp_se import DistDPSE as DistDPSE
    from .arms.dist_rdp_se import DistRDPSE as DistRDPSE
    from .arms.dp_exp3_lap_on_arms import DPEXP3LapOnArms as DPEXP3LapOnArms
    from .arms.dp_imed import DPIMED as DPIMED
    from .arms.dp_klucb import DPKLUCB as DPKLUCB
    from .arms.dp_se import DPSE as DPSE
    from .arms.dp_ts import DPTS as DPTS
    from .arms.dp_ucb import DPUCB as DPUCB
    from .arms.dp_ucb_bound import DPUCBBound as DPUCBBound
    from .arms.dp_ucb_int import DPUCBInt as DPUCBInt
    from .arms.exp3_on_arms import EXP3OnArms as EXP3OnArms
    from .arms.exp3_tau_on_arms import EXP3TauOnArms as EXP3TauOnArms
    from .arms.explore_then_commit import ExploreThenCommit as ExploreThenCommit
    from .arms.gdp_ncb import GDPNCB as GDPNCB
    from .arms.imed import IMED as IMED
    from .arms.kl_ucb import KLUCB as KLUCB
    from .arms.lazy_dp_ts import LazyDPTS as LazyDPTS
    from .arms.ldp_epsilon_greedy import LDPEpsilonGreedy as LDPEpsilonGreedy
    from .arms.ldp_ncb import LDPNCB as LDPNCB
    from .arms.ldp_ucb import LDPUCB as LDPUCB
    from .arms.ldp_ucb_b import LDPUCBB as LDPUCBB
    from .arms.ldp_ucb_clipped import LDPUCBClipped as LDPUCBClipped
    from .arms.ncb import NCB as NCB
    from .arms.private_thompson import PrivateThompson as PrivateThompson
    from .arms.private_thompson_gap import PrivateThompsonGap as PrivateThompsonGap
    from .arms.private_ucb import PrivateUCB as PrivateUCB
    from .arms.private_ucb_clipped import PrivateUCBClipped as PrivateUCBClipped
    from .arms.private_ucb_tuned import PrivateUCBTuned as PrivateUCBTuned
    from .arms.rr_kl_ucb import RRKLUCB as RRKLUCB
    from .arms.thompson import Thompson as Thompson
    from .arms.ts_cf import TSCF as TSCF
    from .arms.ucb import UCB as UCB
    from .arms.ucb_tuned import UCBTuned as UCBTuned
    from .arms.uniform import Uniform as Uniform
    from .games.dp_exp3_lap import DPEXP3Lap as DPEXP3Lap
    from .games.exp3 import EXP3 as EXP3
    from .games.exp3_tau import EXP3Tau as EXP3Tau
    from .logs.lin_ts import LinTS as LinTS
    from .logs.lin_ucb import LinUCB as LinUCB
    from .logs.private_lin_ts import PrivateLinTS as PrivateLinTS
    from .logs.private_lin_ucb import PrivateLinUCB as PrivateLinUCB

FORM = "class MyUCB(ArmsPolicy), with def play(self, run)"
POLICIES = Plugins("policies", Policy, "algorithm", FORM, __file__)


def __getattr__(name: str) -> Any:
    """Import a policy when its class is first used: a run needs few of them."""
    return POLICIES.class_named(name)

"""Policies, one class in one module each, in the folder of the family that they play.

`from dpbandits.policies import DPSE` imports the class, and `algorithm: dp_se` names its module in
a file. `template.py` is a policy to copy. What several policies share is in `drivers`.
"""

from typing import Any

from dpbandits.plugins import Plugins
from dpbandits.policy import Policy

FORM = "class MyUCB(ArmsPolicy), with def play(self, rng, arms, horizon, journal)"
POLICIES = Plugins("policies", Policy, "algorithm", FORM)


def __getattr__(name: str) -> Any:
    """Import a policy when its class is first used: a run needs few of them."""
    return POLICIES.class_named(name)

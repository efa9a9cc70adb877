"""Private LinUCB: mishra2015, Algorithm 3.

Its listing is lost; section 5 says that every aggregate passes through a tree. The bonus uses the
released A, too; the true one would leak it.
"""

from dpbandits.drivers.linear import PrivateLinearPolicy
from dpbandits.policies.logs.lin_ucb import LinUCB


class PrivateLinUCB(PrivateLinearPolicy, LinUCB):
    """LinUCB whose two sums are released by 27 trees, each eps0-private."""

"""Private linear Thompson sampling: mishra2015, Algorithm 4.

Its listing is lost; section 5 says that every aggregate passes through a tree. The covariance uses
the released A, too; the true one would leak it.
"""

from dpbandits.drivers.linear import PrivateLinearPolicy
from dpbandits.policies.logs.lin_ts import LinTS


class PrivateLinTS(PrivateLinearPolicy, LinTS):
    """Linear Thompson sampling whose two sums are released by 27 trees, each eps0-private."""

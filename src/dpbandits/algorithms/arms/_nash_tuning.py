"""The constants that GDP-NCB and LDP-NCB have in common: how long Phase I may last, and which logarithm goes where.

Sarkar, Pandey & Ray Chowdhury (2025) state their algorithms with the horizon T alone. What they ran takes a window
W = floor(sqrt(T)) + 1 for it in some places: Phase I lasts at most W rounds, which always cuts it short of its own
threshold, and ln W stands in the index.
"""

import math
from typing import Literal

Cap = Literal["sqrt", "none"]
Log = Literal["cap", "horizon"]


def cap_of(horizon: int, cap: Cap) -> int:
    """The number of rounds that Phase I may last."""
    return math.isqrt(horizon) + 1 if cap == "sqrt" else horizon


def log_of(rounds: int) -> float:
    """ln, or 1 where a game of one round would make it vanish."""
    return math.log(rounds) if rounds > 1 else 1.0


def index_log_of(horizon: int, index_log: Log) -> float:
    """The logarithm in the index: ln W as it was run, or ln T as it is written."""
    return log_of(cap_of(horizon, "sqrt") if index_log == "cap" else horizon)

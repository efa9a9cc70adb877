"""tossou2016: bounds on the regret of DP-UCB-BOUND, DP-UCB and DP-UCB-INT."""

import math

import numpy as np
from scipy.special import zeta

from dpbandits.policies.arms.dp_ucb_int import DPUCBInt
from dpbandits.theory import bound


@bound
def tossou2016_dp_ucb_bound(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3.2, with the best free lambda in (0, 1).

    ln(B/gap) is that of the appendix; the main text drops the gap.
    """
    from scipy.optimize import minimize_scalar

    gap = gaps[gaps > 0]

    def bound(free: float) -> float:
        B = math.sqrt(8) * math.log(4 * t**4) / (epsilon * (1 - free))
        loss = np.maximum(B * (np.log(B / gap) + 7), 8 * math.log(t) / (free**2 * gap))
        return float(np.sum(loss + gap * (1 + 2 * math.pi**2 / 3)))

    limits, options = (1e-6, 1 - 1e-6), {"xatol": 1e-10}
    return float(minimize_scalar(bound, bounds=limits, method="bounded", options=options).fun)


@bound
def tossou2016_dp_ucb(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3.3. Far above the largest possible regret at every horizon of the paper."""
    gap = gaps[gaps > 0]
    C = 56 * (2 + math.sqrt(3.5)) * math.sqrt(math.log(t)) / epsilon
    pulls = np.maximum(C**2 * (math.log(C) + 7) ** 2, 8 * math.log(t) / gap**2)
    return float(np.sum(gap * (pulls + 1 + 4 * zeta(1.5))))


@bound
def tossou2016_dp_ucb_int(
    gaps: np.ndarray,
    t: int,
    epsilon: float,
    delta: float,
    v: float = 1.1,
    schedule: str = "series_y",
) -> float:
    """Theorem 3.5 with f0 = W_1, the longest waiting time of an arm for its first update."""
    gap = gaps[gaps > 0]
    policy = DPUCBInt(epsilon=epsilon, delta=delta, v=v, schedule=schedule)
    first = policy.first_update()
    return float(np.sum(gap * (first + 8 * math.log(t) / gap**2 + 1 + 4 * zeta(1.5))))
